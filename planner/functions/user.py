"""Functions that users make of Python functions: their signature as data.

Plans hold these, never the Python function itself: a running query finds it by `number` in its context.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from ..types import SQLType
from .signature import Nulls, Overload, Parameter, Volatility


class Form(Enum):
    """How the Python function is called. NATIVE: once a row with Python values. ARROW: once a piece of rows
    with one array a parameter. COMPILED: by numba, for the devices that it names.
    """

    NATIVE = "native"
    ARROW = "arrow"
    COMPILED = "compiled"


@dataclass(frozen=True, slots=True)
class UserFunction:
    """A scalar function of a connection. `number` is unique in the process, so that a function removed and
    made anew under its name is another one; all else is for planning and for people.

    `computed` is the type in which a COMPILED function gives its values; they are then cast to `result`.
    `nulls` PROPAGATE: it is called for rows without NULL arguments only, and never returns NULL.
    `fails_as_null`: where it raises, the value is NULL. `gpu`: it is also compiled for the GPU.
    """

    number: int
    name: str = field(compare=False)
    params: tuple[Parameter, ...] = field(compare=False)
    variadic: Parameter | None = field(compare=False)
    result: SQLType = field(compare=False)
    computed: SQLType = field(compare=False)
    form: Form = field(default=Form.NATIVE, compare=False)
    nulls: Nulls = field(default=Nulls.PROPAGATE, compare=False)
    fails_as_null: bool = field(default=False, compare=False)
    volatility: Volatility = field(default=Volatility.IMMUTABLE, compare=False)
    gpu: bool = field(default=False, compare=False)

    @property
    def overload(self) -> Overload:
        """Its one signature."""
        return Overload(self.params, self.result, self.variadic)

    @property
    def is_volatile(self) -> bool:
        """Whether each row asks for a call of its own (it has side effects, or another value every time)."""
        return self.volatility is Volatility.VOLATILE

    @property
    def is_strict(self) -> bool:
        """Whether a NULL argument makes the value NULL without a call."""
        return self.nulls is Nulls.PROPAGATE
