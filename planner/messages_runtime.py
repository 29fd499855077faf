"""Texts of the errors found while a statement runs that are not about its text."""

from __future__ import annotations

import traceback

from .errors import (
    EngineError,
    InterruptError,
    InvalidInputError,
    OutOfMemoryError,
    OutOfRangeError,
    Span,
    UnsupportedError,
)


def internal_error(error: BaseException) -> EngineError:
    """A bug of ours: told in one sentence with the place in our code; the cause is chained for developers."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename.rsplit('/', 1)[-1]}, line {frames[-1].lineno})" if frames else ""
    what = str(error).splitlines()[0] if str(error) else "no message"
    return EngineError(
        "internal",
        f"TandemDB failed: {type(error).__name__}: {what}{place}",
        hint="this is a bug; the session can go on. Please report it with the statement",
    )


def interrupted() -> InterruptError:
    """The query was cancelled."""
    return InterruptError("interrupted", "the query was interrupted")


def left_behind() -> InterruptError:
    """The query's threads are not in this process."""
    return InterruptError(
        "forked",
        "the query runs in the process that this one was forked from",
        hint="execute it again here, on a connection of this process",
    )


def out_of_memory(what: str, more: str, used: str, limit: str, setting: str) -> OutOfMemoryError:
    """`what` wanted `more` bytes than the budget of `setting` has left; sizes in words."""
    return OutOfMemoryError(
        "out_of_memory",
        f"{what} needs {more} more, but {used} of the {limit} allowed are in use",
        hint=f"raise the limit (SET {setting} = '...') or reduce the data with a filter",
    )


def host_memory_short() -> OutOfMemoryError:
    """This machine, or a limit of the process, refused memory."""
    return OutOfMemoryError(
        "host_out_of_memory",
        "this process gets no more memory from the system",
        hint="use less (SET threads = ..., SET memory_limit = '...') or reduce the data with a filter",
    )


def threads_short() -> OutOfMemoryError:
    """The system starts no more threads: each needs memory for its stack, and their number has a limit."""
    return OutOfMemoryError(
        "no_more_threads",
        "the system starts no more threads for this process: it lacks memory for them, or has too many",
        hint="use fewer (SET threads = ...), leave them memory (SET memory_limit = '...') or raise the limit",
    )


def spill_failed(directory: str, reason: str) -> OutOfMemoryError:
    """Rows that did not fit in memory could not be written to disk."""
    where = f"'{directory}'" if directory else "the system's temporary directory"
    return OutOfMemoryError(
        "spill_failed",
        f"rows that do not fit in memory cannot be written to {where}: {reason}",
        hint="make room there, name another place (SET temp_directory = '...') or raise memory_limit",
    )


_GPU_HINT = "raise the limit (SET gpu_memory_limit = '...') or run without it (SET device = 'cpu')"


def device_memory_short() -> OutOfMemoryError:
    """Rows on the GPU cannot be moved for want of its memory."""
    return OutOfMemoryError(
        "gpu_out_of_memory",
        "the GPU's memory is too small to go on, even on the CPU: rows that lie there cannot be moved",
        hint=_GPU_HINT,
    )


def device_memory_short_between() -> OutOfMemoryError:
    """The GPU's memory ran short when some rows were with the consumer already."""
    return OutOfMemoryError(
        "gpu_out_of_memory",
        "the GPU's memory ran short between the rows of the result, and a second run would give other rows: "
        "the query has functions such as random()",
        hint=_GPU_HINT,
    )


def too_large(what: str) -> OutOfRangeError:
    """More rows or text than 32 bits number."""
    return OutOfRangeError(
        "too_large",
        f"{what} holds more than an operator can: 2^31 rows, or 2 GiB of text in one column",
        hint="Reduce the data with a filter or with fewer columns.",
    )


def sum_overflow() -> OutOfRangeError:
    """A sum of integers or decimals that its type cannot hold."""
    return OutOfRangeError(
        "overflow",
        "Overflow in SUM: the result does not fit in 38 digits",
        hint="Cast the argument to DOUBLE for an approximate sum.",
    )


def second_row() -> InvalidInputError:
    """A scalar subquery gave more than one row."""
    return InvalidInputError(
        "scalar_subquery_rows",
        "More than one row returned by a subquery used as an expression",
        hint="Add LIMIT 1 or an aggregate to the subquery, so that it returns one row.",
    )


# LIMIT and OFFSET -------------------------------------------------------------------------------------------
def limit_not_constant(span: Span | None) -> UnsupportedError:
    """LIMIT or OFFSET is an expression that is no constant when the plan is made."""
    return UnsupportedError(
        "limit_expression", "LIMIT and OFFSET must be constants or uncorrelated subqueries", span=span
    )


def correlated_limit(span: Span | None) -> UnsupportedError:
    """LIMIT or OFFSET reads columns of an outer query."""
    return UnsupportedError("correlated_limit", "a correlated LIMIT or OFFSET is not supported", span=span)


def limit_below_zero(span: Span | None) -> InvalidInputError:
    """The subquery of a LIMIT or OFFSET gave a negative number."""
    return InvalidInputError("negative_limit", "LIMIT and OFFSET cannot be negative", span=span)


# Windows ----------------------------------------------------------------------------------------------------
def frame_offset_null(kind: str) -> InvalidInputError:
    """An offset of ROWS is NULL; `kind` is 'preceding' or 'following'."""
    return InvalidInputError("null_frame_offset", f"Window ROWS {kind.upper()} expression cannot be NULL")


def frame_offset_negative(kind: str) -> InvalidInputError:
    """An offset of ROWS is below zero."""
    return InvalidInputError(
        "negative_frame_offset", f"Window ROWS {kind.upper()} expression cannot be negative"
    )


def frame_offset_invalid(unit: str, kind: str) -> OutOfRangeError:
    """An offset of RANGE or GROUPS leads to the wrong side of the row."""
    return OutOfRangeError(
        "frame_offset",
        f"Invalid {unit.upper()} {kind.upper()} value",
        hint="the offset of a frame must not be negative",
    )


def ntile_not_positive() -> InvalidInputError:
    """ntile of no, or fewer, parts."""
    return InvalidInputError("ntile_argument", "Argument for ntile must be greater than zero")
