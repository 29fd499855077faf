"""Formats of printf and of the library fmt: texts with fields, and values written as a field says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ...planner import messages_values as messages

_PRINTF = re.compile(
    r"%(?:(?P<place>\d+)\$)?(?P<flags>[-+ #0]*)(?P<group>[,'_])?(?P<width>\*|\d+)?"
    r"(?:\.(?P<precision>\*|\d*))?(?:hh|h|ll|l|j|z|t|L)?(?P<kind>.?)",
    re.DOTALL,
)
_FMT = re.compile(
    r"(?:(?P<fill>[^{}\x80-\U0010ffff])?(?P<align>[<>^=]))?(?P<sign>[-+ ])?(?P<alt>\#)?(?P<zero>0)?"
    r"(?P<width>\d+|\{\d*\})?(?P<group>[,_']|t.)?(?:\.(?P<precision>\d+|\{\d*\}))?(?P<kind>.)?",
    re.DOTALL,
)
_UNSIGNED = frozenset("xXobBu")
_INTEGER_KINDS = frozenset("dxXobBnLi")
_FLOAT_KINDS = frozenset("aAeEfFgGnL")


@dataclass(frozen=True, slots=True)
class Field:
    """A place for a value. `width` and `precision` are numbers, or name the argument that is one; `place` is
    the argument's number. `c` says that signed numbers below zero are written as C writes unsigned ones."""

    place: int
    fill: str = " "
    align: str = ""
    sign: str = ""
    alt: bool = False
    zero: bool = False
    width: int | tuple[int] | None = None
    precision: int | tuple[int] | None = None
    group: str = ""
    kind: str = ""
    c: bool = False


def printf_fields(text: str) -> Iterator[str | Field]:
    """The texts and fields of a format of C."""
    at = number = 0
    while (start := text.find("%", at)) >= 0:
        yield text[at:start]
        if text.startswith("%%", start):
            yield "%"
            at = start + 2
            continue
        match = _PRINTF.match(text, start)
        assert match is not None

        def counted(value: str | None) -> int | tuple[int] | None:
            nonlocal number
            if value == "*":
                number += 1
                return (number - 1,)
            return None if value is None else int(value or 0)

        width, precision = counted(match["width"]), counted(match["precision"])
        place = int(match["place"]) - 1 if match["place"] else number
        if not match["place"]:
            number += 1
        flags, kind = match["flags"], match["kind"]
        sign = "+" if "+" in flags else " " if " " in flags else ""
        group = match["group"] or ""
        align = "<" if "-" in flags and "0" not in flags else ">"
        yield Field(
            place, " ", align, sign, "#" in flags, "0" in flags, width, precision, group, kind or "%", c=True
        )
        at = match.end()
    yield text[at:]


def fmt_fields(text: str) -> Iterator[str | Field]:
    """The texts and fields of a format of fmt. Raises SqlError where it is none."""
    at, number, manual = 0, 0, None

    def argument(name: str) -> int:
        nonlocal number, manual
        if name and not name.isdigit():
            raise messages.invalid_input(
                f'Argument with name "{name}" not found, did you mean to use it as a format specifier '
                f"(e.g. {{:{name}}}"
            )
        if manual is not None and manual != bool(name):
            ways = ("manual", "automatic") if manual else ("automatic", "manual")
            raise messages.invalid_input(f"cannot switch from {ways[0]} to {ways[1]} argument indexing")
        manual = bool(name)
        if not name:
            number += 1
            return number - 1
        return int(name)

    def sized(value: str | None) -> int | tuple[int] | None:
        if value is None:
            return None
        return (argument(value[1:-1]),) if value.startswith("{") else int(value)

    while at < len(text):
        if text.startswith(("{{", "}}"), at):
            yield text[at]
            at += 2
        elif text[at] == "}":
            raise messages.invalid_input("unmatched '}' in format string")
        elif text[at] != "{":
            stop = next((i for i in range(at, len(text)) if text[i] in "{}"), len(text))
            yield text[at:stop]
            at = stop
        else:
            stop = at + 1
            while stop < len(text) and text[stop] not in ":}":
                stop += 1
            if stop >= len(text):
                raise messages.invalid_input("invalid format string")
            place, at = argument(text[at + 1 : stop]), stop
            if text[at] == "}":
                yield Field(place)
                at += 1
                continue
            match = _FMT.match(text, at + 1)
            assert match is not None
            kind, end = match["kind"] or "", match.end()
            if kind == "}":
                kind, end = "", end - 1
            if not text.startswith("}", end):
                raise messages.invalid_input("missing '}' in format string")
            group = match["group"] or ""
            yield Field(
                place,
                match["fill"] or " ",
                match["align"] or "",
                (match["sign"] or "").strip("-"),
                bool(match["alt"]),
                bool(match["zero"]),
                sized(match["width"]),
                sized(match["precision"]),
                group[-1:],
                kind,
            )
            at = end + 1


def written(fields: Sequence[str | Field], values: Sequence[Any]) -> str:
    """The texts, and the values as the fields say. Raises SqlError where one does not fit."""
    return "".join(f if isinstance(f, str) else _filled(f, values) for f in fields)


def _argument(values: Sequence[Any], place: int) -> Any:
    if place >= len(values):
        raise messages.invalid_input(f'Argument index "{place}" out of range')
    return values[place]


def _size(values: Sequence[Any], given: int | tuple[int] | None) -> int | None:
    if not isinstance(given, tuple):
        return given
    size = _argument(values, given[0])
    if not isinstance(size, int) or isinstance(size, bool):
        raise messages.invalid_input("width is not integer")
    return size


def _filled(field: Field, values: Sequence[Any]) -> str:
    width, precision = _size(values, field.width), _size(values, field.precision)
    value = _argument(values, field.place)
    align = field.align
    if width is not None and width < 0:
        align, width = "<", -width
    if isinstance(value, bool):
        if field.kind in ("", "s"):
            value = "true" if value else "false"
        else:
            value = int(value)
    if isinstance(value, str):
        sign, body, fallback = "", _text(field, value, precision), "<"
    elif isinstance(value, int):
        (sign, body), fallback = _whole(field, value, precision), ">"
    else:
        (sign, body), fallback = _double(field, value, precision), ">"
    missing = (width or 0) - len(sign) - len(body)
    if missing <= 0:
        return sign + body
    numeric = not isinstance(value, str)
    if numeric and ((field.zero and (field.c or not field.align)) or align == "="):
        finite = body[-1:] not in "nfNF" or isinstance(value, int)
        return sign + ("0" if field.zero and finite else field.fill) * missing + body
    side = align or fallback
    left = missing if side == ">" else missing // 2 if side == "^" else 0
    return field.fill * left + sign + body + field.fill * (missing - left)


def _wrong(kind: str, of: str) -> Exception:
    if kind == "%":
        return messages.invalid_input("invalid format string")
    return messages.invalid_input(f'Invalid type specifier "{kind}" for formatting a value of type {of}')


def _text(field: Field, value: str, precision: int | None) -> str:
    if field.kind not in ("", "s"):
        raise _wrong(field.kind, "string")
    return value if precision is None else value[:precision]


def _whole(field: Field, value: int, precision: int | None) -> tuple[str, str]:
    kind = field.kind
    if kind == "c" and field.c:
        if not 0 < value < 128:
            raise messages.invalid_input(
                'Invalid UTF8 produced by format string "%c" - note that %c writes a single byte, '
                "use chr(...) to write a Unicode code point"
            )
        return "", chr(value)
    if kind and kind not in _INTEGER_KINDS and not (field.c and kind in _UNSIGNED):
        raise _wrong(kind, "int")
    if precision is not None and not field.c:
        raise messages.invalid_input("precision not allowed for this argument type")
    if field.c and kind in _UNSIGNED and value < 0:
        value &= (1 << (64 if value >= -(1 << 63) else 128)) - 1
    base = kind if kind in ("x", "X", "o", "b", "B") else "d"
    digits = format(abs(value), "b" if base == "B" else base)
    if precision is not None:
        digits = digits.rjust(precision, "0")
    if field.group:
        digits = f"{abs(value):,}".replace(",", field.group)
    prefix = ""
    if field.alt and base != "d":
        prefix = "0" if base == "o" else "0" + base
    return ("-" if value < 0 else field.sign) + prefix, digits


def _double(field: Field, value: float, precision: int | None) -> tuple[str, str]:
    kind = field.kind
    if kind and kind not in _FLOAT_KINDS:
        raise _wrong(kind, "float")
    text = repr(value)
    negative = text.startswith("-")
    size = abs(value)
    if kind in ("a", "A"):
        body = _hexadecimal(size)
        body = body.upper() if kind == "A" else body
    elif kind in ("", "n", "L") and precision is None:
        body = text.lstrip("-")
    else:
        given = "g" if kind in ("", "n", "L") else kind
        body = format(size, f"{'#' if field.alt else ''}.{6 if precision is None else precision}{given}")
    if field.group:
        whole, point, rest = body.partition(".")
        if whole.isdigit():
            body = f"{int(whole):,}".replace(",", field.group) + point + rest
    return ("-" if negative else field.sign), body


def _hexadecimal(size: float) -> str:
    mantissa, _, exponent = size.hex().partition("p")
    return f"{mantissa.rstrip('0').rstrip('.') if '.' in mantissa else mantissa}p{exponent}"
