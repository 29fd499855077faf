"""Python functions that queries call, as a running query holds them: what plans name only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..planner.functions import UserFunction
from .batch import Device


@dataclass(frozen=True, eq=False)
class PythonFunction:
    """A function with its signature. `kernels` has what it was compiled to, by device."""

    signature: UserFunction
    function: Callable[..., Any]
    kernels: dict[Device, Any] = field(default_factory=dict)


def call_text(name: str, args: list[Any]) -> str:
    """A call with its arguments as Python writes them, cut to a readable length.

    >>> call_text("f", [1, "a" * 100, None])
    "f(1, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..., None)"
    """
    shown = [value_text(arg) for arg in args[:_MOST_ARGUMENTS]]
    return f"{name}({', '.join([*shown, '...'] if len(args) > _MOST_ARGUMENTS else shown)})"


_MOST_ARGUMENTS = 8
_WIDTH = 41


def value_text(value: Any) -> str:
    """A Python value as Python writes it, cut to a readable length."""
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - a class of the user's that cannot be shown
        return f"<{type(value).__name__}>"
    return text if len(text) <= _WIDTH else text[: _WIDTH - 3] + "..."


def error_text(error: BaseException) -> str:
    """Class and text of what a function raised, without its traceback."""
    try:
        text = str(error).strip()
    except Exception:  # noqa: BLE001 - an error of the user's that cannot be shown
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
