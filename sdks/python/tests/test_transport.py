"""The transport against a real socket: what it gives, and that it ends in time."""

from __future__ import annotations

import math
import os
import socket
import threading
import time
import unittest
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest import mock

import paydesk
from paydesk._http import _delay_before_next

REQUEST_END = b"\r\n\r\n"


@contextmanager
def server(answer: Callable[[socket.socket], None]) -> Iterator[str]:
    """A server for one connection, and its address."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            connection, _ = listening.accept()
            with connection:
                received = b""
                while REQUEST_END not in received:
                    received += connection.recv(4096)
                try:
                    answer(connection)
                except OSError:
                    pass

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        thread.join(timeout=5)


def send(url: str, timeout_s: float = 5) -> paydesk.HttpResponse:
    return paydesk.default_transport()(paydesk.HttpRequest("GET", url, {"accept": "*/*"}), timeout_s)


class Transport(unittest.TestCase):
    def test_gives_any_answer_and_follows_no_redirect(self) -> None:
        answer = b"HTTP/1.1 307 X\r\nLocation: http://127.0.0.1:1/\r\nX-Request-Id: r\r\nContent-Length: 2\r\n\r\nhi"
        with server(lambda connection: connection.sendall(answer)) as url:
            found = send(url)
        self.assertEqual((found.status, found.headers["x-request-id"], found.body), (307, "r", b"hi"))

    def test_d_1389_what_comes_before_the_answer_is_not_the_answer(self) -> None:
        before = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\nRetry-After: 9\r\n\r\n"
        text = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
        with server(lambda connection: connection.sendall(before + text)) as url:
            found = send(url)
        self.assertEqual((found.status, found.headers, found.body), (200, {"content-length": "2"}, b"{}"))

    def test_d_1427_a_limit_without_an_end_is_one(self) -> None:
        text = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
        with server(lambda connection: connection.sendall(text)) as url:
            self.assertEqual(send(url, math.inf).status, 200)

        def answered(request: paydesk.HttpRequest, _timeout_s: float) -> paydesk.HttpResponse:
            is_token = request.url.endswith("/token")
            return paydesk.HttpResponse(200, {}, b'{"access_token":"t","expires_in":600}' if is_token else b'{"items":[]}')

        client = paydesk.Paydesk(
            base_url="https://pay.example", client_id="c", client_secret="s", timeout=math.inf, transport=answered
        )
        self.assertEqual(client.channels(), [])

    def test_d_1432_no_number_of_attempts_is_too_large(self) -> None:
        self.assertEqual(_delay_before_next(paydesk.PaydeskError(0, "timeout"), 1100, 0), 4000)

    def test_d_926_no_proxy_sees_what_stays_on_this_machine(self) -> None:
        answer = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhere"
        proxies = {"http_proxy": "http://127.0.0.1:1", "no_proxy": ""}
        with mock.patch.dict(os.environ, proxies), server(lambda connection: connection.sendall(answer)) as url:
            self.assertEqual(send(url).body, b"here")
            with self.assertRaises(OSError):
                send("http://pay.example")

    def test_a_cut_answer_is_a_network_error(self) -> None:
        client_options = {"client_id": "c", "client_secret": "s", "max_attempts": 1}
        with server(lambda it: it.sendall(b'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"access_')) as url:
            client = paydesk.Paydesk(base_url=url, **client_options)  # type: ignore[arg-type]
            with self.assertRaises(paydesk.PaydeskError) as caught:
                client.channels()
        self.assertEqual((caught.exception.status, caught.exception.code), (0, "network_error"))

    def test_an_answer_byte_by_byte_ends_in_time(self) -> None:
        def drip(connection: socket.socket) -> None:
            for byte in b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + b"x" * 1000:
                connection.sendall(bytes([byte]))
                time.sleep(0.02)

        started = time.monotonic()
        with server(drip) as url, self.assertRaises(TimeoutError):
            send(url, 0.2)
        self.assertLess(time.monotonic() - started, 15)

    def test_silence_ends_in_time(self) -> None:
        with server(lambda _: time.sleep(0.4)) as url:
            client = paydesk.Paydesk(base_url=url, client_id="c", client_secret="s", timeout=0.2)
            with self.assertRaises(paydesk.PaydeskError) as caught:
                client.channels()
        self.assertEqual((caught.exception.status, caught.exception.code), (0, "timeout"))

    def test_d_924_addresses_of_a_host_that_do_not_answer_share_the_time(self) -> None:
        hosts = ("127.0.0.1", "127.0.0.2", "127.0.0.3")
        silent = [socket.create_server((hosts[0], 0), backlog=0)]
        port = silent[0].getsockname()[1]
        silent += [socket.create_server((host, port), backlog=0) for host in hosts[1:]]
        # A connection that nobody accepts fills the queue, so that the next one gets no answer.
        queued = [socket.create_connection((host, port)) for host in hosts]
        found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, port)) for host in hosts]
        waited: list[float | None] = []

        class Watched(socket.socket):
            def connect(self, address: object) -> None:
                waited.append(self.gettimeout())
                super().connect(address)  # type: ignore[arg-type]

        with mock.patch("socket.getaddrinfo", return_value=found), mock.patch("socket.socket", Watched):
            with self.assertRaises(OSError):
                send("http://shop.test", 0.5)
        for one in (*silent, *queued):
            one.close()
        self.assertLessEqual(sum(seconds or 0 for seconds in waited), 0.51)

    def test_threads_share_a_token(self) -> None:
        tokens: list[str] = []

        def transport(request: paydesk.HttpRequest, _timeout: float) -> paydesk.HttpResponse:
            if request.url.endswith("/oauth/token"):
                tokens.append(request.url)
                time.sleep(0.05)
                return paydesk.HttpResponse(200, {}, b'{"access_token":"t","expires_in":3600}')
            return paydesk.HttpResponse(200, {}, b'{"items":[]}')

        client = paydesk.Paydesk(
            base_url="https://pay.example", client_id="c", client_secret="s", transport=transport
        )
        threads = [threading.Thread(target=client.channels) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(tokens), 1)


if __name__ == "__main__":
    unittest.main()
