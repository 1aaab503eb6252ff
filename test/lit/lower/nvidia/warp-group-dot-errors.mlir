// Products of warpgroups that cannot be: each error says why.

// RUN: tilewright-opt %s -split-input-file -allocate-shared-memory -convert-triton-gpu-to-llvm -verify-diagnostics

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8, 8]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 32}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func private @order(%c: tensor<64x8xf32, #mma>) -> tensor<64x8xf32, #mma> {
    %a = ttg.local_alloc : () -> !ttg.memdesc<64x32xf32, #shared, #smem, mutable>
    %b = ttg.local_alloc : () -> !ttg.memdesc<32x8xf32, #shared1, #smem, mutable>
    // expected-error @+2 {{because no descriptor of wgmma names its right operand in shared memory: its elements of 32 bits are not contiguous along K: only those of 16 bits may be contiguous along M or N}}
    // expected-note @+1 {{pass the operand in an #ttg.nvmma_shared that wgmma reads}}
    %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32} : !ttg.memdesc<64x32xf32, #shared, #smem, mutable> * !ttg.memdesc<32x8xf32, #shared1, #smem, mutable> -> tensor<64x8xf32, #mma>
    tt.return %d : tensor<64x8xf32, #mma>
  }

  tt.func private @precision(%c: tensor<64x8xf32, #mma>) -> tensor<64x8xf32, #mma> {
    %a = ttg.local_alloc : () -> !ttg.memdesc<64x32xf32, #shared, #smem, mutable>
    %b = ttg.local_alloc : () -> !ttg.memdesc<32x8xf32, #shared1, #smem, mutable>
    // expected-error @+2 {{with f32 operands that are to keep their precision: wgmma takes of them what tf32 has}}
    // expected-note @+1 {{inputPrecision = 0 (tf32) allows that}}
    %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 2 : i32} : !ttg.memdesc<64x32xf32, #shared, #smem, mutable> * !ttg.memdesc<32x8xf32, #shared1, #smem, mutable> -> tensor<64x8xf32, #mma>
    tt.return %d : tensor<64x8xf32, #mma>
  }
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8, 16]}>
#dot = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#plain = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = true, elementBitWidth = 16}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 16}>
#rows = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func private @registers(%a: tensor<64x8xf16, #dot>, %c: tensor<64x8xf32, #mma>) -> tensor<64x8xf32, #mma> {
    %b = ttg.local_alloc : () -> !ttg.memdesc<8x8xf16, #plain, #smem, mutable>
    // expected-error @+2 {{with a left operand whose registers are not those of wgmma's}}
    // expected-note @+1 {{#ttg.dot_op with kWidth = 2, and at least 16 elements along K}}
    %d = ttng.warp_group_dot %a, %b, %c : tensor<64x8xf16, #dot> * !ttg.memdesc<8x8xf16, #plain, #smem, mutable> -> tensor<64x8xf32, #mma>
    tt.return %d : tensor<64x8xf32, #mma>
  }

  tt.func private @layout(%c: tensor<64x8xf32, #mma>) -> tensor<64x8xf32, #mma> {
    %a = ttg.local_alloc : () -> !ttg.memdesc<64x32xf16, #rows, #smem, mutable>
    %b = ttg.local_alloc : () -> !ttg.memdesc<32x8xf16, #shared, #smem, mutable>
    // expected-error @+2 {{because no descriptor of wgmma names its left operand in shared memory: its layout is none of rows of 128, 64 or 32 bytes that are swizzled, nor of 16 bytes that are not}}
    // expected-note @+1 {{pass the operand in an #ttg.nvmma_shared that wgmma reads}}
    %d = ttng.warp_group_dot %a, %b, %c : !ttg.memdesc<64x32xf16, #rows, #smem, mutable> * !ttg.memdesc<32x8xf16, #shared, #smem, mutable> -> tensor<64x8xf32, #mma>
    tt.return %d : tensor<64x8xf32, #mma>
  }
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func private @target(%c: tensor<64x8xf32, #mma>) -> tensor<64x8xf32, #mma> {
    %a = ttg.local_alloc : () -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
    %b = ttg.local_alloc : () -> !ttg.memdesc<32x8xf16, #shared1, #smem, mutable>
    // expected-error @+1 {{with operands of f16 and f16 and 8 columns of a result of f32, for which cuda:80 has no wgmma}}
    %d = ttng.warp_group_dot %a, %b, %c : !ttg.memdesc<64x32xf16, #shared, #smem, mutable> * !ttg.memdesc<32x8xf16, #shared1, #smem, mutable> -> tensor<64x8xf32, #mma>
    tt.return %d : tensor<64x8xf32, #mma>
  }
}
