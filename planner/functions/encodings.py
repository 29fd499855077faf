"""Functions that write values in other alphabets and read them back: digits, base64, URLs, hashes."""

from __future__ import annotations

from ..types import BIGINT, BLOB, HUGEINT, INTEGER, UBIGINT, VARCHAR
from .signature import ANY, BoundTypes, Nulls, Overload, ScalarFunction

_TEXT = (Overload((VARCHAR,), VARCHAR),)
_TO_BLOB = (Overload((VARCHAR,), BLOB),)

FUNCTIONS = (
    ScalarFunction(
        "bin",
        tuple(Overload((t,), VARCHAR) for t in (VARCHAR, BIGINT, UBIGINT, HUGEINT)),
        "In binary digits",
        ("to_binary",),
    ),
    ScalarFunction("unhex", _TO_BLOB, "Bytes of hexadecimal digits", ("from_hex",), can_fail=True),
    ScalarFunction("unbin", _TO_BLOB, "Bytes of binary digits", ("from_binary",), can_fail=True),
    ScalarFunction("to_base64", (Overload((BLOB,), VARCHAR),), "Bytes in base64", ("base64",)),
    ScalarFunction("from_base64", _TO_BLOB, "Bytes of a text in base64", can_fail=True),
    ScalarFunction(
        "to_base",
        (
            Overload((BIGINT, INTEGER), VARCHAR),
            Overload((BIGINT, INTEGER, INTEGER), VARCHAR),
        ),
        "A number in digits of a base from 2 to 36, at least so many",
        can_fail=True,
    ),
    ScalarFunction("url_encode", _TEXT, "As it stands in a URL"),
    ScalarFunction("url_decode", _TEXT, "The text that stands in a URL"),
    ScalarFunction("encode", _TO_BLOB, "The bytes of a text in UTF-8"),
    ScalarFunction(
        "decode",
        (Overload((BLOB,), VARCHAR), Overload((BLOB, VARCHAR), VARCHAR)),
        "Text of bytes in UTF-8; what is no text is an error, or as the second argument says",
        can_fail=True,
    ),
    ScalarFunction(
        "hash",
        (Overload((ANY,), None, variadic=ANY, bind=lambda kinds, _: BoundTypes(kinds, UBIGINT)),),
        "Hash of one value or more, as DuckDB's",
        nulls=Nulls.HANDLED,
    ),
    ScalarFunction(
        "sha1", (Overload((VARCHAR,), VARCHAR), Overload((BLOB,), VARCHAR)), "SHA-1 hash in hexadecimal"
    ),
)
