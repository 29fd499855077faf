"""Warnings to whoever uses a connection: PEP 249's lists of messages, and Python's warnings."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable

from ..planner.errors import GpuWarning

Message = tuple[type[GpuWarning], GpuWarning]

_PACKAGE = __name__.partition(".")[0]


def tell(notices: Iterable[GpuWarning], messages: list[Message]) -> None:
    """Appends the notices to a connection's or cursor's `messages` and gives each as a Python warning at the
    line of the caller that called us. A filter that makes it an error raises it here.
    """
    for notice in notices:
        messages.append((type(notice), notice))
        warnings.warn(notice, stacklevel=_callers_level())


def _callers_level() -> int:
    """The `stacklevel` of the first frame outside of this package, seen from `tell`."""
    level = 1
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == _PACKAGE:
        frame = frame.f_back
        level += 1
    return level
