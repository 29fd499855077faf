"""Kernels compiled with numba."""
