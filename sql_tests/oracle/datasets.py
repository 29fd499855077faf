"""Seeded test databases: a few small tables whose values are the ones engines get wrong.

Every table has the key columns `k` (integers of one table-specific width, few different values, NULLs) and
`g` (short strings), and some typed columns. A column is either "tame" (small values, safe to calculate with)
or "wild" (the limits of its type, NaN, infinities, -0.0), which queries compare, group and aggregate. Dates
are tame where arithmetic stays inside the years 1 to 9999, which is all that Python's dates can hold.
Doubles are multiples of 1/4 below 2^20, so sums of them are exact in any order.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from oracle.choices import Choices

INTEGERS = {"TINYINT": 7, "SMALLINT": 15, "INTEGER": 31, "BIGINT": 63, "HUGEINT": 127}
UNSIGNED = {"UTINYINT": 8, "USMALLINT": 16, "UINTEGER": 32, "UBIGINT": 64}
DECIMALS = ("DECIMAL(4,1)", "DECIMAL(9,2)", "DECIMAL(18,3)", "DECIMAL(38,6)")
WORDS = ("a", "b", "ab", "abc", "B", "é", "绿茶", "🦆x", "", "a%b", "a_b", "zzz", "Zeta alpha beta")
NULL_PERCENT = 15


@dataclass(frozen=True)
class Column:
    """A table's column; `bound` is a limit of the absolute value where it is a tame number, else None."""

    name: str
    type: str
    bound: int | None = None

    @property
    def tame(self) -> bool:
        return self.bound is not None


@dataclass(frozen=True)
class Table:
    name: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    """SQL literals, one tuple a row."""

    def setup(self) -> list[str]:
        """The statements that make and fill the table."""
        columns = ", ".join(f"{column.name} {column.type}" for column in self.columns)
        statements = [f"CREATE TABLE {self.name}({columns})"]
        for at in range(0, len(self.rows), 200):
            values = ", ".join(f"({', '.join(row)})" for row in self.rows[at : at + 200])
            statements.append(f"INSERT INTO {self.name} VALUES {values}")
        return statements


@dataclass(frozen=True)
class Dataset:
    seed: int
    tables: tuple[Table, ...] = field(default_factory=tuple)

    def setup(self) -> list[str]:
        return [statement for table in self.tables for statement in table.setup()]


def dataset(seed: int, *, rows: int | None = None) -> Dataset:
    """The test database of a seed: t0 to t3, of 12, 20, 8 and 10 (in every fifth database 0) rows.

    `rows` overrides the size of t0, for what is done otherwise with many rows.
    """
    choices = Choices(f"dataset {seed}")
    sizes = [rows or 12, 20, 8, 0 if seed % 5 == 4 else 10]
    return Dataset(seed, tuple(_table(choices, f"t{i}", size) for i, size in enumerate(sizes)))


def _table(choices: Choices, name: str, size: int) -> Table:
    key_type = choices.pick(("INTEGER", "BIGINT", "SMALLINT", "INTEGER"))
    decimals = choices.some(DECIMALS, 2, 2)
    integers = choices.some(tuple(INTEGERS), 2, 3)
    columns = [
        Column("k", key_type, 3),
        Column("g", "VARCHAR"),
        *(Column(f"i{n}", type_, 9) for n, type_ in enumerate(integers)),
        Column("w", choices.pick((*INTEGERS, *UNSIGNED))),
        Column("e0", decimals[0], 50),
        Column("e1", decimals[1]),
        Column("x", choices.pick(("DOUBLE", "DOUBLE", "FLOAT")), 100),
        Column("y", "DOUBLE"),
        Column("s", "VARCHAR"),
        Column("d", "DATE", 20000),
        Column("dw", "DATE"),
        Column("ts", "TIMESTAMP", 20000),
        Column("b", "BOOLEAN"),
    ]
    rows = [tuple(_value(choices, column) for column in columns) for _ in range(size)]
    if size > 4:
        rows[1] = rows[0]
        rows[2] = tuple("NULL" for _ in columns)
    return Table(name, tuple(columns), tuple(rows))


def _value(choices: Choices, column: Column) -> str:
    if choices.chance(NULL_PERCENT):
        return "NULL"
    if column.name == "g":
        return text_literal(choices.pick(WORDS[:5]))
    if column.bound is not None:
        return tame_literal(choices, column.type, column.bound)
    return wild_literal(choices, column.type)


def tame_literal(choices: Choices, type_: str, bound: int) -> str:
    """A number of the type, at most `bound` in absolute value."""
    sign = choices.pick(("", "", "-"))
    if type_.startswith("DECIMAL"):
        scale = int(type_.rstrip(")").split(",")[1])
        digits = str(choices.below(10**scale if scale < 4 else 1000)).zfill(scale)
        return f"{sign}{choices.below(bound)}.{digits}"
    if type_ in ("DOUBLE", "FLOAT"):
        return f"{sign}{choices.below(bound)}.{choices.pick(('0', '25', '5', '75'))}"
    if type_ == "DATE":
        return f"DATE '{choices.pick(DATES)}'"
    if type_ == "TIMESTAMP":
        return f"TIMESTAMP '{choices.pick(DATES)} {choices.pick(TIMES)}'"
    return f"{sign}{choices.below(bound + 1)}"


def wild_literal(choices: Choices, type_: str) -> str:
    """Any value of the type, often one at its limits, as a literal that casts to the type."""
    if type_ in INTEGERS:
        # HUGEINT holds 38 digits in TandemDB, a bit less than in DuckDB.
        top = 10**38 - 1 if type_ == "HUGEINT" else 2 ** INTEGERS[type_] - 1
        bottom = -top if type_ == "HUGEINT" else -top - 1
        return str(choices.pick((0, 1, -1, top, bottom, top - 1, -top, 42)))
    if type_ in UNSIGNED:
        top = 2 ** UNSIGNED[type_] - 1
        return str(choices.pick((0, 1, top, top - 1, 2 ** (UNSIGNED[type_] - 1), 42)))
    if type_.startswith("DECIMAL"):
        width, scale = (int(part) for part in type_[8:-1].split(","))
        digits = choices.pick(("1", "0", "9" * width, "5", "9" * (width - 1), "15", "95"))
        sign = choices.pick(("", "-"))
        digits = digits.zfill(scale + 1)
        return f"{sign}{digits[:-scale]}.{digits[-scale:]}"
    if type_ in ("DOUBLE", "FLOAT"):
        value = choices.pick(("0.0", "-0.0", "nan", "inf", "-inf", "0.5", "-1.5", "1048576.25", "3", "1"))
        return f"'{value}'::{type_}"
    if type_ == "VARCHAR":
        return text_literal(choices.pick(WORDS))
    if type_ == "DATE":
        return f"DATE '{choices.pick(('0001-01-01', '9999-12-31', *DATES))}'"
    return choices.pick(("true", "false"))


DATES = (
    "2020-01-01",
    "2020-02-29",
    "2021-02-28",
    "1999-12-31",
    "2000-01-01",
    "1970-01-01",
    "1969-12-31",
    "2024-12-30",
)
TIMES = ("00:00:00", "23:59:59.999999", "12:00:00", "00:00:00.000001", "06:30:15.5")


def text_literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
