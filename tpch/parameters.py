"""Literals of the 22 queries: the validation values of the query files, and seeded variations of them.

A benchmark that repeats one text measures caches. Each run therefore gets its own literals, drawn the way the
specification's query generator draws them (TPC-H specification 3.0.1, clause 2.4, "Substitution parameters").
"""

import random
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Final

from .vocabulary import (
    COLORS,
    CONTAINER_KINDS,
    CONTAINER_SIZES,
    NATIONS,
    Q13_FIRST_WORDS,
    Q13_SECOND_WORDS,
    REGIONS,
    SEGMENTS,
    SHIP_MODES,
    TYPE_FINISHES,
    TYPE_METALS,
    TYPE_SIZES,
)

Parameters = Mapping[str, str]

# The values in the query files (clause 2.4.x.3), as they are spelled there. Q11's fraction is for scale 1.
VALIDATION: Final[Mapping[int, Parameters]] = {
    1: {"delta": "90"},
    2: {"size": "15", "metal": "BRASS", "region": "EUROPE"},
    3: {"segment": "BUILDING", "date": "1995-03-15"},
    4: {"date": "1993-07-01"},
    5: {"region": "ASIA", "date": "1994-01-01"},
    6: {"date": "1994-01-01", "discount": "0.06", "quantity": "24"},
    7: {"nation1": "FRANCE", "nation2": "GERMANY"},
    8: {"nation": "BRAZIL", "region": "AMERICA", "type": "ECONOMY ANODIZED STEEL"},
    9: {"color": "green"},
    10: {"date": "1993-10-01"},
    11: {"nation": "GERMANY", "fraction": "0.0001"},
    12: {"mode1": "MAIL", "mode2": "SHIP", "date": "1994-01-01"},
    13: {"word1": "special", "word2": "requests"},
    14: {"date": "1995-09-01"},
    15: {"date": "1996-01-01"},
    16: {"brand": "Brand#45", "type": "MEDIUM POLISHED", "sizes": "49, 14, 23, 45, 19, 3, 36, 9"},
    17: {"brand": "Brand#23", "container": "MED BOX"},
    18: {"quantity": "300"},
    19: {
        "brand1": "Brand#12",
        "brand2": "Brand#23",
        "brand3": "Brand#34",
        "quantity1": "1",
        "quantity2": "10",
        "quantity3": "20",
    },
    20: {"color": "forest", "date": "1994-01-01", "nation": "CANADA"},
    21: {"nation": "SAUDI ARABIA"},
    22: {"codes": "'13', '31', '23', '29', '30', '18', '17'"},
}

# Where the parameters stand: pieces of text that hold them. Filled with VALIDATION each piece must occur in
# the query's file, which is what makes the file itself the template.
PIECES: Final[Mapping[int, tuple[str, ...]]] = {
    1: ("interval '{delta}' day",),
    2: ("p_size = {size}", "'%{metal}'", "r_name = '{region}'"),
    3: ("c_mktsegment = '{segment}'", "date '{date}'"),
    4: ("date '{date}'",),
    5: ("r_name = '{region}'", "date '{date}'"),
    6: ("date '{date}'", "{discount} - 0.01 and {discount} + 0.01", "l_quantity < {quantity}"),
    7: (
        "n1.n_name = '{nation1}' and n2.n_name = '{nation2}'",
        "n1.n_name = '{nation2}' and n2.n_name = '{nation1}'",
    ),
    8: ("nation = '{nation}'", "r_name = '{region}'", "p_type = '{type}'"),
    9: ("'%{color}%'",),
    10: ("date '{date}'",),
    11: ("n_name = '{nation}'", "* {fraction}"),
    12: ("('{mode1}', '{mode2}')", "date '{date}'"),
    13: ("'%{word1}%{word2}%'",),
    14: ("date '{date}'",),
    15: ("date '{date}'",),
    16: ("p_brand <> '{brand}'", "'{type}%'", "p_size in ({sizes})"),
    17: ("p_brand = '{brand}'", "p_container = '{container}'"),
    18: ("sum(l_quantity) > {quantity}",),
    19: (
        "p_brand = '{brand1}'",
        "p_brand = '{brand2}'",
        "p_brand = '{brand3}'",
        "l_quantity >= {quantity1} and l_quantity <= {quantity1} + 10",
        "l_quantity >= {quantity2} and l_quantity <= {quantity2} + 10",
        "l_quantity >= {quantity3} and l_quantity <= {quantity3} + 10",
    ),
    20: ("'{color}%'", "date '{date}'", "n_name = '{nation}'"),
    21: ("n_name = '{nation}'",),
    22: ("in ({codes})",),
}


def _month(draw: random.Random, first: tuple[int, int], last: tuple[int, int]) -> str:
    """First day of a month from `first` to `last`, both (year, month) and included."""
    month = draw.randint(first[0] * 12 + first[1] - 1, last[0] * 12 + last[1] - 1)
    return f"{month // 12}-{month % 12 + 1:02d}-01"


def _year(draw: random.Random) -> str:
    return f"{draw.randint(1993, 1997)}-01-01"


def _brand(draw: random.Random) -> str:
    return f"Brand#{draw.randint(1, 5)}{draw.randint(1, 5)}"


def _nation(draw: random.Random) -> str:
    return draw.choice(NATIONS)[0]


def _fraction(scale: float) -> str:
    """0.0001 / scale as a decimal literal: at most 12 digits, no exponent."""
    return f"{(Decimal('0.0001') / Decimal(str(scale))).quantize(Decimal('1e-12')).normalize():f}"


def _q2(draw: random.Random) -> Parameters:
    return {
        "size": str(draw.randint(1, 50)),
        "metal": draw.choice(TYPE_METALS),
        "region": draw.choice(REGIONS),
    }


def _q7(draw: random.Random) -> Parameters:
    first, second = draw.sample(NATIONS, 2)
    return {"nation1": first[0], "nation2": second[0]}


def _q8(draw: random.Random) -> Parameters:
    nation, region = draw.choice(NATIONS)
    words = (draw.choice(TYPE_SIZES), draw.choice(TYPE_FINISHES), draw.choice(TYPE_METALS))
    return {"nation": nation, "region": REGIONS[region], "type": " ".join(words)}


def _q12(draw: random.Random) -> Parameters:
    first, second = draw.sample(SHIP_MODES, 2)
    return {"mode1": first, "mode2": second, "date": _year(draw)}


def _q16(draw: random.Random) -> Parameters:
    return {
        "brand": _brand(draw),
        "type": f"{draw.choice(TYPE_SIZES)} {draw.choice(TYPE_FINISHES)}",
        "sizes": ", ".join(str(size) for size in draw.sample(range(1, 51), 8)),
    }


def _q19(draw: random.Random) -> Parameters:
    return {
        "brand1": _brand(draw),
        "brand2": _brand(draw),
        "brand3": _brand(draw),
        "quantity1": str(draw.randint(1, 10)),
        "quantity2": str(draw.randint(10, 20)),
        "quantity3": str(draw.randint(20, 30)),
    }


def _q22(draw: random.Random) -> Parameters:
    codes = draw.sample(range(10, 10 + len(NATIONS)), 7)
    return {"codes": ", ".join(f"'{code}'" for code in codes)}


_DRAW: Final[Mapping[int, Callable[[random.Random], Parameters]]] = {
    1: lambda draw: {"delta": str(draw.randint(60, 120))},
    2: _q2,
    3: lambda draw: {"segment": draw.choice(SEGMENTS), "date": f"1995-03-{draw.randint(1, 31):02d}"},
    4: lambda draw: {"date": _month(draw, (1993, 1), (1997, 10))},
    5: lambda draw: {"region": draw.choice(REGIONS), "date": _year(draw)},
    6: lambda draw: {
        "date": _year(draw),
        "discount": f"0.{draw.randint(2, 9):02d}",
        "quantity": str(draw.randint(24, 25)),
    },
    7: _q7,
    8: _q8,
    9: lambda draw: {"color": draw.choice(COLORS)},
    10: lambda draw: {"date": _month(draw, (1993, 2), (1995, 1))},
    11: lambda draw: {"nation": _nation(draw)},
    12: _q12,
    13: lambda draw: {"word1": draw.choice(Q13_FIRST_WORDS), "word2": draw.choice(Q13_SECOND_WORDS)},
    14: lambda draw: {"date": _month(draw, (1993, 1), (1997, 12))},
    15: lambda draw: {"date": _month(draw, (1993, 1), (1997, 10))},
    16: _q16,
    17: lambda draw: {
        "brand": _brand(draw),
        "container": f"{draw.choice(CONTAINER_SIZES)} {draw.choice(CONTAINER_KINDS)}",
    },
    18: lambda draw: {"quantity": str(draw.randint(312, 315))},
    19: _q19,
    20: lambda draw: {"color": draw.choice(COLORS), "date": _year(draw), "nation": _nation(draw)},
    21: lambda draw: {"nation": _nation(draw)},
    22: _q22,
}


def validation(query: int, scale: float = 1.0) -> Parameters:
    """The validation values of a query (1-22); Q11's fraction follows the scale factor."""
    values = dict(VALIDATION[query])
    if query == 11:
        values["fraction"] = _fraction(scale)
    return values


def draw(query: int, seed: int, run: int, scale: float = 1.0) -> Parameters:
    """Parameters of one run of a query (1-22): the same for the same seed, run and scale factor.

    >>> draw(1, seed=7, run=0) == draw(1, seed=7, run=0)
    True
    """
    # A string seed is hashed by SHA-512, the same on every machine and Python version.
    values = dict(_DRAW[query](random.Random(f"{seed}/{run}/{query}")))
    if query == 11:
        values["fraction"] = _fraction(scale)
    return values
