"""Where tables come from: Parquet, CSV, JSON, Arrow."""
