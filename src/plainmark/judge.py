"""Sends requests to a language model behind an OpenAI-compatible endpoint: POST {url}/chat/completions, and nothing else.

Failed requests are retried with exponential back-off and jitter. A rate limits requests, and the number of
threads is bounded. Replies are stored in an SQLite file, so that an interrupted run is resumable and no reply
is paid for twice. The key comes from the environment (PLAINMARK_API_KEY, else OPENAI_API_KEY) and is sent
only to the endpoint: over https, or to this machine. It is in no log, message, signature or file.
"""

from __future__ import annotations

import contextlib
import email.utils
import hashlib
import http.client
import json
import logging
import os
import random
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import SplitResult, urlsplit

from .errors import InputError, MissingResourceError, OptionError, UndefinedWarning

T = TypeVar("T")

KEYS = ("PLAINMARK_API_KEY", "OPENAI_API_KEY")
ATTEMPTS = 6
LONGEST_PAUSE, LONGEST_RETRY_AFTER = 60.0, 600.0
LARGEST_REPLY = 16 * 2**20

_RETRIED = {408, 409, 425, 429}  # and 500 to 599
_LOG = logging.getLogger("plainmark.judge")


class JudgeWarning(UndefinedWarning):
    """Some samples have no score, because the endpoint gave no usable reply."""


class ReplyError(Exception):
    """No usable reply to one request; the message is the reason."""


class RetryError(ReplyError):
    """A failure that another attempt may remedy, not before `after` seconds."""

    def __init__(self, reason: str, after: float = 0.0) -> None:
        super().__init__(reason)
        self.after = after


@dataclass(frozen=True)
class Reply:
    """What the model wrote and, token by token, the log-probabilities of the likeliest tokens (empty if not given)."""

    text: str
    likely: tuple[tuple[str, dict[str, float]], ...] = ()
    tokens_in: int = 0
    tokens_out: int = 0
    cut_off: bool = False  # the reply ended at the largest number of tokens

    def as_json(self) -> str:
        return json.dumps([self.text, self.likely, self.tokens_in, self.tokens_out, self.cut_off])

    @classmethod
    def from_json(cls, text: str) -> Reply:
        written, likely, *rest = json.loads(text)  # older files do not say whether a reply was cut off
        return cls(written, tuple((token, dict(top)) for token, top in likely), *rest)


@dataclass
class Usage:
    """The requests of a run and their cost; replies from the cache cost nothing."""

    requests: int = 0
    retries: int = 0
    cached: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    price_in: float = 0.0  # per million tokens
    price_out: float = 0.0

    @property
    def cost(self) -> float:
        return (self.tokens_in * self.price_in + self.tokens_out * self.price_out) / 1e6

    def __str__(self) -> str:
        said = (
            f"{self.requests} requests ({self.retries} retried), {self.cached} replies from the cache, "
            f"{self.tokens_in} tokens in, {self.tokens_out} out"
        )
        return f"{said}, cost {self.cost:.4f}" if self.price_in or self.price_out else said


class Pace:
    """A limit of requests per minute, evenly spaced; any number of threads may wait."""

    def __init__(self, per_minute: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.interval = 60.0 / per_minute if per_minute else 0.0
        self._clock = clock
        self._next = clock()
        self._lock = threading.Lock()

    def delay(self) -> float:
        """Reserve the next slot, and return the seconds until it."""
        with self._lock:
            now = self._clock()
            place = max(self._next, now)
            self._next = place + self.interval
            return place - now


class Replies:
    """Replies on disk by the hash of their request; each is stored as soon as it arrives."""

    def __init__(self, folder: str | Path) -> None:
        self.path = Path(folder) / "judge.sqlite"
        self._lock = threading.Lock()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(self.path, timeout=30, check_same_thread=False)
            self._file.execute("CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, reply TEXT)")
        except (OSError, sqlite3.DatabaseError) as problem:
            # Replies have been paid for: a file that cannot be read is not recreated.
            raise InputError(
                f"{self.path}: cannot store replies here ({problem}); move the file away or name another folder."
            ) from None

    def get(self, key: str) -> Reply | None:
        with self._lock:
            row = self._file.execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone()
        return Reply.from_json(row[0]) if row else None

    def put(self, key: str, reply: Reply) -> None:
        with self._lock, self._file:
            self._file.execute("INSERT OR REPLACE INTO replies VALUES (?, ?)", (key, reply.as_json()))

    def close(self) -> None:
        self._file.close()


@dataclass
class Endpoint:
    """A model behind a URL. The clock, sleep and rng are arguments, so that tests are fast and deterministic."""

    url: str
    model: str
    timeout: float = 60.0
    attempts: int = ATTEMPTS
    per_minute: float = 0.0  # 0 means no limit
    threads: int = 4
    cache: str | Path | None = None
    usage: Usage = field(default_factory=Usage)
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], object] | None = None
    rng: random.Random = field(default_factory=random.Random)

    def __post_init__(self) -> None:
        self._parts = parse_url(self.url)
        self._key = key_for(self.url)
        self._pace = Pace(self.per_minute, self.clock)
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._replies = Replies(self.cache) if self.cache is not None else None
        self.gives_probabilities = True  # until the endpoint refuses the option

    def close(self) -> None:
        if self._replies is not None:
            self._replies.close()

    def run(self, work: Callable[[T], object], tasks: Iterable[T]) -> None:
        """Run work that sends requests on several threads; the first error or an interruption ends all of it."""
        self._stop.clear()

        def guarded(task: T) -> None:
            if not self._stop.is_set():
                try:
                    work(task)
                except BaseException:
                    self._stop.set()
                    raise

        with ThreadPoolExecutor(self.threads, "judge") as pool:
            try:
                running = [pool.submit(guarded, task) for task in tasks]
                for future in running:
                    future.result()
            except BaseException:
                self._stop.set()
                pool.shutdown(wait=True, cancel_futures=True)
                raise

    def ask(
        self,
        prompt: str,
        read: Callable[[Reply], T],
        *,
        temperature: float,
        max_tokens: int = 0,
        probabilities: bool = False,
        sample: int = 0,
    ) -> T:
        """The result of `read` for the reply to a prompt; `read` raises RetryError for a reply that it cannot use.

        `sample` tells apart repeated requests with the same words. ReplyError after the last attempt.
        """
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": "user", "content": prompt}],
            "temperature": temperature,
        }
        if max_tokens:
            body["max_tokens"] = max_tokens
        key = self._key_of(body, sample, probabilities)
        if self._replies is not None and (cached := self._replies.get(key)) is not None:
            with self._lock:
                self.usage.cached += 1
            return read(cached)
        for attempt in range(self.attempts):
            try:
                reply = self._request(body, probabilities=probabilities)
                result = read(reply)
            except RetryError as problem:
                _LOG.debug("attempt %d of %d: %s", attempt + 1, self.attempts, problem)
                if attempt + 1 == self.attempts:
                    raise ReplyError(f"{problem} ({self.attempts} attempts)") from None
                with self._lock:
                    self.usage.retries += 1
                    spread = 0.5 + 0.5 * self.rng.random()
                self._pause(max(spread * min(2.0**attempt, LONGEST_PAUSE), problem.after))
            else:
                if self._replies is not None:
                    self._replies.put(key, reply)
                return result
        raise ReplyError("no attempt allowed")

    def _key_of(self, body: Mapping[str, Any], sample: int, probabilities: bool) -> str:
        # another endpoint may have another model of the same name
        asked = json.dumps([self.url, body, sample, probabilities], sort_keys=True)
        return hashlib.sha256(asked.encode("ascii")).hexdigest()

    def _request(self, body: dict[str, Any], *, probabilities: bool) -> Reply:
        if probabilities and self.gives_probabilities:
            try:
                return self._post({**body, "logprobs": True, "top_logprobs": 20})
            except ReplyError as problem:
                if "logprobs" not in str(problem):
                    raise
                # servers that do not know logprobs refuse them with status 400
                self.gives_probabilities = False
        return self._post(body)

    def _post(self, body: dict[str, Any]) -> Reply:
        self._pause(self._pace.delay())
        with self._lock:
            self.usage.requests += 1
        status, headers, data = self._exchange(json.dumps(body).encode("ascii"))
        if status in _RETRIED or status >= 500:
            raise RetryError(f"the endpoint answered {status}", _retry_after(headers.get("Retry-After")))
        if status in (401, 403):
            raise MissingResourceError(
                f"the endpoint refused the key (status {status}); set {KEYS[0]} to a valid one."
            )
        if status == 404:
            raise InputError(
                f"no {self._path()} or no model {self.model!r} at {self.url} (status 404); check url and model."
            )
        if status != 200:
            raise ReplyError(f"the endpoint answered {status}: {self._clean(_error_text(data))}")
        reply = _read_reply(data)
        with self._lock:
            self.usage.tokens_in += reply.tokens_in
            self.usage.tokens_out += reply.tokens_out
        return replace(reply, text=self._clean(reply.text))

    def _exchange(self, body: bytes) -> tuple[int, Mapping[str, str], bytes]:
        parts = self._parts
        # http.client follows no redirect, which might carry the key to another host.
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=self.timeout)
        headers = {"Content-Type": "application/json", "Accept": "application/json", "Connection": "close"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        deadline = time.monotonic() + self.timeout
        try:
            connection.request("POST", self._path(), body, headers)
            response = connection.getresponse()
            data = b""
            while chunk := response.read1(65536):
                data += chunk
                if time.monotonic() > deadline:
                    raise TimeoutError
                if len(data) > LARGEST_REPLY:
                    raise ReplyError(f"the reply is larger than {LARGEST_REPLY >> 20} MiB")
            return response.status, dict(response.getheaders()), data
        except TimeoutError:
            raise RetryError(f"no reply in {self.timeout:g} s") from None
        except (OSError, http.client.HTTPException) as problem:
            raise RetryError(f"no connection ({type(problem).__name__})") from None
        finally:
            connection.close()

    def _path(self) -> str:
        return self._parts.path.rstrip("/") + "/chat/completions"

    def _clean(self, text: str) -> str:
        """The text without the key, in case an endpoint repeats it."""
        return text.replace(self._key, "***") if self._key else text

    def _pause(self, seconds: float) -> None:
        if seconds > 0:
            if self.sleep is not None:
                self.sleep(seconds)
            else:
                self._stop.wait(seconds)
        if self._stop.is_set():
            raise ReplyError("stopped")


def parse_url(url: str) -> SplitResult:
    """The parts of a base URL, or OptionError; the message repeats no user name, password or query."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise OptionError("url is not one of an endpoint; expected one such as https://host/v1.")
    if parts.username is not None or parts.query or parts.fragment:
        raise OptionError(
            f"url holds a user name or a query; expected https://host/v1, and the key in {KEYS[0]}."
        )
    return parts


def is_local(url: str) -> bool:
    """Whether a URL leads to this machine."""
    return (parse_url(url).hostname or "") in ("localhost", "127.0.0.1", "::1")


def key_for(url: str) -> str:
    """The key that may be sent to a URL: none over plain http to another machine."""
    if parse_url(url).scheme != "https" and not is_local(url):
        return ""
    key = next((k for name in KEYS if (k := os.environ.get(name, "").strip())), "")
    if not key.isascii() or not key.isprintable():
        raise OptionError(f"{KEYS[0]} holds characters that no key has; set it again.")
    return key


def _read_reply(data: bytes) -> Reply:
    try:
        content = json.loads(data)
        choice = content["choices"][0]
        text = choice["message"]["content"]
        if text is None and (refusal := choice["message"].get("refusal")):
            text = str(refusal)
        usage = content.get("usage") or {}
        tokens_in, tokens_out = (int(usage.get(k) or 0) for k in ("prompt_tokens", "completion_tokens"))
        likely = tuple(
            (str(t["token"]), {str(x["token"]): float(x["logprob"]) for x in [t, *t["top_logprobs"]]})
            for t in (choice.get("logprobs") or {}).get("content") or []
        )
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise RetryError("the reply is not a chat completion in JSON") from None
    if not isinstance(text, str):
        raise RetryError("the reply has no text")
    return Reply(text, likely, tokens_in, tokens_out, choice.get("finish_reason") == "length")


def _error_text(data: bytes) -> str:
    """The message of a refusal, shortened to one line."""
    text = data.decode("utf-8", "replace")
    with contextlib.suppress(ValueError, LookupError, TypeError):
        text = str(json.loads(text)["error"]["message"])
    return " ".join(text.split())[:200]


def _retry_after(value: str | None) -> float:
    """The seconds of a Retry-After header, which is a number or a date."""
    if not value:
        return 0.0
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(value).timestamp() - time.time()
        except ValueError:
            return 0.0
    return min(max(seconds, 0.0), LONGEST_RETRY_AFTER) if seconds == seconds else 0.0
