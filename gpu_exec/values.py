"""The value of an expression over a device batch: a column or a constant, and the rows where it failed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import pyarrow as pa

from ..physical.stored import INT64_HIGH, INT64_LOW, Bounds, may_be_wide, to_scaled, values_range
from ..planner.errors import Span, SqlError
from ..planner.types import BOOLEAN, SQLType, TypeId
from .ops import Ops
from .storage import arrow_scalar, data_type, integer_type, is_wide, named_type


@dataclass(frozen=True)
class Failure:
    """Rows (a BOOL8 column without NULLs) whose evaluation is an error, unless what is around the expression
    leaves them out.

    The rows stay on the device; an operator asks once a batch whether any of them is true. `at`, where there
    is one, makes the error of the first of the rows that are left then. `span` is the place in the SQL text.
    An error that tells values has neither at first (`untold`): those values would stay in memory though
    hardly any batch fails. For one that does, the expressions are evaluated again, and keep them.
    """

    rows: Any
    error: Callable[[], SqlError] | None = None
    at: Callable[[Any], SqlError] | None = None
    span: Span | None = None

    @property
    def untold(self) -> bool:
        """Whether the expressions must be evaluated again for the error."""
        return self.at is None and self.error is None

    def raised(self) -> SqlError:
        """The error to raise."""
        if self.at is not None:
            error = self.at(self.rows)
        else:
            assert self.error is not None
            error = self.error()
        if error.span is None:
            error.span = self.span
        return error


@dataclass(frozen=True)
class Value:
    """A column of a SQL type, or, without column, the constant `literal` in the form of `expr.Literal`.

    `bounds` are inclusive bounds of the stored integers that are not NULL, where known. At rows of
    `failures` the column holds anything.
    """

    type: SQLType
    column: Any = None
    literal: Any = None
    bounds: Bounds | None = None
    failures: tuple[Failure, ...] = ()

    @property
    def is_constant(self) -> bool:
        return self.column is None

    @property
    def is_null(self) -> bool:
        """Whether this is the constant NULL."""
        return self.column is None and self.literal is None

    @property
    def is_wide(self) -> bool:
        """Whether the stored integers are 128 bits wide."""
        if self.column is not None:
            return is_wide(self.column)
        fits = self.literal is None or not may_be_wide(self.type) or INT64_LOW <= self.literal <= INT64_HIGH
        return not fits

    def known_bounds(self) -> Bounds:
        """Known bounds, else those of the type. Only for types stored as integers."""
        if self.column is None and self.literal is not None:
            return self.literal, self.literal
        if self.bounds is not None:
            return self.bounds
        return values_range(self.type)

    def failing(self, *others: Value) -> Value:
        """The same with the failures of others, which it was computed from, before its own."""
        more = tuple(f for other in others for f in other.failures)
        return replace(self, failures=more + self.failures) if more else self

    def placed(self, span: Span | None) -> Value:
        """The same with `span` as the place of those failures that have none yet."""
        if span is None or all(f.span is not None for f in self.failures):
            return self
        placed = tuple(f if f.span is not None else replace(f, span=span) for f in self.failures)
        return replace(self, failures=placed)


def null_value(type_: SQLType) -> Value:
    """NULL for every row."""
    return Value(type_)


class Evaluation:
    """What evaluating expressions over one batch needs: the calls, and the number of rows. `telling`: the
    errors are going to be told, and keep what they tell of.
    """

    def __init__(self, ops: Ops, rows: int, *, telling: bool = False) -> None:
        self.ops = ops
        self.rows = rows
        self.telling = telling

    def operand(self, value: Value, *, wide: bool | None = None) -> Any:
        """A column or a scalar, for a binary operation. With `wide` stored integers are made 64 or 128 bits
        wide.
        """
        wanted = value.is_wide if wide is None else wide
        if value.column is None:
            return self.ops.scalar(arrow_scalar(value.type, value.literal, wide=wanted))
        return self.widened(value) if wanted and not value.is_wide else value.column

    def column(self, value: Value) -> Any:
        """A column of the batch's rows, also of a constant."""
        if value.column is not None:
            return value.column
        return self.ops.repeated(self.operand(value), self.rows)

    def widened(self, value: Value) -> Any:
        """DECIMAL128 of a column of stored INT64 integers."""
        whole = self.ops.cast(value.column, named_type("DECIMAL128", 0))
        return self.ops.bits_as(whole, data_type(value.type, wide=True))

    def integers(self, value: Value) -> Any:
        """Dates and timestamps as the integers they are stored as: a column or a scalar."""
        if value.column is None:
            kind = pa.int32() if value.type.id is TypeId.DATE else pa.int64()
            return self.ops.scalar(pa.scalar(value.literal, kind))
        return self.ops.bits_as(value.column, integer_type(value.type))

    def truth(self, value: Value) -> Any:
        """A boolean value as a column with NULL as false."""
        if value.column is None:
            return self.ops.repeated(self.ops.truth(bool(value.literal)), self.rows)
        return self.ops.is_true(value.column)

    def boolean(self, column: Any, *sources: Value) -> Value:
        """A boolean result with the failures of what it was computed from."""
        return Value(BOOLEAN, column).failing(*sources)

    def only_where(self, failures: Sequence[Failure], mask: Any) -> tuple[Failure, ...]:
        """The failures at the rows of a mask without NULLs."""
        return tuple(replace(f, rows=self.ops.both(f.rows, mask)) for f in failures)

    def failure(self, rows: Any, error: Callable[[], SqlError]) -> Failure:
        """Rows (NULL is no failure) at which an error is due."""
        return Failure(self.ops.is_true(rows), error)

    def failure_of(
        self, rows: Any, operands: Sequence[Value], error: Callable[[Sequence[Any]], SqlError]
    ) -> Failure:
        """The same; the error is told what the operands hold at the first of the rows, as it is stored."""
        ops = self.ops
        if not self.telling:
            return Failure(ops.is_true(rows))
        return Failure(
            ops.is_true(rows), at=lambda failed: error([_first_stored(v, failed, ops) for v in operands])
        )


def raise_failures(ops: Ops, failures: Sequence[Failure], again: Callable[[], Sequence[Failure]]) -> None:
    """Raises the error of the first failure that has a row. Waits for the device if there are any. `again`
    gives the same failures with what their errors tell.
    """
    if not failures:
        return
    together = failures[0].rows
    for failure in failures[1:]:
        together = ops.either(together, failure.rows)
    if ops.any_true(together):
        for place, failure in enumerate(failures):
            if ops.any_true(failure.rows):
                told = again()[place] if failure.untold else failure
                raise told.raised()


def _first(column: Any, rows: Any, ops: Ops) -> Any:
    (kept,) = ops.sliced(ops.kept([column], rows), 0, 1)
    return kept.to_arrow(stream=ops.stream)[0].as_py()


def _first_stored(value: Value, rows: Any, ops: Ops) -> Any:
    found = value.literal if value.is_constant else _first(value.column, rows, ops)
    return to_scaled(found, value.type.scale) if isinstance(found, Decimal) else found
