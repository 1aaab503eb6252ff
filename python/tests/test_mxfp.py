"""triton.tools.mxfp against the formats' definitions."""

import itertools

import pytest

torch = pytest.importorskip("torch")

from tilewright.triton._mxfp import MXFP4Tensor, MXScaleTensor  # noqa: E402


def value_of(bits):
    """E2M1: a sign, an exponent of two bits with a bias of 1, a bit of a mantissa."""
    sign, exponent, mantissa = bits >> 3, bits >> 1 & 3, bits & 1
    magnitude = mantissa / 2 if exponent == 0 else 2 ** (exponent - 1) * (1 + mantissa / 2)
    return -magnitude if sign else magnitude


def test_values_of_e2m1():
    tensor = MXFP4Tensor(size=16)
    tensor.data = torch.arange(16, dtype=torch.uint8)
    assert tensor.to(torch.float32).tolist() == [value_of(bits) for bits in range(16)]


def test_rounding_to_e2m1():
    for step in range(-80, 81):
        given = step / 8
        bits = int(MXFP4Tensor(torch.tensor([given])).data[0])
        distance = min(abs(given - value_of(one)) for one in range(16))
        assert abs(given - value_of(bits)) == distance
        near = {abs(value_of(one)) for one in range(16) if abs(given - value_of(one)) == distance}
        assert len(near) == 1 or bits % 2 == 0


@pytest.mark.parametrize("shape, dim", [((5,), 0), ((4, 6), 0), ((3, 7), 1), ((2, 3, 4), 2)])
def test_packing(shape, dim):
    tensor = MXFP4Tensor(size=shape).random()
    packed = tensor.to_packed_tensor(dim)
    for place in itertools.product(*(range(size) for size in shape)):
        byte = list(place)
        byte[dim] //= 2
        nibble = int(packed[tuple(byte)]) >> 4 * (place[dim] % 2) & 15
        assert nibble == int(tensor.data[place])
    assert torch.equal(tensor.unpack_packed_tensor(packed, dim, shape), tensor.data)


def test_scales():
    values = torch.tensor([2.0**-127, 0.75, 1, 1.5, 2.0**127, 0, -1, torch.inf, torch.nan])
    scales = MXScaleTensor(values)
    assert scales.data.tolist() == [0, 126, 127, 127, 254, 255, 255, 255, 255]
    assert scales.to(torch.float32)[:5].tolist() == [2.0**-127, 0.5, 1, 1, 2.0**127]
    assert scales.to(torch.float32)[5:].isnan().all()
    drawn = MXScaleTensor(size=(1000,)).random(low=0.25, high=4).to(torch.float32)
    assert set(drawn.tolist()) == {0.25, 0.5, 1.0, 2.0, 4.0}
