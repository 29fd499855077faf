"""Candidate names for an unknown one: the one place where "did you mean" is decided and worded."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def closest(
    name: str, candidates: Iterable[str], limit: int = 3, cutoff: float = 0.6, affixes: bool = True
) -> list[str]:
    """The candidates most like `name`, in any case, best first. `cutoff` is the least likeness, from 0 to 1.
    With `affixes`, when none is alike, those that start with the name, or end with it after an underscore.

    >>> closest("tax", ["l_tax", "l_quantity"])
    ['l_tax']
    """
    spellings: dict[str, str] = {}
    for candidate in candidates:
        spellings.setdefault(candidate.lower(), candidate)
    lowered = name.lower()
    found = get_close_matches(lowered, spellings, n=limit, cutoff=cutoff)
    if not found and lowered and affixes:
        found = sorted(c for c in spellings if c.startswith(lowered) or c.endswith("_" + lowered))[:limit]
    return [spellings[c] for c in found]


def did_you_mean(
    name: str,
    candidates: Iterable[str],
    *,
    limit: int = 3,
    cutoff: float = 0.6,
    affixes: bool = True,
    quote: str = '"',
) -> str | None:
    """A hint that names the candidates closest to `name` (see `closest`) between `quote`s, None if none is.

    >>> did_you_mean("l_qantity", ["l_quantity", "l_tax"])
    'Did you mean "l_quantity"?'
    """
    return hint(closest(name, candidates, limit, cutoff, affixes), quote)


def hint(found: Iterable[str], quote: str = '"') -> str | None:
    """The hint that names what was found, None for nothing.

    >>> hint(["a", "b", "c"])
    'Did you mean "a", "b" or "c"?'
    """
    named = [f"{quote}{name}{quote}" for name in found]
    if not named:
        return None
    *others, last = named
    return f"Did you mean {', '.join(others)} or {last}?" if others else f"Did you mean {last}?"
