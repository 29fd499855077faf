"""How alike two texts are."""

from __future__ import annotations

from ..types import BIGINT, DOUBLE, VARCHAR
from .signature import Overload, ScalarFunction

_TWO = (VARCHAR, VARCHAR)
_DISTANCE = (Overload(_TWO, BIGINT),)
_SHARE = (Overload(_TWO, DOUBLE), Overload((*_TWO, DOUBLE), DOUBLE))

FUNCTIONS = (
    ScalarFunction("damerau_levenshtein", _DISTANCE, "Edit distance where neighbours may change places"),
    ScalarFunction(
        "hamming",
        _DISTANCE,
        "Number of different letters of two texts of one length",
        ("mismatches",),
        can_fail=True,
    ),
    ScalarFunction(
        "jaccard",
        (Overload(_TWO, DOUBLE),),
        "Share of the letters that both have of all they have",
        can_fail=True,
    ),
    ScalarFunction("jaro_similarity", _SHARE, "Jaro similarity, 0 to 1; below the third argument 0"),
    ScalarFunction("jaro_winkler_similarity", _SHARE, "Jaro similarity in favour of a common beginning"),
)
