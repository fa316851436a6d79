"""Decides what to do with the state of an order: post, record, ignore, or report a mismatch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from .money import canonical_amount

# The service trims all white space of Unicode off a reference. Python alone would also take the separators U+001C to U+001F.
_TRIMMED = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)

Difference = Literal["external_reference", "amount", "currency", "test_mode", "event_id"]


class OrderState(Protocol):
    """An order from a query, or the ``data`` of a verified notification. Both are treated the same."""

    @property
    def external_reference(self) -> str: ...
    @property
    def amount(self) -> str: ...
    @property
    def currency(self) -> str: ...
    @property
    def status(self) -> str: ...
    @property
    def status_version(self) -> int: ...
    @property
    def test_mode(self) -> bool: ...
    @property
    def event_id(self) -> str | None: ...


@dataclass(frozen=True)
class Expected:
    """Your own order, which a payment is compared with."""

    external_reference: str
    amount: str
    currency: str


@dataclass(frozen=True)
class StoredState:
    """What you have stored about this collection order. ``posted_event_id`` is the payment that was posted, if any."""

    status_version: int
    posted_event_id: str | None = None


@dataclass(frozen=True)
class Decision:
    """What to do, in one transaction.

    ``post``: book the payment under ``event_id`` (unique in your table), fulfil, and store the version. ``record``: only
    store status and version. ``ignore``: a repetition, or older than your state. ``mismatch``: store nothing, and let a
    person look at ``differences``.
    """

    action: Literal["post", "record", "ignore", "mismatch"]
    event_id: str | None = None
    differences: tuple[Difference, ...] = ()


def is_paid(status: str) -> bool:
    """Whether a status confirms the payment. Only ``paid`` does; a status of a later version does not."""
    return status == "paid"


def decide_posting(
    stored: StoredState | None, order: OrderState, expected: Expected, *, accept_test_mode: bool = False
) -> Decision:
    """What to do with the current state of an order. ``stored`` is None for an order that you have not stored.

    It is pure, so notifications, queries and reconciliation can all use it, as often as they like. Read ``stored`` under
    a lock, or rely on the unique ``event_id``: two parallel calls must not post a payment twice.
    """
    differences = _differences(expected, order)
    if order.test_mode and not accept_test_mode:
        differences.append("test_mode")
    if differences:
        return Decision("mismatch", differences=tuple(differences))
    if stored is not None and order.status_version < stored.status_version:
        return Decision("ignore")
    if is_paid(order.status):
        # Without an event there is no key for the posting. A second event for the same order is not posted either.
        if order.event_id is None:
            return Decision("mismatch", differences=("event_id",))
        posted = None if stored is None else stored.posted_event_id
        if posted is None:
            return Decision("post", event_id=order.event_id)
        if posted != order.event_id:
            return Decision("mismatch", differences=("event_id",))
    is_known = stored is not None and order.status_version == stored.status_version
    return Decision("ignore" if is_known else "record")


def _differences(expected: Expected, order: OrderState) -> list[Difference]:
    """Amounts are compared as numbers, other members as text."""
    found: list[Difference] = []
    if expected.external_reference.strip(_TRIMMED) != order.external_reference:
        found.append("external_reference")
    amount = canonical_amount(expected.amount)
    if amount is None or amount != canonical_amount(order.amount):
        found.append("amount")
    if expected.currency != order.currency:
        found.append("currency")
    return found
