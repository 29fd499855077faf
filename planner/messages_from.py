"""Texts of errors in FROM and WITH: recursion, joins, pivots, samples, column expressions."""

from __future__ import annotations

from collections.abc import Sequence

from .candidates import did_you_mean
from .errors import BinderError, ParserError, Span, SqlError


def circular_reference(name: str, span: Span | None) -> SqlError:
    """A WITH entry that reads itself where it is not recursive."""
    return BinderError(
        "circular_reference",
        f'Circular reference to CTE "{name}"',
        span=span,
        hint="A recursive query reads itself only behind its UNION [ALL], under WITH RECURSIVE.",
    )


def clause_of_recursion(clause: str, span: Span | None) -> SqlError:
    """ORDER BY or LIMIT behind a recursive union."""
    return ParserError(
        "clause_of_recursion",
        f"{clause} in a recursive query is not allowed",
        span=span,
        hint="Put it on the query that reads the result, or put the recursive part into parentheses.",
    )


def no_matching_columns(pattern: str, names: Sequence[str], span: Span | None) -> SqlError:
    """COLUMNS('expression') that matches no name."""
    hint = did_you_mean(pattern, list(names))
    return BinderError("no_columns", f'No column matches the expression "{pattern}"', span=span, hint=hint)


def no_columns(span: Span | None) -> SqlError:
    """A star with a pattern, or COLUMNS with a condition, that no column satisfies."""
    return BinderError("no_columns", "No column satisfies this", span=span)


def bad_columns_regex(pattern: str, reason: str, span: Span | None) -> SqlError:
    """COLUMNS with a wrong regular expression."""
    return BinderError("bad_regex", f'"{pattern}" is no regular expression: {reason}', span=span)


def listed_column(name: str, names: Sequence[str], span: Span | None) -> SqlError:
    """COLUMNS(['name']) of a column that FROM does not have."""
    hint = did_you_mean(name, list(names))
    return BinderError("unknown_column", f'Column "{name}" is not in FROM', span=span, hint=hint)


def wrong_columns_argument(span: Span | None) -> SqlError:
    """COLUMNS(1)."""
    return BinderError(
        "columns_argument",
        "COLUMNS takes a star, a regular expression, a list of names or a lambda",
        span=span,
    )


def column_in_columns(name: str, span: Span | None) -> SqlError:
    """COLUMNS(a)."""
    return BinderError("columns_argument", f'COLUMNS cannot read the column "{name}"', span=span)


def different_columns(span: Span | None) -> SqlError:
    """COLUMNS('a') + COLUMNS('b')."""
    return BinderError("different_columns", "One expression cannot have several different COLUMNS", span=span)


def unpacked_alone(span: Span | None) -> SqlError:
    """*COLUMNS where no list of values stands."""
    return BinderError(
        "unpacked_columns", "*COLUMNS stands among the arguments of a call or a list", span=span
    )


def star_pattern(span: Span | None) -> SqlError:
    """* LIKE column."""
    return BinderError("star_pattern", "The pattern behind a star is a constant text", span=span)


def columns_not_here(span: Span | None) -> SqlError:
    """COLUMNS in a clause that takes one value."""
    return BinderError("columns_not_here", "COLUMNS and stars are not supported in this place", span=span)


def asof_inequality(count: int, span: Span | None) -> SqlError:
    """An ASOF JOIN without an inequality between its sides, or with several."""
    problem = "Missing ASOF JOIN inequality" if not count else "Multiple ASOF JOIN inequalities"
    hint = "Its condition has one of <, <=, >, >= between the sides; all else is equality, or is of one side."
    return BinderError("asof_inequality", problem, span=span, hint=hint)


def pivot_aggregates(count: int, span: Span | None) -> SqlError:
    """PIVOT with an expression of no or of several aggregates."""
    problem = f"An expression of PIVOT has exactly one aggregate, not {count}"
    return BinderError("pivot_aggregates", problem, span=span)


def pivot_row(expected: int, given: int, span: Span | None) -> SqlError:
    """A value of PIVOT's IN of another size than what it is compared with."""
    return BinderError("pivot_row", f"This value has {given} parts, {expected} were expected", span=span)


def repeated_pivot_value(name: str, span: Span | None) -> SqlError:
    """PIVOT ... IN (1, 1)."""
    return BinderError("repeated_pivot_value", f'The value "{name}" is listed twice', span=span)


def too_many_pivot_columns(count: int, most: int, span: Span | None) -> SqlError:
    """PIVOT on very many values."""
    return BinderError("pivot_columns", f"PIVOT would make {count} columns, {most} are the most", span=span)


def unpivot_sizes(expected: int, given: int, span: Span | None) -> SqlError:
    """UNPIVOT with entries of another size than its value columns."""
    return BinderError("unpivot_sizes", f"An entry has {given} columns, {expected} were expected", span=span)


def unpivot_types(left: str, right: str, span: Span | None) -> SqlError:
    """UNPIVOT of numbers and texts."""
    return BinderError(
        "unpivot_types",
        f"Cannot unpivot columns of types {left} and {right}",
        span=span,
        hint="Cast them to one type.",
    )


def unpivot_constant(span: Span | None) -> SqlError:
    """UNPIVOT on an expression without a column."""
    return BinderError("unpivot_constant", "UNPIVOT wants columns", span=span)


def pivot_in_view(span: Span | None) -> SqlError:
    """A view whose columns would depend on data."""
    return ParserError(
        "pivot_in_view",
        "PIVOT in a view needs a list of its values",
        span=span,
        hint="Write PIVOT ... ON column IN (value, ...).",
    )


def unknown_sample(method: str, span: Span | None) -> SqlError:
    """TABLESAMPLE with a method that does not exist."""
    problem = f"Unrecognized sampling method {method.lower()}, expected system, bernoulli or reservoir"
    return ParserError("sample_method", problem, span=span)


def sample_size(size: str, span: Span | None) -> SqlError:
    """TABLESAMPLE 101%."""
    return ParserError(
        "sample_size", f"Sample sample_size {size} out of range, must be between 0 and 100", span=span
    )


def sample_constant(span: Span | None) -> SqlError:
    """A sample of a computed size."""
    return ParserError("sample_size", "The size of a sample is a number", span=span)
