"""Calls of Liger-Kernel's operations, forwards and backwards."""

import torch
from liger_kernel.ops.utils import element_mul_kernel

ROWS, COLUMNS, WORDS, TIMES, D, HEADS, WIDE = 6, 100, 100, 8, 32, 4, 16
DTYPE = torch.float32
REAL = dict(ROWS=8192, COLUMNS=4096, WORDS=32000, TIMES=4096, D=128, HEADS=32, WIDE=4096,
            DTYPE=torch.bfloat16)


def _random(*shape, dtype=None):
    return torch.randn(*shape, dtype=dtype or DTYPE).requires_grad_()


def _both(function, *arguments):
    """Forwards, and backwards with random gradients."""
    results = function(*arguments)
    results = results if isinstance(results, tuple) else (results,)
    results = [one for one in results if isinstance(one, torch.Tensor) and one.requires_grad]
    torch.autograd.backward(results, [torch.randn_like(one) for one in results])


def element_mul():
    x = torch.randn(ROWS, COLUMNS)
    element_mul_kernel[(ROWS,)](x, x.stride(0), torch.tensor([0.5]), COLUMNS, BLOCK_SIZE=64,
                                num_warps=4)


def rms_norm():
    from liger_kernel.ops.rms_norm import LigerRMSNormFunction
    for dtype in (torch.float32, torch.float16):
        _both(LigerRMSNormFunction.apply, _random(ROWS, COLUMNS, dtype=dtype),
              _random(COLUMNS, dtype=dtype), 1e-6, 0.0, "llama", False)


def rms_norm_rows():
    from liger_kernel.ops.rms_norm import LigerRMSNormFunction
    _both(LigerRMSNormFunction.apply, _random(64 * ROWS, 64), _random(64), 1e-6, 1.0, "gemma",
          False, False)


def modulated_rms_norm():
    from liger_kernel.ops.modulated_rms_norm import LigerModulatedRMSNormFunction
    _both(LigerModulatedRMSNormFunction.apply, _random(2, ROWS // 2, COLUMNS), _random(COLUMNS),
          _random(2, COLUMNS), _random(2, COLUMNS), 1e-6)


def poly_norm():
    from liger_kernel.ops.poly_norm import LigerPolyNormFunction
    _both(LigerPolyNormFunction.apply, _random(ROWS, COLUMNS), _random(3), _random(1), 1e-6, False)


def fused_add_rms_norm():
    from liger_kernel.ops.fused_add_rms_norm import LigerFusedAddRMSNormFunction
    _both(LigerFusedAddRMSNormFunction.apply, _random(ROWS, COLUMNS), _random(ROWS, COLUMNS),
          _random(COLUMNS), 1e-6)


def layer_norm():
    from liger_kernel.ops.layer_norm import LigerLayerNormFunction
    _both(LigerLayerNormFunction.apply, _random(ROWS, COLUMNS), _random(COLUMNS),
          _random(COLUMNS), 1e-6)


def group_norm():
    from liger_kernel.ops.group_norm import LigerGroupNormFunction
    _both(LigerGroupNormFunction.apply, _random(TIMES // 4, 6, COLUMNS // 2 * 4), _random(6),
          _random(6), 6, 3, 1e-6)


def dyt():
    from liger_kernel.ops.dyt import LigerDyTFunction
    _both(LigerDyTFunction.apply, _random(ROWS, COLUMNS), _random(1), _random(COLUMNS),
          _random(COLUMNS))


def softmax():
    from liger_kernel.ops.softmax import LigerSoftmaxFunction
    _both(LigerSoftmaxFunction.apply, _random(ROWS, COLUMNS))


def sparsemax():
    from liger_kernel.ops.sparsemax import LigerSparsemaxFunction
    _both(LigerSparsemaxFunction.apply, _random(ROWS, COLUMNS), -1)


def geglu():
    from liger_kernel.ops.geglu import LigerGELUMulFunction
    _both(LigerGELUMulFunction.apply, _random(ROWS, COLUMNS), _random(ROWS, COLUMNS))


def swiglu():
    from liger_kernel.ops.swiglu import LigerSiLUMulFunction
    _both(LigerSiLUMulFunction.apply, _random(ROWS, COLUMNS, dtype=torch.float16),
          _random(ROWS, COLUMNS, dtype=torch.float16))


def relu_squared():
    from liger_kernel.ops.relu_squared import LigerReLUSquaredFunction
    _both(LigerReLUSquaredFunction.apply, _random(ROWS, COLUMNS))


def rope():
    from liger_kernel.ops.rope import LigerRopeFunction
    _both(LigerRopeFunction.apply, _random(2, HEADS, TIMES, D), _random(2, HEADS // 2, TIMES, D),
          torch.randn(1, TIMES, D), torch.randn(1, TIMES, D))


def llama4_rope():
    from liger_kernel.ops.llama4_rope import LigerLlama4RopeFunction
    _both(LigerLlama4RopeFunction.apply, _random(2, TIMES, HEADS, D),
          _random(2, TIMES, HEADS // 2, D),
          torch.polar(torch.ones(TIMES, D // 2), torch.randn(TIMES, D // 2)))


def multimodal_rope():
    from liger_kernel.ops.qwen2vl_mrope import LigerQwen2VLMRopeFunction
    _both(LigerQwen2VLMRopeFunction.apply, _random(2, HEADS, TIMES, D),
          _random(2, HEADS // 2, TIMES, D),
          torch.randn(3, 2, TIMES, D), torch.randn(3, 2, TIMES, D),
          [D // 8, 3 * D // 16, 3 * D // 16])


def _targets():
    """With one that is ignored."""
    target = torch.randint(0, WORDS, (ROWS,))
    target[2] = -100
    return target


def cross_entropy():
    from liger_kernel.ops.cross_entropy import LigerCrossEntropyFunction
    target = _targets()
    _both(lambda *a: LigerCrossEntropyFunction.apply(*a)[0], _random(ROWS, WORDS), target, None,
          -100, 1e-4, 0.1, "mean", None)
    _both(lambda *a: LigerCrossEntropyFunction.apply(*a)[0], _random(ROWS, WORDS), target,
          torch.rand(WORDS), -100, 0.0, 0.0, "sum", 30.0, True)


def fused_linear_cross_entropy():
    from liger_kernel.ops.fused_linear_cross_entropy import LigerFusedLinearCrossEntropyFunction
    _both(lambda *a: LigerFusedLinearCrossEntropyFunction.apply(*a)[0], _random(ROWS, WIDE),
          _random(WORDS, WIDE), _targets())


def vocabulary_parallel_cross_entropy():
    from liger_kernel.ops.vocab_parallel_cross_entropy import LigerVocabParallelCEFunction
    _both(LigerVocabParallelCEFunction.apply, _random(ROWS, 1, WORDS),
          _targets()[:, None], None, -100, 0.0, "megatron", "megatron")


def kl_divergence():
    from liger_kernel.ops.kl_div import LigerKLDivLossFunction
    _both(LigerKLDivLossFunction.apply, _random(ROWS, WORDS), torch.randn(ROWS, WORDS).softmax(-1))


def jsd():
    from liger_kernel.ops.jsd import LigerJSDFunction
    _both(LigerJSDFunction.apply, torch.randn(ROWS, WORDS).log_softmax(-1).requires_grad_(),
          torch.randn(ROWS, WORDS).log_softmax(-1), None, 0.3)


def fused_linear_kl_divergence():
    from liger_kernel.ops.fused_linear_kl_div import LigerFusedLinearKLDivFunction
    _both(LigerFusedLinearKLDivFunction.apply, _random(ROWS, WIDE), _random(WORDS, WIDE),
          torch.randn(ROWS, WORDS).softmax(-1))


def total_variation():
    from liger_kernel.ops.tvd import LigerTVDLossFunction
    _both(LigerTVDLossFunction.apply, torch.randn(ROWS, WORDS).softmax(-1).requires_grad_(),
          torch.randn(ROWS, WORDS).softmax(-1))


def cross_entropy_total_variation():
    from liger_kernel.ops.fused_ce_tvd import LigerFusedCETVDFunction
    _both(LigerFusedCETVDFunction.apply, _random(ROWS, WORDS), torch.randn(ROWS, WORDS),
          _targets())


def grpo():
    from liger_kernel.ops.grpo_loss import GrpoLossFunction, fused_selective_log_softmax
    ids = torch.randint(0, WORDS, (2, ROWS // 2))
    many = ROWS // 2
    fused_selective_log_softmax(torch.randn(2, many + 1, WORDS), ids, 0.9, None)
    _both(lambda *a: GrpoLossFunction.apply(*a)[0], _random(2, many + 1, WORDS),
          torch.randn(2, many), torch.randn(2, many), ids, torch.randn(2), None, 0.9, 0.04,
          0.2, 0.2, False)


def attention_residuals():
    from liger_kernel.ops.attn_res import LigerAttnResFunction
    _both(LigerAttnResFunction.apply, _random(3, 2, TIMES, COLUMNS), _random(COLUMNS),
          _random(COLUMNS), 1e-6)


def embedding():
    from liger_kernel.ops.experimental.embedding import LigerEmbeddingFunction
    _both(LigerEmbeddingFunction.apply, _random(WORDS, COLUMNS),
          torch.randint(0, WORDS, (2, ROWS)))


def neighborhood_attention():
    from liger_kernel.ops import fused_neighborhood_attention as module
    _both(module.LigerFusedNeighborhoodAttentionFunction.apply, _random(1, 2, 4 * TIMES, 16),
          _random(1, 2, 4 * TIMES, 16), _random(1, 2, 4 * TIMES, 16), 7, 1, 0.25)


def mixture_of_experts():
    from liger_kernel.ops.fused_moe import LigerFusedMoEFunction
    weights = torch.rand(TIMES, 2).softmax(-1)
    width = max(32, WIDE // 2)
    _both(LigerFusedMoEFunction.apply, _random(TIMES, width, dtype=torch.float16),
          _random(4, 2 * width, width, dtype=torch.float16),
          _random(4, width, width, dtype=torch.float16),
          torch.stack([torch.randperm(4)[:2] for _ in range(TIMES)]).int(),
          weights.requires_grad_())


def hyper_connections():
    from liger_kernel.ops.mhc import (LigerMHCCoeffsFunction, LigerMHCPostResFunction,
                                      LigerMHCPreFunction)
    streams, width = 4, max(32, WIDE // 2)
    x = _random(ROWS, streams, width, dtype=torch.float16)
    outputs = 2 * streams + streams * streams
    _both(LigerMHCCoeffsFunction.apply, x, _random(streams * width, outputs), _random(outputs),
          _random(1), _random(1), _random(1), True, 5, 1e-6, 0.0, 1e-6, 2.0)
    _both(LigerMHCPreFunction.apply, x, _random(ROWS, streams))
    _both(LigerMHCPostResFunction.apply, x, _random(ROWS, width, dtype=torch.float16),
          _random(ROWS, streams), _random(ROWS, streams, streams))
