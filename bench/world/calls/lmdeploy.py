"""Calls of LMDeploy's kernels."""

import torch


def _half(*shape):
    return torch.randn(*shape, dtype=torch.float16)


def silu():
    from lmdeploy.pytorch.kernels.cuda.activation import silu_and_mul
    silu_and_mul(_half(6, 256))


def rotary():
    from lmdeploy.pytorch.kernels.cuda.apply_rotary_pos_emb import apply_rotary_pos_emb
    apply_rotary_pos_emb(_half(6, 4, 32), _half(6, 2, 32), _half(6, 32), _half(6, 32))


def norm():
    from lmdeploy.pytorch.kernels.cuda.rms_norm import rms_norm
    rms_norm(_half(6, 100), _half(100))
    rms_norm(_half(6, 100), _half(100), residual=_half(6, 100))


def dynamic_quantization():
    from lmdeploy.pytorch.kernels.cuda import w8a8_triton_kernels as module
    rows, scales = module.rms_norm_dynamic_quant(_half(16, 128), _half(128), 1e-6)
    module.matmul_kernel_dynamic_quant(rows, torch.randint(-127, 127, (64, 128), dtype=torch.int8),
                                       scales, torch.rand(64, 1))
    module.per_token_quant_int8(_half(16, 128), 1e-7)


def pages():
    from lmdeploy.pytorch.kernels.cuda.fill_kv_cache import fill_kv_cache
    from lmdeploy.pytorch.kernels.cuda.flatten_kv_cache import flatten_kv_cache
    caches = _half(8, 16, 2, 32), _half(8, 16, 2, 32)
    table = torch.randperm(8).view(2, 4)
    starts, lengths, all_ = torch.tensor([0, 7]), torch.tensor([7, 5]), torch.tensor([20, 9])
    fill_kv_cache(_half(12, 2, 32), _half(12, 2, 32), *caches, starts, lengths, all_, 7, table)
    flatten_kv_cache(*caches, all_, table)


def attention():
    from lmdeploy.pytorch.kernels.cuda.flashattention import flash_attn_varlen_func
    offsets = torch.tensor([0, 7, 12]).int()
    flash_attn_varlen_func(_half(12, 4, 32), _half(2, 12, 32), _half(2, 12, 32), offsets, offsets,
                           7, 7, causal=True)


def paged_attention():
    from lmdeploy.pytorch.kernels.cuda.pagedattention import flash_attn_with_kvcache
    flash_attn_with_kvcache(_half(2, 4, 32), _half(8, 16, 2, 32), _half(8, 16, 2, 32),
                            torch.tensor([50, 20]), torch.randperm(8).view(2, 4), max_seqlen_q=1)


def low_rank():
    from lmdeploy.pytorch.kernels.cuda.fused_lora import fused_lora
    fused_lora(_half(12, 64), _half(24, 64), _half(24, 48), torch.tensor([1.0, 2.0]),
               torch.tensor([0, 8]), torch.tensor([8, 16]), torch.tensor([0, 7]),
               torch.tensor([7, 5]), torch.tensor([1, 0]), 16, 7)


def sampling():
    from lmdeploy.pytorch.kernels.cuda.multinomial_sampling import multinomial_sampling
    multinomial_sampling(torch.rand(4, 100).softmax(-1), torch.tensor([1, 2, 3, 4]),
                         torch.tensor([0, 1, 2, 3]))


def sparse_indices():
    from lmdeploy.pytorch.kernels.cuda import v4_sparse_indices as module
    module.build_decode_window_sparse_indices(torch.tensor([40, 9]), torch.tensor([39, 8]),
                                              torch.tensor([False, False]), 16)
    module.build_decode_compressed_sparse_indices(torch.randint(0, 8, (2, 1, 6)),
                                                  torch.randperm(8).view(2, 4), 16, 4)


def delta_preprocessing():
    from lmdeploy.pytorch.kernels.cuda.gated_delta_preprocess import gated_delta_preprocess
    gated_delta_preprocess(_half(1, 6, 2, 32), _half(1, 6, 2, 32), _half(1, 6, 4), _half(1, 6, 4),
                           torch.randn(4), torch.rand(4), 2)


def cache_copies():
    from lmdeploy.pytorch.kernels.cuda.copy_cache import copy_cache_blocks
    copy_cache_blocks(torch.randn(3, 8, 64), 1, torch.tensor([0, 2]), torch.tensor([4, 6]), 1)
