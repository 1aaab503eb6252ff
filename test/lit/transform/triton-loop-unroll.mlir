// RUN: tilewright-opt %s -split-input-file --triton-loop-unroll --cse -verify-diagnostics | FileCheck %s

// A trip count that the factor divides: no remainder.
// CHECK-LABEL: @divisible
tt.func @divisible(%p: !tt.ptr<i32>) -> i32 {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i32
  // CHECK-DAG: %[[C12:.*]] = arith.constant 12 : i32
  // CHECK-DAG: %[[C4:.*]] = arith.constant 4 : i32
  // CHECK: %[[R:.*]] = scf.for %[[I:.*]] = %[[C0]] to %[[C12]] step %[[C4]] iter_args(%[[A:.*]] = %[[C0]]) -> (i32) : i32 {
  // CHECK-NEXT: %[[A1:.*]] = arith.addi %[[A]], %[[I]]
  // CHECK: %[[I1:.*]] = arith.addi %[[I]], %{{.*}}{{.*}} : i32
  // CHECK-NEXT: %[[A2:.*]] = arith.addi %[[A1]], %[[I1]]
  // CHECK: scf.yield %[[A2]]
  // CHECK-NOT: tt.loop_unroll_factor
  // CHECK-NOT: scf.for
  // CHECK: tt.return %[[R]]
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %n = arith.constant 12 : i32
  %r = scf.for %i = %zero to %n step %two iter_args(%a = %zero) -> (i32) : i32 {
    %next = arith.addi %a, %i : i32
    scf.yield %next : i32
  } {tt.loop_unroll_factor = 2 : i32}
  tt.return %r : i32
}

// Seven iterations by three: 0, 3 and the rest, 6.
// CHECK-LABEL: @remainder
tt.func @remainder(%x: i32) -> i32 {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i32
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i32
  // CHECK-DAG: %[[C7:.*]] = arith.constant 7 : i32
  // CHECK-DAG: %[[C6:.*]] = arith.constant 6 : i32
  // CHECK-DAG: %[[C3:.*]] = arith.constant 3 : i32
  // CHECK: %[[MAIN:.*]] = scf.for %{{.*}} = %[[C0]] to %[[C6]] step %[[C3]] iter_args(%{{.*}} = %{{.*}})
  // CHECK-COUNT-3: arith.muli
  // CHECK: } {tt.num_stages = 4 : i32}
  // CHECK: %[[REST:.*]] = scf.for %{{.*}} = %[[C6]] to %[[C7]] step %[[C1]] iter_args(%{{.*}} = %[[MAIN]])
  // CHECK-COUNT-1: arith.muli
  // CHECK: } {tt.num_stages = 1 : i32}
  // CHECK: tt.return %[[REST]]
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = arith.constant 7 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %x) -> (i32) : i32 {
    %next = arith.muli %a, %a : i32
    scf.yield %next : i32
  } {tt.loop_unroll_factor = 3 : i32, tt.num_stages = 4 : i32}
  tt.return %r : i32
}

// Bounds that are not known: an upper bound below the lower one means no iteration.
// CHECK-LABEL: @dynamic
// CHECK-SAME: %[[LB:.*]]: i32, %[[UB:.*]]: i32, %[[STEP:.*]]: i32, %[[X:.*]]: f32
tt.func @dynamic(%lb: i32, %ub: i32, %step: i32, %x: f32) -> f32 {
  // CHECK: %[[LAST:.*]] = arith.maxsi %[[UB]], %[[LB]] : i32
  // CHECK: %[[LENGTH:.*]] = arith.subi %[[LAST]], %[[LB]] : i32
  // CHECK: %[[QUOTIENT:.*]] = arith.divui %[[LENGTH]], %[[STEP]] : i32
  // CHECK: %[[REST:.*]] = arith.remui %[[LENGTH]], %[[STEP]] : i32
  // CHECK: %[[EXACT:.*]] = arith.cmpi eq, %[[REST]], %c0_i32 : i32
  // CHECK: %[[INCREMENT:.*]] = arith.select %[[EXACT]], %c0_i32, %c1_i32 : i32
  // CHECK: %[[TRIPS:.*]] = arith.addi %[[QUOTIENT]], %[[INCREMENT]] : i32
  // CHECK: %[[C2:.*]] = arith.constant 2 : i32
  // CHECK: %[[LEFT:.*]] = arith.remui %[[TRIPS]], %[[C2]] : i32
  // CHECK: %[[MAINTRIPS:.*]] = arith.subi %[[TRIPS]], %[[LEFT]] : i32
  // CHECK: %[[DISTANCE:.*]] = arith.muli %[[MAINTRIPS]], %[[STEP]] : i32
  // CHECK: %[[MIDDLE:.*]] = arith.addi %[[LB]], %[[DISTANCE]] : i32
  // CHECK: %[[STEP2:.*]] = arith.muli %[[STEP]], %[[C2]] : i32
  // CHECK: %[[MAIN:.*]] = scf.for %{{.*}} = %[[LB]] to %[[MIDDLE]] step %[[STEP2]] iter_args(%{{.*}} = %[[X]])
  // CHECK: %[[LEFTOVER:.*]] = scf.for %{{.*}} = %[[MIDDLE]] to %[[UB]] step %[[STEP]] iter_args(%{{.*}} = %[[MAIN]])
  // CHECK: tt.return %[[LEFTOVER]]
  %r = scf.for %i = %lb to %ub step %step iter_args(%a = %x) -> (f32) : i32 {
    %y = arith.sitofp %i : i32 to f32
    %next = arith.addf %a, %y : f32
    scf.yield %next : f32
  } {tt.loop_unroll_factor = 2 : i32}
  tt.return %r : f32
}

// CHECK-LABEL: @unsigned_bounds
tt.func @unsigned_bounds(%lb: i32, %ub: i32, %p: !tt.ptr<i32>) {
  // CHECK: arith.maxui
  // CHECK: scf.for unsigned
  // CHECK-COUNT-2: tt.store
  // CHECK: scf.for unsigned
  // CHECK-COUNT-1: tt.store
  %one = arith.constant 1 : i32
  scf.for unsigned %i = %lb to %ub step %one : i32 {
    tt.store %p, %i : !tt.ptr<i32>
  } {tt.loop_unroll_factor = 2 : i32}
  tt.return
}

// Values handed on crosswise.
// CHECK-LABEL: @rotating
tt.func @rotating(%x: f32, %y: f32) -> (f32, f32) {
  // CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %arg0, %[[B:.*]] = %arg1)
  // CHECK: %[[B1:.*]] = math.exp %[[A]]
  // CHECK: %[[B2:.*]] = math.exp %[[B]]
  // CHECK: scf.yield %[[B1]], %[[B2]]
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = arith.constant 8 : i32
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %x, %b = %y) -> (f32, f32) : i32 {
    %next = math.exp %a : f32
    scf.yield %b, %next : f32, f32
  } {tt.loop_unroll_factor = 2 : i32}
  tt.return %r#0, %r#1 : f32, f32
}

// Both loops of a nest: the inner one's copies are unrolled too.
// CHECK-LABEL: @nested
tt.func @nested(%p: !tt.ptr<i32>) {
  // CHECK-COUNT-2: scf.for
  // CHECK-COUNT-2: tt.store
  // CHECK: scf.for
  // CHECK-COUNT-2: tt.store
  // CHECK-NOT: scf.for
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = arith.constant 8 : i32
  scf.for %i = %zero to %n step %one : i32 {
    scf.for %j = %zero to %n step %one : i32 {
      tt.store %p, %j : !tt.ptr<i32>
    } {tt.loop_unroll_factor = 2 : i32}
  } {tt.loop_unroll_factor = 2 : i32}
  tt.return
}

// A factor of one, or more than there are iterations: nothing to do. No mark: nothing either.
// CHECK-LABEL: @not_unrolled
tt.func @not_unrolled(%p: !tt.ptr<i32>, %n: i32) {
  // CHECK-COUNT-3: tt.store
  // CHECK-NOT: tt.store
  // CHECK-NOT: tt.loop_unroll_factor
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  scf.for %i = %zero to %n step %one : i32 {
    tt.store %p, %i : !tt.ptr<i32>
  } {tt.loop_unroll_factor = 1 : i32}
  scf.for %i = %zero to %three step %one : i32 {
    tt.store %p, %i : !tt.ptr<i32>
  } {tt.loop_unroll_factor = 4 : i32}
  scf.for %i = %zero to %n step %one : i32 {
    tt.store %p, %i : !tt.ptr<i32>
  }
  tt.return
}

// -----

tt.func @factor_zero(%n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // expected-error @below {{has tt.loop_unroll_factor = 0 : i32; it must be an integer from 1 to 1024}}
  scf.for %i = %zero to %n step %one : i32 {
  } {tt.loop_unroll_factor = 0 : i32}
  tt.return
}

// -----

tt.func @factor_text(%n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // expected-error @below {{has tt.loop_unroll_factor = "many"; it must be an integer from 1 to 1024}}
  scf.for %i = %zero to %n step %one : i32 {
  } {tt.loop_unroll_factor = "many"}
  tt.return
}
