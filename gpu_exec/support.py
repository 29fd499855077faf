"""What the GPU can run: pure data, importable with no GPU library installed.

Each table maps what may stand in a plan to `None` (it can run) or to the reason, in words, why it cannot.
What is in no table cannot run either: its reason is built from its name. `supports` collects *all* reasons of
a node.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..physical import nodes
from ..physical.backend import YES, Support, Why
from ..physical.batch import Device
from ..physical.nodes import Node
from ..physical.tables import ParquetTable
from ..planner import expr as e
from ..planner.expr import Column
from ..planner.logical import JoinKind
from ..planner.types import SQLType, TypeId

Reason = str | None

OPERATORS: dict[type[Node], Reason] = {
    nodes.TableScan: None,
    nodes.Values: None,
    nodes.Filter: None,
    nodes.Project: None,
    nodes.Repeat: None,
    nodes.HashJoin: None,
    nodes.NestedLoopJoin: None,
    nodes.HashAggregate: None,
    nodes.Sort: None,
    nodes.TopN: None,
    nodes.Limit: None,
    nodes.UnionAll: None,
    nodes.Cte: None,
    nodes.CteScan: None,
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
}

_UNICODE_CASE = "libcudf maps case one code point to one, which differs for some letters"
_REGEX = "libcudf's regular expressions differ from RE2"
_TRIMMED = "what counts as white space differs"
_DOMAIN = "values outside its domain are errors, which are raised row by row on the CPU"
_NO_REASON: dict[str, Reason] = {}
FUNCTIONS: dict[str, Reason] = (
    _NO_REASON
    | dict.fromkeys(("+", "-", "*", "/", "//", "%", "neg", "abs", "||", "concat", "isnan", "pow"))
    | dict.fromkeys(("exp", "sqrt", "cbrt", "atan", "sinh", "cosh", "tanh"))
    | dict.fromkeys(("sin", "cos", "tan", "asin", "acos", "ln", "log", "log2", "log10"), _DOMAIN)
    | dict.fromkeys(("year", "month", "day", "quarter", "hour", "minute", "second"))
    | dict.fromkeys(("dayofweek", "dayofyear", "last_day"))
    | dict.fromkeys(("like", "like_escape", "contains", "starts_with", "ends_with", "substring", "length"))
    | dict.fromkeys(("replace", "reverse", "strpos"))
    | dict.fromkeys(("upper", "lower", "ilike", "ilike_escape"), _UNICODE_CASE)
    | dict.fromkeys(("regexp_matches", "regexp_replace", "regexp_extract", "regexp_full_match"), _REGEX)
    | dict.fromkeys(("trim", "ltrim", "rtrim"), _TRIMMED)
    | dict.fromkeys(("round", "trunc"), "libcudf rounds doubles in another way")
)

AGGREGATES: dict[str, Reason] = dict.fromkeys(
    (
        "count_star",
        "count",
        "count_if",
        "sum",
        "avg",
        "min",
        "max",
        "bool_and",
        "bool_or",
        "first",
        "last",
        "any_value",
        "stddev_samp",
        "stddev_pop",
        "var_samp",
        "var_pop",
        "median",
        "product",
    )
) | {"string_agg": "ordered string aggregation runs on the CPU", "mode": "libcudf has no mode aggregation"}

# Arguments, by place, that must be literals: libcudf takes scalars there, or the pattern is read in advance.
LITERALS: dict[str, tuple[int, ...]] = {
    "substring": (1, 2),
    "like": (1,),
    "like_escape": (1, 2),
    "replace": (1, 2),
}
_NARROW_DIVISION = "division of 128-bit integers and decimals runs on the CPU"
_INTERVALS = "arithmetic with intervals runs on the CPU"
_NUMBERS_ONLY = frozenset(
    {"sum", "avg", "median", "product", "var_samp", "var_pop", "stddev_samp", "stddev_pop"}
)
_DISTINCT = frozenset({"count", "sum", "avg", "min", "max", "bool_and", "bool_or"})
_KEEP_NULLS = frozenset({"first", "last"})

JOIN_KINDS: dict[JoinKind, Reason] = dict.fromkeys(JoinKind)

_INTEGERS = "casts from text to numbers raise errors row by row on the CPU"


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
    if not isinstance(table, ParquetTable):
        return []
    types = {column.name: column.type for column in table.columns}
    for name in (*node.names, *node.hidden_names):
        for meta in table.metas:
            found = meta.find(table.stored_name[name])
            if found is not None and found.type != types[name]:
                what = "has other types in some files, which are cast on the CPU"
                return [Why(f"column {name} {what}", f"a column {what}")]
    return []


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
        case nodes.HashJoin(keys=keys, residual=residual, mark_keys=mark_keys, mark_rest=rest):
            sides = [side for key in (*keys, *mark_keys) for side in (key.left, key.right)]
            return [*sides, *rest, *([] if residual is None else [residual])]
        case nodes.NestedLoopJoin(condition=condition, mark_terms=terms):
            return [*terms, *([] if condition is None else [condition])]
        case nodes.HashAggregate(groups=groups, calls=calls):
            return [*groups, *calls]
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
    values = [part] if isinstance(part, (e.Call, e.Cast)) else [part, *e.children(part)]
    for value in values:
        reasons.extend(_value_reasons(value, constant=value is not part))
    if isinstance(part, e.Call):
        reasons.extend(_named("function", part.function, FUNCTIONS) or _call_reasons(part))
    elif isinstance(part, e.UserCall):
        if not part.function.gpu:
            reasons.append(f"the Python function {part.function.name} runs on the CPU")
    elif isinstance(part, e.AggregateCall):
        reasons.extend(_named("aggregate", part.function, AGGREGATES) or _aggregate_reasons(part))
    elif isinstance(part, e.Cast):
        reasons.extend(_cast_reasons(part.arg.type, part.type))
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


def _call_reasons(call: e.Call) -> list[str]:
    reasons = []
    places = [i for i in LITERALS.get(call.function, ()) if i < len(call.args)]
    for place in places:
        arg = call.args[place]
        if not isinstance(arg, e.Literal):
            reasons.append(f"the function {call.function}: argument {place + 1} is no constant")
    if not reasons and call.function == "like_escape" and not _escapes(call.args[1], call.args[2]):
        reasons.append(
            "the function like_escape: an escape character that libcudf takes otherwise, or refuses"
        )
    kinds = [arg.type.id for arg in call.args]
    if TypeId.INTERVAL in kinds:
        reasons.append(_INTERVALS)
    temporal = [arg for arg in call.args if arg.type.is_temporal]
    if call.function in ("+", "-") and any(arg.type.id is not TypeId.DATE for arg in temporal):
        reasons.append("arithmetic with timestamps runs on the CPU")
    if call.function in ("//", "%") and not all(_fits_64(arg.type) for arg in call.args):
        reasons.append(_NARROW_DIVISION)
    return reasons


def _escapes(pattern: e.Expr, escape: e.Expr) -> bool:
    """Whether libcudf reads a pattern with an escape character as SQL does: it is ASCII, and another
    character follows each.
    """
    assert isinstance(pattern, e.Literal)
    assert isinstance(escape, e.Literal)
    if not pattern.value or not escape.value:
        return True
    plain = len(escape.value) == 1 and escape.value.isascii()
    return plain and not pattern.value.replace(2 * escape.value, "").endswith(escape.value)


def _fits_64(type_: SQLType) -> bool:
    return type_.is_float or (type_.is_integer and type_.id not in (TypeId.HUGEINT, TypeId.UBIGINT))


def _aggregate_reasons(call: e.AggregateCall) -> list[str]:
    reasons = []
    name = call.function
    if call.order_by:
        reasons.append(f"the aggregate {name}: ORDER BY within it runs on the CPU")
    if call.distinct and name not in _DISTINCT:
        reasons.append(f"the aggregate {name}: DISTINCT runs on the CPU")
    if call.filter is not None and name in _KEEP_NULLS:
        reasons.append(f"the aggregate {name}: FILTER runs on the CPU")
    if name in _NUMBERS_ONLY and not call.args[0].type.is_numeric:
        reasons.append(f"the aggregate {name} of {call.args[0].type} runs on the CPU")
    return reasons


def _cast_reasons(source: SQLType, target: SQLType) -> list[str]:
    if source == target or source.id is TypeId.NULL:
        return []
    if source.is_string:
        return [f"CAST from VARCHAR to {target}: {_INTEGERS}"]
    if target.is_string and not source.is_integer:
        return [f"CAST from {source} to VARCHAR: the text form differs from libcudf's"]
    if source.is_float and (target.is_decimal or target.id in (TypeId.HUGEINT, TypeId.UBIGINT)):
        return [f"CAST from {source} to {target}: halves are rounded on the CPU"]
    if source.is_temporal is not target.is_temporal and not target.is_string:
        return [f"CAST from {source} to {target} runs on the CPU"]
    if source.id is TypeId.HUGEINT and target.is_string:
        return ["CAST from HUGEINT to VARCHAR runs on the CPU"]
    return []
