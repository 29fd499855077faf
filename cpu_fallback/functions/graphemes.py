"""Characters as people see them: a rule of thumb for the extended grapheme clusters of UAX #29.

A cluster is a code point with the marks, joiners and modifiers that follow it, two regional indicators (a
flag), a Hangul syllable's jamo, or CR LF.
"""

from __future__ import annotations

import unicodedata

_JOINER = "‍"


def graphemes(text: str) -> list[str]:
    """The clusters of a string, in order."""
    clusters: list[str] = []
    flags = 0  # regional indicators at the end of the last cluster
    for character in text:
        if clusters and _continues(clusters[-1], character, flags):
            clusters[-1] += character
        else:
            clusters.append(character)
            flags = 0
        flags = flags + 1 if _is_indicator(character) else 0
    return clusters


def reverse_graphemes(text: str) -> str:
    """Clusters in reverse order, each as it was (in ASCII text also CR LF is turned round, as in DuckDB)."""
    if text.isascii():
        return text[::-1]
    return "".join(reversed(graphemes(text)))


def _continues(cluster: str, character: str, flags: int) -> bool:
    last = cluster[-1]
    if last == "\r":
        return character == "\n"
    if unicodedata.category(last) in ("Cc", "Zl", "Zp") or character in "\r\n":
        return False
    if character == _JOINER or _extends(character):
        return True
    if last == _JOINER and len(cluster) > 1:
        return _is_pictograph(character) and _is_pictograph(cluster[0])
    if _is_indicator(character):
        return flags % 2 == 1
    return _hangul_continues(last, character)


def _extends(character: str) -> bool:
    code = ord(character)
    # Emoji skin tones and tags extend, though they are not marks.
    if 0x1F3FB <= code <= 0x1F3FF or 0xE0020 <= code <= 0xE007F:
        return True
    return unicodedata.category(character) in ("Mn", "Me", "Mc")


def _is_indicator(character: str) -> bool:
    return 0x1F1E6 <= ord(character) <= 0x1F1FF


def _is_pictograph(character: str) -> bool:
    code = ord(character)
    return (
        0x1F000 <= code <= 0x1FAFF or 0x2190 <= code <= 0x2BFF or code in (0xA9, 0xAE, 0x203C, 0x2049, 0x3030)
    )


def _hangul_continues(last: str, character: str) -> bool:
    a, b = ord(last), ord(character)
    vowel, final = 0x1160 <= b <= 0x11A7, 0x11A8 <= b <= 0x11FF
    if 0x1100 <= a <= 0x115F:
        return 0x1100 <= b <= 0x11A7 or 0xAC00 <= b <= 0xD7A3
    if 0x1160 <= a <= 0x11A7 or (0xAC00 <= a <= 0xD7A3 and (a - 0xAC00) % 28 == 0):
        return vowel or final
    if 0x11A8 <= a <= 0x11FF or 0xAC00 <= a <= 0xD7A3:
        return final
    return False
