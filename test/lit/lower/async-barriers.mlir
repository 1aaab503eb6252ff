// RUN: tilewright-opt %s --split-input-file --convert-scf-to-cf --allocate-shared-memory | FileCheck %s

// An asynchronous copy goes on from its issue to the wait that completes its group: barriers stand
// where others may still read what it writes over, and behind the wait.

#v = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!ptrs = tensor<128x!tt.ptr<i32>, #v>
!row = !ttg.memdesc<128xi32, #s, #smem, mutable>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // Nothing but the wait and a barrier makes a copy visible; a barrier before the wait does not help
  // and is not put in. What is read there is another stage.
  // CHECK-LABEL: @read_before_the_wait
  // CHECK: ttg.async_copy_global_to_local
  // CHECK-NOT: ttg.barrier
  // CHECK: ttg.local_load
  // CHECK-NOT: ttg.barrier
  // CHECK: ttg.async_wait
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.local_load
  tt.func public @read_before_the_wait(%p: !ptrs) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !ttg.memdesc<2x128xi32, #s, #smem, mutable>
    %m0 = ttg.memdesc_index %m[%c0] : !ttg.memdesc<2x128xi32, #s, #smem, mutable> -> !row
    %m1 = ttg.memdesc_index %m[%c1] : !ttg.memdesc<2x128xi32, #s, #smem, mutable> -> !row
    %k = ttg.async_copy_global_to_local %p, %m0 : !ptrs -> <128xi32, #s, #smem, mutable>
    %g = ttg.async_commit_group tokens %k
    %x = ttg.local_load %m1 : !row -> tensor<128xi32, #v>
    tt.store %p, %x : !ptrs
    %w = ttg.async_wait %g {num = 0 : i32}
    %y = ttg.local_load %m0 : !row -> tensor<128xi32, #v>
    tt.store %p, %y : !ptrs
    tt.return
  }

  // A wait completes the groups that it waits for, and no others: behind the second one %a is as it
  // was.
  // CHECK-LABEL: @groups
  // CHECK: ttg.async_wait {{.*}} {num = 1 : i32}
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.local_load
  // CHECK: ttg.async_wait {{.*}} {num = 0 : i32}
  // CHECK-NEXT: ttg.local_load
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.local_load
  tt.func public @groups(%p: !ptrs) {
    %a = ttg.local_alloc : () -> !row
    %b = ttg.local_alloc : () -> !row
    %k = ttg.async_copy_global_to_local %p, %a : !ptrs -> <128xi32, #s, #smem, mutable>
    %g = ttg.async_commit_group tokens %k
    %l = ttg.async_copy_global_to_local %p, %b : !ptrs -> <128xi32, #s, #smem, mutable>
    %h = ttg.async_commit_group tokens %l
    %w = ttg.async_wait %g {num = 1 : i32}
    %x = ttg.local_load %a : !row -> tensor<128xi32, #v>
    tt.store %p, %x : !ptrs
    %v = ttg.async_wait %h {num = 0 : i32}
    %x2 = ttg.local_load %a : !row -> tensor<128xi32, #v>
    %y = ttg.local_load %b : !row -> tensor<128xi32, #v>
    tt.store %p, %x2 : !ptrs
    tt.store %p, %y : !ptrs
    tt.return
  }

  // A copy that is in no group is not waited for.
  // CHECK-LABEL: @not_committed
  // CHECK: ttg.async_wait
  // CHECK-NOT: ttg.barrier
  // CHECK: ttg.local_load
  tt.func public @not_committed(%p: !ptrs) {
    %a = ttg.local_alloc : () -> !row
    %k = ttg.async_copy_global_to_local %p, %a : !ptrs -> <128xi32, #s, #smem, mutable>
    %w = ttg.async_wait {num = 0 : i32}
    %x = ttg.local_load %a : !row -> tensor<128xi32, #v>
    tt.store %p, %x : !ptrs
    tt.return
  }

  // Others may still read what a copy writes over, or store there, when it begins.
  // CHECK-LABEL: @overwritten
  // CHECK: ttg.local_store
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.local_load
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.async_copy_global_to_local
  tt.func public @overwritten(%p: !ptrs, %x: tensor<128xi32, #v>) {
    %a = ttg.local_alloc : () -> !row
    ttg.local_store %x, %a : tensor<128xi32, #v> -> !row
    %y = ttg.local_load %a : !row -> tensor<128xi32, #v>
    %k = ttg.async_copy_global_to_local %p, %a : !ptrs -> <128xi32, #s, #smem, mutable>
    %g = ttg.async_commit_group tokens %k
    %w = ttg.async_wait {num = 0 : i32}
    tt.store %p, %y : !ptrs
    tt.return
  }

  // A copy that nobody has waited for keeps its bytes: %b does not get those of %a, %c does.
  // CHECK-LABEL: @under_way
  // CHECK: ttg.local_alloc {allocation.offset = [[A:[0-9]+]] : i32}
  // CHECK: ttg.local_alloc {allocation.offset = [[B:[0-9]+]] : i32}
  // CHECK: ttg.async_wait
  // CHECK: ttg.local_alloc {allocation.offset = [[A]] : i32}
  tt.func public @under_way(%p: !ptrs, %x: tensor<128xi32, #v>) {
    %a = ttg.local_alloc : () -> !row
    %k = ttg.async_copy_global_to_local %p, %a : !ptrs -> <128xi32, #s, #smem, mutable>
    %g = ttg.async_commit_group tokens %k
    %b = ttg.local_alloc : () -> !row
    ttg.local_store %x, %b : tensor<128xi32, #v> -> !row
    %w = ttg.async_wait %g {num = 0 : i32}
    %c = ttg.local_alloc : () -> !row
    ttg.local_store %x, %c : tensor<128xi32, #v> -> !row
    %y = ttg.local_load %b : !row -> tensor<128xi32, #v>
    %z = ttg.local_load %c : !row -> tensor<128xi32, #v>
    tt.store %p, %y : !ptrs
    tt.store %p, %z : !ptrs
    tt.return
  }

  // On one path the copy is the last group, on the other there is one behind it: the wait may or
  // may not complete it.
  // CHECK-LABEL: @paths
  // CHECK: ttg.async_wait {{.*}}num = 1
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.local_load
  // CHECK: ttg.async_wait {{.*}}num = 0
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.local_load
  tt.func public @paths(%p: !ptrs, %c: i1) {
    %a = ttg.local_alloc : () -> !row
    %k = ttg.async_copy_global_to_local %p, %a : !ptrs -> <128xi32, #s, #smem, mutable>
    %g = ttg.async_commit_group tokens %k
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    %h = ttg.async_commit_group
    cf.br ^bb2
  ^bb2:
    %w = ttg.async_wait {num = 1 : i32}
    %x = ttg.local_load %a : !row -> tensor<128xi32, #v>
    tt.store %p, %x : !ptrs
    %v = ttg.async_wait {num = 0 : i32}
    %y = ttg.local_load %a : !row -> tensor<128xi32, #v>
    tt.store %p, %y : !ptrs
    tt.return
  }
}

// -----

// Loops over stages. One barrier lies between the wait and whoever reads; where the stage that is
// read is written over by the next copy another one lies between these two.

#v = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!ptrs = tensor<128x!tt.ptr<i32>, #v>
!row = !ttg.memdesc<128xi32, #s, #smem, mutable>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80"} {
  // CHECK-LABEL: @one_stage
  // CHECK: ^bb2:
  // CHECK: ttg.barrier local
  // CHECK-NEXT: ttg.async_copy_global_to_local
  // CHECK: ttg.async_wait
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.local_load
  // CHECK-NOT: ttg.barrier
  // CHECK: tt.return
  tt.func public @one_stage(%p: !ptrs, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !row
    scf.for %i = %c0 to %n step %c1 : i32 {
      %k = ttg.async_copy_global_to_local %p, %m : !ptrs -> <128xi32, #s, #smem, mutable>
      %g = ttg.async_commit_group tokens %k
      %w = ttg.async_wait %g {num = 0 : i32}
      %x = ttg.local_load %m : !row -> tensor<128xi32, #v>
      tt.store %p, %x : !ptrs
    }
    tt.return
  }

  // The copy stands behind the wait: the barrier between them also ends the reads of the iteration
  // before.
  // CHECK-LABEL: @two_stages
  // CHECK: ttg.async_copy_global_to_local
  // CHECK: ^bb2:
  // CHECK-NOT: ttg.barrier
  // CHECK: ttg.async_wait
  // CHECK: ttg.barrier local
  // CHECK-NEXT: ttg.async_copy_global_to_local
  // CHECK-NOT: ttg.barrier
  // CHECK: ttg.local_load
  // CHECK-NOT: ttg.barrier
  // CHECK: tt.return
  tt.func public @two_stages(%p: !ptrs, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !ttg.memdesc<2x128xi32, #s, #smem, mutable>
    %first = ttg.memdesc_index %m[%c0] : !ttg.memdesc<2x128xi32, #s, #smem, mutable> -> !row
    %k0 = ttg.async_copy_global_to_local %p, %first : !ptrs -> <128xi32, #s, #smem, mutable>
    %g0 = ttg.async_commit_group tokens %k0
    scf.for %i = %c0 to %n step %c1 : i32 {
      %stage = arith.andi %i, %c1 : i32
      %other = arith.xori %stage, %c1 : i32
      %w = ttg.async_wait {num = 0 : i32}
      %next = ttg.memdesc_index %m[%other] : !ttg.memdesc<2x128xi32, #s, #smem, mutable> -> !row
      %k = ttg.async_copy_global_to_local %p, %next : !ptrs -> <128xi32, #s, #smem, mutable>
      %g = ttg.async_commit_group tokens %k
      %now = ttg.memdesc_index %m[%stage] : !ttg.memdesc<2x128xi32, #s, #smem, mutable> -> !row
      %x = ttg.local_load %now : !row -> tensor<128xi32, #v>
      tt.store %p, %x : !ptrs
    }
    %w1 = ttg.async_wait {num = 0 : i32}
    tt.return
  }

  // In Triton's order, the copy last.
  // CHECK-LABEL: @three_stages
  // CHECK-COUNT-2: ttg.async_commit_group
  // CHECK: ^bb2:
  // CHECK-NOT: ttg.barrier
  // CHECK: ttg.async_wait
  // CHECK: ttg.barrier local
  // CHECK-NEXT: ttg.local_load
  // CHECK: ttg.barrier local
  // CHECK-NEXT: ttg.async_copy_global_to_local
  // CHECK-NOT: ttg.barrier
  // CHECK: tt.return
  tt.func public @three_stages(%p: !ptrs, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %m = ttg.local_alloc : () -> !ttg.memdesc<3x128xi32, #s, #smem, mutable>
    %m0 = ttg.memdesc_index %m[%c0] : !ttg.memdesc<3x128xi32, #s, #smem, mutable> -> !row
    %k0 = ttg.async_copy_global_to_local %p, %m0 : !ptrs -> <128xi32, #s, #smem, mutable>
    %g0 = ttg.async_commit_group tokens %k0
    %m1 = ttg.memdesc_index %m[%c1] : !ttg.memdesc<3x128xi32, #s, #smem, mutable> -> !row
    %k1 = ttg.async_copy_global_to_local %p, %m1 : !ptrs -> <128xi32, #s, #smem, mutable>
    %g1 = ttg.async_commit_group tokens %k1
    scf.for %i = %c0 to %n step %c1 : i32 {
      %stage = arith.remsi %i, %c3 : i32
      %j = arith.addi %i, %c2 : i32
      %last = arith.remsi %j, %c3 : i32
      %w = ttg.async_wait {num = 1 : i32}
      %now = ttg.memdesc_index %m[%stage] : !ttg.memdesc<3x128xi32, #s, #smem, mutable> -> !row
      %x = ttg.local_load %now : !row -> tensor<128xi32, #v>
      tt.store %p, %x : !ptrs
      %next = ttg.memdesc_index %m[%last] : !ttg.memdesc<3x128xi32, #s, #smem, mutable> -> !row
      %k = ttg.async_copy_global_to_local %p, %next : !ptrs -> <128xi32, #s, #smem, mutable>
      %g = ttg.async_commit_group tokens %k
    }
    %w1 = ttg.async_wait {num = 0 : i32}
    tt.return
  }
}
