"""Statements whose syntax is our own to parse: one small frozen dataclass a kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from sqlglot import exp

from ..errors import Span
from .copy_command import CopyCommand


@dataclass(frozen=True)
class ExplainCommand:
    """EXPLAIN [ANALYZE] [(option, ...)] statement."""

    statement: Ast
    analyze: bool
    format: str
    cost: bool = False


@dataclass(frozen=True)
class SetCommand:
    """SET [SESSION | GLOBAL | LOCAL] name = value. `value` is an expression, or None for DEFAULT."""

    name: str
    value: exp.Expr | None
    span: Span


@dataclass(frozen=True)
class ResetCommand:
    """RESET name."""

    name: str
    span: Span


@dataclass(frozen=True)
class ShowCommand:
    """SHOW TABLES ('tables'), SHOW ALL TABLES ('all tables'), SHOW DATABASES ('databases'), SHOW SCHEMAS
    ('schemas'), SHOW ALL ('settings'), or SHOW name ('name', a setting or a table).
    """

    what: str
    name: str
    span: Span


@dataclass(frozen=True)
class AcceptedCommand:
    """A statement of DuckDB that has nothing to do here; `name` is its keyword(s)."""

    name: str


@dataclass(frozen=True)
class DescribeCommand:
    """DESCRIBE query, or DESCRIBE table as the query SELECT * FROM table."""

    query: exp.Expr


@dataclass(frozen=True)
class CreateViewCommand:
    """CREATE [OR REPLACE] [TEMP] VIEW [IF NOT EXISTS] name [(columns)] AS query; `sql` is the query's
    text."""

    name: exp.Expr
    columns: tuple[exp.Identifier, ...]
    query: exp.Expr
    sql: str
    or_replace: bool
    if_not_exists: bool


@dataclass(frozen=True)
class CreateMacroCommand:
    """CREATE [OR REPLACE] MACRO [IF NOT EXISTS] name(parameter [:= default], ...) AS expression; `sql` is the
    expression's text, as are the defaults.
    """

    name: exp.Expr
    parameters: tuple[tuple[exp.Identifier, str | None], ...]
    body: exp.Expr
    sql: str
    or_replace: bool
    if_not_exists: bool


@dataclass(frozen=True)
class TruncateCommand:
    """TRUNCATE [TABLE] name."""

    table: exp.Expr


@dataclass(frozen=True)
class SetUserVariableCommand:
    """SET VARIABLE name = value, the value as the query SELECT value; None for DEFAULT and RESET VARIABLE."""

    name: str
    value: exp.Expr | None


@dataclass(frozen=True)
class PrepareCommand:
    """PREPARE name AS statement; `sql` is the statement's text. `statement` is left out where it has
    parameters, without whose values it cannot be bound.
    """

    name: str
    sql: str
    statement: Ast | None


@dataclass(frozen=True)
class ExecuteCommand:
    """EXECUTE name [(value, ... or name := value, ...)]. `values` is the query SELECT value, ...; `names` has
    one entry a value, where they have names.
    """

    name: str
    values: exp.Expr | None
    names: tuple[str, ...]
    span: Span


@dataclass(frozen=True)
class DeallocateCommand:
    """DEALLOCATE [PREPARE] name."""

    name: str


@dataclass(frozen=True)
class TransactionCommand:
    """BEGIN ('begin'), COMMIT ('commit') or ROLLBACK ('rollback')."""

    kind: str
    read_only: bool = False


@dataclass(frozen=True)
class UnsupportedCommand:
    """A statement of DuckDB that is not built; `name` is its keyword(s)."""

    name: str
    span: Span


Command: TypeAlias = (
    CopyCommand
    | ExplainCommand
    | SetCommand
    | ResetCommand
    | ShowCommand
    | AcceptedCommand
    | DescribeCommand
    | CreateViewCommand
    | CreateMacroCommand
    | TransactionCommand
    | TruncateCommand
    | SetUserVariableCommand
    | PrepareCommand
    | ExecuteCommand
    | DeallocateCommand
    | UnsupportedCommand
)
Ast: TypeAlias = exp.Expr | Command
