"""Functions of strings."""

from __future__ import annotations

from ..types import BIGINT, BLOB, BOOLEAN, HUGEINT, INTEGER, UBIGINT, VARCHAR, SQLType
from .signature import ANY, ANY_LIST, BoundTypes, Nulls, Overload, ScalarFunction, Values, Volatility


def _strings(*counts: int, result: SQLType = VARCHAR) -> tuple[Overload, ...]:
    """Overloads that take this many strings each."""
    return tuple(Overload((VARCHAR,) * n, result) for n in counts)


def _joined(kinds: tuple[SQLType, ...], values: Values) -> BoundTypes:
    return BoundTypes((VARCHAR,) * len(kinds), VARCHAR)


_BYTES = (Overload((VARCHAR,), VARCHAR), Overload((BLOB,), VARCHAR))
_PART = (Overload((VARCHAR, BIGINT), VARCHAR),)
_PAD = (Overload((VARCHAR, INTEGER, VARCHAR), VARCHAR),)
_BOOL2 = _strings(2, result=BOOLEAN)
_BOOL3 = _strings(3, result=BOOLEAN)

FUNCTIONS = (
    ScalarFunction(
        "length",
        (*_strings(1, result=BIGINT), Overload((ANY_LIST,), BIGINT)),
        "Number of characters, or of elements",
        ("len", "char_length", "character_length"),
    ),
    ScalarFunction("strlen", _strings(1, result=BIGINT), "Number of bytes"),
    ScalarFunction("bit_length", _strings(1, result=BIGINT), "Number of bits"),
    ScalarFunction("octet_length", (Overload((BLOB,), BIGINT),), "Number of bytes of a BLOB"),
    ScalarFunction("lower", _strings(1), "In lower case", ("lcase",)),
    ScalarFunction("upper", _strings(1), "In upper case", ("ucase",)),
    ScalarFunction("trim", _strings(1, 2), "Without spaces, or the given characters, at both ends"),
    ScalarFunction("ltrim", _strings(1, 2), "Without spaces, or the given characters, at the start"),
    ScalarFunction("rtrim", _strings(1, 2), "Without spaces, or the given characters, at the end"),
    ScalarFunction(
        "substring",
        (Overload((VARCHAR, BIGINT), VARCHAR), Overload((VARCHAR, BIGINT, BIGINT), VARCHAR)),
        "Characters from a position (1 is the first, negative counts from the end), of a length",
        ("substr",),
    ),
    ScalarFunction("left", _PART, "The first characters; a negative count leaves that many out"),
    ScalarFunction("right", _PART, "The last characters; a negative count leaves that many out"),
    ScalarFunction("replace", _strings(3), "With every occurrence of a text replaced"),
    ScalarFunction("reverse", _strings(1), "Characters in reverse order"),
    ScalarFunction(
        "repeat", (*_PART, Overload((BLOB, BIGINT), BLOB)), "The text a number of times", can_fail=True
    ),
    ScalarFunction("lpad", _PAD, "Filled up, or cut, to a length at the start", can_fail=True),
    ScalarFunction("rpad", _PAD, "Filled up, or cut, to a length at the end", can_fail=True),
    ScalarFunction(
        "concat",
        (Overload((ANY,), None, variadic=ANY, bind=_joined),),
        "Values put together as text; NULL is nothing",
        nulls=Nulls.HANDLED,
    ),
    ScalarFunction(
        "concat_ws",
        (Overload((VARCHAR, ANY), None, variadic=ANY, bind=_joined),),
        "Values put together as text with a separator; NULL is left out",
        nulls=Nulls.HANDLED,
    ),
    ScalarFunction("contains", _BOOL2, "Whether a text stands in it"),
    ScalarFunction("starts_with", _BOOL2, "Whether it starts with a text", ("prefix", "^@")),
    ScalarFunction("ends_with", _BOOL2, "Whether it ends with a text", ("suffix",)),
    ScalarFunction(
        "strpos",
        _strings(2, result=BIGINT),
        "Position of a text in it, 0 if it is not there",
        ("instr", "position"),
    ),
    ScalarFunction(
        "ascii", _strings(1, result=INTEGER), "Code point of the first character, 0 of an empty text"
    ),
    ScalarFunction(
        "unicode",
        _strings(1, result=INTEGER),
        "Code point of the first character, -1 of an empty text",
        ("ord",),
    ),
    ScalarFunction("chr", (Overload((INTEGER,), VARCHAR),), "Character of a code point", can_fail=True),
    ScalarFunction(
        "split_part",
        (Overload((VARCHAR, VARCHAR, BIGINT), VARCHAR),),
        "The n-th part between separators, '' if there is none",
    ),
    ScalarFunction("translate", _strings(3), "With characters of one set replaced by those of another"),
    ScalarFunction("md5", _BYTES, "MD5 hash in hexadecimal"),
    ScalarFunction("sha256", _BYTES, "SHA-256 hash in hexadecimal"),
    ScalarFunction(
        "hex",
        tuple(Overload((t,), VARCHAR) for t in (VARCHAR, BLOB, BIGINT, UBIGINT, HUGEINT)),
        "In hexadecimal digits",
        ("to_hex",),
    ),
    ScalarFunction("levenshtein", _strings(2, result=BIGINT), "Edit distance in bytes", ("editdist3",)),
    ScalarFunction("like", _BOOL2, "Matches a pattern of % (any text) and _ (any character)", ("~~",)),
    ScalarFunction("like_escape", _BOOL3, "LIKE with an escape character", can_fail=True),
    ScalarFunction("ilike", _BOOL2, "LIKE without regard to case", ("~~*",)),
    ScalarFunction("ilike_escape", _BOOL3, "ILIKE with an escape character", can_fail=True),
    ScalarFunction("~~~", _BOOL2, "GLOB: matches a pattern of * (any text), ? (any character) and [classes]"),
    ScalarFunction(
        "regexp_matches",
        (*_BOOL2, *_BOOL3),
        "Whether a regular expression (RE2) matches somewhere; options as third argument",
        can_fail=True,
        constants=(2,),
    ),
    ScalarFunction(
        "regexp_full_match",
        (*_BOOL2, *_BOOL3),
        "Whether a regular expression (RE2) matches the whole text",
        can_fail=True,
        constants=(2,),
    ),
    ScalarFunction(
        "regexp_replace",
        _strings(3, 4),
        "First match, or all with option 'g', of a regular expression replaced",
        can_fail=True,
        constants=(3,),
    ),
    ScalarFunction(
        "regexp_extract",
        (
            Overload((VARCHAR, VARCHAR), VARCHAR),
            Overload((VARCHAR, VARCHAR, INTEGER), VARCHAR),
            Overload((VARCHAR, VARCHAR, INTEGER, VARCHAR), VARCHAR),
        ),
        "First match of a regular expression, or of one of its groups; '' if there is none",
        can_fail=True,
        constants=(2, 3),
    ),
    ScalarFunction(
        "error", _strings(1), "Raises the text as an error", volatility=Volatility.VOLATILE, can_fail=True
    ),
    ScalarFunction("regexp_escape", _strings(1), "With a backslash before what a regular expression reads"),
    ScalarFunction("strip_accents", _strings(1), "Without accents"),
    ScalarFunction("nfc_normalize", _strings(1), "In Unicode's composed form NFC"),
    ScalarFunction(
        "overlay",
        (
            Overload((VARCHAR, VARCHAR, BIGINT), VARCHAR),
            Overload((VARCHAR, VARCHAR, BIGINT, BIGINT), VARCHAR),
        ),
        "With the second text in place of the characters from a position on, as many as it has or so many",
    ),
    ScalarFunction("left_grapheme", _PART, "The first characters as people see them"),
    ScalarFunction("right_grapheme", _PART, "The last characters as people see them"),
    ScalarFunction("length_grapheme", _strings(1, result=BIGINT), "Number of characters as people see them"),
    ScalarFunction(
        "substring_grapheme",
        (Overload((VARCHAR, BIGINT), VARCHAR), Overload((VARCHAR, BIGINT, BIGINT), VARCHAR)),
        "substring of characters as people see them",
    ),
)
