"""Sends HTTP requests with time limits and retries."""

from __future__ import annotations

import http.client
import io
import json
import math
import random as chances
import re
import socket
import ssl
import time
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from functools import partial
from typing import Any, Literal
from urllib.parse import urlsplit

from .errors import PaydeskError

_FIRST_DELAY_MS = 250
_LONGEST_DELAY_MS = 8000
LOOPBACK = ("127.0.0.1", "::1", "localhost")
_RETRIED_STATUSES = frozenset({408, 500, 502, 503, 504})
_NOTHING_HAPPENED = frozenset({"rate_limit_unavailable", "request_timeout"})
"""Answers which say that nothing happened (D-920, D-1360)."""
LONGEST_WAIT_S = 2**31 // 1000 - 1
"""The most that a socket waits: about 24 days (D-1427)."""


@dataclass(frozen=True)
class HttpRequest:
    """One request. ``repeatable``: whether a repetition has no further effect."""

    method: Literal["GET", "POST"]
    url: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes | None = field(default=None, repr=False)
    repeatable: bool = True


@dataclass(frozen=True)
class HttpResponse:
    """One answer. The names of the headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


Transport = Callable[[HttpRequest, float], HttpResponse]
"""Sends one request within some seconds. It follows no redirect, and raises OSError or HTTPException."""


@dataclass(frozen=True)
class Attempt:
    """One request and its outcome, for logs and metrics. It contains no secret, no query and no body."""

    method: str
    url: str
    attempt: int
    """1 is the first."""
    status: int
    """0 without an answer."""
    code: str | None
    """The error code; None for a success."""
    duration_ms: int
    request_id: str | None
    retry_in_ms: float | None
    """The wait before the next attempt; None if this was the last one."""


@dataclass(frozen=True)
class Environment:
    """What a call needs of the world. Tests provide their own."""

    transport: Transport
    attempt_timeout_s: float
    max_attempts: int
    on_attempt: Callable[[Attempt], None] | None
    monotonic: Callable[[], float] = time.monotonic
    unix_time: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep
    random: Callable[[], float] = chances.random

    def now_ms(self) -> float:
        """Milliseconds of a clock that only goes forward."""
        return self.monotonic() * 1000


def send_with_retries(env: Environment, request: HttpRequest, deadline_ms: float) -> dict[str, Any]:
    """The JSON object of a success. Repeats the request unchanged after failures whose outcome is unknown, or that ask
    the client to wait. Otherwise raises PaydeskError.
    """
    attempt = 1
    while True:
        started = env.now_ms()
        answer, error, status, request_id = _try_once(env, request, deadline_ms)
        told = partial(
            Attempt,
            method=request.method,
            url=request.url.split("?", 1)[0],
            attempt=attempt,
            status=status,
            code=None if error is None else error.code,
            duration_ms=round(env.now_ms() - started),
            request_id=request_id,
        )
        if error is None:
            _tell(env, told(retry_in_ms=None))
            return answer
        delay_ms = _delay_before_next(error, attempt, env.random())
        is_final = (
            attempt >= env.max_attempts
            or not _is_retried(error, request.repeatable)
            or env.now_ms() + delay_ms >= deadline_ms
        )
        _tell(env, told(retry_in_ms=None if is_final else delay_ms))
        if is_final:
            raise error
        env.sleep(delay_ms / 1000)
        attempt += 1


def _tell(env: Environment, attempt: Attempt) -> None:
    """A hook that raises does not change the call."""
    if env.on_attempt is not None:
        try:
            env.on_attempt(attempt)
        except Exception:  # noqa: BLE001, S110 - it is the caller's own log or metric
            pass


def _is_retried(error: PaydeskError, repeatable: bool) -> bool:
    """A 429 is retried only with Retry-After, and a 408 because the request did not arrive (D-1360). Other 4xx answers are
    not retried, because they would be the same.
    """
    if error.status == 429:
        return error.retry_after_s is not None
    if not repeatable:
        return error.code in _NOTHING_HAPPENED
    is_broken = error.code == "invalid_response" and 200 <= error.status < 300
    return error.status == 0 or is_broken or error.status in _RETRIED_STATUSES


def _delay_before_next(error: PaydeskError, attempt: int, chance: float) -> float:
    """An exponential delay. Half of it is random, so that many clients do not retry at the same time. It is never
    shorter than Retry-After.
    """
    # A float is too small for the power of 1,025 attempts (D-1432).
    doublings = min(attempt - 1, 5)
    backoff = min(_LONGEST_DELAY_MS, _FIRST_DELAY_MS * 2.0**doublings) * (0.5 + chance / 2)
    return max(backoff, (error.retry_after_s or 0) * 1000)


_Outcome = tuple[dict[str, Any], PaydeskError | None, int, str | None]


def _try_once(env: Environment, request: HttpRequest, deadline_ms: float) -> _Outcome:
    left_s = (deadline_ms - env.now_ms()) / 1000
    if left_s <= 0:
        return {}, PaydeskError(0, "timeout", "no result in time"), 0, None
    try:
        response = env.transport(request, min(env.attempt_timeout_s, left_s))
    except (OSError, http.client.HTTPException) as cause:
        timed_out = isinstance(cause, TimeoutError) or isinstance(getattr(cause, "reason", None), TimeoutError)
        description = f"no answer arrived from {_origin_of(request.url)}"
        error = PaydeskError(0, "timeout" if timed_out else "network_error", description)
        error.__cause__ = cause
        return {}, error, 0, None
    return _read_answer(response, env.unix_time())


def _origin_of(address: str) -> str:
    """An address without path, query and credentials."""
    url = urlsplit(address)
    return f"{url.scheme}://{url.netloc.rpartition('@')[2]}"


def _read_answer(response: HttpResponse, now: float) -> _Outcome:
    """A success is a 2xx with a JSON object without ``error``. So 202 ``provider_result_pending`` is not a success."""
    body = _parse_object(response.body)
    code = None if body is None else body.get("error")
    request_id = response.headers.get("x-request-id")
    if 200 <= response.status < 300 and body is not None and code is None:
        return body, None, response.status, request_id
    members = body or {}
    known = isinstance(code, str)
    error = PaydeskError(
        response.status,
        str(code) if known else "invalid_response",
        (_text(members.get("error_description")) or _text(members.get("description")))
        if known
        else "the answer is not one of this service",
        field=_text(members.get("field")),
        retry_after_s=_parse_retry_after(response.headers.get("retry-after"), now),
        request_id=request_id,
    )
    return {}, error, response.status, request_id


def _parse_object(text: bytes) -> dict[str, Any] | None:
    """Whole numbers stay exact, and no number becomes a float."""
    try:
        value = json.loads(text.decode("utf-8"), parse_float=str, parse_constant=str)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _parse_retry_after(header: str | None, now: float) -> int | None:
    """Seconds, or an HTTP date, which proxies can send. None if the header is absent or invalid."""
    if header is None:
        return None
    if re.fullmatch("[0-9]{1,9}", header):
        return int(header)
    try:
        return max(0, math.ceil(parsedate_to_datetime(header).timestamp() - now))
    except (ValueError, TypeError):
        return None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _left(ends_at: float) -> float:
    """The seconds until a moment. Raises TimeoutError after it."""
    left = ends_at - time.monotonic()
    if left <= 0:
        raise TimeoutError("no answer in time")
    return min(left, LONGEST_WAIT_S)


def _connect(ends_at: float, address: tuple[str, int], *_: object) -> socket.socket:
    """A connection to the first address of a host that answers. They share the time: ``socket.create_connection`` gives
    each of them all of it.
    """
    failure = OSError("the host has no address")
    found = socket.getaddrinfo(*address, type=socket.SOCK_STREAM)
    for others, (family, kind, protocol, _name, at) in zip(reversed(range(len(found))), found):
        sock = socket.socket(family, kind, protocol)
        try:
            sock.settimeout(_left(ends_at) / (others + 1))
            sock.connect(at)
            sock.settimeout(_left(ends_at))
        except OSError as error:
            sock.close()
            failure = error
        else:
            return sock
    raise failure


class _TimedReader(io.RawIOBase):
    """Reads a socket until a moment, however slowly the bytes come."""

    def __init__(self, raw: io.RawIOBase, sock: socket.socket, ends_at: float) -> None:
        self._raw, self._sock, self._ends_at = raw, sock, ends_at

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._sock.settimeout(_left(self._ends_at))
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Response(http.client.HTTPResponse):
    def __init__(self, sock: socket.socket, *args: Any, ends_at: float, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        self.fp: Any = io.BufferedReader(_TimedReader(self.fp.detach(), sock, ends_at))

    def _read_status(self) -> tuple[str, int, str]:
        """What a proxy says before the answer, such as "103 Early Hints", is not the answer (D-1389)."""
        version, status, reason = super()._read_status()  # type: ignore[misc]
        while 101 < status < 200:
            http.client.parse_headers(self.fp)
            version, status, reason = super()._read_status()  # type: ignore[misc]
        return version, status, reason


class _Connection(http.client.HTTPConnection):
    def __init__(self, host: str, **options: Any) -> None:
        super().__init__(host, **options)
        ends_at = time.monotonic() + options["timeout"]
        self._create_connection: Any = partial(_connect, ends_at)
        self.response_class: Any = partial(_Response, ends_at=ends_at)


class _SecureConnection(http.client.HTTPSConnection):
    def __init__(self, host: str, **options: Any) -> None:
        super().__init__(host, **options)
        ends_at = time.monotonic() + options["timeout"]
        self._create_connection: Any = partial(_connect, ends_at)
        self.response_class: Any = partial(_Response, ends_at=ends_at)


class _Plain(urllib.request.HTTPHandler):
    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_Connection, req)


class _Secure(urllib.request.HTTPSHandler):
    def __init__(self, context: ssl.SSLContext) -> None:
        super().__init__(context=context)
        self._tls = context

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_SecureConnection, req, context=self._tls)


def default_transport(context: ssl.SSLContext | None = None) -> Transport:
    """A transport with the standard library. It follows no redirect, which could send a token to another host, and uses
    the proxy that the environment names, except on this machine. ``context`` is for certificates of your own authority.
    """
    tls = context or ssl.create_default_context()
    direct, proxied = urllib.request.OpenerDirector(), urllib.request.OpenerDirector()
    proxied.add_handler(urllib.request.ProxyHandler())
    for opener in (direct, proxied):
        opener.add_handler(_Plain())
        opener.add_handler(_Secure(tls))

    def send(request: HttpRequest, timeout_s: float) -> HttpResponse:
        asked = urllib.request.Request(request.url, request.body, dict(request.headers), method=request.method)
        # Plain HTTP is safe on this machine only because it stays there.
        opener = direct if urlsplit(request.url).hostname in LOOPBACK else proxied
        with opener.open(asked, timeout=timeout_s) as answer:
            headers = {name.lower(): value for name, value in answer.headers.items()}
            return HttpResponse(answer.status, headers, answer.read())

    return send
