"""What hints in a query do: each sets one setting, for its statement only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..planner import messages_query as messages
from ..planner.frontend.hints import Hint
from .settings import SETTINGS

HINTS: dict[str, str] = {"device": "device", "on_fallback": "on_fallback"}


def hinted_settings(hints: Sequence[Hint]) -> dict[str, Any]:
    """The settings that hints give, by name. SqlError for an unknown hint or a wrong argument."""
    found: dict[str, Any] = {}
    for hint in hints:
        if hint.name not in HINTS:
            raise messages.unknown_hint(hint.name, HINTS, hint.span)
        setting = SETTINGS[HINTS[hint.name]]
        if setting.name in found:
            raise messages.repeated_hint(hint.name, hint.span)
        try:
            found[setting.name] = setting.parse(hint.argument)
        except ValueError as error:
            raise messages.bad_hint_value(hint.name, hint.argument, str(error), hint.argument_span) from None
    return found
