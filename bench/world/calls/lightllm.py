"""Calls of LightLLM's kernels: two requests of 20 and 9 tokens in a table of a token's places."""

import torch

HEADS, KEY_HEADS, D = 4, 2, 64
LENGTHS = torch.tensor([20, 9]).int()
STARTS = torch.tensor([0, 20]).int()
LONGEST, TOKENS = 20, 29


def _half(*shape):
    return torch.randn(*shape, dtype=torch.float16)


def _requests():
    """The table of places, and each request's row of it."""
    return torch.randperm(64).int().view(2, 32), torch.tensor([1, 0]).int()


def penalty():
    from lightllm.common.basemodel.triton_kernel.apply_penalty import apply_penalty
    ids = torch.cat([torch.randperm(100)[:5], torch.randperm(100)[:3]]).int()
    apply_penalty(torch.randn(2, 100), torch.rand(2), torch.rand(2), torch.rand(2) + 1, ids,
                  torch.randint(1, 4, (8,)).int(), torch.tensor([0, 5, 8]).int(), 5)


def indices():
    from lightllm.common.basemodel.triton_kernel.copy_kv_index_to_req import copy_kv_index_to_req
    from lightllm.common.basemodel.triton_kernel.splitfuse_copy_kv_index_to_req import \
        splitfuse_copy_kv_index_to_req
    table, rows = _requests()
    copy_kv_index_to_req(table, rows, LENGTHS, torch.tensor([60, 61]).int())
    splitfuse_copy_kv_index_to_req(table, rows, torch.tensor([16, 4]).int(), LENGTHS,
                                   torch.arange(9).int())


def copies():
    from lightllm.common.basemodel.triton_kernel import destindex_copy_kv as module
    from lightllm.models.llama.triton_kernel import ppl_quant_copy_kv
    keys, places = _half(5, KEY_HEADS, D), torch.tensor([7, 1, 9, 2, 3]).int()
    module.destindex_copy_kv(keys, places, _half(16, KEY_HEADS, D))
    module.destindex_copy_quantize_kv(keys, places, torch.zeros(16, KEY_HEADS, D, dtype=torch.int8),
                                      _half(16, KEY_HEADS, 1))
    ppl_quant_copy_kv.destindex_copy_quantize_kv(
        keys, places, torch.zeros(16, KEY_HEADS, D, dtype=torch.int8), _half(16, KEY_HEADS, D // 8))


def int4():
    from lightllm.common.basemodel.triton_kernel import dequantize_gemm_int4 as module
    words = torch.randint(-2**31, 2**31 - 1, (32, 128), dtype=torch.int32)
    zeros = torch.randint(-2**31, 2**31 - 1, (2, 16), dtype=torch.int32)
    scales = _half(2, 128)
    module.dequantize_int4(words, scales, zeros, "cuda", torch.float16, 128)
    module.matmul_dequantize_int4_gptq(_half(16, 256), words, scales, zeros, 128)
    module.matmul_dequantize_int4_s2(_half(16, 256), words, scales, zeros, 128)


def int8():
    from lightllm.common.basemodel.triton_kernel import dequantize_gemm_int8, quantize_gemm_int8
    weights = torch.randint(-127, 127, (64, 128), dtype=torch.int8)
    dequantize_gemm_int8.matmul_dequantize_int8(_half(16, 64), weights, _half(128))
    rows, scales = quantize_gemm_int8.quantize_int8_perrow(_half(16, 64))
    quantize_gemm_int8.matmul_int8(rows, scales, weights, _half(128))


def images():
    from lightllm.common.basemodel.triton_kernel.multimodal_emb import multimodal_emb
    multimodal_emb(_half(6, 64), torch.tensor([3, 200, 201, 7, 100, 101]), _half(100, 64),
                   _half(8, 64), torch.tensor([2, 2]), torch.tensor([200, 100]),
                   torch.tensor([0, 4]), 0, 100)


def norms():
    from lightllm.models.bloom.triton_kernel.layernorm import layernorm_forward
    from lightllm.models.llama.triton_kernel.rmsnorm import rmsnorm_forward
    layernorm_forward(_half(6, 128), _half(128), _half(128), 1e-5)
    rmsnorm_forward(_half(6, 128), _half(128), 1e-5)


def activations():
    from lightllm.models.llama.triton_kernel.silu_and_mul import silu_and_mul_fwd
    silu_and_mul_fwd(_half(6, 256))


def rotary():
    from lightllm.models.chatglm2.triton_kernel import rotary_emb as chatglm
    from lightllm.models.llama.triton_kernel import rotary_emb as llama
    llama.rotary_emb_fwd(_half(6, HEADS, D), _half(6, KEY_HEADS, D), _half(6, D // 2),
                         _half(6, D // 2))
    chatglm.rotary_emb_fwd(_half(6, HEADS, D), _half(6, KEY_HEADS, D), _half(6, D // 4),
                           _half(6, D // 4))


def _prompt():
    return (_half(TOKENS, HEADS, D), _half(64, KEY_HEADS, D), _half(64, KEY_HEADS, D),
            _half(TOKENS, HEADS, D))


def context_attention():
    from lightllm.models.llama.triton_kernel import context_flashattention_nopad as module
    table, rows = _requests()
    module.context_attention_fwd(*_prompt(), rows, STARTS, LENGTHS + 3,
                                 torch.tensor([3, 3]).int(), LONGEST, table)
    module.context_attention_fwd_no_prompt_cache(*_prompt(), STARTS, LENGTHS, LONGEST)


def context_attention_window():
    from lightllm.models.mistral.triton_kernel import context_flashattention_nopad as module
    module.context_attention_fwd(*_prompt(), STARTS, LENGTHS, LONGEST, 8)


def context_attention_slopes():
    from lightllm.models.bloom.triton_kernel import context_flashattention_nopad as module
    table, rows = _requests()
    q, _, _, o = _prompt()
    k, v = _half(64, HEADS, D), _half(64, HEADS, D)
    module.context_attention_fwd(q, k, v, o, rows, torch.rand(HEADS), STARTS, LENGTHS + 3,
                                 torch.tensor([3, 3]).int(), LONGEST, table)


def split_attention():
    from lightllm.models.llama.triton_kernel import splitfuse_context_flashattention_nopad as module
    table, rows = _requests()
    q, k, v, o = _prompt()
    rest = (2, table, rows, STARTS, torch.tensor([3, 3]).int(), LENGTHS + 3, LONGEST)
    module.splitfuse_context_attention_fwd(q, k, v, o, *rest)
    scales = torch.rand(64, KEY_HEADS, D // 8).half()
    bytes_ = torch.randint(-127, 127, (64, KEY_HEADS, D), dtype=torch.int8)
    module.splitfuse_context_attention_fwd_int8kv(q, bytes_, scales, bytes_, scales, o, *rest)


def decode_attention():
    from lightllm.models.llama.triton_kernel import (flash_decoding_stage1, flash_decoding_stage2,
                                                     gqa_decode_flashattention_nopad)
    table, rows = _requests()
    q, k, v = _half(2, HEADS, D), _half(64, KEY_HEADS, D), _half(64, KEY_HEADS, D)
    parts, sums = torch.zeros(2, HEADS, 2, D), torch.zeros(2, HEADS, 2)
    flash_decoding_stage1.flash_decode_stage1(q, k, v, table, rows, LENGTHS, LONGEST, parts, sums,
                                              16)
    flash_decoding_stage2.flash_decode_stage2(parts, sums, LENGTHS, torch.empty_like(q), 16)
    gqa_decode_flashattention_nopad.gqa_decode_attention_fwd(q, k, v, torch.empty_like(q), table,
                                                             rows, LENGTHS)


def decode_attention_grouped():
    from lightllm.models.llama.triton_kernel import (gqa_flash_decoding_stage1,
                                                     gqa_flash_decoding_stage2)
    table, rows = _requests()
    q, k, v = _half(2, HEADS, D), _half(64, KEY_HEADS, D), _half(64, KEY_HEADS, D)
    parts, sums = torch.zeros(2, HEADS, 2, D), torch.zeros(2, HEADS, 2)
    gqa_flash_decoding_stage1.flash_decode_stage1(
        torch.tensor([0, 0, 1]).int(), torch.tensor([0, 16, 0]).int(), q, k, v, table, rows,
        LENGTHS, parts, sums, 16)
    gqa_flash_decoding_stage2.flash_decode_stage2(parts, sums, LENGTHS, torch.empty_like(q), 16)


def token_attention():
    from lightllm.models.llama.triton_kernel import (token_attention_nopad_att1,
                                                     token_attention_nopad_reduceV,
                                                     token_attention_nopad_softmax,
                                                     token_attention_softmax_and_reducev)
    table, rows = _requests()
    q, k, v = _half(2, HEADS, D), _half(64, KEY_HEADS, D), _half(64, KEY_HEADS, D)
    scores, weights = _half(HEADS, TOKENS), _half(HEADS, TOKENS)
    token_attention_nopad_att1.token_att_fwd(q, k, scores, table, rows, STARTS, LENGTHS, LONGEST)
    token_attention_nopad_softmax.token_softmax_fwd(scores, STARTS, LENGTHS, weights, LONGEST)
    token_attention_nopad_reduceV.token_att_fwd2(weights, v, torch.empty_like(q), table, rows,
                                                 STARTS, LENGTHS)
    token_attention_softmax_and_reducev.token_softmax_reducev_fwd(
        scores, v, torch.empty_like(q), table, rows, STARTS, LENGTHS, 0)
    bytes_ = torch.randint(-127, 127, (64, KEY_HEADS, D), dtype=torch.int8)
    scales = torch.rand(64, KEY_HEADS, 1).half()
    token_attention_nopad_att1.token_att_fwd_int8k(q, bytes_, scales, scores, table, rows, STARTS,
                                                   LENGTHS, LONGEST)
    token_attention_nopad_reduceV.token_att_fwd2_int8v(weights, bytes_, scales,
                                                       torch.empty_like(q), table, rows, STARTS,
                                                       LENGTHS, LONGEST)


def token_attention_slopes():
    from lightllm.models.bloom.triton_kernel import (token_attention_nopad_att1,
                                                     token_attention_nopad_reduceV,
                                                     token_attention_nopad_softmax)
    table, rows = _requests()
    q, k, v = _half(2, HEADS, D), _half(64, KEY_HEADS, D), _half(64, KEY_HEADS, D)
    scores, weights = _half(HEADS, TOKENS), _half(HEADS, TOKENS)
    token_attention_nopad_att1.token_att_fwd(q, k, scores, torch.rand(HEADS), table, rows, STARTS,
                                             LENGTHS, LONGEST)
    token_attention_nopad_softmax.token_softmax_fwd(scores, STARTS, LENGTHS, weights, LONGEST)
    token_attention_nopad_reduceV.token_att_fwd2(weights, v, torch.empty_like(q), table, rows,
                                                 STARTS, LENGTHS)


def token_attention_window():
    from lightllm.models.mistral.triton_kernel import (token_attention_nopad_att1,
                                                       token_attention_nopad_reduceV,
                                                       token_attention_softmax_and_reducev)
    table, rows = _requests()
    q, k, v = _half(2, HEADS, D), _half(64, KEY_HEADS, D), _half(64, KEY_HEADS, D)
    inside = torch.tensor([8, 8]).int()
    window = LENGTHS - inside
    starts = torch.tensor([0, 8]).int()
    scores = _half(HEADS, 64)
    token_attention_nopad_att1.token_att_fwd(q, k, scores, table, rows, STARTS, LENGTHS, window,
                                             starts, inside, 8)
    token_attention_nopad_reduceV.token_att_fwd2(scores, v, torch.empty_like(q), table, rows,
                                                 STARTS, LENGTHS, window, starts, inside)
    token_attention_softmax_and_reducev.token_softmax_reducev_fwd(
        scores, v, torch.empty_like(q), table, rows, STARTS, LENGTHS, window, starts, inside, 0)
