"""One call of the probe."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from .forms import Form


class Order(Enum):
    """What of a result's order the library promises, and a double must repeat."""

    EXACT = "exact"
    ROWS = "rows"  # a table (or tables) whose rows come in any order
    PAIRS = "pairs"  # two columns of row numbers, whose pairs come in any order
    NONE = "none"  # nothing: only types and row counts are compared


@dataclass(frozen=True, eq=False)
class Case:
    """A call with a unique name, made of area, function and what is special, joined by slashes."""

    name: str
    form: Form
    order: Order = Order.EXACT
