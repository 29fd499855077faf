"""The texts of the 22 queries, with the literals of the files or with others."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from .parameters import PIECES, VALIDATION, Parameters

QUERIES: Final = tuple(range(1, 23))

TABLES: Final = ("customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier")

_FOLDER: Final = Path(__file__).parent / "queries"

_TAIL = re.compile(r"\border\s+by\s+(?P<keys>[^()]*?)(?:\s+limit\s+(?P<limit>\d+))?\s*;?\s*$", re.IGNORECASE)


def load(query: int) -> str:
    """The query's file as it is, with validation literals."""
    return _FOLDER.joinpath(f"q{query:02d}.sql").read_text(encoding="utf-8")


def render(query: int, parameters: Parameters) -> str:
    """The query's text with other literals.

    Every piece of text that holds a parameter is found in the file by its validation values and rewritten,
    all in one pass, so that a new literal is never taken for an old one.
    """
    pieces = {piece.format_map(VALIDATION[query]): piece.format_map(parameters) for piece in PIECES[query]}
    text = load(query)
    missing = [piece for piece in pieces if piece not in text]
    assert not missing, f"q{query:02d}.sql lacks {missing}"
    pattern = "|".join(re.escape(piece) for piece in pieces)
    return re.sub(pattern, lambda found: pieces[found[0]], text)


def ordering(text: str) -> tuple[tuple[str, ...], int | None]:
    """The output columns a TPC-H query orders by, most significant first, and its LIMIT.

    Reads the end of the text only, which is enough for these queries: their last ORDER BY is the outermost
    one and names output columns.

    >>> ordering("select a, b from t order by b desc, a limit 3;")
    (('b', 'a'), 3)
    """
    tail = _TAIL.search(text)
    if tail is None:
        return (), None
    keys = tuple(key.split()[0] for key in tail["keys"].split(","))
    return keys, int(tail["limit"]) if tail["limit"] else None


def without_limit(text: str) -> str:
    """The query without its outermost LIMIT.

    >>> without_limit("select a from t order by a limit 3;")
    'select a from t order by a'
    """
    return re.sub(r"\s+limit\s+\d+\s*;?\s*$", "", text, flags=re.IGNORECASE)


def parse_selection(text: str) -> tuple[int, ...]:
    """Query numbers from `1,6,14-16`; `all` is every query. Raises ValueError with a sentence for the user.

    >>> parse_selection("1,6,14-16")
    (1, 6, 14, 15, 16)
    """
    if text == "all":
        return QUERIES
    numbers: list[int] = []
    for part in text.split(","):
        span = re.fullmatch(r"\s*q?(\d+)\s*(?:-\s*q?(\d+)\s*)?", part, re.IGNORECASE)
        if span is None:
            raise ValueError(f"'{part}' is not a query number or a range such as 1-6")
        first = int(span[1])
        numbers.extend(range(first, int(span[2] or first) + 1))
    return _known(numbers)


def _known(numbers: Iterable[int]) -> tuple[int, ...]:
    chosen = tuple(dict.fromkeys(numbers))
    unknown = [number for number in chosen if number not in QUERIES]
    if unknown or not chosen:
        raise ValueError(f"no such query: {', '.join(map(str, unknown)) or 'none given'} (there are 1 to 22)")
    return chosen
