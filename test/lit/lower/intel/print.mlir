// RUN: tilewright-opt %s --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

// Formats are OpenCL's, in its address space of constants: 64 bits are l.

#w = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttg.target = "xpu:pvc"} {
  // CHECK-DAG: @[[TEXT:text_.*]]("pid (%u, %u, %u) idx (%2u) 5%%: %li\0A\00") {addr_space = 2 : i32}
  // CHECK-DAG: llvm.func spir_funccc @_Z6printfPU3AS2Kcz(!llvm.ptr<2>, ...) -> i32 attributes {no_unwind, will_return}
  // CHECK-LABEL: @print
  // CHECK: %[[FORMAT:.*]] = llvm.mlir.addressof @[[TEXT]] : !llvm.ptr<2>
  // CHECK: llvm.call spir_funccc @_Z6printfPU3AS2Kcz(%[[FORMAT]], {{.*}}, %arg0) vararg(!llvm.func<i32 (ptr<2>, ...)>) : (!llvm.ptr<2>, i32, i32, i32, i32, i64) -> i32
  tt.func public @print(%x: i64) {
    %y = tt.splat %x : i64 -> tensor<16xi64, #w>
    tt.print " 5%: " {hex = false, isSigned = array<i32: 1>} : %y : tensor<16xi64, #w>
    tt.return
  }
}
