"""Tensor descriptors that are made on the host for kernels of Gluon: they have the layout that their
blocks have in shared memory."""

from .. import descriptor
from . import layouts


class TensorDescriptor(descriptor.TensorDescriptor):
    """A tensor of which a kernel copies blocks to and from shared memory, where they have the layout
    `layout`, an NVMMASharedLayout. For the rest see tilewright.TensorDescriptor."""

    __slots__ = ("layout",)

    def __init__(self, base, shape, strides, block_shape, layout, padding="zero"):
        if not isinstance(layout, layouts.NVMMASharedLayout):
            raise TypeError(f"the blocks of a descriptor have an NVMMASharedLayout, not {layout!r}")
        super().__init__(base, shape, strides, block_shape, padding)
        self.layout = layout

    @classmethod
    def from_tensor(cls, tensor, block_shape, layout, padding="zero"):
        """The descriptor of a whole array."""
        whole = descriptor.TensorDescriptor.from_tensor(tensor, block_shape, padding)
        return cls(tensor, whole.shape, whole.strides, block_shape, layout, padding)

    def with_base(self, base):
        """That of another array with the same elements."""
        return type(self)(base, self.shape, self.strides, self.block_shape, self.layout, self.padding)

    def __repr__(self):
        return (f"TensorDescriptor(shape={self.shape}, strides={self.strides}, "
                f"block_shape={self.block_shape}, layout={self.layout!r})")


class UnsupportedDescriptor:
    """A descriptor of a GPU whose kernels are refused."""

    def __init__(self, *args, **kwargs):
        raise NotImplementedError("descriptors of gfx1250 are not supported: docs/gluon.md lists "
                                  "what is")

    from_tensor = classmethod(__init__)
