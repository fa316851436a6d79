"""The catalog: the merchant's profile and products, and orders of products for a person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ._calls import Call, Sender, items_of, present, segment
from ._tokens import TokenSource
from .errors import invalid_response
from .models import CatalogOrder, CatalogPaymentSession, MerchantProfile, Product, ProductPage, decode


class Catalog:
    """Profile and products need no ``user_token``, but take one. Orders need the token of the person who buys."""

    def __init__(self, sender: Sender, tokens: TokenSource, base_url: str) -> None:
        self._sender = sender
        self._tokens = tokens
        self._base = f"{base_url}/openapi/v1"

    def merchant(self, *, user_token: str | None = None, timeout: float | None = None) -> MerchantProfile:
        """The public profile of the merchant."""
        return decode(MerchantProfile, self._open(Call("GET", f"{self._base}/merchant"), user_token, timeout))

    def list_products(
        self,
        *,
        gd_no: str | None = None,
        search_value: str | None = None,
        page: int | None = None,
        limit: int | None = None,
        user_token: str | None = None,
        timeout: float | None = None,
    ) -> ProductPage:
        """One page of the products that are for sale, newest first."""
        query = {"gd_no": gd_no, "search_value": search_value, "page": page, "limit": limit}
        answer = self._open(Call("GET", f"{self._base}/products", query), user_token, timeout)
        counts = [answer.get(name) for name in ("total", "page", "limit")]
        if not all(isinstance(count, int) for count in counts):
            raise invalid_response("the list has no total")
        return ProductPage(tuple(items_of(Product, answer, "list")), *(int(str(count)) for count in counts))

    def products(
        self,
        *,
        gd_no: str | None = None,
        search_value: str | None = None,
        limit: int = 100,
        user_token: str | None = None,
        timeout: float | None = None,
    ) -> Iterator[Product]:
        """All of them. It reads further pages as the loop needs them; ``limit`` is the size of a page."""
        page = 1
        while True:
            found = self.list_products(
                gd_no=gd_no,
                search_value=search_value,
                page=page,
                limit=limit,
                user_token=user_token,
                timeout=timeout,
            )
            yield from found.list
            if not found.list or page * found.limit >= found.total:
                return
            page += 1

    def create_order(
        self,
        *,
        gd_no: str,
        quantity: int,
        payment_no: str,
        user_token: str,
        other_ipu: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> str:
        """Orders a product for the person and returns the ``order_no``.

        There is no idempotency key, so a request without an answer is not repeated: look before you try again.
        """
        members = {"gd_no": gd_no, "quantity": quantity, "payment_no": payment_no, "other_ipu": other_ipu}
        call = Call("POST", f"{self._base}/orders", body=present(members), repeatable=False)
        order_no = self._sender.send_as(call, user_token, timeout).get("order_no")
        if not isinstance(order_no, str):
            raise invalid_response("the answer lacks order_no")
        return order_no

    def get_order(self, order_no: str, *, user_token: str, timeout: float | None = None) -> CatalogOrder:
        """One order of the person."""
        call = Call("GET", f"{self._base}/orders/{segment(order_no)}")
        return decode(CatalogOrder, self._sender.send_as(call, user_token, timeout))

    def start_payment(
        self, order_no: str, payment_no: str, *, user_token: str, timeout: float | None = None
    ) -> CatalogPaymentSession:
        """Starts the payment; PTK may be debited at once. Not repeated without an answer: ask ``payment_status``."""
        url = f"{self._base}/orders/{segment(order_no)}/payment"
        call = Call("POST", url, body={"payment_no": payment_no}, repeatable=False)
        return decode(CatalogPaymentSession, self._sender.send_as(call, user_token, timeout))

    def payment_status(self, order_no: str, *, user_token: str, timeout: float | None = None) -> int:
        """0: pending, ask again later; 1: paid; 2: cancelled."""
        call = Call("GET", f"{self._base}/orders/{segment(order_no)}/payment")
        status = self._sender.send_as(call, user_token, timeout).get("status")
        if not isinstance(status, int) or isinstance(status, bool):
            raise invalid_response("the payment has no status")
        return status

    def _open(self, call: Call, user_token: str | None, timeout: float | None) -> dict[str, object]:
        if user_token is None:
            return self._sender.send(call, self._tokens, timeout)
        return self._sender.send_as(call, user_token, timeout)
