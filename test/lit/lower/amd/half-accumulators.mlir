// RUN: tilewright-opt %s --split-input-file --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

// gfx11 adds 16-bit sums to one half of each register: two accumulators share a vector, and what
// the product for one of them leaves of the other stays only if the result is in place ("tied").
// Those that share are as far apart as can be.

#mma = #ttg.amd_wmma<{version = 1, isTranspose = true, ctaLayout = {warp = []}}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx1100", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @four
// CHECK: %[[H0:.*]] = llvm.mlir.constant(false) : i1
// CHECK-NEXT: %[[S0:.*]] = llvm.call_intrinsic "llvm.amdgcn.wmma.f16.16x16x16.f16.tied"({{.*}}, %[[H0]])
// CHECK-NEXT: %[[H1:.*]] = llvm.mlir.constant(false) : i1
// CHECK-NEXT: %[[S1:.*]] = llvm.call_intrinsic "llvm.amdgcn.wmma.f16.16x16x16.f16.tied"({{.*}}, %[[H1]])
// CHECK-NEXT: %[[H2:.*]] = llvm.mlir.constant(true) : i1
// CHECK-NEXT: llvm.call_intrinsic "llvm.amdgcn.wmma.f16.16x16x16.f16.tied"({{.*}}, %[[S0]], %[[H2]])
// CHECK-NEXT: %[[H3:.*]] = llvm.mlir.constant(true) : i1
// CHECK-NEXT: llvm.call_intrinsic "llvm.amdgcn.wmma.f16.16x16x16.f16.tied"({{.*}}, %[[S1]], %[[H3]])
// CHECK-NOT: llvm.amdgcn.wmma
tt.func private @four(%a: tensor<16x16xf16, #a>, %b: tensor<16x64xf16, #b>, %c: tensor<16x64xf16, #mma>) -> tensor<16x64xf16, #mma> {
  %d = tt.dot %a, %b, %c : tensor<16x16xf16, #a> * tensor<16x64xf16, #b> -> tensor<16x64xf16, #mma>
  tt.return %d : tensor<16x64xf16, #mma>
}

// An accumulator alone.
// CHECK-LABEL: @one
// CHECK: llvm.call_intrinsic "llvm.amdgcn.wmma.bf16.16x16x16.bf16.tied"({{.*}}) : {{.*}} -> vector<16xi16>
// CHECK-NOT: llvm.amdgcn.wmma
tt.func private @one(%a: tensor<16x16xbf16, #a>, %b: tensor<16x16xbf16, #b>, %c: tensor<16x16xbf16, #mma>) -> tensor<16x16xbf16, #mma> {
  %d = tt.dot %a, %b, %c : tensor<16x16xbf16, #a> * tensor<16x16xbf16, #b> -> tensor<16x16xbf16, #mma>
  tt.return %d : tensor<16x16xbf16, #mma>
}
}
