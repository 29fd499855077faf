"""Scalar and aggregate functions on the CPU."""
