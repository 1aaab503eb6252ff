"""Calls of Liger-Kernel's operations, forwards and backwards, on small tensors."""

import torch
from liger_kernel.ops.utils import element_mul_kernel


def _random(*shape, dtype=torch.float32):
    return torch.randn(*shape, dtype=dtype).requires_grad_()


def _both(function, *arguments):
    """Forwards, and backwards with random gradients."""
    results = function(*arguments)
    results = results if isinstance(results, tuple) else (results,)
    results = [one for one in results if isinstance(one, torch.Tensor) and one.requires_grad]
    torch.autograd.backward(results, [torch.randn_like(one) for one in results])


def element_mul():
    x = torch.randn(4, 100)
    element_mul_kernel[(4,)](x, x.stride(0), torch.tensor([0.5]), 100, BLOCK_SIZE=64, num_warps=4)


def rms_norm():
    from liger_kernel.ops.rms_norm import LigerRMSNormFunction
    for dtype in (torch.float32, torch.float16):
        _both(LigerRMSNormFunction.apply, _random(4, 3, 100, dtype=dtype),
              _random(100, dtype=dtype), 1e-6, 0.0, "llama", False)


def rms_norm_rows():
    from liger_kernel.ops.rms_norm import LigerRMSNormFunction
    _both(LigerRMSNormFunction.apply, _random(512, 64), _random(64), 1e-6, 1.0, "gemma", False,
          False)


def modulated_rms_norm():
    from liger_kernel.ops.modulated_rms_norm import LigerModulatedRMSNormFunction
    _both(LigerModulatedRMSNormFunction.apply, _random(2, 3, 100), _random(100), _random(2, 100),
          _random(2, 100), 1e-6)


def poly_norm():
    from liger_kernel.ops.poly_norm import LigerPolyNormFunction
    _both(LigerPolyNormFunction.apply, _random(6, 100), _random(3), _random(1), 1e-6, False)


def fused_add_rms_norm():
    from liger_kernel.ops.fused_add_rms_norm import LigerFusedAddRMSNormFunction
    _both(LigerFusedAddRMSNormFunction.apply, _random(6, 100), _random(6, 100), _random(100), 1e-6)


def layer_norm():
    from liger_kernel.ops.layer_norm import LigerLayerNormFunction
    _both(LigerLayerNormFunction.apply, _random(6, 100), _random(100), _random(100), 1e-6)


def group_norm():
    from liger_kernel.ops.group_norm import LigerGroupNormFunction
    _both(LigerGroupNormFunction.apply, _random(2, 6, 40), _random(6), _random(6), 6, 3, 1e-6)


def dyt():
    from liger_kernel.ops.dyt import LigerDyTFunction
    _both(LigerDyTFunction.apply, _random(6, 100), _random(1), _random(100), _random(100))


def softmax():
    from liger_kernel.ops.softmax import LigerSoftmaxFunction
    _both(LigerSoftmaxFunction.apply, _random(6, 100))


def sparsemax():
    from liger_kernel.ops.sparsemax import LigerSparsemaxFunction
    _both(LigerSparsemaxFunction.apply, _random(6, 100), -1)


def geglu():
    from liger_kernel.ops.geglu import LigerGELUMulFunction
    _both(LigerGELUMulFunction.apply, _random(6, 100), _random(6, 100))


def swiglu():
    from liger_kernel.ops.swiglu import LigerSiLUMulFunction
    _both(LigerSiLUMulFunction.apply, _random(6, 100, dtype=torch.float16),
          _random(6, 100, dtype=torch.float16))


def relu_squared():
    from liger_kernel.ops.relu_squared import LigerReLUSquaredFunction
    _both(LigerReLUSquaredFunction.apply, _random(6, 100))


def rope():
    from liger_kernel.ops.rope import LigerRopeFunction
    _both(LigerRopeFunction.apply, _random(2, 4, 8, 32), _random(2, 2, 8, 32),
          torch.randn(1, 8, 32), torch.randn(1, 8, 32))


def llama4_rope():
    from liger_kernel.ops.llama4_rope import LigerLlama4RopeFunction
    _both(LigerLlama4RopeFunction.apply, _random(2, 8, 4, 32), _random(2, 8, 2, 32),
          torch.polar(torch.ones(8, 16), torch.randn(8, 16)))


def multimodal_rope():
    from liger_kernel.ops.qwen2vl_mrope import LigerQwen2VLMRopeFunction
    _both(LigerQwen2VLMRopeFunction.apply, _random(2, 4, 8, 32), _random(2, 2, 8, 32),
          torch.randn(3, 2, 8, 32), torch.randn(3, 2, 8, 32), [4, 6, 6])


def cross_entropy():
    from liger_kernel.ops.cross_entropy import LigerCrossEntropyFunction
    target = torch.tensor([3, 99, -100, 0, 57])
    _both(lambda *a: LigerCrossEntropyFunction.apply(*a)[0], _random(5, 100), target, None, -100,
          1e-4, 0.1, "mean", None)
    _both(lambda *a: LigerCrossEntropyFunction.apply(*a)[0], _random(5, 100), target,
          torch.rand(100), -100, 0.0, 0.0, "sum", 30.0, True)


def fused_linear_cross_entropy():
    from liger_kernel.ops.fused_linear_cross_entropy import LigerFusedLinearCrossEntropyFunction
    _both(lambda *a: LigerFusedLinearCrossEntropyFunction.apply(*a)[0], _random(5, 16),
          _random(100, 16), torch.tensor([3, 99, -100, 0, 57]))


def vocabulary_parallel_cross_entropy():
    from liger_kernel.ops.vocab_parallel_cross_entropy import LigerVocabParallelCEFunction
    _both(LigerVocabParallelCEFunction.apply, _random(5, 1, 100),
          torch.tensor([[3], [99], [-100], [0], [57]]), None, -100, 0.0, "megatron", "megatron")


def kl_divergence():
    from liger_kernel.ops.kl_div import LigerKLDivLossFunction
    _both(LigerKLDivLossFunction.apply, _random(5, 100), torch.randn(5, 100).softmax(-1))


def jsd():
    from liger_kernel.ops.jsd import LigerJSDFunction
    _both(LigerJSDFunction.apply, torch.randn(5, 100).log_softmax(-1).requires_grad_(),
          torch.randn(5, 100).log_softmax(-1), None, 0.3)


def fused_linear_kl_divergence():
    from liger_kernel.ops.fused_linear_kl_div import LigerFusedLinearKLDivFunction
    _both(LigerFusedLinearKLDivFunction.apply, _random(5, 16), _random(100, 16),
          torch.randn(5, 100).softmax(-1))


def total_variation():
    from liger_kernel.ops.tvd import LigerTVDLossFunction
    _both(LigerTVDLossFunction.apply, torch.randn(5, 100).softmax(-1).requires_grad_(),
          torch.randn(5, 100).softmax(-1))


def cross_entropy_total_variation():
    from liger_kernel.ops.fused_ce_tvd import LigerFusedCETVDFunction
    _both(LigerFusedCETVDFunction.apply, _random(5, 100), torch.randn(5, 100),
          torch.tensor([3, 99, -100, 0, 57]))


def grpo():
    from liger_kernel.ops.grpo_loss import GrpoLossFunction, fused_selective_log_softmax
    ids = torch.randint(0, 100, (2, 6))
    fused_selective_log_softmax(torch.randn(2, 7, 100), ids, 0.9, None)
    _both(lambda *a: GrpoLossFunction.apply(*a)[0], _random(2, 7, 100), torch.randn(2, 6),
          torch.randn(2, 6), ids, torch.randn(2), None, 0.9, 0.04, 0.2, 0.2,
          False)


def attention_residuals():
    from liger_kernel.ops.attn_res import LigerAttnResFunction
    _both(LigerAttnResFunction.apply, _random(3, 2, 4, 32), _random(32), _random(32), 1e-6)


def embedding():
    from liger_kernel.ops.experimental.embedding import LigerEmbeddingFunction
    _both(LigerEmbeddingFunction.apply, _random(50, 40), torch.randint(0, 50, (2, 6)))


def neighborhood_attention():
    from liger_kernel.ops import fused_neighborhood_attention as module
    _both(module.LigerFusedNeighborhoodAttentionFunction.apply, _random(1, 2, 32, 16),
          _random(1, 2, 32, 16), _random(1, 2, 32, 16), 7, 1, 0.25)


def mixture_of_experts():
    from liger_kernel.ops.fused_moe import LigerFusedMoEFunction
    weights = torch.rand(8, 2).softmax(-1)
    _both(LigerFusedMoEFunction.apply, _random(8, 32, dtype=torch.float16),
          _random(4, 64, 32, dtype=torch.float16), _random(4, 32, 32, dtype=torch.float16),
          torch.stack([torch.randperm(4)[:2] for _ in range(8)]).int(), weights.requires_grad_())


def hyper_connections():
    from liger_kernel.ops.mhc import (LigerMHCCoeffsFunction, LigerMHCPostResFunction,
                                      LigerMHCPreFunction)
    streams, width = 4, 32
    x = _random(6, streams, width, dtype=torch.float16)
    outputs = 2 * streams + streams * streams
    _both(LigerMHCCoeffsFunction.apply, x, _random(streams * width, outputs), _random(outputs),
          _random(1), _random(1), _random(1), True, 5, 1e-6, 0.0, 1e-6, 2.0)
    _both(LigerMHCPreFunction.apply, x, _random(6, streams))
    _both(LigerMHCPostResFunction.apply, x, _random(6, width, dtype=torch.float16),
          _random(6, streams), _random(6, streams, streams))
