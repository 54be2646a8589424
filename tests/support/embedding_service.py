"""A service on this machine that stands in for hosted ones, and fails in the ways that they do."""

import hashlib
import json
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.support.stand_ins import AnsweringHandler, served

DIM = 4


def vector(text: str, salt: str = "") -> list[float]:
    """Return the vector that the stand-in has for a text."""
    digest = hashlib.sha256(f"{salt}{text}".encode()).digest()
    return [round(byte / 256 - 0.5, 3) for byte in digest[:DIM]]


def close_if_alike(first: str, second: str) -> str:
    """Rate a pair as a chat model that looks at the first letter only."""
    return json.dumps({"rating": 3 if first[:1].lower() == second[:1].lower() else 1})


@dataclass
class StandIn:
    """What the stand-in has, how it fails, and what it was asked.

    Each request takes the next of `faults`, if there is one: a status ("500", "429 after 7"), or the name of
    what goes wrong. `salt` changes all vectors, `noise` the last digits of each request's. `rates` is what
    the chat model writes of a pair. With `key`, others are refused.
    """

    url: str = ""
    key: str | None = None
    faults: deque[str] = field(default_factory=deque)
    salt: str = ""
    noise: float = 0.0
    rates: Callable[[str, str], str] = close_if_alike
    has_schema: bool = True
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    hanging: threading.Event = field(default_factory=threading.Event)
    closing: threading.Event = field(default_factory=threading.Event)
    lock: Any = field(default_factory=threading.Lock)

    @property
    def terms(self) -> list[str]:
        """The texts that vectors were asked of, in all requests."""
        return [term for one in self.asked for term in one.get("input", [])]

    def vectors(self, texts: list[str], fault: str) -> dict[str, Any]:
        """Return the answer to a request for vectors, spoilt by a fault."""
        data: list[dict[str, Any]] = [
            {"object": "embedding", "index": place, "embedding": vector(text, self.salt)}
            for place, text in enumerate(texts)
        ]
        for one in data:
            one["embedding"] = [value + self.noise * len(self.asked) for value in one["embedding"]]
        last = data[-1]
        spoil: dict[str, Callable[[], object]] = {
            "reordered": data.reverse,
            "fewer": lambda: data.__delitem__(slice(len(data) // 2, None)),
            "no index": lambda: last.pop("index"),
            "unknown index": lambda: last.update(index=len(data)),
            "repeated index": lambda: last.update(index=0),
            "other dimension": lambda: [one["embedding"].append(0.5) for one in data],
            "two dimensions": lambda: last["embedding"].append(0.5),
            "nan": lambda: last.update(embedding=[float("nan")] * DIM),
            "infinite": lambda: last.update(embedding=[1e300] * DIM),
            "null": lambda: last.update(embedding=[None] * DIM),
            "no list": lambda: last.update(embedding="AACAPw=="),
        }
        if fault in spoil:
            spoil[fault]()
        return {"object": "list", "data": data, "usage": {"total_tokens": sum(map(len, texts))}}

    def chat(self, asked: dict[str, Any], fault: str) -> dict[str, Any]:
        """Return the answer to a chat."""
        pair = json.loads(asked["messages"][-1]["content"])
        message: dict[str, Any] = {"role": "assistant", "content": None}
        ended = "stop"
        if fault == "refusal":
            message["refusal"] = f"I cannot rate {pair['term_1']}."
        elif fault == "filtered answer":
            ended = "content_filter"
        else:
            message["content"] = self.rates(pair["term_1"], pair["term_2"])
            ended = "length" if fault == "cut short" else "stop"
        choices = [] if fault == "no choices" else [{"message": message, "finish_reason": ended}]
        return {"object": "chat.completion", "choices": choices}


@contextmanager
def stand_in() -> Iterator[StandIn]:
    """Run the stand-in on a free port of this machine."""
    state = StandIn()

    class Handler(AnsweringHandler):
        def do_POST(self) -> None:  # noqa: N802 - as the server calls it
            self.close_connection = True
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with state.lock:
                state.asked.append(asked)
                state.headers.append(dict(self.headers))
                fault = state.faults.popleft() if state.faults else ""
            if state.key is not None and self.headers["Authorization"] != f"Bearer {state.key}":
                fault = "401"
            status, _, after = fault.partition(" after ")
            if fault == "hang":
                state.hanging.set()
                state.closing.wait(10)
            elif fault == "redirect":
                self.send(307, b"", Location=f"{state.url}/elsewhere")
            elif fault == "filtered":
                self.send(400, json.dumps({"error": {"code": "content_filter"}}).encode())
            elif status.isdecimal():
                # Services repeat keys and terms in their errors.
                said = json.dumps({"error": {"message": f"wrong: {asked} {self.headers['Authorization']}"}})
                self.send(int(status), said.encode(), **({"Retry-After": after} if after else {}))
            elif "response_format" in asked and not state.has_schema:
                self.send(400, b'{"error": {"message": "response_format is not supported"}}')
            elif fault == "html":
                self.send(200, b"<html>It works!</html>")
            elif fault == "a list":
                self.send(200, b"[]")
            else:
                chat = self.path.endswith("/chat/completions")
                answer = state.chat(asked, fault) if chat else state.vectors(asked["input"], fault)
                self.send(200, json.dumps(answer).encode(), half=fault == "half")

    with served(Handler, state.closing) as address:
        state.url = f"{address}/v1"
        yield state
