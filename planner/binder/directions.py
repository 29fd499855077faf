"""The direction of a key of ORDER BY: what is written, else what the session's settings say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlglot import exp

# Where NULLs go under `default_null_order`, ascending and descending: whether first.
_NULLS_FIRST = {
    "nulls_last": (False, False),
    "nulls_first": (True, True),
    "nulls_first_on_asc_last_on_desc": (True, False),
    "nulls_last_on_asc_first_on_desc": (False, True),
}


def direction(node: exp.Expr, settings: Mapping[str, Any]) -> tuple[bool, bool]:
    """Whether a key is descending, and whether its NULLs come first. `node` is a plain expression where
    neither is written.
    """
    written = node if isinstance(node, exp.Ordered) else exp.Ordered()
    descending = written.args.get("desc")
    if descending is None:
        descending = settings.get("default_order", "asc") == "desc"
    if written.meta.get("nulls"):
        return bool(descending), bool(written.args.get("nulls_first"))
    return bool(descending), _NULLS_FIRST[settings.get("default_null_order", "nulls_last")][bool(descending)]
