"""Functions of strings, a module each kind."""

from __future__ import annotations

from . import (
    attributes,
    capitalize,
    case,
    char_types,
    combine,
    contains,
    convert,
    extract,
    find,
    padding,
    regex_flags,
    regex_program,
    repeat,
    replace,
    replace_re,
    reverse,
    side_type,
    slice,
    split,
    strip,
)

__all__ = [
    "attributes",
    "capitalize",
    "case",
    "char_types",
    "combine",
    "contains",
    "convert",
    "extract",
    "find",
    "padding",
    "regex_flags",
    "regex_program",
    "repeat",
    "replace",
    "replace_re",
    "reverse",
    "side_type",
    "slice",
    "split",
    "strip",
]
