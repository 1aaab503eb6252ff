"""Tensor descriptors that are made on the host."""


def _check_for_hardware(base, shape, strides, block_shape):
    """What the units of a GPU that move blocks ask of an array in its memory, in Triton's words and by
    its exceptions."""
    for i, size in enumerate(block_shape):
        if size < 1 or size & (size - 1):
            raise ValueError(f"Shape element {i} must be a power of 2")
    size = base.element_size()
    assert base.data_ptr() % 16 == 0, "base must be 16-byte aligned"
    assert all(stride * size % 16 == 0 for stride in strides[:-1]), "strides must be 16-byte aligned"
    assert strides[-1] == 1, "Last dimension must be contiguous"
    assert all(extent > 0 for extent in shape), "shape must be positive"


class TensorDescriptor:
    """A tensor of which a kernel loads and stores blocks, given to it as one argument.

    `shape` and `strides` count elements, the outermost dimension first; the last stride is 1, the
    others are multiples of 16 bytes. `block_shape` is the shape of the blocks. What a block has
    outside of the tensor is read as 0, or as NaN with the padding "nan".
    """

    __slots__ = ("base", "shape", "strides", "block_shape", "padding")

    def __init__(self, base, shape, strides, block_shape, padding="zero"):
        if not len(shape) == len(strides) == len(block_shape):
            raise ValueError("shape, strides and block_shape have a number for each dimension")
        if padding not in ("zero", "nan"):
            raise ValueError(f"elements outside of a tensor are 'zero' or 'nan', not {padding!r}")
        if getattr(base, "is_cuda", False):
            _check_for_hardware(base, shape, strides, block_shape)
        self.base = base
        self.shape = list(shape)
        self.strides = list(strides)
        self.block_shape = list(block_shape)
        self.padding = padding

    @classmethod
    def from_tensor(cls, tensor, block_shape, padding="zero"):
        """The descriptor of a whole array with `shape` and strides: NumPy's count bytes."""
        strides = tensor.stride() if callable(getattr(tensor, "stride", None)) else None
        if strides is None:
            strides = [stride // tensor.itemsize for stride in tensor.strides]
        return cls(tensor, tensor.shape, strides, block_shape, padding)

    def with_base(self, base):
        """That of another array with the same elements."""
        return type(self)(base, self.shape, self.strides, self.block_shape, self.padding)

    def __repr__(self):
        return (f"TensorDescriptor(shape={self.shape}, strides={self.strides}, "
                f"block_shape={self.block_shape})")
