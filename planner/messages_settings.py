"""Errors about settings."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

from .errors import SettingsError


def unknown_setting(name: str, known: Iterable[str]) -> SettingsError:
    """No setting of this name; candidates come as a hint."""
    close = difflib.get_close_matches(name.lower(), list(known), n=3)
    hint = f"did you mean {' or '.join(close)}?" if close else "SHOW ALL lists the settings"
    return SettingsError("UNKNOWN_SETTING", f'there is no setting named "{name}"', hint=hint)


def bad_setting_value(name: str, value: Any, why: str) -> SettingsError:
    """A value that the setting does not take."""
    return SettingsError("BAD_SETTING", f'"{name}" cannot be set to {value!r}: {why}')
