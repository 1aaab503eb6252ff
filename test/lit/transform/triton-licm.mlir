// RUN: tilewright-opt %s -split-input-file --triton-licm | FileCheck %s

// A load leaves a loop that writes nothing, and reads only if the loop has an iteration.
// CHECK-LABEL: @tensor_load
// CHECK-SAME: %[[P:.*]]: tensor<8x!tt.ptr<f32>>, %[[N:.*]]: i32
tt.func @tensor_load(%p: tensor<8x!tt.ptr<f32>>, %n: i32, %x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: %[[RUNS:.*]] = arith.cmpi slt, %c0_i32, %[[N]] : i32
  // CHECK: %[[M:.*]] = tt.splat %[[RUNS]] : i1 -> tensor<8xi1>
  // CHECK: %[[V:.*]] = tt.load %[[P]], %[[M]] : tensor<8x!tt.ptr<f32>>
  // CHECK: %[[E:.*]] = math.exp %[[V]]
  // CHECK: scf.for
  // CHECK-NEXT: arith.addf %{{.*}}, %[[E]]
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %x) -> (tensor<8xf32>) : i32 {
    %v = tt.load %p : tensor<8x!tt.ptr<f32>>
    %e = math.exp %v : tensor<8xf32>
    %s = arith.addf %a, %e : tensor<8xf32>
    scf.yield %s : tensor<8xf32>
  }
  tt.return %r : tensor<8xf32>
}

// With a mask of its own and with a scalar pointer; the comparison is made once.
// CHECK-LABEL: @masked_and_scalar
tt.func @masked_and_scalar(%p: tensor<8x!tt.ptr<f32>>, %m: tensor<8xi1>, %o: tensor<8xf32>, %q: !tt.ptr<f32>, %n: i32, %x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: %[[RUNS:.*]] = arith.cmpi slt, %c0_i32, %arg4 : i32
  // CHECK-NOT: arith.cmpi
  // CHECK: %[[S:.*]] = tt.splat %[[RUNS]]
  // CHECK: %[[M:.*]] = arith.andi %arg1, %[[S]]
  // CHECK: tt.load %arg0, %[[M]], %arg2
  // CHECK: tt.load %arg3, %[[RUNS]] : !tt.ptr<f32>
  // CHECK: scf.for
  // CHECK-NOT: tt.load
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %x) -> (tensor<8xf32>) : i32 {
    %v = tt.load %p, %m, %o : tensor<8x!tt.ptr<f32>>
    %w = tt.load %q : !tt.ptr<f32>
    %ws = tt.splat %w : f32 -> tensor<8xf32>
    %s = arith.addf %a, %v : tensor<8xf32>
    %t = arith.mulf %s, %ws : tensor<8xf32>
    scf.yield %t : tensor<8xf32>
  }
  tt.return %r : tensor<8xf32>
}

// A loop that is known to run needs no guard; the load leaves both loops.
// CHECK-LABEL: @known_to_run
tt.func @known_to_run(%p: !tt.ptr<f32>, %x: f32) -> f32 {
  // CHECK-NOT: arith.cmpi
  // CHECK: tt.load %arg0 : !tt.ptr<f32>
  // CHECK: scf.for
  // CHECK: scf.for
  // CHECK-NOT: tt.load
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = arith.constant 8 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %x) -> (f32) : i32 {
    %s = scf.for %j = %zero to %n step %one iter_args(%b = %a) -> (f32) : i32 {
      %v = tt.load %p : !tt.ptr<f32>
      %c = arith.addf %b, %v : f32
      scf.yield %c : f32
    }
    scf.yield %s : f32
  }
  tt.return %r : f32
}

// CHECK-LABEL: @unsigned_bounds
tt.func @unsigned_bounds(%p: !tt.ptr<f32>, %x: f32, %lb: i32, %ub: i32) -> f32 {
  // CHECK: arith.cmpi ult, %arg2, %arg3
  // CHECK: tt.load
  // CHECK: scf.for
  %one = arith.constant 1 : i32
  %r = scf.for unsigned %i = %lb to %ub step %one iter_args(%a = %x) -> (f32) : i32 {
    %v = tt.load %p : !tt.ptr<f32>
    %c = arith.addf %a, %v : f32
    scf.yield %c : f32
  }
  tt.return %r : f32
}

// -----

// The loop writes: itself, in a nested loop, in a function that it calls, or by a volatile load.
tt.func private @callee(!tt.ptr<f32>)
// CHECK-LABEL: @writes
tt.func @writes(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %n: i32) {
  // CHECK-NOT: tt.load
  // CHECK: scf.for
  // CHECK: tt.load
  // CHECK: scf.for
  // CHECK: tt.load
  // CHECK: scf.for
  // CHECK: scf.for
  // CHECK: tt.load
  // CHECK: scf.for
  // CHECK: tt.load
  // CHECK-NEXT: tt.call
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %v = tt.load %p : !tt.ptr<f32>
    tt.store %q, %v : !tt.ptr<f32>
  }
  scf.for %i = %zero to %n step %one : i32 {
    %v = tt.load %p : !tt.ptr<f32>
    scf.for %j = %zero to %n step %one : i32 {
      tt.store %q, %v : !tt.ptr<f32>
    }
  }
  scf.for %i = %zero to %n step %one : i32 {
    %v = tt.load %p {isVolatile = true} : !tt.ptr<f32>
  }
  scf.for %i = %zero to %n step %one : i32 {
    %v = tt.load %p : !tt.ptr<f32>
    tt.call @callee(%q) : (!tt.ptr<f32>) -> ()
  }
  tt.return
}

// A load that runs only sometimes, or whose pointer changes.
// CHECK-LABEL: @conditional
tt.func @conditional(%p: !tt.ptr<f32>, %c: i1, %n: i32, %x: f32) -> f32 {
  // CHECK-NOT: tt.load
  // CHECK: scf.for
  // CHECK: scf.if
  // CHECK-NEXT: tt.load
  // CHECK: tt.addptr
  // CHECK-NEXT: tt.load
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %x) -> (f32) : i32 {
    %s = scf.if %c -> f32 {
      %v = tt.load %p : !tt.ptr<f32>
      scf.yield %v : f32
    } else {
      scf.yield %a : f32
    }
    %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
    %w = tt.load %q : !tt.ptr<f32>
    %t = arith.addf %s, %w : f32
    scf.yield %t : f32
  }
  tt.return %r : f32
}

// -----

// The condition of a while is evaluated at least once; its body perhaps never.
// CHECK-LABEL: @while_condition
tt.func @while_condition(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>, %x: i32) -> i32 {
  // CHECK: %[[N:.*]] = tt.load %arg0 : !tt.ptr<i32>
  // CHECK-NEXT: scf.while
  // CHECK-NEXT: arith.cmpi slt, %{{.*}}, %[[N]]
  %r = scf.while (%a = %x) : (i32) -> i32 {
    %n = tt.load %p : !tt.ptr<i32>
    %c = arith.cmpi slt, %a, %n : i32
    scf.condition(%c) %a : i32
  } do {
  ^bb0(%a: i32):
    // CHECK: do
    // CHECK: %[[Y:.*]] = tt.load %arg1
    %y = tt.load %q : !tt.ptr<i32>
    %b = arith.addi %a, %y : i32
    scf.yield %b : i32
  }
  tt.return %r : i32
}

// CHECK-LABEL: @while_that_writes
tt.func @while_that_writes(%p: !tt.ptr<i32>, %x: i32) -> i32 {
  // CHECK: scf.while
  // CHECK-NEXT: tt.load
  %r = scf.while (%a = %x) : (i32) -> i32 {
    %n = tt.load %p : !tt.ptr<i32>
    %c = arith.cmpi slt, %a, %n : i32
    scf.condition(%c) %a : i32
  } do {
  ^bb0(%a: i32):
    tt.store %p, %a : !tt.ptr<i32>
    %b = arith.addi %a, %a : i32
    scf.yield %b : i32
  }
  tt.return %r : i32
}

// -----

// Who asks for the memory's value as of now waits for it to change.
// CHECK-LABEL: @spin
tt.func @spin(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  // CHECK: scf.while
  // CHECK-NEXT: tt.load %arg0 cacheModifier = cv
  scf.while : () -> () {
    %n = tt.load %p cacheModifier = cv : !tt.ptr<i32>
    %c = arith.cmpi eq, %n, %zero : i32
    scf.condition(%c)
  } do {
    scf.yield
  }
  // CHECK: scf.while
  // CHECK-NEXT: tt.load %arg1 {isVolatile = true}
  scf.while : () -> () {
    %n = tt.load %q {isVolatile = true} : !tt.ptr<i32>
    %c = arith.cmpi eq, %n, %zero : i32
    scf.condition(%c)
  } do {
    scf.yield
  }
  tt.return
}

// -----

// Where the kernel asks for it (disable_licm) all stays in the loop.
#annotation = #llvm.loop_annotation<licm = <disable = true, versioningDisable = true>>
// CHECK-LABEL: @disabled
tt.func @disabled(%p: !tt.ptr<i32>, %n: i32, %x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: scf.for
  // CHECK-NEXT: tt.load
  // CHECK-NEXT: arith.muli
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (i32) : i32 {
    %v = tt.load %p : !tt.ptr<i32>
    %w = arith.muli %v, %n : i32
    %b = arith.addi %a, %w : i32
    scf.yield %b : i32
  // CHECK: llvm.loop_annotation
  } {llvm.loop_annotation = #annotation}
  tt.return %r : i32
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Shared memory that holds a tensor from outside is written once; what the loop writes stays.
  // CHECK-LABEL: @shared_memory
  // CHECK: ttg.local_alloc %{{.*}} -> !ttg.memdesc<1024xf32, #shared, #smem>
  // CHECK: scf.for
  // CHECK: ttg.local_alloc %{{.*}} -> !ttg.memdesc<1024xf32, #shared, #smem, mutable>
  // CHECK: ttg.local_alloc %{{.*}} -> !ttg.memdesc<1024xf32, #shared, #smem>
  tt.func @shared_memory(%x: tensor<1024xf32, #blocked>, %n: i32) -> tensor<1024xf32, #blocked> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %r = scf.for %i = %zero to %n step %one iter_args(%a = %x) -> (tensor<1024xf32, #blocked>) : i32 {
      %fixed = ttg.local_alloc %x : (tensor<1024xf32, #blocked>) -> !ttg.memdesc<1024xf32, #shared, #smem>
      %changed = ttg.local_alloc %x : (tensor<1024xf32, #blocked>) -> !ttg.memdesc<1024xf32, #shared, #smem, mutable>
      %own = ttg.local_alloc %a : (tensor<1024xf32, #blocked>) -> !ttg.memdesc<1024xf32, #shared, #smem>
      %u = ttg.local_load %fixed : !ttg.memdesc<1024xf32, #shared, #smem> -> tensor<1024xf32, #blocked>
      %v = ttg.local_load %changed : !ttg.memdesc<1024xf32, #shared, #smem, mutable> -> tensor<1024xf32, #blocked>
      %w = ttg.local_load %own : !ttg.memdesc<1024xf32, #shared, #smem> -> tensor<1024xf32, #blocked>
      %s = arith.addf %u, %v : tensor<1024xf32, #blocked>
      %t = arith.addf %s, %w : tensor<1024xf32, #blocked>
      scf.yield %t : tensor<1024xf32, #blocked>
    }
    tt.return %r : tensor<1024xf32, #blocked>
  }
}
