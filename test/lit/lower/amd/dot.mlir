// RUN: tilewright-opt %s --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

// Four products of bytes are one instruction; waits are for shared memory alone.

#c = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx1100"} {
  // CHECK-LABEL: @bytes
  // CHECK: llvm.fence syncscope("workgroup") release {llvm.mmra
  // CHECK: llvm.call_intrinsic "llvm.amdgcn.sudot4"(%[[YES:.*]], %{{.*}}, %[[YES]], %{{.*}}, %{{.*}}, %{{.*}}) : (i1, i32, i1, i32, i32, i1) -> i32
  tt.func private @bytes(%x: tensor<16x32xi8, #c>, %y: tensor<32x32xi8, #c>, %z: tensor<16x32xi32, #c>) -> tensor<16x32xi32, #c> {
    %r = tt.dot %x, %y, %z : tensor<16x32xi8, #c> * tensor<32x32xi8, #c> -> tensor<16x32xi32, #c>
    tt.return %r : tensor<16x32xi32, #c>
  }
}
