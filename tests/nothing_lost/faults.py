"""A double of the one place that writes: hipo runs in a child whose n-th call that changes the disk kills it, or fails.

The calls are those of `os` on paths below the root, which is what hipocampus.files is made of. The recall
index does not pass here: SQLite writes it by itself.
"""

import hashlib
import io
import json
import os
import signal
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from hipocampus.cli.entry import main
from hipocampus.memory.store import MemoryStore

NOW = "2026-03-15T09:00:00Z"
BROKEN_TEST = 99  # the child failed by itself: the test is wrong, not hipo


class Step(NamedTuple):
    """One call that changes the disk, and the file that it changes, relative to the root."""

    call: str
    path: str

    @property
    def is_temporary(self) -> bool:
        return self.path.endswith(".tmp")


@dataclass(frozen=True)
class Fault:
    """What happens at the n-th step: the process is killed, or the call fails with `error`, later ones too if it `lasts`.

    With `meanwhile` nothing fails: somebody else does this just before the step.
    """

    at: int
    error: int = 0
    lasts: bool = False
    meanwhile: Callable[[], object] | None = None

    def hits(self, number: int, step: Step) -> bool:
        if number != self.at and not (self.lasts and number > self.at):
            return False
        # Cleaning up works on a full disk too; without it there would be nothing left to check.
        return not self.error or not (step.call in ("unlink", "close") and (step.is_temporary or self.lasts))


class Ended(NamedTuple):
    """How a call of hipo ended. `status` is None when it was killed."""

    status: int | None
    out: str
    err: str
    steps: Sequence[Step] = ()
    versions: Mapping[str, list[str]] | None = None  # file -> digests of what it was replaced with
    moments: Sequence[Mapping[str, str]] = ()  # file -> digest, as a kill at each step would leave them


class Disk:
    """Stands in front of `os` in a process that will not live on."""

    def __init__(self, root: Path, fault: Fault | None, watched: bool) -> None:
        self.root, self.fault, self.watched = str(root), fault, watched
        self.steps: list[Step] = []
        self.versions: dict[str, list[str]] = {}
        self.moments: list[dict[str, str]] = []
        self._open: dict[int, str] = {}
        self._somebody_else = False

    def install(self) -> None:
        for call in ("chmod", "unlink", "remove", "mkdir", "rmdir", "truncate"):
            setattr(os, call, self._of_path(call, getattr(os, call)))
        for call in ("replace", "rename"):
            setattr(os, call, self._of_move(getattr(os, call)))
        for call in ("fsync", "ftruncate", "fchmod"):
            setattr(os, call, self._of_handle(call, getattr(os, call)))
        os.open = self._of_open(os.open)
        os.write = self._of_write(os.write)
        os.pwrite = self._of_write(os.pwrite)
        os.close = self._of_close(os.close)

    def _step(self, call: str, path: str) -> None:
        if self._somebody_else:
            return
        step = Step(call, os.path.relpath(path, self.root))
        self.steps.append(step)
        if self.watched:
            self.moments.append(digests(Path(self.root)))
        if self.fault is not None and self.fault.hits(len(self.steps), step):
            if self.fault.meanwhile is not None:
                self._somebody_else = True
                self.fault.meanwhile()
                self._somebody_else = False
                return
            if not self.fault.error:
                os.kill(os.getpid(), signal.SIGKILL)
            raise OSError(self.fault.error, os.strerror(self.fault.error), path)

    def _is_ours(self, path: Any) -> bool:
        return not isinstance(path, int) and Path(os.fsdecode(path)).absolute().is_relative_to(self.root)

    def _of_path(self, call: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def made(path: Any, *rest: Any, **more: Any) -> Any:
            if self._is_ours(path):
                self._step("unlink" if call == "remove" else call, os.fsdecode(path))
            return real(path, *rest, **more)

        return made

    def _of_move(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def made(source: Any, target: Any, **more: Any) -> Any:
            if self._is_ours(target):
                self._step("replace", os.fsdecode(target))
                name = os.path.relpath(target, self.root)
                self.versions.setdefault(name, []).append(digest(Path(source).read_bytes()))
            return real(source, target, **more)

        return made

    def _of_handle(self, call: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def made(handle: int, *rest: Any) -> Any:
            if handle in self._open:
                self._step(call, self._open[handle])
            return real(handle, *rest)

        return made

    def _of_open(self, real: Callable[..., int]) -> Callable[..., int]:
        def made(path: Any, flags: int, *rest: Any, **more: Any) -> int:
            if not self._is_ours(path):
                return real(path, flags, *rest, **more)
            if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
                self._step("open", os.fsdecode(path))
            handle = real(path, flags, *rest, **more)
            self._open[handle] = os.fsdecode(path)
            return handle

        return made

    def _of_write(self, real: Callable[..., int]) -> Callable[..., int]:
        def made(handle: int, data: Any, *rest: Any) -> int:
            if handle not in self._open:
                return real(handle, data, *rest)
            half = bytes(data)[: len(data) // 2]  # what has reached the disk when the end comes
            real(handle, half, *rest)
            self._step("write", self._open[handle])
            if rest:  # a place in the file
                return real(handle, data, *rest)
            return len(half) + real(handle, bytes(data)[len(half) :])

        return made

    def _of_close(self, real: Callable[[int], None]) -> Callable[[int], None]:
        def made(handle: int) -> None:
            path = self._open.pop(handle, None)
            real(handle)
            if path is not None and path.endswith(".tmp"):
                self._step("close", path)

        return made


def call(
    root: Path,
    words: list[str],
    *,
    stdin: str = "",
    now: str = NOW,
    fault: Fault | None = None,
    watched: bool = False,
) -> Ended:
    """Run hipo below `root` in a child of this process, which has everything loaded."""
    return calls(root, [(words, stdin)], now=now, fault=fault, watched=watched)[0]


def calls(
    root: Path,
    each: list[tuple[list[str], str]],
    *,
    now: str = NOW,
    fault: Fault | None = None,
    watched: bool = False,
) -> list[Ended]:
    """Run one call of hipo after the other in a child; when it is killed, that was the last one."""
    return end_calls(begin_calls(root, each, now=now, fault=fault, watched=watched))


class Begun(NamedTuple):
    """A child that runs, and the files that it tells its end in."""

    pid: int
    files: Mapping[str, Path]


def begin_calls(
    root: Path,
    each: list[tuple[list[str], str]],
    *,
    now: str = NOW,
    fault: Fault | None = None,
    watched: bool = False,
    name: str = "",
    wait_seconds: float | None = None,
) -> Begun:
    """Start a child that makes the calls; `wait_seconds`: how long they wait for the lock."""
    files = {kind: root.parent / f"{root.name}.{name}{kind}" for kind in ("out", "err", "told")}
    child = os.fork()
    if child:
        return Begun(child, files)
    try:
        if wait_seconds is not None:
            MemoryStore.__init__.__defaults__ = (wait_seconds,)  # type: ignore[attr-defined]
        _be_hipo(root, each, now, Disk(root, fault, watched), files)
    except BaseException:
        files["err"].write_text(traceback.format_exc())
    finally:
        os._exit(BROKEN_TEST)


def end_calls(begun: Begun) -> list[Ended]:
    """Wait for a child, and return how its calls ended."""
    _, status = os.waitpid(begun.pid, 0)
    texts = {kind: path.read_text("utf-8") if path.exists() else "" for kind, path in begun.files.items()}
    for path in begun.files.values():
        path.unlink(missing_ok=True)
    if os.WIFSIGNALED(status):
        return [Ended(None, texts["out"], texts["err"])]
    assert os.WEXITSTATUS(status) == 0, texts["err"]
    told = json.loads(texts["told"])
    return [Ended(s, o, e, [Step(*one) for one in steps], *rest) for s, o, e, steps, *rest in told]


def _be_hipo(
    root: Path, each: list[tuple[list[str], str]], now: str, disk: Disk, files: Mapping[str, Path]
) -> None:
    os.environ["HIPO_NOW"] = now
    os.chdir(root)
    disk.install()
    said = []
    for words, stdin in each:
        _redirect(stdin, files["out"], files["err"])
        sys.argv = ["hipo", *words]
        status: object = 0
        try:
            main()
        except SystemExit as ended:
            status = ended.code or 0
        sys.stdout.flush()
        texts = [files[name].read_text("utf-8") for name in ("out", "err")]
        said.append([status, *texts, disk.steps, disk.versions, disk.moments])
        disk.steps, disk.versions, disk.moments = [], {}, []
    files["told"].write_text(json.dumps(said))
    os._exit(0)


def _redirect(stdin: str, out: Path, err: Path) -> None:
    reading, writing = os.pipe()
    os.write(writing, stdin.encode())
    os.close(writing)
    os.dup2(reading, 0)
    for number, path in ((1, out), (2, err)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), number)
    sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False), encoding="utf-8", errors="replace")
    sys.stdout, sys.stderr = (
        io.TextIOWrapper(io.FileIO(number, "w", closefd=False), encoding="utf-8", write_through=True)
        for number in (1, 2)
    )


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def digests(root: Path) -> dict[str, str]:
    """Every file of a memory with the digest of its bytes."""
    found = {}
    for folder, _, names in os.walk(root):
        for name in names:
            path = Path(folder, name)
            found[path.relative_to(root).as_posix()] = digest(path.read_bytes())
    return found
