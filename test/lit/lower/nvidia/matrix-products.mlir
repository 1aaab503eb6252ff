// RUN: tilewright-opt %s --split-input-file --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

// Products whose operands and results have the layouts of a matrix unit are its instructions, and
// need no scratch. 32 x 16 x 32 by one warp: two along M, two along N, two along K.

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>
#a2 = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b2 = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#a4 = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>
#b4 = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>
#a1 = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b1 = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>
// CHECK: ttg.shared = 0 : i32
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  // Two elements of 16 bits are a register.
  // CHECK-LABEL: @f16
  // CHECK: llvm.insertelement {{.*}} : vector<2xf16>
  // CHECK-COUNT-8: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"({{.*}}) : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  // CHECK-NOT: call_intrinsic
  tt.func private @f16(%a: tensor<32x32xf16, #a2>, %b: tensor<32x16xf16, #b2>, %c: tensor<32x16xf32, #mma>) -> tensor<32x16xf32, #mma> {
    %d = tt.dot %a, %b, %c : tensor<32x32xf16, #a2> * tensor<32x16xf16, #b2> -> tensor<32x16xf32, #mma>
    tt.return %d : tensor<32x16xf32, #mma>
  }

  // Four elements side by side are two instructions' along K.
  // CHECK-LABEL: @wide
  // CHECK-COUNT-8: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"
  // CHECK-NOT: call_intrinsic
  tt.func private @wide(%a: tensor<32x32xf16, #a4>, %b: tensor<32x16xf16, #b4>, %c: tensor<32x16xf32, #mma>) -> tensor<32x16xf32, #mma> {
    %d = tt.dot %a, %b, %c : tensor<32x32xf16, #a4> * tensor<32x16xf16, #b4> -> tensor<32x16xf32, #mma>
    tt.return %d : tensor<32x16xf32, #mma>
  }

  // CHECK-LABEL: @f16_sums
  // CHECK-COUNT-8: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.f16.f16"({{.*}}) : ({{.*}}) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
  tt.func private @f16_sums(%a: tensor<32x32xf16, #a2>, %b: tensor<32x16xf16, #b2>, %c: tensor<32x16xf16, #mma>) -> tensor<32x16xf16, #mma> {
    %d = tt.dot %a, %b, %c : tensor<32x32xf16, #a2> * tensor<32x16xf16, #b2> -> tensor<32x16xf16, #mma>
    tt.return %d : tensor<32x16xf16, #mma>
  }

  // CHECK-LABEL: @bf16
  // CHECK: llvm.bitcast {{.*}} : vector<2xbf16> to i32
  // CHECK-COUNT-8: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.bf16"
  tt.func private @bf16(%a: tensor<32x32xbf16, #a2>, %b: tensor<32x16xbf16, #b2>, %c: tensor<32x16xf32, #mma>) -> tensor<32x16xf32, #mma> {
    %d = tt.dot %a, %b, %c : tensor<32x32xbf16, #a2> * tensor<32x16xbf16, #b2> -> tensor<32x16xf32, #mma>
    tt.return %d : tensor<32x16xf32, #mma>
  }

  // CHECK-LABEL: @tf32
  // CHECK: llvm.bitcast {{.*}} : f32 to i32
  // CHECK-COUNT-16: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k8.row.col.tf32"
  tt.func private @tf32(%a: tensor<32x32xf32, #a1>, %b: tensor<32x16xf32, #b1>, %c: tensor<32x16xf32, #mma>) -> tensor<32x16xf32, #mma> {
    %d = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<32x32xf32, #a1> * tensor<32x16xf32, #b1> -> tensor<32x16xf32, #mma>
    tt.return %d : tensor<32x16xf32, #mma>
  }

  // CHECK-LABEL: @i8
  // CHECK: llvm.bitcast {{.*}} : vector<4xi8> to i32
  // CHECK-COUNT-4: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.satfinite.s8"
  tt.func private @i8(%a: tensor<32x32xi8, #a4>, %b: tensor<32x16xi8, #b4>, %c: tensor<32x16xi32, #mma>) -> tensor<32x16xi32, #mma> {
    %d = tt.dot %a, %b, %c : tensor<32x32xi8, #a4> * tensor<32x16xi8, #b4> -> tensor<32x16xi32, #mma>
    tt.return %d : tensor<32x16xi32, #mma>
  }

  // CHECK-LABEL: @f8
  // CHECK-COUNT-4: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.e5m2.f32"
  tt.func private @f8(%a: tensor<32x32xf8E4M3FN, #a4>, %b: tensor<32x16xf8E5M2, #b4>, %c: tensor<32x16xf32, #mma>) -> tensor<32x16xf32, #mma> {
    %d = tt.dot %a, %b, %c : tensor<32x32xf8E4M3FN, #a4> * tensor<32x16xf8E5M2, #b4> -> tensor<32x16xf32, #mma>
    tt.return %d : tensor<32x16xf32, #mma>
  }

  // CHECK-LABEL: @f64
  // CHECK-COUNT-64: llvm.call_intrinsic "llvm.nvvm.mma.m8n8k4.row.col.f64"({{.*}}) : (f64, f64, f64, f64) -> !llvm.struct<(f64, f64)>
  // CHECK-NOT: call_intrinsic
  tt.func private @f64(%a: tensor<32x32xf64, #a1>, %b: tensor<32x16xf64, #b1>, %c: tensor<32x16xf64, #mma>) -> tensor<32x16xf64, #mma> {
    %d = tt.dot %a, %b, %c : tensor<32x32xf64, #a1> * tensor<32x16xf64, #b1> -> tensor<32x16xf64, #mma>
    tt.return %d : tensor<32x16xf64, #mma>
  }
}

// -----

// What no unit does stays multiply-adds, whatever its layouts: f32 with all its bits.

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>
#a1 = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b1 = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @ieee
  // CHECK-NOT: call_intrinsic
  // CHECK: llvm.intr.fmuladd
  tt.func private @ieee(%a: tensor<16x8xf32, #a1>, %b: tensor<8x8xf32, #b1>, %c: tensor<16x8xf32, #mma>) -> tensor<16x8xf32, #mma> {
    %d = tt.dot %a, %b, %c : tensor<16x8xf32, #a1> * tensor<8x8xf32, #b1> -> tensor<16x8xf32, #mma>
    tt.return %d : tensor<16x8xf32, #mma>
  }
}
