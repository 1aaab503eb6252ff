"""Calls of Unsloth's kernels."""

import torch

ROWS, COLUMNS, WORDS, TIMES, HEADS, D, WIDE = 6, 100, 100, 6, 4, 32, 128
REAL = dict(ROWS=8192, COLUMNS=8192, WORDS=32000, TIMES=4096, HEADS=32, D=128, WIDE=4096)


def _random(*shape, dtype=torch.float16):
    return torch.randn(*shape, dtype=dtype).requires_grad_()


def _both(out):
    out.backward(torch.randn_like(out))


def geglu():
    from unsloth.kernels import geglu as module
    gate, up = torch.randn(1, ROWS, COLUMNS).half(), torch.randn(1, ROWS, COLUMNS).half()
    module.geglu_exact_forward_kernel(gate, up)
    module.geglu_approx_forward_kernel(gate, up)
    for backward in (module.geglu_exact_backward_kernel, module.geglu_approx_backward_kernel):
        backward(torch.randn(ROWS, COLUMNS).half(), gate[0].clone(),
                                   up[0].clone())


def swiglu():
    from unsloth.kernels import swiglu as module
    gate, up = torch.randn(1, ROWS, COLUMNS).half(), torch.randn(1, ROWS, COLUMNS).half()
    module.swiglu_fg_kernel(gate, up)
    module.swiglu_DWf_DW_dfg_kernel(torch.randn(ROWS, COLUMNS).half(), gate[0].clone(),
                                   up[0].clone())


def layer_norm():
    from unsloth.kernels.layernorm import fast_layernorm
    norm = torch.nn.LayerNorm(128).half()
    _both(fast_layernorm(norm, _random(2, TIMES, 128)))


def rope():
    from unsloth.kernels.rope_embedding import fast_rope_embedding
    q, k = fast_rope_embedding(_random(1, HEADS, TIMES, D), _random(1, HEADS // 2, TIMES, D),
                               torch.randn(TIMES, D).half(), torch.randn(TIMES, D).half())
    torch.autograd.backward([q, k], [torch.randn_like(q), torch.randn_like(k)])


def cross_entropy():
    from unsloth.kernels.cross_entropy_loss import Fast_CrossEntropyLoss
    _both(Fast_CrossEntropyLoss.apply(_random(ROWS, WORDS, dtype=torch.float32),
                                      torch.randint(0, WORDS, (ROWS,)), 0, 0))


def fp8():
    from unsloth.kernels import fp8 as module
    weights, scales = (torch.randn(WIDE, 2 * WIDE).to(torch.float8_e4m3fn),
                       torch.rand(WIDE // 128, WIDE // 64))
    module.weight_dequant_block(weights, scales, 128, torch.float16)
    rows, row_scales = module.act_quant(torch.randn(TIMES + 10, 2 * WIDE).half())
    module.w8a8_block_fp8_matmul_triton(rows, weights, row_scales, scales, [128, 128],
                                        torch.float16)
