"""Reads regular expressions in RE2's syntax, as far as `regex` takes them."""

from __future__ import annotations

from .regex_nodes import (
    NO_LINE_END,
    AnySet,
    Choice,
    Edge,
    Group,
    Node,
    Ranges,
    Repeat,
    Row,
    Set,
    Unfit,
    inverted,
    is_empty,
    merged,
    one,
)

_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "a": "\a"}
# Letters that only have a partner beyond ASCII when case does not matter.
_ODD_PARTNERS = {"k": "\u212a", "K": "\u212a", "s": "\u017f", "S": "\u017f"}
_MOST_TIMES = 999

_DIGITS: Ranges = ((48, 57),)
_WORDS: Ranges = ((48, 57), (65, 90), (95, 95), (97, 122))
_BLANKS: Ranges = ((9, 10), (12, 13), (32, 32))
_KINDS = {"d": _DIGITS, "w": _WORDS, "s": _BLANKS}


class Parser:
    """One pattern; `fold`: case does not matter, `dot_all`: `.` stands for line ends too."""

    def __init__(self, pattern: str, *, fold: bool, dot_all: bool) -> None:
        self.pattern = pattern
        self.fold = fold
        self.dot_all = dot_all
        self.at = 0
        self.groups = 0

    def _peek(self) -> str:
        return self.pattern[self.at : self.at + 1]

    def _next(self) -> str:
        character = self._peek()
        if not character:
            raise Unfit("the regular expression is not whole")
        self.at += 1
        return character

    def whole(self) -> Node:
        made = self.choice()
        if self.at < len(self.pattern):
            raise Unfit("the regular expression has a bracket too many")
        return made

    def choice(self) -> Node:
        parts = [self.row()]
        while self._peek() == "|":
            self.at += 1
            parts.append(self.row())
        return parts[0] if len(parts) == 1 else Choice(tuple(parts))

    def row(self) -> Node:
        parts: list[Node] = []
        while self._peek() and self._peek() not in "|)":
            parts.append(self.repeated())
        if not parts:
            raise Unfit("an empty part of a regular expression")
        return parts[0] if len(parts) == 1 else Row(tuple(parts))

    def repeated(self) -> Node:
        made = self.part()
        again = False
        while self._peek() and self._peek() in "*+?{":
            if isinstance(made, Edge) or again:
                raise Unfit("a repetition of a repetition or of an anchor")
            least, most = self._times()
            if self._peek() and self._peek() in "?+":
                raise Unfit("a repetition that is lazy or possessive")
            if (most or 0) > _MOST_TIMES or least > _MOST_TIMES:
                raise Unfit(f"a repetition of more than {_MOST_TIMES} times")
            if is_empty(made):
                raise Unfit("a repetition of what may be empty")
            made, again = Repeat(made, least, most), True
        return made

    def _times(self) -> tuple[int, int | None]:
        mark = self._next()
        if mark != "{":
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[mark]
        stop = self.pattern.find("}", self.at)
        low, comma, high = self.pattern[self.at : max(stop, self.at)].partition(",")
        if (
            stop < 0
            or not low.isascii()
            or not low.isdigit()
            or (high and not (high.isascii() and high.isdigit()))
        ):
            raise Unfit("a brace that is no repetition")
        self.at = stop + 1
        most = int(high) if high else None if comma else int(low)
        if (most is not None and most < int(low)) or most == 0:
            raise Unfit("a repetition of no times")
        return int(low), most

    def part(self) -> Node:
        character = self._next()
        match character:
            case "(":
                return self._group()
            case "[":
                return self._class()
            case ".":
                return AnySet() if self.dot_all else Set(NO_LINE_END, negated=True)
            case "^" | "$":
                return Edge(character)
            case "\\":
                return self._escape()
            case "*" | "+" | "?":
                raise Unfit("a repetition of nothing")
            case "{" | "}" | "]":
                return Set((one(character),))
        return Set(self.folded([one(character)]))

    def _group(self) -> Node:
        number = 0
        if self._peek() == "?":
            if not self.pattern.startswith("?:", self.at):
                raise Unfit("a group with a name, flags or a look around")
            self.at += 2
        else:
            self.groups += 1
            number = self.groups
        inner = self.choice()
        if self._peek() != ")":
            raise Unfit("the regular expression is not whole")
        self.at += 1
        return Group(inner, number)

    def _escape(self) -> Node:
        letter = self._next()
        if letter.lower() in _KINDS:
            ranges = _KINDS[letter.lower()]
            if letter.islower():
                return Set(ranges)
            return Set(inverted(ranges), negated=True)
        return Set(self.folded([one(chr(self._code(letter)))]))

    def _code(self, letter: str) -> int:
        """The code point of an escaped character."""
        if letter in _CONTROLS:
            return ord(_CONTROLS[letter])
        if letter == "x":
            digits = self.pattern[self.at : self.at + 2]
            if len(digits) == 2 and all(c in "0123456789abcdefABCDEF" for c in digits):
                self.at += 2
                return int(digits, 16)
        if letter.isascii() and letter.isalnum():
            raise Unfit(f"the escape \\{letter} of a regular expression")
        return ord(letter)

    def _class(self) -> Node:
        negated = self._peek() == "^"
        self.at += negated
        ranges: list[tuple[int, int]] = []
        first = True
        while self._peek() != "]" or first:
            first = False
            low = self._member(ranges)
            if low is None:
                continue
            high = low
            if self._peek() == "-" and self.pattern[self.at + 1 : self.at + 2] not in ("]", ""):
                self.at += 1
                end = self._member(None)
                if end is None or end < low:
                    raise Unfit("a range of characters that has no order")
                high = end
            ranges.append((low, high))
        self.at += 1
        found = self.folded(ranges)
        if negated:
            # RE2's negated classes take line ends too.
            return Set(inverted(found), negated=True)
        return Set(found)

    def _member(self, ranges: list[tuple[int, int]] | None) -> int | None:
        """A character of a class; None for a kind of characters, which goes to `ranges`."""
        character = self._next()
        if character == "[" and self._peek() and self._peek() in ":.=":
            raise Unfit("a class of characters by name")
        if character != "\\":
            return ord(character)
        letter = self._next()
        if letter.lower() in _KINDS:
            if ranges is None or letter.isupper():
                raise Unfit("a negated kind of characters, or a range to a kind, within a class")
            ranges.extend(_KINDS[letter])
            return None
        return self._code(letter)

    def folded(self, ranges: list[tuple[int, int]]) -> Ranges:
        """The ranges with the other case of their letters, where case does not matter."""
        if not self.fold:
            return merged(ranges)
        more = list(ranges)
        for low, high in ranges:
            if high > 127:
                raise Unfit("letters beyond ASCII without regard to case")
            for start, end, shift in ((65, 90, 32), (97, 122, -32)):
                a, b = max(low, start), min(high, end)
                if a <= b:
                    more.append((a + shift, b + shift))
            for letter, partner in _ODD_PARTNERS.items():
                if low <= ord(letter) <= high:
                    more.append(one(partner))
        return merged(more)


def check_edges(node: Node, *, first: bool, last: bool) -> None:
    """`^` may stand at the beginning of an alternative of the whole, `$` at its end."""
    match node:
        case Edge(symbol=symbol):
            if not (first if symbol == "^" else last):
                raise Unfit("an anchor within a regular expression")
        case Row(parts=parts):
            # ^ may come first only where nothing is before it; so for $ at the end.
            for place, part in enumerate(parts):
                check_edges(part, first=first and place == 0, last=last and place == len(parts) - 1)
        case Choice(parts=parts):
            for part in parts:
                check_edges(part, first=first, last=last)
        case Group(inner=inner):
            check_edges(inner, first=first, last=last)
        case Repeat(inner=inner):
            check_edges(inner, first=False, last=False)
        case _:
            return
