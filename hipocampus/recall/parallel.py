"""Read many files of the memory with two processes, where that is safe and worth it.

The second process reads from the front. The first one, which puts what was read into the index, takes files
from the back whenever it would have to wait, so that both end at the same time.
"""

import os
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from hipocampus.recall.listing import Listed
from hipocampus.recall.reading import Read, read_file

PARALLEL_BYTES = 2_000_000
"""From so much text on, a second process reads; forking takes 0.05 s."""

BATCH_BYTES = 200_000
"""About as much goes to the other process at once: less costs more messages, more leaves one of them waiting."""


def read_files(root: Path, listed: Sequence[Listed]) -> Iterator[tuple[Listed, Read | None]]:
    """Yield each file with what `read_file` returns for it, in order."""
    size = sum(item.size for item in listed)
    alone = threading.active_count() == 1 and sys.platform == "linux"  # forking is safe only there
    if size < PARALLEL_BYTES or not alone or (os.cpu_count() or 1) < 2:
        yield from ((item, read_file(root, item)) for item in listed)
        return
    for batch, reads in _by_two(root, _batches(listed)):
        yield from zip(batch, reads, strict=True)


def _by_two(
    root: Path, batches: Sequence[Sequence[Listed]]
) -> Iterator[tuple[Sequence[Listed], list[Read | None]]]:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    own: dict[int, list[Read | None]] = {}
    with ProcessPoolExecutor(1, mp_context=get_context("fork")) as pool:
        futures = [pool.submit(_read_batch, root, batch) for batch in batches]
        back = len(batches)
        for at, batch in enumerate(batches):
            while at < back and not futures[at].done() and futures[back - 1].cancel():
                back -= 1
                own[back] = _read_batch(root, batches[back])
            yield batch, own.pop(at) if at in own else futures[at].result()


def _read_batch(root: Path, batch: Sequence[Listed]) -> list[Read | None]:
    return [read_file(root, item) for item in batch]


def _batches(listed: Sequence[Listed]) -> list[list[Listed]]:
    """Cut a list of files into pieces of about BATCH_BYTES."""
    batches: list[list[Listed]] = []
    size = BATCH_BYTES
    for item in listed:
        if size >= BATCH_BYTES:
            batches.append([])
            size = 0
        batches[-1].append(item)
        size += item.size
    return batches
