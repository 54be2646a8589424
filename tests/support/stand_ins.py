"""What the services on this machine that stand in for hosted ones have in common."""

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class AnsweringHandler(http.server.BaseHTTPRequestHandler):
    """Sends answers, whole or half, and logs nothing."""

    protocol_version = "HTTP/1.1"

    def send(self, status: int, body: bytes, *, half: bool = False, **headers: str) -> None:
        """Send an answer and say how long it is, also where only half of it follows."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if half else body)

    def log_message(self, *_arguments: object) -> None:
        pass


@contextmanager
def served(handler: type[AnsweringHandler], closing: threading.Event) -> Iterator[str]:
    """Serve on a free port of this machine, and yield the address; `closing` is set at the end."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            closing.set()
            server.shutdown()
            thread.join()
