// RUN: tilewright-opt %s -split-input-file --inline --mlir-print-debuginfo | FileCheck %s
// RUN: tilewright-opt %s -split-input-file --inline --symbol-dce | FileCheck %s --check-prefix=DCE

// MLIR's inliner on tt.call: what was inlined names both the place it comes from and the call's.

// CHECK-LABEL: tt.func public @kernel
// CHECK-SAME: %[[X:.*]]: f32
// DCE-NOT: @twice
tt.func public @kernel(%x: f32) -> f32 {
  // CHECK-NEXT: %[[S:.*]] = arith.addf %[[X]], %[[X]] : f32 loc(#[[LOC:.*]])
  // CHECK-NEXT: tt.return %[[S]]
  %0 = tt.call @twice(%x) : (f32) -> f32 loc("kernel.py":3:5)
  tt.return %0 : f32
}
tt.func private @twice(%x: f32) -> f32 attributes {noinline = false} {
  %0 = arith.addf %x, %x : f32 loc("kernel.py":9:7)
  tt.return %0 : f32
}
// CHECK-DAG: #[[CALLEE:.*]] = loc("kernel.py":9:7)
// CHECK-DAG: #[[CALLER:.*]] = loc("kernel.py":3:5)
// CHECK-DAG: #[[LOC]] = loc(callsite(#[[CALLEE]] at #[[CALLER]]))

// -----

// Chains of calls, results that are several, functions that return nothing.
// CHECK-LABEL: tt.func public @chain
// DCE-LABEL: tt.func public @chain
tt.func public @chain(%p: !tt.ptr<f32>, %x: f32) {
  // CHECK-NOT: tt.call
  // CHECK: %[[E:.*]] = math.exp %{{.*}} : f32
  // CHECK: tt.store %{{.*}}, %[[E]]
  // CHECK: tt.store %{{.*}}, %[[X:.*]] :
  // CHECK-NOT: tt.call
  // CHECK: tt.return
  %0:2 = tt.call @pair(%x) : (f32) -> (f32, f32)
  tt.call @save(%p, %0#0) : (!tt.ptr<f32>, f32) -> ()
  tt.call @save(%p, %0#1) : (!tt.ptr<f32>, f32) -> ()
  tt.return
}
// DCE-NOT: tt.func private
tt.func private @save(%p: !tt.ptr<f32>, %x: f32) {
  tt.store %p, %x : !tt.ptr<f32>
  tt.return
}
tt.func private @pair(%x: f32) -> (f32, f32) {
  %0 = tt.call @exp(%x) : (f32) -> f32
  tt.return %0, %x : f32, f32
}
tt.func private @exp(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  tt.return %0 : f32
}

// -----

// A call inside a loop and inside a branch.
// CHECK-LABEL: tt.func public @nested
tt.func public @nested(%p: !tt.ptr<i32>, %n: i32, %c: i1) {
  // CHECK-NOT: tt.call
  // CHECK: scf.for
  // CHECK: scf.if
  // CHECK-NEXT: arith.muli
  // CHECK-NOT: tt.call
  // CHECK: tt.return
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    scf.if %c {
      %0 = tt.call @square(%i) : (i32) -> i32
      tt.store %p, %0 : !tt.ptr<i32>
    }
  }
  tt.return
}
tt.func private @square(%x: i32) -> i32 {
  %0 = arith.muli %x, %x : i32
  tt.return %0 : i32
}

// -----

// Not inlined: noinline, and a function that is only declared.
// CHECK-LABEL: tt.func public @kept
// DCE-LABEL: tt.func public @kept
tt.func public @kept(%x: f32) -> f32 {
  // CHECK: tt.call @never
  // CHECK: tt.call @elsewhere
  %0 = tt.call @never(%x) : (f32) -> f32
  %1 = tt.call @elsewhere(%0) : (f32) -> f32
  tt.return %1 : f32
}
// DCE: tt.func private @never
// DCE: tt.func private @elsewhere
tt.func private @never(%x: f32) -> f32 attributes {noinline = true} {
  %0 = math.exp %x : f32
  tt.return %0 : f32
}
tt.func private @elsewhere(f32) -> f32
