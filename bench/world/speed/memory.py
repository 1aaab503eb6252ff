"""Tensors of a recorded launch on the GPU, made anew from a seed, and how two results compare."""

import numpy
import torch

#: How far two floats of a type may be apart, as a part of the root of the mean square of what the
#: kernel gave: a few units in the last place of products that sum in different orders, and of tf32
#: for f32.
TOLERANCES = {torch.float64: 1e-9, torch.float32: 2e-3, torch.float16: 5e-3, torch.bfloat16: 2e-2}
#: Part of integers and of 8-bit floats that may differ: values that round the other way, equal
#: keys.
DIFFERING = 2e-3


class Memory:
    """The storages of launch.json: tensors of one dimension."""

    def __init__(self, launch, kept):
        self.described, self.kept, self.addresses = launch["storages"], kept, launch["addresses"]
        self.tensors = []
        for one in self.described:
            dtype = getattr(torch, one["dtype"])
            width = torch.empty((), dtype=dtype).element_size()
            self.tensors.append(torch.empty(max(1, one["bytes"] // width), dtype=dtype,
                                            device="cuda"))

    def fill(self, seed):
        generator = torch.Generator("cuda").manual_seed(seed)
        for number, (one, tensor) in enumerate(zip(self.described, self.tensors)):
            if one["fill"] == "kept":
                values = torch.from_numpy(numpy.ascontiguousarray(self.kept[str(number)]))
                tensor.view(torch.uint8)[:len(values)].copy_(values)
            elif one["fill"] == "uniform":
                tensor.random_(one["least"], one["largest"] + 1, generator=generator)
            elif one["fill"] == "bytes":
                # Small floats; as integers, all bytes.
                if tensor.dtype.is_floating_point and tensor.dtype != torch.float8_e8m0fnu:
                    drawn = torch.empty(len(tensor), dtype=torch.float16, device="cuda")
                    tensor.copy_(drawn.normal_(generator=generator))
                elif tensor.dtype == torch.float8_e8m0fnu:
                    tensor.view(torch.uint8).random_(124, 130, generator=generator)
                else:
                    most = 2 if tensor.dtype == torch.bool else 256
                    tensor.view(torch.uint8).random_(0, most, generator=generator)
            elif one["deviation"] == 0:
                tensor.fill_(one["mean"])
            else:
                tensor.normal_(one["mean"], one["deviation"], generator=generator)
                tensor.clamp_(one["least"], one["largest"])
        for storage, element, other, offset in self.addresses:
            self.tensors[storage].view(torch.int64)[element] = self.address(other, offset)

    def address(self, storage, offset):
        return self.tensors[storage].data_ptr() + offset

    def bytes(self):
        return sum(one.numel() * one.element_size() for one in self.tensors)


def difference(ours, theirs, before):
    """How far apart a tensor is that two codes wrote, as a multiple of what its type allows; 0 if
    it is the same, and infinite if one has numbers where the other has none."""
    if torch.equal(ours.view(torch.uint8), theirs.view(torch.uint8)):
        return 0.0
    if ours.dtype not in TOLERANCES:
        same = ours.view(torch.uint8) == theirs.view(torch.uint8)
        return (1 - same.double().mean().item()) / DIFFERING
    finite = torch.isfinite(theirs)
    if not torch.equal(finite, torch.isfinite(ours)):
        return float("inf")
    written = (theirs != before) & finite
    if not written.any():
        return float("inf")
    wide = torch.float64 if ours.dtype == torch.float64 else torch.float32
    mine, other = ours[written].to(wide), theirs[written].to(wide)
    mean = lambda values: values.square().mean(dtype=torch.float64).sqrt().item()  # noqa: E731
    return mean(mine - other) / (mean(other) or 1.0) / TOLERANCES[ours.dtype]
