// RUN: not tilewright-opt %s --split-input-file --allocate-shared-memory --convert-triton-gpu-to-llvm 2>&1 | FileCheck %s

#a = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [2, 1], order = [1, 0]}>
#d = #ttg.generic_linear<{register = [], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = [[4, 1]], block = []}>
module attributes {"ttg.num-warps" = 2 : i32, ttg.target = "cuda:90"} {
  tt.func private @mixed(%a: tensor<8x8xf16, #a>, %b: tensor<8x8xf16, #a>, %c: tensor<8x8xf32, #d>) -> tensor<8x8xf32, #d> {
    // CHECK: error: 'tt.dot' op cannot be lowered for cuda:90 with a result whose layout mixes its dimensions
    %d = tt.dot %a, %b, %c : tensor<8x8xf16, #a> * tensor<8x8xf16, #a> -> tensor<8x8xf32, #d>
    tt.return %d : tensor<8x8xf32, #d>
  }
}

// -----

// A register and a lane of the result move along the same rows.

#a = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [1, 0]}>
#d = #ttg.generic_linear<{register = [[1, 0]], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = [], block = []}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  tt.func private @twice(%a: tensor<4x8xf16, #a>, %b: tensor<8x8xf16, #a>, %c: tensor<4x8xf32, #d>) -> tensor<4x8xf32, #d> {
    // CHECK: error: 'tt.dot' op cannot be lowered for cuda:90 with a result whose layout has two bits of a place move along the same bit
    %d = tt.dot %a, %b, %c : tensor<4x8xf16, #a> * tensor<8x8xf16, #a> -> tensor<4x8xf32, #d>
    tt.return %d : tensor<4x8xf32, #d>
  }
}
