"""The errors of the SDK."""

from __future__ import annotations

from typing import Literal

VerifyFailure = Literal["missing_header", "stale", "bad_signature", "malformed"]


class PaydeskError(Exception):
    """A call failed. Branch on ``status`` and ``code``, never on the text.

    ``status`` is the HTTP status, or 0 if no answer arrived. ``code`` is the service's ``error``, or one of the client's
    own codes: ``network_error``, ``timeout``, ``invalid_response``. The error contains no secret, no token and no body.
    """

    def __init__(
        self,
        status: int,
        code: str,
        description: str | None = None,
        *,
        field: str | None = None,
        retry_after_s: int | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(f"{code} (HTTP {status})" + ("" if description is None else f": {description}"))
        self.status = status
        self.code = code
        self.description = description
        self.field = field
        """The parameter that caused the error, if the service names one."""
        self.retry_after_s = retry_after_s
        """Seconds that the service asks the client to wait."""
        self.request_id = request_id
        """The id of this call, for questions to the operator."""


class NotificationError(Exception):
    """A request is no notification of the service. ``detail`` is for your log and contains nothing of the request."""

    def __init__(self, reason: VerifyFailure, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason: VerifyFailure = reason
        self.detail = detail


def invalid_response(description: str) -> PaydeskError:
    """The error for an answer that is not what the call gives."""
    return PaydeskError(200, "invalid_response", description)
