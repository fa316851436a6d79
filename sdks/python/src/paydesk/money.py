"""Exact comparison of decimal strings."""

from __future__ import annotations

import re

_GRAMMAR = re.compile(r"([0-9]+)(?:\.([0-9]+))?")


def canonical_amount(text: object) -> str | None:
    """The canonical form of a decimal string (``007.50`` becomes ``7.5``); None if it is not a decimal string."""
    match = _GRAMMAR.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        return None
    whole = match[1].lstrip("0") or "0"
    fraction = (match[2] or "").rstrip("0")
    return f"{whole}.{fraction}" if fraction else whole


def same_amount(a: str, b: str) -> bool:
    """Whether two decimal strings are exactly the same number: ``10``, ``10.0`` and ``010.00`` are equal.

    Compare the currencies, too. Raises ValueError for anything that is not an unsigned decimal string, so that a wrong
    value is neither a match nor a difference.
    """
    left, right = canonical_amount(a), canonical_amount(b)
    if left is None or right is None:
        raise ValueError('same_amount compares decimal strings such as "10.00"')
    return left == right
