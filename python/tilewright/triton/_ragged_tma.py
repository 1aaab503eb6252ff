"""triton.tools.ragged_tma: descriptors of arrays that consist of parts with different numbers of rows.

A block that is loaded from a part has zeros where the part has ended, and one that is stored there
leaves the next part alone, although a descriptor knows the bounds of whole dimensions only: the
descriptor of an array with `rows` rows of `stride` elements gets a dimension of ROWS >= rows rows and,
before it, two more that move its beginning. Coordinates (ROWS, y, x) stand for the element at

    ROWS * (2^34 - stride) + y * stride + x * stride = (x + y - ROWS) * stride      modulo 2^34 * ROWS

elements, and ROWS * 2^34 elements are a multiple of the 2^64 bytes after which addresses begin anew.
With y = begin + size and x = ROWS - size + row that is the row begin + row, and it is outside of the
descriptor exactly where row >= size.
"""

import tilewright.language as tl

from ..kernel.jit import jit
from ..descriptor import TensorDescriptor

#: More rows than an array has.
_ROWS = 1 << 30
#: Sizes of the dimensions that move the beginning: no coordinate is outside of them.
_UNBOUNDED = 0x7FFF0000


def create_ragged_descriptor(T, block_shape, ragged_dim=0):
    """The descriptor of an array of two or three dimensions, whose dimension `ragged_dim`, any but the
    last, is that of the rows. Blocks of `block_shape` are loaded and stored by load_ragged,
    store_ragged and atomic_add_ragged."""
    shape, block = list(T.shape), list(block_shape)
    ragged_dim += len(shape) if ragged_dim < 0 else 0
    assert 0 <= ragged_dim < len(shape) - 1, "last dimension cannot be ragged"
    assert len(shape) <= 3, "read-write ragged descriptors must have at most 3 dimensions"
    assert len(block) == len(shape), "block shape must have same length as tensor shape"
    assert shape[ragged_dim] <= _ROWS, "number of rows may not exceed 2**30"
    strides = [T.stride(i) for i in range(len(shape))]
    row = strides[ragged_dim]
    shape[ragged_dim] = _ROWS
    return TensorDescriptor(T, [_UNBOUNDED, _UNBOUNDED, *shape], [2**34 - row, row, *strides],
                            [1, 1, *block])


@jit
def to_ragged_indices(batch_offset, batch_size, row):
    """The coordinates of a row of the part of `batch_size` rows that begins at `batch_offset`: of the
    two dimensions before, and of the rows."""
    rows = 1073741824
    return rows, batch_offset + batch_size, rows - batch_size + row


@jit
def _coordinates(batch_offset, batch_size, coords, ragged_dim: tl.constexpr):
    rows, end, row = to_ragged_indices(batch_offset, batch_size, coords[ragged_dim])
    return [rows, end] + coords[:ragged_dim] + [row] + coords[ragged_dim + 1:]


@jit
def load_ragged(TMA, batch_offset, batch_size, coords, ragged_dim: tl.constexpr = 0):
    """The block at `coords` of a part, with zeros after the part's end."""
    tl.static_assert(len(TMA.shape) == len(coords) + 2,
                     "TMA must be a read-write ragged descriptor")
    block = TMA.load(_coordinates(batch_offset, batch_size, coords, ragged_dim))
    return tl.reshape(block, block.shape[2:])


@jit
def store_ragged(TMA, batch_offset, batch_size, coords, data, ragged_dim: tl.constexpr = 0):
    """Stores what of a block at `coords` is in the part."""
    TMA.store(_coordinates(batch_offset, batch_size, coords, ragged_dim),
              tl.reshape(data, [1, 1] + data.shape))


@jit
def atomic_add_ragged(TMA, batch_offset, batch_size, coords, data, ragged_dim: tl.constexpr = 0):
    """Adds what of a block at `coords` is in the part."""
    TMA.atomic_add(_coordinates(batch_offset, batch_size, coords, ragged_dim),
                   tl.reshape(data, [1, 1] + data.shape))
