"""triton.tools.mxfp: tensors of the OCP's microscaling formats, converted on the host. Needs
PyTorch.

The formats are those of the Microscaling Formats (MX) Specification 1.0: E2M1 (5.3.3), with a sign,
two bits of an exponent and one of a mantissa, and E8M0 (5.4.1), a power of two.
"""

import torch

#: The magnitudes of E2M1, by their bits.
_MAGNITUDES = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)
_BIAS = 127
_NAN = 255


class _Tensor:
    """Elements as bits, `data`. Made of a tensor of floats, or of a size, for random ones."""

    def __init__(self, data=None, size=None, device=None):
        if data is None and size is None:
            raise ValueError("give the tensor's elements or its size")
        if data is not None:
            if not isinstance(data, torch.Tensor):
                raise AssertionError(f"the elements are a torch.Tensor, not {data!r}")
            self.device = data.device
            self.data = self._from_float(data)
        else:
            self.device = device
            self.size = size if isinstance(size, tuple) else (size,)

    def _check(self, dtype):
        if dtype != torch.float32:
            raise AssertionError(f"elements become torch.float32, not {dtype}")


class MXFP4Tensor(_Tensor):
    """Of E2M1."""

    def random(self):
        """Fills it with any bits."""
        self.data = torch.randint(0, 16, self.size, dtype=torch.uint8, device=self.device)
        return self

    def to(self, dtype):
        """The values."""
        self._check(dtype)
        values = torch.tensor(_MAGNITUDES, dtype=dtype, device=self.data.device)
        magnitudes = values[(self.data & 7).long()]
        return torch.where(self.data >= 8, -magnitudes, magnitudes)

    def _from_float(self, values):
        """The nearest values, of two equally near ones that with an even mantissa; beyond the
        largest one, that. There is no NaN."""
        magnitudes = torch.tensor(_MAGNITUDES, device=values.device)
        given = values.to(torch.float32).abs()
        # Bit patterns count up with the magnitudes: the even pattern has the even mantissa.
        middles = (magnitudes[1:] + magnitudes[:-1]) / 2
        bits = torch.bucketize(given, middles)
        is_half = torch.zeros_like(bits, dtype=torch.bool)
        inside = bits < len(middles)
        is_half[inside] = given[inside] == middles[bits[inside]]
        bits = torch.where(is_half & (bits % 2 == 1), bits + 1, bits)
        bits = torch.where(torch.isnan(given), torch.full_like(bits, 7), bits)
        return (bits + 8 * torch.signbit(values.to(torch.float32))).to(torch.uint8)

    def to_packed_tensor(self, dim):
        """Two elements in each byte, those along `dim`, the first in the low bits; an odd last one
        is beside a 0."""
        if not 0 <= dim < self.data.ndim:
            raise AssertionError(f"the dimension is from 0 to {self.data.ndim - 1}, not {dim}")
        data = self.data
        if data.shape[dim] % 2:
            shape = list(data.shape)
            shape[dim] = 1
            data = torch.cat([data, data.new_zeros(shape)], dim)
        pairs = data.unflatten(dim, (-1, 2))
        return pairs.select(dim + 1, 0) | pairs.select(dim + 1, 1) << 4

    def unpack_packed_tensor(self, packed_tensor, dim, original_shape):
        """The elements of what to_packed_tensor gave."""
        both = torch.stack([packed_tensor & 15, packed_tensor >> 4], dim + 1)
        return both.flatten(dim, dim + 1).narrow(dim, 0, original_shape[dim]).to(torch.uint8)


class MXScaleTensor(_Tensor):
    """Of E8M0."""

    def random(self, low=None, high=None):
        """Fills it with powers of two from `low` to `high`, or any."""
        import math
        least = 0 if low is None else max(0, int(math.log2(low)) + _BIAS)
        most = _NAN - 1 if high is None else min(_NAN - 1, int(math.log2(high)) + _BIAS)
        if least > most:
            raise AssertionError(f"there is no power of two from {low} to {high}")
        self.data = torch.randint(least, most + 1, self.size, dtype=torch.uint8,
                                  device=self.device)
        return self

    def to(self, dtype):
        """The values."""
        self._check(dtype)
        powers = torch.ldexp(torch.ones((), dtype=dtype, device=self.data.device),
                             self.data.to(torch.int32) - _BIAS)
        return torch.where(self.data == _NAN, torch.nan, powers)

    def _from_float(self, values):
        """The powers of two below the values; what is not positive is NaN."""
        exponents = torch.frexp(values.to(torch.float64))[1] - 1 + _BIAS
        bits = exponents.clamp(0, _NAN - 1)
        is_number = torch.isfinite(values) & (values > 0)
        return torch.where(is_number, bits, torch.full_like(bits, _NAN)).to(torch.uint8)
