"""The kernels' limits, as errors that users understand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ...planner.messages_runtime import too_large


@contextmanager
def size_limits(what: str) -> Iterator[None]:
    """Turns the kernels' OverflowError, for more rows or text than 32 bits number, into a user's error."""
    try:
        yield
    except OverflowError as error:
        raise too_large(what) from error
