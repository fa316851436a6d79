"""The client for merchants' servers: collection orders, the catalog, and tokens of people."""

from __future__ import annotations

import base64
import hashlib
import secrets
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timezone
from typing import Any
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

from ._calls import Call, Sender, items_of, present, segment
from ._http import LOOPBACK, Attempt, Environment, Transport, default_transport, send_with_retries
from ._tokens import Credentials, TokenSource, token_request
from .catalog import Catalog
from .errors import invalid_response
from .models import (
    AuthorizationRequest,
    CollectionOrder,
    CreatedOrder,
    DeliveryRecord,
    PaymentChannel,
    UserToken,
    decode,
)

_BEGINNING = "1970-01-01T00:00:00Z"


class Paydesk:
    """Calls for a merchant's server. They raise PaydeskError.

    One client serves any number of threads. It keeps access tokens in memory and never shows them. ``base_url`` is the
    API base address with its path prefix: HTTPS, or plain HTTP on loopback. Other addresses are found below it unless
    they are given. ``timeout`` (seconds) is the limit of a whole call with retries and waits; each call takes one of its
    own, too. ``on_attempt`` is called after each attempt, for logs and metrics.
    """

    def __init__(
        self,
        *,
        base_url: str,
        client_id: str,
        client_secret: str,
        token_endpoint: str | None = None,
        authorization_endpoint: str | None = None,
        userinfo_endpoint: str | None = None,
        scope: str = "merchant_payments.create merchant_payments.read",
        catalog_scope: str = "merchant.profile.read products.read",
        timeout: float = 30.0,
        attempt_timeout: float = 10.0,
        max_attempts: int = 4,
        on_attempt: Callable[[Attempt], None] | None = None,
        allow_plain_http: bool = False,
        transport: Transport | None = None,
        environment: Environment | None = None,
    ) -> None:
        def checked(address: str) -> str:
            return _checked_address(address, allow_plain_http)

        for name, given in {"client_id": client_id, "client_secret": client_secret}.items():
            if not isinstance(given, str) or given == "":
                raise ValueError(f"{name} must be a text that is not empty")
        base = checked(base_url).rstrip("/")
        endpoint = checked(token_endpoint or f"{base}/oauth/token")
        self._authorization_endpoint = checked(authorization_endpoint or urljoin(endpoint, "authorize"))
        self._userinfo_endpoint = checked(userinfo_endpoint or f"{base}/oauth/userinfo")
        self._orders = f"{base}/openapi/v1/merchant-payments"
        self._channels = f"{base}/openapi/v1/merchant-payment-channels"
        self._credentials = Credentials(endpoint, client_id, client_secret)
        env = environment or Environment(
            transport or default_transport(), attempt_timeout, max_attempts, on_attempt
        )
        self._sender = Sender(env, timeout)
        self._tokens = TokenSource(env, self._credentials, scope)
        self.catalog = Catalog(self._sender, TokenSource(env, self._credentials, catalog_scope), base)
        """The merchant's profile and products, and orders of products for a person."""

    def create_order(
        self,
        *,
        external_reference: str,
        idempotency_key: str,
        currency: str,
        amount: str | None = None,
        amount_minor: int | None = None,
        payment_no: str | None = None,
        description: str | None = None,
        expires_in: int | None = None,
        notify_enabled: bool | None = None,
        notify_url: str | None = None,
        notify_secret: str | None = None,
        return_url: str | None = None,
        timeout: float | None = None,
    ) -> CreatedOrder:
        """Creates an order, or returns the one that the same ``idempotency_key`` created before.

        Store the key with your own order before the call, so that every retry uses the same one. ``amount`` is a decimal
        string; ``amount_minor`` replaces it in older integrations. If the outcome is unknown, call it again with the same
        key and parameters: a new key could charge the buyer twice.
        """
        if not isinstance(amount, str | None) or isinstance(amount_minor, float):
            raise TypeError('amount must be a text such as "10.00", amount_minor an int: a float may already be rounded')
        members = {
            "external_reference": external_reference,
            "idempotency_key": idempotency_key,
            "amount": amount,
            "amount_minor": amount_minor,
            "currency": currency,
            "payment_no": payment_no,
            "description": description,
            "expires_in": expires_in,
            "notify_enabled": notify_enabled,
            "notify_url": notify_url,
            "notify_secret": notify_secret,
            "return_url": return_url,
        }
        return decode(CreatedOrder, self._send(Call("POST", self._orders, body=present(members)), timeout))

    def get_order(self, order_no: str, *, timeout: float | None = None) -> CollectionOrder:
        """One order."""
        return decode(CollectionOrder, self._send(Call("GET", self._order(order_no)), timeout))

    def list_orders(
        self,
        *,
        external_reference: str | None = None,
        order_no: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> list[CollectionOrder]:
        """The orders of a reference or number: newest first, at most ``limit`` (1 to 100, default 20)."""
        query = {"external_reference": external_reference, "order_no": order_no, "limit": limit}
        return items_of(CollectionOrder, self._send(Call("GET", self._orders, query), timeout))

    def orders(
        self,
        *,
        created_from: str | datetime = _BEGINNING,
        created_to: str | datetime | None = None,
        limit: int = 100,
        timeout: float | None = None,
    ) -> Iterator[CollectionOrder]:
        """All orders that were created from a time (inclusive) to another (exclusive), oldest first.

        It reads further pages as the loop needs them. ``limit`` is the size of a page, ``timeout`` the limit of each.
        """
        query: dict[str, str | int | None] = {
            "created_from": _time(created_from),
            "created_to": None if created_to is None else _time(created_to),
            "limit": limit,
        }
        while True:
            page = self._send(Call("GET", self._orders, query), timeout)
            yield from items_of(CollectionOrder, page)
            if not isinstance(page.get("next_cursor"), str):
                return
            query["cursor"] = page["next_cursor"]

    def channels(self, *, timeout: float | None = None) -> list[PaymentChannel]:
        """The channels that an order can be restricted to."""
        return items_of(PaymentChannel, self._send(Call("GET", self._channels), timeout))

    def notifications(
        self, order_no: str, *, limit: int | None = None, timeout: float | None = None
    ) -> list[DeliveryRecord]:
        """The delivery records of the order's notifications, highest status version first."""
        call = Call("GET", f"{self._order(order_no)}/notifications", {"limit": limit})
        return items_of(DeliveryRecord, self._send(call, timeout))

    def retry_notification(self, order_no: str, event_id: str, *, timeout: float | None = None) -> None:
        """Requests another attempt for a notification whose automatic attempts are used up; no effect on others."""
        url = f"{self._order(order_no)}/notifications/{segment(event_id)}/retry"
        if self._send(Call("POST", url), timeout).get("accepted") is not True:
            raise invalid_response("the replay was not accepted")

    def authorization_url(
        self,
        *,
        redirect_uri: str,
        scope: str | Sequence[str],
        state: str | None = None,
        nonce: str | None = None,
    ) -> AuthorizationRequest:
        """Where to send a person's browser, so that the person lets you order and pay for them (PKCE, RFC 7636)."""
        verifier = secrets.token_urlsafe(32)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        state = secrets.token_urlsafe(32) if state is None else state
        query = {
            "response_type": "code",
            "client_id": self._credentials.client_id,
            "redirect_uri": redirect_uri,
            "scope": scope if isinstance(scope, str) else " ".join(scope),
            "state": state,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
            **({} if nonce is None else {"nonce": nonce}),
        }
        url = urlsplit(self._authorization_endpoint)
        own = dict(parse_qsl(url.query, keep_blank_values=True))
        return AuthorizationRequest(url._replace(query=urlencode({**own, **query})).geturl(), state, verifier)

    def exchange_code(
        self, *, code: str, redirect_uri: str, code_verifier: str, timeout: float | None = None
    ) -> UserToken:
        """Exchanges the code that the browser brought back for the person's token. A code works once."""
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": code_verifier,
        }
        request = token_request(self._credentials, form, repeatable=False)
        return decode(UserToken, send_with_retries(self._sender.env, request, self._sender.deadline(timeout)))

    def user_info(self, user_token: str, *, timeout: float | None = None) -> dict[str, Any]:
        """Who the person is (``sub`` and further claims). The token needs the scope ``openid``."""
        answer = self._sender.send_as(Call("GET", self._userinfo_endpoint), user_token, timeout)
        if not isinstance(answer.get("sub"), str):
            raise invalid_response("the answer has no sub")
        return answer

    def _order(self, order_no: str) -> str:
        return f"{self._orders}/{segment(order_no)}"

    def _send(self, call: Call, timeout: float | None) -> dict[str, Any]:
        return self._sender.send(call, self._tokens, timeout)


def _checked_address(address: str, allow_plain_http: bool) -> str:
    """The address if it is safe for credentials."""
    url = urlsplit(address)
    if not url.hostname or "@" in url.netloc:
        raise ValueError("an address must be like https://pay.example")
    loopback = url.hostname in LOOPBACK
    if not (url.scheme == "https" or (url.scheme == "http" and (loopback or allow_plain_http))):
        raise ValueError(f"{url.scheme}://{url.hostname} must be HTTPS")
    return address


def _time(time: str | datetime) -> str:
    if isinstance(time, str):
        return time
    if time.tzinfo is None:
        raise ValueError("a time needs its time zone")
    return time.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
