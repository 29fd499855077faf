"""For every aggregate that the GPU runs, calls over the awkward table; `n` gives an order."""

from __future__ import annotations

AGGREGATES: dict[str, tuple[str, ...]] = {
    "count_star": ("count(*)", "count(*) FILTER (WHERE k > 0)"),
    "count": ("count(s)", "count(DISTINCT r)", "count(DISTINCT r) FILTER (WHERE n > 2)", "count(DISTINCT d)"),
    "count_if": ("count_if(k > 0)", "count_if(k > 0) FILTER (WHERE n > 3)"),
    "sum": (
        "sum(i)",
        "sum(b)",
        "sum(p)",
        "sum(x) FILTER (WHERE n = 9)",
        "sum(DISTINCT k)",
        "sum(z)",
        "sum(h) FILTER (WHERE n <> 2)",
    ),
    "avg": ("avg(i)", "avg(p)", "avg(k) FILTER (WHERE n < 5)", "avg(DISTINCT k)"),
    "product": ("product(k) FILTER (WHERE k <> 0)", "product(DISTINCT k)"),
    "min": ("min(i)", "min(d)", "min(s)", "min(day)", "min(ts)", "min(w)", "min(z)", "min(f)"),
    "max": ("max(i)", "max(d)", "max(s)", "max(day)", "max(ts)", "max(w)", "max(z)", "max(f)"),
    "bool_and": ("bool_and(z)", "bool_and(k > 0) FILTER (WHERE n > 2)"),
    "bool_or": ("bool_or(z)", "bool_or(DISTINCT z)"),
    **{
        name: (
            f"{name}(t)",
            f"{name}(i)",
            f"{name}(b)",
            f"{name}(u)",
            f"{name}(us)",
            f"{name}(DISTINCT k) FILTER (WHERE n > 1)",
        )
        for name in ("bit_and", "bit_or", "bit_xor")
    },
    **{
        name: (f"{name}(k)", f"{name}(p)", f"{name}(DISTINCT k)", f"{name}(k) FILTER (WHERE n = 4)")
        for name in ("stddev_samp", "stddev_pop", "var_samp", "var_pop")
    },
    **{
        name: (
            *(
                f"{name}(s)",
                f"{name}(s ORDER BY d)",
                f"{name}(s ORDER BY r DESC, n)",
                f"{name}(k) FILTER (WHERE n > 2)",
            ),
            *(
                f"{name}(p ORDER BY k NULLS FIRST)",
                f"{name}(DISTINCT r)",
                f"{name}(w)",
                f"{name}(1) FILTER (WHERE n > 90)",
            ),
        )
        for name in ("first", "last", "any_value")
    },
    **{
        name: (
            *(
                f"{name}(s, d)",
                f"{name}(s, r)",
                f"{name}(n, k) FILTER (WHERE n > 3)",
                f"{name}(n, z ORDER BY n DESC)",
            ),
            *(f"{name}(p, w)", f"{name}('c', d)", f"{name}(d, 1)", f"{name}(DISTINCT s, k)"),
        )
        for name in ("arg_min", "arg_max")
    },
    "string_agg": (
        *("string_agg(s)", "string_agg(s, ' | ')", "string_agg(s, '')", "string_agg(r, ',' ORDER BY r DESC)"),
        *("string_agg(DISTINCT r, ',')", "string_agg(k, ';') FILTER (WHERE k > 0)", "string_agg(s, NULL)"),
        *(
            "string_agg('x', ',')",
            "string_agg(s, ',' ORDER BY d DESC NULLS FIRST)",
            "string_agg(s, ',') FILTER (WHERE n > 90)",
        ),
    ),
    "median": (
        *(
            "median(i)",
            "median(b)",
            "median(d)",
            "median(x)",
            "median(f)",
            "median(p)",
            "median(s)",
            "median(z)",
        ),
        *(
            "median(day) FILTER (WHERE n < 8)",
            "median(ts) FILTER (WHERE n < 6)",
            "median(DISTINCT k)",
            "median(h)",
            "median(u)",
        ),
    ),
    **{
        name: (
            *(f"{name}({c}, {f})" for c in columns for f in (0, 0.1, 0.25, 0.5, 0.9, 1)),
            *(
                f"{name}(ts, 0.3) FILTER (WHERE n < 6)",
                f"{name}(day, 0.7) FILTER (WHERE n < 8)",
                f"{name}(DISTINCT k, 0.3)",
            ),
        )
        for name, columns in (("quantile_cont", "kxp"), ("quantile_disc", "kxpq"))
    },
    "mode": (
        "mode(k % 3)",
        "mode(s)",
        "mode(d)",
        "mode(r)",
        "mode(z)",
        "mode(p)",
        "mode(n % 4) FILTER (WHERE n > 3)",
    ),
}
AGGREGATES["quantile_disc"] += (
    "quantile_disc(s, 0.4)",
    "quantile_disc(z, 0.5)",
    "quantile_disc(w, 0.5)",
    "quantile_disc(tn, 0.5)",
)
