// RUN: tilewright-opt %s --split-input-file --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

// CDNA's waves have 64 lanes. A butterfly over them goes through LDS's crossbar between rows of 16
// lanes; within a row it is DPP, by 4 lanes an instruction for the first and the third group of four
// and one for the others.

#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [64], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 64 : i32, ttg.target = "hip:gfx942"} {
  // CHECK-LABEL: @sum
  // CHECK: rocdl.ds_bpermute
  // CHECK: rocdl.ds_swizzle
  // CHECK: rocdl.update.dpp {{.*}} with 296, 15, 15, true
  // CHECK: rocdl.update.dpp {{.*}} with 300, 15, 15, true
  // CHECK: rocdl.update.dpp {{.*}} with 292, 15, 10, false
  // CHECK: rocdl.update.dpp {{.*}} with 78, 15, 15, true
  // CHECK: rocdl.update.dpp {{.*}} with 177, 15, 15, true
  // CHECK: llvm.return
  tt.func private @sum(%x: tensor<64xf32, #line>) -> f32 {
    %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<64xf32, #line>) -> f32
    tt.return %s : f32
  }
}
