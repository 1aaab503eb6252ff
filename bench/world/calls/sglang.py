"""Calls of SGLang's kernels."""

import torch


def _half(*shape):
    return torch.randn(*shape, dtype=torch.float16)


def invariant():
    from sglang.srt.batch_invariant_ops import batch_invariant_ops as module
    module._matmul_persistent_triton(_half(40, 48), _half(48, 80), _half(80))
    module.log_softmax(torch.randn(6, 100))
    module.mean_dim(torch.randn(6, 20, 10), 1)
    module.rms_norm(torch.randn(6, 100), torch.randn(100))
    module.bmm_batch_invariant(_half(2, 40, 48), _half(2, 48, 80))


def quantization():
    from sglang.srt.layers.quantization import int8_kernel
    rows, scales = int8_kernel.per_token_quant_int8(_half(16, 128))
    int8_kernel.per_token_group_quant_int8(_half(16, 128), 64)
    del rows, scales
    int8_kernel.w8a8_block_int8_matmul(
        torch.randint(-127, 127, (16, 128), dtype=torch.int8),
        torch.randint(-127, 127, (64, 128), dtype=torch.int8), torch.rand(16, 2), torch.rand(1, 2),
        [64, 64])


def awq():
    from sglang.srt.layers.quantization.awq_triton import awq_dequantize_triton, awq_gemm_triton
    words = torch.randint(-2**31, 2**31 - 1, (64, 8), dtype=torch.int32)
    zeros = torch.randint(-2**31, 2**31 - 1, (2, 8), dtype=torch.int32)
    awq_dequantize_triton(words, _half(2, 64), zeros)
    awq_gemm_triton(_half(16, 64), words, _half(2, 64), zeros, 2)


def scaled_matmul():
    from sglang.srt.layers.quantization.fp8_kernel import triton_scaled_mm
    triton_scaled_mm(torch.randint(-127, 127, (16, 64), dtype=torch.int8),
                     torch.randint(-127, 127, (64, 48), dtype=torch.int8), torch.rand(16, 1),
                     torch.rand(48, 1), torch.float16)


def elementwise():
    from sglang.srt.layers import elementwise as module
    module.fused_softcap(torch.randn(6, 100), 30.0)
    module.fused_dual_residual_rmsnorm(torch.randn(6, 128), torch.randn(6, 128), torch.randn(128),
                                       torch.randn(128), 1e-6)
    module.fused_rmsnorm(torch.randn(6, 128), torch.randn(128), 1e-6)
    module.experts_combine_triton(_half(6, 2, 128), _half(6, 128))
    module.gelu_and_mul_triton(_half(6, 256))
    module.silu_and_mul_triton(_half(6, 256))


def logits():
    from sglang.srt.layers.logits_processor import fused_softcap
    fused_softcap(torch.randn(6, 100), 30.0)


def router():
    from sglang.srt.layers.moe import router as module
    module.fused_moe_router_cudacore(torch.randn(6, 128), torch.randn(16, 128), 2, 30.0)
    module.fused_moe_router_tensorcore(torch.randn(16, 128), torch.randn(16, 128), 2, 30.0, 16, 16,
                                       64)


def attention_tools():
    from sglang.srt.layers.attention import utils as module
    module.concat_and_cast_mha_k_triton(_half(6, 4, 96), _half(6, 4, 64), _half(6, 1, 32))
    module.pad_sequence_with_mask(torch.randn(12, 32), torch.tensor([0, 5]).int(),
                                  torch.tensor([5, 7]).int(), 8)
    module.seqlens_expand_triton(torch.tensor([3, 2]).int(), torch.tensor([10, 8]).int(), 5, 3)


def decode_attention():
    from sglang.srt.layers.attention.triton_ops import decode_attention as module
    for heads in (2, 8):
        q, k, v = _half(2, heads, 64), _half(64, 2, 64), _half(64, 2, 64)
        splits = torch.tensor([2, 1]).int()
        module.decode_attention_fwd(
            q, k, v, torch.empty_like(q), torch.tensor([0, 40, 60]).int(),
            torch.randperm(64).int()[:60], torch.empty(2, heads, 4, 64), torch.empty(2, heads, 4),
            splits, 4, 0.125, 1.0, 1.0)


def extend_attention():
    from sglang.srt.layers.attention.triton_ops import extend_attention as module
    q, k, v = _half(12, 4, 64), _half(12, 2, 64), _half(12, 2, 64)
    module.extend_attention_fwd(q, k, v, torch.empty_like(q), _half(64, 2, 64), _half(64, 2, 64),
                                torch.tensor([0, 7, 12]).int(), torch.tensor([0, 20, 30]).int(),
                                torch.randperm(64).int()[:30], None, True, None, 7, 1.0, 1.0)


def prefill_attention():
    from sglang.srt.layers.attention.triton_ops.merge_state import merge_state_triton
    from sglang.srt.layers.attention.triton_ops.prefill_attention import context_attention_fwd
    q = _half(12, 4, 64)
    context_attention_fwd(q, _half(12, 2, 64), _half(12, 2, 64), torch.empty_like(q),
                          torch.tensor([0, 7]).int(), torch.tensor([7, 5]).int(), 7)
    merge_state_triton(_half(6, 4, 64), torch.randn(6, 4), _half(6, 4, 64), torch.randn(6, 4))


def diffusion():
    from sglang.jit_kernel.diffusion.triton import norm, rotary, scale_shift
    norm.norm_infer(_half(6, 128), _half(128), _half(128), 1e-6)
    rotary.apply_rotary_embedding(_half(1, 6, 4, 32), torch.randn(6, 16), torch.randn(6, 16))
    scale_shift.fuse_scale_shift_kernel(_half(2, 6, 128), _half(2, 128), _half(2, 128))


def linear_attention():
    from sglang.srt.layers.attention.fla import (cumsum, fused_gdn_gating, fused_norm_gate, l2norm,
                                                 layernorm_gated, solve_tril)
    cumsum.chunk_local_cumsum_scalar(torch.randn(2, 80, 2), 64)
    cumsum.chunk_local_cumsum_vector(torch.randn(2, 80, 2, 32), 64)
    fused_gdn_gating.fused_gdn_gating(torch.randn(4), torch.randn(6, 4), torch.randn(6, 4),
                                      torch.randn(4))
    l2norm.l2norm_fwd(torch.randn(6, 64))
    fused_norm_gate.layer_norm_gated_fwd(torch.randn(6, 64), torch.randn(6, 64), torch.randn(64),
                                         None, is_rms_norm=True)
    layernorm_gated._layer_norm_fwd(torch.randn(6, 64), torch.randn(64), None, 1e-6,
                                    z=torch.randn(6, 64), is_rms_norm=True)
    for size in (16, 32, 64):
        solve_tril.solve_tril(torch.randn(1, 80, 2, size).tril(-1) * 0.1)


def gated_delta_rule():
    from sglang.srt.layers.attention.fla.fused_recurrent import fused_recurrent_gated_delta_rule
    fused_recurrent_gated_delta_rule(_half(2, 10, 2, 32), _half(2, 10, 2, 32), _half(2, 10, 2, 32),
                                     -torch.rand(2, 10, 2), torch.rand(2, 10, 2).half(),
                                     initial_state=torch.randn(2, 2, 32, 32),
                                     output_final_state=True)
