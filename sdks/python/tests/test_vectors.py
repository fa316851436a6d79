"""Runs the vectors that the SDKs of all languages pass (packages/sdk/vectors) through this one."""

from __future__ import annotations

import base64
import dataclasses
import json
import unittest
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import paydesk
from paydesk._http import Environment

VECTORS = Path(__file__).parents[3] / "packages" / "sdk" / "vectors"


def read(name: str) -> Any:
    return json.loads((VECTORS / f"{name}.json").read_bytes())


class Notifications(unittest.TestCase):
    def test_signatures(self) -> None:
        for vector in read("notification-signatures")["vectors"]:
            with self.subTest(vector["name"]):
                names = ("X-Service-Event-ID", "X-Service-Timestamp", "X-Service-Signature")
                headers = dict(zip(names, (vector["event_id"], vector["timestamp"], vector["signature"])))
                body = vector["body"].encode()
                reason = None
                try:
                    found = paydesk.verify_notification(headers, body, vector["secret"], now=vector["now"])
                    self.assertEqual(found.raw, json.loads(body))
                except paydesk.NotificationError as error:
                    reason = error.reason
                self.assertEqual(reason, vector.get("reason"))

    def test_requests(self) -> None:
        schemes = {"paydesk": paydesk.verify_notification, "standard": paydesk.verify_standard_webhook}
        for vector in read("notification-requests")["vectors"]:
            with self.subTest(vector["name"]):
                encoded = vector.get("body_base64")
                body = vector["body"].encode() if encoded is None else base64.b64decode(encoded)
                options = {"now": vector["now"], "tolerance_s": vector.get("tolerance_s", 300)}
                reason = None
                try:
                    schemes[vector["scheme"]](vector["headers"], body, vector["secrets"], **options)
                except paydesk.NotificationError as error:
                    reason = error.reason
                self.assertEqual(reason, vector["reason"])

    def test_headers_of_any_server(self) -> None:
        vector = read("notification-requests")["vectors"][0]
        pairs = [*vector["headers"].items(), ("X-Other", None)]
        body, secret = vector["body"].encode(), vector["secrets"]
        self.assertTrue(paydesk.verify_notification(pairs, body, secret, now=vector["now"]).data.event_id)
        # A server gives the byte 0xff as a lone surrogate.
        odd = {**vector["headers"], "X-Service-Signature": "sha256=\udcff", "webhook-id": "\udcff"}
        odd |= {"webhook-timestamp": str(vector["now"]), "webhook-signature": "v1,\udcff"}
        for verify in (paydesk.verify_notification, paydesk.verify_standard_webhook):
            with self.assertRaises(paydesk.NotificationError):
                verify(odd, body, secret, now=vector["now"])

    def test_secrets_that_are_none(self) -> None:
        for secrets in ("", [], ["", "x"]):
            for verify in (paydesk.verify_notification, paydesk.verify_standard_webhook):
                with self.assertRaises(ValueError):
                    verify({}, b"", secrets)


class Amounts(unittest.TestCase):
    def test_amounts(self) -> None:
        amounts = read("amounts")
        for a, b, same in amounts["same"]:
            self.assertEqual([paydesk.same_amount(a, b), paydesk.same_amount(b, a)], [same, same], (a, b))
        for text in amounts["invalid"]:
            for pair in ((text, "1"), ("1", text)):
                with self.assertRaises(ValueError, msg=text):
                    paydesk.same_amount(*pair)

    def test_d_929_an_amount_that_is_no_text_is_refused(self) -> None:
        client = paydesk.Paydesk(base_url="https://pay.example", client_id="c", client_secret="s")
        members: dict[str, Any] = {"external_reference": "r", "idempotency_key": "k", "currency": "USD"}
        wrong: dict[str, Any]
        for wrong in ({"amount": 10.0}, {"amount": Decimal("10.00")}, {"amount": 10}, {"amount_minor": 1000.0}):
            with self.assertRaisesRegex(TypeError, "a text such as"):
                client.create_order(**members, **wrong)


@dataclasses.dataclass
class Order:
    external_reference: str
    amount: str
    currency: str
    status: str
    status_version: int
    test_mode: bool
    event_id: str | None = None


class Posting(unittest.TestCase):
    def test_posting(self) -> None:
        for vector in read("posting")["vectors"]:
            with self.subTest(vector["name"]):
                stored = vector["stored"] and paydesk.StoredState(**vector["stored"])
                decision = paydesk.decide_posting(
                    stored,
                    Order(**vector["order"]),
                    paydesk.Expected(**vector["expected"]),
                    accept_test_mode=vector.get("accept_test_mode", False),
                )
                wanted = {"event_id": None, "differences": [], **vector["decision"]}
                self.assertEqual({**dataclasses.asdict(decision), "differences": list(decision.differences)}, wanted)


class Bench:
    """A client whose requests get scripted answers, under a clock that waiting moves."""

    def __init__(self, vector: dict[str, Any]) -> None:
        self.now_s = 1000.0
        self.requests: list[dict[str, Any]] = []
        self.tokens: list[dict[str, Any]] = []
        self.waits: list[float] = []
        self.attempts: list[paydesk.Attempt] = []
        self._queues = {False: list(vector.get("answers", [])), True: list(vector.get("token_answers", []))}
        options = {
            "base_url": "https://pay.example/prefix/",
            "client_id": "c1",
            "client_secret": "client-secret-never-shown",
            **vector.get("options", {}),
        }
        timeout = options.pop("timeout_ms", 30_000) / 1000
        environment = Environment(
            transport=self.answer,
            attempt_timeout_s=10,
            max_attempts=options.pop("max_attempts", 4),
            on_attempt=self.attempts.append,
            monotonic=lambda: self.now_s,
            unix_time=lambda: self.now_s,
            sleep=self.wait,
            random=lambda: float(vector.get("random", 1)),
        )
        self.client = paydesk.Paydesk(
            timeout=timeout,
            environment=environment,
            **options,
        )

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds * 1000)
        self.now_s += seconds

    def answer(self, request: paydesk.HttpRequest, _timeout: float) -> paydesk.HttpResponse:
        url = urlsplit(request.url)
        address = f"{url.scheme}://{url.netloc}{url.path}"
        is_form = request.headers.get("content-type") == "application/x-www-form-urlencoded"
        body = (request.body or b"").decode()
        if is_form:
            self.tokens.append({"url": address, "form": dict(parse_qsl(body))})
        else:
            seen: dict[str, Any] = {"method": request.method, "url": address, "token": request.headers["authorization"][7:]}
            seen |= {"query": dict(parse_qsl(url.query))} if url.query else {}
            seen |= {"body": json.loads(body)} if body else {}
            assert ("content-type" in request.headers) == bool(body)
            self.requests.append(seen)
        queue = self._queues[is_form]
        token = {"access_token": f"token-{len(self.tokens)}", "token_type": "Bearer", "expires_in": 3600}
        answer: Any = queue.pop(0) if len(queue) > 1 else queue[0] if queue else {"status": 200, "body": token}
        if answer.get("fault") == "connection":
            raise ConnectionResetError("reset")
        if answer.get("fault") == "timeout":
            raise TimeoutError("late")
        text = answer["text"] if "text" in answer else json.dumps(answer["body"])
        headers = {name.lower(): value for name, value in answer.get("headers", {}).items()}
        return paydesk.HttpResponse(answer["status"], headers, text.encode())


def run(client: paydesk.Paydesk, name: str, args: dict[str, Any]) -> Any:
    """Makes a call by the name that it has in the vectors; members that the SDK leaves out are put back."""
    owner, _, method = name.rpartition(".")
    call = getattr(client.catalog if owner else client, method)
    positional = [args.pop(key) for key in ("order_no", "event_id") if key in args and name != "list_orders"]
    positional += [args.pop("payment_no")] if method == "start_payment" else []
    positional += [args.pop("user_token")] if method == "user_info" else []
    value = call(*positional, **args)
    if method in ("orders", "products"):
        return list(value)
    wrapped = {"retry_notification": "accepted", "payment_status": "status"}
    if name == "catalog.create_order":
        return {"order_no": value}
    return {wrapped[method]: True if value is None else value} if method in wrapped else value


def plain(value: Any) -> Any:
    """What an SDK gives as JSON, with whole numbers as digits where a vector has digits."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {one.name: plain(getattr(value, one.name)) for one in dataclasses.fields(value) if one.name != "raw"}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return value


class Client(unittest.TestCase):
    maxDiff = None

    def assert_contains(self, actual: Any, expected: Any, at: str) -> None:
        if isinstance(expected, dict):
            self.assertIsInstance(actual, dict, at)
            for name, value in expected.items():
                self.assertIn(name, actual, at)
                self.assert_contains(actual[name], value, f"{at}.{name}")
        elif isinstance(expected, list):
            self.assertEqual(len(actual), len(expected), at)
            for i, value in enumerate(expected):
                self.assert_contains(actual[i], value, f"{at}[{i}]")
        else:
            digits = type(actual) is int and isinstance(expected, str)
            self.assertEqual(str(actual) if digits else actual, expected, at)

    def check(self, bench: Bench, call: dict[str, Any]) -> str:
        bench.now_s += call.get("advance_ms", 0) / 1000
        thrown: Exception | None = None
        value = None
        try:
            value = run(bench.client, call["call"], dict(call["args"]))
        except (paydesk.PaydeskError, ValueError) as error:
            thrown = error
        if "result" in call:
            self.assertIsNone(thrown)
            self.assert_contains(plain(value), call["result"], call["call"])
        elif "error" in call:
            self.assertIsInstance(thrown, paydesk.PaydeskError)
            self.assertEqual({name: getattr(thrown, name) for name in call["error"]}, call["error"])
        elif "refused" in call:
            self.assertIsInstance(thrown, ValueError)
        else:
            self.check_authorization(value, call["authorization"])
        return repr(thrown) + str(thrown) + repr(vars(thrown) if thrown else "") + repr(thrown and thrown.__cause__)

    def check_authorization(self, value: Any, expected: Any) -> None:
        url = urlsplit(value.url)
        query = dict(parse_qsl(url.query))
        lengths = [len(query.pop("code_challenge")), len(value.code_verifier)]
        self.assertEqual({"url": f"{url.scheme}://{url.netloc}{url.path}", "query": query}, expected)
        self.assertEqual([*lengths, value.state], [43, 43, query["state"]])

    def test_client(self) -> None:
        for vector in read("client")["vectors"]:
            with self.subTest(vector["name"]):
                self.check_vector(vector)

    def check_vector(self, vector: dict[str, Any]) -> None:
        if "rejected_options" in vector:
            with self.assertRaises(ValueError):
                Bench(vector)
            return
        bench = Bench(vector)
        printed = repr(bench.client) + "".join([self.check(bench, call) for call in vector["calls"]])
        actual = {
            "requests": bench.requests,
            "token_requests": bench.tokens,
            "token_request_count": len(bench.tokens),
            "waits_ms": bench.waits,
        }
        for name, value in actual.items():
            self.assertEqual(value, vector.get(name, value), name)
        for attempt, expected in zip(bench.attempts, vector.get("attempts", []), strict="attempts" in vector):
            self.assert_contains(plain(attempt), expected, "attempt")
        for text in vector.get("never_shown", []):
            self.assertNotIn(text, printed)


if __name__ == "__main__":
    unittest.main()
