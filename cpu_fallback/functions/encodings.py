"""Digits of other bases, base64, URLs, bytes of texts, and hashes."""

from __future__ import annotations

import base64
import hashlib
import re
from typing import Any

from ...planner import messages_values as messages
from ...planner.expr import Call
from ...planner.types import BLOB, VARCHAR, TypeId
from .registry import Evaluate, scalar
from .rowwise import rowwise

_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LONGEST_NUMBER = 64
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]")
# What stands in a URL as it is.
_PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~")
_ESCAPED = re.compile(rb"%([0-9A-Fa-f]{2})")


def _bytes(value: str | bytes) -> bytes:
    return value.encode() if isinstance(value, str) else value


@scalar("bin")
def bin_(call: Call) -> Evaluate:
    """Eight digits for each byte of a text; a number in as few as it takes, negative ones in two's
    complement.
    """
    kind = call.args[0].type
    if kind.is_string:
        return rowwise(lambda text: "".join(f"{byte:08b}" for byte in text.encode()), VARCHAR)
    mask = (1 << (128 if kind.id is TypeId.HUGEINT else 64)) - 1
    return rowwise(lambda value: f"{value & mask:b}", VARCHAR)


def _digits(base: int, what: str, a_byte: int) -> Any:
    """Reads a text of digits as bytes, so many digits each; zeros are put before an incomplete one."""
    wrong = re.compile(f"[^{_DIGITS[:base]}{_DIGITS[:base].lower()}]")

    def one(text: str) -> bytes:
        found = wrong.search(text)
        if found is not None:
            raise messages.invalid_input(f"Invalid input for {what} digit: {found.group()}")
        count = -(-len(text) // a_byte)
        return int(text, base).to_bytes(count, "big") if text else b""

    return one


@scalar("unhex")
def unhex(call: Call) -> Evaluate:
    """The bytes that hexadecimal digits stand for."""
    return rowwise(_digits(16, "hex", 2), BLOB)


@scalar("unbin")
def unbin(call: Call) -> Evaluate:
    """The bytes that binary digits stand for."""
    return rowwise(_digits(2, "binary", 8), BLOB)


@scalar("to_base64")
def to_base64(call: Call) -> Evaluate:
    """Bytes in base64, filled up with `=`."""
    return rowwise(lambda value: base64.b64encode(value).decode(), VARCHAR)


def _from_base64(text: str) -> bytes:
    data = text.encode()

    def wrong(why: str) -> Exception:
        return messages.conversion(f'Could not decode string "{text}" as base64: {why}')

    if len(data) % 4:
        raise wrong("length must be a multiple of 4")
    body = data[:-2] + data[-2:].rstrip(b"=")
    found = _NOT_BASE64.search(body)
    if found is not None:
        raise wrong(f"invalid byte value '{found.group()[0]}' at position {found.start()}")
    return base64.b64decode(data)


@scalar("from_base64")
def from_base64(call: Call) -> Evaluate:
    """The bytes of a text in base64."""
    return rowwise(_from_base64, BLOB)


@scalar("to_base")
def to_base(call: Call) -> Evaluate:
    """A number that is not negative in digits of a base, with zeros before them up to a length."""

    def one(value: int, base: int, least: int = 0) -> str:
        if value < 0:
            raise messages.invalid_input("'to_base' number must be greater than or equal to 0")
        if not 2 <= base <= len(_DIGITS):
            raise messages.invalid_input("'to_base' radix must be between 2 and 36")
        if not 0 <= least <= _LONGEST_NUMBER:
            raise messages.invalid_input("'to_base' min_length must be between 0 and 64")
        digits = ""
        while value or not digits:
            value, digit = divmod(value, base)
            digits = _DIGITS[digit] + digits
        return digits.rjust(least, "0")

    return rowwise(one, VARCHAR)


def _url_encoded(text: str) -> str:
    return "".join(chr(byte) if byte in _PLAIN else f"%{byte:02X}" for byte in text.encode())


def _url_decoded(text: str) -> str:
    found = _ESCAPED.sub(lambda match: bytes.fromhex(match.group(1).decode()), text.encode())
    try:
        return found.decode()
    except UnicodeDecodeError:
        raise messages.invalid_input("Failed to decode string: the result is no text in UTF-8") from None


@scalar("url_encode")
def url_encode(call: Call) -> Evaluate:
    """Each byte that is no letter, digit or one of -_.~ as %XX."""
    return rowwise(_url_encoded, VARCHAR)


@scalar("url_decode")
def url_decode(call: Call) -> Evaluate:
    """%XX as the byte that it stands for; other percent signs stay."""
    return rowwise(_url_decoded, VARCHAR)


@scalar("encode")
def encode(call: Call) -> Evaluate:
    """The bytes of a text."""
    return rowwise(str.encode, BLOB)


@scalar("decode")
def decode(call: Call) -> Evaluate:
    """Text of bytes. Those that are none are an error ('strict'), a question mark ('replace') or nothing
    ('ignore').
    """

    def one(value: bytes, mode: str = "strict") -> str:
        if mode.lower() not in _MODES:
            raise messages.invalid_input(f"Unknown mode '{mode}' of decode: strict, replace or ignore")
        return _decoded(value, mode.lower())

    return rowwise(one, VARCHAR)


_MODES = frozenset({"strict", "replace", "ignore"})


def _decoded(value: bytes, mode: str) -> str:
    """Text of bytes. A byte that breaks a letter off is also replaced, but not left out."""
    pieces, at = [], 0
    while True:
        try:
            return "".join([*pieces, value[at:].decode()])
        except UnicodeDecodeError as error:
            if mode == "strict":
                raise messages.conversion(
                    "Failure in decode: could not convert blob to UTF8 string, "
                    "the blob contained invalid UTF8 characters",
                    "decode(..., 'replace') writes a question mark for them.",
                ) from None
            wrong = error.end - error.start
            if mode == "replace" and error.reason == "invalid continuation byte":
                wrong += 1
            pieces.append(value[at : at + error.start].decode())
            if mode == "replace":
                pieces.append("?" * wrong)
            at += error.start + wrong


@scalar("sha1")
def sha1(call: Call) -> Evaluate:
    """SHA-1 in lower-case hexadecimal digits."""
    return rowwise(lambda value: hashlib.sha1(_bytes(value), usedforsecurity=False).hexdigest(), VARCHAR)
