// RUN: not tilewright-opt %s --allocate-shared-memory 2>&1 | FileCheck %s

// 32 warps that each keep 32 partials of 4096 columns.

#l = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [32, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 32 : i32, ttg.target = "cuda:86"} {
  tt.func private @wide(%x: tensor<32x4096xf32, #l>) -> tensor<4096xf32, #ttg.slice<{dim = 0, parent = #l}>> {
    // CHECK: too-much-shared-memory.mlir:[[@LINE+2]]:{{.*}}: error: 'tt.reduce' op needs 524288 bytes of shared memory, but a block has 101376 at most on cuda:86
    // CHECK: note: use a smaller tile, so that less has to pass between threads
    %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<32x4096xf32, #l>) -> tensor<4096xf32, #ttg.slice<{dim = 0, parent = #l}>>
    tt.return %s : tensor<4096xf32, #ttg.slice<{dim = 0, parent = #l}>>
  }
}
