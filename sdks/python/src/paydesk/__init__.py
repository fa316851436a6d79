"""The merchant's side of Paydesk: a client, verifiers of notifications, and helpers for posting."""

from ._http import Attempt, HttpRequest, HttpResponse, Transport, default_transport
from ._version import __version__
from .catalog import Catalog
from .client import Paydesk
from .errors import NotificationError, PaydeskError, VerifyFailure
from .models import (
    AuthorizationRequest,
    CatalogOrder,
    CatalogPaymentSession,
    CollectionOrder,
    CreatedOrder,
    DeliveryRecord,
    MerchantProfile,
    Notification,
    NotificationData,
    PaymentChannel,
    Product,
    ProductPage,
    UserToken,
)
from .money import same_amount
from .notifications import sign_notification, verify_notification, verify_standard_webhook
from .posting import Decision, Difference, Expected, OrderState, StoredState, decide_posting, is_paid

__all__ = [
    "Attempt",
    "AuthorizationRequest",
    "Catalog",
    "CatalogOrder",
    "CatalogPaymentSession",
    "CollectionOrder",
    "CreatedOrder",
    "Decision",
    "DeliveryRecord",
    "Difference",
    "Expected",
    "HttpRequest",
    "HttpResponse",
    "MerchantProfile",
    "Notification",
    "NotificationData",
    "NotificationError",
    "OrderState",
    "Paydesk",
    "PaydeskError",
    "PaymentChannel",
    "Product",
    "ProductPage",
    "StoredState",
    "Transport",
    "UserToken",
    "VerifyFailure",
    "__version__",
    "decide_posting",
    "default_transport",
    "is_paid",
    "same_amount",
    "sign_notification",
    "verify_notification",
    "verify_standard_webhook",
]
