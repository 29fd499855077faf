"""Nested values as JSON."""

from __future__ import annotations

import datetime
import json
from typing import Any


def nested_text(value: Any) -> str:
    """The JSON text of a nested value."""
    return json.dumps(plain(value), ensure_ascii=False)


def plain(value: Any) -> Any:
    """A nested Python value with what JSON lacks as text."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case list() | tuple():
            return [plain(v) for v in value]
        case dict():
            return {k: plain(v) for k, v in value.items()}
        case datetime.datetime():
            return value.isoformat(sep=" ")
        case _:
            return str(value)
