"""Verifies status notifications."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from .errors import NotificationError, PaydeskError
from .models import Notification, NotificationData, decode

Headers = Mapping[str, str | Sequence[str] | None] | Iterable[tuple[str, str | Sequence[str] | None]]
"""Headers of any framework: a mapping, or pairs. The case of the names does not matter."""

_MAX_SAFE_INTEGER = 2**53 - 1


class _Names(NamedTuple):
    id: str
    timestamp: str
    signature: str


class _Message(NamedTuple):
    id: str
    timestamp: str
    body: bytes
    signature: str


_OWN = _Names("X-Service-Event-ID", "X-Service-Timestamp", "X-Service-Signature")
_STANDARD = _Names("webhook-id", "webhook-timestamp", "webhook-signature")


def verify_notification(
    headers: Headers,
    body: bytes,
    secrets: str | Sequence[str],
    *,
    now: float | None = None,
    tolerance_s: float = 300,
) -> Notification:
    """The notification in a request, if the service has sent it.

    ``body`` is the raw bytes: JSON that was parsed and written again does not verify. ``secrets`` is the signing secret,
    or all secrets in use: orders keep the key that they were created with. ``now`` is in Unix seconds. Raises
    NotificationError for any other request, and ValueError without a usable secret: with an empty key anyone could sign.
    """
    keys = [secret.encode() for secret in _secrets(secrets)]
    return _verify(_OWN, headers, body, lambda message: _is_signed(keys, message), now, tolerance_s)


def verify_standard_webhook(
    headers: Headers,
    body: bytes,
    secrets: str | Sequence[str],
    *,
    now: float | None = None,
    tolerance_s: float = 300,
) -> Notification:
    """The same by the headers of Standard Webhooks, for a place behind a gateway that drops ``X-`` headers."""
    keys = [_standard_key(secret) for secret in _secrets(secrets)]
    return _verify(_STANDARD, headers, body, lambda message: _is_signed_by_standard(keys, message), now, tolerance_s)


def sign_notification(secret: str, timestamp: str, body: bytes) -> str:
    """The value of ``X-Service-Signature``, for tests of your receiver."""
    return _signature(secret.encode(), timestamp, body).decode()


def _verify(
    names: _Names,
    headers: Headers,
    body: bytes,
    has_signature: Callable[[_Message], bool],
    now: float | None,
    tolerance_s: float,
) -> Notification:
    event_id, timestamp, signature = (_header(headers, name) for name in names)
    message = _Message(event_id, timestamp, body, signature)
    if re.fullmatch("[0-9]{1,12}", message.timestamp) is None:
        raise NotificationError("malformed", "the timestamp is not in Unix seconds")
    distance = abs((time.time() if now is None else now) - int(message.timestamp))
    # NaN counts as stale with this form of the condition.
    if not distance <= tolerance_s:
        raise NotificationError("stale", "the timestamp is too far from now")
    if not has_signature(message):
        raise NotificationError("bad_signature", "no secret gives this signature")
    notification = _parse(body)
    if notification.id != message.id:
        raise NotificationError("malformed", f"{names.id} differs from the id in the body")
    return notification


def _secrets(given: str | Sequence[str]) -> list[str]:
    secrets = [given] if isinstance(given, str) else list(given)
    if not secrets or not all(isinstance(secret, str) and secret for secret in secrets):
        raise ValueError("a verifier needs at least one secret, and none may be empty")
    return secrets


def _header(headers: Headers, name: str) -> str:
    """The single value of a header; it is missing if it is absent, empty or repeated."""
    values: list[str] = []
    for key, value in headers.items() if isinstance(headers, Mapping) or hasattr(headers, "items") else headers:
        if key.lower() == name.lower() and value is not None:
            values.extend([value] if isinstance(value, str) else value)
    if len(values) != 1 or not values[0]:
        raise NotificationError("missing_header", name)
    return values[0]


def _signature(key: bytes, timestamp: str, body: bytes) -> bytes:
    return b"sha256=" + hmac.new(key, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest().encode()


def _is_signed(keys: list[bytes], message: _Message) -> bool:
    return _is_one_of((_signature(key, message.timestamp, message.body) for key in keys), message.signature)


def _is_signed_by_standard(keys: list[bytes], message: _Message) -> bool:
    """The header may have several signatures. Those of other versions than ``v1`` do not count."""
    signed = f"{message.id}.{message.timestamp}.".encode(errors="replace") + message.body
    possible = [b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()) for key in keys]
    return any([_is_one_of(possible, given) for given in message.signature.split(" ")])


def _is_one_of(possible: Iterable[bytes], given: str) -> bool:
    """Compares with all of them, so that the duration does not reveal which secret matched."""
    # Servers give bytes that are no text as lone surrogates, which UTF-8 cannot encode.
    return any([hmac.compare_digest(given.encode(errors="replace"), one) for one in possible])


def _standard_key(secret: str) -> bytes:
    """The key as the libraries of Standard Webhooks read it. A text that is no base64 is a secret like any other."""
    if secret.startswith("whsec_"):
        encoded = secret.removeprefix("whsec_").encode()
        try:
            decoded = base64.b64decode(encoded, validate=True)
        except binascii.Error:
            return secret.encode()
        if decoded and base64.b64encode(decoded) == encoded:
            return decoded
    return secret.encode()


def _parse(body: bytes) -> Notification:
    try:
        envelope = json.loads(body.decode("utf-8"), parse_float=str, parse_constant=str)
        data = _data(envelope["data"])
        notification = Notification(
            id=_text(envelope["id"]),
            type=_text(envelope["type"]),
            api_version=_integer(envelope["api_version"]),
            created_at=_text(envelope["created_at"]),
            data=data,
            raw=envelope,
        )
    except (ValueError, TypeError, KeyError, RecursionError, PaydeskError):
        raise NotificationError("malformed", "the signed body is not a status notification") from None
    if notification.type != "merchant_payment.status_changed" or notification.api_version != 1:
        raise NotificationError("malformed", "the signed body is not a status notification")
    return notification


def _data(value: Any) -> NotificationData:
    data = decode(NotificationData, value)
    for number in (data.amount_minor, data.currency_decimals, data.status_version):
        if abs(number) > _MAX_SAFE_INTEGER:
            raise ValueError
    # A payment is posted under its event, so a paid notification without an event is invalid.
    if data.status == "paid" and data.event_id is None:
        raise ValueError
    return data


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _integer(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError
    return value
