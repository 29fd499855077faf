"""Code points, hexadecimal digits, hashes and edit distance."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from ...planner import messages_values as messages
from ...planner.expr import Call
from ...planner.types import BIGINT, INTEGER, VARCHAR, TypeId
from ..vector import Vector
from .registry import Check, Evaluate, Interruptible, scalar
from .rowwise import rowwise


@scalar("ascii")
def ascii_(call: Call) -> Evaluate:
    """Code point of the first character, 0 of the empty string."""
    return rowwise(lambda text: ord(text[0]) if text else 0, INTEGER)


@scalar("unicode")
def unicode(call: Call) -> Evaluate:
    """Code point of the first character, -1 of the empty string."""
    return rowwise(lambda text: ord(text[0]) if text else -1, INTEGER)


@scalar("chr")
def chr_(call: Call) -> Evaluate:
    """The character of a code point; surrogates and numbers beyond Unicode are errors."""

    def one(code: int) -> str:
        if not 0 <= code < 0x110000 or 0xD800 <= code < 0xE000:
            raise messages.invalid_input(f"Invalid UTF8 Codepoint {code}")
        return chr(code)

    return rowwise(one, VARCHAR)


def _bytes(value: str | bytes) -> bytes:
    return value.encode() if isinstance(value, str) else value


@scalar("md5")
def md5(call: Call) -> Evaluate:
    """MD5 in lower-case hexadecimal digits."""
    return rowwise(lambda value: hashlib.md5(_bytes(value), usedforsecurity=False).hexdigest(), VARCHAR)


@scalar("sha256")
def sha256(call: Call) -> Evaluate:
    """SHA-256 in lower-case hexadecimal digits."""
    return rowwise(lambda value: hashlib.sha256(_bytes(value)).hexdigest(), VARCHAR)


@scalar("hex")
def hex_(call: Call) -> Evaluate:
    """Bytes of a string or blob as two digits each; a number in as few digits as it takes, negative ones in
    two's complement.
    """
    kind = call.args[0].type
    if kind.id in (TypeId.VARCHAR, TypeId.BLOB):
        return rowwise(lambda value: _bytes(value).hex().upper(), VARCHAR)
    mask = (1 << (128 if kind.id is TypeId.HUGEINT else 64)) - 1
    return rowwise(lambda value: f"{value & mask:X}", VARCHAR)


@scalar("levenshtein")
def levenshtein(call: Call) -> Evaluate:
    """See `edit_distance`."""
    from ..kernels.edit_distance import edit_distance

    def evaluate(args: Sequence[Vector], n: int, check: Check) -> Vector:
        return rowwise(lambda left, right: edit_distance(left, right, check), BIGINT)(args, n)

    return Interruptible(evaluate)
