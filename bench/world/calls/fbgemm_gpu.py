"""Calls of FBGEMM's operations on jagged tensors: rows of 5, 12 and 7."""

import torch

OFFSETS = torch.tensor([0, 5, 17, 24])
LENGTHS = OFFSETS.diff()
LONGEST, TOTAL, D = 12, 24, 32


def dense_concatenation():
    from fbgemm_gpu.sll.triton import triton_dense_jagged_cat_jagged_out as module
    module.dense_jagged_cat_jagged_out(torch.randn(3), torch.randn(TOTAL), OFFSETS, LONGEST)


def padded():
    from fbgemm_gpu.sll.triton import triton_jagged2_to_padded_dense as module
    squares = torch.cat([torch.zeros(1), (LENGTHS**2).cumsum(0)]).long()
    values = torch.randn(int(squares[-1]))
    dense = module.jagged2_to_padded_dense_fwd(values, LENGTHS, squares, LONGEST, 0.5)
    module.padded_dense_to_jagged2_fwd(dense, LENGTHS, squares, LONGEST)


def products():
    from fbgemm_gpu.sll.triton import triton_jagged_bmm as module
    module.triton_jagged_dense_bmm(torch.randn(TOTAL, D), torch.randn(3, D, 16), OFFSETS, LONGEST,
                                   False)
    module.triton_jagged_jagged_bmm(torch.randn(D, TOTAL), torch.randn(TOTAL, 16), OFFSETS,
                                    LONGEST, False)


def jagged_products():
    from fbgemm_gpu.sll.triton import triton_jagged_bmm_jagged_out as module
    squares = torch.cat([torch.zeros(1), (LENGTHS**2).cumsum(0)]).long()
    module.triton_jagged_jagged_bmm_jagged_out(torch.randn(TOTAL, D), torch.randn(D, TOTAL),
                                               LONGEST, LENGTHS, LENGTHS, LENGTHS**2, OFFSETS,
                                               OFFSETS, squares)
    module.triton_array_jagged_bmm_jagged_out(torch.randn(int(squares[-1])), torch.randn(TOTAL, D),
                                              LENGTHS, LENGTHS, LENGTHS, squares, OFFSETS, OFFSETS,
                                              LONGEST)


def elementwise():
    from fbgemm_gpu.sll.triton import triton_jagged_dense_elementwise_mul_jagged_out as product
    from fbgemm_gpu.sll.triton.triton_jagged_self_substraction_jagged_out import \
        triton_jagged_self_substraction_jagged_out
    squares = torch.cat([torch.zeros(1), (LENGTHS**2).cumsum(0)]).long()
    product.triton_jagged_dense_elementwise_mul_jagged_out(
        torch.randn(int(squares[-1])), torch.randn(LONGEST, LONGEST), LENGTHS, squares, LONGEST)
    triton_jagged_self_substraction_jagged_out(torch.randn(TOTAL), OFFSETS, squares, LONGEST)


def softmax():
    from fbgemm_gpu.sll.triton import triton_jagged_softmax as module
    x = torch.randn(TOTAL, D).requires_grad_()
    out = module.JaggedSoftmax.apply(x, OFFSETS, LONGEST)
    out.backward(torch.randn_like(out))


def attention():
    from fbgemm_gpu.sll.triton import triton_jagged_flash_attention_basic as module
    q, k, v = (torch.randn(TOTAL, D) for _ in range(3))
    out, lse = module.jagged_flash_attention_basic_fwd(q, k.T, v, OFFSETS, LONGEST, True)
    module.jagged_flash_attention_basic_backward(q, k, v, out, OFFSETS, torch.randn_like(out), lse,
                                                 LONGEST, True)


def attention_of_heads():
    from fbgemm_gpu.sll.triton import triton_multi_head_jagged_flash_attention as module
    q, k, v = (torch.randn(2, TOTAL, D) for _ in range(3))
    out, lse = module.multi_head_jagged_flash_attention_fwd(q, k, v, OFFSETS, LONGEST)
    module.multi_head_jagged_flash_attention_bwd(q, k, v, out, OFFSETS, torch.randn_like(out), lse,
                                                 LONGEST)


def attention_with_bias():
    from fbgemm_gpu.sll.triton import triton_jagged_dense_flash_attention as module
    q, k, v = torch.randn(TOTAL, D), torch.randn(3, D, LONGEST), torch.randn(TOTAL, D)
    bias = torch.randn(3, LONGEST, LONGEST)
    out, lse = module.jagged_dense_flash_attention_fwd(q, k, v, bias, OFFSETS, LONGEST)
    module.jagged_dense_flash_attention_bwd(q, k, v, out, lse, torch.randn_like(out), bias, OFFSETS,
                                            LONGEST)


def conversions():
    from fbgemm_gpu.triton.jagged import triton_jagged_tensor_ops as module
    values = torch.randn(TOTAL, D)
    dense = module.jagged_to_dense(values, [OFFSETS], [LONGEST])
    module.dense_to_jagged(dense, [OFFSETS])
    module.batched_dense_vec_jagged_2d_matmul(torch.randn(3, LONGEST), values, OFFSETS)


def mx4():
    from fbgemm_gpu.triton.quantize import triton_dequantize_mx4, triton_quantize_mx4
    packed = triton_quantize_mx4(torch.randn(8, 64))
    triton_dequantize_mx4(packed)
