"""Every error a user can see: PEP 249 classes, error kinds with codes, spans, hints and caret rendering.

The texts are in `messages*.py`: nothing else builds an error (a test looks).
"""

from __future__ import annotations

from dataclasses import dataclass

from .text_width import display_width


@dataclass(frozen=True, slots=True)
class Span:
    """Half-open range of character offsets [start, end) in the SQL text of a statement."""

    start: int
    end: int

    def join(self, other: Span | None) -> Span:
        """The smallest span that covers both."""
        return self if other is None else Span(min(self.start, other.start), max(self.end, other.end))


# PEP 249 hierarchy
class Warning(Exception):
    """Important warnings."""


class GpuWarning(Warning, UserWarning):
    """SET device = 'gpu' where there is no GPU to use. Also a Python warning, so `warnings` filters it."""


class Error(Exception):
    """Base of all errors."""


class InterfaceError(Error):
    """Misuse of the interface rather than of the database."""


class DatabaseError(Error):
    """Errors of the database."""


class DataError(DatabaseError):
    """A value is wrong: division by zero, overflow, bad cast."""


class OperationalError(DatabaseError):
    """The operation failed: files, memory, interruption."""


class IntegrityError(DatabaseError):
    """A constraint does not hold."""


class InternalError(DatabaseError):
    """A bug of ours."""


class ProgrammingError(DatabaseError):
    """The statement is wrong: syntax, unknown names, types."""


class NotSupportedError(DatabaseError):
    """The statement is fine, but this is not built."""


# Our errors
class SqlError(DatabaseError):
    """An error with a code, a message, a place in the SQL text and where possible a hint.

    `kind` is the heading a user reads ("Binder Error"), `code` is stable and machine-readable. `sql` is the
    whole statement the span refers to; the session fills it in where the raiser did not know it.
    """

    kind = "Error"

    def __init__(
        self,
        code: str,
        message: str,
        *,
        span: Span | None = None,
        hint: str | None = None,
        sql: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.span = span
        self.hint = hint
        self.sql = sql

    def __str__(self) -> str:
        return self.render()

    def render(self) -> str:
        """Heading, message, the line of SQL with a caret under the whole token, and the hint."""
        lines = [f"{self.kind}: {self.message}"]
        if self.span is not None and self.sql is not None:
            lines.append(caret(self.sql, self.span))
        if self.hint:
            lines.append(f"Hint: {self.hint}")
        return "\n".join(lines)


class ParserError(SqlError, ProgrammingError):
    """The text is no statement."""

    kind = "Parser Error"


class BinderError(SqlError, ProgrammingError):
    """Names, types or clauses do not fit together."""

    kind = "Binder Error"


class CatalogError(SqlError, ProgrammingError):
    """A table, view, function or type is not there, or is of another kind."""

    kind = "Catalog Error"


class ConversionError(SqlError, DataError):
    """A value cannot be cast."""

    kind = "Conversion Error"


class OutOfRangeError(SqlError, DataError):
    """A value does not fit its type."""

    kind = "Out of Range Error"


class InvalidInputError(SqlError, DataError):
    """A function or operator does not take this value."""

    kind = "Invalid Input Error"


class ConstraintError(SqlError, IntegrityError):
    """Rows break a constraint of their table."""

    kind = "Constraint Error"


class TransactionError(SqlError, OperationalError):
    """A transaction cannot begin, go on or end."""

    kind = "TransactionContext Error"


class UnsupportedError(SqlError, NotSupportedError):
    """A statement that is fine, of a kind that is not built."""

    kind = "Not Supported"


class IoError(SqlError, OperationalError):
    """A file cannot be read or is not what it should be."""

    kind = "IO Error"


class OutOfMemoryError(SqlError, OperationalError):
    """An operator may not reserve more memory."""

    kind = "Out of Memory Error"


class InterruptError(SqlError, OperationalError):
    """The query was cancelled."""

    kind = "Interrupted"


class SettingsError(SqlError, ProgrammingError):
    """A setting is not there, or does not take this value."""

    kind = "Settings Error"


class EngineError(SqlError, InternalError):
    """A bug of ours, told in one sentence."""

    kind = "Internal Error"


# Longer lines are cut around the token, so that the caret stays visible in an 80-column terminal.
_CONTEXT = 70


def caret(sql: str, span: Span) -> str:
    """The line of `sql` where `span` starts, numbered, with ^~~~ under the part of the span on that line.

    >>> print(caret("SELECT foo FROM t", Span(7, 10)))
    LINE 1: SELECT foo FROM t
                   ^~~
    """
    start = min(max(span.start, 0), len(sql))
    begin = sql.rfind("\n", 0, start) + 1
    end = sql.find("\n", start)
    end = len(sql) if end < 0 else end
    number = sql.count("\n", 0, start) + 1
    text, column = sql[begin:end], start - begin
    marked = sql[start : max(start, min(span.end, end))]
    if column > _CONTEXT // 2 and len(text) > _CONTEXT:
        cut = column - _CONTEXT // 2
        text, column = "..." + text[cut:], column - cut + 3
    if len(text) > column + _CONTEXT:
        text = text[: column + _CONTEXT] + "..."
        marked = marked[:_CONTEXT]
    head = f"LINE {number}: "
    # Tabs keep their width in the caret line; of other characters the columns they take count.
    pad = "\t".join(" " * display_width(part) for part in text[:column].split("\t"))
    return f"{head}{text}\n{' ' * len(head)}{pad}^{'~' * (display_width(marked) - 1)}"
