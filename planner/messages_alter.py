"""Errors about ALTER."""

from __future__ import annotations

from collections.abc import Iterable

from .candidates import did_you_mean
from .catalog import Key
from .errors import BinderError, CatalogError, ParserError, Span


def one_action(span: Span | None) -> ParserError:
    """ALTER TABLE with several actions."""
    return ParserError("one_action", "Only one ALTER command per statement is supported", span=span)


def only_tables(name: str) -> CatalogError:
    """ALTER of a view's columns."""
    return CatalogError("wrong_kind", f'Can only modify view "{name}" with ALTER VIEW statement')


def read_only(name: str) -> CatalogError:
    """ALTER of a table that stands for files."""
    return CatalogError("read_only", f'"{name}" is made of files, which statements do not change')


def unknown_column(table: str, name: str, known: Iterable[str], span: Span | None) -> BinderError:
    """ALTER of a column that is not there."""
    return BinderError(
        "unknown_column",
        f'Table "{table}" does not have a column with name "{name}"',
        span=span,
        hint=did_you_mean(name, known),
    )


def column_exists(name: str, span: Span | None) -> CatalogError:
    """ADD COLUMN or RENAME to a name that is taken."""
    return CatalogError("already_exists", f'Column with name "{name}" already exists!', span=span)


def key_of_new_column(span: Span | None) -> ParserError:
    """ADD COLUMN with PRIMARY KEY."""
    return ParserError("key_of_new_column", "Adding columns with constraints not yet supported", span=span)


def check_of_new_column(span: Span | None) -> ParserError:
    """ADD COLUMN with CHECK."""
    text = "Adding columns with CHECK constraints is not supported yet"
    return ParserError("check_of_new_column", text, span=span)


def has_primary_key(table: str) -> CatalogError:
    """ADD PRIMARY KEY where there is one."""
    return CatalogError("two_primary_keys", f'Table "{table}" already has a primary key')


def key_depends(name: str, key: Key) -> CatalogError:
    """DROP COLUMN of a key."""
    if key.index is not None:
        return CatalogError("key_depends", "Cannot drop this column: an index depends on it!")
    kind = "PRIMARY KEY" if key.primary else "UNIQUE"
    text = f'Cannot drop column "{name}" because there is a {kind} constraint that depends on it'
    return CatalogError("key_depends", text)


def check_depends(name: str) -> CatalogError:
    """DROP COLUMN that a CHECK over several columns reads."""
    text = f'Cannot drop column "{name}" because there is a CHECK constraint that depends on it'
    return CatalogError("check_depends", text)


def last_column() -> CatalogError:
    """DROP COLUMN of the only one."""
    return CatalogError("last_column", "Cannot drop column: table only has one column remaining!")


def primary_stays_not_null(name: str) -> CatalogError:
    """DROP NOT NULL of a primary key."""
    return CatalogError("primary_key", f'column "{name}" is in a primary key')


def key_keeps_type(span: Span | None) -> BinderError:
    """ALTER TYPE of a key."""
    return BinderError(
        "key_keeps_type",
        "Cannot change the type of a column that has a UNIQUE or PRIMARY KEY constraint specified",
        span=span,
    )


def check_keeps_type(span: Span | None) -> BinderError:
    """ALTER TYPE of a column that a CHECK reads."""
    return BinderError(
        "check_keeps_type",
        "Cannot change the type of a column that has a CHECK constraint specified",
        span=span,
    )


def name_taken(old: str, new: str) -> CatalogError:
    """RENAME TO a name that is taken."""
    return CatalogError(
        "already_exists", f'Could not rename "{old}" to "{new}": another entry with this name already exists!'
    )
