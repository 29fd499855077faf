"""What a function looks like to the binder: overloads, result types, NULL rule, volatility.

A parameter is a SQL type or one of the patterns below. Overloads whose result depends on the actual argument
types carry a `bind` function.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from ..coercion import ArgType, implicit_cost, settled
from ..types import NULL, SQLType, TypeId


class Pattern(Enum):
    """Parameters that are not one type: ANY takes a value as it is; DECIMAL takes any DECIMAL, and numbers
    that become one; LIST, MAP and STRUCT any such value, or NULL."""

    ANY = "ANY"
    DECIMAL = "DECIMAL"
    LIST = "T[]"
    MAP = "MAP(K, V)"
    STRUCT = "STRUCT"


ANY = Pattern.ANY
ANY_DECIMAL = Pattern.DECIMAL
ANY_LIST = Pattern.LIST
ANY_MAP = Pattern.MAP
ANY_STRUCT = Pattern.STRUCT
_NESTED = {ANY_LIST: TypeId.LIST, ANY_MAP: TypeId.MAP, ANY_STRUCT: TypeId.STRUCT}
# Cost of NULL as any list: dearer than as a text.
_NULL_COST = 200
Parameter = SQLType | Pattern

# A stand-in with no meaning but its id, for the cost of becoming "some DECIMAL".
_SOME_DECIMAL = SQLType(TypeId.DECIMAL, 38, 0)


class Volatility(Enum):
    """IMMUTABLE: depends on the arguments only, may be folded. STABLE: one value a statement. VOLATILE: a new
    value every row."""

    IMMUTABLE = "immutable"
    STABLE = "stable"
    VOLATILE = "volatile"


class Nulls(Enum):
    """PROPAGATE: a NULL argument makes the result NULL, and the implementation need not look. HANDLED: it
    decides by itself."""

    PROPAGATE = "propagate"
    HANDLED = "handled"


@dataclass(frozen=True, slots=True)
class BoundTypes:
    """Types to which the arguments are cast (None: DuckDB's result is a NULL constant whatever the values),
    and the result's type."""

    args: tuple[SQLType, ...]
    result: SQLType


# The value of a literal argument by position; None where it is not known.
Values = Callable[[int], Any]
# Actual argument types to the types of the call.
Bind = Callable[[tuple[SQLType, ...], Values], BoundTypes]


@dataclass(frozen=True, slots=True)
class Overload:
    """One signature. `variadic` is the type of further arguments. `result` is None where `bind` decides."""

    params: tuple[Parameter, ...]
    result: SQLType | None
    variadic: Parameter | None = None
    bind: Bind | None = None

    def parameter(self, index: int) -> Parameter:
        """The parameter of argument `index`."""
        if index < len(self.params):
            return self.params[index]
        assert self.variadic is not None
        return self.variadic

    def cost(self, kinds: Sequence[ArgType]) -> int | None:
        """Sum of the costs of the implicit casts; None if the arguments do not fit."""
        if len(kinds) < len(self.params) or (len(kinds) > len(self.params) and self.variadic is None):
            return None
        total = 0
        for index, kind in enumerate(kinds):
            parameter = self.parameter(index)
            if parameter is ANY:
                continue
            if parameter in _NESTED:
                if settled(kind).id is TypeId.NULL:
                    total += _NULL_COST
                elif settled(kind).id is not _NESTED[parameter]:  # type: ignore[index]
                    return None
                continue
            target = _SOME_DECIMAL if isinstance(parameter, Pattern) else parameter
            cost = implicit_cost(kind, target)
            if cost is None:
                return None
            total += cost
        return total

    def bound(self, kinds: tuple[SQLType, ...], values: Values) -> BoundTypes:
        """The call's types for arguments of these plain types."""
        if self.bind is not None:
            return self.bind(kinds, values)
        assert self.result is not None
        args = []
        for index, kind in enumerate(kinds):
            parameter = self.parameter(index)
            args.append(kind if isinstance(parameter, Pattern) else parameter)
        return BoundTypes(tuple(args), self.result)

    def text(self, name: str) -> str:
        """The signature for error messages and help.

        >>> from ..types import BIGINT, VARCHAR
        >>> Overload((VARCHAR, BIGINT), VARCHAR).text("left")
        'left(VARCHAR, BIGINT)'
        """
        shown = [p.value if isinstance(p, Pattern) else str(p) for p in self.params]
        if self.variadic is not None:
            shown.append("...")
        if not name[0].isalpha():
            return f"{shown[0]} {name} {shown[1]}" if len(shown) == 2 else f"{name}{shown[0]}"
        return f"{name}({', '.join(shown)})"


@dataclass(frozen=True, slots=True)
class ScalarFunction:
    """A scalar function or operator. `can_fail`: some argument values raise an error, so that it must not be
    evaluated on rows that a filter or CASE would skip. `constants` are positions of arguments that must be
    literals."""

    name: str
    overloads: tuple[Overload, ...]
    help: str
    aliases: tuple[str, ...] = ()
    nulls: Nulls = Nulls.PROPAGATE
    volatility: Volatility = Volatility.IMMUTABLE
    can_fail: bool = False
    constants: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class AggregateFunction:
    """An aggregate. `order_sensitive`: the result depends on the order of rows. `skips_nulls`: rows where an
    argument is NULL do not count. `distinct_matters`: DISTINCT can change the result. `empty` is the value
    over no row (NULL, or 0 for counts). `constants` as for scalars."""

    name: str
    overloads: tuple[Overload, ...]
    help: str
    aliases: tuple[str, ...] = ()
    order_sensitive: bool = False
    skips_nulls: bool = True
    distinct_matters: bool = True
    empty: int | None = None
    constants: tuple[int, ...] = ()


@dataclass
class Registry:
    """Functions by canonical name and by every spelling."""

    functions: dict[str, Any] = field(default_factory=dict)
    spellings: dict[str, Any] = field(default_factory=dict)

    def add(self, *functions: Any) -> None:
        """Registers functions; a name may be used once."""
        for function in functions:
            assert function.name not in self.functions, function.name
            self.functions[function.name] = function
            for spelling in (function.name, *function.aliases):
                assert spelling not in self.spellings, spelling
                self.spellings[spelling] = function


def same_type(kinds: tuple[SQLType, ...], values: Values) -> BoundTypes:
    """Result of the first argument's type; nothing is cast."""
    return BoundTypes(kinds, kinds[0] if kinds else NULL)
