"""Texts of the errors that operators raise while they run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ...planner.errors import InvalidInputError, OutOfRangeError, SqlError


def sum_overflow() -> SqlError:
    """A sum of integers or decimals that its type cannot hold."""
    return OutOfRangeError(
        "overflow",
        "Overflow in SUM: the result does not fit in 38 digits",
        hint="Cast the argument to DOUBLE for an approximate sum.",
    )


def second_row() -> SqlError:
    """A scalar subquery gave more than one row."""
    return InvalidInputError(
        "scalar_subquery_rows",
        "More than one row returned by a subquery used as an expression",
        hint="Add LIMIT 1 or an aggregate to the subquery, so that it returns one row.",
    )


@contextmanager
def size_limits(what: str) -> Iterator[None]:
    """Turns the kernels' OverflowError, for more rows or text than 32 bits number, into a user's error."""
    try:
        yield
    except OverflowError as error:
        raise OutOfRangeError(
            "too_large",
            f"{what} holds more than an operator can: 2^31 rows, or 2 GiB of text in one column",
            hint="Reduce the data with a filter or with fewer columns.",
        ) from error
