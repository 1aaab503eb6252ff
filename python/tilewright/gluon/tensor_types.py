"""Types of tensors and of views of shared memory that have layouts, as values of Python: arguments of
kernels. They are equal and are written as layouts are."""

from .. import language
from . import layouts


class _Type(layouts.Layout):
    __slots__ = ()

    def _check(self):
        if not isinstance(self.element_ty, language.dtype):
            raise TypeError(f"the elements of a {type(self).__name__} have a type of "
                            f"gluon.language's, not {self.element_ty!r}")


class distributed_type(_Type):
    """The type of tensors of this shape in this layout."""
    __slots__ = ()
    _fields = ("element_ty", "shape", "layout")


class shared_memory_descriptor_type(_Type):
    """The type of views of shared memory, of an allocation of the shape `alloc_shape`."""
    __slots__ = ()
    _fields = ("element_ty", "shape", "layout", "alloc_shape")
