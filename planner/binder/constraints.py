"""PRIMARY KEY, UNIQUE and CHECK: from CREATE TABLE to what is stored, and into the plans that make rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from sqlglot import exp

from .. import messages, messages_constraints
from ..catalog import Constraints, Key, TableColumn
from ..errors import Span
from ..expr import Column, Expr, ref
from ..frontend import parse_script, span_of
from ..logical import Plan
from ..types import BOOLEAN, TypeId
from .casting import cast_to
from .environment import Environment
from .expression import BindQuery, bind_expression
from .names import expression_name
from .plans import project
from .scope import Relation, Scope

# Constraints that are refused, by what users call them.
_REFUSED: dict[type[exp.Expr], str] = {
    exp.ForeignKey: "FOREIGN KEY is",
    exp.Reference: "FOREIGN KEY is",
    exp.ComputedColumnConstraint: "A generated column is",
    exp.GeneratedAsIdentityColumnConstraint: "A generated column is",
    exp.CollateColumnConstraint: "COLLATE is",
}


class ConstraintReader:
    """Collects the constraints of one CREATE TABLE; `finish` gives its columns and constraints."""

    def __init__(self, table: str, env: Environment, bind_query: BindQuery) -> None:
        self.table = table
        self._env = env
        self._bind_query = bind_query
        self._keys: list[tuple[Key, exp.Expr]] = []
        self._checks: list[exp.Expr] = []

    @property
    def has_primary(self) -> bool:
        """Whether a PRIMARY KEY came."""
        return any(key.primary for key, _ in self._keys)

    @property
    def has_checks(self) -> bool:
        """Whether a CHECK came."""
        return bool(self._checks)

    def of_column(self, name: str, what: exp.Expr) -> bool:
        """Takes a column's constraint; False for what is none of ours."""
        match what:
            case exp.PrimaryKeyColumnConstraint():
                self._key(Key((name,), primary=True), what)
            case exp.UniqueColumnConstraint() if what.this is None:
                self._key(Key((name,)), what)
            case exp.CheckColumnConstraint():
                self._checks.append(what.this)
            case _:
                return False
        return True

    def of_table(self, node: exp.Expr) -> None:
        """Takes what stands among the columns. Raises UnsupportedError for constraints that are not built."""
        for what in _named(node):
            match what:
                case exp.PrimaryKey():
                    self._key(Key(_names(what.expressions), primary=True), what)
                case exp.UniqueColumnConstraint(this=exp.Schema() as listed):
                    self._key(Key(_names(listed.expressions)), what)
                case exp.CheckColumnConstraint():
                    self._checks.append(what.this)
                case _:
                    raise messages.unsupported(refused_name(what), span_of(what) or span_of(node))

    def _key(self, key: Key, node: exp.Expr) -> None:
        if key.primary and any(other.primary for other, _ in self._keys):
            raise messages_constraints.two_primary_keys(self.table, span_of(node))
        self._keys.append((key, node))

    def finish(self, columns: tuple[TableColumn, ...]) -> tuple[tuple[TableColumn, ...], Constraints]:
        """The columns, those of the primary key NOT NULL, and the constraints under the columns' names."""
        keys = [self._resolved(key, columns, node) for key, node in self._keys]
        needed = {name for key in keys if key.primary for name in key.columns}
        columns = tuple(replace(c, nullable=False) if c.name in needed else c for c in columns)
        ids = self._env.context.ids
        scope = row_scope(self.table, tuple(ids.column(c.name, c.type) for c in columns))
        for node in self._checks:
            if node.find(exp.Query):
                raise messages_constraints.subquery_in_check(span_of(node))
            bound = bind_expression(node, scope, self._env, self._bind_query, "CHECK")
            cast_to(bound, BOOLEAN)
        checks = tuple(expression_name(node) for node in self._checks)
        return columns, Constraints(tuple(dict.fromkeys(keys)), checks)

    def _resolved(self, key: Key, columns: tuple[TableColumn, ...], node: exp.Expr) -> Key:
        return replace(key, columns=key_columns(self.table, key.columns, columns, span_of(node)))


def key_columns(
    table: str, names: tuple[str, ...], columns: tuple[TableColumn, ...], span: Span | None
) -> tuple[str, ...]:
    """The columns of a key as the table spells them. Raises errors for unknown ones and unfit types."""
    known = {c.name.lower(): c for c in columns}
    found: list[str] = []
    for name in names:
        column = known.get(name.lower())
        if column is None:
            raise messages_constraints.unknown_key_column(table, name, span)
        if column.type.is_nested or column.type.id is TypeId.INTERVAL:
            raise messages_constraints.bad_key_type(column.type, span)
        if column.name in found:
            raise messages_constraints.key_column_twice(column.name, span)
        found.append(column.name)
    return tuple(found)


def _named(node: exp.Expr) -> Iterator[exp.Expr]:
    if isinstance(node, exp.Constraint):
        yield from node.expressions
    else:
        yield node


def _names(nodes: list[exp.Expr]) -> tuple[str, ...]:
    names = []
    for node in nodes:
        inner = node.this if isinstance(node, exp.Ordered) else node
        if not isinstance(inner, (exp.Identifier, exp.Column)):
            raise messages.syntax("A list of column names was expected here", span_of(node))
        names.append(inner.name)
    return tuple(names)


def refused_name(node: exp.Expr) -> str:
    """What users call a constraint that is not built."""
    for kind, what in _REFUSED.items():
        if isinstance(node, kind):
            return what
    return "This constraint is"


def row_scope(table: str, columns: tuple[Column, ...]) -> Scope:
    """The names of one row of a table."""
    return Scope((Relation(table, tuple(c.name for c in columns), columns),))


def with_checks(
    plan: Plan,
    table: str,
    checks: tuple[str, ...],
    env: Environment,
    bind_query: BindQuery,
    columns: Callable[[Plan], tuple[Column, ...]] = lambda plan: plan.schema,
) -> Plan:
    """The plan, which makes rows of a table, with one more BOOLEAN column for each of the table's CHECKs.
    `columns` of it are the table's.
    """
    if not checks:
        return plan
    scope = row_scope(table, columns(plan))
    exprs: list[Expr] = [ref(c) for c in plan.schema]
    for text in checks:
        (parsed,) = parse_script(f"SELECT {text}")
        assert isinstance(parsed.ast, exp.Select)
        node = parsed.ast.expressions[0]
        bound = bind_expression(node, scope, Environment(env.context), bind_query, "CHECK")
        exprs.append(cast_to(bound, BOOLEAN))
    names = [c.name for c in plan.schema] + [f"check{i}" for i in range(len(checks))]
    return project(env.context.ids, plan, names, exprs)
