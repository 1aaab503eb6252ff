// RUN: tilewright-opt %s --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

// Where the GPU has no conversion of 8-bit floats, two of them become f16 in one word.

#v = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  // Bytes are moved and nothing else is done.
  // CHECK-LABEL: @e5m2
  // CHECK-COUNT-4: llvm.insertelement {{.*}} : vector<4xi8>
  // CHECK-NOT: llvm.shl
  // CHECK-NOT: llvm.fmul
  // CHECK: llvm.return
  tt.func private @e5m2(%x: tensor<128xf8E5M2, #v>) -> tensor<128xf16, #v> {
    %y = tt.fp_to_fp %x : tensor<128xf8E5M2, #v> -> tensor<128xf16, #v>
    tt.return %y : tensor<128xf16, #v>
  }

  // CHECK-LABEL: @e4m3
  // CHECK-COUNT-2: llvm.fmul {{.*}} : vector<2xf16>
  // CHECK-NOT: llvm.fmul
  // CHECK: llvm.return
  tt.func private @e4m3(%x: tensor<128xf8E4M3FN, #v>) -> tensor<128xf16, #v> {
    %y = tt.fp_to_fp %x : tensor<128xf8E4M3FN, #v> -> tensor<128xf16, #v>
    tt.return %y : tensor<128xf16, #v>
  }
}
