// RUN: tilewright-opt %s --split-input-file --verify-diagnostics --convert-triton-gpu-to-llvm

// A tile comes from no more blocks than the cluster has.

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {tw.distributed, "ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  tt.func public @more_blocks(%p: !tt.ptr<f32>) {
    %own = arith.constant dense<1.0> : tensor<16xf32, #blocked>
    // expected-error @below {{divides a tile by 2 bits of a block's number, but ttg.num-ctas is 2}}
    // expected-note @below {{set it to the number of blocks that run the program}}
    %all = tw.cluster_convert %own {from = array<i32: 0, 0>, to = array<i32: -1, -1>} : tensor<16xf32, #blocked> -> tensor<64xf32, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  tt.func public @one_block(%p: !tt.ptr<f32>) {
    %own = arith.constant dense<1.0> : tensor<16xf32, #blocked>
    // expected-error @below {{divides a tile by 1 bits of a block's number, but ttg.num-ctas is 1}}
    // expected-note @below {{set it to the number of blocks that run the program}}
    %all = tw.cluster_convert %own {from = array<i32: 0>, to = array<i32: -1>} : tensor<16xf32, #blocked> -> tensor<32xf32, #blocked>
    tt.return
  }
}
