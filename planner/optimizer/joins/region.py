"""Regions of joins that may be reordered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ...expr import ColumnRef, Expr, conjuncts, references, substitute
from ...logical import Filter, Join, JoinKind, Plan, Project
from ..build import filtered, is_renaming

# Joins that keep the left side's rows, all or some: each commutes with the inner joins of its left side.
# SINGLE does not:
# a second match is an error, and there must not be more left rows than the query has.
_ATTACHED = (JoinKind.SEMI, JoinKind.ANTI, JoinKind.LEFT, JoinKind.MARK)


@dataclass
class Region:
    """A maximal tree of inner joins and of joins attached to it. `renamed` are output columns that are other
    columns' values.
    """

    relations: list[Plan] = field(default_factory=list)
    attachments: list[Join] = field(default_factory=list)
    terms: list[Expr] = field(default_factory=list)
    renamed: dict[int, Expr] = field(default_factory=dict)


def is_region(plan: Plan) -> bool:
    """Whether a region starts here."""
    return isinstance(plan, Join) and not plan.lateral and plan.kind in (JoinKind.INNER, *_ATTACHED)


def collect(plan: Plan, visit: Callable[[Plan], Plan]) -> Region:
    """The region below a join; `visit` orders the joins inside its relations. Conditions on one relation are
    put on it.
    """
    region = Region()
    conditions: list[tuple[Expr, ...]] = []
    stack: list[Plan] = [plan]
    while stack:
        node = stack.pop()
        inside = node
        while is_renaming(inside) or isinstance(inside, Filter):
            inside = inside.inputs[0]
        if inside is node and is_region(node):
            assert isinstance(node, Join)
            if node.kind is JoinKind.INNER:
                conditions.append(conjuncts(node.condition))
                stack.extend((node.right, node.left))
            else:
                region.attachments.append(replace(node, right=visit(node.right)))
                stack.append(node.left)
        elif inside is not node and is_region(inside):
            if isinstance(node, Filter):
                conditions.append(conjuncts(node.predicate))
            else:
                _rename(node, region)
            stack.append(node.inputs[0])
        else:
            region.relations.append(visit(node))
    # Lower conditions first: rows that one of them drops must not make a higher one fail.
    region.terms = [term for terms in reversed(conditions) for term in terms]
    region.attachments.reverse()
    _resolve(region)
    _localise(region)
    return region


def _rename(node: Plan, region: Region) -> None:
    assert isinstance(node, Project)
    for column, expr in zip(node.columns, node.exprs, strict=True):
        if isinstance(expr, ColumnRef) and expr.id != column.id:
            region.renamed[column.id] = expr


def _resolve(region: Region) -> None:
    """Tells all conditions in the columns of the relations."""
    renamed = region.renamed
    if not renamed:
        return
    for column in reversed(list(renamed)):
        # Renamings were met from the root down, so those below are resolved first.
        renamed[column] = substitute(renamed[column], renamed)
    region.terms = [substitute(t, renamed) for t in region.terms]
    region.attachments = [
        replace(
            join,
            condition=None if join.condition is None else substitute(join.condition, renamed),
            mark_terms=tuple(substitute(t, renamed) for t in join.mark_terms),
        )
        for join in region.attachments
    ]


def _localise(region: Region) -> None:
    """Puts terms that read one of the inner relations only on that relation."""
    home = {column: index for index, plan in enumerate(region.relations) for column in plan.ids}
    local: dict[int, list[Expr]] = {}
    between: list[Expr] = []
    for term in region.terms:
        owners = {home.get(column, -1) for column in references(term)}
        if len(owners) == 1 and -1 not in owners:
            local.setdefault(owners.pop(), []).append(term)
        else:
            between.append(term)
    for index, terms in local.items():
        region.relations[index] = filtered(region.relations[index], terms)
    region.terms = between
