"""Gets and keeps access tokens."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from ._http import LONGEST_WAIT_S, Environment, HttpRequest, send_with_retries
from .errors import PaydeskError, invalid_response


@dataclass(frozen=True, repr=False)
class Credentials:
    """Who the client is, and where it gets tokens."""

    token_endpoint: str
    client_id: str
    client_secret: str


@dataclass(frozen=True, repr=False)
class _Stored:
    token: str
    obtained_at: float
    renew_at: float


def is_token(text: object) -> bool:
    """Whether a header can carry the token."""
    return isinstance(text, str) and re.fullmatch(r"[\x21-\x7e]+", text) is not None


def token_request(credentials: Credentials, form: dict[str, str], *, repeatable: bool) -> HttpRequest:
    """A request to the token endpoint, with the client's id and secret."""
    client = {"client_id": credentials.client_id, "client_secret": credentials.client_secret}
    headers = {"accept": "application/json", "content-type": "application/x-www-form-urlencoded"}
    body = urlencode({**form, **client}).encode()
    return HttpRequest("POST", credentials.token_endpoint, headers, body, repeatable)


class TokenSource:
    """Gets client-credentials tokens and keeps them until shortly before they expire: a tenth of the lifetime, at most a
    minute, is not used. The lifetime counts from the start of the request. Threads share a token.
    """

    def __init__(self, env: Environment, credentials: Credentials, scope: str) -> None:
        form = {"grant_type": "client_credentials", "scope": scope}
        self._request = token_request(credentials, form, repeatable=True)
        self._env = env
        self._stored: _Stored | None = None
        self._lock = threading.Lock()

    def get(self, deadline_ms: float) -> str:
        """A token that does not expire soon. One thread asks for it, and the others wait for that one."""
        left_s = (deadline_ms - self._env.now_ms()) / 1000
        if not self._lock.acquire(timeout=min(max(0, left_s), LONGEST_WAIT_S)):
            raise PaydeskError(0, "timeout", "no result in time")
        try:
            if self._stored is None or self._env.now_ms() >= self._stored.renew_at:
                self._stored = self._renewed(deadline_ms)
            return self._stored.token
        finally:
            self._lock.release()

    def drop(self, token: str, min_age_ms: float = 0) -> None:
        """Drops this token, unless it was already replaced or is younger than that."""
        stored = self._stored
        if stored is not None and stored.token == token and self._env.now_ms() - stored.obtained_at >= min_age_ms:
            self._stored = None

    def _renewed(self, deadline_ms: float) -> _Stored:
        obtained_at = self._env.now_ms()
        answer: dict[str, Any] = send_with_retries(self._env, self._request, deadline_ms)
        token, expires_in = answer.get("access_token"), answer.get("expires_in")
        usable = isinstance(expires_in, int) and not isinstance(expires_in, bool) and expires_in > 0
        if not isinstance(token, str) or not is_token(token) or not usable:
            raise invalid_response("the token answer lacks access_token or expires_in")
        lifetime_ms = int(str(expires_in)) * 1000
        return _Stored(token, obtained_at, obtained_at + lifetime_ms - min(60_000, lifetime_ms / 10))
