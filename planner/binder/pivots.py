"""PIVOT and UNPIVOT, written again as the queries that they stand for.

PIVOT is one aggregate with a FILTER for each value; values that are not listed are read from the table first.
UNPIVOT repeats each row once an entry and picks the entry's columns.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

from .. import messages
from .. import messages_from as texts
from ..frontend import span_of
from ..functions import find_aggregate
from .checks import refuse_unknown
from .columns import StarColumn, expand
from .cte import wrap_ctes
from .environment import CteBinding, Environment
from .expression import BindQuery
from .names import expression_name
from .scope import Scope
from .source import Source
from .star import is_star

_UNNAMED = "__unnamed_pivot"
_MOST_COLUMNS = 100_000
_KNOWN = (
    "expressions", "fields", "using", "group", "unpivot", "into", "include_nulls", "alias", "columns",
    "simplified", "identify_pivot_strings", "prefixed_pivot_columns", "pivot_column_naming",
    "value_columns_first",
)  # fmt: skip


@dataclass(frozen=True)
class _Choice:
    """A value, or several of a tuple, that PIVOT makes columns of: its name, and when a row belongs to it."""

    name: str
    condition: exp.Expr


class Pivots:
    """Rewrites the PIVOTs of one FROM item. `bind_source` binds a FROM item, to know its columns."""

    def __init__(self, env: Environment, bind_query: BindQuery, bind_source: object) -> None:
        self.env = env
        self.bind_query = bind_query
        self.bind_source = bind_source

    def rewritten(self, node: exp.Expr) -> exp.Expr:
        """A FROM item with PIVOTs as a subquery."""
        base = node.copy()
        pivots = base.args["pivots"]
        base.set("pivots", None)
        base.set("joins", None)
        for pivot in pivots:
            refuse_unknown(pivot, _KNOWN)
            query = self._unpivot(pivot, base) if pivot.args.get("unpivot") else self._pivot(pivot, base)
            alias = pivot.args.get("alias") or exp.TableAlias(this=exp.to_identifier(_UNNAMED))
            base = exp.Subquery(this=query, alias=alias)
        return base

    def _scope(self, base: exp.Expr) -> Scope:
        source: Source = self.bind_source(base.copy(), self.env, self.bind_query)  # type: ignore[operator]
        return source.scope(self.env.outer)

    # PIVOT --------------------------------------------------------------------------------------------------
    def _pivot(self, pivot: exp.Expr, base: exp.Expr) -> exp.Select:
        simplified = bool(pivot.args.get("simplified"))
        aggregates = (pivot.args.get("using") if simplified else pivot.expressions) or [
            exp.Anonymous(this="count", expressions=[exp.Star()])
        ]
        fields = pivot.expressions if simplified else pivot.args.get("fields") or []
        keys = [field.this if isinstance(field, exp.In) else field for field in fields]
        columns = list(dict.fromkeys(name for name, _ in self._scope(base).star()))
        group = pivot.args.get("group")
        if group is None:
            used = _column_names([*keys, *aggregates])
            groups: list[exp.Expr] = [_column(c) for c in columns if c.lower() not in used]
        else:
            groups = [g if isinstance(g, exp.Column) else _column(g.name) for g in group.expressions]
        choices = [self._choices(field, base) for field in fields]
        items: list[exp.Expr] = [g.copy() for g in groups]
        count = len(aggregates)
        for chosen in choices:
            count *= len(chosen)
        if count > _MOST_COLUMNS:
            raise texts.too_many_pivot_columns(count, _MOST_COLUMNS, span_of(pivot))
        seen: set[str] = set()
        for chosen in itertools.product(*choices):
            name = "_".join(c.name for c in chosen)
            if chosen and name in seen:
                raise texts.repeated_pivot_value(name, span_of(pivot))
            seen.add(name)
            for aggregate in aggregates:
                items.append(_cell(aggregate, chosen, name, many=len(aggregates) > 1))
        query = exp.Select(expressions=items, from_=exp.From(this=base.copy()))
        if groups:
            query.set("group", exp.Group(expressions=[g.copy() for g in groups]))
        return query

    def _choices(self, field: exp.Expr, base: exp.Expr) -> list[_Choice]:
        if not isinstance(field, exp.In):
            return [_Choice(text, _is(field, text)) for text in self._values(field, base)]
        keys = field.this.expressions if isinstance(field.this, exp.Tuple) else [field.this]
        found = []
        for item in field.expressions:
            value = item.this if isinstance(item, exp.PivotAlias) else item
            if isinstance(value, exp.Query):
                raise messages.syntax("A list of values was expected here", span_of(value))
            parts = value.expressions if isinstance(value, exp.Tuple) else [value]
            if len(parts) != len(keys):
                raise texts.pivot_row(len(keys), len(parts), span_of(value))
            given = [self._text(part) for part in parts]
            name = "_".join("NULL" if text is None else text for text in given)
            if isinstance(item, exp.PivotAlias):
                name = item.args["alias"].name
            terms = [_is(key, text) for key, text in zip(keys, given, strict=True)]
            found.append(_Choice(name, _all(terms)))
        return found

    def _text(self, node: exp.Expr) -> str | None:
        """A listed value as text."""
        if isinstance(node, exp.Literal):
            return node.this if node.is_string else str(node.meta.get("text", node.this))
        if isinstance(node, exp.Column) and len(node.parts) == 1:
            return node.name
        if isinstance(node, exp.Null):
            return None
        query = exp.Select(expressions=[_as_text(node)])
        return self._run(query)[0]

    def _values(self, key: exp.Expr, base: exp.Expr) -> list[str]:
        """The values of an expression over a table, which are read now, in the order of their texts."""
        if self.env.views:
            raise texts.pivot_in_view(span_of(key))
        known = exp.Not(this=exp.Is(this=_as_text(key), expression=exp.Null()))
        query = exp.Select(
            expressions=[exp.Alias(this=_as_text(key), alias=exp.to_identifier("value"))],
            from_=exp.From(this=base.copy()),
            where=exp.Where(this=known),
            distinct=exp.Distinct(),
        )
        return sorted(self._run(query), key=lambda text: text.encode())

    def _run(self, query: exp.Select) -> list[str]:
        bound = self.bind_query(query, self.env)
        if bound.plan.outer_references:
            raise messages.unsupported("PIVOT on values of an outer query is", span_of(query))
        ctes = [c for c in self.env.ctes.values() if isinstance(c, CteBinding)]
        if len(ctes) < len(self.env.ctes):
            raise messages.unsupported("PIVOT on the values of a recursion is", span_of(query))
        return self.env.context.rows(wrap_ctes(bound.plan, ctes))

    # UNPIVOT ------------------------------------------------------------------------------------------------
    def _unpivot(self, pivot: exp.Expr, base: exp.Expr) -> exp.Select:
        scope = self._scope(base)
        name, values, items = _unpivot_parts(pivot)
        entries = [entry for item in items for entry in _entries(item, scope)]
        sizes = {len(exprs) for _, exprs in entries}
        if sizes != {len(values)}:
            raise texts.unpivot_sizes(len(values), max(sizes, default=0), span_of(pivot))
        used = _column_names(e for _, exprs in entries for e in exprs)
        self._check_types(entries, base, pivot)
        kept = [_column(c) for c, _ in scope.star() if c.lower() not in used]
        number = exp.Column(this=_quoted("number"), table=_quoted(_UNNAMED))
        rows = [exp.Tuple(expressions=[exp.Literal.number(i)]) for i in range(len(entries))]
        numbers = exp.Table(
            this=exp.Values(expressions=rows),
            alias=exp.TableAlias(this=_quoted(_UNNAMED), columns=[_quoted("number")]),
        )
        labels = _picked(number, [exp.Literal.string(label) for label, _ in entries])
        picked = [_picked(number, [exprs[i] for _, exprs in entries]) for i in range(len(values))]
        items = [*kept, exp.Alias(this=labels, alias=_quoted(name))]
        items += [exp.Alias(this=p, alias=_quoted(v)) for p, v in zip(picked, values, strict=True)]
        comma = exp.Join(this=numbers)
        comma.meta["comma"] = True
        query = exp.Select(expressions=items, from_=exp.From(this=base.copy()), joins=[comma])
        if not pivot.args.get("include_nulls"):
            known: list[exp.Expr] = [
                exp.Not(this=exp.Is(this=p.copy(), expression=exp.Null())) for p in picked
            ]
            query.set("where", exp.Where(this=_all(known)))
        return query

    def _check_types(
        self, entries: Sequence[tuple[str, list[exp.Expr]]], base: exp.Expr, pivot: exp.Expr
    ) -> None:
        """Texts are not mixed with other values."""
        for exprs in zip(*(e for _, e in entries), strict=True):
            query = exp.Select(expressions=[e.copy() for e in exprs], from_=exp.From(this=base.copy()))
            kinds = [c.type for c in self.bind_query(query, self.env).plan.schema]
            texts_, others = [k for k in kinds if k.is_string], [k for k in kinds if not k.is_string]
            other = next((k for k in others if str(k) != '"NULL"'), None)
            if texts_ and other is not None:
                raise texts.unpivot_types(str(other), str(texts_[0]), span_of(pivot))


def _unpivot_parts(pivot: exp.Expr) -> tuple[str, list[str], list[exp.Expr]]:
    """The name of the column of names, those of the columns of values, and the entries."""
    if pivot.args.get("simplified"):
        into = pivot.args.get("into")
        if into is None:
            return "name", ["value"], list(pivot.expressions)
        return into.this.name, [e.name for e in into.expressions], list(pivot.expressions)
    if len(pivot.args["fields"]) != 1 or len(pivot.expressions) != 1:
        raise messages.syntax("UNPIVOT takes one list of columns", span_of(pivot))
    field, given = pivot.args["fields"][0], pivot.expressions[0]
    values = given.expressions if isinstance(given, exp.Tuple) else [given]
    return field.this.name, [v.name for v in values], list(field.expressions)


def _entries(item: exp.Expr, scope: Scope) -> Iterator[tuple[str, list[exp.Expr]]]:
    """(label, expressions) of an entry of UNPIVOT; of each column where it is a star or COLUMNS."""
    alias = item.args["alias"].name if isinstance(item, (exp.Alias, exp.PivotAlias)) else None
    node = item.this if isinstance(item, (exp.Alias, exp.PivotAlias)) else item
    if is_star(node):
        node = exp.Anonymous(this="COLUMNS", expressions=[node.copy()])
    copies = expand(node, scope)
    if copies is not None:
        for copy in copies:
            wrapper = exp.Paren(this=copy.node.copy())
            for part in list(wrapper.find_all(StarColumn)):
                part.replace(_column(copy.name))
            yield alias or copy.name, [wrapper.this]
        return
    exprs = node.expressions if isinstance(node, exp.Tuple) else [node]
    names = []
    for expr in exprs:
        column = expr.find(exp.Column)
        if column is None:
            raise texts.unpivot_constant(span_of(expr))
        names.append(column.name)
    yield alias or "_".join(names), [e.copy() for e in exprs]


def _picked(number: exp.Expr, values: Sequence[exp.Expr]) -> exp.Expr:
    """The value of the entry of a number."""
    if len(values) == 1:
        return values[0].copy()
    branches = [exp.If(this=exp.Literal.number(i), true=v.copy()) for i, v in enumerate(values)]
    return exp.Case(this=number.copy(), ifs=branches)


def _cell(aggregate: exp.Expr, chosen: Sequence[_Choice], name: str, *, many: bool) -> exp.Expr:
    """An aggregate of the rows of a choice, under its name."""
    alias = aggregate.args["alias"].name if isinstance(aggregate, exp.Alias) else None
    node = aggregate.this if isinstance(aggregate, exp.Alias) else aggregate
    wrapper = exp.Paren(this=node.copy())
    calls = [
        part
        for part in wrapper.walk(prune=lambda n: isinstance(n, (exp.Query, exp.Window)))
        if isinstance(part, exp.Anonymous)
        and isinstance(part.this, str)
        and find_aggregate(part.this.lower())
    ]
    if len(calls) != 1:
        raise texts.pivot_aggregates(len(calls), span_of(node))
    if chosen:
        call = calls[0]
        if isinstance(call.parent, exp.WithinGroup):
            call = call.parent
        condition = _all([c.condition for c in chosen])
        if isinstance(call.parent, exp.Filter):
            where = call.parent.args["expression"]
            where.set("this", exp.And(this=exp.Paren(this=where.this), expression=exp.Paren(this=condition)))
        else:
            call.replace(exp.Filter(this=call.copy(), expression=exp.Where(this=condition)))
    shown = alias or (expression_name(node) if many or not chosen else "")
    full = "_".join(part for part in (name, shown) if part)
    return exp.Alias(this=wrapper.this, alias=_quoted(full))


def _column_names(nodes: Iterable[exp.Expr]) -> set[str]:
    return {c.name.lower() for node in nodes for c in node.find_all(exp.Column) if not is_star(c)}


def _is(key: exp.Expr, text: str | None) -> exp.Expr:
    if text is None:
        return exp.Is(this=key.copy(), expression=exp.Null())
    return exp.EQ(this=_as_text(key), expression=exp.Literal.string(text))


def _all(terms: Sequence[exp.Expr]) -> exp.Expr:
    result = terms[0].copy()
    for term in terms[1:]:
        result = exp.And(this=result, expression=term.copy())
    return result


def _as_text(node: exp.Expr) -> exp.Expr:
    if isinstance(node, exp.Tuple):
        text: exp.Expr = exp.Literal.string("(")
        for place, part in enumerate(node.expressions):
            if place:
                text = exp.DPipe(this=text, expression=exp.Literal.string(", "))
            shown = exp.Anonymous(this="coalesce", expressions=[_as_text(part), exp.Literal.string("NULL")])
            text = exp.DPipe(this=text, expression=shown)
        return exp.DPipe(this=text, expression=exp.Literal.string(")"))
    return exp.Cast(this=node.copy(), to=exp.DataType(this=exp.DataType.Type.VARCHAR))


def _quoted(name: str) -> exp.Identifier:
    return exp.to_identifier(name, quoted=True)


def _column(name: str) -> exp.Column:
    return exp.Column(this=_quoted(name))
