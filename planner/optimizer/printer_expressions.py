"""Deterministic text of bound expressions: column labels instead of ids."""

from __future__ import annotations

from collections.abc import Callable

from ..expr import (
    DEFAULT_FRAME,
    AggregateCall,
    And,
    Call,
    Case,
    Cast,
    Coalesce,
    ColumnRef,
    Comparison,
    Exists,
    Expr,
    Frame,
    FrameBound,
    InList,
    IsNull,
    LambdaCall,
    Literal,
    Not,
    Or,
    Quantified,
    ScalarSubquery,
    SortKey,
    UserCall,
    WindowCall,
    walk,
)
from ..literals import format_literal

Label = Callable[[int, str], str]

_INFIX = frozenset({"+", "-", "*", "/", "//", "%", "||", "&", "|", "<<", ">>"})


def expression_text(expr: Expr, label: Label) -> str:
    """SQL-like text; `label(id, name)` names a column. Subqueries are shown as (subquery)."""

    def many(exprs: tuple[Expr, ...], separator: str = ", ") -> str:
        return separator.join(text(e) for e in exprs)

    def text(node: Expr) -> str:
        match node:
            case ColumnRef(id=column, name=name):
                return label(column, name)
            case Literal(value=value, type=kind):
                return format_literal(value, kind)
            case LambdaCall():
                return _with_lambda(node)
            case Call(function=function, args=args):
                if function in _INFIX and len(args) == 2:
                    return f"({text(args[0])} {function} {text(args[1])})"
                if function == "neg":
                    return f"(-{text(args[0])})"
                if function in ("like", "ilike") and len(args) == 2:
                    return f"({text(args[0])} {function.upper()} {text(args[1])})"
                return f"{function}({many(args)})"
            case UserCall(function=function, args=args):
                return f"{function.name}({many(args)})"
            case Cast(arg=arg, safe=safe):
                return f"{'TRY_CAST' if safe else 'CAST'}({text(arg)} AS {node.type})"
            case Comparison(op=op, left=left, right=right):
                return f"({text(left)} {op.upper()} {text(right)})"
            case And(args=args):
                return f"({many(args, ' AND ')})"
            case Or(args=args):
                return f"({many(args, ' OR ')})"
            case Not(arg=IsNull(arg=arg)):
                return f"({text(arg)} IS NOT NULL)"
            case Not(arg=arg):
                return f"(NOT {text(arg)})"
            case IsNull(arg=arg):
                return f"({text(arg)} IS NULL)"
            case InList(arg=arg, items=items):
                return f"({text(arg)} IN ({many(items)}))"
            case Case(branches=branches, default=default):
                cases = "".join(f" WHEN {text(c)} THEN {text(v)}" for c, v in branches)
                return f"CASE{cases} ELSE {text(default)} END"
            case Coalesce(args=args):
                return f"COALESCE({many(args)})"
            case AggregateCall():
                return _aggregate(node)
            case WindowCall():
                return _window(node)
            case ScalarSubquery():
                return "(subquery)"
            case Exists():
                return "EXISTS (subquery)"
            case Quantified(op=op, args=args):
                return f"({many(args)} {op} ANY (subquery))"
            case _:
                raise AssertionError(type(node))

    def _with_lambda(call: LambdaCall) -> str:
        """What the body reads of the rows around stands in it, as it was written."""
        assert call.body is not None
        count = len(call.params)
        names = ["_"] * count
        for part in walk(call.body):
            if isinstance(part, ColumnRef) and -1 - part.id < count:
                names[-1 - part.id] = part.name
        outside = [text(arg) for arg in call.args[call.own :]]

        def inside(number: int, name: str) -> str:
            place = -1 - number
            return name if place < count else outside[place - count]

        body = expression_text(call.body, inside)
        return f"{call.function}({many(call.args[: call.own])}, lambda {', '.join(names)}: {body})"

    def _called(call: AggregateCall | WindowCall, end: str) -> str:
        """`end` stands behind the arguments."""
        shown = f"{call.function}({'DISTINCT ' if call.distinct else ''}{many(call.args)}{end})"
        if call.function == "count_star":
            shown = "count(*)"
        return shown if call.filter is None else f"{shown} FILTER {text(call.filter)}"

    def _aggregate(call: AggregateCall) -> str:
        return _called(call, f" ORDER BY {keys_text(call.order_by, label)}" if call.order_by else "")

    def _window(call: WindowCall) -> str:
        shown = _called(call, " IGNORE NULLS" if call.ignore_nulls else "")
        return shown if call.frame == DEFAULT_FRAME else f"{shown} {frame_text(call.frame, label)}"

    return text(expr)


def frame_text(frame: Frame, label: Label) -> str:
    """The frame of a window; with RANGE the ends show the ORDER BY key there."""

    def edge(bound: FrameBound) -> str:
        value = "" if bound.offset is None else f"{expression_text(bound.offset, label)} "
        return f"{value}{bound.kind.upper()}"

    exclude = "" if frame.exclude == "no others" else f" EXCLUDE {frame.exclude.upper()}"
    return f"{frame.unit.upper()} BETWEEN {edge(frame.start)} AND {edge(frame.end)}{exclude}"


def keys_text(keys: tuple[SortKey, ...], label: Label) -> str:
    """ORDER BY keys."""
    shown = []
    for key in keys:
        direction = " DESC" if key.descending else ""
        nulls = " NULLS FIRST" if key.nulls_first else ""
        shown.append(f"{expression_text(key.expr, label)}{direction}{nulls}")
    return ", ".join(shown)
