// Tensor memory of a kernel: taken once, given back before it ends, and barriers between accesses of
// different warps.

// RUN: tilewright-opt %s -tilewright-allocate-memory-spaces | FileCheck %s
// RUN: tilewright-opt %s -tilewright-allocate-memory-spaces -allocate-shared-memory -convert-triton-gpu-to-llvm | FileCheck %s --check-prefix=LLVM

#l = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#h = #ttg.blocked<{sizePerThread = [1, 32], threadsPerWarp = [16, 2], warpsPerCTA = [4, 1], order = [0, 1]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#sm = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 16, colStride = 1>
#half = #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1>
// 64 columns for two halves side by side, and 16 for the third.
// CHECK: ttg.tensor_memory_size = 128 : i32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: tt.func public @kernel
  // CHECK-NEXT:  %[[BASE:.*]] = tw.tensor_memory_reserve {columns = 128 : i32}
  // CHECK:       %[[FIRST:.*]] = tw.tensor_memory_view %[[BASE]] {column = 0 : i32, row = 0 : i32}
  // CHECK:       tw.tensor_memory_view %[[BASE]] {column = 0 : i32, row = 16 : i32}
  // CHECK:       %[[ACC:.*]] = tw.tensor_memory_view %[[BASE]] {column = 64 : i32, row = 0 : i32}
  // CHECK:       %[[STORED:.*]] = tw.tensor_memory_view %[[BASE]] {column = 64 : i32, row = 0 : i32}
  // CHECK:       ttng.tmem_store %{{.*}}, %[[STORED]]
  // CHECK:       ttg.barrier tensor
  // CHECK-NEXT:  ttng.tc_gen5_mma
  // CHECK:       ttng.tmem_load %[[ACC]]
  // CHECK:       tw.tensor_memory_release %[[BASE]] {columns = 128 : i32}
  // CHECK-NEXT:  tt.return

  // LLVM-LABEL: llvm.func @kernel
  // LLVM:       llvm.call_intrinsic "llvm.nvvm.tcgen05.alloc.shared.cg1"(%{{.*}}, %{{.*}})
  // LLVM:       llvm.call_intrinsic "llvm.nvvm.tcgen05.relinq.alloc.permit.cg1"()
  // LLVM:       llvm.call_intrinsic "llvm.nvvm.tcgen05.st.16x32bx2.x32"
  // LLVM:       llvm.call_intrinsic "llvm.nvvm.tcgen05.wait.st"()
  // LLVM:       llvm.call_intrinsic "llvm.nvvm.tcgen05.st.32x32b.x16"
  // LLVM:       llvm.call_intrinsic "llvm.nvvm.tcgen05.fence.before.thread.sync"()
  // LLVM:       llvm.call_intrinsic "llvm.nvvm.tcgen05.fence.after.thread.sync"()
  // LLVM:       llvm.call_intrinsic "llvm.nvvm.tcgen05.mma.shared"
  // LLVM:       llvm.call_intrinsic "llvm.nvvm.tcgen05.commit.shared.cg1"
  // LLVM:       llvm.call_intrinsic "llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta"
  // LLVM:       llvm.call_intrinsic "llvm.nvvm.tcgen05.fence.after.thread.sync"()
  // LLVM:       llvm.call_intrinsic "llvm.nvvm.tcgen05.ld.32x32b.x16"
  // LLVM:       llvm.call @tilewright.tcgen05.wait_ld.x16
  // LLVM:       llvm.call_intrinsic "llvm.nvvm.tcgen05.dealloc.cg1"
  tt.func public @kernel(%out: !tt.ptr<f32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %zero = arith.constant dense<0.0> : tensor<128x16xf32, #l>
    %ones = arith.constant dense<1.0> : tensor<64x64xf32, #h>
    %a = ttg.local_alloc : () -> !ttg.memdesc<128x16xf16, #shared, #smem, mutable>
    %b = ttg.local_alloc : () -> !ttg.memdesc<16x16xf16, #shared, #smem, mutable>
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #sm, #smem, mutable>
    ttng.init_barrier %bar, 1 : !ttg.memdesc<1xi64, #sm, #smem, mutable>
    %x = ttng.tmem_alloc : () -> !ttg.memdesc<64x64xf32, #half, #ttng.tensor_memory, mutable>
    %y = ttng.tmem_alloc : () -> !ttg.memdesc<64x64xf32, #half, #ttng.tensor_memory, mutable>
    ttng.tmem_store %ones, %x, %true : tensor<64x64xf32, #h> -> !ttg.memdesc<64x64xf32, #half, #ttng.tensor_memory, mutable>
    ttng.tmem_store %ones, %y, %true : tensor<64x64xf32, #h> -> !ttg.memdesc<64x64xf32, #half, #ttng.tensor_memory, mutable>
    %acc = ttng.tmem_alloc %zero : (tensor<128x16xf32, #l>) -> !ttg.memdesc<128x16xf32, #tmem, #ttng.tensor_memory, mutable>
    ttng.tc_gen5_mma %a, %b, %acc, %true, %true, %bar[%true] {is_async} : !ttg.memdesc<128x16xf16, #shared, #smem, mutable>, !ttg.memdesc<16x16xf16, #shared, #smem, mutable>, !ttg.memdesc<128x16xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #sm, #smem, mutable>
    ttng.wait_barrier %bar, %c0 : !ttg.memdesc<1xi64, #sm, #smem, mutable>
    %d = ttng.tmem_load %acc : !ttg.memdesc<128x16xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x16xf32, #l>
    %u = ttng.tmem_load %x : !ttg.memdesc<64x64xf32, #half, #ttng.tensor_memory, mutable> -> tensor<64x64xf32, #h>
    %v = ttng.tmem_load %y : !ttg.memdesc<64x64xf32, #half, #ttng.tensor_memory, mutable> -> tensor<64x64xf32, #h>
    %p = tt.splat %out : !tt.ptr<f32> -> tensor<128x16x!tt.ptr<f32>, #l>
    tt.store %p, %d : tensor<128x16x!tt.ptr<f32>, #l>
    %q = tt.splat %out : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #h>
    tt.store %q, %u : tensor<64x64x!tt.ptr<f32>, #h>
    tt.store %q, %v : tensor<64x64x!tt.ptr<f32>, #h>
    tt.return
  }
}
