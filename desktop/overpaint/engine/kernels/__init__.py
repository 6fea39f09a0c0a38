"""Kernels: their just-in-time compilation by numba, and the threads that run them over bands of rows."""
