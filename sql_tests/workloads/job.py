"""The queries of the Join Order Benchmark as SQL: what they ask is in job.txt, joins follow from the keys."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

ALIASES: dict[str, tuple[str, dict[str, str]]] = {
    "biography": ("person_info", {"person_id": "person", "info_type_id": "trait"}),
    "coverage": ("complete_cast", {"movie_id": "film", "subject_id": "subject", "status_id": "status"}),
    "fact": ("info_type", {}),
    "figure": ("char_name", {}),
    "film": ("title", {"kind_id": "kind"}),
    "film2": ("title", {"kind_id": "kind2"}),
    "film_fact": ("movie_info", {"movie_id": "film", "info_type_id": "fact"}),
    "film_score": ("movie_info_idx", {"movie_id": "film", "info_type_id": "score"}),
    "film_score2": ("movie_info_idx", {"movie_id": "film2", "info_type_id": "score2"}),
    "film_word": ("movie_keyword", {"movie_id": "film", "keyword_id": "word"}),
    "firm": ("company_name", {}),
    "firm2": ("company_name", {}),
    "firm_kind": ("company_type", {}),
    "job": ("role_type", {}),
    "kind": ("kind_type", {}),
    "kind2": ("kind_type", {}),
    "link": ("movie_link", {"movie_id": "film", "linked_movie_id": "film2", "link_type_id": "link_kind"}),
    "link_kind": ("link_type", {}),
    "linked": ("movie_link", {"linked_movie_id": "film", "link_type_id": "link_kind"}),
    "made_by": (
        "movie_companies",
        {"movie_id": "film", "company_id": "firm", "company_type_id": "firm_kind"},
    ),
    "made_by2": ("movie_companies", {"movie_id": "film2", "company_id": "firm2"}),
    "other_title": ("aka_title", {"movie_id": "film"}),
    "part": (
        "cast_info",
        {"movie_id": "film", "person_id": "person", "person_role_id": "figure", "role_id": "job"},
    ),
    "person": ("name", {}),
    "pseudonym": ("aka_name", {"person_id": "person"}),
    "score": ("info_type", {}),
    "score2": ("info_type", {}),
    "status": ("comp_cast_type", {}),
    "subject": ("comp_cast_type", {}),
    "trait": ("info_type", {}),
    "word": ("keyword", {}),
}
"""What an alias stands for: a table, and of which other aliases its columns hold ids."""

FILE = Path(__file__).with_name("job.txt")


@dataclass
class Family:
    """Queries over the same relations."""

    aliases: list[str]
    lines: dict[str, str] = field(default_factory=dict)
    """What follows "show", "all", a letter, or "LETTER show"."""

    def sql(self, letter: str) -> str:
        """One query of the family."""
        shown = self.lines.get(f"{letter} show", self.lines["show"]).split()
        filters = [self.lines[key] for key in ("all", letter) if self.lines.get(key)]
        outputs = [f"min({column}) AS {name}" for column, name in zip(shown, _names(shown), strict=True)]
        tables = [f"{ALIASES[alias][0]} AS {alias}" for alias in sorted(self.aliases)]
        return (
            f"SELECT {', '.join(outputs)}\nFROM {', '.join(tables)}\n"
            f"WHERE {' AND '.join(filters)}\n  AND {' AND '.join(joins(self.aliases))}"
        )


def joins(aliases: list[str]) -> list[str]:
    """The conditions that join these aliases: keys with what they refer to, and with each other."""
    referring: dict[str, list[str]] = {}
    for alias in aliases:
        for column, target in ALIASES[alias][1].items():
            if target in aliases:
                referring.setdefault(target, []).append(f"{alias}.{column}")
    conditions = []
    for target, columns in referring.items():
        conditions += [f"{column} = {target}.id" for column in columns]
        conditions += [f"{left} = {right}" for left, right in combinations(columns, 2)]
    return conditions


def queries() -> dict[str, str]:
    """The text of each query by its name, "1a" to "33c"."""
    return {
        f"{number}{letter}": family.sql(letter)
        for number, family in families().items()
        for letter in family.lines
        if len(letter) == 1
    }


def families() -> dict[int, Family]:
    """What job.txt says."""
    text = re.sub(r"\n +", " ", FILE.read_text(encoding="utf-8"))
    found: dict[int, Family] = {}
    current = Family([])
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        head, _, rest = line.partition(":")
        if head.startswith("family "):
            current = found[int(head.split()[1])] = Family(rest.split())
        else:
            assert head not in current.lines, line
            current.lines[head] = rest.strip()
    return found


def _names(shown: list[str]) -> list[str]:
    """Names of the result's columns: alias and column, numbered where they come again."""
    met: Counter[str] = Counter()
    names = []
    for column in shown:
        name = column.replace(".", "_")
        met[name] += 1
        names.append(name if met[name] == 1 else f"{name}_{met[name]}")
    return names
