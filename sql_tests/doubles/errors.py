"""What libcudf raises, as the Python exceptions its errors become."""

from __future__ import annotations


def logic_error(what: str) -> RuntimeError:
    """cudf::logic_error."""
    return RuntimeError(f"CUDF failure: {what}")


def invalid_argument(what: str) -> ValueError:
    """std::invalid_argument."""
    return ValueError(f"CUDF failure: {what}")


def data_type_error(what: str) -> TypeError:
    """cudf::data_type_error."""
    return TypeError(f"CUDF failure: {what}")


def out_of_range(what: str) -> IndexError:
    """std::out_of_range."""
    return IndexError(f"CUDF failure: {what}")


def overflow_error(what: str) -> OverflowError:
    """std::overflow_error."""
    return OverflowError(f"CUDF failure: {what}")


def expects(condition: bool, error: Exception) -> None:
    if not condition:
        raise error
