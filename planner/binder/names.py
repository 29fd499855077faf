"""The name of a result column that has no alias: the expression written in DuckDB's normal form.

The text is also valid SQL, so a column's DEFAULT is stored in this form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from sqlglot import exp

from ..frontend import Caret, UnaryPlus
from ..frontend.intervals import plural
from ..frontend.keywords import quote_name, quote_text
from ..functions import OVER_NAMES
from .names_nested import nested_printers
from .types import bind_type

_BINARY: dict[type[exp.Expr], str] = {
    exp.Add: "+", exp.Sub: "-", exp.Mul: "*", exp.Div: "/", exp.IntDiv: "//", exp.Mod: "%", exp.Pow: "**",
    exp.DPipe: "||", exp.EQ: "=", exp.NEQ: "!=", exp.LT: "<", exp.LTE: "<=", exp.GT: ">", exp.GTE: ">=",
    exp.NullSafeEQ: "IS NOT DISTINCT FROM", exp.NullSafeNEQ: "IS DISTINCT FROM", exp.Glob: "~~~",
    exp.StartsWith: "^@", exp.BitwiseAnd: "&", exp.BitwiseOr: "|", exp.BitwiseLeftShift: "<<",
    exp.BitwiseRightShift: ">>", exp.JSONExtract: "->", exp.JSONExtractScalar: "->>",
    Caret: "^",
}  # fmt: skip
_INVERSE: dict[type[exp.Expr], str] = {
    exp.EQ: "!=", exp.NEQ: "=", exp.LT: ">=", exp.LTE: ">", exp.GT: "<=", exp.GTE: "<",
}  # fmt: skip
# Grammar types have one spelling; other type names stay as written.
_TYPES = {
    "INT": "INTEGER", "INTEGER": "INTEGER", "BIGINT": "BIGINT", "SMALLINT": "SMALLINT", "BOOLEAN": "BOOLEAN",
    "VARCHAR": "VARCHAR", "CHAR": "VARCHAR", "CHARACTER": "VARCHAR", "REAL": "FLOAT", "FLOAT": "FLOAT",
    "DOUBLE PRECISION": "DOUBLE", "DECIMAL": "DECIMAL", "NUMERIC": "DECIMAL", "DEC": "DECIMAL",
    "TIME": "TIME",
    "TIMESTAMP": "TIMESTAMP", "INTERVAL": "INTERVAL", "TIMESTAMP WITHOUT TIME ZONE": "TIMESTAMP",
    "TIMESTAMP WITH TIME ZONE": "TIMESTAMP WITH TIME ZONE", "TIME WITH TIME ZONE": "TIME WITH TIME ZONE",
}  # fmt: skip
_DATE_PARTS = frozenset(
    "YEAR MONTH DAY HOUR MINUTE SECOND MILLISECOND MICROSECOND DECADE CENTURY MILLENNIUM QUARTER WEEK".split()
)
_BIG_PARTS = frozenset({"HOUR", "MINUTE", "MICROSECOND"})
_EXACT_PARTS = frozenset({"SECOND", "MILLISECOND"})
_TYPE_NAME = re.compile(r"([^(\[]*?)\s*(\(.*?\))?\s*((?:\[\d*\]\s*)*)", re.DOTALL)


def expression_name(node: exp.Expr) -> str:
    """The text of an expression.

    >>> from tandemdb.planner.frontend import parse_script
    >>> expression_name(parse_script("SELECT sum(a*2) FILTER (WHERE b)")[0].ast.expressions[0])
    'sum((a * 2)) FILTER (WHERE b)'
    """
    printer = _PRINTERS.get(type(node))
    if printer is not None:
        return printer(node)
    if (text := node.args.get("text")) is not None and node.key == "starcolumn":
        return text  # what COLUMNS stood for
    symbol = _BINARY.get(type(node))
    if symbol is not None:
        return _binary(node, symbol)
    return _fallback(node)


def _fallback(node: exp.Expr) -> str:
    """A construct that is refused elsewhere, or has no form of its own here: its kind as a call."""
    args = [v for value in node.args.values() for v in (value if isinstance(value, list) else [value])]
    return f"{node.key}({', '.join(expression_name(a) for a in args if isinstance(a, exp.Expr))})"


def _list(nodes: Iterable[exp.Expr]) -> str:
    return ", ".join(expression_name(n) for n in nodes)


# Literals and names -----------------------------------------------------------------------------------------
def _literal(node: Any) -> str:
    return quote_text(node.this) if node.is_string else node.meta.get("text", node.this)


def _boolean(node: Any) -> str:
    return "true" if node.this else "false"


def _column(node: Any) -> str:
    parts = node.parts
    return ".".join("*" if isinstance(p, exp.Star) else quote_name(p.name) for p in parts)


def _placeholder(node: Any) -> str:
    return f"${node.this}" if node.this else "?"


def _type(node: exp.Expr) -> str:
    text = node.meta.get("text")
    if node.this in (exp.DataType.Type.STRUCT, exp.DataType.Type.MAP):
        return str(bind_type(node))
    if text is None:
        return str(getattr(node.this, "value", node.this))
    match = _TYPE_NAME.fullmatch(" ".join(text.split()))
    if match is None:
        return text
    name, params, arrays = match.group(1), match.group(2) or "", match.group(3) or ""
    known = _TYPES.get(name.upper())
    if params and known is not None:
        params = "(" + ", ".join(p.strip() for p in params[1:-1].split(",")) + ")"
    return (known or name) + params + arrays


# Operators --------------------------------------------------------------------------------------------------
def _binary(node: Any, symbol: str) -> str:
    right = node.expression
    if isinstance(right, exp.Any):
        return f"({expression_name(node.this)} {symbol} ANY({_subquery_text(right.this)}))"
    if isinstance(right, exp.All):
        return (
            f"(NOT ({expression_name(node.this)} {_INVERSE[type(node)]} ANY({_subquery_text(right.this)})))"
        )
    return f"({expression_name(node.this)} {symbol} {expression_name(right)})"


def _subquery_text(node: exp.Expr) -> str:
    from .names_query import query_text

    while isinstance(node, (exp.Subquery, exp.Paren)):
        node = node.this
    if isinstance(node, (exp.Query, exp.Values)):
        return query_text(node)
    return f"SELECT unnest({expression_name(node)})"


def _connector(word: str, kind: type[exp.Expr]) -> Callable[[exp.Expr], str]:
    def write(node: exp.Expr) -> str:
        terms: list[str] = []
        stack = [node]
        while stack:
            term = stack.pop()
            while isinstance(term, exp.Paren):
                term = term.this
            if isinstance(term, kind):
                stack += [term.args["expression"], term.this]
            else:
                terms.append(expression_name(term))
        return "(" + f" {word} ".join(terms) + ")"

    return write


def _not(node: Any) -> str:
    inner = node.this
    if isinstance(inner, exp.Is):
        return _is(inner, negated=True)
    return f"(NOT {expression_name(inner)})"


def _is(node: Any, negated: bool = False) -> str:
    value, what = expression_name(node.this), node.expression
    if isinstance(what, exp.Null):
        return f"({value} IS {'NOT ' if negated else ''}NULL)"
    word = "IS DISTINCT FROM" if negated else "IS NOT DISTINCT FROM"
    return f"(CAST({value} AS BOOLEAN) {word} {expression_name(what)})"


def _negative(node: Any) -> str:
    inner = node.this
    while isinstance(inner, exp.Paren):
        inner = inner.this
    text = expression_name(inner)
    if isinstance(inner, (exp.Literal, exp.Neg)) and re.fullmatch(r"-?[\d.]+(e\d+)?", text):
        return text[1:] if text.startswith("-") else f"-{text}"
    return f"(-({text}))"


def _prefix(symbol: str) -> Callable[[exp.Expr], str]:
    return lambda node: f"({symbol}({expression_name(node.this)}))"


def _between(node: Any) -> str:
    low, high = expression_name(node.args["low"]), expression_name(node.args["high"])
    return f"({expression_name(node.this)} BETWEEN {low} AND {high})"


def _in(node: Any) -> str:
    query = node.args.get("query") or next((q for q in node.expressions if isinstance(q, exp.Values)), None)
    if query is not None:
        return f"({expression_name(node.this)} = ANY({_subquery_text(query)}))"
    if node.args.get("field") is not None:
        return f"contains({expression_name(node.args['field'])}, {expression_name(node.this)})"
    if not node.expressions:
        return f'contains("row"(), {expression_name(node.this)})'
    return f"({expression_name(node.this)} IN ({_list(node.expressions)}))"


def _like(symbol: str) -> Callable[[exp.Expr], str]:
    def write(node: exp.Expr) -> str:
        sign = "!" if node.args.get("negate") else ""
        return f"({expression_name(node.this)} {sign}{symbol} {expression_name(node.args['expression'])})"

    return write


def _escape(node: Any) -> str:
    like = node.this
    name = "ilike_escape" if isinstance(like, exp.ILike) else "like_escape"
    text = f"{name}({_list((like.this, like.expression, node.expression))})"
    return f"(NOT {text})" if like.args.get("negate") else text


def _function(name: str, *keys: str) -> Callable[[exp.Expr], str]:
    def write(node: exp.Expr) -> str:
        args = [node.args[key] for key in keys if node.args.get(key) is not None]
        return f"{quote_name(name)}({_list(args)})"

    return write


# Calls ------------------------------------------------------------------------------------------------------
def _call(node: Any) -> str:
    name = (node.this if isinstance(node.this, str) else node.this.name).lower()
    args = node.expressions
    if name == "count" and (not args or isinstance(args[0], exp.Star)):
        return "count_star()"
    if name == "array" and args and isinstance(args[0], exp.Query):
        shown = "CASE  WHEN ((array_agg(#1) IS NULL)) THEN (list_value()) ELSE array_agg(#1) END"
        return f"(SELECT {shown} FROM ({_subquery_text(args[0])}))"
    if name in ("grouping", "grouping_id"):
        return f"GROUPING({_list(args)})"
    if name == "columns" and isinstance(node.this, str):
        return f"{'*' if node.meta.get('unpack') else ''}COLUMNS({_list(args)})"
    if name in ("coalesce", "ifnull"):
        return f"COALESCE({_list(args)})"
    return f"{quote_name(name)}({_list(args)})"


def _distinct(node: Any) -> str:
    return f"DISTINCT {_list(node.expressions)}"


def _argument_order(node: Any) -> str:
    return order_text(node) if node.this is None else f"{expression_name(node.this)} {order_text(node)}"


def order_text(node: exp.Expr) -> str:
    """ORDER BY and its keys."""
    return "ORDER BY " + ", ".join(_ordered(key) for key in node.expressions)


def _ordered(node: Any) -> str:
    if not isinstance(node, exp.Ordered):
        return expression_name(node)
    text = expression_name(node.this)
    if node.args.get("desc"):
        text += " DESC"
    if node.args.get("nulls_first"):
        return text + " NULLS FIRST"
    return text + " NULLS LAST" if node.meta.get("nulls") else text


def _filter(node: Any) -> str:
    return f"{expression_name(node.this)} FILTER (WHERE {expression_name(node.expression.this)})"


def _window(node: Any) -> str:
    parts = []
    if node.args.get("partition_by"):
        parts.append(f"PARTITION BY {_list(node.args['partition_by'])}")
    if node.args.get("order"):
        parts.append(order_text(node.args["order"]))
    spec = node.args.get("spec")
    if spec is not None and (frame := _frame(spec)):
        parts.append(frame)
    return f"{_windowed(node.this)} OVER ({' '.join(parts)})"


def _windowed(call: Any) -> str:
    """The call before OVER, which DuckDB writes in its own way for some functions."""
    if isinstance(call, exp.Filter):
        return f"{_windowed(call.this)} FILTER (WHERE {expression_name(call.expression.this)})"
    if isinstance(call, exp.Dot):
        return f"{expression_name(call.this)}.{_windowed(call.expression)}"
    if not isinstance(call, exp.Anonymous):
        return expression_name(call)
    name = str(call.this).lower()
    args = call.expressions
    if name == "count" and (not args or isinstance(args[0], exp.Star)):
        return "count()"
    if name in OVER_NAMES:
        call = call.copy()
        call.set("this", OVER_NAMES[name])
    return expression_name(call)


def _frame(spec: Any) -> str:
    start = _edge(spec.args["start"], spec.args.get("start_side"))
    end = _edge(spec.args.get("end") or "CURRENT ROW", spec.args.get("end_side"))
    excluded = spec.args.get("exclude")
    exclude = (
        ""
        if excluded is None or excluded.name.upper() == "NO OTHERS"
        else f" EXCLUDE {excluded.name.upper()}"
    )
    unit = str(spec.args["kind"]).upper()
    if (unit, start, end, exclude) == ("RANGE", "UNBOUNDED PRECEDING", "CURRENT ROW", ""):
        return ""
    return f"{unit} BETWEEN {start} AND {end}{exclude}"


def _edge(value: Any, side: Any) -> str:
    text = value if isinstance(value, str) else expression_name(value)
    return f"{text} {str(side).upper()}" if side else text


def _nulls(node: Any) -> str:
    words = " IGNORE NULLS" if isinstance(node, exp.IgnoreNulls) else ""  # the other is the rule
    return expression_name(node.this) + words


def _extract(node: Any) -> str:
    part = node.this
    if isinstance(part, exp.Literal):
        name = part.this
    else:
        name = part.name.upper() if part.name.upper() in _DATE_PARTS else part.name.lower()
    return f"date_part({quote_text(name)}, {expression_name(node.expression)})"


def _trim(node: Any) -> str:
    name = {"LEADING": "ltrim", "TRAILING": "rtrim"}.get(str(node.args.get("position") or "").upper(), "trim")
    characters = node.args.get("expression")
    return f"{quote_name(name)}({_list((node.this, *(() if characters is None else (characters,))))})"


def _interval(node: Any) -> str:
    unit = node.args.get("unit")
    text = node.meta.get("text", "")
    literal = text.startswith("'")
    if unit is None:
        return f"CAST({text or expression_name(node.this)} AS INTERVAL)"
    name = unit.name
    number = text if literal or text[:1].isdigit() or text[:1] == "." else expression_name(node.this)
    value = f"CAST({number} AS DOUBLE)"
    if name not in _EXACT_PARTS:
        value = f"CAST(trunc({value}) AS {'BIGINT' if name in _BIG_PARTS else 'INTEGER'})"
    return f"to_{plural(name.lower())}({value})"


def _cast(word: str) -> Callable[[exp.Expr], str]:
    def write(node: exp.Expr) -> str:
        # X'AB' has its text.
        return node.meta.get("text") or f"{word}({expression_name(node.this)} AS {_type(node.args['to'])})"

    return write


def _text(node: Any) -> str:
    return quote_text(str(node.this))


# Ordered-set aggregates that are called as others.
_QUANTILES = {"percentile_cont": "quantile_cont", "percentile_disc": "quantile_disc"}


def _within_group(node: Any) -> str:
    call, order = node.this, order_text(node.expression)
    args = _list(call.expressions)
    name = (call.this if isinstance(call.this, str) else call.this.name).lower()
    if name in _QUANTILES:
        return f"{_QUANTILES[name]}({args} {order})"
    return f"{quote_name(name)}({args}) WITHIN GROUP ( {order})"


def _case(node: Any) -> str:
    subject = node.this
    parts = []
    for branch in node.args["ifs"]:
        test = expression_name(branch.this)
        if subject is not None:
            test = f"({expression_name(subject)} = {test})"
        parts.append(f" WHEN ({test}) THEN ({expression_name(branch.args['true'])})")
    default = node.args.get("default")
    return f"CASE {''.join(parts)} ELSE {'NULL' if default is None else expression_name(default)} END"


def _keyword(word: str) -> Callable[[exp.Expr], str]:
    return lambda node: word


_PRINTERS: dict[type[exp.Expr], Callable[[Any], str]] = {
    exp.Abs: _prefix("@"),
    exp.And: _connector("AND", exp.And),
    exp.Anonymous: _call,
    exp.Any: lambda n: f"ANY({_subquery_text(n.this)})",
    exp.Between: _between,
    exp.BitwiseNot: _prefix("~"),
    exp.Boolean: _boolean,
    exp.Case: _case,
    exp.Cast: _cast("CAST"),
    exp.Column: _column,
    exp.CurrentDate: _keyword("current_date"),
    exp.CurrentTime: _keyword("current_time"),
    exp.CurrentTimestamp: _keyword("current_timestamp"),
    exp.Distinct: _distinct,
    exp.Escape: _escape,
    exp.Exists: lambda n: f"EXISTS({_subquery_text(n.this)})",
    exp.Extract: _extract,
    exp.Filter: _filter,
    exp.ILike: _like("~~*"),
    exp.Identifier: lambda n: quote_name(n.name),
    exp.In: _in,
    exp.Interval: _interval,
    exp.Is: _is,
    exp.Like: _like("~~"),
    exp.Literal: _literal,
    exp.Neg: _negative,
    exp.Not: _not,
    exp.Null: _keyword("NULL"),
    exp.Or: _connector("OR", exp.Or),
    exp.AtTimeZone: lambda n: f"timezone({expression_name(n.args['zone'])}, {expression_name(n.this)})",
    exp.Localtime: _keyword("localtime"),
    exp.Localtimestamp: _keyword("localtimestamp"),
    exp.CurrentUser: _keyword("current_user"),
    exp.CurrentRole: _keyword("current_role"),
    exp.SessionUser: _keyword("session_user"),
    exp.Order: _argument_order,
    exp.Paren: lambda n: expression_name(n.this),
    exp.Placeholder: _placeholder,
    exp.PropertyEQ: lambda n: f"{quote_name(n.this.name)} := {expression_name(n.expression)}",
    exp.Kwarg: lambda n: f"{quote_name(n.this.name)} := {expression_name(n.expression)}",
    exp.RegexpLike: _function("regexp_matches", "this", "expression"),
    exp.SimilarTo: _function("regexp_full_match", "this", "expression"),
    exp.Star: _keyword("*"),
    exp.StrPosition: _function("position", "this", "substr"),
    exp.Subquery: lambda n: f"({_subquery_text(n)})",
    exp.Trim: _trim,
    exp.TryCast: _cast("TRY_CAST"),
    exp.Tuple: lambda n: f'"row"({_list(n.expressions)})',
    exp.Var: lambda n: n.name,
    exp.Window: _window,
    exp.PositionalColumn: lambda node: f"#{node.this.this}",
    exp.IgnoreNulls: _nulls,
    exp.RespectNulls: _nulls,
    exp.WithinGroup: _within_group,
    exp.ByteString: _text,
    exp.RawString: _text,
    UnaryPlus: _prefix("+"),
    **nested_printers(expression_name),
}
