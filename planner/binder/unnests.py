"""unnest: in the SELECT list, where it makes rows of lists and columns of structs, and in FROM."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from sqlglot import exp

from .. import messages, messages_nested
from ..errors import Span, SqlError
from ..expr import Column, Expr, Literal, Unnested, is_constant, ref, transform, walk
from ..frontend import span_of, token_span
from ..logical import ColumnIds, Filter, JoinKind, Plan, Unnest, Values
from ..types import BIGINT, NULL, list_of
from .calls import call
from .casting import cast_to
from .environment import Environment
from .expr_core import ExpressionBinder
from .expression import BindQuery, bind_expression
from .fields import field_at
from .scope import Relation
from .source import Source
from .table_alias import apply_column_names

_CLAUSES = frozenset({"SELECT", "ORDER BY", "DISTINCT ON", "GROUP BY"})
_EVERY_LEVEL = 1 << 20


# In the SELECT list -----------------------------------------------------------------------------------------
def _options(node: exp.Expr) -> tuple[exp.Expr, int]:
    """The argument of unnest(...), and how many levels are unnested."""
    span = token_span(node)
    if not node.expressions:
        raise messages_nested.bad_unnest("UNNEST() requires at least one argument", span)
    first, *rest = node.expressions
    depth = 1
    for option in rest:
        if not isinstance(option, exp.PropertyEQ | exp.Kwarg):
            raise messages_nested.bad_unnest(
                "UNNEST takes one list, and recursive := true or max_depth := a number", span_of(option)
            )
        name, value = option.this.name.lower(), option.expression
        if name == "recursive" and isinstance(value, exp.Boolean):
            depth = _EVERY_LEVEL if value.this else depth
        elif name == "max_depth" and isinstance(value, exp.Literal) and not value.is_string:
            depth = int(value.this)
        else:
            raise messages.unsupported(f'Option "{name}" of unnest is', span_of(option) or span)
    return first, depth


def is_unnest(node: exp.Expr) -> bool:
    """Whether a node is a call of unnest."""
    return isinstance(node, exp.Anonymous) and node.name.lower() in ("unnest", "unlist")


def bind_unnest(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    """unnest(...) as a value of its row. Raises BinderError where it cannot stand."""
    span = span_of(node)
    nowhere = binder.inside_aggregate or binder.inside_window or binder.parameters
    if nowhere or binder.clause not in _CLAUSES:
        raise messages_nested.bad_unnest("UNNEST not supported here", span)
    argument, depth = _options(node)
    held = binder.bind(argument)
    if any(isinstance(part, Unnested) for part in walk(held)):
        raise messages_nested.bad_unnest(
            "Nested UNNEST calls are not supported - use UNNEST(x, recursive := true) to unnest multiple "
            "levels",
            span,
        )
    if held.type.is_struct:
        raise messages_nested.bad_unnest(
            "UNNEST() on a struct column can only be applied as the root element of a SELECT expression", span
        )
    value, _ = _elements(held, depth, span)
    return value


def _elements(held: Expr, depth: int, span: Span | None) -> tuple[Expr, int]:
    """The elements of a list, of lists in it as far as `depth` allows, and how many levels are left."""
    if held.type == NULL:
        held = cast_to(held, list_of(NULL))
    if not held.type.is_list:
        raise messages_nested.bad_unnest(
            f"UNNEST() can only be applied to lists, structs and NULL, not {held.type}", held.span or span
        )
    depth -= 1
    while depth > 0 and held.type.element.is_list:
        held = call("flatten", (held,), span)
        depth -= 1
    return Unnested(held.type.element, held, span=span), depth


def expanded(node: exp.Expr, bind: Callable[[exp.Expr], Expr]) -> list[tuple[str, Expr]] | None:
    """Names and values of the columns that unnest(...) as a whole item makes of a struct; None where it makes
    one column, and for what cannot be bound, which is told when the item is bound by itself.
    """
    argument, depth = _options(node)
    span = span_of(node)
    try:
        held = bind(argument)
        if held.type.is_struct:
            value, depth = held, depth - 1
        else:
            value, depth = _elements(held, depth, span)
            if depth <= 0 or not value.type.is_struct:
                return None
            depth -= 1
    except SqlError:
        return None
    return list(_fields(value, depth, span))


def _fields(value: Expr, depth: int, span: Span | None) -> Sequence[tuple[str, Expr]]:
    found: list[tuple[str, Expr]] = []
    for place, (name, kind) in enumerate(value.type.fields):
        part = field_at(value, place, span)
        if depth > 0 and kind.is_struct:
            found += _fields(part, depth - 1, span)
        else:
            found.append((name or f"element{place + 1}", part))
    return found


def has_unnest(expr: Expr) -> bool:
    """Whether an unnest stands in a bound expression."""
    return any(isinstance(part, Unnested) for part in walk(expr))


@dataclass
class UnnestCalls:
    """The lists that a query level unnests, side by side; equal ones once."""

    ids: ColumnIds
    columns: dict[Unnested, Column] = field(default_factory=dict)

    def rewrite(self, expr: Expr, *, known: bool = False) -> Expr:
        """`expr` over the Unnest node's output; with `known` only what has a column already."""
        if not has_unnest(expr):
            return expr

        def placed(part: Expr) -> Expr:
            if not isinstance(part, Unnested):
                return part
            column = self.columns.get(part)
            if column is None:
                if known:
                    return part
                column = self.columns[part] = self.ids.column("unnest", part.type)
            return ref(column, part.span)

        return transform(expr, placed)

    def over(self, plan: Plan) -> Plan:
        """The Unnest node over `plan`; `plan` itself if nothing is unnested."""
        if not self.columns:
            return plan
        return Unnest(plan, tuple(part.arg for part in self.columns), tuple(self.columns.values()))


# In FROM ----------------------------------------------------------------------------------------------------
def bind_unnest_source(
    node: exp.Expr, alias: exp.Expr | None, env: Environment, bind_query: BindQuery
) -> Source:
    """FROM unnest(list) [WITH ORDINALITY] [alias [(columns)]]; the list may read what stands left of it."""
    span = span_of(node)
    if len(node.expressions) != 1:
        raise messages_nested.bad_unnest("UNNEST in FROM takes one list", span)
    held = bind_argument(node.expressions[0], env, bind_query)
    if held.type == NULL:
        held = cast_to(held, list_of(NULL))
    if not held.type.is_list:
        raise messages_nested.bad_unnest("UNNEST requires a single list or array as input", held.span or span)
    ordinal = node.args.get("offset")
    if alias is not None and isinstance(ordinal, exp.Identifier):
        # The parser takes the last name of the column list for that of the ordinality.
        alias = alias.copy()
        alias.append("columns", ordinal.copy())
    return list_source(held, "unnest", alias, env, ordinality=bool(ordinal))


def bind_argument(node: exp.Expr, env: Environment, bind_query: BindQuery) -> Expr:
    """An argument of a function in FROM, which may read columns that stand left of it."""
    from .scope import Scope

    return bind_expression(node, Scope(outer=env.outer), env, bind_query, "FROM")


# Table functions of numbers and times, which as functions make lists.
SERIES = frozenset({"range", "generate_series"})


def bind_series(node: exp.Table, name: str, env: Environment, bind_query: BindQuery) -> Source | None:
    """range(...) or generate_series(...) in FROM, of times or of what stands left of it, as a list; None for
    constant numbers, of which no list is made.
    """
    args = node.this.expressions
    if not args or all(isinstance(arg, _PLAIN) for arg in args):
        return None
    if env.outer is None and any(arg.find(exp.Column) for arg in args):
        return None  # there is nothing to read
    bound = [bind_argument(arg, env, bind_query) for arg in args]
    if all(_is_number(arg) for arg in bound):
        return None
    held = call(name.lower(), bound, token_span(node.this))
    alias = node.args.get("alias")
    return list_source(held, name.lower(), alias, env)


_PLAIN = (exp.Literal, exp.Neg, exp.Null, exp.Placeholder)


def _is_number(arg: Expr) -> bool:
    return isinstance(arg, Literal) and (arg.value is None or arg.type.is_numeric)


def list_source(
    held: Expr, name: str, alias: exp.Expr | None, env: Environment, *, ordinality: bool = False
) -> Source:
    """The elements of a list as a table, whose column is called as its alias, else `name`."""
    ids = env.context.ids
    given = alias.this.this if alias is not None and alias.this is not None else None
    own = bool(given) and not (alias is not None and alias.args.get("columns"))
    column = ids.column(name, held.type.element)
    counted = ids.column("ordinality", BIGINT, nullable=False) if ordinality else None
    plan = Unnest(Values((), ((),)), (held,), (column,), counted)
    names = (str(given) if own else name, *(("ordinality",) if counted else ()))
    shown = given or name
    names = apply_column_names(shown, names, alias)
    synonym = name if own and counted is None else None
    return Source(plan, (Relation(shown, names, plan.schema, (), synonym),))


def beside(left: Plan, right: Plan, kind: JoinKind, condition: Expr | None) -> Plan | None:
    """The join of a plan with lists of its own rows: an Unnest over it, without a join. None where the right
    side is something else, or the kind of join wants more.
    """
    if not isinstance(right, Unnest) or not _is_one_row(right.input):
        return None
    if right.outer_references.isdisjoint(left.ids):
        return None
    certain = condition is None or is_constant(condition, True)
    if kind is JoinKind.LEFT and certain:
        columns = tuple(replace(column, nullable=True) for column in right.columns)
        counted = None if right.ordinality is None else replace(right.ordinality, nullable=True)
        return None if counted is not None else Unnest(left, right.lists, columns, None, keep=True)
    if kind is not JoinKind.INNER:
        return None
    joined = Unnest(left, right.lists, right.columns, right.ordinality)
    return joined if condition is None or certain else Filter(joined, condition)


def _is_one_row(plan: Plan) -> bool:
    return isinstance(plan, Values) and not plan.columns and len(plan.rows) == 1
