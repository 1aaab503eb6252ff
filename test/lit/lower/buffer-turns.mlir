// RUN: tilewright-opt %s --split-input-file --convert-scf-to-cf --allocate-shared-memory | FileCheck %s

// Iterations take the buffers of an allocation in turn. Where it is known that two accesses, perhaps
// of different iterations, are of different buffers, no barrier stands between them.

#v = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!ptrs = tensor<128x!tt.ptr<i32>, #v>
!tile = tensor<128xi32, #v>
!rows = !ttg.memdesc<3x128xi32, #s, #smem, mutable>
!row = !ttg.memdesc<128xi32, #s, #smem, mutable>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // Iteration i reads buffer i mod 3 and stores to buffer i + 1 mod 3: those of i are read in i + 1,
  // and stored over in i + 2. One barrier an iteration is between.
  // CHECK-LABEL: @next_buffer
  // CHECK: cf.cond_br
  // CHECK-NOT: ttg.barrier
  // CHECK: ttg.local_load
  // CHECK-NOT: ttg.barrier
  // CHECK: ttg.local_store
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NOT: ttg.barrier
  // CHECK: tt.return
  tt.func public @next_buffer(%p: !ptrs, %x: !tile, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %first = arith.constant -1 : i32
    %m = ttg.local_alloc : () -> !rows
    %m0 = ttg.memdesc_index %m[%c0] : !rows -> !row
    ttg.local_store %x, %m0 : !tile -> !row
    ttg.barrier local
    %end = scf.for %i = %c0 to %n step %c1 iter_args(%before = %first) -> (i32) : i32 {
      %sum = arith.addi %before, %c1 : i32
      %isEnd = arith.cmpi sge, %sum, %c3 : i32
      %index = arith.select %isEnd, %c0, %sum : i32
      %sum2 = arith.addi %index, %c1 : i32
      %isEnd2 = arith.cmpi sge, %sum2, %c3 : i32
      %index2 = arith.select %isEnd2, %c0, %sum2 : i32
      %from = ttg.memdesc_index %m[%index] : !rows -> !row
      %to = ttg.memdesc_index %m[%index2] : !rows -> !row
      %y = ttg.local_load %from : !row -> !tile
      tt.store %p, %y : !ptrs
      ttg.local_store %y, %to : !tile -> !row
      ttg.barrier local
      scf.yield %index : i32
    }
    tt.return
  }

  // What an iteration stores to the next buffer, the next iteration reads.
  // CHECK-LABEL: @read_next
  // CHECK: cf.cond_br
  // CHECK: ttg.barrier local
  // CHECK-NEXT: ttg.local_load
  // CHECK-NOT: ttg.barrier
  // CHECK: ttg.local_store
  // CHECK-NOT: ttg.barrier
  // CHECK: tt.return
  tt.func public @read_next(%p: !ptrs, %x: !tile, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %first = arith.constant -1 : i32
    %m = ttg.local_alloc : () -> !rows
    %m0 = ttg.memdesc_index %m[%c0] : !rows -> !row
    ttg.local_store %x, %m0 : !tile -> !row
    ttg.barrier local
    %end = scf.for %i = %c0 to %n step %c1 iter_args(%before = %first) -> (i32) : i32 {
      %sum = arith.addi %before, %c1 : i32
      %isEnd = arith.cmpi sge, %sum, %c3 : i32
      %index = arith.select %isEnd, %c0, %sum : i32
      %sum2 = arith.addi %index, %c1 : i32
      %isEnd2 = arith.cmpi sge, %sum2, %c3 : i32
      %index2 = arith.select %isEnd2, %c0, %sum2 : i32
      %from = ttg.memdesc_index %m[%index] : !rows -> !row
      %to = ttg.memdesc_index %m[%index2] : !rows -> !row
      %y = ttg.local_load %from : !row -> !tile
      tt.store %p, %y : !ptrs
      ttg.local_store %y, %to : !tile -> !row
      scf.yield %index : i32
    }
    tt.return
  }

  // Two buffers on, of two, is the same one again.
  // CHECK-LABEL: @read_again
  // CHECK: cf.cond_br
  // CHECK: ttg.local_load
  // CHECK: ttg.barrier local
  // CHECK-NEXT: ttg.local_store
  tt.func public @read_again(%p: !ptrs, %x: !tile, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %first = arith.constant -1 : i32
    %m = ttg.local_alloc : () -> !ttg.memdesc<2x128xi32, #s, #smem, mutable>
    %end = scf.for %i = %c0 to %n step %c1 iter_args(%before = %first) -> (i32) : i32 {
      %sum = arith.addi %before, %c1 : i32
      %isEnd = arith.cmpi sge, %sum, %c2 : i32
      %index = arith.select %isEnd, %c0, %sum : i32
      %sum2 = arith.addi %index, %c1 : i32
      %isEnd2 = arith.cmpi sge, %sum2, %c2 : i32
      %index2 = arith.select %isEnd2, %c0, %sum2 : i32
      %sum3 = arith.addi %index2, %c1 : i32
      %isEnd3 = arith.cmpi sge, %sum3, %c2 : i32
      %index3 = arith.select %isEnd3, %c0, %sum3 : i32
      %from = ttg.memdesc_index %m[%index] : !ttg.memdesc<2x128xi32, #s, #smem, mutable> -> !row
      %to = ttg.memdesc_index %m[%index3] : !ttg.memdesc<2x128xi32, #s, #smem, mutable> -> !row
      %y = ttg.local_load %from : !row -> !tile
      tt.store %p, %y : !ptrs
      ttg.local_store %y, %to : !tile -> !row
      scf.yield %index : i32
    }
    tt.return
  }

  // A number that goes on as a carried one in another loop has begun anew: nothing is known of the
  // buffer that the first loop has read last.
  // CHECK-LABEL: @loop_again
  // CHECK: ttg.local_load
  // CHECK: ttg.barrier local
  // CHECK-NEXT: ttg.local_store
  tt.func public @loop_again(%p: !ptrs, %x: !tile, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %first = arith.constant -1 : i32
    %m = ttg.local_alloc : () -> !rows
    scf.for %j = %c0 to %n step %c1 : i32 {
      %end = scf.for %i = %c0 to %n step %c1 iter_args(%before = %first) -> (i32) : i32 {
        %sum = arith.addi %before, %c1 : i32
        %isEnd = arith.cmpi sge, %sum, %c3 : i32
        %index = arith.select %isEnd, %c0, %sum : i32
        %from = ttg.memdesc_index %m[%index] : !rows -> !row
        %y = ttg.local_load %from : !row -> !tile
        tt.store %p, %y : !ptrs
        scf.yield %index : i32
      }
      %m1 = ttg.memdesc_index %m[%c1] : !rows -> !row
      ttg.local_store %x, %m1 : !tile -> !row
      ttg.barrier local
    }
    tt.return
  }
}
