"""What a call with tensors of real sizes need not compute, as it launches no kernel."""

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_map

#: Elements from which on a tensor is large.
LARGE = 1 << 20
#: Random numbers that are drawn; those of a large tensor repeat.
DRAWN = 1 << 16
#: Operations on large tensors that take a CPU seconds.
_SLOW = ("mm", "addmm", "bmm", "baddbmm", "convolution", "_scaled_dot_product", "linalg", "matmul",
         "sort", "topk", "_softmax", "_log_softmax", "cumsum", "logcumsumexp")


def _draw(tensor, draw):
    """Fills a tensor with numbers that repeat."""
    if tensor.numel() < LARGE or not tensor.is_floating_point() or not tensor.is_contiguous():
        return draw(tensor)
    flat = tensor.view(-1)
    part = draw(flat[:DRAWN])
    whole = len(flat) // DRAWN
    flat[:whole * DRAWN].view(whole, DRAWN).copy_(part.expand(whole, DRAWN).clone()
                                                  if whole < 2 else part.clone().expand(whole, -1))
    flat[whole * DRAWN:].copy_(part[:len(flat) - whole * DRAWN])
    return tensor


def _shaped(value):
    return value.to("meta") if isinstance(value, torch.Tensor) else value


def _empty(value):
    if isinstance(value, torch.Tensor):
        return torch.empty_strided(value.shape, value.stride(), dtype=value.dtype, device="cpu")
    return value


class Large(TorchDispatchMode):
    """Products and their like have the right shape and type, but no contents, if they are large;
    large random tensors repeat; integers that nobody has written are 0, so that a kernel that is
    steered by them stays within its tensors."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = func._schema.name.removeprefix("aten::")
        if name in ("randn", "rand"):
            options = {key: value for key, value in kwargs.items() if key in ("dtype", "device")}
            tensor = torch.empty(args[0], **options)
            return _draw(tensor, torch.Tensor.normal_ if name == "randn" else torch.Tensor.uniform_)
        if name in ("randn_like", "rand_like"):
            tensor = torch.empty_like(args[0], dtype=kwargs.get("dtype"))
            return _draw(tensor, torch.Tensor.normal_ if name[4] == "n" else torch.Tensor.uniform_)
        if name in ("empty", "empty_like", "new_empty", "empty_strided", "new_empty_strided"):
            tensor = func(*args, **kwargs)
            if not tensor.is_floating_point() and not tensor.is_complex():
                tensor.untyped_storage().resize_(tensor.untyped_storage().nbytes())
                tensor.zero_()
            return tensor
        if name.startswith(_SLOW) and not name.endswith("_backward_data"):
            tensors = [one for one in (*args, *kwargs.values()) if isinstance(one, torch.Tensor)]
            if any(one.numel() >= LARGE and one.is_floating_point() for one in tensors):
                shapes = func(*tree_map(_shaped, args),
                              **{key: "meta" if key == "device" else _shaped(value)
                                 for key, value in kwargs.items()})
                return tree_map(_empty, shapes)
        return func(*args, **kwargs)
