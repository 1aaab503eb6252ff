// RUN: tilewright-opt %s -split-input-file --tilewright-inline-straight-calls --mlir-print-debuginfo | FileCheck %s

// What was a function's names both the place it comes from and the call's, in regions as well.

// CHECK-LABEL: tt.func public @places
// CHECK-SAME: %[[X:[a-z0-9]+]]: f32 {{.*}}, %[[C:[a-z0-9]+]]: i1
tt.func public @places(%x: f32, %c: i1) -> f32 {
  // CHECK-NEXT: %[[R:.*]] = scf.if %[[C]] -> (f32) {
  // CHECK-NEXT: arith.addf %[[X]], %[[X]] : f32 loc(#[[LOC:.*]])
  // CHECK: tt.return %[[R]]
  %0 = tt.call @maybe_twice(%x, %c) : (f32, i1) -> f32 loc("kernel.py":3:5)
  tt.return %0 : f32
}
tt.func private @maybe_twice(%x: f32, %c: i1) -> f32 {
  %0 = scf.if %c -> f32 {
    %1 = arith.addf %x, %x : f32 loc("kernel.py":9:7)
    scf.yield %1 : f32
  } else {
    scf.yield %x : f32
  }
  tt.return %0 : f32
}
// CHECK-DAG: #[[CALLEE:.*]] = loc("kernel.py":9:7)
// CHECK-DAG: #[[CALLER:.*]] = loc("kernel.py":3:5)
// CHECK-DAG: #[[LOC]] = loc(callsite(#[[CALLEE]] at #[[CALLER]]))

// -----

// Chains of calls, whatever their order; several results, none, and an argument as a result.

// CHECK-LABEL: tt.func public @chain
// CHECK-NOT: tt.call
// CHECK: %[[E:.*]] = math.exp
// CHECK: tt.store %{{.*}}, %[[E]]
// CHECK-NEXT: tt.store %{{.*}}, %arg1
// CHECK-NEXT: tt.return
tt.func public @chain(%p: !tt.ptr<f32>, %x: f32) {
  %0:2 = tt.call @pair(%x) : (f32) -> (f32, f32)
  tt.call @save(%p, %0#0) : (!tt.ptr<f32>, f32) -> ()
  tt.call @save(%p, %0#1) : (!tt.ptr<f32>, f32) -> ()
  tt.return
}
tt.func private @pair(%x: f32) -> (f32, f32) {
  %0 = tt.call @exponential(%x) : (f32) -> f32
  tt.return %0, %x : f32, f32
}
tt.func private @save(%p: !tt.ptr<f32>, %x: f32) {
  tt.store %p, %x : !tt.ptr<f32>
  tt.return
}
tt.func private @exponential(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  tt.return %0 : f32
}

// -----

// Left to MLIR's inliner.

// CHECK-LABEL: tt.func public @left
// CHECK-NEXT: tt.call @kept
// CHECK-NEXT: tt.call @branches
// CHECK-NEXT: tt.call @itself
// CHECK-NEXT: tt.call @elsewhere
// CHECK-NEXT: tt.return
tt.func public @left(%x: i32, %c: i1) {
  %0 = tt.call @kept(%x) : (i32) -> i32
  %1 = tt.call @branches(%x, %c) : (i32, i1) -> i32
  %2 = tt.call @itself(%x) : (i32) -> i32
  %3 = tt.call @elsewhere(%x) : (i32) -> i32
  tt.return
}
tt.func private @kept(%x: i32) -> i32 attributes {noinline = true} {
  tt.return %x : i32
}
tt.func private @branches(%x: i32, %c: i1) -> i32 {
  cf.cond_br %c, ^bb1(%x : i32), ^bb2
^bb1(%0: i32):
  tt.return %0 : i32
^bb2:
  tt.return %x : i32
}
tt.func private @itself(%x: i32) -> i32 {
  %0 = tt.call @itself(%x) : (i32) -> i32
  tt.return %0 : i32
}
tt.func private @elsewhere(i32) -> i32
