"""Kernels: their compilation by numba, and bands of rows that they run over."""
