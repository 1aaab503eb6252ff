// RUN: tilewright-opt %s --tritongpu-schedule-loops | FileCheck %s

#a = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#l = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#oa = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#ob = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
!pa = tensor<128x32x!tt.ptr<f16>, #a>
!pl = tensor<512x!tt.ptr<f32>, #l>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// The product stands first, two iterations behind the load; the pointer is moved on right before
// it is used. Its result is used after the loop: it is counted once more, where iterations are
// those of the source.
// CHECK-LABEL: @product
// CHECK: %[[R:.*]]:3 = scf.for
// CHECK: tt.load %{{.*}} {loop.cluster = 2 : i32, loop.stage = 0 : i32}
// CHECK: ttg.convert_layout {{.*}}loop.cluster = 0 : i32, loop.stage = 2 : i32
// CHECK: tt.dot {{.*}}loop.cluster = 0 : i32, loop.stage = 2 : i32
// CHECK: tt.addptr {{.*}}loop.cluster = 1 : i32, loop.stage = 1 : i32
// CHECK: %[[P:.*]] = tt.addptr {{.*}}loop.cluster = 2 : i32, loop.stage = 2 : i32
// CHECK: scf.yield %{{.*}}, %{{.*}}, %[[P]]
// CHECK: } {tt.scheduled_max_stage = 2 : i32}
// CHECK: tt.return %[[R]]#0, %[[R]]#2
tt.func @product(%p: !pa, %y: tensor<32x128xf16, #ob>, %n: i32) -> (tensor<128x128xf32, #mma>, !pa) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %d = arith.constant dense<32> : tensor<128x32xi32, #a>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #mma>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %q = %p) -> (tensor<128x128xf32, #mma>, !pa) : i32 {
    %x = tt.load %q {tt.latency = 2 : i32} : !pa
    %xo = ttg.convert_layout %x : tensor<128x32xf16, #a> -> tensor<128x32xf16, #oa>
    %s = tt.dot %xo, %y, %acc : tensor<128x32xf16, #oa> * tensor<32x128xf16, #ob> -> tensor<128x128xf32, #mma>
    %t = tt.addptr %q, %d : !pa, tensor<128x32xi32, #a>
    scf.yield %s, %t : tensor<128x128xf32, #mma>, !pa
  }
  tt.return %r#0, %r#1 : tensor<128x128xf32, #mma>, !pa
}

// Two levels: the index of iteration i + 2, the value of i + 1, the sum of i. What nothing of this
// needs is in the last stage.
// CHECK-LABEL: @indirect
// CHECK: tt.load %{{.*}} {loop.cluster = 2 : i32, loop.stage = 0 : i32}
// CHECK: tt.addptr {{.*}}loop.cluster = 1 : i32, loop.stage = 1 : i32
// CHECK: tt.load %{{.*}} {loop.cluster = 1 : i32, loop.stage = 1 : i32}
// CHECK: arith.addf {{.*}}loop.cluster = 0 : i32, loop.stage = 2 : i32
// CHECK: tt.store {{.*}}loop.cluster = 0 : i32, loop.stage = 2 : i32
tt.func @indirect(%p: tensor<512x!tt.ptr<i32>, #l>, %base: !pl, %out: !pl, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<512xf32, #l>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<512xf32, #l>) : i32 {
    %x = tt.load %p {tt.latency = 1 : i32} : tensor<512x!tt.ptr<i32>, #l>
    %q = tt.addptr %base, %x : !pl, tensor<512xi32, #l>
    %y = tt.load %q {tt.latency = 1 : i32} : !pl
    %s = arith.addf %acc, %y : tensor<512xf32, #l>
    tt.store %out, %s : !pl
    scf.yield %s : tensor<512xf32, #l>
  }
  tt.return
}

// The address is of what the iteration before has computed: nothing can begin early.
// CHECK-LABEL: @dependent
// CHECK-NOT: loop.stage
tt.func @dependent(%p: tensor<512x!tt.ptr<i32>, #l>, %n: i32) -> tensor<512x!tt.ptr<i32>, #l> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%q = %p) -> (tensor<512x!tt.ptr<i32>, #l>) : i32 {
    %x = tt.load %q {tt.latency = 2 : i32} : tensor<512x!tt.ptr<i32>, #l>
    %s = tt.addptr %p, %x : tensor<512x!tt.ptr<i32>, #l>, tensor<512xi32, #l>
    scf.yield %s : tensor<512x!tt.ptr<i32>, #l>
  }
  tt.return %r : tensor<512x!tt.ptr<i32>, #l>
}

// The address of the next load comes from a branch: it stays in front of that load. One that
// nothing waits for comes last.
// CHECK-LABEL: @branches
// CHECK: tt.load %{{.*}} {loop.cluster = 2 : i32, loop.stage = 0 : i32}
// CHECK: tt.store
// CHECK: } {loop.cluster = 3 : i32, loop.stage = 1 : i32}
// CHECK: tt.addptr
// CHECK: } {loop.cluster = 1 : i32, loop.stage = 1 : i32}
tt.func @branches(%p: !pl, %q: !pl, %out: !pl, %step: tensor<512xi32, #l>, %c: i1, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<512xf32, #l>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %at = %p) -> (tensor<512xf32, #l>, !pl) : i32 {
    %x = tt.load %at {tt.latency = 1 : i32} : !pl
    %s = arith.addf %acc, %x : tensor<512xf32, #l>
    scf.if %c {
      tt.store %out, %s : !pl
    }
    %next = scf.if %c -> (!pl) {
      scf.yield %q : !pl
    } else {
      %t = tt.addptr %at, %step : !pl, tensor<512xi32, #l>
      scf.yield %t : !pl
    }
    scf.yield %s, %next : tensor<512xf32, #l>, !pl
  }
  tt.return
}

// A load after the branch is of the memory that the branch stores to: it stays after it, though
// nothing waits for the branch. The addresses have one base, whatever they are computed by.
// CHECK-LABEL: @stored_in_branch
// CHECK: scf.if
// CHECK: } {loop.cluster = 0 : i32, loop.stage = 1 : i32}
// CHECK: tt.load {{.*}} {loop.cluster = 0 : i32, loop.stage = 1 : i32}
tt.func @stored_in_branch(%p: !pl, %base: !tt.ptr<f32>, %c: i1, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<512xf32, #l>
  %q = tt.splat %base : !tt.ptr<f32> -> !pl
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<512xf32, #l>) : i32 {
    %x = tt.load %p {tt.latency = 1 : i32} : !pl
    scf.if %c {
      %at = tt.addptr %base, %i : !tt.ptr<f32>, i32
      %all = tt.splat %at : !tt.ptr<f32> -> !pl
      tt.store %all, %x : !pl
    }
    %y = tt.load %q : !pl
    %s = arith.addf %acc, %y : tensor<512xf32, #l>
    scf.yield %s : tensor<512xf32, #l>
  }
  tt.return
}

// What an early load's address comes from is written in the loop: it cannot begin early.
// CHECK-LABEL: @address_that_is_stored
// CHECK-NOT: loop.stage
tt.func @address_that_is_stored(%p: tensor<512x!tt.ptr<i32>, #l>, %base: !pl, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<512xf32, #l>
  %one = arith.constant dense<1> : tensor<512xi32, #l>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<512xf32, #l>) : i32 {
    %x = tt.load %p : tensor<512x!tt.ptr<i32>, #l>
    %q = tt.addptr %base, %x : !pl, tensor<512xi32, #l>
    %y = tt.load %q {tt.latency = 1 : i32} : !pl
    %s = arith.addf %acc, %y : tensor<512xf32, #l>
    %next = arith.addi %x, %one : tensor<512xi32, #l>
    tt.store %p, %next : tensor<512x!tt.ptr<i32>, #l>
    scf.yield %s : tensor<512xf32, #l>
  }
  tt.return
}
}
