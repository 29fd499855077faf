"""What the GPU can run: pure data, importable with no GPU library installed.

Each table maps what may stand in a plan to `None` (it can run) or to the reason, in words, why it cannot.
What is in no table cannot run either: its reason is built from its name. `supports` collects *all* reasons of
a node.
"""

from __future__ import annotations

from ..physical import nodes
from ..physical.backend import YES, Support
from ..physical.batch import Device
from ..physical.nodes import Node
from ..planner import expr as e
from ..planner.logical import JoinKind
from ..planner.types import SQLType, TypeId

Reason = str | None

OPERATORS: dict[type[Node], Reason] = {
    nodes.TableScan: None,
    nodes.Values: "literal rows are made on the CPU",
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
_NO_REASON: dict[str, Reason] = {}
FUNCTIONS: dict[str, Reason] = (
    _NO_REASON
    | dict.fromkeys(("+", "-", "*", "/", "//", "%", "neg", "abs", "sign", "||", "concat"))
    | dict.fromkeys(("ceil", "floor", "sqrt", "cbrt", "exp", "ln", "log", "log2", "log10", "pow"))
    | dict.fromkeys(
        ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "degrees", "radians")
    )
    | dict.fromkeys(("&", "|", "xor", "<<", ">>", "~", "isnan", "isinf", "isfinite", "greatest", "least"))
    | dict.fromkeys(("year", "month", "day", "quarter", "hour", "minute", "second", "dayofweek", "dayofyear"))
    | dict.fromkeys(("date_trunc", "date_part", "last_day"))
    | dict.fromkeys(("like", "like_escape", "contains", "starts_with", "ends_with", "substring", "length"))
    | dict.fromkeys(
        ("left", "right", "trim", "ltrim", "rtrim", "replace", "reverse", "lpad", "rpad", "strpos")
    )
    | dict.fromkeys(("repeat", "split_part"))
    | dict.fromkeys(("upper", "lower", "ilike", "ilike_escape"), _UNICODE_CASE)
    | dict.fromkeys(("regexp_matches", "regexp_replace", "regexp_extract", "regexp_full_match"), _REGEX)
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
        "quantile_cont",
        "product",
    )
) | {"string_agg": "ordered string aggregation runs on the CPU", "mode": "libcudf has no mode aggregation"}

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
        if isinstance(node, (nodes.HashJoin, nodes.NestedLoopJoin)) and (why := JOIN_KINDS[node.kind]):
            reasons.append(why)
        for column in node.schema:
            if (why := TYPES[column.type.id]) is not None:
                reasons.append(f"column {column.name}: {why}")
        for expression in node_expressions(node):
            reasons.extend(expression_reasons(expression))
        return Support(tuple(dict.fromkeys(reasons))) if reasons else YES


def node_expressions(node: Node) -> list[e.Expr]:
    """All expressions a physical node evaluates."""
    match node:
        case nodes.TableScan(predicate=predicate):
            return [] if predicate is None else [predicate]
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
    reasons: list[str] = []
    for part in e.walk(expression):
        if not isinstance(part, e.Literal) and (why := TYPES[part.type.id]) is not None:
            reasons.append(f"a value of type {part.type}: {why}")
        if isinstance(part, e.Call):
            reasons.extend(_named("function", part.function, FUNCTIONS))
        elif isinstance(part, e.AggregateCall):
            reasons.extend(_named("aggregate", part.function, AGGREGATES))
        elif isinstance(part, e.Cast):
            reasons.extend(_cast_reasons(part.arg.type, part.type))
    return reasons


def _named(what: str, name: str, table: dict[str, Reason]) -> list[str]:
    if name not in table:
        return [f"the {what} {name} is not built for the GPU"]
    reason = table[name]
    return [] if reason is None else [f"the {what} {name}: {reason}"]


def _cast_reasons(source: SQLType, target: SQLType) -> list[str]:
    if source.is_string and not target.is_string:
        return [f"CAST from VARCHAR to {target}: {_INTEGERS}"]
    if target.is_string and not source.is_string and not source.is_integer:
        return [f"CAST from {source} to VARCHAR: the text form differs from libcudf's"]
    return []
