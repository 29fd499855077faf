"""`*` and `table.*` with EXCLUDE, REPLACE and RENAME."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from .. import messages, messages_query
from ..expr import ColumnRef, Expr
from ..frontend import span_of
from .checks import refuse_unknown
from .scope import Scope


def is_star(node: exp.Expr) -> bool:
    """Whether a SELECT item is a star."""
    star = node.this if isinstance(node, exp.Column) else node
    return isinstance(star, exp.Star) and not star.args.get("ilike")


def expand_star(node: exp.Expr, scope: Scope) -> Iterator[tuple[str, exp.Expr | None, Expr | None]]:
    """(name, node, expression) of each column: a replaced one has its node still to bind, the others their
    expression.
    """
    table: tuple[str, ...] = ()
    star = node
    if isinstance(node, exp.Column):
        refuse_unknown(node, ("this", "table", "db", "catalog"))
        table = tuple(p.this for p in node.parts[:-1])
        star = node.this
    refuse_unknown(star, ("except_", "replace", "rename"))
    span = span_of(node)
    columns = list(scope.star(table, span))
    known = [name for name, _ in columns]
    excluded = {name for name, _ in _listed(star, "except_", "EXCLUDE", known, scope)}
    replaced = {name: item.this for name, item in _listed(star, "replace", "REPLACE", known, scope)}
    renamed = {
        name: item.args["alias"].this for name, item in _listed(star, "rename", "RENAME", known, scope)
    }
    for name, expr in columns:
        key = name.lower()
        place = expr.id if isinstance(expr, ColumnRef) else key
        if key in excluded or place in excluded:
            continue
        shown = renamed.get(key) or renamed.get(place, name)
        if key in replaced:
            yield shown, replaced[key], None
        else:
            yield shown, None, expr


def _listed(
    star: exp.Expr, part: str, clause: str, known: list[str], scope: Scope
) -> Iterator[tuple[str | int, exp.Expr]]:
    """(lower-case column name, or the id of a qualified one, item) of one of the lists. Raises BinderError
    for names that `*` does not have.
    """
    names = {name.lower() for name in known}
    seen: set[str | int] = set()
    items = star.args.get(part) or []
    for item in items if isinstance(items, list) else [items]:
        target = item
        if clause != "EXCLUDE" and not isinstance(item, exp.Alias):
            raise messages.syntax(f"{clause} wants items with AS", span_of(item))
        if clause != "EXCLUDE":
            target = item.args["alias"] if clause == "REPLACE" else item.this
        if isinstance(target, exp.Column) and len(target.parts) > 1 and clause != "REPLACE":
            column = scope.resolve(tuple(p.name for p in target.parts), span_of(target))
            place = column.id if isinstance(column, ColumnRef) else target.name.lower()
            if place in seen:
                raise messages_query.listed_twice(target.name, clause, span_of(target))
            seen.add(place)
            yield place, item
            continue
        while isinstance(target, exp.Column):
            target = target.this
        if not isinstance(target, exp.Identifier):
            raise messages.unsupported(f"This kind of item in {clause} is", span_of(item))
        key = target.this.lower()
        if key not in names:
            raise messages_query.not_in_star(target.this, clause, known, span_of(target))
        if key in seen:
            raise messages_query.listed_twice(target.this, clause, span_of(target))
        seen.add(key)
        yield key, item
