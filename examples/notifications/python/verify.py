import hashlib
import hmac
import json
import re
import time


def verify(headers, body, secrets, now=None):
    """Return the notification in a request, or None if Paydesk did not send it. body: the raw bytes."""
    timestamp = headers.get("X-Service-Timestamp", "")
    now = time.time() if now is None else now
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(now - int(timestamp)) > 300:
        return None
    given = headers.get("X-Service-Signature", "").encode()
    message = timestamp.encode() + b"." + body
    usable = [secret.encode() for secret in secrets if secret]  # anyone can sign with an empty one
    digests = [hmac.new(key, message, hashlib.sha256).hexdigest() for key in usable]
    if not any(hmac.compare_digest(given, b"sha256=" + digest.encode()) for digest in digests):
        return None
    notification = json.loads(body)
    return notification if notification["id"] == headers.get("X-Service-Event-ID") else None
