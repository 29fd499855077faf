r"""Regular expressions that RE2 and libcudf read alike: what they are, and how libcudf wants them written.

Pure data and text, no GPU library: placement asks `refusal`, the functions `translated`.

Taken are characters, `.`, classes, groups (also `(?:`), alternatives, greedy repetitions, `^` and `$` at the
ends, the escapes \d \w \s \D \W \S and those of single characters. Everything that depends on what a letter
or blank is gets written out, so that Unicode tables do not matter. What is left out, and why, `Unfit` says.

Which match is found matters where text is extracted or replaced: RE2 takes the first alternative that leads
anywhere, an automaton may take the longest. There only expressions are taken that leave no choice: at every
place the next character decides how to go on ("one-unambiguous", A. Brueggemann-Klein and D. Wood).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from .regex_choice import leaves_no_choice, repeats_a_group
from .regex_nodes import Flags, Node, Row, Set, Unfit, is_empty, one
from .regex_parser import Parser, check_edges

__all__ = ["Expression", "Options", "Replacement", "Unfit", "extraction", "replacement", "search"]


@dataclass(frozen=True)
class Expression:
    """An expression for libcudf. `groups`: how many it had; `flags`: Python's numbers of flags."""

    text: str
    flags: int
    groups: int


@dataclass(frozen=True)
class Options:
    """The option letters of a call, see the CPU's `regexp`."""

    fold: bool = False
    dot_all: bool = False
    literal: bool = False
    every: bool = False

    @staticmethod
    def of(letters: str, *, replacing: bool = False) -> Options:
        """Raises Unfit for letters that are an error."""
        fold = dot_all = literal = every = False
        for letter in letters:
            if letter in "ci":
                fold = letter == "i"
            elif letter == "l":
                literal = True
            elif letter in "mnps":
                dot_all = letter == "s"
            elif letter == "g" and replacing:
                every = True
            elif not letter.isspace():
                raise Unfit("an option of a regular expression that is an error")
        return Options(fold, dot_all, literal, every)


def _parsed(pattern: str, options: Options) -> tuple[Node, int]:
    if options.literal:
        if not pattern:
            raise Unfit("an empty regular expression")
        parser = Parser("", fold=options.fold, dot_all=False)
        sets = tuple(Set(parser.folded([one(c)])) for c in pattern)
        return (sets[0] if len(sets) == 1 else Row(sets)), 0
    if pattern.startswith("(?i)"):
        options, pattern = Options(True, options.dot_all), pattern[4:]
    parser = Parser(pattern, fold=options.fold, dot_all=options.dot_all)
    node = parser.whole()
    check_edges(node, first=True, last=True)
    if not pattern.isprintable() and "\0" in pattern:
        raise Unfit("a zero character in a regular expression")
    return node, parser.groups


DOT_ALL = 16


@lru_cache(maxsize=512)
def search(pattern: str, letters: str = "", *, whole: bool = False) -> Expression:
    """An expression to be found anywhere, or with `whole` to match the whole text. Raises Unfit.

    >>> search(r"a\\d+").text, search("a|b", whole=True).text
    ('a[0-9]+', '^(?:a|b)\\\\Z')
    """
    node, groups = _parsed(pattern, Options.of(letters))
    flags = Flags(group=0)
    text = node.text(flags)
    return Expression(rf"^(?:{text})\Z" if whole else text, DOT_ALL if flags.dot_all else 0, groups)


@lru_cache(maxsize=512)
def extraction(pattern: str, group: int, letters: str = "") -> Expression | None:
    """An expression whose only group is the wanted one (0: all of it); None where there is none such. Raises
    Unfit, also where the expression leaves a choice.
    """
    node, groups = _parsed(pattern, Options.of(letters))
    if not 0 <= group <= groups:
        return None
    _check_choice(node)
    if group and repeats_a_group(node, group):
        raise Unfit("a group that is repeated")
    flags = Flags(group=group)
    text = node.text(flags)
    return Expression(text if group else f"({text})", DOT_ALL if flags.dot_all else 0, groups)


def _check_choice(node: Node) -> None:
    if not leaves_no_choice(node):
        raise Unfit(
            "a regular expression that leaves a choice of what to match, which libcudf may make otherwise"
        )


@dataclass(frozen=True)
class Replacement:
    """An expression and what its matches become: the first one, or every one; `references`: the text refers
    to groups as libcudf writes them.
    """

    expression: Expression
    text: str
    every: bool
    references: bool


@lru_cache(maxsize=512)
def replacement(pattern: str, new: str, letters: str = "") -> Replacement:
    """See `Replacement`. Raises Unfit."""
    options = Options.of(letters, replacing=True)
    node, groups = _parsed(pattern, options)
    if is_empty(node):
        raise Unfit("a replacement of what may be empty")
    _check_choice(node)
    flags = Flags()
    expression = Expression(node.text(flags), DOT_ALL if flags.dot_all else 0, groups)
    references = "\\" in new
    if references:
        parts = new.split("\\")
        if not all(part[:1].isdigit() and 1 <= int(part[0]) <= groups for part in parts[1:]):
            raise Unfit("a replacement with a backslash that refers to no group")
        if "$" in new or any(part[1:2].isdigit() for part in parts[1:]) or not options.every:
            raise Unfit("a replacement by groups of the first match only, or with a digit or $ beside them")
        if repeats_a_group(node, None):
            raise Unfit("a replacement by a group that is repeated")
    return Replacement(expression, new, options.every, references)
