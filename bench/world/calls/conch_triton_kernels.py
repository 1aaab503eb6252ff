"""Calls of conch's operations for serving: attention over pages, quantization, boxes, voxels."""

import torch


def gelu():
    from conch.ops.activation.gelu_tanh_and_mul import gelu_tanh_and_mul
    gelu_tanh_and_mul(torch.randn(6, 200))


def silu():
    from conch.ops.activation.silu_and_mul import silu_and_mul
    silu_and_mul(torch.randn(6, 200, dtype=torch.float16))


def norms():
    from conch.ops.normalization.gemma_rms_norm import gemma_rms_norm
    from conch.ops.normalization.rms_norm import fused_add_rms_norm, rms_norm
    rms_norm(torch.randn(6, 100), torch.randn(100), 1e-6)
    fused_add_rms_norm(torch.randn(6, 100), torch.randn(6, 100), torch.randn(100), 1e-6)
    gemma_rms_norm(torch.randn(6, 100), torch.randn(100), 1e-6, torch.randn(6, 100))


def rotary():
    from conch.ops.embedding.rotary_embedding import rotary_embedding
    rotary_embedding(torch.randint(0, 50, (6,)), torch.randn(6, 4 * 32), torch.randn(6, 2 * 32), 32,
                     torch.randn(50, 32))


def paged_attention():
    from conch.ops.attention.paged_attention import paged_attention as function
    pages = torch.randn(2, 8, 16, 2, 32, dtype=torch.float16)
    function(torch.randn(2, 4, 32, dtype=torch.float16), pages[0], pages[1],
             torch.randperm(8).int().view(2, 4), torch.tensor([50, 20]).int())


def variable_attention():
    from conch.ops.attention.varlen_attention import varlen_attention
    pages = torch.randn(2, 8, 16, 2, 32, dtype=torch.float16)
    varlen_attention(torch.randn(12, 4, 32, dtype=torch.float16), pages[0], pages[1],
                     torch.tensor([0, 7, 12]).int(), 7, torch.tensor([50, 20]).int(), 50,
                     torch.randperm(8).int().view(2, 4), causal=True)


def unified_attention():
    from conch.third_party.vllm.unified_attention import unified_attention as function
    pages = torch.randn(2, 8, 16, 2, 32, dtype=torch.float16)
    q = torch.randn(12, 4, 32, dtype=torch.float16)
    for slopes, window, softcap in ((None, -1, 0.0), (torch.rand(4), 20, 30.0)):
        function(q, pages[0], pages[1], torch.empty_like(q), torch.tensor([0, 7, 12]).int(), 7,
                 torch.tensor([50, 20]).int(), 50, 0.2, True, (window, 0),
                 torch.randperm(8).int().view(2, 4), softcap, None, None, None, slopes)


def quantization():
    from conch.ops.quantization.fp8 import scaled_fp8_quant
    from conch.ops.quantization.int8 import scaled_int8_quant
    x = torch.randn(6, 96)
    scaled_fp8_quant(x, torch.tensor([0.02]))
    scaled_int8_quant(x, torch.tensor([0.02]))


def blockwise():
    from conch.ops.quantization.bitsandbytes.functional import dequantize_4bit, quantize_4bit
    for kind in ("fp4", "nf4"):
        packed, state = quantize_4bit(torch.randn(8, 64), quant_type=kind)
        dequantize_4bit(packed, state, out=torch.empty(512))


def boxes():
    from conch.ops.vision.nms import nms
    corner = torch.rand(40, 2)
    nms(torch.cat([corner, corner + torch.rand(40, 2) * 0.5], 1), torch.rand(40), 0.4)


def bird_view():
    from conch.ops.vision.bev_pool import bev_pool, bev_pool_backward
    cells = torch.stack([torch.arange(20) % 4, torch.arange(20) // 4 % 4, torch.zeros(20),
                         torch.zeros(20)], 1).int()
    starts, lengths = torch.arange(0, 20, 2).int(), torch.full((10,), 2).int()
    pooled = bev_pool(torch.randn(20, 32), cells, starts, lengths, 1, 1, 4, 5)
    bev_pool_backward(torch.randn_like(pooled), cells, starts, lengths)


def voxels():
    from conch.ops.vision.voxelization import VoxelizationParameter, generate_voxels
    parameter = VoxelizationParameter(min_range=(0.0, 0.0, 0.0), max_range=(4.0, 4.0, 2.0),
                                      voxel_dim=(1.0, 1.0, 1.0), max_num_points_per_voxel=3)
    generate_voxels(torch.rand(30, 4) * 4, parameter)


def caches():
    from conch.ops.vllm.copy_blocks import copy_blocks
    from conch.ops.vllm.reshape_and_cache import reshape_and_cache
    keys, values = ([torch.randn(6, 128) for _ in range(2)] for _ in range(2))
    copy_blocks(keys, values, torch.tensor([[0, 3], [1, 5]]))
    reshape_and_cache(torch.randn(5, 2, 32), torch.randn(5, 2, 32), torch.zeros(4, 16, 2, 32),
                      torch.zeros(4, 16, 2, 32), torch.tensor([3, 17, 40, -1, 8]))
