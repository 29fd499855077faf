"""COLUMNS(...) and stars with a pattern: one expression that stands for one a column.

Before it is bound, an expression with COLUMNS is copied once a column, with the column in its place;
`*COLUMNS` becomes several arguments of the one expression.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from sqlglot import exp

from .. import messages_from as messages
from ..expr import Expr
from ..frontend import span_of
from ..text_patterns import glob_to_regex, like_to_regex
from .expr_core import ExpressionBinder, binds
from .name_predicates import holds_for
from .scope import Scope
from .star import expand_star, is_star

_PATTERNS = (exp.Like, exp.ILike, exp.SimilarTo, exp.Glob)


class StarColumn(exp.Unary):
    """A bound column in the place of COLUMNS. `text` is how the column is called where an expression has no
    alias."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True, "text": True}


@binds(StarColumn)
def _bound(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    return node.this


@dataclass(frozen=True)
class Expansion:
    """One copy of an expression: the column it is for, and what it shows of a regular expression's match."""

    name: str
    node: exp.Expr
    match: re.Match[str] | None = None

    def alias(self, given: str) -> str:
        r"""An alias with \0, \1 ... replaced by what the groups of the expression matched."""
        groups = (self.name,) if self.match is None else (self.match[0], *self.match.groups(""))

        def group(found: re.Match[str]) -> str:
            number = int(found[1])
            return groups[number] if number < len(groups) else ""

        return re.sub(r"\\(\d)", group, given)


def columns_of(node: exp.Expr) -> list[exp.Expr]:
    """The places of COLUMNS and of stars with a pattern in an expression, those in its subqueries aside."""
    return [
        part
        for part in node.walk(prune=lambda n: n is not node and isinstance(n, (exp.Query, exp.Values)))
        if _stands_for_columns(part)
    ]


def _stands_for_columns(node: exp.Expr) -> bool:
    if isinstance(node, exp.Anonymous):
        name = node.this
        return isinstance(name, str) and name.upper() == "COLUMNS"
    if isinstance(node, exp.Star):
        return bool(node.args.get("ilike"))
    return isinstance(node, _PATTERNS) and is_star(node.this)


def expand(node: exp.Expr, scope: Scope) -> list[Expansion] | None:
    """The copies of an expression, one a column; None where it has no COLUMNS. What it has of `*COLUMNS` is
    replaced in the expression itself, of which there is one then."""
    if not columns_of(node):
        return None
    node = node.copy()  # the statement may be bound again
    found = columns_of(node)
    unpacked = [part for part in found if part.meta.get("unpack")]
    for part in unpacked:
        _in_place(part, _chosen(part, scope))
    whole = [_outermost(part) for part in found if not part.meta.get("unpack")]
    if not whole:
        return [Expansion("", node)]
    first = whole[0]
    for other in whole[1:]:
        if other != first:
            raise messages.different_columns(span_of(other))
    copies = []
    for column in _chosen(first, scope):
        if first is node:
            copies.append(column)
            continue
        copied = node.copy()
        for part in [_outermost(p) for p in columns_of(copied)]:
            part.replace(column.node.copy())
        copies.append(Expansion(column.name, copied, column.match))
    return copies


def _in_place(part: exp.Expr, chosen: Sequence[Expansion]) -> None:
    """Replaces `*COLUMNS` by its columns in the list in which it stands."""
    parent, key, index = part.parent, part.arg_key, part.index
    values = parent.args.get(key) if parent is not None and key is not None else None
    if parent is None or key is None or index is None or not isinstance(values, list):
        raise messages.unpacked_alone(span_of(part))
    parent.set(key, [*values[:index], *(c.node for c in chosen), *values[index + 1 :]])


def _outermost(part: exp.Expr) -> exp.Expr:
    """A star with a pattern together with its ESCAPE and NOT."""
    while isinstance(part.parent, (exp.Escape, exp.Not)) and part.arg_key == "this" and _is_pattern(part):
        part = part.parent
    return part


def _is_pattern(part: exp.Expr) -> bool:
    return isinstance(part, (*_PATTERNS, exp.Escape, exp.Not)) or bool(part.args.get("ilike"))


def _chosen(part: exp.Expr, scope: Scope) -> list[Expansion]:
    """The columns that COLUMNS(...) or a star with a pattern stands for."""
    if _is_pattern(part):
        star, keeps = _pattern(part)
        columns = [c for c in _of_star(star, scope) if keeps(c.name)]
        if not columns:
            raise messages.no_columns(span_of(part))
        return columns
    if len(part.expressions) != 1:
        raise messages.wrong_columns_argument(span_of(part))
    argument = part.expressions[0]
    if is_star(argument):
        return _of_star(argument, scope)
    every = _of_star(exp.Star(), scope)
    names = [c.name for c in every]
    if isinstance(argument, exp.Literal) and argument.is_string:
        return _of_regex(argument, every, names)
    if isinstance(argument, exp.Array) and all(_is_text(e) for e in argument.expressions):
        return _of_list(argument, every, names)
    if isinstance(argument, exp.Lambda) and len(argument.expressions) == 1:
        name = argument.expressions[0].name
        chosen = [c for c in every if holds_for(argument.this, name, c.name)]
        if not chosen:
            raise messages.no_columns(span_of(part))
        return chosen
    if isinstance(argument, exp.Column):
        raise messages.column_in_columns(argument.sql("duckdb"), span_of(argument))
    raise messages.wrong_columns_argument(span_of(part))


def _is_text(node: exp.Expr) -> bool:
    return isinstance(node, exp.Literal) and node.is_string


def _of_star(star: exp.Expr, scope: Scope) -> list[Expansion]:
    found = []
    for name, node, expr in expand_star(star, scope):
        if node is None:
            assert expr is not None
            node = StarColumn(this=expr, text=scope.full_name(expr, name))
            place = span_of(star)
            if place is not None:
                node.meta.update(start=place.start, end=place.end - 1)
        found.append(Expansion(name, node))
    return found


def _of_regex(argument: exp.Expr, every: Sequence[Expansion], names: Sequence[str]) -> list[Expansion]:
    try:
        pattern = re.compile(argument.this)
    except re.error as error:
        raise messages.bad_columns_regex(argument.this, str(error), span_of(argument)) from None
    found = [Expansion(c.name, c.node, match) for c in every if (match := pattern.search(c.name)) is not None]
    if not found:
        raise messages.no_matching_columns(argument.this, names, span_of(argument.parent))
    return found


def _of_list(argument: exp.Expr, every: Sequence[Expansion], names: Sequence[str]) -> list[Expansion]:
    found = []
    for item in argument.expressions:
        known = [c for c in every if c.name.lower() == item.this.lower()]
        if not known:
            raise messages.listed_column(item.this, names, span_of(item))
        found += known
    return found


def _pattern(node: exp.Expr) -> tuple[exp.Expr, Callable[[str], bool]]:
    """The star of a star with a pattern, and which names it keeps."""
    if isinstance(node, exp.Not):
        star, keeps = _pattern(node.this)
        return star, lambda name: not keeps(name)
    escape = None
    if isinstance(node, exp.Escape):
        escape, node = node.args["expression"], node.this
    if isinstance(node, exp.Star):
        star, pattern, kind = node.copy(), node.args["ilike"], exp.ILike
        star.set("ilike", None)
    else:
        star, pattern, kind = node.this, node.expression, type(node)
    if not _is_text(pattern) or (escape is not None and not _is_text(escape)):
        raise messages.star_pattern(span_of(pattern))
    if kind is exp.SimilarTo:
        regex = f"(?:{pattern.this})"
    elif kind is exp.Glob:
        regex = glob_to_regex(pattern.this) or "(?!)"
    else:
        regex = like_to_regex(pattern.this, "" if escape is None else escape.this)
    try:
        compiled = re.compile(regex, re.DOTALL | (re.IGNORECASE if kind is exp.ILike else 0))
    except re.error as error:
        raise messages.bad_columns_regex(pattern.this, str(error), span_of(pattern)) from None
    negated = bool(node.args.get("negate"))
    return star, lambda name: (compiled.fullmatch(name) is None) == negated


def expanded_terms(terms: Sequence[exp.Expr], scope: Scope) -> Iterator[exp.Expr]:
    """Terms of a list, those with COLUMNS once a column."""
    for term in terms:
        copies = expand(term, scope)
        yield from (term,) if copies is None else (c.node for c in copies)
