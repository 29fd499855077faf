"""Texts of the errors that values raise while expressions run, on either device."""

from __future__ import annotations

from .errors import ConversionError, InvalidInputError, OutOfRangeError, SqlError, UnsupportedError


def overflow(operation: str, type_name: str, symbol: str, left: object, right: object) -> SqlError:
    """An exact result that its type cannot hold, e.g. `overflow("addition", "INT32", "+", 2147483647, 1)`."""
    text = f"Overflow in {operation} of {type_name} ({left} {symbol} {right})!"
    if type_name.startswith("DECIMAL") and operation == "multiplication":
        advice = "decimal with a smaller scale" if type_name == "DECIMAL(38)" else "bigger decimal"
        return OutOfRangeError("overflow", text, hint=f"Cast the operands to a {advice} first.")
    return OutOfRangeError("overflow", text)


def negation_overflow() -> SqlError:
    """-x where the type of x has no such value."""
    return OutOfRangeError("overflow", "Overflow in negation of numeric value!")


def division_overflow(left: object, right: object) -> SqlError:
    """The least integer divided by -1."""
    return OutOfRangeError("overflow", f"Overflow in division of {left} / {right}")


def division_by_zero(symbol: str) -> SqlError:
    """`//` or `%` by zero."""
    return InvalidInputError(
        "division_by_zero",
        f"Division by zero in operator {symbol}",
        hint=f"Write nullif(divisor, 0) to get NULL where the divisor of {symbol} is 0.",
    )


def out_of_range(message: str, hint: str | None = None) -> SqlError:
    """An argument or result outside what the function can hold."""
    return OutOfRangeError("out_of_range", message, hint=hint)


def value_too_long() -> SqlError:
    """A string, or the strings of one operator's state, that no array with 32-bit offsets can hold."""
    return OutOfRangeError(
        "too_large",
        "Text of more than 2 GB: in one value, or in the different keys or first values of an aggregation",
        hint="Make the values shorter, for instance with left(...), or group by a hash of them.",
    )


def invalid_input(message: str, hint: str | None = None) -> SqlError:
    """An argument a function does not take."""
    return InvalidInputError("invalid_input", message, hint=hint)


def not_implemented(message: str) -> SqlError:
    """What DuckDB has not either."""
    return UnsupportedError("unsupported", message)


def cast_out_of_range(source: str, value: object, target: str) -> SqlError:
    """A number that the target type of a cast cannot hold."""
    return ConversionError(
        "conversion",
        f"Type {source} with value {value} can't be cast because the value is out of range "
        f"for the destination type {target}",
        hint="TRY_CAST gives NULL for values that do not fit.",
    )


def cast_unfit(value: object, target: str) -> SqlError:
    """A number that a DECIMAL cannot hold, or a decimal that an integer cannot."""
    return ConversionError(
        "conversion",
        f"Could not cast value {value} to {target}",
        hint="TRY_CAST gives NULL for values that do not fit.",
    )


def cast_failed(text: object, target: str, reason: str) -> SqlError:
    """A string that is not a value of the target type, and why."""
    shown = str(text) if len(str(text)) <= 60 else f"{str(text)[:57]}..."
    return ConversionError(
        "conversion",
        f"Could not convert string '{shown}' to {target}: {reason}",
        hint="TRY_CAST gives NULL for strings that cannot be converted.",
    )


def conversion(message: str, hint: str | None = None) -> SqlError:
    """Any other failing conversion."""
    return ConversionError("conversion", message, hint=hint)


def unsupported_part(part: str, of: str) -> SqlError:
    """A part that values of the type do not have, e.g. the weekday of an interval."""
    return UnsupportedError("unsupported", f"{part} of {of} is not supported")


def unknown_zone(name: str) -> SqlError:
    """There is no time zone of this name."""
    return UnsupportedError("unsupported", f"Unknown TimeZone '{name}'!")
