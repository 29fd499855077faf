"""Which SQL type the texts of a column stand for."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from ...cpu_fallback import compute
from ...cpu_fallback.operators.csv_values import converter
from ...physical.file_tables import CsvForm
from ...planner.types import (
    BIGINT,
    BOOLEAN,
    DATE,
    DOUBLE,
    HUGEINT,
    TIME,
    TIMESTAMP,
    TIMESTAMPTZ,
    VARCHAR,
    SQLType,
)

# Types from the narrowest on, each with the shape of the texts that may stand for it; CAST has the last word.
_WHOLE = r"^ *(?:-?(?:0|[1-9][0-9]*)|0[xX][0-9a-fA-F]+|0[bB][01]+) *$"
_REAL = r"(?i)^ *(?:-?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?|-?nan) *$"
_CLOCK = r"[0-9]{1,2}:(?:[0-9]{2}|[0-9]{1,2}:[0-9]{1,2}(?:\.[0-9]+)?)"
_DAY = r"[0-9]{4,6}[-/.][0-9]{1,2}[-/.][0-9]{1,2}"
_SHAPES: tuple[tuple[SQLType, str], ...] = (
    (BOOLEAN, r"(?i)^(?:true|false|t|f|yes|no)$"),
    (TIME, f"^{_CLOCK}$"),
    (DATE, rf"(?i)^ *(?:{_DAY}(?: \(BC\))?|-?inf(?:inity)?) *$"),
    (TIMESTAMP, rf"^ *{_DAY}[T ] *{_CLOCK} *$"),
    (TIMESTAMPTZ, rf"^ *{_DAY}[T ] *{_CLOCK} *(?:Z|[+-][0-9]{{2}}(?::?[0-9]{{2}})?)? *$"),
    (BIGINT, _WHOLE),
    (HUGEINT, _WHOLE),
    (DOUBLE, _REAL),
)
# Dates and timestamps in other orders, in the order in which they are tried; "-" is any one separator.
_ORDERS: tuple[tuple[SQLType, str, str], ...] = (
    (DATE, r"^ *[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2} *$", "%Y-%m-%d"),
    (DATE, r"^ *[0-9]{1,2}[-/][0-9]{1,2}[-/][0-9]{1,2} *$", "%y-%m-%d"),
    (DATE, r"^ *[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{4} *$", "%d-%m-%Y"),
    (DATE, r"^ *[0-9]{1,2}[-/][0-9]{1,2}[-/][0-9]{1,2} *$", "%d-%m-%y"),
    (DATE, r"^ *[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{4} *$", "%m-%d-%Y"),
    (DATE, r"^ *[0-9]{1,2}[-/][0-9]{1,2}[-/][0-9]{1,2} *$", "%m-%d-%y"),
    (TIMESTAMP, r"^ *[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{4} [0-9:.]+ *$", "%d-%m-%Y %H:%M:%S"),
    (TIMESTAMP, r"(?i)^ *[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{4} [0-9:.]+ [ap]m *$", "%m-%d-%Y %I:%M:%S %p"),
)
PLAIN = CsvForm(b",", -1, -1, -1)
_SEPARATORS = ("-", "/", ".")


def detect(
    values: pa.Array, form: CsvForm, date: str | None, stamp: str | None, candidates: Sequence[SQLType] | None
) -> tuple[SQLType, str | None]:
    """The narrowest type that all texts (NULLs left out) stand for, and the strptime format they are read by,
    if any; VARCHAR where there are none. `date` and `stamp` are formats that the user gave.
    """
    values = values.drop_null()
    if not len(values):
        return VARCHAR, None
    if candidates is not None:
        for kind in candidates:
            if stands_for(values, kind, None, form):
                return kind, None
        return VARCHAR, None
    for kind, given in ((DATE, date), (TIMESTAMP, stamp)):
        if given is not None and _reads(values, kind, given, form):
            return kind, given
    for kind, shape in _SHAPES:
        if (kind == DATE and date is not None) or (kind in (TIMESTAMP, TIMESTAMPTZ) and stamp is not None):
            continue
        tested = _dotted(values, form) if kind in (BIGINT, HUGEINT, DOUBLE) else values
        if _all(compute.matches_regex(tested, shape)) and _reads(tested, kind, None, PLAIN):
            return kind, None
    for kind, shape, order in _ORDERS:
        if (date if kind == DATE else stamp) is None and _all(compute.matches_regex(values, shape)):
            for separator in _SEPARATORS:
                found = order.replace("-", separator)
                if _reads(values, kind, found, form):
                    return kind, found
    return VARCHAR, None


def stands_for(values: pa.Array, kind: SQLType, shape: str | None, form: CsvForm) -> bool:
    """Whether texts have the form that a detected type asks for."""
    if kind == VARCHAR:
        return True
    alike = BIGINT if kind.is_integer else DOUBLE if kind.is_numeric else kind
    found = next((pattern for known, pattern in _SHAPES if known == alike), None)
    tested = _dotted(values, form) if kind.is_numeric else values
    if shape is None and found is not None and not _all(compute.matches_regex(tested, found)):
        return False
    return _reads(tested, kind, shape, PLAIN)


def _dotted(values: pa.Array, form: CsvForm) -> pa.Array:
    if form.thousands:
        values = compute.replace(values, form.thousands, "")
    return values if form.decimal == "." else compute.replace(values, form.decimal, ".")


def _reads(values: pa.Array, kind: SQLType, shape: str | None, form: CsvForm) -> bool:
    return converter(kind, shape, form)(values).null_count == values.null_count


def _all(mask: pa.BooleanArray) -> bool:
    return mask.true_count == len(mask) - mask.null_count
