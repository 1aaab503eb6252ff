"""A package: what a kernel sees of it is compared with what CPython does."""
from .constants import *
from .constants import _UNDERSCORE as EXPORTED_UNDERSCORE
from .inner import DEEP, renamed as NAME_OF_INNER
