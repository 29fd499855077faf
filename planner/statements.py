"""Bound statements: what the engine executes. One dataclass a kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .catalog import NO_CONSTRAINTS, Catalog, Constraints, Key, Macro, RowsTable, StoredTable, TableColumn
from .copy_options import Destination
from .errors import Span
from .functions.user import UserFunction
from .logical import ColumnIds, Plan
from .types import SQLType

_STEPS_BETWEEN_CHECKS = 500


def _no_rows(plan: Any) -> list[str]:
    raise AssertionError("nobody runs plans for this binder")


@dataclass
class BindContext:
    """What binding may read. `parameters`: positional values (for ? and $1) or by name (for $name), as Python
    values. `settings` are the session's. `functions` are those its user made, `macros` those of the database,
    both by lower-case name. `ids` hands out column ids; one context a statement.
    """

    catalog: Catalog
    settings: Mapping[str, Any] = field(default_factory=dict)
    functions: Mapping[str, UserFunction] = field(default_factory=dict, kw_only=True)
    macros: Mapping[str, Macro] = field(default_factory=dict, kw_only=True)
    parameters: Sequence[Any] | Mapping[str, Any] = ()
    ids: ColumnIds = field(default_factory=ColumnIds)
    check: Callable[[], None] = lambda: None
    # What SET VARIABLE keeps, by name: literals.
    variables: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    # The texts in the one column of a plan, which runs now: PIVOT needs to know values.
    rows: Callable[[Any], list[str]] = field(default=_no_rows, kw_only=True)
    _steps: int = field(default=0, init=False, repr=False)

    def poll(self) -> None:
        """Called at every step of binding; now and then it asks `check`, which raises where the statement was
        cancelled."""
        self._steps += 1
        if self._steps % _STEPS_BETWEEN_CHECKS == 0:
            self.check()


@dataclass(frozen=True)
class Statement:
    """Base of all statements."""


@dataclass(frozen=True)
class Query(Statement):
    """A SELECT (or VALUES, FROM-first...). `names` are the result's column names (duplicates allowed), one a
    column of plan.schema.
    """

    plan: Plan
    names: tuple[str, ...]


@dataclass(frozen=True)
class CreateTable(Statement):
    """CREATE [OR REPLACE] [TEMP] TABLE name (columns) or AS query (then `columns` describes the query's
    result). `name` has no schema part left.
    """

    name: str
    columns: tuple[TableColumn, ...]
    query: Query | None = None
    if_not_exists: bool = False
    or_replace: bool = False
    constraints: Constraints = NO_CONSTRAINTS


@dataclass(frozen=True)
class CreateIndex(Statement):
    """CREATE [UNIQUE] INDEX name ON table (columns); no `key` where the index is not unique."""

    name: str
    table: str
    key: tuple[str, ...] | None
    if_not_exists: bool = False


@dataclass(frozen=True)
class CreateView(Statement):
    """CREATE [OR REPLACE] VIEW; `sql` is the text of its query, bound once at creation to find errors."""

    name: str
    sql: str
    aliases: tuple[str, ...] = ()
    columns: tuple[TableColumn, ...] = ()
    if_not_exists: bool = False
    or_replace: bool = False


@dataclass(frozen=True)
class Returning:
    """RETURNING: `query` reads `rows`, which stand for the rows that the statement wrote or deleted."""

    rows: RowsTable
    query: Query


@dataclass(frozen=True)
class Update(Statement):
    """UPDATE of `table`, the version that `query` reads: that yields the number of each row to change, the
    new values of the columns at `places`, and one BOOLEAN for each of `checks`. A row may come several times.
    """

    table: StoredTable
    query: Query
    places: tuple[int, ...]
    checks: tuple[str, ...] = ()
    returning: Returning | None = None


@dataclass(frozen=True)
class OnConflict:
    """What INSERT does with rows whose `key` (None: any of the table's) is taken: `update`, in whose query
    `rows` stand for them, changes the rows that have it; without it they are left out.
    """

    key: Key | None
    update: Update | None = None
    rows: RowsTable | None = None


@dataclass(frozen=True)
class Insert(Statement):
    """INSERT INTO table: `query` yields one column a table column, in table order, already cast (defaults and
    NULLs filled in), and then one BOOLEAN for each of `checks`, the texts of the table's CHECKs.
    """

    table: str
    query: Query
    checks: tuple[str, ...] = ()
    returning: Returning | None = None
    conflict: OnConflict | None = None


@dataclass(frozen=True)
class Delete(Statement):
    """DELETE from `table`, the version that `query` reads: that yields the number of each row to delete,
    perhaps several times. Without a query all rows go.
    """

    table: StoredTable
    query: Query | None
    returning: Returning | None = None


@dataclass(frozen=True)
class Alter(Statement):
    """ALTER TABLE of `table`, the version that was bound (None: nothing to do): its next columns and
    constraints, `query` for its next rows where they change, and its new name.
    """

    table: StoredTable | None
    columns: tuple[TableColumn, ...]
    constraints: Constraints = NO_CONSTRAINTS
    query: Query | None = None
    new_name: str | None = None


@dataclass(frozen=True)
class RenameView(Statement):
    """ALTER VIEW name RENAME TO new_name."""

    name: str
    new_name: str


@dataclass(frozen=True)
class CreateMacro(Statement):
    """CREATE [OR REPLACE] MACRO [IF NOT EXISTS]."""

    macro: Macro
    if_not_exists: bool = False
    or_replace: bool = False


@dataclass(frozen=True)
class Drop(Statement):
    """DROP TABLE, VIEW, INDEX or MACRO (`kind` is 'table', 'view', 'index' or 'macro')."""

    kind: str
    name: str
    if_exists: bool = False


@dataclass(frozen=True)
class Transaction(Statement):
    """BEGIN ('begin'), COMMIT ('commit') or ROLLBACK ('rollback')."""

    kind: str
    read_only: bool = False


@dataclass(frozen=True)
class SetVariable(Statement):
    """SET name = value; `value` is a Python value."""

    name: str
    value: Any


@dataclass(frozen=True)
class ResetVariable(Statement):
    """RESET name."""

    name: str


@dataclass(frozen=True)
class SetUserVariable(Statement):
    """SET VARIABLE name = value: the one value of `query`; None forgets the variable."""

    name: str
    query: Query | None


@dataclass(frozen=True)
class Prepare(Statement):
    """PREPARE name AS the statement `sql`."""

    name: str
    sql: str


@dataclass(frozen=True)
class Execute(Statement):
    """EXECUTE name: `values` yields one row of its values, which are for the parameters `names`, if given, or
    in order.
    """

    name: str
    values: Query | None
    names: tuple[str, ...]
    span: Span | None


@dataclass(frozen=True)
class Deallocate(Statement):
    """DEALLOCATE name."""

    name: str


@dataclass(frozen=True)
class Show(Statement):
    """SHOW TABLES ('tables'), SHOW ALL TABLES ('all tables'), SHOW DATABASES ('databases'), SHOW SCHEMAS
    ('schemas'), SHOW ALL / settings ('settings'), or SHOW name ('setting' with `name`).
    """

    what: str
    name: str = ""


@dataclass(frozen=True)
class Accepted(Statement):
    """A statement that has nothing to do here; `what` is its name."""

    what: str


@dataclass(frozen=True)
class Describe(Statement):
    """DESCRIBE table or query: one row a column."""

    query: Query


@dataclass(frozen=True)
class Explain(Statement):
    """EXPLAIN [ANALYZE] [(FORMAT text|json, COST)] statement."""

    statement: Statement
    analyze: bool = False
    format: str = "text"
    cost: bool = False


@dataclass(frozen=True)
class CopyTo(Statement):
    """COPY query TO a file. For CSV and JSON all columns but nested ones are texts by now; `types` are what
    they were."""

    query: Query
    types: tuple[SQLType, ...]
    destination: Destination


@dataclass(frozen=True)
class CopyFrom(Statement):
    """COPY table FROM a file: an INSERT of the file's rows."""

    insert: Insert
