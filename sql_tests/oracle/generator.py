"""What all generating functions share: expressions, scopes, the features wanted and used, the budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from oracle.choices import Choices
from oracle.datasets import INTEGERS, UNSIGNED, Column, Dataset

SCALAR_FEATURES = (
    "arith_int",
    "arith_decimal",
    "arith_double",
    "compare",
    "logic",
    "case",
    "coalesce",
    "nullif",
    "cast",
    "try_cast",
    "like",
    "string_fn",
    "numeric_fn",
    "date_extract",
    "date_arith",
    "between",
    "in_list",
    "distinct_from",
    "is_null",
)
SUBQUERY_FEATURES = ("scalar_subquery", "exists", "not_exists", "in_subquery", "not_in", "any", "all")
CORRELATION_FEATURES = ("correlated_eq", "correlated_other")
JOIN_FEATURES = ("inner", "left", "right", "full", "cross", "semi", "anti", "using", "residual", "non_equi")
AGGREGATE_FEATURES = (
    "count",
    "sum",
    "avg",
    "min",
    "max",
    "distinct_aggregate",
    "filter_aggregate",
    "bool_aggregate",
    "group_by",
    "having",
)
SET_FEATURES = ("union", "union_all", "intersect", "intersect_all", "except", "except_all")
SHAPE_FEATURES = ("order_by", "limit", "offset", "cte", "derived", "distinct", "values")
FEATURES = (
    *SCALAR_FEATURES,
    *SUBQUERY_FEATURES,
    *CORRELATION_FEATURES,
    *JOIN_FEATURES,
    *AGGREGATE_FEATURES,
    *SET_FEATURES,
    *SHAPE_FEATURES,
)

NUMBERS = ("int", "dec", "dbl")
FAMILIES = (*NUMBERS, "str", "date", "ts", "bool")
OTHER_FAMILIES = {
    "DOUBLE": "dbl",
    "FLOAT": "dbl",
    "VARCHAR": "str",
    "DATE": "date",
    "TIMESTAMP": "ts",
    "BOOLEAN": "bool",
}


@dataclass(frozen=True)
class Expr:
    """A piece of SQL with its type family and, for tame numbers, a bound of the absolute value.

    `type` is the SQL type where it is known. `atom` is true for a column reference: what a correlated
    subquery may use.
    """

    sql: str
    family: str
    type: str | None = None
    bound: float | None = None
    atom: bool = False

    @property
    def tame(self) -> bool:
        return self.bound is not None


@dataclass(frozen=True)
class Scope:
    """The columns an expression may use, and those of the enclosing queries."""

    columns: tuple[Expr, ...] = ()
    outer: Scope | None = None

    def of(self, family: str) -> list[Expr]:
        return [column for column in self.columns if column.family == family]


@dataclass
class Generator:
    """The state of one generated query."""

    choices: Choices
    data: Dataset
    wants: list[str] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    relations: int = 0
    subqueries_left: int = 4
    ctes: list[str] = field(default_factory=list)
    rounds: bool = False
    """Aggregates of doubles are rounded: their last bits depend on the order of the rows, in the oracle too,
    and equality of rows would depend on them."""
    cte_relations: list[tuple[str, tuple[Expr, ...]]] = field(default_factory=list)

    def use(self, *features: str) -> None:
        self.used.update(features)

    def take_wanted(self, group: Sequence[str], most: int) -> list[str]:
        """Remove and return up to `most` wanted features of the group."""
        found = [feature for feature in self.wants if feature in group][:most]
        for feature in found:
            self.wants.remove(feature)
        return found

    def alias(self) -> str:
        self.relations += 1
        return f"r{self.relations - 1}"


Production = Callable[[Generator, Scope, str, int], Expr]
"""(generator, scope, family, depth) -> an expression of the family."""

PRODUCTIONS: dict[str, list[tuple[int, str, Production]]] = {family: [] for family in FAMILIES}
"""By family: (weight, feature, production)."""


def produces(feature: str, families: dict[str, int]) -> Callable[[Production], Production]:
    """Register a production of a feature, with its weight for each family."""

    def register(production: Production) -> Production:
        for family, weight in families.items():
            PRODUCTIONS[family].append((weight, feature, production))
        return production

    return register


def productions_of(feature: str) -> list[tuple[str, Production]]:
    """All (family, production) that show a feature."""
    return [
        (family, production)
        for family in FAMILIES
        for _, name, production in PRODUCTIONS[family]
        if name == feature
    ]


def family_of(type_: str) -> str:
    """The family of a SQL type name."""
    if type_ in INTEGERS or type_ in UNSIGNED:
        return "int"
    if type_.startswith("DECIMAL"):
        return "dec"
    return OTHER_FAMILIES[type_]


def column_expr(column: Column, qualifier: str) -> Expr:
    """A table's column as an expression, qualified by the relation's alias."""
    name = f"{qualifier}.{column.name}"
    return Expr(name, family_of(column.type), column.type, column.bound, atom=True)
