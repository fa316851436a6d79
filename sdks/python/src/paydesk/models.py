"""What the API answers, with its names. Amounts are decimal strings or exact integers, never floats.

``raw`` is the whole answer: members that a newer service adds are found there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from .errors import invalid_response

T = TypeVar("T")
Json = Mapping[str, Any]


def decode(cls: type[T], answer: object) -> T:
    """The answer as an object. Raises PaydeskError if a member is missing or has another type."""
    if not isinstance(answer, Mapping):
        raise invalid_response(f"not a {cls.__name__}")
    values: dict[str, Any] = {"raw": answer}
    for name, (kinds, is_required) in _members(cls).items():  # type: ignore[arg-type]
        if name in answer:
            if not any(_is_a(answer[name], kind) for kind in kinds):
                raise invalid_response(f"{name} of the {cls.__name__} has another type")
            values[name] = answer[name]
        elif is_required:
            raise invalid_response(f"the {cls.__name__} lacks {name}")
    return cls(**values)


@cache
def _members(cls: Any) -> dict[str, tuple[tuple[Any, ...], bool]]:
    """The types of each member, and whether it must be there."""
    hints = get_type_hints(cls)
    members = {}
    for member in fields(cls):
        if member.name != "raw":
            hint = hints[member.name]
            options = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
            members[member.name] = (tuple(get_origin(one) or one for one in options), member.default is MISSING)
    return members


def _is_a(value: object, kind: Any) -> bool:
    """True is an int in Python, but not in JSON."""
    return kind is Any or (isinstance(value, kind) and (kind is bool) == isinstance(value, bool))


@dataclass(frozen=True, kw_only=True)
class CreatedOrder:
    """The answer to a creation."""

    order_no: str
    external_reference: str
    payment_no: str
    """Empty until a channel is selected."""
    amount: str
    """The invoice amount with the decimals of its currency. Compare it with ``same_amount``, with the currency."""
    amount_minor: int
    currency: str
    currency_decimals: int
    status: str
    """``pending``, ``paid``, ``review``, ``expired``, ``refunded`` or ``chargeback``, or one of a later version."""
    test_mode: bool
    checkout_url: str
    """The address for the buyer's browser. Its query contains a token: never log it. It is no proof of payment."""
    return_url: str | None = None
    expires_at: str
    raw: Json = field(repr=False, compare=False)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.order_no} {self.status}>"


@dataclass(frozen=True, kw_only=True, repr=False)
class CollectionOrder(CreatedOrder):
    """A collection order as read and list return it."""

    status_version: int
    """Rises with each status change of this order. Do not compare it between orders."""
    event_id: str | None = None
    """The confirmed payment, if there is one. Post once per event_id."""
    provider_trade_no: str | None = None
    occurred_at: str | None = None
    """The time when the payment was confirmed, in the channel's time zone."""
    fee_status: str
    fee_version: int
    payment_amount: str | None = None
    payment_currency: str | None = None
    buyer_fee: str | None = None
    merchant_fee: str | None = None
    settlement_ptk: str | None = None
    """``*_ptk``: whole numbers of the eighth decimal, as text; ``int()`` reads them exactly."""
    merchant_fee_ptk: str
    gross_settlement_ptk: str


@dataclass(frozen=True, kw_only=True)
class PaymentChannel:
    """A channel that an order can be restricted to."""

    payment_no: str
    name: str
    provider: str
    owner: str
    currency: str
    login_required: bool
    test_mode: bool
    raw: Json = field(repr=False, compare=False)


@dataclass(frozen=True, kw_only=True)
class DeliveryRecord:
    """A notification and its delivery."""

    event_id: str
    status_version: int
    event: Any
    delivery_status: str
    """``pending``, ``delivered`` or ``failed``."""
    attempts: int
    next_attempt_at: str | None = None
    last_http_status: int | None = None
    last_error: str | None = None
    delivery_attempts: list[Any]
    """The latest ones. Without ``finished_at`` an attempt was interrupted, or it still runs."""
    raw: Json = field(repr=False, compare=False)


@dataclass(frozen=True, kw_only=True)
class NotificationData:
    """The order at the time when the notification was generated."""

    order_no: str
    external_reference: str
    payment_no: str
    amount: str
    amount_minor: int
    currency: str
    currency_decimals: int
    status: str
    status_version: int
    test_mode: bool
    expires_at: str
    event_id: str | None = None
    """The confirmed payment: post once per event_id. It differs from the notification's id."""
    provider_trade_no: str | None = None
    occurred_at: str | None = None
    raw: Json = field(repr=False, compare=False)


@dataclass(frozen=True, kw_only=True)
class Notification:
    """A verified notification. Store its ``id``: the same notification can arrive again."""

    id: str
    type: str
    api_version: int
    created_at: str
    data: NotificationData
    raw: Json = field(repr=False, compare=False)


@dataclass(frozen=True, kw_only=True)
class MerchantProfile:
    """The public profile of a merchant. A member is empty if the merchant has not set it."""

    merchant_no: str
    name: str
    logo_url: str
    short_description: str
    description: str
    business_scope: str
    website_url: str
    contact: str
    raw: Json = field(repr=False, compare=False)


@dataclass(frozen=True, kw_only=True)
class Product:
    """A product that is for sale. Prices are whole numbers: the price in ``currency``, times 10^8."""

    gd_no: str
    gd_name: str
    gd_description: str
    actual_price: int
    retail_price: int
    currency: str
    currency_decimals: int
    """For display; it does not scale the prices."""
    in_stock: int
    buy_limit_num: int
    """The most that one order may have; 0 means no limit."""
    payment_policy: str
    payment_methods: list[str] | None = None
    other_ipu_cnf: list[str] | None = None
    """Inputs that the buyer can or must give: ``key=label=required``."""
    wholesale_price_cnf: list[str] | None = None
    buy_prompt: str | None = None
    raw: Json = field(repr=False, compare=False)


@dataclass(frozen=True)
class ProductPage:
    """One page of products. ``total`` counts the matching products on all pages."""

    list: tuple[Product, ...]
    total: int
    page: int
    limit: int


@dataclass(frozen=True, kw_only=True)
class CatalogOrder:
    """A catalog order of the person whose token was used. Amounts are whole numbers, times 10^8."""

    order_no: str
    gd_no: str
    title: str
    quantity: int
    status: int
    """0: pending payment; 1: paid and in processing; 2: cancelled; 3: completed."""
    status_label: str
    currency: str
    currency_decimals: int
    total_amount: int
    discount_amount: int
    handling_amount: int
    pay_amount: int
    payment_currency: str
    payment_currency_decimals: int
    payment_subtotal: int
    payment_handling_amount: int
    payment_pay_amount: int
    payment_no: str
    payment_name: str
    payment_methods: list[str] | None = None
    trade_no: str
    paid_time: str | None = None
    """``YYYY-MM-DD HH:mm:ss`` in UTC; None until the order is paid."""
    created_at: str | None = None
    updated_at: str | None = None
    raw: Json = field(repr=False, compare=False)


@dataclass(frozen=True, kw_only=True)
class CatalogPaymentSession:
    """A started payment. It is no proof of payment: ask ``payment_status``."""

    trade_no: str
    redirect: str
    """Where the buyer goes; a path is relative to the address of the service."""
    expire_time: int
    """Unix seconds."""
    raw: Json = field(repr=False, compare=False)


@dataclass(frozen=True, kw_only=True)
class UserToken:
    """A token of a person. It is a secret of that person: keep it on the server."""

    access_token: str = field(repr=False)
    token_type: str
    expires_in: int
    scope: str | None = None
    id_token: str | None = field(default=None, repr=False)
    raw: Json = field(repr=False, compare=False)


@dataclass(frozen=True)
class AuthorizationRequest:
    """Where to send the browser, and what to keep in the person's session until the browser comes back."""

    url: str
    state: str
    """Compare it with ``state`` of the address that the browser comes back to."""
    code_verifier: str = field(repr=False)
    """Goes to ``exchange_code``. Keep it on the server."""
