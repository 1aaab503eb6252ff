"""Calls of SGLang's kernels."""

import torch

ROWS, COLUMNS, WIDE, TIMES, HEADS, KEY_HEADS, D, BATCH, EXPERTS = 6, 128, 48, 80, 4, 2, 32, 2, 16
TOKENS, BLOCK = 64, 64
REAL = dict(ROWS=8192, COLUMNS=4096, WIDE=4096, TIMES=4096, HEADS=32, KEY_HEADS=8, D=128, BATCH=32,
            EXPERTS=64, TOKENS=1 << 17, BLOCK=128)


def _half(*shape):
    return torch.randn(*shape, dtype=torch.float16)


def invariant():
    from sglang.srt.batch_invariant_ops import batch_invariant_ops as module
    module._matmul_persistent_triton(_half(WIDE - 8, WIDE), _half(WIDE, 80), _half(80))
    module._matmul_persistent_triton(_half(WIDE, WIDE), _half(WIDE, WIDE))
    module.log_softmax(torch.randn(ROWS, COLUMNS))
    module.mean_dim(torch.randn(ROWS, 20, COLUMNS // 10), 1)
    module.rms_norm(torch.randn(ROWS, COLUMNS), torch.randn(COLUMNS))
    module.bmm_batch_invariant(_half(2, WIDE, WIDE), _half(2, WIDE, WIDE))


def quantization():
    from sglang.kernels.ops.gemm.int8_kernel import w8a8_block_int8_matmul
    from sglang.kernels.ops.quantization import int8_kernel
    rows, scales = int8_kernel.per_token_quant_int8(_half(ROWS + 10, COLUMNS))
    int8_kernel.per_token_group_quant_int8(_half(ROWS + 10, COLUMNS), 64)
    del rows, scales
    w8a8_block_int8_matmul(
        torch.randint(-127, 127, (TOKENS // 64 + 15, COLUMNS), dtype=torch.int8),
        torch.randint(-127, 127, (COLUMNS, COLUMNS), dtype=torch.int8),
        torch.rand(TOKENS // 64 + 15, COLUMNS // BLOCK),
        torch.rand(COLUMNS // BLOCK, COLUMNS // BLOCK), [BLOCK, BLOCK])


def awq():
    from sglang.kernels.ops.quantization.awq_triton import awq_dequantize_triton
    words = torch.randint(-2**31, 2**31 - 1, (COLUMNS, COLUMNS // 8), dtype=torch.int32)
    zeros = torch.randint(-2**31, 2**31 - 1, (COLUMNS // BLOCK, COLUMNS // 8), dtype=torch.int32)
    scales = _half(COLUMNS // BLOCK, COLUMNS)
    awq_dequantize_triton(words, scales, zeros)


def scaled_matmul():
    from sglang.kernels.ops.gemm.fp8_kernel import triton_scaled_mm
    triton_scaled_mm(torch.randint(-127, 127, (ROWS + 10, WIDE), dtype=torch.int8),
                     torch.randint(-127, 127, (WIDE, WIDE), dtype=torch.int8),
                     torch.rand(ROWS + 10, 1), torch.rand(WIDE, 1), torch.float16)


def elementwise():
    from sglang.kernels.ops.activation.gelu_and_mul_triton import gelu_and_mul_triton
    from sglang.kernels.ops.layernorm import fused_rmsnorm as module
    from sglang.kernels.ops.moe.inkling_moe import silu_and_mul_triton
    module.fused_dual_residual_rmsnorm(torch.randn(ROWS, COLUMNS), torch.randn(ROWS, COLUMNS),
                                       torch.randn(COLUMNS), torch.randn(COLUMNS), 1e-6)
    module.fused_rmsnorm(torch.randn(ROWS, COLUMNS), torch.randn(COLUMNS), 1e-6)
    gelu_and_mul_triton(_half(ROWS, 2 * COLUMNS))
    silu_and_mul_triton(_half(ROWS, 2 * COLUMNS))


def router():
    from sglang.kernels.ops.moe import router as module
    module.fused_moe_router_cudacore(torch.randn(ROWS, COLUMNS), torch.randn(EXPERTS, COLUMNS), 2,
                                     30.0)
    module.fused_moe_router_tensorcore(torch.randn(ROWS + 10, COLUMNS), torch.randn(16, COLUMNS), 2,
                                       30.0, 16, 16, 64)


def attention_tools():
    from sglang.kernels.ops.attention import mla_qk_prep, pad
    mla_qk_prep.concat_and_cast_mha_k_triton(_half(ROWS, HEADS, 96), _half(ROWS, HEADS, 64),
                                             _half(ROWS, 1, 32))
    pad.seqlens_expand_triton(torch.tensor([3, 2]).int(), torch.tensor([10, 8]).int(), 5, 3)


def decode_attention():
    from sglang.kernels.ops.attention import decode_attention as module
    for heads in (KEY_HEADS, 4 * KEY_HEADS):
        q, depth = _half(BATCH, heads, 2 * D), 2 * D
        k, v = _half(TOKENS, KEY_HEADS, depth), _half(TOKENS, KEY_HEADS, depth)
        splits = torch.full((BATCH,), 2).int()
        module.decode_attention_fwd(
            q, k, v, torch.empty_like(q), (torch.arange(BATCH + 1) * (TOKENS // BATCH)).int(),
            torch.randperm(TOKENS).int(), torch.empty(BATCH, heads, 4, depth),
            torch.empty(BATCH, heads, 4), splits, 4, 0.125, 1.0, 1.0)


def extend_attention():
    from sglang.kernels.ops.attention import extend_attention as module
    many, depth = TOKENS // 4 - 4, 2 * D
    q = _half(many, HEADS, depth)
    k, v = _half(many, KEY_HEADS, depth), _half(many, KEY_HEADS, depth)
    module.extend_attention_fwd(
        q, k, v, torch.empty_like(q), _half(TOKENS, KEY_HEADS, depth),
        _half(TOKENS, KEY_HEADS, depth), torch.tensor([0, many // 2 + 1, many]).int(),
        torch.tensor([0, many // 2 + 3, many]).int(), torch.randperm(TOKENS).int()[:many], None,
        True, None, many // 2 + 1, 1.0, 1.0)


def prefill_attention():
    from sglang.kernels.ops.attention.merge_state import merge_state_triton
    from sglang.kernels.ops.attention.prefill_attention import context_attention_fwd
    many, depth = max(TOKENS // 16, 12), 2 * D
    q = _half(many, HEADS, depth)
    context_attention_fwd(q, _half(many, KEY_HEADS, depth), _half(many, KEY_HEADS, depth),
                          torch.empty_like(q), torch.tensor([0, many // 2 + 1]).int(),
                          torch.tensor([many // 2 + 1, many // 2 - 1]).int(), many // 2 + 1)
    merge_state_triton(_half(ROWS, HEADS, depth), torch.randn(ROWS, HEADS),
                       _half(ROWS, HEADS, depth), torch.randn(ROWS, HEADS))


def diffusion():
    from sglang.kernels.ops.diffusion.modulate import scale_shift_triton as scale_shift
    from sglang.kernels.ops.diffusion.norm import norm_triton as norm
    from sglang.kernels.ops.diffusion.rope import rotary_triton as rotary
    norm.norm_infer(_half(ROWS, COLUMNS), _half(COLUMNS), _half(COLUMNS), 1e-6)
    rotary.apply_rotary_embedding(_half(1, ROWS, HEADS, D), torch.randn(ROWS, D // 2),
                                  torch.randn(ROWS, D // 2))
    scale_shift.fuse_scale_shift_kernel(_half(2, ROWS, COLUMNS), _half(2, COLUMNS),
                                        _half(2, COLUMNS))


def linear_attention():
    from sglang.kernels.ops.attention.fla import cumsum, fused_norm_gate, l2norm, layernorm_gated
    from sglang.kernels.ops.attention.linear import fused_gdn_gating
    cumsum.chunk_local_cumsum_scalar(torch.randn(BATCH, TIMES, HEADS), 64)
    cumsum.chunk_local_cumsum_vector(torch.randn(2, TIMES, HEADS, D), 64)
    fused_gdn_gating.fused_gdn_gating(torch.randn(HEADS), torch.randn(ROWS, HEADS),
                                      torch.randn(ROWS, HEADS), torch.randn(HEADS))
    l2norm.l2norm_fwd(torch.randn(ROWS, 64))
    fused_norm_gate.layer_norm_gated_fwd(torch.randn(ROWS, 64), torch.randn(ROWS, 64),
                                         torch.randn(64), None, is_rms_norm=True)
    layernorm_gated._layer_norm_fwd(torch.randn(ROWS, 64), torch.randn(64), None, 1e-6,
                                    z=torch.randn(ROWS, 64), is_rms_norm=True)


def gated_delta_rule():
    from sglang.kernels.ops.attention.fla.fused_recurrent import fused_recurrent_gated_delta_rule
    fused_recurrent_gated_delta_rule(_half(2, 10, HEADS, D), _half(2, 10, HEADS, D),
                                     _half(2, 10, HEADS, D), -torch.rand(2, 10, HEADS),
                                     torch.rand(2, 10, HEADS).half(),
                                     initial_state=torch.randn(2, HEADS, D, D),
                                     output_final_state=True)


def mixture_of_experts():
    from sglang.kernels.ops.moe import fused_moe_triton_kernels as module
    import triton.language as tl
    tokens, width, top, block = 16 * ROWS // 16, COLUMNS, 2, 64
    for experts, tokens in ((EXPERTS // 8, ROWS // 2 * 2), (EXPERTS, max(ROWS // 64, 4))):
        a, b = _half(tokens, width), _half(experts, width, width)
        chosen = torch.randint(0, experts, (tokens * top,)).sort()
        ids, owners = [], []
        for expert in range(experts):
            mine = chosen.indices[chosen.values == expert]
            filled = -len(mine) % block
            ids += [mine, torch.full((filled,), tokens * top)]
            owners += [expert] * ((len(mine) + filled) // block)
        ids, owners = torch.cat(ids).int(), torch.tensor(owners).int()
        module.invoke_fused_moe_kernel(
            a, b, None, _half(tokens, top, width), None, None, None, torch.rand(tokens, top),
            chosen.values.view(tokens, top).int(), ids, owners,
            torch.tensor([len(ids)]).int(), False, top,
            dict(BLOCK_SIZE_M=block, BLOCK_SIZE_N=128, BLOCK_SIZE_K=64, GROUP_SIZE_M=8,
                 num_warps=4, num_stages=4), tl.float16, False, False, False, False, False, None)
