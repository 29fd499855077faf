"""Calls that were recorded on the double, made on the real library up to the missing driver."""

from __future__ import annotations

import inspect
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from dummies import NoDummy, asks_the_driver, called, named
from helpers_of_doubles import HELPERS


@dataclass
class Outcomes:
    """What became of calls.

    Attributes:
        taken: how many were made, and gave a result or asked the driver.
        bound: calls whose object or arguments exist on a device only, by name: only their signature was
            held against the real one.
        untold: the same, but the real function tells no signature.
        refused: calls that the real library does not take, with its error.
    """

    taken: int = 0
    bound: Counter[str] = field(default_factory=Counter)
    untold: Counter[str] = field(default_factory=Counter)
    refused: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [f"{self.taken} calls taken, {len(self.refused)} refused"]
        for what, names in (("signature only", self.bound), ("not tried", self.untold)):
            listed = ", ".join(f"{name} {count}" for name, count in sorted(names.items()))
            lines.append(f"{what} {names.total()}: {listed or 'none'}")
        return "\n".join(lines)


def replay(forms: list[dict[str, Any]]) -> Outcomes:
    """Makes every call."""
    outcomes = Outcomes()
    for form in forms:
        if form["call"] in HELPERS:
            continue
        try:
            called(form)
        except NoDummy:
            _bind(form, outcomes)
        except Exception as error:  # noqa: BLE001 - what it is decides
            if asks_the_driver(error):
                outcomes.taken += 1
            else:
                outcomes.refused.append(f"{type(error).__name__}: {error}: {str(form)[:600]}")
        else:
            outcomes.taken += 1
    return outcomes


def _bind(form: dict[str, Any], outcomes: Outcomes) -> None:
    """Holds how the arguments were given against the real signature."""
    name = form["call"]
    try:
        real = named(name)
    except AttributeError as error:
        outcomes.refused.append(f"{error}: {str(form)[:600]}")
        return
    try:
        signature = inspect.signature(real)
    except (TypeError, ValueError):
        outcomes.untold[name] += 1
        return
    target = [None] if "of" in form and not inspect.ismethod(real) else []
    try:
        signature.bind(*target, *form["args"], **form["kwargs"])
    except TypeError as error:
        outcomes.refused.append(f"{error}: {str(form)[:600]}")
    else:
        outcomes.bound[name] += 1
