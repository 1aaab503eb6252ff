"""Calls of torchao's kernels for quantization."""

import torch

ROWS, COLUMNS, TIMES, D = 16, 256, 16, 64
REAL = dict(ROWS=4096, COLUMNS=8192, TIMES=4096, D=128)


def _half(*shape):
    return torch.randn(*shape, dtype=torch.float16)


def blockwise():
    from torchao.kernel import blockwise_quantization as module
    rows, row_scales = module.fp8_blockwise_act_quant(torch.randn(ROWS, COLUMNS))
    weights, scales = module.fp8_blockwise_weight_quant(torch.randn(max(ROWS, 128), COLUMNS))
    module.fp8_blockwise_weight_dequant(weights, scales)
    module.blockwise_fp8_gemm(rows, row_scales, weights, scales)


def integer_product():
    from torchao.kernel import intmm_triton as module
    import triton
    a, b = (torch.randint(-127, 127, (4 * ROWS, 4 * ROWS), dtype=torch.int8) for _ in range(2))
    config = triton.Config(dict(BLOCK_M=32, BLOCK_N=32, BLOCK_K=32, GROUP_M=8), num_warps=4,
                           num_stages=2)
    module.int_matmul_kernel(a, b, torch.empty(4 * ROWS, 4 * ROWS, dtype=torch.int32), config)
    module.int_scaled_matmul_kernel(a, b, torch.rand(4 * ROWS, 1),
                                    torch.empty(4 * ROWS, 4 * ROWS), config)


def attention():
    from torchao.prototype.attention.quantization import triton_hadamard_utils, \
        triton_qkv_quantization, triton_rope_qkv_quantization
    q, k, v = _half(1, 4, TIMES, D), _half(1, 4, TIMES, D), _half(1, 4, TIMES, D)
    triton_qkv_quantization.triton_fp8_sdpa_quantize(q, k, v, 2)
    triton_hadamard_utils.inverse_hadamard_transform(q, 2)
    q, k, v = (one.transpose(1, 2).contiguous() for one in (q, k, v))
    triton_rope_qkv_quantization.triton_fp8_rope_sdpa_quantize(q, k, v, torch.randn(TIMES, D),
                                                               torch.randn(TIMES, D), 2)


def attention_inference():
    from torchao.prototype.fp8_sdpa_inference import fp8_sdpa_quantization as module
    q, k, v = _half(1, 4, TIMES, D), _half(1, 4, TIMES, D), _half(1, 4, TIMES, D)
    module.qkv_quantize_func(q, k, v, 2)
    module.q_quantize_func(q, 2)
    module.kv_quantize_func(k, v, 2)


def blockwise_training():
    from torchao.prototype.blockwise_fp8_training import kernels as module
    x, w = torch.randn(max(ROWS, 128), COLUMNS), torch.randn(COLUMNS, COLUMNS)
    lhs = module.triton_fp8_blockwise_act_quant_lhs(x)
    weight = module.triton_fp8_blockwise_weight_quant_rhs(w)
    module.triton_fp8_blockwise_weight_quant_transposed_rhs(w)
    module.triton_fp8_blockwise_act_quant_rhs(x)
    module.triton_fp8_blockwise_act_quant_transposed_lhs(x)
    module.triton_fp8_gemm_1x128_128x128(lhs[0], weight[0], lhs[1], weight[1])


def tensorwise():
    from torchao.float8.config import ScalingGranularity
    from torchao.float8.float8_training_tensor import LinearMMConfig
    from torchao.prototype.float8nocompile.kernels import fp8_dynamic_tensorwise as module
    del ScalingGranularity
    for algorithm in module.KernelAlgorithm:
        module.hp_to_fp8_row_major(torch.randn(4 * ROWS, 4 * ROWS), torch.float8_e4m3fn,
                                   LinearMMConfig(), algo=algorithm)
        module.hp_to_fp8_row_major_t(torch.randn(4 * ROWS, 4 * ROWS), torch.float8_e4m3fn,
                                     LinearMMConfig(), algo=algorithm)
        module.hp_to_fp8_row_and_col_major(torch.randn(4 * ROWS, 4 * ROWS), torch.float8_e4m3fn,
                                           LinearMMConfig(), algo=algorithm)


def microscaling():
    from torchao.prototype.mx_formats import kernels as module
    data = torch.randn(2 * ROWS, COLUMNS).to(torch.float8_e4m3fn)
    module.triton_mxfp8_dequant_dim0(data, torch.randint(120, 130, (2 * ROWS, COLUMNS // 32),
                                                           dtype=torch.uint8)
                                     .view(torch.float8_e8m0fnu), torch.float32, 32)
