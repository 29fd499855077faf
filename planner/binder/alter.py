"""ALTER TABLE and ALTER VIEW: the table's next columns, constraints and, where they change, rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from .. import messages, messages_alter, messages_query
from ..catalog import Constraints, StoredTable, View
from ..expr import Expr, ref
from ..frontend import parse_script, span_of
from ..logical import Scan
from ..statements import Alter, Query, RenameView, Statement
from .casting import cast_to
from .checks import refuse_unknown
from .constraints import ConstraintReader, row_scope
from .create import bind_column, default_text
from .defaults import default_of
from .drop import own_name
from .environment import Environment
from .expression import BindQuery, bind_expression
from .names import expression_name
from .plans import project
from .types import bind_type


def bind_alter(node: exp.Alter, env: Environment, bind_query: BindQuery) -> Statement:
    """One action a statement, as in DuckDB."""
    refuse_unknown(node, ("this", "kind", "exists", "actions"))
    (action, *more) = node.args["actions"]
    if more:
        raise messages_alter.one_action(span_of(more[0]))
    name = own_name(node.this)
    entry = env.context.catalog.lookup((name,))
    if entry is None:
        if node.args.get("exists"):
            return Alter(None, ())
        raise messages_query.unknown_table(name, env.context.catalog.names(), span_of(node.this))
    if isinstance(entry, View):
        if not isinstance(action, exp.AlterRename):
            raise messages_alter.only_tables(entry.name)
        return RenameView(entry.name, own_name(action.this))
    if not isinstance(entry, StoredTable):
        raise messages_alter.read_only(entry.name)
    return _Altering(entry, env, bind_query).action(action)


class _Altering:
    """A table on its way to its next columns and constraints."""

    def __init__(self, table: StoredTable, env: Environment, bind_query: BindQuery) -> None:
        self.table = table
        self.columns = list(table.columns)
        self.constraints = table.constraints
        self.env = env
        self.bind_query = bind_query
        ids = env.context.ids
        self.old = tuple(ids.column(c.name, c.type, c.nullable) for c in table.columns)

    def action(self, node: exp.Expr) -> Alter:
        """What an action makes of the table."""
        match node:
            case exp.AlterRename():
                return Alter(self.table, tuple(self.columns), self.constraints, new_name=own_name(node.this))
            case exp.RenameColumn():
                return self._rename(node)
            case exp.ColumnDef():
                return self._add(node)
            case exp.Drop(args={"kind": "COLUMN"}):
                return self._drop(node)
            case exp.AlterColumn():
                return self._change(node)
            case exp.AddConstraint():
                return self._constrain(node)
            case _:
                raise messages.unsupported("This ALTER TABLE is", span_of(node))

    def _place(self, node: exp.Expr) -> int:
        for place, column in enumerate(self.columns):
            if column.name.lower() == node.name.lower():
                return place
        known = [c.name for c in self.columns]
        raise messages_alter.unknown_column(self.table.name, node.name, known, span_of(node))

    def _has(self, name: str) -> bool:
        return any(c.name.lower() == name.lower() for c in self.columns)

    def _done(self, exprs: Sequence[Expr] | None = None) -> Alter:
        columns = tuple(self.columns)
        if exprs is None:
            return Alter(self.table, columns, self.constraints)
        scan = Scan(self.table, self.old, tuple(c.name for c in self.table.columns), self.table.name)
        names = [c.name for c in columns]
        plan = project(self.env.context.ids, scan, names, exprs)
        return Alter(self.table, columns, self.constraints, Query(plan, tuple(names)))

    def _rename(self, node: exp.RenameColumn) -> Alter:
        refuse_unknown(node, ("this", "to"))
        place, new = self._place(node.this), node.args["to"].name
        old = self.columns[place].name
        if self._has(new) and new.lower() != old.lower():
            raise messages_alter.column_exists(new, span_of(node.args["to"]))
        self.columns[place] = replace(self.columns[place], name=new)
        keys = tuple(
            replace(key, columns=tuple(new if c == old else c for c in key.columns))
            for key in self.constraints.keys
        )
        checks = tuple(_renamed(text, old, new) for text in self.constraints.checks)
        self.constraints = Constraints(keys, checks)
        return self._done()

    def _add(self, node: exp.ColumnDef) -> Alter:
        if self._has(node.name):
            if node.args.get("exists"):
                return Alter(None, ())
            raise messages_alter.column_exists(node.name, span_of(node.this))
        reader = ConstraintReader(self.table.name, self.env, self.bind_query)
        self.columns.append(bind_column(node, self.env, self.bind_query, reader))
        if reader.has_primary:
            raise messages_alter.key_of_new_column(span_of(node.this))
        if reader.has_checks:
            raise messages_alter.check_of_new_column(span_of(node.this))
        value = default_of(self.columns[-1], self.env, self.bind_query)
        self._take(reader)
        return self._done([*map(ref, self.old), value])

    def _take(self, reader: ConstraintReader) -> None:
        columns, more = reader.finish(tuple(self.columns))
        self.columns = list(columns)
        keys = (*self.constraints.keys, *more.keys)
        self.constraints = Constraints(keys, (*self.constraints.checks, *more.checks))

    def _constrain(self, node: exp.AddConstraint) -> Alter:
        reader = ConstraintReader(self.table.name, self.env, self.bind_query)
        for item in node.expressions:
            reader.of_table(item)
        if reader.has_checks or not reader.has_primary:
            raise messages.unsupported("ADD of other constraints than PRIMARY KEY is", span_of(node))
        if any(key.primary for key in self.constraints.keys):
            raise messages_alter.has_primary_key(self.table.name)
        self._take(reader)
        return self._done([*map(ref, self.old)])

    def _drop(self, node: exp.Drop) -> Alter:
        refuse_unknown(node, ("exists", "tables", "kind", "cascade", "restrict"))
        (target,) = node.args["tables"]
        if node.args.get("exists") and not self._has(target.name):
            return Alter(None, ())
        place = self._place(target)
        name = self.columns[place].name
        if len(self.columns) == 1:
            raise messages_alter.last_column()
        for key in self.constraints.keys:
            if name in key.columns:
                raise messages_alter.key_depends(name, key)
        checks = []
        for text in self.constraints.checks:
            read = {column.name.lower() for column in _parsed(text).find_all(exp.Column)}
            if name.lower() in read and len(read) > 1:
                raise messages_alter.check_depends(name)
            if name.lower() not in read:
                checks.append(text)
        self.constraints = Constraints(self.constraints.keys, tuple(checks))
        del self.columns[place]
        return self._done([ref(c) for i, c in enumerate(self.old) if i != place])

    def _change(self, node: exp.AlterColumn) -> Alter:
        refuse_unknown(node, ("this", "dtype", "using", "default", "drop", "allow_null"))
        place = self._place(node.this)
        column = self.columns[place]
        kind = node.args.get("dtype")
        default = node.args.get("default")
        nullable = node.args.get("allow_null")
        if kind is not None:
            return self._retyped(place, node)
        if default is not None:
            text = default_text(default, column.type, self.env, self.bind_query)
            self.columns[place] = replace(column, default=text)
            return self._done()
        if nullable is None:
            self.columns[place] = replace(column, default=None)
            return self._done()
        if nullable and any(key.primary and column.name in key.columns for key in self.constraints.keys):
            raise messages_alter.primary_stays_not_null(column.name)
        self.columns[place] = replace(column, nullable=bool(nullable))
        return self._done(None if nullable else [*map(ref, self.old)])

    def _retyped(self, place: int, node: exp.AlterColumn) -> Alter:
        column = self.columns[place]
        if any(column.name in key.columns for key in self.constraints.keys):
            raise messages_alter.key_keeps_type(span_of(node.this))
        for text in self.constraints.checks:
            if any(c.name.lower() == column.name.lower() for c in _parsed(text).find_all(exp.Column)):
                raise messages_alter.check_keeps_type(span_of(node.this))
        kind = bind_type(node.args["dtype"], span_of(node.this))
        self.columns[place] = replace(column, type=kind)
        value: Expr = ref(self.old[place])
        if node.args.get("using"):
            scope = row_scope(self.table.name, self.old)
            value = bind_expression(node.args["using"], scope, self.env, self.bind_query, "ALTER TABLE")
        exprs = [cast_to(value, kind) if i == place else ref(c) for i, c in enumerate(self.old)]
        return self._done(exprs)


def _parsed(text: str) -> exp.Expr:
    (parsed,) = parse_script(f"SELECT {text}")
    assert isinstance(parsed.ast, exp.Select)
    return parsed.ast.expressions[0]


def _renamed(text: str, old: str, new: str) -> str:
    """The text of an expression with a column under its new name."""
    node = _parsed(text)
    for column in list(node.find_all(exp.Column)):
        if column.name.lower() == old.lower():
            column.set("this", exp.Identifier(this=new, quoted=True))
    return expression_name(node)
