"""The texts of the planner's errors: the one place where SqlErrors of the planner are built.

Each function returns the error, so that the place that raises it reads `raise messages.unknown_column(...)`.
Codes are stable.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .candidates import did_you_mean
from .errors import (
    BinderError,
    CatalogError,
    ConversionError,
    InvalidInputError,
    OutOfRangeError,
    ParserError,
    Span,
    UnsupportedError,
)


def plural(count: int, noun: str) -> str:
    """'1 column', '2 columns'."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


# Names ------------------------------------------------------------------------------------------------------
def unknown_column(name: str, candidates: Iterable[str], span: Span | None) -> BinderError:
    """`name` as written, e.g. 'l.tax'."""
    return BinderError(
        "unknown_column",
        f'Column "{name}" does not exist',
        span=span,
        hint=did_you_mean(name.rpartition(".")[2], candidates),
    )


def ambiguous_column(name: str, places: Sequence[str], span: Span | None) -> BinderError:
    """`places` are the qualified names it could mean."""
    listed = " or ".join(f'"{p}"' for p in places)
    return BinderError(
        "ambiguous_column",
        f'Column "{name}" is ambiguous',
        span=span,
        hint=f"Write {listed}." if listed else None,
    )


def unknown_function(name: str, candidates: Iterable[str], span: Span | None) -> CatalogError:
    """A call of a name that no function has."""
    return CatalogError(
        "unknown_function",
        f'Function "{name}" does not exist',
        span=span,
        hint=did_you_mean(name, candidates),
    )


def unknown_type(name: str, candidates: Iterable[str], span: Span | None) -> CatalogError:
    """A cast to, or a column of, a type that does not exist."""
    return CatalogError(
        "unknown_type", f'Type "{name}" does not exist', span=span, hint=did_you_mean(name, candidates)
    )


# Functions --------------------------------------------------------------------------------------------------
def no_matching_function(
    name: str, kinds: Sequence[Any], signatures: Sequence[str], span: Span | None
) -> BinderError:
    """No overload of `name` takes arguments of these types."""
    shown = ", ".join(str(k) for k in kinds)
    head = (
        f'"{name}" takes no arguments of these types: {name}({shown})'
        if kinds
        else f'"{name}" needs arguments'
    )
    forms = "\n".join(f"  {s}" for s in signatures[:12])
    more = f"\n  and {len(signatures) - 12} more" if len(signatures) > 12 else ""
    return BinderError("no_matching_function", head, span=span, hint=f"It can be called as\n{forms}{more}")


def ambiguous_function(
    name: str, kinds: Sequence[Any], signatures: Sequence[str], span: Span | None
) -> BinderError:
    """Several overloads fit equally well."""
    shown = ", ".join(str(k) for k in kinds)
    forms = "\n".join(f"  {s}" for s in signatures)
    return BinderError(
        "ambiguous_function",
        f"{name}({shown}) could mean several functions; cast an argument to choose one",
        span=span,
        hint=f"It could be\n{forms}",
    )


def wrong_argument_count(name: str, wanted: str, given: int, span: Span | None) -> BinderError:
    """`wanted` in words, e.g. '2 arguments'."""
    return BinderError("wrong_argument_count", f'"{name}" takes {wanted}, not {given}', span=span)


def constant_argument(name: str, what: str, span: Span | None) -> BinderError:
    """`what`: 'argument 2', 'the number of digits'."""
    return BinderError("constant_argument", f'"{name}": {what} must be a constant', span=span)


def bad_argument(name: str, problem: str, span: Span | None) -> BinderError:
    """`problem` says what is wrong with the arguments."""
    return BinderError("bad_argument", f'"{name}": {problem}', span=span)


def unknown_date_part(part: str, span: Span | None) -> BinderError:
    """The part given to date_trunc, EXTRACT and the like."""
    return BinderError(
        "unknown_date_part",
        f'"{part}" is not a part of a date or time',
        span=span,
        hint="Parts are year, month, day, hour, minute, second and the like.",
    )


# Types ------------------------------------------------------------------------------------------------------
def type_mismatch(op: str, left: Any, right: Any, span: Span | None, where: str = "") -> BinderError:
    """`op` is how the values are combined, e.g. 'compare'; `where` the clause, e.g. 'CASE'."""
    place = f" in {where}" if where else ""
    hint = "Cast one side to the other's type."
    return BinderError("type_mismatch", f"Cannot {op} {left} and {right}{place}", span=span, hint=hint)


def bad_cast(source: Any, target: Any, span: Span | None) -> BinderError:
    """A cast between types that have none."""
    return BinderError("bad_cast", f"A value of type {source} cannot be cast to {target}", span=span)


def conversion_failed(text: str, target: Any, span: Span | None, why: str | None = None) -> ConversionError:
    """A literal whose text is no value of its type; `why` as a part of a sentence."""
    shown = text if len(text) <= 60 else text[:57] + "..."
    return ConversionError(
        "conversion_failed", f"'{shown}' is no valid {target}" + (f": {why}" if why else ""), span=span
    )


def value_out_of_range(value: Any, target: Any, span: Span | None) -> ConversionError:
    """A literal that its type cannot hold."""
    return ConversionError("value_out_of_range", f"{value} is out of range for {target}", span=span)


def decimal_scale_too_large(scale: int, span: Span | None) -> OutOfRangeError:
    """A product of decimals with too many digits after the point."""
    return OutOfRangeError(
        "decimal_scale",
        f"The product needs scale {scale}; a DECIMAL has at most 38",
        span=span,
        hint="Cast an argument to a smaller scale or to DOUBLE.",
    )


def bad_decimal(width: int, scale: int, span: Span | None) -> BinderError:
    """A DECIMAL type that does not exist."""
    return BinderError(
        "bad_decimal",
        f"DECIMAL({width},{scale}) does not exist",
        span=span,
        hint="The width is 1 to 38, the scale 0 to the width.",
    )


def wants_boolean(clause: str, kind: Any, span: Span | None) -> BinderError:
    """`clause` (WHERE, ON, ...) has something else than a condition."""
    return BinderError("wants_boolean", f"{clause} needs a condition, not a value of type {kind}", span=span)


# Aggregates and subqueries ----------------------------------------------------------------------------------
def aggregate_not_allowed(name: str, clause: str, span: Span | None) -> BinderError:
    """An aggregate in a clause that is evaluated before grouping."""
    hint = "Use HAVING to filter groups." if clause == "WHERE" else None
    return BinderError(
        "aggregate_not_allowed", f'Aggregate "{name}" is not allowed in {clause}', span=span, hint=hint
    )


def nested_aggregate(name: str, span: Span | None) -> BinderError:
    """An aggregate over an aggregate."""
    return BinderError(
        "nested_aggregate",
        f'Aggregate "{name}" stands inside another aggregate',
        span=span,
        hint="Compute the inner one in a subquery.",
    )


def not_an_aggregate(name: str, what: str, span: Span | None) -> BinderError:
    """`what`: 'DISTINCT', 'FILTER', 'ORDER BY'."""
    return BinderError("not_an_aggregate", f'{what} is for aggregates, and "{name}" is none', span=span)


def subquery_columns(wanted: int, given: int, span: Span | None) -> BinderError:
    """A subquery with more or fewer columns than its place takes."""
    return BinderError(
        "subquery_columns",
        f"The subquery returns {plural(given, 'column')}, {plural(wanted, 'column')} expected",
        span=span,
    )


def row_size(left: int, right: int, span: Span | None) -> BinderError:
    """A comparison of rows of different length."""
    return BinderError("row_size", f"A row of {left} cannot be compared with a row of {right}", span=span)


def star_not_allowed(clause: str, span: Span | None) -> BinderError:
    """* outside a SELECT list or count(*)."""
    return BinderError("star_not_allowed", f"* is not allowed in {clause}", span=span)


# Parameters -------------------------------------------------------------------------------------------------
def missing_parameter(name: str, span: Span | None) -> BinderError:
    """A parameter of the statement was given no value."""
    return BinderError(
        "missing_parameter",
        f"No value was given for parameter {name}",
        span=span,
        hint="In a script the values go to the last statement.",
    )


def surplus_parameters(names: Sequence[str], wanted: int) -> BinderError:
    """`names` are those of the values that no parameter takes, `wanted` is the number of parameters."""
    shown = ", ".join(f"${name}" for name in names[:10]) + (", ..." if len(names) > 10 else "")
    return BinderError(
        "surplus_parameters",
        f"Values were given for parameters that the statement does not have: {shown}",
        hint=f"It has {plural(wanted, 'parameter')}.",
    )


def parameter_not_allowed(span: Span | None) -> BinderError:
    """A parameter in what is kept beyond the statement."""
    return BinderError(
        "parameter_not_allowed", "A view or a table's definition cannot have parameters", span=span
    )


def mixed_parameters(span: Span | None) -> UnsupportedError:
    """Parameters of two styles in one statement."""
    return UnsupportedError(
        "unsupported", "Named and numbered parameters in one statement are not supported yet", span=span
    )


def bad_hex_string(text: str, span: Span) -> ParserError:
    """x'...' of what is no pairs of hexadecimal digits; `text` is what stands in the quotes."""
    wrong = next((c for c in text if c not in "0123456789abcdefABCDEF"), None)
    if len(text) % 2 or wrong is None:
        told = "must have an even number of hex digits"
    else:
        told = f"contains a non-hexadecimal character '{wrong}'"
    return ParserError("bad_hex_string", f"Hex string literal {told}", span=span)


def bad_text(what: str, span: Span | None) -> InvalidInputError:
    """`what`: 'The statement', 'Parameter $1'."""
    return InvalidInputError(
        "bad_text",
        f"{what} has a lone surrogate, which is no Unicode character",
        span=span,
        hint="Decode the text with its right encoding.",
    )


def bad_parameter(name: str, kind: str, span: Span | None) -> InvalidInputError:
    """A value given for a parameter has no SQL type."""
    return InvalidInputError(
        "bad_parameter", f"Parameter {name} has a value of type {kind}, which has no SQL type", span=span
    )


# Not built --------------------------------------------------------------------------------------------------
def unsupported(what: str, span: Span | None, hint: str | None = None) -> UnsupportedError:
    """`what` starts the sentence '... not supported yet', e.g. 'Window functions are'."""
    return UnsupportedError("unsupported", f"{what} not supported yet", span=span, hint=hint)


def unsupported_function(name: str, span: Span | None, instead: str | None = None) -> UnsupportedError:
    """A function of DuckDB that is not built; `instead` is what to use."""
    return UnsupportedError(
        "unsupported_function", f'Function "{name}" is not supported yet', span=span, hint=instead
    )


def syntax(problem: str, span: Span | None, hint: str | None = None) -> ParserError:
    """What is wrong with the text, where the grammar took it."""
    return ParserError("syntax", problem, span=span, hint=hint)
