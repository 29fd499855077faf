"""Booleans."""

from __future__ import annotations

from typing import Any

from ....arguments import library
from ....errors import expects, logic_error
from ..._strings import BOOL, numbers, strings, text_of
from ...column import Column
from ...scalar import Scalar
from ...types import TypeId


@library
def from_booleans(
    booleans: Column, true_string: Scalar, false_string: Scalar, stream: Any = None, mr: Any = None
) -> Column:
    expects(booleans.type().id() is TypeId.BOOL8, logic_error("Input column must be boolean type"))
    yes, no = text_of(true_string, "true_string"), text_of(false_string, "false_string")
    expects(bool(yes) and bool(no), logic_error("Parameter true_string and false_string must not be empty."))
    return strings([None if v is None else yes if v else no for v in booleans._rows.to_pylist()])


@library
def to_booleans(input: Column, true_string: Scalar, stream: Any = None, mr: Any = None) -> Column:
    yes = text_of(true_string, "true_string")
    return numbers(input, lambda text: text == yes, BOOL)
