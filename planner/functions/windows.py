"""Window functions: those that exist only with OVER, and which aggregates may stand there."""

from __future__ import annotations

from dataclasses import dataclass

from ..types import BIGINT, DOUBLE, NULL, SQLType
from .signature import ANY, BoundTypes, Overload, Values, same_type


@dataclass(frozen=True, slots=True)
class WindowFunction:
    """A window function. `framed`: it sees the rows of the frame; the others see all rows of the partition.
    `takes_ignore_nulls`: IGNORE NULLS may stand with it. `never_null`: no value of it is NULL."""

    name: str
    overloads: tuple[Overload, ...]
    help: str
    aliases: tuple[str, ...] = ()
    framed: bool = False
    takes_ignore_nulls: bool = False
    never_null: bool = False


def _shifted(kinds: tuple[SQLType, ...], values: Values) -> BoundTypes:
    """lag and lead: the value, how many rows away, and what stands there where the partition has no such
    row."""
    return BoundTypes((kinds[0], BIGINT, kinds[0])[: len(kinds)], kinds[0] if kinds else NULL)


def _nth(kinds: tuple[SQLType, ...], values: Values) -> BoundTypes:
    return BoundTypes((kinds[0], BIGINT), kinds[0])


_NONE_BIGINT = (Overload((), BIGINT),)
_NONE_DOUBLE = (Overload((), DOUBLE),)
_SHIFT = (
    Overload((ANY,), None, bind=_shifted),
    Overload((ANY, BIGINT), None, bind=_shifted),
    Overload((ANY, BIGINT, ANY), None, bind=_shifted),
)
_VALUE = (Overload((ANY,), None, bind=same_type),)

FUNCTIONS = (
    WindowFunction("row_number", _NONE_BIGINT, "Number of the row in its partition, from 1", never_null=True),
    WindowFunction("rank", _NONE_BIGINT, "Rank with gaps: equal rows share one", never_null=True),
    WindowFunction(
        "dense_rank",
        _NONE_BIGINT,
        "Rank without gaps: equal rows share one",
        ("rank_dense",),
        never_null=True,
    ),
    WindowFunction(
        "percent_rank", _NONE_DOUBLE, "Rank as a fraction: (rank - 1) / (rows - 1)", never_null=True
    ),
    WindowFunction(
        "cume_dist",
        _NONE_DOUBLE,
        "Share of the partition's rows that do not come after the row",
        never_null=True,
    ),
    WindowFunction(
        "ntile", (Overload((BIGINT,), BIGINT),), "Number, from 1, of the row's part of so many even parts"
    ),
    WindowFunction("lag", _SHIFT, "Value in the row so many rows before", takes_ignore_nulls=True),
    WindowFunction("lead", _SHIFT, "Value in the row so many rows after", takes_ignore_nulls=True),
    WindowFunction(
        "first_value",
        _VALUE,
        "Value in the first row of the frame",
        framed=True,
        takes_ignore_nulls=True,
    ),
    WindowFunction(
        "last_value", _VALUE, "Value in the last row of the frame", framed=True, takes_ignore_nulls=True
    ),
    WindowFunction(
        "nth_value",
        (Overload((ANY, BIGINT), None, bind=_nth),),
        "Value in the row of the frame with this number, from 1",
        framed=True,
        takes_ignore_nulls=True,
    ),
)

# What these aggregates are over windows, where they take IGNORE NULLS too.
OVER_NAMES = {"first": "first_value", "last": "last_value"}
