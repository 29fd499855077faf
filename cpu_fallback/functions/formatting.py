"""printf and format, and numbers for people."""

from __future__ import annotations

import math
from functools import lru_cache

from ...planner import messages_values as messages
from ...planner.expr import Call
from ...planner.types import VARCHAR
from .format_strings import Field, fmt_fields, printf_fields, written
from .registry import Evaluate, scalar
from .rowwise import rowwise


@lru_cache(maxsize=256)
def _fields(style: str, text: str) -> tuple[str | Field, ...]:
    return tuple((printf_fields if style == "printf" else fmt_fields)(text))


@scalar("printf", "format")
def format_(call: Call) -> Evaluate:
    """The format with its fields filled in. A number is a whole one or a double, all else a text."""
    style = call.function
    return rowwise(lambda text, *values: written(_fields(style, text), values), VARCHAR)


_UNITS = {
    "format_bytes": (1024, ("KiB", "MiB", "GiB", "TiB", "PiB")),
    "formatreadabledecimalsize": (1000, ("kB", "MB", "GB", "TB", "PB")),
}


@scalar(*_UNITS)
def format_bytes(call: Call) -> Evaluate:
    """A number of bytes in the largest unit below it, with one digit behind the point, cut off."""
    step, units = _UNITS[call.function]

    def one(value: int) -> str:
        sign, size = ("-", -value) if value < 0 else ("", value)
        if size < step:
            return f"{sign}{size} byte{'' if size == 1 else 's'}"
        unit = step
        at = 0
        while size >= unit * step and at < len(units) - 1:
            unit *= step
            at += 1
        return f"{sign}{size // unit}.{size % unit * 10 // unit} {units[at]}"

    return rowwise(one, VARCHAR)


_EIGHTHS = " ▏▎▍▌▋▊▉"
_WIDEST = 1000


@scalar("bar")
def bar(call: Call) -> Evaluate:
    """Blocks for the share that x has of the way from a least to a largest value, in eighths, and spaces."""

    def one(x: float, low: float, high: float, width: float = 80.0) -> str:
        if not math.isfinite(width):
            raise messages.out_of_range("Max bar width must not be NaN or infinity")
        if width < 1:
            raise messages.out_of_range("Max bar width must be >= 1")
        if width > _WIDEST:
            raise messages.out_of_range(f"Max bar width must be <= {_WIDEST}")
        return _blocks(_share(x, low, high) * width, int(width))

    return rowwise(one, VARCHAR)


def _share(x: float, low: float, high: float) -> float:
    if math.isnan(x) or math.isnan(low) or math.isnan(high) or x <= low:
        return 0.0
    if x >= high:
        return 1.0
    return (x - low) / (high - low)


def _blocks(length: float, width: int) -> str:
    eighths = int(length * 8)
    full = eighths // 8
    text = "█" * full
    if eighths % 8:
        text += _EIGHTHS[eighths % 8]
    return text + " " * (width - len(text))
