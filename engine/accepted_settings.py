"""Settings of DuckDB that statements may set although they change nothing here.

They steer storage, caches, network access, progress display and the like of DuckDB, never the rows of a
result.
"""

from __future__ import annotations

_BOOLEANS = """
    allocator_background_threads arrow_large_buffer_size arrow_lossless_conversion arrow_output_list_view
    autoinstall_known_extensions autoload_known_extensions cache_local_files disable_database_invalidation
    disable_parquet_prefetching enable_external_file_cache enable_fsst_vectors enable_http_metadata_cache
    enable_logging enable_macro_dependencies enable_object_cache enable_optimistic_write enable_progress_bar
    enable_progress_bar_print enable_view_dependencies experimental_parallel_csv external_file_cache_spill
    http_retry_quota_throttled immediate_transaction_mode parquet_can_have_nan parquet_metadata_cache
    parquet_use_page_index prefer_range_joins prefetch_all_parquet_files preserve_insertion_order
    python_enable_replacements redact_http_logs scheduler_process_partial temp_file_encryption verify_external
    verify_fetch_row verify_parallelism verify_serializer
"""
_NUMBERS = """
    approximate_join_order_threshold asof_loop_join_threshold async_threads auto_checkpoint_skip_wal_threshold
    catalog_error_max_schemas default_block_size dynamic_or_filter_threshold
    external_file_cache_local_max_block_size external_file_cache_remote_max_block_size
    external_file_cache_remote_min_block_size external_threads geometry_minimum_shredding_size
    http_client_pool_capacity http_retry_throttled_wait_ms index_scan_max_count index_scan_percentage
    initial_column_segment_size late_materialization_max_rows max_expression_depth max_vacuum_tasks
    merge_join_threshold nested_loop_join_threshold ordered_aggregate_threshold pandas_analyze_sample
    parquet_prefetch_column_gap partitioned_write_flush_threshold partitioned_write_max_open_files
    perfect_ht_threshold pivot_filter_threshold progress_bar_time read_ahead_depth
    variant_minimum_shredding_size wal_autocheckpoint_entries write_buffer_row_group_count
    zstd_min_string_length
"""
_TEXTS = """
    access_mode allocator_bulk_deallocation_flush_threshold allocator_flush_threshold arrow_output_version
    autoinstall_extension_repository block_allocator_memory checkpoint_on_detach checkpoint_threshold
    custom_extension_repository custom_user_agent debug_window_mode default_secret_storage
    disabled_compression_methods disabled_log_types disabled_optimizers duckdb_api enable_profiling
    enabled_log_types explain_output extension_directory extension_repository_directory
    external_file_cache_request_sizing force_compression fsync_mode http_proxy http_proxy_password
    http_proxy_username log_query_path logging_level logging_mode logging_sink max_streaming_buffer_size
    max_temp_directory_size password pin_threads profile_output profiling_coverage profiling_mode
    profiling_output secret_directory show_behavior storage_block_prefetch storage_compatibility_version
    streaming_buffer_size user username validate_external_file_cache wal_autocheckpoint
    write_buffer_row_group_memory_limit
"""

# Name and type of each.
ACCEPTED: dict[str, str] = {
    **dict.fromkeys(_BOOLEANS.split(), "BOOLEAN"),
    **dict.fromkeys(_NUMBERS.split(), "BIGINT"),
    **dict.fromkeys(_TEXTS.split(), "VARCHAR"),
}
