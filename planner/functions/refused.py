"""Functions of DuckDB that are known and not built: they are refused by name instead of as unknown."""

from __future__ import annotations

_LISTS = "Arrays of a fixed size come later."

# Table functions of DuckDB that are not built, and the words that begin whole families of them.
_TABLE_FUNCTIONS = frozenset(
    """
    add_grammar_extension arrow_scan arrow_scan_dumb checkpoint create_external_resource
    deregister_external_resource destroy_external_resource disable_logging disable_profiling enable_logging
    enable_profiling force_checkpoint glob histogram histogram_values icu_calendar_names json_each
    json_execute_serialized_sql json_tree pandas_scan parquet_bloom_probe parquet_file_metadata
    parquet_full_metadata parquet_kv_metadata parquet_metadata parquet_page_index parquet_schema
    pg_timezone_names python_arrow_scan python_map_function query query_table read_blob read_csv
    read_csv_auto read_duckdb read_json read_json_auto read_json_objects read_json_objects_auto read_ndjson
    read_ndjson_auto read_ndjson_objects read_single_csv_file read_single_json_file
    read_single_parquet_file read_text register_external_resource register_external_resource_type
    remove_grammar_extension repeat repeat_row seq_scan sniff_csv summary test_all_types test_vector_types
    truncate_duckdb_logs unnest which_secret
    """.split()
)
_TABLE_FUNCTION_FAMILIES = ("duckdb_", "pragma_")


def is_refused_table_function(name: str) -> bool:
    """Whether DuckDB has a table function of this lower-case name that is not built here.

    >>> is_refused_table_function("read_csv"), is_refused_table_function("duckdb_tables")
    (True, True)
    """
    return name in _TABLE_FUNCTIONS or name.startswith(_TABLE_FUNCTION_FAMILIES)


_GROUPS: dict[str | None, str] = {
    _LISTS: "array_value",
    None: """
        fill
        approx_top_k reservoir_quantile quantile_list
        bitstring_agg
        try
        soundex
        uuid gen_random_uuid uuidv4 uuidv7 nextval currval setseed
        set_bit get_bit bit_position
        timetz_byte_comparable
        datepart_struct current_time get_current_time
        parse_path
        getvariable json json_extract json_extract_string to_json read_text glob
        array_cosine_similarity array_distance array_inner_product
        """,
}  # fmt: skip

REFUSED: dict[str, str | None] = {
    name.lower(): hint for hint, names in _GROUPS.items() for name in names.split()
}
