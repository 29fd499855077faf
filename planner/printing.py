"""Expressions as text for people: deterministic, without ids, cut to a width where asked."""

from __future__ import annotations

import datetime
import decimal

from . import expr as e
from .expr import Expr
from .types import SQLType, TypeId

_INFIX = {"+", "-", "*", "/", "//", "%", "||", "&", "|", "<<", ">>", "^"}
_EPOCH = datetime.date(1970, 1, 1)
_MAX_ITEMS = 5


def literal_text(value: object, sql_type: SQLType) -> str:
    """A literal as SQL would write it."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "true" if value else "false"
    match sql_type.id:
        case TypeId.VARCHAR:
            return "'" + str(value).replace("'", "''") + "'"
        case TypeId.DECIMAL:
            return str(decimal.Decimal(int(str(value))).scaleb(-sql_type.scale))
        case TypeId.DATE if isinstance(value, int):
            try:
                return f"DATE '{_EPOCH + datetime.timedelta(days=value)}'"
            except OverflowError:
                return f"DATE #{value}"
        case TypeId.TIMESTAMP if isinstance(value, int):
            try:
                moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(microseconds=value)
                return f"TIMESTAMP '{moment}'"
            except OverflowError:
                return f"TIMESTAMP #{value}"
        case TypeId.INTERVAL if isinstance(value, tuple):
            months, days, micros = value
            parts = [
                f"{n} {unit}"
                for n, unit in ((months, "months"), (days, "days"), (micros, "microseconds"))
                if n
            ]
            return f"INTERVAL '{' '.join(parts) or '0 days'}'"
        case _:
            return str(value)


def expression_text(expr: Expr, width: int | None = None) -> str:
    """An expression in SQL-like form; longer than `width` characters it ends in '...'.

    >>> from .types import INTEGER
    >>> a = e.ColumnRef(INTEGER, 1, "a")
    >>> expression_text(e.Call(INTEGER, "+", (a, e.Literal(INTEGER, 1))))
    '(a + 1)'
    """
    text = _text(expr)
    return text if width is None or len(text) <= width else text[: max(0, width - 3)] + "..."


def _text(expr: Expr) -> str:
    match expr:
        case e.ColumnRef(name=name):
            return name
        case e.Literal(value=value, type=kind):
            return literal_text(value, kind)
        case e.Call(function="neg", args=(arg,)):
            return f"-{_text(arg)}"
        case e.Call(function=name, args=args) if name in _INFIX and len(args) == 2:
            return f"({_text(args[0])} {name} {_text(args[1])})"
        case e.Call(function="like", args=(arg, pattern)):
            return f"{_text(arg)} LIKE {_text(pattern)}"
        case e.Call(function=name, args=args):
            return f"{name}({', '.join(map(_text, args))})"
        case e.Cast(arg=arg, safe=safe):
            return f"{'TRY_CAST' if safe else 'CAST'}({_text(arg)} AS {expr.type})"
        case e.Comparison(op=op, left=left, right=right):
            return f"{_text(left)} {op.upper()} {_text(right)}"
        case e.And(args=args):
            return _joined(args, " AND ")
        case e.Or(args=args):
            return "(" + _joined(args, " OR ") + ")"
        case e.Not(arg=e.IsNull(arg=arg)):
            return f"{_text(arg)} IS NOT NULL"
        case e.Not(arg=arg):
            return f"NOT ({_text(arg)})"
        case e.IsNull(arg=arg):
            return f"{_text(arg)} IS NULL"
        case e.InList(arg=arg, items=items):
            return f"{_text(arg)} IN ({_joined(items, ', ')})"
        case e.Case(branches=branches, default=default):
            arms = " ".join(f"WHEN {_text(c)} THEN {_text(v)}" for c, v in branches[:_MAX_ITEMS])
            more = " ..." if len(branches) > _MAX_ITEMS else ""
            return f"CASE {arms}{more} ELSE {_text(default)} END"
        case e.Coalesce(args=args):
            return f"coalesce({', '.join(map(_text, args))})"
        case e.AggregateCall():
            return _aggregate(expr)
        case e.Exists():
            return "EXISTS (subquery)"
        case e.ScalarSubquery():
            return "(subquery)"
        case e.Quantified(op=op, args=args):
            return f"({', '.join(map(_text, args))}) {op} ANY (subquery)"
        case _:
            raise AssertionError(type(expr))


def _joined(args: tuple[Expr, ...], between: str) -> str:
    shown = between.join(map(_text, args[:_MAX_ITEMS]))
    return shown if len(args) <= _MAX_ITEMS else f"{shown}{between}... {len(args) - _MAX_ITEMS} more"


def _aggregate(call: e.AggregateCall) -> str:
    if call.function == "count_star":
        text = "count(*)"
    else:
        distinct = "DISTINCT " if call.distinct else ""
        order = f" ORDER BY {', '.join(map(sort_key_text, call.order_by))}" if call.order_by else ""
        text = f"{call.function}({distinct}{', '.join(map(_text, call.args))}{order})"
    return text if call.filter is None else f"{text} FILTER ({_text(call.filter)})"


def sort_key_text(key: e.SortKey) -> str:
    """A sort key; the default placement of NULLs (last) is not shown."""
    return _text(key.expr) + (" DESC" if key.descending else "") + (" NULLS FIRST" if key.nulls_first else "")
