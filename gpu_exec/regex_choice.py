"""Whether an expression leaves a choice of what to match (Glushkov's automaton)."""

from __future__ import annotations

from dataclasses import dataclass, field

from .regex_nodes import AnySet, Choice, Edge, Group, Node, Ranges, Repeat, Row, Set, Unfit

# Longer expressions are not looked into.
_MOST_NODES = 1000


@dataclass
class _Positions:
    """Glushkov's automaton: the sets by position, and which may follow which."""

    sets: list[Ranges] = field(default_factory=list)
    follow: list[set[int]] = field(default_factory=list)
    empty_alternative: bool = False

    def add(self, ranges: Ranges) -> int:
        if len(self.sets) >= _MOST_NODES:
            raise Unfit("a regular expression that is too long")
        self.sets.append(ranges)
        self.follow.append(set())
        return len(self.sets) - 1

    def link(self, last: set[int], first: set[int]) -> None:
        for position in last:
            self.follow[position] |= first


def _walk(node: Node, to: _Positions) -> tuple[set[int], set[int], bool]:
    """The positions that a part can begin and end with, and whether it can be empty."""
    match node:
        case Set(ranges=ranges) | AnySet(ranges=ranges):
            position = to.add(ranges)
            return {position}, {position}, False
        case Edge():
            return set(), set(), True
        case Group(inner=inner):
            return _walk(inner, to)
        case Choice(parts=parts):
            walked = [_walk(part, to) for part in parts]
            to.empty_alternative |= any(empty for _, _, empty in walked[:-1])
            return (
                set().union(*(first for first, _, _ in walked)),
                set().union(*(last for _, last, _ in walked)),
                any(empty for _, _, empty in walked),
            )
        case Row(parts=parts):
            return _walk_row([_walk(part, to) for part in parts], to)
        case Repeat(inner=inner, least=least, most=most):
            # The copies that must be, then those that may be.
            copies = [_walk(inner, to) for _ in range(max(least, 1) if most is None else most)]
            if most is None:
                first, last, _ = copies[-1]
                to.link(last, first)
            optional = [(first, last, e or place >= least) for place, (first, last, e) in enumerate(copies)]
            return _walk_row(optional, to)


def _walk_row(
    walked: list[tuple[set[int], set[int], bool]], to: _Positions
) -> tuple[set[int], set[int], bool]:
    first, last, empty = set[int](), set[int](), True
    for begins, ends, may_be_empty in walked:
        to.link(last, begins)
        if empty:
            first |= begins
        last = ends | last if may_be_empty else set(ends)
        empty = empty and may_be_empty
    return first, last, empty


def _decides(positions: set[int], to: _Positions) -> bool:
    """Whether no character belongs to two of the positions."""
    ends = sorted((low, high) for position in positions for low, high in to.sets[position])
    return all(ends[i][1] < ends[i + 1][0] for i in range(len(ends) - 1))


def leaves_no_choice(node: Node) -> bool:
    """Whether at every place the next character decides how to go on."""
    to = _Positions()
    first, _, _ = _walk(node, to)
    # An alternative that may be empty is taken before later ones are looked at.
    if to.empty_alternative:
        return False
    return all(_decides(positions, to) for positions in (first, *to.follow))


def repeats_a_group(node: Node, wanted: int | None, *, within: bool = False) -> bool:
    """Whether the wanted group, or with None any that captures, may match several times: which of its matches
    counts is not told of libcudf.
    """
    match node:
        case Group(inner=inner, number=number):
            captures = bool(number) and wanted in (None, number)
            return (within and captures) or repeats_a_group(inner, wanted, within=within)
        case Repeat(inner=inner, most=most):
            return repeats_a_group(inner, wanted, within=within or most != 1)
        case Row(parts=parts) | Choice(parts=parts):
            return any(repeats_a_group(part, wanted, within=within) for part in parts)
        case _:
            return False
