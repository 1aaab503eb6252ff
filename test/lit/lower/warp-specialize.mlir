// RUN: tilewright-opt %s --allocate-shared-memory | FileCheck %s --check-prefix=ALLOC
// RUN: tilewright-opt %s --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

// The default region has the module's 4 warps and works on %a, the partition has 2 more and works
// on %b, which is handed to it. Each has layouts, scratch memory and a barrier of its own.

#v = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#p = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!row = !ttg.memdesc<128xi32, #s, #smem, mutable>

// 512 bytes each of %a and %b, 16 for the reduction of 4 warps, 8 for that of 2; 4 words for the
// number of the op, a scalar, and a pointer and an offset.
// ALLOC: ttg.shared = 1088 : i32
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // ALLOC-LABEL: @exchange
  // ALLOC: ttg.local_alloc {allocation.offset = 0 : i32}
  // ALLOC: ttg.local_alloc {allocation.offset = 512 : i32}
  // ALLOC: ttg.warp_specialize(%arg0, %{{[0-9]+}}) attributes {allocation.offset = 1056 : i32}
  // ALLOC: default {
  // ALLOC-NOT: ttg.barrier
  // ALLOC: {allocation.offset = 1024 : i32}
  // ALLOC: ttg.local_store
  // ALLOC: ttg.barrier local
  // ALLOC: ttg.local_load
  // ALLOC: ttg.warp_yield
  // ALLOC: partition0
  // ALLOC-NOT: ttg.barrier
  // ALLOC: {allocation.offset = 1040 : i32}
  // ALLOC: ttg.local_store
  // ALLOC: ttg.warp_return
  // All have met where the op ends.
  // ALLOC-NOT: ttg.barrier
  // ALLOC: tt.return

  // The warps are divided: 128 threads run the body, 64 wait for work.
  // CHECK-LABEL: llvm.func @exchange
  // CHECK-SAME: nvvm.reqntid = array<i32: 192>
  // CHECK: %[[THREAD:.*]] = nvvm.read.ptx.sreg.tid.x range <i32, 0, 192>
  // CHECK: %[[LIMIT:.*]] = llvm.mlir.constant(128 : i32)
  // CHECK: %[[DEFAULT:.*]] = llvm.icmp "ult" %[[THREAD]], %[[LIMIT]]
  // CHECK: llvm.cond_br %[[DEFAULT]], ^[[BODY:bb[0-9]+]], ^[[WORKERS:bb[0-9]+]]

  // The first thread leaves the op's number, the scalar, the pointer and the offset.
  // CHECK: ^[[BODY]]:
  // CHECK: nvvm.read.ptx.sreg.tid.x range <i32, 0, 128>
  // CHECK: llvm.icmp "eq" %[[THREAD]]
  // CHECK-COUNT-4: llvm.store
  // CHECK: %[[ALL:.*]] = llvm.mlir.constant(1 : i32)
  // CHECK: %[[THREADS:.*]] = llvm.mlir.constant(192 : i32)
  // CHECK: nvvm.barrier id = %[[ALL]] number_of_threads = %[[THREADS]]

  // In the default region 128 threads meet, in the reduction and before the load.
  // CHECK: llvm.intr.masked.store
  // CHECK-NEXT: %[[OWN:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK-NEXT: %[[OWN_THREADS:.*]] = llvm.mlir.constant(128 : i32)
  // CHECK-NEXT: nvvm.barrier id = %[[OWN]] number_of_threads = %[[OWN_THREADS]]
  // CHECK: nvvm.barrier
  // CHECK: nvvm.barrier
  // CHECK: nvvm.barrier
  // CHECK: llvm.return

  // CHECK: ^[[WORKERS]]:
  // CHECK: nvvm.barrier
  // CHECK: %[[NUMBER:.*]] = llvm.load
  // CHECK: llvm.switch %[[NUMBER]] : i32, ^[[END:bb[0-9]+]] [
  // CHECK-NEXT: 0: ^[[FIRST:bb[0-9]+]]
  // CHECK: ^[[END]]:
  // CHECK-NEXT: llvm.return
  // CHECK: nvvm.barrier
  // CHECK-NEXT: llvm.br ^[[WORKERS]]

  // The partition's threads count from 0, and meet at a barrier of theirs.
  // CHECK: ^[[FIRST]]:
  // CHECK: llvm.sub %[[THREAD]]
  // CHECK: llvm.cond_br
  // CHECK-COUNT-3: llvm.load
  // CHECK: %[[IN_BLOCK:.*]] = nvvm.read.ptx.sreg.tid.x range <i32, 0, 192>
  // CHECK: llvm.sub %[[IN_BLOCK]]
  // CHECK: llvm.intr.masked.store
  // CHECK-NEXT: %[[ID:.*]] = llvm.mlir.constant(2 : i32)
  // CHECK-NEXT: %[[TWO_WARPS:.*]] = llvm.mlir.constant(64 : i32)
  // CHECK-NEXT: nvvm.barrier id = %[[ID]] number_of_threads = %[[TWO_WARPS]]
  // CHECK-NOT: ttg.
  tt.func public @exchange(%x: i32, %out: !tt.ptr<i32>) {
    %a = ttg.local_alloc : () -> !row
    %b = ttg.local_alloc : () -> !row
    ttg.warp_specialize(%x, %b)
    default {
      %t = tt.splat %x : i32 -> tensor<128xi32, #v>
      %sum = "tt.reduce"(%t) <{axis = 0 : i32}> ({
      ^bb0(%l: i32, %r: i32):
        %u = arith.addi %l, %r : i32
        tt.reduce.return %u : i32
      }) : (tensor<128xi32, #v>) -> i32
      %sums = tt.splat %sum : i32 -> tensor<128xi32, #v>
      ttg.local_store %sums, %a : tensor<128xi32, #v> -> !row
      %y = ttg.local_load %a : !row -> tensor<128xi32, #v>
      ttg.local_store %y, %a : tensor<128xi32, #v> -> !row
      ttg.warp_yield
    }
    partition0(%z: i32, %m: !row) num_warps(2) {
      %t = tt.splat %z : i32 -> tensor<128xi32, #p>
      %sum = "tt.reduce"(%t) <{axis = 0 : i32}> ({
      ^bb0(%l: i32, %r: i32):
        %u = arith.addi %l, %r : i32
        tt.reduce.return %u : i32
      }) : (tensor<128xi32, #p>) -> i32
      %sums = tt.splat %sum : i32 -> tensor<128xi32, #p>
      ttg.local_store %sums, %m : tensor<128xi32, #p> -> !row
      ttg.warp_return
    } : (i32, !row) -> ()
    %u = ttg.local_load %a : !row -> tensor<128xi32, #v>
    %w = ttg.local_load %b : !row -> tensor<128xi32, #v>
    %d = arith.addi %u, %w : tensor<128xi32, #v>
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #v>
    %o = tt.splat %out : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #v>
    %os = tt.addptr %o, %i : tensor<128x!tt.ptr<i32>, #v>, tensor<128xi32, #v>
    tt.store %os, %d : tensor<128x!tt.ptr<i32>, #v>
    tt.return
  }
}
