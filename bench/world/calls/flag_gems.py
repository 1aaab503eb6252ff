"""Calls of FlagGems' operators, which stand for PyTorch's."""

import os
import sys

os.environ.setdefault("GEMS_VENDOR", "nvidia")

import torch

ROWS, COLUMNS, WIDE, TIMES, HEADS, D = 8, 96, 64, 128, 2, 64
REAL = dict(ROWS=4096, COLUMNS=8192, WIDE=4096, TIMES=4096, HEADS=32, D=128)


def _each(*calls):
    """One that fails does not keep out the next."""
    for call in calls:
        try:
            call()
        except Exception as error:  # pylint: disable=broad-except; a package's own code
            print(repr(error)[:300], file=sys.stderr)


def _x(*shape, dtype=torch.bfloat16):
    return torch.randn(*(shape or (ROWS, COLUMNS)), dtype=dtype)


def pointwise():
    from flag_gems import ops
    x, y = _x(), _x()
    _each(lambda: ops.add(x, y), lambda: ops.mul(x, 2.0), lambda: ops.gelu(x),
          lambda: ops.silu(x), lambda: ops.exp(x), lambda: ops.tanh(x), lambda: ops.erf(x),
          lambda: ops.where_self(x > 0, x, y), lambda: ops.clamp(x, -1.0, 1.0),
          lambda: ops.pow_tensor_scalar(x, 3.0), lambda: ops.sigmoid(x), lambda: ops.eq(x, y),
          lambda: ops.to_copy(x, dtype=torch.float32), lambda: ops.rsqrt(x.abs()),
          lambda: ops.log_sigmoid(x), lambda: ops.true_divide(x, y))


def broadcasts():
    from flag_gems import ops
    x = _x()
    _each(lambda: ops.add(x, _x(COLUMNS)), lambda: ops.mul(x, _x(ROWS, 1)),
          lambda: ops.add(x.T, _x(COLUMNS, ROWS)), lambda: ops.masked_fill(x, x > 0, 0.0))


def reductions():
    from flag_gems import ops
    x = _x()
    _each(lambda: ops.sum(x), lambda: ops.sum_dim(x, [1]), lambda: ops.sum_dim(x, [0]),
          lambda: ops.mean_dim(x, [1]), lambda: ops.amax(x, [1]), lambda: ops.max_dim(x, 1),
          lambda: ops.max_dim(x, 0), lambda: ops.argmax(x, 1), lambda: ops.argmax(x, 0),
          lambda: ops.prod_dim(x, 1), lambda: ops.all(x), lambda: ops.any_dim(x, 1),
          lambda: ops.var_mean(x, [1]), lambda: ops.var_mean(x), lambda: ops.vector_norm(x, 2),
          lambda: ops.cumsum(x, 1), lambda: ops.cumsum(x, 0), lambda: ops.min_dim(x, 1))


def norms():
    from flag_gems import ops
    x, weight, bias = _x(), _x(COLUMNS), _x(COLUMNS)
    stats = torch.randn(ROWS), torch.rand(ROWS)
    _each(lambda: ops.layer_norm(x, (COLUMNS,), weight, bias),
          lambda: ops.layer_norm_backward(x, x, (COLUMNS,), *stats, weight, bias,
                                          [True, True, True]),
          lambda: ops.rms_norm(x, (COLUMNS,), weight),
          lambda: ops.group_norm(x, _x(32), _x(32), ROWS // 32, 32, COLUMNS, 4),
          lambda: ops.softmax(x, 1), lambda: ops.softmax(x, 0), lambda: ops.log_softmax(x, 1),
          lambda: ops.softmax_backward(x, x, 1, x.dtype),
          lambda: ops.log_softmax_backward(x, x, 1, x.dtype),
          lambda: ops.batch_norm(_x(64, 64, COLUMNS), _x(64), _x(64), _x(64), _x(64), True),
          lambda: ops.weight_norm_interface(x, _x(ROWS, 1), 0))


def products():
    from flag_gems import ops
    a, b = _x(WIDE, WIDE), _x(WIDE, WIDE)
    _each(lambda: ops.mm(a, b), lambda: ops.addmm(_x(WIDE), a, b), lambda: ops.mv(a, _x(WIDE)),
          lambda: ops.bmm(_x(8, WIDE // 4, WIDE // 4), _x(8, WIDE // 4, WIDE // 4)),
          lambda: ops.mm(a.half(), b.half().T), lambda: ops.mm(_x(16, WIDE), b),
          lambda: ops.addmv(_x(WIDE), a, _x(WIDE)), lambda: ops.dot(_x(WIDE), _x(WIDE)),
          lambda: ops.baddbmm(_x(8, WIDE // 4, WIDE // 4), _x(8, WIDE // 4, WIDE // 4),
                              _x(8, WIDE // 4, WIDE // 4)))


def attention():
    from flag_gems import ops
    q, k, v = (_x(2, HEADS, TIMES, D) for _ in range(3))
    _each(lambda: ops.scaled_dot_product_attention(q, k, v),
          lambda: ops.scaled_dot_product_attention(q, k, v, is_causal=True))


def moves():
    from flag_gems import ops
    x, index = _x(), torch.randint(0, ROWS, (ROWS,))
    _each(lambda: ops.index_select(x, 0, index), lambda: ops.gather(x, 0, index[:, None]
                                                                    .expand(ROWS, COLUMNS)),
          lambda: ops.embedding(x, index), lambda: ops.flip(x, [1]), lambda: ops.cat([x, x], 1),
          lambda: ops.repeat(x, (2, 1)), lambda: ops.triu(x), lambda: ops.pad(x, [1, 1]),
          lambda: ops.stack([x, x], 0), lambda: ops.roll(x, 1, 1), lambda: ops.diag_embed(_x(64)),
          lambda: ops.scatter(x, 0, index[:, None].expand(ROWS, COLUMNS).contiguous(), x),
          lambda: ops.index_add(x, 0, index, x), lambda: ops.one_hot(index, ROWS))


def others():
    from flag_gems import ops
    x = _x(dtype=torch.float32)
    _each(lambda: ops.dropout(x, 0.5, True), lambda: ops.sort(x, -1), lambda: ops.topk(x, 8),
          lambda: ops.rand(x.shape), lambda: ops.randn(x.shape), lambda: ops.uniform_(x),
          lambda: ops.exponential_(x), lambda: ops.nll_loss_forward(
              x, torch.randint(0, COLUMNS, (ROWS,)), None, 1, -100),
          lambda: ops.conv2d(_x(8, 64, 32, 32), _x(64, 64, 3, 3), None, 1, 1),
          lambda: ops.upsample_nearest2d(_x(8, 64, 64, 64), (128, 128)),
          lambda: ops.max_pool2d_with_indices(_x(8, 64, 64, 64), 3, 2, 1),
          lambda: ops.avg_pool2d(_x(8, 64, 64, 64), 3, 2, 1))
