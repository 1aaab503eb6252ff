// Barriers in shared memory, and copies of boxes: one elected thread makes the barrier, arrives and
// sends the messages, and all wait.

// RUN: tilewright-opt %s --convert-scf-to-cf --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#s = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Swizzled tiles begin at multiples of 1024 bytes.
  // CHECK: llvm.mlir.global external @global_smem() {addr_space = 3 : i32, alignment = 1024 : i64}

  // A block of 128 columns is two boxes of 64, the second one 512 rows of 128 bytes behind.
  // CHECK-LABEL: @load(
  // CHECK: %[[ELECTED:.*]] = nvvm.elect.sync
  // CHECK-NEXT: llvm.cond_br %[[ELECTED]]
  // CHECK: llvm.call_intrinsic "llvm.nvvm.mbarrier.init.shared"
  // CHECK-NEXT: llvm.call_intrinsic "llvm.nvvm.fence.mbarrier_init.release.cluster"
  // CHECK: nvvm.barrier0
  // CHECK: llvm.call_intrinsic "llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta"
  // CHECK-NOT: nvvm.barrier
  // CHECK: llvm.call_intrinsic "llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d"({{.*}}) : (!llvm.ptr<7>, !llvm.ptr<3>, !llvm.ptr, i32, i32, i16, i64, i1, i1, i32) -> ()
  // CHECK: llvm.call_intrinsic "llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d"
  // CHECK-NOT: g2s
  // The threads that have waited need no barrier to read.
  // CHECK-NOT: nvvm.barrier
  // CHECK: %[[OVER:.*]] = llvm.call_intrinsic "llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta"
  // CHECK-NEXT: llvm.cond_br %[[OVER]]
  // CHECK-NOT: nvvm.barrier
  // CHECK: llvm.load
  tt.func private @load(%desc: !tt.tensordesc<tensor<64x128xf16, #s>>, %x: i32, %y: i32) -> tensor<64x128xf16, #b> {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %t = ttg.local_alloc : () -> !ttg.memdesc<64x128xf16, #s, #smem, mutable>
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.init_barrier %bar, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.barrier_expect %bar, 16384, %true : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.async_tma_copy_global_to_local %desc[%x, %y] %t, %bar, %true : !tt.tensordesc<tensor<64x128xf16, #s>>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<64x128xf16, #s, #smem, mutable>
    ttng.wait_barrier %bar, %c0 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    %v = ttg.local_load %t : !ttg.memdesc<64x128xf16, #s, #smem, mutable> -> tensor<64x128xf16, #b>
    tt.return %v : tensor<64x128xf16, #b>
  }

  // All threads store and make a fence, meet, and one of them sends the messages as a group.
  // CHECK-LABEL: @store(
  // CHECK: llvm.store
  // CHECK: llvm.call_intrinsic "llvm.nvvm.fence.proxy.async.shared_cta"
  // CHECK: nvvm.barrier0
  // CHECK: nvvm.elect.sync
  // CHECK: "llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d"({{.*}}) : (!llvm.ptr<3>, !llvm.ptr, i32, i32, i64, i1) -> ()
  // CHECK: "llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d"
  // CHECK: llvm.call_intrinsic "llvm.nvvm.cp.async.bulk.commit.group"
  // CHECK: llvm.call_intrinsic "llvm.nvvm.cp.async.bulk.wait.group.read"
  // CHECK: "llvm.nvvm.cp.async.bulk.tensor.reduce.add.tile.2d"
  // CHECK: llvm.call_intrinsic "llvm.nvvm.cp.async.bulk.wait.group"(
  tt.func private @store(%desc: !tt.tensordesc<tensor<64x128xf16, #s>>, %x: i32, %y: i32, %v: tensor<64x128xf16, #b>) {
    %t = ttg.local_alloc %v : (tensor<64x128xf16, #b>) -> !ttg.memdesc<64x128xf16, #s, #smem>
    ttng.fence_async_shared {bCluster = false}
    ttng.async_tma_copy_local_to_global %desc[%x, %y] %t : !tt.tensordesc<tensor<64x128xf16, #s>>, !ttg.memdesc<64x128xf16, #s, #smem>
    ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    ttng.async_tma_reduce add, %desc[%x, %y] %t : !tt.tensordesc<tensor<64x128xf16, #s>>, !ttg.memdesc<64x128xf16, #s, #smem>
    ttng.async_tma_store_wait {pendings = 0 : i32}
    tt.return
  }

  // A thread that has an index sends the messages for its row: four rows, of two boxes each.
  // CHECK-LABEL: @gather(
  // CHECK-COUNT-8: "llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d"
  // CHECK-NOT: g2s
  tt.func private @gather(%desc: !tt.tensordesc<tensor<1x128xf16, #s>>, %rows: tensor<32xi32, #ttg.slice<{dim = 1, parent = #b}>>, %y: i32, %t: !ttg.memdesc<32x128xf16, #s, #smem, mutable>, %bar: !ttg.memdesc<1xi64, #bar, #smem, mutable>) {
    %true = arith.constant true
    ttng.async_tma_gather %desc[%rows, %y] %t, %bar, %true : !tt.tensordesc<tensor<1x128xf16, #s>>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #b}>>, i32, !ttg.memdesc<1xi64, #bar, #smem, mutable>, !ttg.memdesc<32x128xf16, #s, #smem, mutable>, i1
    tt.return
  }

  // One thread arrives when all are done with what they read.
  // CHECK-LABEL: @release(
  // CHECK: llvm.load
  // CHECK: nvvm.barrier0
  // CHECK: nvvm.elect.sync
  // CHECK: llvm.call_intrinsic "llvm.nvvm.mbarrier.arrive.scope.cta.space.cta"
  tt.func private @release(%t: !ttg.memdesc<64x128xf16, #s, #smem, mutable>, %empty: !ttg.memdesc<1xi64, #bar, #smem, mutable>) -> tensor<64x128xf16, #b> {
    %v = ttg.local_load %t : !ttg.memdesc<64x128xf16, #s, #smem, mutable> -> tensor<64x128xf16, #b>
    ttng.arrive_barrier %empty, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    tt.return %v : tensor<64x128xf16, #b>
  }

  // One lane of each warp arrives when its warp is done: no barrier of the block.
  // CHECK-LABEL: @release_per_warp(
  // CHECK: llvm.load
  // CHECK-NOT: nvvm.barrier0
  // CHECK: nvvm.bar.warp.sync
  // CHECK-NEXT: nvvm.elect.sync
  // CHECK: llvm.call_intrinsic "llvm.nvvm.mbarrier.arrive.scope.cta.space.cta"
  tt.func private @release_per_warp(%t: !ttg.memdesc<64x128xf16, #s, #smem, mutable>, %empty: !ttg.memdesc<1xi64, #bar, #smem, mutable>) -> tensor<64x128xf16, #b> {
    %v = ttg.local_load %t : !ttg.memdesc<64x128xf16, #s, #smem, mutable> -> tensor<64x128xf16, #b>
    ttng.arrive_barrier %empty, 1 {perWarp} : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    tt.return %v : tensor<64x128xf16, #b>
  }

  // CHECK-LABEL: @registers(
  // CHECK: nvvm.setmaxregister increase 240
  // CHECK: nvvm.setmaxregister decrease 40
  tt.func private @registers() {
    ttng.set_registers 240 {isMore}
    ttng.set_registers 40
    tt.return
  }
}
