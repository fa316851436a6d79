"""Runs verify.py over test vectors: python3 check.py < notification-signatures.json

Prints true or false for each vector.
"""

import json
import sys

from verify import verify


def verdict(vector):
    headers = {
        "X-Service-Event-ID": vector["event_id"],
        "X-Service-Timestamp": vector["timestamp"],
        "X-Service-Signature": vector["signature"],
    }
    secrets = ["of an older order, long since done", vector["secret"]]
    try:
        return verify(headers, vector["body"].encode(), secrets, vector["now"]) is not None
    except json.JSONDecodeError:
        return False  # signed, but not JSON: Paydesk never sends this


print(json.dumps([verdict(vector) for vector in json.load(sys.stdin.buffer)["vectors"]]))
