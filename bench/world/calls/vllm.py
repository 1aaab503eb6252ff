"""Calls of vLLM's kernels: attention over pages, experts, quantization."""

import torch

HEADS, KEY_HEADS, D, BATCH, LONG, PAGE, WIDE, EXPERTS, TOKENS = 4, 2, 64, 2, 64, 16, 128, 4, 32
REAL = dict(HEADS=32, KEY_HEADS=8, D=128, BATCH=32, LONG=4096, WIDE=4096, EXPERTS=8, TOKENS=4096)


def _half(*shape):
    return torch.randn(*shape, dtype=torch.bfloat16)


def _pages():
    count = BATCH * LONG // PAGE
    caches = [_half(count, PAGE, KEY_HEADS, D) for _ in range(2)]
    return (*caches, torch.randperm(count).int().view(BATCH, LONG // PAGE))


def unified_attention_decode():
    from vllm.v1.attention.ops.triton_unified_attention import unified_attention
    keys, values, table = _pages()
    q = _half(BATCH, HEADS, D)
    segments = [torch.empty(BATCH, HEADS, 16, *more) for more in ((D,), (), ())]
    unified_attention(q, keys, values, torch.empty_like(q), torch.arange(BATCH + 1).int(), 1,
                      torch.full((BATCH,), LONG - 5).int(), LONG, 0.1, True, (-1, -1), table, 0.0,
                      None, None, None, 1 << 20, 16, *segments)


def unified_attention_prefill():
    from vllm.v1.attention.ops.triton_unified_attention import unified_attention
    keys, values, table = _pages()
    many = LONG // 4
    q = _half(BATCH * many, HEADS, D)
    unified_attention(q, keys, values, torch.empty_like(q), (torch.arange(BATCH + 1) * many).int(),
                      many, torch.full((BATCH,), LONG - 5).int(), LONG, 0.1, True, (-1, -1), table,
                      0.0, None, None, None)


def decode_attention():
    from vllm.v1.attention.ops.triton_decode_attention import decode_attention_fwd
    keys, values, table = _pages()
    for heads in (KEY_HEADS, HEADS):
        q = _half(BATCH, heads, D)
        scale = torch.tensor([1.0])
        decode_attention_fwd(q, keys.view(-1, KEY_HEADS, D), values.view(-1, KEY_HEADS, D),
                             torch.empty_like(q), torch.empty(BATCH, heads), table,
                             torch.full((BATCH,), LONG - 5).int(),
                             torch.empty(BATCH, heads, 4, D + 1), 4, 0.1, PAGE, 0.0, scale, scale)


def prefix_prefill():
    from vllm.v1.attention.ops.prefix_prefill import context_attention_fwd
    count, many = BATCH * LONG // PAGE, LONG // 4
    keys, values = _half(count, KEY_HEADS, D // 8, PAGE, 8), _half(count, KEY_HEADS, D, PAGE)
    table = torch.randperm(count).int().view(BATCH, LONG // PAGE)
    q, k, v = (_half(BATCH * many, heads, D) for heads in (HEADS, KEY_HEADS, KEY_HEADS))
    scale = torch.tensor([1.0])
    context_attention_fwd(q, k, v, torch.empty_like(q), "auto", keys, values, table,
                          (torch.arange(BATCH + 1) * many).int(),
                          torch.full((BATCH,), LONG - 5).int(), LONG, many, scale, scale)


def _experts(tokens, top, block):
    """Tokens by expert, each expert's filled up to whole blocks."""
    chosen = torch.randint(0, EXPERTS, (tokens * top,)).sort()
    ids, owners = [], []
    for expert in range(EXPERTS):
        mine = chosen.indices[chosen.values == expert]
        filled = -len(mine) % block
        ids += [mine, torch.full((filled,), tokens * top)]
        owners += [expert] * ((len(mine) + filled) // block)
    ids = torch.cat(ids).int()
    return ids, torch.tensor(owners).int(), torch.tensor([len(ids)]).int()


def mixture_of_experts():
    import triton.language as tl
    from vllm.model_executor.layers.fused_moe import fused_moe as module
    for tokens, block in ((TOKENS, 128), (max(4, TOKENS // 128), 16)):
        ids, owners, number = _experts(tokens, 2, block)
        a, b = _half(tokens, WIDE), _half(EXPERTS, WIDE, WIDE)
        config = dict(BLOCK_SIZE_M=block, BLOCK_SIZE_N=128, BLOCK_SIZE_K=64, GROUP_SIZE_M=8,
                      num_warps=8 if block == 128 else 4, num_stages=4)
        module.invoke_fused_moe_triton_kernel(
            a, b, _half(tokens, 2, WIDE), None, None, torch.rand(tokens, 2), ids, owners, number,
            False, 2, dict(config), tl.bfloat16, False, False, False, False, False)
        module.invoke_fused_moe_triton_kernel(
            a.to(torch.float8_e4m3fn), b.to(torch.float8_e4m3fn), _half(tokens, 2, WIDE),
            torch.rand(tokens, WIDE // 128), torch.rand(EXPERTS, WIDE // 128, WIDE // 128),
            torch.rand(tokens, 2), ids, owners, number, False, 2, dict(config, BLOCK_SIZE_K=128),
            tl.bfloat16, True, False, False, False, False, [128, 128])


def mixture_of_experts_4_bits():
    import triton.language as tl
    from vllm.model_executor.layers.fused_moe import fused_moe as module
    ids, owners, number = _experts(TOKENS, 2, 64)
    module.invoke_fused_moe_wna16_triton_kernel(
        _half(TOKENS, WIDE), torch.randint(0, 256, (EXPERTS, WIDE, WIDE // 2), dtype=torch.uint8),
        _half(TOKENS, 2, WIDE), _half(EXPERTS, WIDE, WIDE // 128), None, torch.rand(TOKENS, 2), ids,
        owners, number, False, 2, dict(BLOCK_SIZE_M=64, BLOCK_SIZE_N=128, BLOCK_SIZE_K=64,
                                       GROUP_SIZE_M=8, num_warps=4, num_stages=3), tl.bfloat16,
        False, True, [0, 128])


def quantization():
    from vllm.model_executor.layers.quantization.utils import fp8_utils as module
    module.get_w8a8_block_fp8_configs = lambda *_: None
    x = _half(TOKENS, WIDE)
    module.per_token_group_quant_fp8(x, 128)
    module.w8a8_triton_block_scaled_mm(
        x.to(torch.float8_e4m3fn), torch.randn(WIDE, WIDE).to(torch.float8_e4m3fn),
        torch.rand(TOKENS, WIDE // 128), torch.rand(WIDE // 128, WIDE // 128), [128, 128],
        torch.bfloat16)


def merge_states():
    from vllm.v1.attention.ops.triton_merge_attn_states import merge_attn_states
    out = _half(TOKENS * 2, HEADS, D)
    merge_attn_states(torch.empty_like(out), _half(TOKENS * 2, HEADS, D),
                      torch.randn(HEADS, TOKENS * 2), out, torch.randn(HEADS, TOKENS * 2))
