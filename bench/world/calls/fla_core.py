"""Calls of flash-linear-attention's operations, forwards and backwards: as they stand two sequences
of 80 steps, so that chunks of 64 and of 16 are cut off, two heads of 32 and 64 channels."""

import torch
import torch.nn.functional as F

B, T, H, K, V = 2, 80, 2, 32, 64
ROWS, COLUMNS, WORDS, TIMES, LONG = 6, 100, 50, 20, 128
WIDTHS = (64, 1024)
REAL = dict(B=4, T=4096, H=16, K=128, V=128, ROWS=8192, COLUMNS=8192, WORDS=32000, TIMES=4096,
            LONG=4096,             WIDTHS=(128, 4096))


def _random(*shape, dtype=torch.float16):
    return torch.randn(*shape, dtype=dtype).requires_grad_()


def _gate(*shape):
    return F.logsigmoid(torch.randn(*shape)).requires_grad_()


def _unit(*shape):
    return F.normalize(torch.randn(*shape), dim=-1).half().requires_grad_()


def _fraction(*shape):
    return torch.rand(*shape).half().requires_grad_()


def _both(function, *arguments, **options):
    results = function(*arguments, **options)
    results = results if isinstance(results, tuple) else (results,)
    results = [one for one in results if isinstance(one, torch.Tensor) and one.requires_grad]
    torch.autograd.backward(results, [torch.randn_like(one) for one in results])


def _qkv(dtype=torch.float16):
    return (_random(B, T, H, K, dtype=dtype), _random(B, T, H, K, dtype=dtype),
            _random(B, T, H, V, dtype=dtype))


def chunk_gla():
    from fla.ops.gla import chunk_gla
    state = _random(B, H, K, V, dtype=torch.float32)
    _both(chunk_gla, *_qkv(), _gate(B, T, H, K), initial_state=state, output_final_state=True)


def chunk_gla_single():
    from fla.ops.gla import chunk_gla
    _both(chunk_gla, *_qkv(torch.float32), _gate(B, T, H, K))


def recurrent_gla():
    from fla.ops.gla import fused_recurrent_gla
    _both(fused_recurrent_gla, *_qkv(), _gate(B, T, H, K), output_final_state=True)


def chunk_kda():
    from fla.ops.kda import chunk_kda
    _both(chunk_kda, *_qkv(), _gate(B, T, H, K), _fraction(B, T, H), use_qk_l2norm_in_kernel=True)


def recurrent_kda():
    from fla.ops.kda import fused_recurrent_kda
    fused_recurrent_kda(*_qkv(), _gate(B, T, H, K), _fraction(B, T, H))


def chunk_delta_rule():
    from fla.ops.delta_rule import chunk_delta_rule
    _both(chunk_delta_rule, _random(B, T, H, K), _unit(B, T, H, K), _random(B, T, H, V),
          _fraction(B, T, H), use_qk_l2norm_in_kernel=True)


def recurrent_delta_rule():
    from fla.ops.delta_rule import fused_recurrent_delta_rule
    _both(fused_recurrent_delta_rule, _random(B, T, H, K), _unit(B, T, H, K), _random(B, T, H, V),
          _fraction(B, T, H))


def chunk_gated_delta_rule():
    from fla.ops.gated_delta_rule import chunk_gated_delta_rule
    _both(chunk_gated_delta_rule, _random(B, T, H, K), _unit(B, T, H, K), _random(B, T, H, V),
          _gate(B, T, H), _fraction(B, T, H))


def recurrent_gated_delta_rule():
    from fla.ops.gated_delta_rule import fused_recurrent_gated_delta_rule
    fused_recurrent_gated_delta_rule(_random(B, T, H, K), _unit(B, T, H, K), _random(B, T, H, V),
                                     _gate(B, T, H), beta=_fraction(B, T, H))


def gated_delta_product():
    from fla.ops.gated_delta_product import chunk_gated_delta_product
    _both(chunk_gated_delta_product, _random(B, T, H, K), _unit(B, 2 * T, H, K),
          _random(B, 2 * T, H, V), _gate(B, T, H), _fraction(B, 2 * T, H), num_householder=2)


def comba():
    from fla.ops.comba import chunk_comba
    _both(chunk_comba, _random(B, T, H, K), _unit(B, T, H, K), _random(B, T, H, V),
          _unit(B, T, H, K), _gate(B, T, H), _fraction(B, T, H))


def recurrent_comba():
    from fla.ops.comba import fused_recurrent_comba
    fused_recurrent_comba(_random(B, T, H, K), _unit(B, T, H, K), _random(B, T, H, V),
                          _unit(B, T, H, K), _gate(B, T, H), _fraction(B, T, H))


def chunk_rwkv6():
    from fla.ops.rwkv6 import chunk_rwkv6
    _both(chunk_rwkv6, *_qkv(), _gate(B, T, H, K), _random(H, K))


def recurrent_rwkv6():
    from fla.ops.rwkv6 import fused_recurrent_rwkv6
    _both(fused_recurrent_rwkv6, *_qkv(), _gate(B, T, H, K), _random(H, K))


def chunk_rwkv7():
    from fla.ops.rwkv7 import chunk_rwkv7
    k = F.normalize(torch.randn(B, T, H, K), dim=-1)
    a = torch.rand(B, T, H, K)
    _both(chunk_rwkv7, _random(B, T, H, K), (0.3 * _gate(B, T, H, K)).detach().requires_grad_(),
          _random(B, T, H, K), _random(B, T, H, V), (-k).requires_grad_(), (k * a).requires_grad_())


def recurrent_rwkv7():
    from fla.ops.rwkv7 import fused_recurrent_rwkv7
    k = F.normalize(torch.randn(B, T, H, K), dim=-1)
    fused_recurrent_rwkv7(_random(B, T, H, K), _gate(B, T, H, K), _random(B, T, H, K),
                          _random(B, T, H, V), -k, k * torch.rand(B, T, H, K))


def recurrent_rwkv4():
    from fla.ops.rwkv4 import fused_recurrent_rwkv4
    _both(fused_recurrent_rwkv4, _random(8 * K), _random(8 * K), _random(B, TIMES, 8 * K),
          _random(B, TIMES, 8 * K), torch.zeros(B, 3, 1, 8 * K))


def chunk_iplr():
    from fla.ops.generalized_delta_rule import chunk_iplr_delta_rule
    k = F.normalize(torch.randn(B, T, H, K), dim=-1)
    chunk_iplr_delta_rule(_random(B, T, H, K), _random(B, T, H, K), _random(B, T, H, V), -k, k)


def recurrent_iplr():
    from fla.ops.generalized_delta_rule import fused_recurrent_iplr_delta_rule
    k = F.normalize(torch.randn(B, T, H, K), dim=-1)
    _both(fused_recurrent_iplr_delta_rule, _random(B, T, H, K), _random(B, T, H, K),
          _random(B, T, H, V), (-k).requires_grad_(), k.clone().requires_grad_())


def chunk_hgrn():
    from fla.ops.hgrn.chunk import chunk_hgrn
    _both(chunk_hgrn, _random(B, 10 * TIMES, V), _gate(B, 10 * TIMES, V))


def recurrent_hgrn():
    from fla.ops.hgrn import fused_recurrent_hgrn
    _both(fused_recurrent_hgrn, _random(B, T, 16 * V), _gate(B, T, 16 * V))


def chunk_gsa():
    from fla.ops.gsa import chunk_gsa
    _both(chunk_gsa, *_qkv(), _random(B, T, H, 32), _gate(B, T, H, 32))


def chunk_abc():
    from fla.ops.abc import chunk_abc
    _both(chunk_abc, *_qkv(), _random(B, T, H, 32))


def parallel_based():
    from fla.ops.based import parallel_based
    _both(parallel_based, _random(B, H, LONG, 16), _random(B, H, LONG, 16),
          _random(B, H, LONG, V // 2))


def parallel_rebased():
    from fla.ops.rebased import parallel_rebased
    _both(parallel_rebased, _random(B, LONG, H, 16), _random(B, LONG, H, 16),
          _random(B, LONG, H, V // 2))


def parallel_attention():
    from fla.ops.attn import parallel_attn
    _both(parallel_attn, *_qkv())


def forgetting_attention():
    from fla.ops.forgetting_attn import parallel_forgetting_attn
    _both(parallel_forgetting_attn, *_qkv(), _gate(B, T, H))


def stickbreaking_attention():
    from fla.ops.stickbreaking_attn import parallel_stickbreaking_attn
    _both(parallel_stickbreaking_attn, *_qkv())


def path_attention():
    from fla.ops.path_attn import parallel_path_attn
    _both(parallel_path_attn, _random(1, T, H, K), _random(1, T, H, K), _random(1, T, H, K),
          _unit(1, T, H, K), _fraction(1, T, H), _gate(1, T, H))


def wall_attention():
    from fla.ops.wall_attn import parallel_wall_attn
    _both(parallel_wall_attn, *_qkv(), _gate(B, T, H, K))


def native_sparse_attention():
    from fla.ops.nsa import parallel_nsa
    heads, times = 16, LONG
    _both(parallel_nsa, _random(1, times, heads, K), _random(1, times, 1, K),
          _random(1, times, 1, K), _fraction(1, times, heads), _fraction(1, times, heads),
          _fraction(1, times, heads), block_counts=2, block_size=32)


def simple_gla():
    from fla.ops.simple_gla import chunk_simple_gla
    _both(chunk_simple_gla, *_qkv(), _gate(B, T, H), output_final_state=True)


def parallel_simple_gla():
    from fla.ops.simple_gla import parallel_simple_gla
    _both(parallel_simple_gla, *_qkv(), _gate(B, T, H))


def fused_chunk_linear():
    from fla.ops.linear_attn import fused_chunk_linear_attn
    _both(fused_chunk_linear_attn, *_qkv(), normalize=False)


def retention():
    from fla.ops.retention import parallel_retention
    _both(parallel_retention, *_qkv())


def lightning_attention():
    from fla.ops.lightning_attn import chunk_lightning_attn
    _both(chunk_lightning_attn, *_qkv(), layer_idx=1, num_layers=2)


def test_time_training():
    from fla.ops.ttt import chunk_ttt_linear
    _both(chunk_ttt_linear, _random(1, 32, H, 32), _unit(1, 32, H, 32), _random(1, 32, H, 32),
          _random(H, 32), _random(H, 32), _fraction(1, 32, H, 1), chunk_size=16)


def test_time_training_fused():
    from fla.ops.ttt import fused_chunk_ttt_linear
    _both(fused_chunk_ttt_linear, _random(1, 32, H, 32), _unit(1, 32, H, 32), _random(1, 32, H, 32),
          _random(H, 32), _random(H, 32), _fraction(1, 32, H, 1), chunk_size=16)


def mesa_net():
    from fla.ops.mesa_net import chunk_mesa_net
    _both(chunk_mesa_net, _random(1, T, H, 32), _unit(1, T, H, 32), _random(1, T, H, 32),
          _gate(1, T, H), _fraction(1, T, H), (torch.rand(H, 32) + 0.5).requires_grad_(),
          max_CG_iteration=3)


def log_linear():
    from fla.ops.log_linear_attn import chunk_log_linear_attn
    chunk_log_linear_attn(_random(1, 64, 2, 32), _random(1, 64, 2, 32), _random(1, 64, 2, 32),
                          _gate(1, 64, 2), _fraction(1, 64, 2, 7))


def attention_residuals():
    from fla.ops.attnres import fused_attnres
    _both(fused_attnres, *[_random(B, 2 * TIMES, 16 * K) for _ in range(3)], _random(16 * K))


def layer_norm():
    from fla.modules.norm import GroupNorm, LayerNorm, RMSNorm
    for width in WIDTHS:
        _both(LayerNorm(width), _random(ROWS, width))
        _both(RMSNorm(width), _random(ROWS, width))
    _both(GroupNorm(4, 64), _random(ROWS, 64))


def gated_norm():
    from fla.modules.norm import FusedRMSNormGated
    for width in WIDTHS:
        _both(FusedRMSNormGated(width), _random(ROWS, width), _random(ROWS, width))


def rotary():
    from fla.modules.rotary import rotary_embedding
    _both(rotary_embedding, _random(B, TIMES, H, K), torch.randn(TIMES, K // 2),
          torch.randn(TIMES, K // 2))


def short_convolution():
    from fla.modules.causal_conv1d import causal_conv1d
    _both(causal_conv1d, _random(B, TIMES, 32 * H), _random(32 * H, 4),
          _random(32 * H), activation="silu")


def cross_entropy():
    from fla.modules.fused_cross_entropy import FusedCrossEntropyLoss
    _both(FusedCrossEntropyLoss(), _random(ROWS, COLUMNS), torch.randint(0, COLUMNS, (ROWS,)))


def fused_linear_cross_entropy():
    from fla.modules.fused_linear_cross_entropy import FusedLinearCrossEntropyLoss
    _both(FusedLinearCrossEntropyLoss(num_chunks=2), _random(2 * ROWS, 16 * K),
          torch.randint(0, WORDS, (2 * ROWS,)),
          _random(WORDS, 16 * K))


def kl_divergence():
    from fla.modules.fused_kl_div import FusedKLDivLoss
    _both(FusedKLDivLoss(), _random(2 * ROWS, 16 * K), torch.randn(2 * ROWS, 16 * K),
          _random(WORDS, 16 * K), torch.randn(WORDS, 16 * K))


def activations():
    from fla.modules import activations as module
    for name in ("swish", "sigmoid", "logsigmoid", "sqrelu", "relu_square"):
        if hasattr(module, name):
            _both(getattr(module, name), _random(ROWS, COLUMNS))
    _both(module.swiglu, _random(ROWS, COLUMNS), _random(ROWS, COLUMNS))


def token_shift():
    from fla.modules.token_shift import token_shift
    _both(token_shift, _random(B, TIMES, 16 * K))


def channel_mixing():
    from fla.ops.rwkv7.channel_mixing import channel_mixing_rwkv7
    _both(channel_mixing_rwkv7, _random(B, TIMES, 8 * K), torch.zeros(B, 8 * K), _random(8 * K),
          _random(8 * K, 32 * K), _random(32 * K, 8 * K))


def softmax():
    from fla.ops.utils import softmax_fwd
    softmax_fwd(torch.randn(ROWS, COLUMNS))


def cumulative_sums():
    from fla.ops.utils import chunk_global_cumsum, chunk_local_cumsum
    for shape in ((B, T, H), (B, T, H, K)):
        chunk_global_cumsum(torch.randn(*shape))
        chunk_local_cumsum(torch.randn(*shape), chunk_size=16, reverse=True)


def mean_pooling():
    from fla.ops.utils.pooling import mean_pooling
    _both(mean_pooling, _random(B, T, H, K), chunk_size=32)


def log_cumulative_sum():
    from fla.ops.utils.logcumsumexp import logcumsumexp_fwd
    logcumsumexp_fwd(torch.randn(B, T, 8 * K))


def matmul():
    from fla.ops.utils.matmul import addmm, matmul
    addmm(torch.randn(ROWS, COLUMNS), torch.randn(ROWS, K), torch.randn(K, COLUMNS))
    matmul(torch.randn(ROWS, K), torch.randn(K, COLUMNS))
