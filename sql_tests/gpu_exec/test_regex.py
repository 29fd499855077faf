"""Regular expressions that go to the GPU: how they are written, which stay, and that none leaves a choice."""

from __future__ import annotations

import random
import re

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from tandemdb.gpu_exec import regex

WRITTEN = (
    (r"a\d+", "a[0-9]+"),
    (r"\w\s", r"[0-9A-Z_a-z][\t-\n\x0c-\r ]"),
    (r"[^\d]", "[^0-9]"),
    (r"(a|b)c{2,}", "(?:a|b)c{2,}"),
    (r"\.\*", r"\.\*"),
    (r"^a.b$", r"^a.b\Z"),
    (r"[]a-]", r"[\-\]a]"),
    (r"\x41", "A"),
    (r"(?i)ab", "[Aa][Bb]"),
    (r"(?i)k", "[Kk\u212a]"),
)
UNFIT = (
    ("", "empty part"),
    ("a|", "empty part"),
    ("(?=a)", "look around"),
    ("(?P<n>a)", "name"),
    (r"(a)\1", "escape"),
    (r"\bx", "escape"),
    (r"\pL", "escape"),
    ("a*?", "lazy"),
    ("a++", "lazy or possessive"),
    ("(a*)*", "may be empty"),
    ("a{2000}", "more than 999"),
    ("[[:alpha:]]", "by name"),
    ("a^b", "anchor"),
    ("(a$)?", "anchor"),
    ("(a", "not whole"),
    ("a)", "bracket too many"),
    ("*a", "repetition of nothing"),
    ("[z-a]", "no order"),
    ("(?i)é", "beyond ASCII"),
    (r"[^\D]", "negated kind"),
)


@pytest.mark.parametrize(("pattern", "written"), WRITTEN)
def test_how_expressions_are_written(pattern: str, written: str) -> None:
    found = regex.search(pattern).text
    assert found.encode("unicode_escape") == written.encode("unicode_escape").replace(
        b"\\\\t-\\\\n\\\\x0c-\\\\r ", b"\\t-\\n\\x0c-\\r "
    )


@pytest.mark.parametrize(("pattern", "why"), UNFIT)
def test_what_stays_on_the_cpu(pattern: str, why: str) -> None:
    with pytest.raises(regex.Unfit, match=why):
        regex.search(pattern)


def test_what_leaves_a_choice_is_not_extracted_or_replaced() -> None:
    for pattern in ("a|ab", "(?:a*|b)c", "(?:a|b)*a", "a?ab", "(?:www)?[a-z]+", "a{1,2}a"):
        assert regex.search(pattern)
        with pytest.raises(regex.Unfit, match="choice"):
            regex.extraction(pattern, 0)
        with pytest.raises(regex.Unfit, match="choice"):
            regex.replacement(pattern, "x", "g")
    for pattern in ("a|b", "a*b", "(ab)+", "//([^/]+)/", "a{2,3}b", "a(?:bc)?d?"):
        assert regex.extraction(pattern, 0)


def test_groups_and_references() -> None:
    found = regex.extraction("(a)(b)", 2)
    assert found is not None and found.text == "(?:a)(b)"
    assert regex.extraction("(a)", 2) is None
    assert regex.extraction("(a)?b(c)", 1)
    for pattern in ("(a)*b", "(?:(a)b){2}", "((a)+)b"):
        with pytest.raises(regex.Unfit, match="repeated"):
            regex.extraction(pattern, 2 if pattern.startswith("((") else 1)
    assert regex.replacement("(a)(b)", r"\2-\1", "g").references
    for new, letters in ((r"\0", "g"), (r"\3", "g"), (r"\1", ""), ("\\", "g"), (r"\1$", "g"), (r"\12", "g")):
        with pytest.raises(regex.Unfit, match="replacement"):
            regex.replacement("(a)(b)", new, letters)
    with pytest.raises(regex.Unfit, match="may be empty"):
        regex.replacement("a*", "x", "g")


def made(random_: random.Random, depth: int) -> str:
    """A random expression over a and b."""
    kind = random_.randrange(7 if depth else 3)
    if kind < 3:
        return random_.choice(("a", "b", "c", "[ab]", "[^a]", ".", "\\w"))
    if kind == 3:
        return f"({made(random_, depth - 1)})"
    if kind == 4:
        return f"(?:{made(random_, depth - 1)}|{made(random_, depth - 1)})"
    if kind == 5:
        return f"(?:{made(random_, depth - 1)}){random_.choice(('*', '+', '?', '{2}', '{1,2}', '{2,}'))}"
    return made(random_, depth - 1) + made(random_, depth - 1)


TEXTS = ("", "a", "b", "ab", "ba", "aab", "abab", "c", "abc", "a\nb", "cab", "bbbaa", "aaaa", "\n", "acbabc")
TEXTS = (*TEXTS, "ab\n")


def test_random_expressions_match_as_re2_does() -> None:
    """And where no choice is left, the longest match is the one that RE2 finds."""
    random_, texts, kept, without_choice = random.Random(5), pa.array(TEXTS), 0, 0
    for _ in range(600):
        pattern = random_.choice(("", "", "^")) + made(random_, 3) + random_.choice(("", "", "$"))
        try:
            found = regex.search(pattern)
        except regex.Unfit:
            continue
        kept += 1
        python = re.compile(found.text)
        expected = pc.match_substring_regex(texts, pattern=pattern).to_pylist()
        assert [python.search(text) is not None for text in TEXTS] == expected, pattern
        try:
            extracted = regex.extraction(pattern, 0)
        except regex.Unfit:
            continue
        without_choice += 1
        assert extracted is not None
        named = pc.extract_regex(texts, pattern=f"(?P<x>{extracted.text[1:-1]})".replace(r"\Z", r"\z"))
        for text, match in zip(TEXTS, named.to_pylist(), strict=True):
            assert longest(python, text) == (None if match is None else match["x"]), (pattern, text)
    assert kept > 200 and without_choice > 50


def longest(pattern: re.Pattern[str], text: str) -> str | None:
    """The longest of the matches that begin first."""
    for begin in range(len(text) + 1):
        # To fullmatch every end that it is given is one of the text.
        last = len(text) if pattern.pattern.endswith(r"\Z") else begin
        for end in range(len(text), last - 1, -1):
            if pattern.fullmatch(text, begin, end):
                return text[begin:end]
    return None
