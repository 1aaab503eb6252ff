"""Programs: the source text of a kernel, with the values that Python has for its names."""
