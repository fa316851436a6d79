"""Sends calls of the API with a token, within a time limit."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import quote, urlencode

from ._http import Environment, HttpRequest, send_with_retries
from ._tokens import TokenSource, is_token
from ._version import __version__
from .errors import PaydeskError, invalid_response
from .models import T, decode

_USER_AGENT = f"paydesk-sdk-python/{__version__}"


@dataclass(frozen=True)
class Call:
    """One call of the API. A query member of None is left out."""

    method: Literal["GET", "POST"]
    url: str
    query: Mapping[str, str | int | None] | None = None
    body: Mapping[str, Any] | None = None
    repeatable: bool = True


class Sender:
    """Sends calls with tokens of the client itself, or with the token of a person."""

    def __init__(self, env: Environment, timeout_s: float) -> None:
        self.env = env
        self._timeout_s = timeout_s

    def deadline(self, timeout: float | None) -> float:
        return self.env.now_ms() + (self._timeout_s if timeout is None else timeout) * 1000

    def send(self, call: Call, tokens: TokenSource, timeout: float | None) -> dict[str, Any]:
        """If the service rejects the token, it sends the call once more with a new one: a call with a rejected token has
        no effect. A token that lacks a scope never gets it, so it is dropped for the next call, at most once a minute.
        """
        deadline = self.deadline(timeout)
        token = tokens.get(deadline)
        try:
            return send_with_retries(self.env, _request(call, token), deadline)
        except PaydeskError as error:
            if error.code == "insufficient_scope":
                tokens.drop(token, 60_000)
            if error.status != 401:
                raise
            tokens.drop(token)
        return send_with_retries(self.env, _request(call, tokens.get(deadline)), deadline)

    def send_as(self, call: Call, user_token: str, timeout: float | None) -> dict[str, Any]:
        """With the token of a person, which only the person can replace."""
        if not is_token(user_token):
            raise ValueError("a token is visible ASCII without spaces")
        return send_with_retries(self.env, _request(call, user_token), self.deadline(timeout))


def _request(call: Call, token: str) -> HttpRequest:
    query = {name: value for name, value in (call.query or {}).items() if value is not None}
    url = f"{call.url}?{urlencode(query)}" if query else call.url
    headers = {"accept": "application/json", "authorization": f"Bearer {token}", "user-agent": _USER_AGENT}
    if call.body is None:
        return HttpRequest(call.method, url, headers, None if call.method == "GET" else b"", call.repeatable)
    body = json.dumps(call.body, ensure_ascii=False, allow_nan=False).encode()
    return HttpRequest(call.method, url, {**headers, "content-type": "application/json"}, body, call.repeatable)


def segment(identifier: str) -> str:
    """An identifier as one path segment. Empty and dot segments would lead to another address."""
    if identifier in ("", ".", ".."):
        raise ValueError("an identifier must not be empty or made of dots")
    return quote(identifier, safe="")


def items_of(cls: type[T], answer: Mapping[str, Any], member: str = "items") -> list[T]:
    """The items of a list."""
    items = answer.get(member)
    if not isinstance(items, list):
        raise invalid_response("the list has no items")
    return [decode(cls, item) for item in items]


def present(members: Mapping[str, Any]) -> dict[str, Any]:
    """The members that were given."""
    return {name: value for name, value in members.items() if value is not None}
