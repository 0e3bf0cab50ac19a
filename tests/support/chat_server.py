"""An OpenAI-compatible endpoint on this machine that answers well, badly, late or not at all."""

import json
import math
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = "sk-do-not-tell-0123456789"


def completion(text, likely=None, tokens=(100, 2)):
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    if likely is not None:
        top = [{"token": t, "logprob": math.log(p)} for t, p in likely.items()]
        choice["logprobs"] = {"content": [{**top[0], "top_logprobs": top}]}
    return {"choices": [choice], "usage": {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}}


class Server(ThreadingHTTPServer):
    """Answers with what `answer(body, number)` gives: (status, headers, body) or a JSON value."""

    daemon_threads = True

    def __init__(self):
        self.seen, self.keys, self.paths = [], [], []
        self.answer = lambda body, number: completion("4")
        self.lock, self.busy, self.busiest = threading.Lock(), 0, 0
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server = self.server
        with server.lock:
            server.seen.append(body)
            server.keys.append(self.headers["Authorization"])
            server.paths.append(self.path)
            number = len(server.seen)
            server.busy += 1
            server.busiest = max(server.busiest, server.busy)
        answer = server.answer(body, number)
        status, headers, data = (
            answer if isinstance(answer, tuple) else (200, {}, json.dumps(answer).encode())
        )
        with server.lock:
            server.busy -= 1
        try:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)
        except OSError:  # the client has given up
            pass

    def log_message(self, *args):
        pass


@contextmanager
def serving():
    """A server that runs while the block does."""
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()
