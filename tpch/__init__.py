"""TPC-H: data generation, queries, runs and comparisons."""
