"""What the tensors of a launch hold, in few bytes."""

import bisect
import gc

import torch

#: Elements that are looked at.
SAMPLED = 4096
#: Bytes of integers that are kept as they are; of more, least and largest.
WHOLE = 8 << 20


def sample(flat):
    """Elements all over a tensor."""
    return flat[::max(1, len(flat) // SAMPLED)][:SAMPLED]


def floats(flat):
    """How floats are made anew: mean, deviation, least and largest of a sample."""
    some = sample(flat).to(torch.float64)
    some = some[torch.isfinite(some)]
    if len(some) == 0 or not some.any() or some.abs().max() > 1e6:
        return {"fill": "normal", "mean": 0.0, "deviation": 0.5, "least": -4.0, "largest": 4.0}
    return {"fill": "normal", "mean": float(some.mean()),
            "deviation": float(some.std(unbiased=False)), "least": float(some.min()),
            "largest": float(some.max())}


#: Above this an integer may be an address.
ADDRESSES = 1 << 40
#: Elements of a tensor of addresses.
MOST_ADDRESSES = 1 << 12


def addressed(flat):
    """(element, tensor) of integers that are the addresses of tensors."""
    if flat.dtype not in (torch.int64, torch.uint64) or len(flat) > MOST_ADDRESSES:
        return
    values = flat.view(torch.int64).tolist()
    if not any(value > ADDRESSES for value in values):
        return
    # Of tensors at one address the largest: others are parts of it.
    tensors = sorted(((one.data_ptr(), -one.untyped_storage().nbytes(), one) for one in
                      gc.get_objects() if issubclass(type(one), torch.Tensor) and one.numel()
                      and one.layout == torch.strided), key=lambda entry: entry[:2])
    starts = [entry[0] for entry in tensors]
    for element, value in enumerate(values):
        at = bisect.bisect_left(starts, value)
        if value > ADDRESSES and at < len(starts) and starts[at] == value:
            yield element, tensors[at][2]


class Contents:
    """The memory of a launch: pieces that tensors share, each with the type it was last seen as."""

    def __init__(self):
        self.numbers, self.storages, self.types = {}, [], []
        #: [storage, element, storage that it points to, offset in bytes] of integers.
        self.addresses = []

    def number(self, tensor):
        storage = tensor.untyped_storage()
        number = self.numbers.setdefault(storage.data_ptr(), len(self.storages))
        if number == len(self.storages):
            self.storages.append(storage)
            self.types.append(tensor.dtype)
            width = tensor.element_size()
            flat = torch.empty(0, dtype=tensor.dtype).set_(
                storage, 0, (storage.nbytes() // width,), (1,))
            self.addresses += [[number, element, self.number(other),
                                other.storage_offset() * other.element_size()]
                               for element, other in list(addressed(flat))]
        return number

    def bytes(self):
        return sum(storage.nbytes() for storage in self.storages)

    def describe(self):
        """A description of each piece, and the integers to be kept, by `STORAGE`."""
        described, arrays = [], {}
        for number, (storage, dtype) in enumerate(zip(self.storages, self.types)):
            size = storage.nbytes()
            one = {"bytes": size, "dtype": str(dtype).removeprefix("torch.")}
            width = torch.empty((), dtype=dtype).element_size()
            flat = torch.empty(0, dtype=dtype).set_(storage, 0, (size // width,), (1,))
            if dtype.is_floating_point and width > 1:
                one.update(floats(flat))
            elif dtype.is_floating_point or (width == 1 and size > WHOLE):
                one["fill"] = "bytes"
            elif size <= WHOLE:
                one["fill"] = "kept"
                arrays[str(number)] = flat.view(torch.uint8).numpy()
            else:
                some = sample(flat)
                one.update(fill="uniform", least=int(some.min()), largest=int(some.max()))
            described.append(one)
        return described, arrays
