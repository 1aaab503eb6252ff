"""Commands of triton.tools, in the files in which programs for Triton start them."""
