"""The wire formats, against servers on loopback that answer as the three providers do."""

import asyncio
import json
import threading
import time
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from hipocampus.brain import client, model
from hipocampus.brain.client import Endpoint, ModelError, ask, retry_after
from hipocampus.brain.routes import Target
from hipocampus.brain.wire import Query, base_address, context_size
from hipocampus.errors import ConfigError, HipoError

from .conftest import fake_token

KEY = "key-of-the-test-0123"
QUERY = Query("You are brief.", "which port?", 77)


class Answer:
    """One scripted answer: status, headers, and the body in pieces; `cut` ends the connection in the middle."""

    def __init__(self, *pieces, status=200, kind="application/json", cut=False, delay=0.0, **headers):
        self.pieces = [p if isinstance(p, bytes) else p.encode() for p in pieces]
        self.status, self.kind, self.cut, self.delay, self.headers = status, kind, cut, delay, headers


@contextmanager
def serving(*answers):
    """A server that gives the answers in turn and remembers what it was asked."""
    script, asked = list(answers), []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *args):
            pass

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append((self.path, dict(self.headers), body))
            answer = script.pop(0) if len(script) > 1 else script[0]
            time.sleep(answer.delay)
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.kind)
            self.send_header("Transfer-Encoding", "chunked")
            for name, value in answer.headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            with suppress(BrokenPipeError, ConnectionResetError):  # whoever asked has heard enough
                for piece in answer.pieces:
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                    self.wfile.flush()
                if not answer.cut:
                    self.wfile.write(b"0\r\n\r\n")
            self.close_connection = answer.cut

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def sse(*values, end="\n\n"):
    return "".join(f"data: {v if isinstance(v, str) else json.dumps(v)}{end}" for v in values)


WHOLE = {
    "openrouter": {"choices": [{"message": {"content": "port 8443"}, "finish_reason": "stop"}]},
    "anthropic": {
        "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "port 8443"}],
        "stop_reason": "end_turn",
    },
    "ollama": {"message": {"role": "assistant", "content": "port 8443"}, "done": True, "done_reason": "stop"},
}
STREAMS = {
    "openrouter": Answer(
        ": OPENROUTER PROCESSING\n\n",
        sse(
            {"choices": [{"delta": {"role": "assistant", "content": ""}}]},
            {"choices": [{"delta": {"content": "port"}}]},
        ),
        sse({"choices": [{"delta": {"content": " 8443"}}]})[:9],
        sse({"choices": [{"delta": {"content": " 8443"}}]})[9:],
        sse({"choices": [{"delta": {}, "finish_reason": "stop"}]}, "[DONE]"),
        kind="text/event-stream",
    ),
    "anthropic": Answer(
        "event: message_start\n" + sse({"type": "message_start", "message": {"content": []}}),
        "event: ping\n" + sse({"type": "ping"}),
        sse({"type": "content_block_delta", "delta": {"type": "thinking_delta", "thinking": "hm"}}),
        sse({"type": "content_block_delta", "delta": {"type": "text_delta", "text": "port"}}),
        sse(
            {"type": "content_block_delta", "delta": {"type": "text_delta", "text": " 8443"}}, end="\r\n\r\n"
        ),
        sse({"type": "message_delta", "delta": {"stop_reason": "end_turn"}}, {"type": "message_stop"}),
        kind="text/event-stream; charset=utf-8",
    ),
    "ollama": Answer(
        json.dumps({"message": {"content": "port"}, "done": False}) + "\n",
        json.dumps({"message": {"content": " 8443"}, "done": False})
        + "\n"
        + json.dumps({"message": {"content": ""}, "done": True}),
        kind="application/x-ndjson",
    ),
}
PROVIDERS = sorted(WHOLE)
every = pytest.mark.parametrize("provider", PROVIDERS)


def call(provider, address, *, on_text=None, limit=20.0, name="m1", key=KEY):
    return asyncio.run(
        ask(Endpoint(provider, name, address, key), QUERY, on_text=on_text, limit_seconds=limit)
    )


def failing(provider, *answers, on_text=None, limit=20.0):
    with serving(*answers) as (address, asked), pytest.raises(ModelError) as failed:
        call(provider, address, on_text=on_text, limit=limit)
    assert KEY not in str(failed.value) and "\n" not in str(failed.value)
    assert str(failed.value).startswith(f"{provider} m1: ")
    return str(failed.value), asked


@every
def test_a_reply_comes_back_whole(provider):
    with serving(Answer(json.dumps(WHOLE[provider]))) as (address, asked):
        reply = call(provider, address)
    assert reply.text == "port 8443" and not reply.cut
    path, headers, body = asked[0]
    assert (
        path
        == {"openrouter": "/chat/completions", "anthropic": "/v1/messages", "ollama": "/api/chat"}[provider]
    )
    assert body["model"] == "m1" and body["stream"] is False
    assert body["messages"][-1] == {"role": "user", "content": "which port?"}
    if provider == "openrouter":
        assert headers["authorization" if "authorization" in headers else "Authorization"] == f"Bearer {KEY}"
        assert body["max_tokens"] == 77 and body["messages"][0] == {
            "role": "system",
            "content": "You are brief.",
        }
    elif provider == "anthropic":
        assert {k.lower(): v for k, v in headers.items()}["x-api-key"] == KEY
        assert {k.lower(): v for k, v in headers.items()}["anthropic-version"] == "2023-06-01"
        assert body["max_tokens"] == 77 and body["system"] == "You are brief."
    else:
        assert body["options"] == {"num_ctx": 4096, "num_predict": 77}
        assert KEY not in json.dumps(headers)


@every
def test_a_streamed_reply_is_passed_on_piece_by_piece(provider):
    pieces = []
    with serving(STREAMS[provider]) as (address, asked):
        reply = call(provider, address, on_text=pieces.append)
    assert pieces == ["port", " 8443"] and reply.text == "port 8443"
    assert asked[0][2]["stream"] is True


@every
def test_a_server_that_does_not_stream_is_understood_all_the_same(provider):
    pieces = []
    with serving(Answer(json.dumps(WHOLE[provider]))) as (address, _):
        assert call(provider, address, on_text=pieces.append).text == "port 8443"
    assert pieces == ["port 8443"]


@every
@pytest.mark.parametrize("status", [429, 500, 503, 529])
def test_what_passes_is_tried_again(provider, status):
    busy = Answer('{"error": {"message": "busy"}}', status=status, Retry_After="0")
    with serving(busy, busy, Answer(json.dumps(WHOLE[provider]))) as (address, asked):
        assert call(provider, address).text == "port 8443"
    assert len(asked) == 3


def test_the_third_failure_is_the_last(provider="openrouter"):
    said, asked = failing(provider, Answer('{"error": {"message": "busy"}}', status=429, Retry_After="0"))
    assert len(asked) == 3 and "429 (busy)" in said


def test_a_wait_that_is_too_long_is_not_waited_for():
    _, asked = failing("anthropic", Answer("{}", status=429, Retry_After="3600"))
    assert len(asked) == 1


@every
def test_other_errors_are_not_tried_again_and_say_why(provider):
    said, asked = failing(provider, Answer(json.dumps({"error": {"message": f"bad key {KEY}"}}), status=401))
    assert len(asked) == 1 and "answered 401 (bad key [REDACTED:key])" in said


def test_an_error_that_repeats_a_secret_is_redacted():
    said, _ = failing(
        "openrouter", Answer(json.dumps({"error": f"no access for {fake_token()}"}), status=403)
    )
    assert fake_token() not in said and "[REDACTED:" in said


@every
def test_a_redirect_is_not_followed_with_the_key(provider):
    said, asked = failing(provider, Answer("", status=302, Location="http://127.0.0.1:1/x"))
    assert "302" in said and len(asked) == 1


@every
@pytest.mark.parametrize("body", ["<html>hello</html>", "[1]", "", "nonsense {"])
def test_an_answer_that_is_not_json_is_an_error(provider, body):
    said, _ = failing(provider, Answer(body))
    assert "not JSON" in said


@every
@pytest.mark.parametrize("body", [{}, {"choices": []}, {"choices": [{"message": {"content": None}}]}, {"content": []},
                                  {"message": {"content": "  "}, "content": [{"type": "text", "text": "\n"}],
                                   "choices": [{"message": {"content": " "}}]}])  # fmt: skip
def test_an_empty_reply_is_an_error(provider, body):
    said, _ = failing(provider, Answer(json.dumps(body)))
    assert "empty" in said


@every
def test_an_error_inside_an_answer_of_status_200_is_an_error(provider):
    said, _ = failing(provider, Answer(json.dumps({"error": {"message": "no credits"}})))
    assert "no credits" in said


@every
def test_a_connection_that_is_cut_in_a_stream_is_an_error(provider):
    whole = STREAMS[provider]
    kept = whole.pieces[:-1] if provider != "ollama" else whole.pieces[:1]
    failing(provider, Answer(*kept, kind=whole.kind, cut=True), on_text=lambda _: None)
    said, _ = failing(provider, Answer(*kept, kind=whole.kind), on_text=lambda _: None)
    assert "before the reply was whole" in said


@every
def test_a_connection_that_is_cut_in_a_whole_reply_is_an_error(provider):
    said, _ = failing(provider, Answer(json.dumps(WHOLE[provider])[:20], cut=True))
    assert "connection" in said


STREAMED_ERRORS = {
    "openrouter": sse({"error": {"code": 502, "message": "upstream broke"}}),
    "anthropic": "event: error\n"
    + sse({"type": "error", "error": {"type": "overloaded_error", "message": "upstream broke"}}),
    "ollama": '{"error": "upstream broke"}\n',
}


@every
def test_an_error_in_the_middle_of_a_stream_is_an_error(provider):
    said, _ = failing(
        provider, Answer(STREAMED_ERRORS[provider], kind=STREAMS[provider].kind), on_text=lambda _: None
    )
    assert "upstream broke" in said
    line = "{nonsense\n" if provider == "ollama" else "data: {nonsense\n\n"
    said, _ = failing(provider, Answer(line, kind=STREAMS[provider].kind), on_text=lambda _: None)
    assert "not JSON" in said


CUT = {
    "openrouter": {"choices": [{"message": {"content": "a"}, "finish_reason": "length"}]},
    "anthropic": {"content": [{"type": "text", "text": "a"}], "stop_reason": "max_tokens"},
    "ollama": {"message": {"content": "a"}, "done": True, "done_reason": "length"},
}


@every
def test_a_reply_that_stopped_at_the_most_tokens_says_so(provider):
    with serving(Answer(json.dumps(CUT[provider]))) as (address, _):
        assert call(provider, address).cut


@every
def test_the_time_limit_holds_for_the_whole_call(provider):
    said, _ = failing(provider, Answer(json.dumps(WHOLE[provider]), delay=1.5), limit=0.2)
    assert "within 0.2 s" in said


def test_a_server_that_is_not_there_is_an_error(free_port):
    with pytest.raises(ModelError, match="connection"):
        call("ollama", f"127.0.0.1:{free_port}")


def test_without_a_key_nothing_is_asked():
    with pytest.raises(ModelError, match="OPENROUTER_API_KEY"):
        call("openrouter", "http://127.0.0.1:1", key=None)
    with pytest.raises(ModelError, match="characters"):
        call("anthropic", "http://127.0.0.1:1", key="geheim\nschlüssel")


def test_a_model_must_be_named_where_the_provider_has_no_default():
    with pytest.raises(ModelError, match="no model"):
        call("ollama", "http://127.0.0.1:1", name="")
    with serving(Answer(json.dumps(WHOLE["openrouter"]))) as (address, asked):
        call("openrouter", address, name="")
    assert "model" not in asked[0][2]


def test_without_httpx_the_error_has_the_install_command(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "httpx", None)
    with pytest.raises(HipoError, match=r"uv tool install '\.\[llm\]'"):
        client.import_httpx()


@pytest.mark.parametrize(
    ("value", "sent", "seconds"),
    [
        (None, None, 2.0),
        ("7", None, 7.0),
        ("0.5", None, 0.5),
        ("-3", None, 0.0),
        ("Sun, 15 Mar 2026 09:00:30 GMT", "Sun, 15 Mar 2026 09:00:00 GMT", 30.0),
        ("Sun, 15 Mar 2026 08:00:00 GMT", "Sun, 15 Mar 2026 09:00:00 GMT", 0.0),
        ("Sun, 15 Mar 2026 08:00:00 GMT", None, 2.0),
        ("soon", "Sun, 15 Mar 2026 09:00:00 GMT", 2.0),
    ],
)
def test_retry_after_is_seconds_or_a_date(value, sent, seconds):
    assert retry_after(value, sent, 2.0) == seconds


@pytest.mark.parametrize(
    ("provider", "value", "address"),
    [
        ("openrouter", None, "https://openrouter.ai/api/v1"),
        ("anthropic", "http://127.0.0.1:8000/v1/", "http://127.0.0.1:8000/v1"),
        ("ollama", None, "http://127.0.0.1:11434"),
        ("ollama", "0.0.0.0", "http://127.0.0.1:11434"),
        ("ollama", "box:1234", "http://box:1234"),
        ("ollama", "https://box", "https://box:443"),
        ("ollama", "[::1]:5", "http://[::1]:5"),
    ],
)
def test_addresses_are_read_as_the_providers_own_clients_do(provider, value, address):
    assert base_address(provider, value) == address


@pytest.mark.parametrize("value", ["ftp://x", "http://", "http://[::1", "x:notaport"])
def test_an_address_that_is_none_is_a_wrong_setting(value):
    with pytest.raises(ConfigError):
        base_address("ollama", value)


@pytest.mark.parametrize("text", ["word " * 20_000, "가나다 " * 5_000, "{}[];\n" * 3_000, "👍" * 2_000])
def test_the_context_holds_prompt_and_reply(text):
    size = context_size(Query("", text, 4096))
    assert size >= len(text) // 4 + 4096 and size % 1024 == 0


def test_the_next_model_is_asked_when_one_fails(root, monkeypatch):
    said = []
    with (
        serving(Answer("{}", status=400)) as (broken, _),
        serving(Answer(json.dumps(WHOLE["ollama"]))) as (good, asked),
    ):
        monkeypatch.setenv("OPENROUTER_BASE_URL", broken)
        monkeypatch.setenv("OPENROUTER_API_KEY", KEY)
        monkeypatch.setenv("OLLAMA_HOST", good)
        targets = [Target("openrouter", "a"), Target("anthropic", "b"), Target("ollama", "c")]
        answer = model.ask_models(targets, QUERY, command=[], root=root, on_failure=said.append)
    assert answer.text == "port 8443" and answer.target == targets[2] and len(asked) == 1
    assert len(said) == 2 and "asking ollama c" in said[1] and KEY not in "".join(said)


def test_once_something_was_shown_no_other_model_is_asked(root, monkeypatch):
    shown = []
    begun = Answer(*STREAMS["ollama"].pieces[:1], kind="application/x-ndjson")
    with serving(begun) as (address, asked), pytest.raises(ModelError):
        monkeypatch.setenv("OLLAMA_HOST", address)
        model.ask_models(
            [Target("ollama", "a"), Target("ollama", "b")], QUERY, command=[], root=root, on_text=shown.append
        )
    assert shown == ["port"] and len(asked) == 1
