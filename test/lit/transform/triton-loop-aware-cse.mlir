// RUN: tilewright-opt %s -split-input-file --triton-loop-aware-cse | FileCheck %s

// Two pointers that walk alike are one, and so are the loads of them.
// CHECK-LABEL: @same_walk
// CHECK-SAME: %[[P:.*]]: !tt.ptr<f32>, %[[N:.*]]: i32, %[[D:.*]]: i32
tt.func @same_walk(%p: !tt.ptr<f32>, %n: i32, %d: i32) -> (f32, !tt.ptr<f32>, !tt.ptr<f32>) {
  // CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[Q:.*]] = %[[P]]) -> (f32, !tt.ptr<f32>)
  // CHECK-NEXT: %[[X:.*]] = tt.load %[[Q]]
  // CHECK-NEXT: %[[M:.*]] = arith.mulf %[[X]], %[[X]]
  // CHECK-NEXT: %[[S:.*]] = arith.addf %[[A]], %[[M]]
  // CHECK-NEXT: %[[NEXT:.*]] = tt.addptr %[[Q]], %[[D]]
  // CHECK-NEXT: scf.yield %[[S]], %[[NEXT]]
  // CHECK: tt.num_stages = 2
  // CHECK: tt.return %[[R]]#0, %[[R]]#1, %[[R]]#1
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %init = arith.constant 0.0 : f32
  %r:3 = scf.for %i = %zero to %n step %one iter_args(%a = %init, %q = %p, %s = %p) -> (f32, !tt.ptr<f32>, !tt.ptr<f32>) : i32 {
    %x = tt.load %q : !tt.ptr<f32>
    %y = tt.load %s : !tt.ptr<f32>
    %m = arith.mulf %x, %y : f32
    %sum = arith.addf %a, %m : f32
    %q1 = tt.addptr %q, %d : !tt.ptr<f32>, i32
    %s1 = tt.addptr %s, %d : !tt.ptr<f32>, i32
    scf.yield %sum, %q1, %s1 : f32, !tt.ptr<f32>, !tt.ptr<f32>
  } {tt.num_stages = 2 : i32}
  tt.return %r#0, %r#1, %r#2 : f32, !tt.ptr<f32>, !tt.ptr<f32>
}

// Values that trade places are equal as long as they begin so.
// CHECK-LABEL: @swapped
tt.func @swapped(%n: i32, %x: f32) -> (f32, f32) {
  // CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %{{[^,]*}}) -> (f32)
  // CHECK: %[[E:.*]] = math.exp %[[A]]
  // CHECK: scf.yield %[[E]]
  // CHECK: tt.return %[[R]], %[[R]]
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %x, %b = %x) -> (f32, f32) : i32 {
    %c = math.exp %a : f32
    %d = math.exp %b : f32
    scf.yield %d, %c : f32, f32
  }
  tt.return %r#0, %r#1 : f32, f32
}

// Different beginnings; different updates; equal updates of what is updated differently; loads,
// between which memory may change.
// CHECK-LABEL: @kept
tt.func @kept(%n: i32, %x: f32, %y: f32, %p: !tt.ptr<f32>) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32) {
  // CHECK: scf.for {{.*}} -> (f32, f32)
  // CHECK: scf.for {{.*}} -> (f32, f32)
  // CHECK: scf.for {{.*}} -> (f32, f32, f32, f32)
  // CHECK: scf.for {{.*}} -> (f32, f32)
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %x, %b = %y) -> (f32, f32) : i32 {
    %c = math.exp %a : f32
    %d = math.exp %b : f32
    scf.yield %c, %d : f32, f32
  }
  %s:2 = scf.for %i = %zero to %n step %one iter_args(%a = %x, %b = %x) -> (f32, f32) : i32 {
    %c = math.exp %a : f32
    %d = math.exp2 %b : f32
    scf.yield %c, %d : f32, f32
  }
  %t:4 = scf.for %i = %zero to %n step %one iter_args(%a = %x, %b = %x, %e = %x, %f = %x) -> (f32, f32, f32, f32) : i32 {
    %c = math.exp %e : f32
    %d = math.exp %f : f32
    %g = arith.addf %e, %y : f32
    %h = arith.subf %f, %y : f32
    scf.yield %c, %d, %g, %h : f32, f32, f32, f32
  }
  %u:2 = scf.for %i = %zero to %n step %one iter_args(%a = %x, %b = %x) -> (f32, f32) : i32 {
    %c = tt.load %p : !tt.ptr<f32>
    tt.store %p, %a : !tt.ptr<f32>
    %d = tt.load %p : !tt.ptr<f32>
    scf.yield %c, %d : f32, f32
  }
  tt.return %r#0, %r#1, %s#0, %s#1, %t#0, %t#1, %t#2, %t#3, %u#0, %u#1 : f32, f32, f32, f32, f32, f32, f32, f32, f32, f32
}

// An outer loop's values become equal once the inner loop's are.
// CHECK-LABEL: @nested
tt.func @nested(%n: i32, %x: f32) -> (f32, f32) {
  // CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %arg1) -> (f32)
  // CHECK: %[[I:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[A]]) -> (f32)
  // CHECK: scf.yield %[[I]]
  // CHECK: tt.return %[[R]], %[[R]]
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %x, %b = %x) -> (f32, f32) : i32 {
    %s:2 = scf.for %j = %zero to %n step %one iter_args(%c = %a, %d = %a) -> (f32, f32) : i32 {
      %e = math.exp %c : f32
      %f = math.exp %d : f32
      scf.yield %e, %f : f32, f32
    }
    scf.yield %s#0, %s#1 : f32, f32
  }
  tt.return %r#0, %r#1 : f32, f32
}
