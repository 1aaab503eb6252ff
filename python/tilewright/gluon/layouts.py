"""The layouts of Gluon as values of Python, with the names and fields of Triton 3.6.

A layout does not change, and is equal to one of the same class with the same fields. It is written
as Python's repr of it has it, which kernels and signatures read. The rules of each are checked where
a kernel with it is compiled.
"""

import functools

from ..language import constexpr, dtype


def plain(value):
    """A value without constexpr in it."""
    if isinstance(value, constexpr):
        return plain(value.value)
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return type(value)(plain(one) for one in value)
    return value


def _fixed(value):
    """A value with tuples in the place of lists."""
    return ("list", *map(_fixed, value)) if isinstance(value, list) else value


class _Kept(type):
    """Layouts of the same arguments are one object: a launch often makes its layouts anew, and to check
    and write one costs more than to find it."""

    _made = {}

    def __call__(cls, *args, **kwargs):
        text = repr((args, kwargs))
        if "<" in text:  # An object that is written by its address.
            return super().__call__(*args, **kwargs)
        key = cls, text
        made = cls._made.get(key)
        if made is None:
            made = super().__call__(*args, **kwargs)
            if len(cls._made) < 4096:
                cls._made[key] = made
        return made


class Layout(metaclass=_Kept):
    """A layout. `_fields` are its names in order; `_defaults` those that may be left out."""

    __slots__ = ("_values", "_hash", "_text")
    _fields = ()
    _defaults = {}
    #: The module that has it, below gluon.language.
    _module = _origin = ""

    def __init__(self, *args, **kwargs):
        name = type(self).__name__
        if len(args) > len(self._fields):
            raise TypeError(f"{name} takes {len(self._fields)} arguments, and got {len(args)}")
        given = dict(zip(self._fields, args))
        for key, value in kwargs.items():
            if key not in self._fields:
                raise TypeError(f"{name} has no argument '{key}': it has {', '.join(self._fields)}")
            if key in given:
                raise TypeError(f"{name} got '{key}' twice")
            given[key] = value
        values = []
        for field in self._fields:
            if field not in given and field not in self._defaults:
                raise TypeError(f"{name} needs the argument '{field}'")
            value = plain(given.get(field, self._defaults.get(field)))
            values.append([] if field == "cga_layout" and value is None else value)
        object.__setattr__(self, "_values", tuple(self._completed(values)))
        object.__setattr__(self, "_hash", hash((type(self).__name__,
                                                *map(_fixed, map(_hashable, self._values)))))
        object.__setattr__(self, "_text", self._written(""))
        self._check()

    def _completed(self, values):
        """The values of the fields, where some follow from others."""
        return values

    def _check(self):
        """Asserts what Triton asserts where a layout is made."""

    def _written(self, prefix):
        """The call that makes it; prefix: what gluon.language is called, with a dot."""
        fields = (f"{field}={_value_written(value, prefix)}"
                  for field, value in zip(self._fields, self._values))
        module = f"{prefix}{self._module}." if prefix and self._module else prefix
        return f"{module}{self._name()}({', '.join(fields)})"

    def _name(self):
        return type(self).__name__

    def __getattr__(self, name):
        if name in type(self)._fields:
            # A list of the caller's own: what it does to it changes no layout.
            return _copied(self._values[self._fields.index(name)])
        raise AttributeError(f"{type(self).__name__} has no '{name}': it has "
                             f"{', '.join(self._fields) or 'no fields'}")

    def __setattr__(self, name, value):
        raise AttributeError(f"a layout does not change: make another {type(self).__name__}")

    def __repr__(self):
        return self._text

    def __eq__(self, other):
        return isinstance(other, Layout) and self._text == other._text

    def __hash__(self):
        return self._hash

    def __reduce__(self):
        return type(self), self._values


def _value_written(value, prefix):
    if isinstance(value, Layout):
        return value._written(prefix)
    return prefix + value.language_name if isinstance(value, dtype) else repr(value)


def _copied(value):
    return [_copied(one) for one in value] if isinstance(value, list) else value


def _hashable(value):
    return tuple(map(_hashable, value)) if isinstance(value, (list, tuple)) else value


class DistributedLayout(Layout):
    """A layout of tensors in registers."""
    __slots__ = ()

    @property
    def rank(self):
        raise ValueError(f"{type(self).__name__} has no rank")


class SharedLayout(Layout):
    """A layout of shared memory."""
    __slots__ = ()


def _without(basis, dim):
    return basis[:dim] + basis[dim + 1:]


class AutoLayout(DistributedLayout):
    """Found from those of the uses."""
    __slots__ = ()


class CoalescedLayout(DistributedLayout):
    """Found from the access to memory."""
    __slots__ = ()


class BlockedLayout(DistributedLayout):
    """Tiles of elements for each thread, of threads for each warp, of warps."""
    __slots__ = ()
    _fields = ("size_per_thread", "threads_per_warp", "warps_per_cta", "order", "cga_layout")
    _defaults = {"cga_layout": None}

    def _check(self):
        lengths = {len(self._values[i]) for i in range(4)}
        assert len(lengths) == 1, f"the lists of {self} differ in length"

    @property
    def rank(self):
        return len(self.order)


class SliceLayout(DistributedLayout):
    """Another layout without one of its dimensions."""
    __slots__ = ()
    _fields = ("dim", "parent")

    @property
    def rank(self):
        return self.parent.rank - 1

    @property
    def cga_layout(self):
        return [_without(basis, self.dim) for basis in self.parent.cga_layout]


class DistributedLinearLayout(DistributedLayout):
    """Bases of registers, lanes, warps and blocks."""
    __slots__ = ()
    _fields = ("reg_bases", "lane_bases", "warp_bases", "block_bases", "shape")

    def _check(self):
        for bases in self._values[:4]:
            assert all(len(basis) == self.rank for basis in bases), (
                f"a basis has a number for each of {self.rank} dimensions: {self}")

    @property
    def rank(self):
        return len(self.shape)


class DotOperandLayout(DistributedLayout):
    """An operand of a product whose result has the layout `parent`."""
    __slots__ = ()
    _fields = ("operand_index", "parent", "k_width")

    @property
    def rank(self):
        return self.parent.rank

    @property
    def cga_layout(self):
        dim = self.rank - (1 if self.operand_index == 0 else 2)
        bases = getattr(self.parent, "cga_layout", [])
        return [basis[:dim] + [0] + basis[dim + 1:] for basis in bases]


class _OfWarps(DistributedLayout):
    __slots__ = ()

    @property
    def rank(self):
        return len(self.warps_per_cta)


class NVMMADistributedLayout(_OfWarps):
    """Results of NVIDIA's matrix instructions."""
    __slots__ = ()
    _fields = ("version", "warps_per_cta", "instr_shape", "cga_layout")
    _defaults = {"cga_layout": None}


class AMDMFMALayout(_OfWarps):
    """Results of AMD's MFMA."""
    __slots__ = ()
    _module = _origin = "amd"
    _fields = ("version", "instr_shape", "transposed", "warps_per_cta", "element_bitwidth",
               "tiles_per_warp", "cga_layout")
    _defaults = {"element_bitwidth": None, "tiles_per_warp": None, "cga_layout": None}

    def _completed(self, values):
        values[4] = values[4] or 32
        values[5] = values[5] or [1] * len(values[3])
        return values

    def _check(self):
        assert 1 <= self.version <= 4, "version must be in the [1, 4] range"
        assert len(self.instr_shape) == 3, "instr_shape must follow the (M, N, K) format"


class AMDWMMALayout(_OfWarps):
    """Results of AMD's WMMA."""
    __slots__ = ()
    _module = _origin = "amd"
    _fields = ("version", "transposed", "warps_per_cta", "instr_shape", "tiles_per_warp",
               "cga_layout")
    _defaults = {"instr_shape": None, "tiles_per_warp": None, "cga_layout": None}

    def _completed(self, values):
        values[3] = values[3] or [16, 16, 16]
        values[4] = values[4] or [1] * len(values[2])
        return values

    def _check(self):
        assert 1 <= self.version <= 3, "version must be in the [1, 3] range"


class NVMMASharedLayout(SharedLayout):
    """What NVIDIA's units that copy blocks and multiply matrices read."""
    __slots__ = ()
    _fields = ("swizzle_byte_width", "element_bitwidth", "rank", "transposed", "fp4_padded",
               "cga_layout")
    _defaults = {"rank": 2, "transposed": False, "fp4_padded": False, "cga_layout": None}

    def _check(self):
        assert self.element_bitwidth in (8, 16, 32, 64), "element_bitwidth must be 8, 16, 32 or 64"
        assert self.swizzle_byte_width in (0, 32, 64, 128), (
            "swizzle_byte_width must be 0, 32, 64 or 128")

    @staticmethod
    def get_default_for(block_shape, dtype, transposed=False, fp4_padded=False, cga_layout=None):
        """The layout of blocks of a shape with the widest swizzle that their rows fill, which needs the
        fewest copies; none for fewer than 8 rows."""
        shape = _part_of(plain(list(block_shape)), plain(cga_layout))
        rank = len(shape)
        if plain(transposed):
            shape = shape[1:] + shape[:1]
        bits = dtype.primitive_bitwidth
        row_bytes = shape[-1] * (2 if plain(fp4_padded) else 1) * bits // 8
        rows = functools.reduce(lambda a, b: a * b, shape[:-1], 1)
        width = 0
        if rank >= 2 and rows >= 8:
            width = next((one for one in (128, 64, 32) if row_bytes and row_bytes % one == 0), 0)
        return NVMMASharedLayout(width, bits, rank, transposed, fp4_padded, cga_layout)


def _part_of(shape, cga_layout):
    """The part of a shape that one block of a cluster has: the largest basis of a dimension is half of
    what all blocks have of it."""
    for dim in range(len(shape)) if cga_layout else ():
        largest = max(basis[dim] for basis in cga_layout)
        blocks = 2 * max(largest, 1)
        assert shape[dim] % blocks == 0, f"{shape} is no multiple of the cluster's {cga_layout}"
        shape[dim] //= blocks
    return shape


class SwizzledSharedLayout(SharedLayout):
    """Rows, of which groups of `vec` elements change places with the number of the row."""
    __slots__ = ()
    _fields = ("vec", "per_phase", "max_phase", "order", "cga_layout")
    _defaults = {"cga_layout": None}


class MBarrierLayout(SwizzledSharedLayout):
    """The memory of barriers, one after the other: written as the layout that it is."""
    __slots__ = ()
    _origin = "nvidia.hopper.mbarrier"

    def __init__(self, cga_layout=None):
        super().__init__(1, 1, 1, [0], cga_layout)

    def _name(self):
        return "SwizzledSharedLayout"

    def __reduce__(self):
        return MBarrierLayout, (self.cga_layout,)


class PaddedSharedLayout(SharedLayout):
    """Elements in the order of bases, with padding after each interval."""
    __slots__ = ()
    _fields = ("interval_padding_pairs", "offset_bases", "block_bases", "shape")

    def _check(self):
        assert self.interval_padding_pairs and all(len(one) == 2 for one in
                                                   self.interval_padding_pairs), (
            "PaddedSharedLayout has at least one pair [interval, padding]")
        numbers = [number for pair in self.interval_padding_pairs for number in pair]
        assert all(number > 0 and number & (number - 1) == 0 for number in numbers), (
            "intervals and paddings are powers of two")

    @staticmethod
    def with_identity_for(interval_padding_pairs, shape, order):
        """That of the elements in the order of the dimensions `order`, the quickest first."""
        shape, order = plain(list(shape)), plain(list(order))
        assert len(shape) == len(order), "shape and order have a number for each dimension"
        bases = [[1 << bit if dim == one else 0 for dim in range(len(shape))]
                 for one in order for bit in range(shape[one].bit_length() - 1)]
        return PaddedSharedLayout(interval_padding_pairs, bases, [], shape)


class SharedLinearLayout(SharedLayout):
    """Bases of offsets in shared memory."""
    __slots__ = ()
    _fields = ("offset_bases", "block_bases", "alignment")
    _defaults = {"block_bases": [], "alignment": 16}

    def _check(self):
        assert self.offset_bases and self.offset_bases[0], "offset_bases must not be empty"


class _TensorMemory(Layout):
    __slots__ = ()
    _module = _origin = "nvidia.blackwell"


class TensorMemoryLayout(_TensorMemory):
    """Blocks of rows and columns of tensor memory."""
    __slots__ = ()
    _fields = ("block", "col_stride", "cta_split_num", "two_ctas")
    _defaults = {"cta_split_num": None, "two_ctas": False}

    def _check(self):
        assert len(self.block) == 2, "block is (rows, columns)"


class TensorMemoryScalesLayout(_TensorMemory):
    """Scales of products in tensor memory."""
    __slots__ = ()
    _fields = ("cta_split_num",)
    _defaults = {"cta_split_num": None}


def _powers(bases, rank):
    result = [1] * rank
    for basis in bases:
        dim = next((i for i, number in enumerate(basis) if number), None)
        if dim is not None:
            result[dim] *= 2
    return result


def warps_per_cta(layout, shape):
    """The warps along each dimension of a tensor with the layout."""
    if isinstance(layout, DistributedLinearLayout):
        return _powers(layout.warp_bases, len(shape))
    if isinstance(layout, (SliceLayout, DotOperandLayout)):
        return warps_per_cta(layout.parent, shape)
    return layout.warps_per_cta


def make_cga_layout(ctas_per_cga, cta_split_num, cta_order):
    """The bases of a cluster with so many blocks along each dimension, of which `cta_split_num` have
    parts of their own and the others the same; the blocks are numbered in `cta_order`."""
    bases = []
    for dim in cta_order:
        for bit in range(ctas_per_cga[dim].bit_length() - 1):
            step = 1 << bit
            bases.append([step if one == dim and step < cta_split_num[dim] else 0
                          for one in range(len(cta_order))])
    return bases


#: Those of gluon.language itself.
GENERIC = (AutoLayout, BlockedLayout, CoalescedLayout, DistributedLinearLayout, DotOperandLayout,
           NVMMADistributedLayout, NVMMASharedLayout, PaddedSharedLayout, SharedLinearLayout,
           SliceLayout, SwizzledSharedLayout)
AMD = (AMDMFMALayout, AMDWMMALayout)
TENSOR_MEMORY = (TensorMemoryLayout, TensorMemoryScalesLayout)

__all__ = ["DistributedLayout", "Layout", "MBarrierLayout", "SharedLayout", "warps_per_cta",
           *(one.__name__ for one in GENERIC + AMD + TENSOR_MEMORY)]
