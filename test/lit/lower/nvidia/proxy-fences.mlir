// Fences between what threads store to shared memory and what products of warpgroups read there:
// before the barrier, after the last of the writes in a block.

// RUN: tilewright-opt %s -split-input-file -allocate-shared-memory | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: tt.func @stores
  // CHECK:       ttg.local_alloc
  // CHECK-NEXT:  ttg.local_alloc
  // CHECK-NEXT:  ttng.fence_async_shared {bCluster = false}
  // CHECK-NEXT:  ttg.barrier local
  // CHECK-NEXT:  ttng.warp_group_dot
  // CHECK-NEXT:  ttng.warp_group_dot
  tt.func @stores(%a: tensor<64x64xf16, #blocked>, %c: tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma> {
    %am = ttg.local_alloc %a : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %bm = ttg.local_alloc %a : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %d = ttng.warp_group_dot %am, %bm, %c : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    %e = ttng.warp_group_dot %am, %bm, %d : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    tt.return %e : tensor<64x64xf32, #mma>
  }
}


// -----

// Products see copies by cp.async that are complete without a fence; what sends a box to global
// memory does not. Copies are complete at the wait: the fence comes at once, before others begin
// that it would wait for as well.

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: tt.func @copies_for_product
  // CHECK-NOT:   ttng.fence_async_shared
  // CHECK:       ttg.barrier local
  // CHECK-NEXT:  ttng.warp_group_dot
  tt.func @copies_for_product(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %c: tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma> {
    %m = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %t = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
    %g = ttg.async_commit_group tokens %t
    %w = ttg.async_wait %g {num = 0 : i32}
    %d = ttng.warp_group_dot %m, %m, %c : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
    tt.return %d : tensor<64x64xf32, #mma>
  }

  // CHECK-LABEL: tt.func @copies_for_box
  // CHECK:       ttg.async_wait
  // CHECK-NEXT:  ttng.fence_async_shared {bCluster = false}
  // CHECK:       ttg.async_copy_global_to_local
  // CHECK-NOT:   ttng.fence_async_shared
  // CHECK:       ttg.barrier local
  // CHECK-NEXT:  ttng.async_tma_copy_local_to_global
  tt.func @copies_for_box(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %desc: !tt.tensordesc<tensor<64x64xf16, #shared>>, %x: i32) {
    %m = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %n = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %t0 = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
    %g0 = ttg.async_commit_group tokens %t0
    %w0 = ttg.async_wait %g0 {num = 0 : i32}
    %t1 = ttg.async_copy_global_to_local %p, %n : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
    %g1 = ttg.async_commit_group tokens %t1
    ttng.async_tma_copy_local_to_global %desc[%x, %x] %m : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttng.async_tma_store_wait {pendings = 0 : i32}
    %w1 = ttg.async_wait %g1 {num = 0 : i32}
    tt.return
  }

  // Nor does what a thread stores wait for copies that begin behind it.
  // CHECK-LABEL: tt.func @store_and_copies
  // CHECK:       ttg.local_alloc %
  // CHECK-NEXT:  ttng.fence_async_shared {bCluster = false}
  // CHECK-NEXT:  ttg.async_copy_global_to_local
  // CHECK-NOT:   ttng.fence_async_shared
  // CHECK:       ttng.warp_group_dot
  tt.func @store_and_copies(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %a: tensor<64x64xf16, #blocked>, %c: tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma> {
    %n = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %m = ttg.local_alloc %a : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %t = ttg.async_copy_global_to_local %p, %n : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
    %g = ttg.async_commit_group tokens %t
    %d = ttng.warp_group_dot %m, %m, %c : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    %w = ttg.async_wait %g {num = 0 : i32}
    tt.return %d : tensor<64x64xf32, #mma>
  }
}
