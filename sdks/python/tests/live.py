"""Uses a running Paydesk once with every call, and prints what it found as JSON: ``npm test`` compares it.

PAYDESK_URL, PAYDESK_CLIENT_ID and PAYDESK_CLIENT_SECRET name the service; PAYDESK_LIVE is a JSON object that names what
the test has prepared there.
"""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path
import sys
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

import paydesk  # noqa: E402

env = os.environ
live = json.loads(env["PAYDESK_LIVE"])
attempts: list[paydesk.Attempt] = []
client = paydesk.Paydesk(
    base_url=env["PAYDESK_URL"],
    client_id=env["PAYDESK_CLIENT_ID"],
    client_secret=env["PAYDESK_CLIENT_SECRET"],
    on_attempt=attempts.append,
)


def error_of(**changes: Any) -> list[Any]:
    try:
        client.create_order(**{**members, **changes})
    except paydesk.PaydeskError as error:
        return [error.status, error.code, error.field]
    return []


def missing() -> list[Any]:
    try:
        client.get_order("mp_00000000000000000000000000")
    except paydesk.PaydeskError as error:
        return [error.status, error.code]
    return []


def collection() -> dict[str, Any]:
    order = client.create_order(**members)
    read = client.get_order(order.order_no)
    second = client.create_order(**{**members, "external_reference": f"{prefix}-2", "idempotency_key": f"{prefix}-2"})
    references = [one.external_reference for one in client.orders(limit=2)]
    return {
        "created": [order.external_reference, order.amount, order.amount_minor, order.currency, order.status],
        "again": client.create_order(**members).order_no == order.order_no,
        "conflict": error_of(amount="11.00"),
        "invalid": error_of(amount="1e3", idempotency_key=f"{prefix}-3"),
        "read": [read.order_no == order.order_no, read.status, read.fee_status, paydesk.is_paid(read.status)],
        "missing": missing(),
        "listed": [one.order_no == second.order_no for one in client.list_orders(external_reference=f"{prefix}-2")],
        "paged": [reference for reference in references if reference.startswith(f"{prefix}-")],
        "channels": sorted(channel.provider for channel in client.channels()),
    }


def payment() -> dict[str, Any]:
    order = client.get_order(live["paid_order_no"])
    records = client.notifications(order.order_no)
    paid = next(record for record in records if record.event["data"]["status"] == "paid")
    client.retry_notification(order.order_no, paid.event_id)
    body = base64.b64decode(live["body_base64"])
    given = [live["headers"], body, live["secret"]]
    found = [verify(*given) for verify in (paydesk.verify_notification, paydesk.verify_standard_webhook)]
    expected = paydesk.Expected(live["external_reference"], "10", "USD")
    first = paydesk.decide_posting(None, found[0].data, expected)
    stored = paydesk.StoredState(order.status_version, first.event_id)
    return {
        "paid": [order.status, order.event_id == first.event_id, order.settlement_ptk == live["settlement_ptk"]],
        "delivered": [paid.delivery_status, paid.event_id == found[1].id],
        "posting": [first.action, paydesk.decide_posting(stored, order, expected).action],
    }


def catalog() -> dict[str, Any]:
    token = {"user_token": live["user_token"]}
    order_no = client.catalog.create_order(
        gd_no=live["gd_no"], quantity=2, payment_no=live["payment_no"], **token
    )
    pending = client.catalog.get_order(order_no, **token)
    session = client.catalog.start_payment(order_no, live["payment_no"], **token)
    return {
        "merchant": client.catalog.merchant().name,
        "products": sorted(product.gd_name for product in client.catalog.products(limit=1)),
        "price": str(next(client.catalog.products(gd_no=live["gd_no"])).actual_price),
        "page": [len(client.catalog.list_products(limit=1, **token).list), client.catalog.list_products().total],
        "ordered": [pending.status, pending.quantity, str(pending.total_amount)],
        "session": [session.trade_no != "", session.redirect != "", session.expire_time > 0],
        "status": client.catalog.payment_status(order_no, **token),
        "person": client.user_info(live["user_token"])["sub"],
    }


prefix = live["prefix"] + "-python"
members: dict[str, Any] = {
    "external_reference": f"{prefix}-1",
    "idempotency_key": f"{prefix}-1",
    "amount": "10.00",
    "currency": "USD",
    "notify_enabled": False,
}
result = {**collection(), **payment(), **catalog()}
result["tokens"] = sum(attempt.url.endswith("/oauth/token") for attempt in attempts)
print(json.dumps(result))
