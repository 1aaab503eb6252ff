// RUN: tilewright-opt %s --split-input-file --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

// RDNA 4 converts pairs, of numbers that are cut off before; NaNs are one.

#e = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx1201"} {
  // CHECK-LABEL: @narrow
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.amdgcn.fmed3.f32"
  // CHECK: llvm.call_intrinsic "llvm.amdgcn.cvt.pk.fp8.f32"
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.amdgcn.fmed3.f32"
  // CHECK: llvm.call_intrinsic "llvm.amdgcn.cvt.pk.bf8.f32"
  tt.func private @narrow(%x: tensor<64xf32, #e>) -> (tensor<64xf8E4M3FN, #e>, tensor<64xf8E5M2, #e>) {
    %0 = tt.fp_to_fp %x, rounding = rtne : tensor<64xf32, #e> -> tensor<64xf8E4M3FN, #e>
    %1 = tt.fp_to_fp %x, rounding = rtne : tensor<64xf32, #e> -> tensor<64xf8E5M2, #e>
    tt.return %0, %1 : tensor<64xf8E4M3FN, #e>, tensor<64xf8E5M2, #e>
  }

  // CHECK-LABEL: @widen
  // CHECK: %[[PAIR:.*]] = llvm.call_intrinsic "llvm.amdgcn.cvt.pk.f32.fp8"({{.*}}) : (i32, i1) -> vector<2xf32>
  // CHECK: llvm.call_intrinsic "llvm.amdgcn.cvt.pkrtz"({{.*}}) : (f32, f32) -> vector<2xf16>
  // CHECK-NOT: llvm.call_intrinsic
  tt.func private @widen(%x: tensor<64xf8E4M3FN, #e>) -> tensor<64xf16, #e> {
    %0 = tt.fp_to_fp %x : tensor<64xf8E4M3FN, #e> -> tensor<64xf16, #e>
    tt.return %0 : tensor<64xf16, #e>
  }
}

// -----

// RDNA 3 computes on the bits.

#e = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx1100"} {
  // CHECK-LABEL: @narrow
  // CHECK-NOT: llvm.amdgcn
  // CHECK: llvm.return
  tt.func private @narrow(%x: tensor<64xf32, #e>) -> tensor<64xf8E4M3FN, #e> {
    %0 = tt.fp_to_fp %x, rounding = rtne : tensor<64xf32, #e> -> tensor<64xf8E4M3FN, #e>
    tt.return %0 : tensor<64xf8E4M3FN, #e>
  }
}
