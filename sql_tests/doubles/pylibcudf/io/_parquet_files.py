"""Files read by pyarrow, in pieces of row groups, as the device's reader would give them."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ...errors import expects, invalid_argument, logic_error, out_of_range
from ...kernels import storage
from .._casts import cast_rows
from .._expressions import Rows, predicate
from .._kinds import Kind, kind_of, nothing, stored
from ..expressions import (
    ASTOperator,
    ColumnNameReference,
    ColumnReference,
    Expression,
    Literal,
    Operation,
)
from ..traits import is_fixed_point
from ..types import DataType, TypeId

_COMPARED = frozenset(
    (
        ASTOperator.EQUAL,
        ASTOperator.NOT_EQUAL,
        ASTOperator.LESS,
        ASTOperator.LESS_EQUAL,
        ASTOperator.GREATER,
        ASTOperator.GREATER_EQUAL,
    )
)
_COMBINED = frozenset(
    (
        ASTOperator.LOGICAL_AND,
        ASTOperator.LOGICAL_OR,
        ASTOperator.NULL_LOGICAL_AND,
        ASTOperator.NULL_LOGICAL_OR,
    )
)
_BYTES = {TypeId.DECIMAL32: 4, TypeId.DECIMAL64: 8, TypeId.DECIMAL128: 16}


@dataclass
class Selection:
    """What to read."""

    sources: list[Any]
    names: list[str] | None = None
    indices: list[int] | None = None
    row_groups: list[list[int]] | None = None
    rows: int | None = None
    skip: int = 0
    filter: weakref.ref[Expression] | None = None
    decimal: TypeId | None = None
    case_sensitive: bool = True
    ignore_missing: bool = True
    arrow_schema: bool = True

    def tree(self) -> Expression | None:
        """The filter. The reader has its address only: whoever set it has to keep it."""
        if self.filter is None:
            return None
        found = self.filter()
        if found is None:
            raise RuntimeError("the reader's filter is gone: the real one would read freed memory")
        return found


def batches(selection: Selection) -> tuple[list[str], list[Kind], list[list[pa.Array]]]:
    """Names and types of the columns, and their rows piece by piece: at least one piece."""
    expects(bool(selection.sources), logic_error("No input source"))
    chosen = not (selection.names is not None and selection.indices is not None)
    expects(chosen, invalid_argument("Cannot select columns by name and by index"))
    if selection.row_groups is not None:
        expects(
            selection.skip == 0 and selection.rows is None,
            logic_error("row groups with rows to skip or read"),
        )
        expects(
            len(selection.row_groups) == len(selection.sources), logic_error("row groups for each source")
        )
    if selection.filter is not None:
        expects(
            selection.skip == 0 and selection.rows is None, logic_error("a filter with rows to skip or read")
        )
    files = [pq.ParquetFile(source) for source in selection.sources]
    names = _columns(selection, files[0].schema_arrow.names)
    parts: list[list[pa.Array]] = []
    kinds: list[Kind] | None = None
    for number, file in enumerate(files):
        for group in _groups(selection, number, file):
            read = file.read_row_group(group, columns=_needed(selection, names))
            kinds, rows = _decoded(read, _widths(file), names, selection)
            parts.append(rows)
    if kinds is None:
        empty = files[0].schema_arrow.empty_table().select(_needed(selection, names))
        kinds, _ = _decoded(empty, _widths(files[0]), names, selection)
    if selection.skip or selection.rows is not None:
        parts = _limited(parts, selection.skip, selection.rows)
    return names, kinds, parts or [[nothing(kind) for kind in kinds]]


def _columns(selection: Selection, there: list[str]) -> list[str]:
    """The names of the columns to read, in the order they come in."""
    if selection.indices is not None:
        for index in selection.indices:
            expects(0 <= index < len(there), out_of_range("column index out of range"))
        return [there[index] for index in selection.indices]
    if selection.names is None:
        return list(there)
    if not selection.case_sensitive:
        known = {name.lower(): name for name in there}
        found = [known.get(name.lower(), name) for name in selection.names]
    else:
        found = selection.names
    missing = [name for name in found if name not in there]
    if missing and not selection.ignore_missing:
        raise invalid_argument(f"Encountered non-existent column in selected path: {missing[0]}")
    return [name for name in found if name in there]


def _groups(selection: Selection, number: int, file: pq.ParquetFile) -> list[int]:
    if selection.row_groups is None:
        return list(range(file.num_row_groups))
    for group in selection.row_groups[number]:
        expects(0 <= group < file.num_row_groups, out_of_range("Invalid rowgroup index"))
    return selection.row_groups[number]


def _needed(selection: Selection, names: list[str]) -> list[str]:
    """The columns to decode: a filter may name others."""
    found = list(names)
    tree = selection.tree()
    pending = [] if tree is None else [tree]
    while pending:
        part = pending.pop()
        if isinstance(part, ColumnNameReference) and part._name not in found:
            found.append(part._name)
        pending += list(getattr(part, "_operands", ()))
    return found


def _widths(file: pq.ParquetFile) -> dict[str, TypeId]:
    """The decimal type of each column of decimals: it goes by the bytes that a value has in the file."""
    found = {}
    for i in range(len(file.schema)):
        column = file.schema.column(i)
        if column.logical_type.type == "DECIMAL":
            length = {"INT32": 4, "INT64": 8}.get(column.physical_type, column.length)
            found[column.path] = next(kind for kind, most in _BYTES.items() if length <= most)
    return found


def _decoded(
    table: pa.Table, widths: dict[str, TypeId], names: list[str], selection: Selection
) -> tuple[list[Kind], list[pa.Array]]:
    found: dict[str, tuple[Kind, pa.Array]] = {}
    for name in table.column_names:
        chunks = table.column(name)
        array = chunks.combine_chunks() if chunks.num_chunks else pa.array([], chunks.type)
        array = array if isinstance(array, pa.Array) else pa.concat_arrays(array.chunks)
        if pa.types.is_duration(array.type) and not selection.arrow_schema:
            array = array.view(pa.int64())  # only the writer's Arrow schema says what it is
        found[name] = _as_read(array, selection.decimal or widths.get(name))
    tree = selection.tree()
    if tree is not None:

        def lookup(reference: Expression) -> Rows:
            if isinstance(reference, ColumnNameReference):
                expects(reference._name in found, invalid_argument("Column name not found in metadata"))
                kind, rows = found[reference._name]
            else:
                assert isinstance(reference, ColumnReference)
                expects(0 <= reference._index < len(names), out_of_range("column index out of range"))
                kind, rows = found[names[reference._index]]
            return Rows(rows, kind.dtype)

        _check_filter(tree, lambda reference: lookup(reference).dtype)
        at = np.flatnonzero(predicate(tree, lookup, table.num_rows))
        found = {name: (kind, storage.take(rows, at)) for name, (kind, rows) in found.items()}
    return [found[name][0] for name in names], [found[name][1] for name in names]


def _check_filter(tree: Expression, type_of: Callable[[Expression], DataType]) -> None:
    """Refuses the filters for which the reader's rewriting over statistics has crashed or gone wrong."""
    expects(isinstance(tree, Operation), logic_error("a filter that is no operation"))
    pending: list[Expression] = [tree]
    while pending:
        part = pending.pop()
        if not isinstance(part, Operation):
            continue
        leaves = [p for p in part._operands if isinstance(p, (ColumnReference, ColumnNameReference))]
        for leaf in leaves:
            sides = part._operands
            literal = len(sides) == 2 and leaf is sides[0] and isinstance(sides[1], Literal)
            compared = literal and part._op in _COMPARED
            expects(compared, logic_error("a filter's column is compared with a literal on its right"))
            kind = type_of(leaf)
            certain = kind.id().name.startswith(("INT", "TIMESTAMP_"))
            expects(certain, logic_error(f"a filter over statistics of {kind.id().name}"))
        expects(bool(leaves) or part._op in _COMBINED, logic_error(f"{part._op.name} in a filter"))
        pending += list(part._operands)


def _as_read(array: pa.Array, decimal: TypeId | None) -> tuple[Kind, pa.Array]:
    """A column as the device has it: a decimal in the width of the file, or in the one asked for."""
    if pa.types.is_dictionary(array.type):
        array = array.cast(array.type.value_type)
    if pa.types.is_binary(array.type) or pa.types.is_large_binary(array.type):
        array = array.cast(pa.binary()).view(pa.string())
    if pa.types.is_timestamp(array.type) and array.type.tz:
        array = array.cast(pa.timestamp(array.type.unit))
    kind = kind_of(array.type)
    rows = stored(array, kind)
    if not is_fixed_point(kind.dtype):
        return kind, rows
    width = decimal or kind.dtype.id()
    if width is kind.dtype.id():
        return kind, rows
    target = DataType(width, kind.dtype.scale())
    return Kind(target), cast_rows(rows, kind.dtype, target)


def _limited(parts: list[list[pa.Array]], skip: int, rows: int | None) -> list[list[pa.Array]]:
    found = []
    for part in parts:
        count = len(part[0]) if part else 0
        begin = min(skip, count)
        end = count if rows is None else min(begin + rows, count)
        skip -= begin
        rows = None if rows is None else rows - (end - begin)
        if end > begin:
            found.append([column[begin:end] for column in part])
    return found
