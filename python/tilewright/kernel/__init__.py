"""Kernels: jitted functions, what compiles them, and their arguments."""
