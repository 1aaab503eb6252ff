"""Types of tensors and of views of shared memory that have layouts, as values of Python: arguments of
kernels. They are equal and are written as layouts are."""

from .. import language
from . import layouts


class _Type(layouts.Layout):
    __slots__ = ()

    def _written(self, prefix):
        texts = []
        for field, value in zip(self._fields, self._values):
            if isinstance(value, language.dtype):
                texts.append(f"{field}={prefix}{value.language_name}")
            elif isinstance(value, layouts.Layout):
                texts.append(f"{field}={value._written(prefix)}")
            else:
                texts.append(f"{field}={value!r}")
        return f"{prefix}{type(self).__name__}({', '.join(texts)})"

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
