"""JOIN: kinds, ON, USING and NATURAL."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from .. import messages, messages_query
from ..coercion import common_type
from ..errors import Span
from ..expr import Coalesce, Comparison, Expr, conjunction, references
from ..frontend import span_of
from ..logical import Join, JoinKind
from ..types import BOOLEAN
from .casting import cast_to, comparable
from .checks import refuse_unknown
from .environment import Environment
from .expression import BindQuery, bind_condition
from .ordered_joins import asof_join, positional_join
from .scope import Merged
from .source import Source
from .unnests import beside

_KINDS: dict[tuple[str, str], JoinKind] = {
    ("", ""): JoinKind.INNER,
    ("", "INNER"): JoinKind.INNER,
    ("", "CROSS"): JoinKind.INNER,
    ("", "SEMI"): JoinKind.SEMI,
    ("", "ANTI"): JoinKind.ANTI,
    **{(s, k): JoinKind[s] for s in ("LEFT", "RIGHT", "FULL") for k in ("", "OUTER")},
}


def bind_join(node: exp.Join, left: Source, right: Source, env: Environment, bind_query: BindQuery) -> Source:
    """Joins two bound sources as `node` says."""
    refuse_unknown(node, ("this", "on", "using", "side", "kind", "method"))
    method = (node.args.get("method") or "").upper()
    side, word = (node.args.get("side") or "").upper(), (node.args.get("kind") or "").upper()
    kind = _KINDS.get((side, word))
    place = span_of(node.this)
    if method == "POSITIONAL" and not (side or word or node.args.get("on") or node.args.get("using")):
        return positional_join(left, right, env.context.ids)
    if method not in ("", "NATURAL", "ASOF") or (method == "ASOF" and word == "CROSS"):
        raise messages.syntax(f"{method} JOIN of this kind does not exist", place)
    if kind is None:
        raise messages.syntax(f"{side} {word}".strip() + " JOIN does not exist", place)
    lateral = not right.plan.outer_references.isdisjoint(left.plan.ids)
    if lateral and kind not in (JoinKind.INNER, JoinKind.LEFT):
        raise messages_query.lateral_join_kind(kind.value, place)
    on, using = node.args.get("on"), node.args.get("using")
    if (method == "NATURAL" or word == "CROSS") and (on is not None or using):
        raise messages_query.cross_join_condition(span_of(on) if on is not None else place)
    if on is None and not using and method != "NATURAL" and word != "CROSS":
        raise messages_query.join_without_condition(place)

    merged = left.merged_with(right)
    condition: Expr | None = None
    if on is not None:
        both = Source(left.plan, (*left.relations, *right.relations), merged).scope(env.outer)
        condition = bind_condition(on, both, env, bind_query, "ON")
    elif using or method == "NATURAL":
        names = [(c.name, span_of(c)) for c in using or ()] or list(_natural(left, right, place))
        terms = []
        for place_, (name, span) in enumerate(names):
            last = method == "ASOF" and place_ == len(names) - 1
            term, column = _merge(name, left, right, kind, span, ">=" if last else "=")
            terms.append(term)
            merged[name.lower()] = column
        condition = conjunction(terms)

    if method == "ASOF":
        assert condition is not None
        renamed = Source(left.plan, left.relations, {**left.merged, **merged})
        return asof_join(kind, renamed, right, condition, env.context.ids, place)
    plan = beside(left.plan, right.plan, kind, condition) or Join(
        kind, left.plan, right.plan, condition, lateral=lateral
    )
    if kind in (JoinKind.SEMI, JoinKind.ANTI):
        return Source(plan, left.relations, left.merged)
    return Source(plan, (*left.relations, *right.relations), merged)


def _natural(left: Source, right: Source, place: Span | None) -> Iterator[tuple[str, Span | None]]:
    names: dict[str, str] = {}
    for relation in left.relations:
        for name in relation.names:
            if any(r.find(name) is not None for r in right.relations):
                names.setdefault(name.lower(), name)
    if not names:
        raise messages_query.natural_without_columns(place)
    for name in names.values():
        yield name, place


def _merge(
    name: str, left: Source, right: Source, kind: JoinKind, span: Span | None, op: str = "="
) -> tuple[Expr, Merged]:
    """The comparison of USING (name), and the column that stands for both."""
    one, two = (_side(name, left, "left", span), _side(name, right, "right", span))
    equal = comparable(op, one, two, span)
    term = Comparison(BOOLEAN, op, *equal, span=span)
    if kind is JoinKind.RIGHT:
        value: Expr = two
    elif kind is JoinKind.FULL:
        common = common_type((one.type, two.type)) or equal[0].type
        value = Coalesce(common, (cast_to(one, common), cast_to(two, common)), span=span)
    else:
        value = one
    members = references(one) | references(two)
    for source in (left, right):
        before = source.merged.get(name.lower())
        members |= before.members if before is not None else frozenset()
    return term, Merged(name, value, members)


def _side(name: str, source: Source, side: str, span: Span | None) -> Expr:
    found = source.scope(None).find_column(name, span)
    if found is None:
        candidates = [n for r in source.relations for n in r.names]
        raise messages_query.using_column(name, side, candidates, span)
    return found
