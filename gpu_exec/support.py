"""What the GPU can run: pure data, importable with no GPU library installed.

Each table maps what may stand in a plan to `None` (it can run) or to the reason, in words, why it cannot.
What is in no table cannot run either: its reason is built from its name. `supports` collects *all* reasons of
a node.
"""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa

from ..physical import nodes
from ..physical.backend import YES, Support, Why
from ..physical.batch import Device
from ..physical.file_tables import TextTable, WholeFiles
from ..physical.nodes import Node
from ..physical.tables import ParquetTable
from ..planner import expr as e
from ..planner.expr import Column
from ..planner.logical import JoinKind
from ..planner.types import SQLType, TypeId
from .support_aggregates import AGGREGATES, aggregate_reasons
from .support_functions import FUNCTIONS, call_reasons, cast_reasons
from .support_windows import WINDOWS, window_reasons

Reason = str | None

OPERATORS: dict[type[Node], Reason] = {
    nodes.TableScan: None,
    nodes.Values: None,
    nodes.Filter: None,
    nodes.Project: None,
    nodes.Repeat: None,
    nodes.Unnest: "lists are unnested on the CPU",
    nodes.HashJoin: None,
    nodes.NestedLoopJoin: None,
    nodes.HashAggregate: None,
    nodes.Sort: None,
    nodes.Window: None,
    nodes.TopN: None,
    nodes.Limit: None,
    nodes.UnionAll: None,
    nodes.Cte: None,
    nodes.CteScan: None,
    nodes.Recursion: "the rounds of a recursion are led by the CPU, which has the rows of earlier ones",
    nodes.WorkingScan: "the rows of a recursion's last round lie in the CPU's memory",
    nodes.Transfer: None,
    nodes.Bridge: None,
}

_TYPES_ON_GPU = {
    TypeId.BOOLEAN,
    TypeId.TINYINT,
    TypeId.SMALLINT,
    TypeId.INTEGER,
    TypeId.BIGINT,
    TypeId.HUGEINT,
    TypeId.UTINYINT,
    TypeId.USMALLINT,
    TypeId.UINTEGER,
    TypeId.UBIGINT,
    TypeId.FLOAT,
    TypeId.DOUBLE,
    TypeId.DECIMAL,
    TypeId.VARCHAR,
    TypeId.DATE,
    TypeId.TIMESTAMP,
    TypeId.TIMESTAMP_S,
    TypeId.TIMESTAMP_MS,
    TypeId.TIMESTAMP_NS,
}
FILE_COLUMNS = "columns of the files' folders and names are made on the CPU"
WHOLE_FILES = "whole files are read on the CPU"
TEXT_FILES = "CSV and JSON are parsed on the CPU"

TYPES: dict[TypeId, Reason] = {
    kind: None if kind in _TYPES_ON_GPU else f"libcudf has no column type for {kind.value.strip(chr(34))}"
    for kind in TypeId
} | {
    TypeId.BLOB: "libcudf has no binary column type",
    TypeId.TIMESTAMPTZ: "time zone rules are evaluated on the CPU",
    TypeId.TIME: "libcudf has no time-of-day column type",
    TypeId.INTERVAL: "libcudf has no month-day-microsecond interval",
    TypeId.LIST: "nested columns stay on the CPU",
    TypeId.STRUCT: "nested columns stay on the CPU",
    TypeId.MAP: "nested columns stay on the CPU",
}

JOIN_KINDS: dict[JoinKind, Reason] = dict.fromkeys(JoinKind)


class GpuSupport:
    """The GPU's side of `physical.backend.Capability`."""

    device = Device.GPU

    def supports(self, node: Node) -> Support:
        """Yes, or every reason why the GPU cannot run the node, each once."""
        reasons: list[str] = []
        kind = type(node)
        if kind not in OPERATORS:
            reasons.append(f"{kind.__name__} has no GPU operator")
        elif OPERATORS[kind] is not None:
            reasons.append(OPERATORS[kind] or "")
        if isinstance(node, (nodes.HashJoin, nodes.NestedLoopJoin)):
            reasons.extend([] if (why := JOIN_KINDS[node.kind]) is None else [why])
        if isinstance(node, nodes.TableScan):
            reasons.extend(_scan_reasons(node))
        for column in (*node.schema, *_read(node)):
            if (why := TYPES[column.type.id]) is not None:
                reasons.append(Why(f"column {column.name}: {why}", _of_type(column.type, why)))
        for expression in node_expressions(node):
            reasons.extend(expression_reasons(expression))
        return Support(tuple(dict.fromkeys(reasons))) if reasons else YES


def _read(node: Node) -> Iterable[Column]:
    """The columns that have to be on the device for a node to run there, whether or not it uses them."""
    match node:
        case nodes.TableScan(hidden=hidden):
            return hidden
        case nodes.Cte():
            return ()  # its definition may be anywhere
        case _:
            return (column for child in node.inputs for column in child.schema)


def _scan_reasons(node: nodes.TableScan) -> list[str]:
    table = node.table
    if isinstance(table, TextTable):
        return [TEXT_FILES]
    if isinstance(table, WholeFiles):
        return [WHOLE_FILES]
    if not isinstance(table, ParquetTable):
        return []
    types = {column.name: column.type for column in table.columns}
    for name in (*node.names, *node.hidden_names):
        if name in table.constant:
            return [FILE_COLUMNS]
        for meta in table.metas:
            found = meta.find(table.stored_name[name])
            if found is not None and _only_here(found.arrow):
                what = "is a UUID, JSON or a decimal of over 38 digits, which are decoded on the CPU"
                return [Why(f"column {name} {what}", f"a column {what}")]
            if found is not None and found.type != types[name]:
                what = "has other types in some files, which are cast on the CPU"
                return [Why(f"column {name} {what}", f"a column {what}")]
    return []


def _only_here(kind: pa.DataType) -> bool:
    return isinstance(kind, pa.BaseExtensionType) or pa.types.is_decimal256(kind)


def node_expressions(node: Node) -> list[e.Expr]:
    """All expressions a physical node evaluates."""
    match node:
        case nodes.TableScan(predicate=predicate):
            return [] if predicate is None else [predicate]
        case nodes.Values(literals=rows):
            return [expr for row in rows for expr in row if not isinstance(expr, e.Literal)]
        case nodes.Filter(predicate=predicate):
            return [predicate]
        case nodes.Project(exprs=exprs):
            return list(exprs)
        case nodes.Unnest(lists=lists):
            return list(lists)
        case nodes.HashJoin(keys=keys, residual=residual, mark_keys=mark_keys, mark_rest=rest):
            sides = [side for key in (*keys, *mark_keys) for side in (key.left, key.right)]
            return [*sides, *rest, *([] if residual is None else [residual])]
        case nodes.NestedLoopJoin(condition=condition, mark_terms=terms):
            return [*terms, *([] if condition is None else [condition])]
        case nodes.HashAggregate(groups=groups, calls=calls):
            return [*groups, *calls]
        case nodes.Window(partition=partition, order=order, calls=calls):
            return [*partition, *(key.expr for key in order), *calls]
        case nodes.Sort(keys=keys) | nodes.TopN(keys=keys):
            return [key.expr for key in keys]
        case _:
            return []


def expression_reasons(expression: e.Expr) -> list[str]:
    """Every reason why the GPU cannot evaluate an expression."""
    return [reason for part in e.walk(expression) for reason in _counted(part, _part_reasons(part))]


def _of_type(type_: SQLType, why: str) -> str:
    return f"a value of type {type_.id.value}: {why}"


def _counted(part: e.Expr, reasons: list[str]) -> list[str]:
    """The reasons why a part of an expression cannot be evaluated; they are counted without the sizes and
    fields of the types that they name.
    """
    if not reasons:
        return reasons
    types = {p.type for p in (part, *e.children(part))}
    counted = []
    for reason in reasons:
        topic = reason
        for kind in sorted(types, key=lambda t: (-len(str(t)), str(t))):
            topic = topic.replace(str(kind), kind.id.value)
        counted.append(Why(reason, topic))
    return counted


def _part_reasons(part: e.Expr) -> list[str]:
    reasons: list[str] = []
    # A function looks at its constants itself: an interval added to dates is never a column.
    values = [part] if isinstance(part, e.Call) else [part, *e.children(part)]
    for value in values:
        reasons.extend(_value_reasons(value, constant=value is not part))
    if isinstance(part, e.Call):
        reasons.extend(_named("function", part.function, FUNCTIONS) or call_reasons(part))
    elif isinstance(part, e.UserCall):
        if not part.function.gpu:
            reasons.append(f"the Python function {part.function.name} runs on the CPU")
    elif isinstance(part, e.AggregateCall):
        reasons.extend(_named("aggregate", part.function, AGGREGATES) or aggregate_reasons(part))
    elif isinstance(part, e.WindowCall):
        what = "aggregate" if part.function in AGGREGATES else "window function"
        reasons.extend(_named(what, part.function, WINDOWS) or window_reasons(part))
    elif isinstance(part, e.Cast):
        reasons.extend(cast_reasons(part.arg.type, part.type))
    return reasons


def _value_reasons(value: e.Expr, *, constant: bool) -> list[str]:
    """Why a value cannot be on the device. Constants are asked about where a column would be made of them."""
    untyped = value.type.id is TypeId.NULL
    if isinstance(value, e.Literal) is not constant or untyped or (why := TYPES[value.type.id]) is None:
        return []
    return [f"a value of type {value.type}: {why}"]


def _named(what: str, name: str, table: dict[str, Reason]) -> list[str]:
    if name not in table:
        return [f"the {what} {name} is not built for the GPU"]
    reason = table[name]
    return [] if reason is None else [f"the {what} {name}: {reason}"]
