"""The table of settings: one row each, from which SET and SHOW are made."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..physical.memory import human_bytes, machine_memory
from ..planner import messages_settings as messages
from ..planner.candidates import did_you_mean
from .accepted_settings import ACCEPTED
from .profile_files import profile_name


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting. `parse` turns the user's value into the stored one or raises ValueError with the reason;
    `show` is its text form. `planning` says that plans depend on it.
    """

    name: str
    type: str
    default: Any
    parse: Callable[[Any], Any]
    help: str
    planning: bool = False
    show: Callable[[Any], str] = str


def _integer(low: int, high: int) -> Callable[[Any], int]:
    def parse(value: Any) -> int:
        if isinstance(value, str) and re.fullmatch(r"\s*[+-]?\d+\s*", value):
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise ValueError(f"a whole number from {low} to {high} is expected")
        return value

    return parse


def _choice(*options: str) -> Callable[[Any], str]:
    def parse(value: Any) -> str:
        if not isinstance(value, str) or value.lower() not in options:
            raise ValueError("one of " + ", ".join(f"'{o}'" for o in options) + " is expected")
        return value.lower()

    return parse


def _boolean(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in ("true", "on", "1", "yes"):
        return True
    if isinstance(value, str) and value.lower() in ("false", "off", "0", "no"):
        return False
    if value in (0, 1):
        return bool(value)
    raise ValueError("true or false is expected")


def _direction(value: Any) -> str:
    found = {"asc": "asc", "ascending": "asc", "desc": "desc", "descending": "desc"}.get(str(value).lower())
    if found is None:
        raise ValueError("'asc' or 'desc' is expected")
    return found


_NULL_ORDERS = {
    "nulls_first": "nulls_first",
    "nulls_last": "nulls_last",
    "first": "nulls_first",
    "last": "nulls_last",
    "sqlite": "nulls_first_on_asc_last_on_desc",
    "mysql": "nulls_first_on_asc_last_on_desc",
    "postgres": "nulls_last_on_asc_first_on_desc",
    "nulls_first_on_asc_last_on_desc": "nulls_first_on_asc_last_on_desc",
    "nulls_last_on_asc_first_on_desc": "nulls_last_on_asc_first_on_desc",
}


def _null_order(value: Any) -> str:
    found = _NULL_ORDERS.get("_".join(str(value).lower().split()))
    if found is None:
        raise ValueError("'nulls_first', 'nulls_last', 'sqlite', 'mysql' or 'postgres' is expected")
    return found


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("a text is expected")
    return value


def _rules(value: Any) -> str:
    """Names of optimizer rules; one that does not exist would silently switch nothing off."""
    from ..planner.optimizer import rule_names

    text = _text(value)
    known = {*rule_names(), "all"}
    for name in filter(None, (part.strip() for part in text.split(","))):
        if name not in known:
            hint = did_you_mean(name, known, limit=1, quote="'")
            raise ValueError(f"no rule '{name}' can be switched off" + (f". {hint}" if hint else ""))
    return text


def _profile(value: Any) -> str:
    return profile_name(_text(value))


_UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}
_UNITS |= {
    "kib": 2**10,
    "mib": 2**20,
    "gib": 2**30,
    "tib": 2**40,
    "k": 10**3,
    "m": 10**6,
    "g": 10**9,
    "t": 10**12,
}


def parse_bytes(value: Any) -> int | None:
    """Bytes of '8GB', '512MiB', 1000000 or '80%' (of the machine's memory); None for 'none' or -1, no limit.

    >>> parse_bytes("1.5KB")
    1500
    """
    if isinstance(value, str) and value.strip().endswith("%"):
        return _parse_bytes(value, {"%": machine_memory() / 100}, _EXAMPLES)
    return _parse_bytes(value, _UNITS, _EXAMPLES)


_EXAMPLES = "'8GB', '512MiB' or '80%'"


def _parse_bytes(value: Any, units: Mapping[str, float], examples: str) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    text = value.strip().lower() if isinstance(value, str) else ""
    if text in ("none", "-1"):
        return None
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(%|[a-z]*)", text)
    if not match or match[2] not in units:
        raise ValueError(f"a size such as {examples} is expected")
    # No more than 64 bits hold; of very many digits a float is infinite.
    return int(min(float(match[1]) * units[match[2]], 2**63 - 1))


# Below this a few rows and what is computed of them find no room.
LEAST_GPU_MEMORY = 1 << 20


def parse_gpu_bytes(value: Any) -> int | None:
    """As `parse_bytes`, of the GPU: without a share, which would need one to be there."""
    size = _parse_bytes(value, _UNITS, "'8GB' or '512MiB'")
    if size is not None and size < LEAST_GPU_MEMORY:
        raise ValueError(f"at least {human_bytes(LEAST_GPU_MEMORY)} are needed")
    return size


def usable_cores() -> int:
    """Cores this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _show_bytes(value: int | None) -> str:
    return "none" if value is None else human_bytes(value)


def _show_bool(value: bool) -> str:
    return "true" if value else "false"


def _show_any(value: Any) -> str:
    return _show_bool(value) if isinstance(value, bool) else str(value)


def _build() -> dict[str, Setting]:
    rows = [
        Setting("threads", "BIGINT", usable_cores(), _integer(1, 256), "Tasks a query runs at once."),
        Setting(
            "batch_size",
            "BIGINT",
            122_880,
            _integer(1, 1_048_576),
            "Rows in a batch at most. Smaller batches use less memory and cost more overhead.",
        ),
        Setting(
            "memory_limit",
            "VARCHAR",
            int(machine_memory() * 0.8),
            parse_bytes,
            "Memory that the in-memory tables and the running queries of a connection may hold.",
            show=_show_bytes,
        ),
        Setting(
            "temp_directory",
            "VARCHAR",
            "",
            _text,
            "Folder for rows that do not fit in memory ('': the system's folder for temporary files).",
        ),
        Setting(
            "gpu_memory_limit",
            "VARCHAR",
            None,
            parse_gpu_bytes,
            "Memory of the GPU that the queries of this process may hold (none: 80% of it).",
            planning=True,
            show=_show_bytes,
        ),
        Setting(
            "gpu_batch_size",
            "BIGINT",
            1 << 23,
            _integer(1, 1 << 30),
            "Rows in a batch on the GPU at most; fewer where they take much of its memory.",
        ),
        Setting(
            "device",
            "VARCHAR",
            "auto",
            _choice("auto", "cpu", "gpu"),
            "Where operators are placed.",
            planning=True,
        ),
        Setting(
            "gpu_profile",
            "VARCHAR",
            "none",
            _profile,
            "Hardware profile that EXPLAIN places operators for: 'none' is this machine as it is, 'local' as"
            " `tandemdb calibrate` measured it, a path such a file.",
            planning=True,
        ),
        Setting(
            "on_fallback",
            "VARCHAR",
            "report",
            _choice("report", "error"),
            "What happens when an operator placed on the GPU must run on the CPU.",
        ),
        Setting(
            "default_order",
            "VARCHAR",
            "asc",
            _direction,
            "Direction of ORDER BY where none is written: 'asc' or 'desc'.",
            planning=True,
        ),
        Setting(
            "default_null_order",
            "VARCHAR",
            "nulls_last",
            _null_order,
            "Where ORDER BY puts NULLs unless told: 'nulls_last', 'nulls_first', 'sqlite' or 'postgres'.",
            planning=True,
        ),
        Setting(
            "integer_division",
            "BOOLEAN",
            False,
            _boolean,
            "Whether / of two whole numbers is whole, as // is.",
            planning=True,
            show=_show_bool,
        ),
        Setting(
            "disabled_rules",
            "VARCHAR",
            "",
            _rules,
            "Names of optimizer rules not to apply, separated by commas; 'all' for every one.",
            planning=True,
        ),
        Setting(
            "runtime_filters",
            "BOOLEAN",
            True,
            _boolean,
            "Whether hash joins hand filters to the scans on their probe side.",
            planning=True,
            show=_show_bool,
        ),
    ]
    rows += [
        Setting(
            name,
            kind,
            "",
            lambda value: value,
            "Taken for the sake of scripts; has no effect.",
            show=_show_any,
        )
        for name, kind in ACCEPTED.items()
    ]
    return {row.name: row for row in rows}


# Other names of settings.
_ALIASES = {"max_memory": "memory_limit", "null_order": "default_null_order", "worker_threads": "threads"}


SETTINGS: dict[str, Setting] = _build()


class SettingValues(Mapping[str, Any]):
    """A session's values; reading falls back to the defaults."""

    def __init__(self, values: Mapping[str, Any] | None = None) -> None:
        self._values: dict[str, Any] = {}
        for name, value in (values or {}).items():
            self.set(name, value)

    def __getitem__(self, name: str) -> Any:
        return self._values.get(name, SETTINGS[name].default)

    def __iter__(self) -> Iterator[str]:
        return iter(SETTINGS)

    def __len__(self) -> int:
        return len(SETTINGS)

    def set(self, name: str, value: Any) -> None:
        """Sets a value; SettingsError for an unknown name (with candidates) or a bad value."""
        setting = find_setting(name)
        try:
            self._values[setting.name] = setting.parse(value)
        except ValueError as error:
            raise messages.bad_setting_value(setting.name, value, str(error)) from None

    def overlaid(self, values: Mapping[str, Any]) -> SettingValues:
        """These settings with some parsed values in place of their own."""
        result = SettingValues()
        result._values = {**self._values, **values}
        return result

    def reset(self, name: str) -> None:
        """Back to the default."""
        self._values.pop(find_setting(name).name, None)

    def shown(self, name: str) -> str:
        """The value as SHOW prints it."""
        setting = find_setting(name)
        return setting.show(self[setting.name])

    def frozen(self) -> dict[str, Any]:
        """All values as they are now."""
        return {name: self[name] for name in SETTINGS}

    def planning(self) -> dict[str, Any]:
        """The values that plans depend on. Planning is given no others, so none is left unmarked: with the
        query and the catalog's snapshot they decide the plan.
        """
        return {name: self[name] for name, setting in SETTINGS.items() if setting.planning}


def find_setting(name: str) -> Setting:
    """The setting of this name, in any case."""
    found = SETTINGS.get(_ALIASES.get(name.lower(), name.lower()))
    if found is None:
        raise messages.unknown_setting(name, SETTINGS)
    return found
