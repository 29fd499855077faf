"""Offsets of named time zones, by the tz database of the machine."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from . import messages

_EPOCH = datetime(1970, 1, 1)
_DAY = 86_400
# The calendar repeats after 400 years; datetime ends with 9999, and zones follow a yearly rule by 9600.
_CYCLE_DAYS = 146_097
_LAST_CYCLE = 2_786_800
_CONSTANT = frozenset({"utc", "uct", "gmt", "gmt0", "gmt+0", "gmt-0", "greenwich", "universal", "zulu"})
# Morocco's clock follows Ramadan, for which databases have dates up to different years.
_MOROCCO = frozenset({"africa/casablanca", "africa/el_aaiun"})
_MOROCCO_END = (datetime(2037, 1, 1) - _EPOCH).days
# Names that DuckDB knows besides those of the database.
_OTHERS = frozenset(
    """
    act aet agt art ast bet bst cat cnt cst ctt eat ect iet ist jst mit net nst plt pnt prt pst sst vst
    canada/east-saskatchewan us/pacific-new systemv/ast4 systemv/ast4adt systemv/cst6 systemv/cst6cdt
    systemv/est5 systemv/est5edt systemv/hst10 systemv/mst7 systemv/mst7mdt systemv/pst8 systemv/pst8pdt
    systemv/yst9 systemv/yst9ydt
    """.split()
)
_HINT = "Write the offset from UTC, as in '2020-01-31 10:00:00-08'."


# Of these DuckDB reads some, by rules of their own: UTC+5:30 is 5 hours, GMT+5:30 half an hour more.
_OFFSET = re.compile(r"(?:gmt|utc)[+-]\d", re.ASCII)


@cache
def _names() -> dict[str, str]:
    """The names of zones, which are found in any case."""
    return {name.lower(): name for name in available_timezones() if name != "localtime"}


def zone_seconds(name: str, local_seconds: int) -> int:
    """Seconds east of UTC of a zone at a local time, in seconds since 1970-01-01 00:00. Of an hour that comes
    twice it is the second, as in DuckDB. Raises ValueError where there is no such zone, and for times before
    1970: tz databases disagree on them.

    >>> zone_seconds("Europe/Paris", 1_600_000_000)
    7200
    """
    zone, moment = _placed(name, local_seconds)
    if zone is None:
        return 0
    moment = moment.replace(tzinfo=zone)
    offsets = [moment.utcoffset(), moment.replace(fold=1).utcoffset()]
    return min(int(offset.total_seconds()) for offset in offsets if offset is not None)


def utc_seconds(name: str, seconds: int) -> int:
    """Seconds east of UTC of a zone at a moment, in seconds since 1970-01-01 UTC. Raises as `zone_seconds`.

    >>> utc_seconds("Europe/Paris", 1_600_000_000)
    7200
    """
    zone, moment = _placed(name, seconds)
    if zone is None:
        return 0
    offset = moment.replace(tzinfo=UTC).astimezone(zone).utcoffset()
    assert offset is not None
    return int(offset.total_seconds())


def _placed(name: str, at: int) -> tuple[ZoneInfo | None, datetime]:
    """The zone, None where it is UTC, and a time of its clock or of UTC, within the years of datetime."""
    lowered = name.lower()
    known = _names().get(lowered)
    if known is None:
        if lowered in _OTHERS or _OFFSET.match(lowered):
            raise messages.unsupported(f"The time zone {name} is", None, _HINT)
        raise ValueError(f'there is no time zone "{name}"')
    if lowered in _CONSTANT:
        return None, _EPOCH
    days, seconds = divmod(at, _DAY)
    if days < 0:
        if lowered.startswith("etc/"):
            days = 0
        else:
            raise messages.unsupported(f"Times in the zone {name} before 1970 are", None, _HINT)
    if days >= _MOROCCO_END and lowered in _MOROCCO:
        raise messages.unsupported(f"Times in the zone {name} after 2036 are", None, _HINT)
    if days >= _LAST_CYCLE:
        days = _LAST_CYCLE + (days - _LAST_CYCLE) % _CYCLE_DAYS
    return ZoneInfo(known), _EPOCH + timedelta(days, seconds)
