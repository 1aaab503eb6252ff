"""triton.tools.LinearLayout: the algebra of layouts, of which docs/layouts.md tells."""

from .._compiler import LinearLayout

__all__ = ["LinearLayout"]
