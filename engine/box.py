"""Rows of text in a frame of lines, for relations shown in Python."""

from __future__ import annotations

from collections.abc import Sequence

from ..planner.text_width import display_width as width

# Wider values are cut, and the last line says so.
CELL = 60


def box(names: Sequence[str], types: Sequence[str], rows: Sequence[Sequence[str | None]], note: str) -> str:
    """A table with the names and types of its columns above the rows, and `note` below."""
    shown = [[_cut(_flat("NULL" if cell is None else cell)) for cell in row] for row in rows]
    cut = any(cell is not None and width(_flat(cell)) > CELL for row in rows for cell in row)
    heads = [[_flat(name) for name in names], list(types)]
    widths = [max(width(row[i]) for row in (*heads, *shown)) for i in range(len(names))]
    line = "┼".join("─" * (size + 2) for size in widths)
    lines = [
        "┌" + line.replace("┼", "┬") + "┐",
        *(_line(head, widths) for head in heads),
        "├" + line + "┤",
        *(_line(row, widths) for row in shown),
        "└" + line.replace("┼", "┴") + "┘",
        note + (" (wide values cut)" if cut else ""),
    ]
    return "\n".join(lines)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell + " " * (size - width(cell)) for cell, size in zip(cells, widths, strict=True))
    return "│ " + " │ ".join(padded) + " │"


def _flat(text: str) -> str:
    return text.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")


def _cut(text: str) -> str:
    if width(text) <= CELL:
        return text
    while width(text) > CELL - 1:
        text = text[: min(len(text) - 1, CELL)]
    return text + "…"
