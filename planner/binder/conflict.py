"""ON CONFLICT, INSERT OR REPLACE and INSERT OR IGNORE: an UPDATE FROM the rows whose keys are taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from .. import messages, messages_changes
from ..catalog import Key, RowsTable, StoredTable, Table
from ..errors import Span
from ..expr import Comparison, Expr, ref
from ..frontend import span_of
from ..logical import Filter
from ..statements import OnConflict, Query, Update
from ..types import BOOLEAN
from .changes import bind_assignments, changed_rows
from .checks import refuse_unknown
from .environment import Environment
from .expression import BindQuery, bind_condition
from .from_clause import bind_from
from .returning import rows_node, target_node
from .scope import Scope

__all__ = ["bind_conflict", "target_node"]


@dataclass
class _TargetFirst(Scope):
    """A name without a table is the target's column, though the rows to insert have it as well."""

    def find_column(self, name: str, span: Span | None) -> Expr | None:
        column = self.relations[0].find(name)
        return None if column is None else ref(column, span)


def bind_conflict(
    node: exp.Insert, table: Table, listed: Sequence[int], env: Environment, bind_query: BindQuery
) -> OnConflict | None:
    """What an INSERT does with rows whose keys are taken. `listed` are the places of the columns it names."""
    clause, word = node.args.get("conflict"), node.args.get("alternative")
    if clause is None and not word:
        return None
    if clause is not None and word:
        raise messages.syntax("INSERT OR stands for an ON CONFLICT clause", span_of(clause))
    span = span_of(clause) or span_of(node.this)
    keys = table.constraints.keys if isinstance(table, StoredTable) else ()
    names: tuple[str, ...] | None = None
    nothing = str(word).upper() == "IGNORE"
    if clause is not None:
        refuse_unknown(
            clause, ("duplicate", "expressions", "action", "conflict_keys", "index_predicate", "where")
        )
        if clause.args.get("index_predicate") is not None:
            raise messages_changes.conflict_where(span_of(clause.args["index_predicate"]))
        if clause.args.get("conflict_keys"):
            names = _column_names(clause.args["conflict_keys"], table)
        nothing = str(clause.args["action"].name).upper() == "DO NOTHING"
    key = _key(keys, names, nothing, span)
    if nothing:
        return OnConflict(key)
    assert key is not None
    assert isinstance(table, StoredTable)
    return OnConflict(key, *_update(node, clause, table, key, listed, env, bind_query))


def _column_names(nodes: Sequence[exp.Expr], table: Table) -> tuple[str, ...]:
    known = {c.name.lower(): c.name for c in table.columns}
    names = []
    for item in nodes:
        column = item.this if isinstance(item, exp.Ordered) else item
        if not isinstance(column, (exp.Column, exp.Identifier)):
            raise messages.syntax("A list of column names was expected here", span_of(item))
        if column.name.lower() not in known:
            raise messages_changes.no_such_insert_column(
                table.name, column.name, list(known.values()), span_of(item)
            )
        names.append(known[column.name.lower()])
    return tuple(names)


def _key(keys: Sequence[Key], names: tuple[str, ...] | None, nothing: bool, span: Span | None) -> Key | None:
    """The key that the clause means; None for any of the table's."""
    if names is not None:
        for key in keys:
            if set(key.columns) == set(names):
                return key
        raise messages_changes.no_such_key(span)
    if not keys:
        raise messages_changes.no_keys(span)
    if nothing:
        return None
    if len(keys) > 1:
        raise messages_changes.several_keys(span)
    return keys[0]


def _update(
    node: exp.Insert,
    clause: exp.Expr | None,
    table: StoredTable,
    key: Key,
    listed: Sequence[int],
    env: Environment,
    bind_query: BindQuery,
) -> tuple[Update, RowsTable]:
    rows = RowsTable("excluded", table.columns)
    target = rows_node(table.numbered(), target_node(node).args.get("alias"), target_node(node))
    join = exp.Join(this=rows_node(rows, None))
    join.meta["comma"] = True
    source = bind_from(exp.Select(from_=exp.From(this=target), joins=[join]), env, bind_query)
    old, new = source.relations
    plan = source.plan
    for name in key.columns:
        left, right = old.find(name), new.find(name)
        assert left is not None
        assert right is not None
        plan = Filter(plan, Comparison(BOOLEAN, "=", ref(left), ref(right)))
    scope = _TargetFirst(source.relations)
    where = None if clause is None else clause.args.get("where")
    if where is not None:
        plan = Filter(plan, bind_condition(where.this, scope, env, bind_query, "WHERE"))
    if clause is None:
        places = [i for i in listed if table.columns[i].name not in key.columns] or list(listed)
        exprs: list[Expr] = [ref(new.columns[i]) for i in places]
    else:
        for item in clause.expressions:
            query = item.find(exp.Query)
            if query is not None:
                raise messages_changes.subquery_in_do_update(span_of(query))
        places, exprs = bind_assignments(clause.expressions, table, scope, env, bind_query)
    plan = changed_rows(plan, source, table, places, exprs, env, bind_query)
    query = Query(plan, tuple(c.name for c in plan.schema))
    return Update(table, query, tuple(places), table.constraints.checks), rows
