"""Names from above and below; a module of which `__init__` has the name too."""
import triton.language as tl

from ..constants import base
from .leaf import DEEP
from .leaf import DEEP as renamed

leaf = tl.constexpr("the name, not the module")
