"""Calls of Unsloth's kernels."""

import types

import torch


def _random(*shape, dtype=torch.float16):
    return torch.randn(*shape, dtype=dtype).requires_grad_()


def _both(out):
    out.backward(torch.randn_like(out))


def geglu():
    from unsloth.kernels import geglu as module
    gate, up = torch.randn(1, 6, 100).half(), torch.randn(1, 6, 100).half()
    module.geglu_exact_forward_kernel(gate, up)
    module.geglu_approx_forward_kernel(gate, up)
    for backward in (module.geglu_exact_backward_kernel, module.geglu_approx_backward_kernel):
        backward(torch.randn(6, 100).half(), gate[0].clone(), up[0].clone())


def swiglu():
    from unsloth.kernels import swiglu as module
    gate, up = torch.randn(1, 6, 100).half(), torch.randn(1, 6, 100).half()
    module.swiglu_fg_kernel(gate, up)
    module.swiglu_DWf_DW_dfg_kernel(torch.randn(6, 100).half(), gate[0].clone(), up[0].clone())


def layer_norm():
    from unsloth.kernels.layernorm import fast_layernorm
    norm = torch.nn.LayerNorm(128).half()
    _both(fast_layernorm(norm, _random(2, 6, 128)))


def rope():
    from unsloth.kernels.rope_embedding import fast_rope_embedding
    q, k = fast_rope_embedding(_random(1, 4, 6, 32), _random(1, 2, 6, 32),
                               torch.randn(6, 32).half(), torch.randn(6, 32).half())
    torch.autograd.backward([q, k], [torch.randn_like(q), torch.randn_like(k)])


def cross_entropy():
    from unsloth.kernels.cross_entropy_loss import Fast_CrossEntropyLoss
    _both(Fast_CrossEntropyLoss.apply(_random(6, 100, dtype=torch.float32),
                                      torch.tensor([3, 99, -100, 0, 57, 12]), 0, 0))


def fp8():
    from unsloth.kernels import fp8 as module
    weights, scales = torch.randn(128, 256).to(torch.float8_e4m3fn), torch.rand(1, 2)
    module.weight_dequant_block(weights, scales, 128, torch.float16)
    rows, row_scales = module.act_quant(torch.randn(16, 256).half())
    module.w8a8_block_fp8_matmul_triton(rows, weights, row_scales, scales, [128, 128],
                                        torch.float16)
