"""Random queries that are hard to optimise: nested and correlated subqueries of every kind, lateral joins,
CTEs read twice,
outer joins under conditions, set operations. Three tables t, u, v of three small integer columns, with NULLs.
"""

from __future__ import annotations

import random

TABLES = ("t", "u", "v")
COLUMNS = ("a", "b", "c")
Row = tuple[int | None, int | None, int | None]
Tables = dict[str, list[Row]]
# Aliases that can be named at one level of nesting.
Level = list[str]
Scope = list[Level]


def rows(seed: int) -> Tables:
    """Rows of the three tables; u and v are empty now and then."""
    choose = random.Random(seed)

    def value() -> int | None:
        return None if choose.random() < 0.2 else choose.randint(0, 3)

    sizes = {name: 5 if name == "t" else choose.choice((0, 2, 4, 5)) for name in TABLES}
    return {name: [(value(), value(), value()) for _ in range(size)] for name, size in sizes.items()}


class Generator:
    """Makes one query; equal seeds make equal queries."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.aliases = 0
        self.ctes: list[str] = []

    def one_of(self, *choices: str) -> str:
        return self.random.choice(choices)

    def likely(self, chance: float) -> bool:
        return self.random.random() < chance

    def alias(self) -> str:
        self.aliases += 1
        return f"x{self.aliases}"

    # Values ------------------------------------------------------------------------------------------------
    def column(self, scope: Scope, outer: float = 0.45) -> str:
        """A column of the innermost level, or of one further out with the given chance a level."""
        level = len(scope) - 1
        while level > 0 and self.likely(outer):
            level -= 1
        return f"{self.random.choice(scope[level])}.{self.random.choice(COLUMNS)}"

    def number(self, scope: Scope, depth: int) -> str:
        kind = self.random.random()
        if kind < 0.55 or (kind >= 0.9 and depth <= 0):
            return self.column(scope)
        if kind < 0.7:
            return str(self.random.randint(0, 3))
        if kind < 0.8:
            return f"({self.number(scope, depth)} + {self.number(scope, depth)})"
        if kind < 0.85:
            return f"coalesce({self.number(scope, depth)}, {self.random.randint(0, 3)})"
        if kind < 0.9:
            return f"case when {self.condition(scope, 0)} then {self.column(scope)} else 2 end"
        return self.scalar(scope, depth - 1)

    def scalar(self, scope: Scope, depth: int) -> str:
        """A subquery of one value."""
        source, inner = self.source(scope, depth)
        where = self.where(inner, depth)
        kind = self.random.random()
        if kind < 0.6:
            value = self.one_of(
                "count(*)", "sum({})", "min({})", "max({})", "count({})", "coalesce(sum({}), 7)",
                "count(*) + {o}", "max({}) + {o}", "count(distinct {})", "sum({}) filter (where {} > 1)",
            )  # fmt: skip
            own = f"{self.random.choice(inner[-1])}.{self.random.choice(COLUMNS)}"
            value = value.replace("{o}", self.column(scope)).replace("{}", own)
            having = ""
            if self.likely(0.15):
                limit = self.one_of("0", "1", self.column(scope))
                having = f" having count(*) {self.one_of('>', '=', '<')} {limit}"
            return f"(select {value} from {source}{where}{having})"
        if kind < 0.85:
            value = self.column(inner, 0.2)
            order = f"order by {value} {self.one_of('', 'desc', 'nulls first')}"
            return f"(select {value} from {source}{where} {order} limit 1)"
        return f"(select {self.number(scope, depth)})"

    # Conditions --------------------------------------------------------------------------------------------
    def comparison(self, scope: Scope, depth: int) -> str:
        op = self.one_of("=", "=", "=", "<", ">", "<>", "<=", "is not distinct from")
        return f"{self.number(scope, depth)} {op} {self.number(scope, depth)}"

    def condition(self, scope: Scope, depth: int) -> str:
        kind = self.random.random()
        if depth <= 0 or kind < 0.35:
            return self.plain(scope, depth)
        if kind < 0.5:
            return f"{self.one_of('', 'not ')}exists {self.rows_of(scope, depth - 1, 1)}"
        if kind < 0.68:
            value = self.number(scope, depth - 1)
            return f"{value} {self.one_of('', 'not ')}in {self.rows_of(scope, depth - 1, 1)}"
        if kind < 0.76:
            op = f"{self.one_of('=', '<', '>', '<>', '>=')} {self.one_of('any', 'all')}"
            return f"{self.number(scope, depth - 1)} {op} {self.rows_of(scope, depth - 1, 1)}"
        if kind < 0.8:
            pair = f"({self.column(scope)}, {self.column(scope)})"
            return f"{pair} {self.one_of('', 'not ')}in {self.rows_of(scope, depth - 1, 2)}"
        word = "or" if kind < 0.9 else "and"
        return f"({self.condition(scope, depth - 1)} {word} {self.condition(scope, depth - 1)})"

    def plain(self, scope: Scope, depth: int) -> str:
        kind = self.random.random()
        if kind < 0.75:
            return self.comparison(scope, depth)
        if kind < 0.85:
            return f"{self.column(scope)} is {self.one_of('', 'not ')}null"
        if kind < 0.93:
            return f"{self.column(scope)} in (1, 2)"
        return f"not ({self.comparison(scope, depth)})"

    def where(self, scope: Scope, depth: int) -> str:
        terms = [self.condition(scope, depth) for _ in range(self.random.choice((0, 1, 1, 2)))]
        return f" where {' and '.join(terms)}" if terms else ""

    # Relations ---------------------------------------------------------------------------------------------
    def table(self) -> str:
        return self.one_of(*TABLES, *self.ctes, *self.ctes)

    def source(self, scope: Scope, depth: int) -> tuple[str, Scope]:
        """A FROM clause, and the scope with its aliases as the innermost level."""
        kind = self.random.random()
        alias = self.alias()
        if depth <= 0 or kind < 0.6:
            return f"{self.table()} {alias}", [*scope, [alias]]
        if kind < 0.82:
            return self.joined(scope, depth, alias)
        if kind < 0.92:
            return f"({self.derived(scope, depth - 1)}) {alias}", [*scope, [alias]]
        op = self.one_of("union all", "union", "except", "intersect", "except all", "intersect all")
        sides = f" {op} ".join(self.plain_select(scope, depth - 1) for _ in range(2))
        return f"({sides}) {alias}", [*scope, [alias]]

    def joined(self, scope: Scope, depth: int, left: str) -> tuple[str, Scope]:
        right = self.alias()
        kind = self.one_of("join", "join", "left join", "right join", "full join", "semi join", "anti join")
        both = [*scope, [left, right]]
        on = f"{left}.{self.random.choice(COLUMNS)} = {right}.{self.random.choice(COLUMNS)}"
        if kind != "full join" and self.likely(0.35):
            on += f" and {self.condition(both, depth - 1 if kind == 'join' else 0)}"
        seen = [left] if kind in ("semi join", "anti join") else [left, right]
        text = f"{self.table()} {left} {kind} {self.table()} {right} on {on}"
        if kind == "join" and self.likely(0.4):
            third = self.alias()
            kind = self.one_of("join", "left join")
            text += f" {kind} {self.table()} {third} on {third}.a = {self.random.choice(seen)}.b"
            seen.append(third)
        return text, [*scope, seen]

    def plain_select(self, scope: Scope, depth: int) -> str:
        source, inner = self.source(scope, depth)
        columns = ", ".join(f"{self.column(inner, 0.1)} {name}" for name in COLUMNS)
        return f"select {self.one_of('', '', 'distinct ')}{columns} from {source}{self.where(inner, depth)}"

    def derived(self, scope: Scope, depth: int) -> str:
        if self.likely(0.5):
            source, inner = self.source(scope, depth)
            a, c = self.column(inner, 0.1), self.column(inner, 0.1)
            return (
                f"select {a} a, {self.number(inner, depth)} b, {c} c from {source}{self.where(inner, depth)}"
            )
        source, inner = self.source(scope, depth)
        key = self.random.choice(inner[-1])
        keys = self.one_of(f"{key}.a", f"{key}.a, {key}.b")
        values = f"{key}.a a, count(*) b, max({key}.b) c"
        return f"select {values} from {source}{self.where(inner, depth)} group by {keys}"

    def rows_of(self, scope: Scope, depth: int, width: int) -> str:
        """A subquery of `width` columns."""
        source, inner = self.source(scope, depth)
        where = self.where(inner, depth)
        kind = self.random.random()
        own = self.random.choice(inner[-1])
        if width == 1 and kind < 0.12:
            having = self.one_of("", " having count(*) > 1")
            return f"(select max({own}.b) from {source}{where} group by {own}.a{having})"
        if width == 1 and kind < 0.18:
            return f"(select {self.one_of('sum', 'count')}({own}.b) from {source}{where})"
        columns = ", ".join(
            self.number(inner, 0) if self.likely(0.3) else self.column(inner, 0.15) for _ in range(width)
        )
        return f"(select {self.one_of('', '', 'distinct ')}{columns} from {source}{where})"

    # Queries -----------------------------------------------------------------------------------------------
    def query(self) -> str:
        depth = self.random.choice((1, 2, 2, 3))
        prefix = ""
        if self.likely(0.25):
            body = self.derived([], 1) if self.likely(0.7) else self.plain_select([], 1)
            prefix = f"with z as {self.one_of('', '', 'materialized ', 'not materialized ')}({body}) "
            self.ctes.append("z")
        source, scope = self.source([], depth)
        if self.likely(0.12):
            source, scope = self.lateral(source, scope)
        where = self.where(scope, depth)
        own = self.random.choice(scope[-1])
        if self.likely(0.2):
            having = self.one_of("count(*) > 0", f"count(*) > (select count(*) from v where v.a = {own}.a)")
            keys = self.one_of(f"{own}.a", f"{own}.a, {own}.b", f"{own}.a, 1 + 1")
            values = f"{own}.a, count(*), sum({own}.b)"
            return f"{prefix}select {values} from {source}{where} group by {keys} having {having}"
        columns = ", ".join(
            self.number(scope, depth) if self.likely(0.7) else f"({self.condition(scope, depth)})"
            for _ in range(self.random.choice((1, 2, 3)))
        )
        return f"{prefix}select {self.one_of('', '', 'distinct ')}{columns} from {source}{where}"

    def lateral(self, source: str, scope: Scope) -> tuple[str, Scope]:
        alias = self.alias()
        inside, inner = self.source(scope, 1)
        a, b, c = self.column(inner, 0.2), self.number(inner, 0), self.column(inner, 0.2)
        values = self.one_of(f"{a} a, {b} b, {c} c", f"sum({a}) a, count(*) b, max({c}) c")
        query = f"select {values} from {inside}{self.where(inner, 1)}"
        join = self.one_of(f", lateral ({query}) {alias}", f" left join lateral ({query}) {alias} on true")
        return source + join, [[*scope[-1], alias]]


def query(seed: int) -> str:
    """A random query."""
    return Generator(seed).query()
