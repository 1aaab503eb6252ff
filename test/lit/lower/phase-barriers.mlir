// RUN: tilewright-opt %s --convert-scf-to-cf --allocate-shared-memory | FileCheck %s

// A wait knows the parity of its phase alone: before the phase after it can end, all threads have
// passed it.

#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 16, colStride = 1>
!bar = !ttg.memdesc<1xi64, #s, #smem, mutable>
!bars = !ttg.memdesc<3x1xi64, #s, #smem, mutable>
!a = !ttg.memdesc<128x16xf16, #shared, #smem>
!b = !ttg.memdesc<16x16xf16, #shared, #smem>
!acc = !ttg.memdesc<128x16xf32, #tmem, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  // One barrier, a phase an iteration: the product of the next iteration completes the next phase.
  // CHECK-LABEL: @one
  // CHECK: ttng.init_barrier
  // CHECK: cf.cond_br
  // CHECK: ttg.barrier local
  // CHECK-NEXT: ttng.tc_gen5_mma
  // CHECK-NOT: ttg.barrier
  // CHECK: ttng.wait_barrier
  // CHECK-NOT: ttg.barrier
  // CHECK: cf.br
  tt.func public @one(%a: !a, %b: !b, %d: !acc, %n: i32) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %bar = ttg.local_alloc : () -> !bar
    ttng.init_barrier %bar, 1 : !bar
    scf.for %i = %c0 to %n step %c1 : i32 {
      ttng.tc_gen5_mma %a, %b, %d, %true, %true, %bar[%true] {is_async} : !a, !b, !acc, !bar
      %phase = arith.andi %i, %c1 : i32
      ttng.wait_barrier %bar, %phase : !bar
    }
    tt.return
  }

  // Nothing is ordered among ops that tell a barrier, nor among waits.
  // CHECK-LABEL: @told_twice
  // CHECK: ttng.barrier_expect
  // CHECK-NOT: ttg.barrier
  // CHECK: ttng.tc_gen5_mma
  // CHECK-NOT: ttg.barrier
  // CHECK: ttng.wait_barrier
  // CHECK-NOT: ttg.barrier
  // CHECK: ttng.wait_barrier
  // CHECK-NOT: ttng.wait_barrier
  // CHECK: ttg.barrier local
  // CHECK-NEXT: ttng.tc_gen5_mma
  tt.func public @told_twice(%a: !a, %b: !b, %d: !acc) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !bars
    %x = ttg.memdesc_index %m[%c0] : !bars -> !bar
    %y = ttg.memdesc_index %m[%c1] : !bars -> !bar
    ttng.init_barrier %x, 2 : !bar
    ttng.init_barrier %y, 1 : !bar
    ttng.barrier_expect %x, 0, %true : !bar
    ttng.tc_gen5_mma %a, %b, %d, %true, %true, %x[%true] {is_async} : !a, !b, !acc, !bar
    ttng.wait_barrier %x, %c0 : !bar
    ttng.wait_barrier %x, %c0 : !bar
    ttng.tc_gen5_mma %a, %b, %d, %true, %true, %x[%true] {is_async} : !a, !b, !acc, !bar
    tt.return
  }

  // Of a ring an iteration tells another barrier than it waits for, and a barrier of the block in
  // between, for whatever reason, is enough.
  // CHECK-LABEL: @ring
  // CHECK: ^bb2:
  // CHECK: ttng.tc_gen5_mma
  // CHECK-NEXT: ttng.wait_barrier
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NOT: ttg.barrier
  // CHECK: cf.br
  tt.func public @ring(%a: !a, %b: !b, %d: !acc, %n: i32) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %m = ttg.local_alloc : () -> !bars
    %before = arith.constant -1 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%in = %c0, %out = %before) -> (i32, i32) : i32 {
      %in1 = arith.addi %in, %c1 : i32
      %in2 = arith.cmpi sge, %in1, %c3 : i32
      %in3 = arith.select %in2, %c0, %in1 : i32
      %out1 = arith.addi %out, %c1 : i32
      %out2 = arith.cmpi sge, %out1, %c3 : i32
      %out3 = arith.select %out2, %c0, %out1 : i32
      %x = ttg.memdesc_index %m[%in3] : !bars -> !bar
      %y = ttg.memdesc_index %m[%out3] : !bars -> !bar
      ttng.tc_gen5_mma %a, %b, %d, %true, %true, %x[%true] {is_async} : !a, !b, !acc, !bar
      ttng.wait_barrier %y, %c0 : !bar
      ttg.barrier local
      scf.yield %in3, %out3 : i32, i32
    }
    tt.return
  }
}
