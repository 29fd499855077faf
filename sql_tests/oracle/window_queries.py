"""Generated queries of window functions, whose rows are the same however equal rows are ordered.

The rows have a unique `id`. A call whose value depends on the order of rows that are equal in ORDER BY gets
`id` as the last key; RANGE with a distance takes one key only, so only calls that do not go there.
"""

from __future__ import annotations

from dataclasses import dataclass

from oracle.choices import Choices
from oracle.datasets import Dataset
from oracle.queries import Query

# {n} is any column; {x} exact numbers, {v} tame ones, {t} anything that may be ordered.
OF_ROWS = (
    "row_number()", "ntile({small})", "lag({n})", "lead({n}, {small})", "lag({n}, {shift})",
    "lag({n} IGNORE NULLS)", "lead({n}, 2, {same} IGNORE NULLS)", "first_value({n})", "last_value({n})",
    "nth_value({n}, {small})", "nth_value({n}, 2 IGNORE NULLS)", "first_value({n} IGNORE NULLS)",
    "last_value({n} IGNORE NULLS)", "any_value({n})", "first({n})",
)  # fmt: skip
OF_PEERS = ("rank()", "dense_rank()", "percent_rank()", "cume_dist()")
AGGREGATES = (
    "count(*)", "count({n})", "sum({v})", "sum({v})", "avg({v})", "min({n})", "max({n})", "bool_and(b)",
    "bool_or(b)", "count_if(b)", "bit_or(i0)", "bit_xor(i0)", "bit_and(i1)",
    "round(stddev_pop({v})WINDOW, 6)", "round(var_samp({v})WINDOW, 6)", "arg_min({n}, id)",
    "arg_max({n}, id)",
)  # fmt: skip
COLUMNS = ("k", "g", "i0", "i1", "w", "e0", "e1", "x", "y", "s", "d", "dw", "ts", "b")
NUMBERS = ("k", "i0", "i1", "e0", "x")
KEYS = ("g", "k", "b", "i0", "d", "x", "y", "s", "ts", "dw")
RANGES = {"k": "2", "i0": "3", "e0": "4.5", "x": "10.25", "d": "INTERVAL 300 DAY", "ts": "INTERVAL '1 month'"}
EXCLUDES = ("", "", "", " EXCLUDE CURRENT ROW", " EXCLUDE GROUP", " EXCLUDE TIES", " EXCLUDE NO OTHERS")


@dataclass
class _Generator:
    choices: Choices

    def call(self) -> str:
        """A function over a window of its own."""
        c = self.choices
        ranged = c.chance(20)
        pool = OF_PEERS if c.chance(20) else AGGREGATES if ranged or c.chance(65) else OF_ROWS
        function = self.filled(c.pick(pool))
        condition = " FILTER (WHERE k > 0)" if pool is AGGREGATES and c.chance(20) else ""
        window = f"{condition} OVER ({self.window(ranged, pool is OF_ROWS)})"
        return function.replace("WINDOW", window) if "WINDOW" in function else function + window

    def filled(self, function: str) -> str:
        c = self.choices
        same = c.pick(COLUMNS)
        return (
            function.replace("{n}", same)
            .replace("{same}", same)
            .replace("{v}", c.pick(NUMBERS))
            .replace("{small}", c.pick(("1", "2", "3", "5")))
            .replace("{shift}", c.pick(("0", "-1", "k", "id - 3", "NULL", "1")))
        )

    def window(self, ranged: bool, rows_matter: bool) -> str:
        c = self.choices
        parts = c.some(("g", "k", "b", "abs(k)", "i0 > 0"), 0, 2)
        text = f"PARTITION BY {', '.join(parts)} " if parts else ""
        if ranged:
            key = c.pick(tuple(RANGES))
            return f"{text}ORDER BY {key}{self.direction()} {self.frame('RANGE', RANGES[key])}"
        keys = [f"{key}{self.direction()}" for key in c.some(KEYS, 0, 2)]
        unit = c.pick(("", "", "ROWS", "ROWS", "RANGE", "GROUPS"))
        if rows_matter or unit == "ROWS":
            keys.append(c.pick(("id", "id DESC")))
        text += f"ORDER BY {', '.join(keys)} " if keys else ""
        return text + (self.frame(unit, None) if unit else "")

    def direction(self) -> str:
        c = self.choices
        return c.pick(("", " DESC", "")) + c.pick(("", " NULLS FIRST", " NULLS LAST", ""))

    def frame(self, unit: str, distance: str | None) -> str:
        c = self.choices
        edges = ["UNBOUNDED PRECEDING", "CURRENT ROW", "UNBOUNDED FOLLOWING"]
        if unit != "RANGE" or distance is not None:
            near = distance or c.pick(("0", "1", "2", "id % 3"))
            edges[1:1] = [f"{near} PRECEDING"]
            edges[3:3] = [f"{distance or c.pick(('0', '1', '3', 'id % 2'))} FOLLOWING"]
        start = c.below(len(edges) - 1)
        end = c.between(max(start, 1), len(edges) - 1)
        return f"{unit} BETWEEN {edges[start]} AND {edges[end]}{c.pick(EXCLUDES)}"


def window_query(choices: Choices, data: Dataset) -> Query:
    """A query over one table of the dataset with one to four window functions."""
    g = _Generator(choices)
    table = choices.pick(data.tables).name
    calls = [f"{g.call()} AS c{i}" for i in range(choices.between(1, 4))]
    source = f"(SELECT *, row_number() OVER () AS id FROM {table})"
    sql = f"SELECT id, {', '.join(calls)} FROM {source} q"
    if choices.chance(20):
        sql += " WHERE k IS NOT NULL"
    if choices.chance(20):
        sql += choices.pick(
            (" QUALIFY c0 IS NOT NULL", " QUALIFY row_number() OVER (PARTITION BY g ORDER BY id) <= 2")
        )
    ordered = choices.chance(50)
    return Query(sql + (" ORDER BY id" if ordered else ""), ordered, frozenset({"window"}))
