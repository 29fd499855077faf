"""The few library calls that expressions and operators are made of, on one CUDA stream.

Only this module and those under `operators/` and `functions/` call pylibcudf. Nothing here waits for the
device.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import pyarrow as pa

from ..physical.spill import SpillStore
from ..planner.types import SQLType
from .library import Column, DataType, Expression, Scalar, Table, plc, rmm
from .memory import DeviceMemory
from .storage import data_type, named_type

# A column, or a scalar, of the library.
Operand: TypeAlias = Column | Scalar


class Ops:
    """Calls on one stream. A binary operation takes columns and scalars, at least one of them a column.

    `memory` is the device's, `store` takes what has to leave it; `functions` are the Python functions that
    expressions call, see `physical.context.Check`.
    """

    def __init__(
        self,
        memory: DeviceMemory,
        store: SpillStore,
        stream: Any,
        functions: Mapping[int, Any] | None = None,
    ) -> None:
        self.plc = plc()
        self.memory = memory
        self.store = store
        self.stream = stream
        self.functions = functions or {}
        self.bool = named_type("BOOL8")

    def close(self) -> None:
        """Waits for what was started: other streams may then read its results."""
        try:
            self.stream.synchronize()
        finally:
            self.memory.leave(self.stream)

    # Making columns ---------------------------------------------------------------------------------------
    def scalar(self, value: pa.Scalar) -> Scalar:
        """An Arrow scalar on the device."""
        return self.plc.Scalar.from_arrow(value, stream=self.stream)

    def truth(self, value: bool | None) -> Scalar:
        """A boolean scalar."""
        return self.scalar(pa.scalar(value, pa.bool_()))

    def int32(self, value: int) -> Scalar:
        """A scalar of row numbers and counts."""
        return self.scalar(pa.scalar(value, pa.int32()))

    def repeated(self, scalar: Scalar, rows: int) -> Column:
        """A column of one value."""
        return self.plc.Column.from_scalar(scalar, rows, stream=self.stream)

    def row_numbers(self, rows: int, start: int = 0, step: int = 1) -> Column:
        """start, start + step, ... as INT32: `rows` of them."""
        return self.plc.filling.sequence(rows, self.int32(start), self.int32(step), stream=self.stream)

    def numbers(self, values: range) -> Column:
        """The numbers as INT64."""
        first, step = (self.scalar(pa.scalar(value, pa.int64())) for value in (values.start, values.step))
        return self.plc.filling.sequence(len(values), first, step, stream=self.stream)

    def nulls(self, type_: SQLType, rows: int) -> Column:
        """A column of NULLs."""
        empty = self.plc.column_factories.make_empty_column(data_type(type_), stream=self.stream)
        return self.plc.Column.all_null_like(empty, rows, stream=self.stream)

    def upload(self, array: pa.Array) -> Column:
        """An Arrow array as a column."""
        return self.plc.Column.from_arrow(array, stream=self.stream)

    # Element by element -----------------------------------------------------------------------------------
    def binary(self, operator: str, left: Operand, right: Operand, type_: DataType | None = None) -> Column:
        """A binary operation by libcudf's name; the result is BOOL8 unless a type is given."""
        operation = getattr(self.plc.binaryop.BinaryOperator, operator)
        return self.plc.binaryop.binary_operation(
            left, right, operation, self.bool if type_ is None else type_, stream=self.stream
        )

    def unary(self, operator: str, of: Column) -> Column:
        """A unary operation by libcudf's name."""
        operation = getattr(self.plc.unary.UnaryOperator, operator)
        return self.plc.unary.unary_operation(of, operation, stream=self.stream)

    def cast(self, of: Column, type_: DataType) -> Column:
        """A cast as libcudf does it; the column itself when it has that type."""
        if of.type() == type_:
            return of
        return self.plc.unary.cast(of, type_, stream=self.stream)

    def bits_as(self, of: Column, type_: DataType) -> Column:
        """The same bits under a type of the same width."""
        return of if of.type() == type_ else self.plc.unary.bit_cast(of, type_, stream=self.stream)

    def is_null(self, of: Column) -> Column:
        """True at NULL rows."""
        return self.plc.unary.is_null(of, stream=self.stream)

    def is_valid(self, of: Column) -> Column:
        """True at rows that are not NULL."""
        return self.plc.unary.is_valid(of, stream=self.stream)

    def filled(self, of: Column, scalar: Scalar) -> Column:
        """NULLs replaced by a value."""
        return self.plc.replace.replace_nulls(of, scalar, stream=self.stream)

    def is_true(self, of: Column) -> Column:
        """A boolean column with NULL as false."""
        return self.filled(of, self.truth(False)) if of.null_count() else of

    def both(self, left: Operand, right: Operand) -> Column:
        """AND of booleans, three-valued."""
        return self.binary("NULL_LOGICAL_AND", left, right)

    def either(self, left: Operand, right: Operand) -> Column:
        """OR of booleans, three-valued."""
        return self.binary("NULL_LOGICAL_OR", left, right)

    def inverse(self, of: Column) -> Column:
        """NOT of booleans."""
        return self.unary("NOT", of)

    def choose(self, left: Operand, right: Operand, mask: Column) -> Column:
        """`left` where the mask is true, else `right` (a NULL in the mask chooses `right`)."""
        return self.plc.copying.copy_if_else(left, right, mask, stream=self.stream)

    # Expression trees -------------------------------------------------------------------------------------
    def leaf(self, place: int) -> Expression:
        """A column of the table that a tree is evaluated over."""
        return self.plc.expressions.ColumnReference(place)

    def constant(self, value: Scalar) -> Expression:
        """A scalar of the type that the other operand has."""
        return self.plc.expressions.Literal(value)

    def tree(self, operator: str, left: Expression, right: Expression | None = None) -> Expression:
        """An operation by libcudf's name. Who is given a tree may not keep it: the caller has to."""
        operation = getattr(self.plc.expressions.ASTOperator, operator)
        return self.plc.expressions.Operation(operation, left, right)

    def computed(self, columns: Sequence[Column], tree: Expression) -> Column:
        """The value of a tree at each row."""
        return self.plc.transform.compute_column(self.table(columns), tree, stream=self.stream)

    # Rows -------------------------------------------------------------------------------------------------
    def table(self, columns: Sequence[Column], rows: int | None = None) -> Table:
        """A table of columns; `rows` matters where there is none."""
        return self.plc.Table(list(columns)) if columns else self.plc.Table([], rows)

    def kept(self, columns: Sequence[Column], mask: Column) -> list[Column]:
        """The rows at which a mask is true."""
        kept = self.plc.stream_compaction.apply_retention_mask(self.table(columns), mask, stream=self.stream)
        return list(kept.columns())

    def gathered(
        self, columns: Sequence[Column], rows: Column, *, outside_is_null: bool = False
    ) -> list[Column]:
        """The given rows; with `outside_is_null` a number that is no row's gives NULLs."""
        if not columns:
            return []
        policy = self.plc.copying.OutOfBoundsPolicy
        how = policy.NULLIFY if outside_is_null else policy.DONT_CHECK
        taken = self.plc.copying.gather(self.table(columns), rows, how, stream=self.stream)
        return list(taken.columns())

    def sliced(self, columns: Sequence[Column], start: int, stop: int) -> list[Column]:
        """Rows start .. stop without a copy."""
        if not columns:
            return []
        (part,) = self.plc.copying.slice(self.table(columns), [start, stop], stream=self.stream)
        return list(part.columns())

    def packed(self, columns: Sequence[Column]) -> list[Column]:
        """A copy in one piece of memory of its own, of what may be views of more rows."""
        if not columns:
            return []
        split = self.plc.contiguous_split
        whole = split.pack(self.table(columns), stream=self.stream)
        return list(split.unpack(whole, stream=self.stream).columns())

    def concatenated(self, tables: Sequence[Sequence[Column]]) -> list[Column]:
        """The rows of all tables, at least one, of equal types."""
        if len(tables) == 1:
            return list(tables[0])
        made = [self.table(columns) for columns in tables]
        return list(self.plc.concatenate.concatenate(made, stream=self.stream).columns())

    def order(
        self, keys: Sequence[Column], descending: Sequence[bool], nulls_first: Sequence[bool]
    ) -> Column:
        """Row numbers in a stable order of the keys."""
        return self.plc.sorting.stable_sorted_order(
            self.table(keys), *self._orders(descending, nulls_first), stream=self.stream
        )

    def places(
        self,
        ordered: Sequence[Column],
        keys: Sequence[Column],
        descending: Sequence[bool],
        nulls_first: Sequence[bool],
        *,
        after: bool,
    ) -> Column:
        """Before which of some ordered rows each key belongs; `after`: behind those that are equal to it."""
        find = self.plc.search.upper_bound if after else self.plc.search.lower_bound
        orders = self._orders(descending, nulls_first)
        return find(self.table(ordered), self.table(keys), *orders, stream=self.stream)

    def _orders(self, descending: Sequence[bool], nulls_first: Sequence[bool]) -> tuple[list[Any], list[Any]]:
        kinds, nulls = self.plc.types.Order, self.plc.types.NullOrder
        return (
            [kinds.DESCENDING if down else kinds.ASCENDING for down in descending],
            # libcudf's NULL order is relative to ascending order: it turns round with the direction.
            [
                nulls.BEFORE if first is not down else nulls.AFTER
                for first, down in zip(nulls_first, descending, strict=True)
            ],
        )

    def fetch(self, address: int, into: memoryview) -> None:
        """Copies bytes of the device at an address into the host's memory: they are there once the stream
        has been waited for.
        """
        rmm().pylibrmm.device_buffer.copy_ptr_to_host(address, into, self.stream)

    # Waiting for the device -------------------------------------------------------------------------------
    def any_true(self, mask: Column) -> bool:
        """Whether a boolean column is true anywhere. Waits for the device."""
        found = self.plc.reduce.reduce(mask, self.plc.aggregation.any(), self.bool, stream=self.stream)
        return bool(found.to_py(stream=self.stream))
