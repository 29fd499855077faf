"""The place of each row in the order of its column."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from ..kernels import keys, storage
from .aggregation import RankMethod
from .types import NullOrder, NullPolicy, Order


def ranks(
    rows: pa.Array,
    method: RankMethod,
    order: Order,
    nulls: NullPolicy,
    precedence: NullOrder,
    percentage: bool,
) -> pa.Array:
    """Ranks from 1 on: integers, or doubles for averages and percentages; NULLs without a rank are NULL."""
    count = len(rows)
    down = order is Order.DESCENDING
    ordered = keys.sorted_places([rows], [down], [precedence is NullOrder.BEFORE])
    codes = keys.codes(rows)[ordered]
    new = np.append(True, codes[1:] != codes[:-1])[:count]
    run = np.cumsum(new) - 1
    first = np.flatnonzero(new)
    sizes = np.diff(np.append(first, count))
    match method:
        case RankMethod.FIRST:
            found = np.arange(1, count + 1)
        case RankMethod.DENSE:
            found = run + 1
        case RankMethod.MIN:
            found = first[run] + 1
        case RankMethod.MAX:
            found = (first + sizes)[run]
        case RankMethod.AVERAGE:
            found = (first + 1 + (sizes - 1) / 2)[run]
    placed = np.empty(count, np.float64 if method is RankMethod.AVERAGE else np.int32)
    placed[ordered] = found
    keep = storage.valid(rows) if nulls is NullPolicy.EXCLUDE else None
    if percentage:
        total = count if keep is None else int(keep.sum())
        if method is RankMethod.DENSE:
            total = int(placed[keep].max(initial=0)) if keep is not None else int(placed.max(initial=0))
        placed = placed / max(total, 1)
    return storage.build(placed, keep)
