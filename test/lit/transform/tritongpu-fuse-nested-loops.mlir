// RUN: tilewright-opt %s --tritongpu-fuse-nested-loops | FileCheck %s

// Bounds that are constant: the loop as it is described in the pass.

// CHECK-LABEL: tt.func @sum_of_rows
// CHECK-SAME: (%[[P:.*]]: !tt.ptr<i32>, %[[N:.*]]: i32)
tt.func @sum_of_rows(%p: !tt.ptr<i32>, %n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i32
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i32
  // CHECK-DAG: %[[C8:.*]] = arith.constant 8 : i32
  // CHECK: %[[TRIPS:.*]] = arith.muli %{{.*}}, %{{.*}} : i64
  // CHECK: %[[R:.*]]:5 = scf.for {{.*}} to %[[TRIPS]] {{.*}} iter_args(%[[I:.*]] = %[[C0]], %[[J:.*]] = %[[C0]], %[[T:.*]] = %[[C0]], %[[A:.*]] = %[[C0]], %[[IM:.*]] = %{{.*}}) -> (i32, i32, i32, i32, i32)  : i64 {
  // CHECK-NEXT: %[[FIRST:.*]] = arith.cmpi eq, %[[J]], %[[C0]]
  // CHECK-NEXT: %[[BEFORE:.*]] = scf.if %[[FIRST]] -> (i32) {
  // CHECK-NEXT:   %[[NEW:.*]] = arith.muli %[[I]], %[[C8]]
  // CHECK-NEXT:   scf.yield %[[NEW]]
  // CHECK-NEXT: } else {
  // CHECK-NEXT:   scf.yield %[[IM]]
  // CHECK-NEXT: }
  // CHECK-NEXT: %[[O:.*]] = arith.addi %[[BEFORE]], %[[J]]
  // CHECK-NEXT: %[[Q:.*]] = tt.addptr %[[P]], %[[O]]
  // CHECK-NEXT: %[[X:.*]] = tt.load %[[Q]]
  // CHECK-NEXT: %[[S:.*]] = arith.addi %[[A]], %[[X]]
  // CHECK-NEXT: %[[REST:.*]] = arith.subi %[[C8]], %[[J]]
  // CHECK-NEXT: %[[LAST:.*]] = arith.cmpi ule, %[[REST]], %[[C1]]
  // CHECK-NEXT: %[[ANEW:.*]] = arith.select %[[LAST]], %[[C0]], %[[S]]
  // CHECK-NEXT: %[[AFTER:.*]] = scf.if %[[LAST]] -> (i32) {
  // CHECK-NEXT:   tt.addptr %[[P]], %[[I]]
  // CHECK-NEXT:   tt.store %{{.*}}, %[[S]]
  // CHECK-NEXT:   %[[TOTAL:.*]] = arith.addi %[[T]], %[[S]]
  // CHECK-NEXT:   scf.yield %[[TOTAL]]
  // CHECK-NEXT: } else {
  // CHECK-NEXT:   scf.yield %[[T]]
  // CHECK-NEXT: }
  // CHECK-NEXT: %[[I1:.*]] = arith.addi %[[I]], %[[C1]]
  // CHECK-NEXT: %[[J1:.*]] = arith.addi %[[J]], %[[C1]]
  // CHECK-NEXT: %[[I2:.*]] = arith.select %[[LAST]], %[[I1]], %[[I]]
  // CHECK-NEXT: %[[J2:.*]] = arith.select %[[LAST]], %[[C0]], %[[J1]]
  // CHECK-NEXT: scf.yield %[[I2]], %[[J2]], %[[AFTER]], %[[ANEW]], %[[BEFORE]]
  // CHECK-NEXT: } {tt.num_stages = 3 : i32}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %c0) -> i32 : i32 {
    %im = arith.muli %i, %c8 : i32
    %acc = scf.for %j = %c0 to %c8 step %c1 iter_args(%a = %c0) -> i32 : i32 {
      %o = arith.addi %im, %j : i32
      %q = tt.addptr %p, %o : !tt.ptr<i32>, i32
      %x = tt.load %q : !tt.ptr<i32>
      %s = arith.addi %a, %x : i32
      scf.yield %s : i32
    }
    %q = tt.addptr %p, %i : !tt.ptr<i32>, i32
    tt.store %q, %acc : !tt.ptr<i32>
    %total = arith.addi %t, %acc : i32
    scf.yield %total : i32
  } {tt.flatten, tt.num_stages = 3 : i32}
  // CHECK: tt.return %[[R]]#2
  tt.return %r : i32
}

// A sum that begins with what the outer loop computes begins anew in the first iteration. Of tensors
// that are computed from numbers the loop carries the numbers, of one that spreads another the other
// one, and what is loaded.

// CHECK-LABEL: tt.func @tensors
tt.func @tensors(%p: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %range = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %base = tt.splat %p : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
  // CHECK: scf.for {{.*}} -> (i32, i32, tensor<8xi32>, i32, tensor<8xi32>)  : i64 {
  // CHECK: %[[BEFORE:.*]]:3 = scf.if %{{.*}} -> (tensor<8xi32>, i32, tensor<8xi32>) {
  // CHECK:   %[[NEW:.*]] = arith.muli
  // CHECK:   %[[ROW:.*]] = tt.load
  // CHECK:   scf.yield %[[ROW]], %[[NEW]], %[[ROW]]
  // CHECK: }
  // CHECK: %[[SPLAT:.*]] = tt.splat %[[BEFORE]]#1
  // CHECK: %[[OFFSETS:.*]] = arith.addi %[[SPLAT]], %{{.*}}
  // CHECK: %[[COLUMN:.*]] = tt.expand_dims %[[BEFORE]]#2
  // CHECK: %[[TILE:.*]] = tt.broadcast %[[COLUMN]]
  // CHECK: arith.addi %[[BEFORE]]#0, %[[OFFSETS]]
  // CHECK: "tt.reduce"(%[[TILE]])
  scf.for %i = %c0 to %n step %c1 : i32 {
    %im = arith.muli %i, %c8 : i32
    %ims = tt.splat %im : i32 -> tensor<8xi32>
    %offsets = arith.addi %ims, %range : tensor<8xi32>
    %q = tt.addptr %base, %offsets : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
    %row = tt.load %q : tensor<8x!tt.ptr<i32>>
    %column = tt.expand_dims %row {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %tile = tt.broadcast %column : tensor<8x1xi32> -> tensor<8x4xi32>
    %acc = scf.for %j = %c0 to %c8 step %c1 iter_args(%a = %row) -> tensor<8xi32> : i32 {
      %s = arith.addi %a, %offsets : tensor<8xi32>
      %sum = "tt.reduce"(%tile) <{axis = 1 : i32}> ({
      ^bb0(%x: i32, %y: i32):
        %z = arith.addi %x, %y : i32
        tt.reduce.return %z : i32
      }) : (tensor<8x4xi32>) -> tensor<8xi32>
      %t = arith.addi %s, %sum : tensor<8xi32>
      scf.yield %t : tensor<8xi32>
    }
    tt.store %q, %acc : tensor<8x!tt.ptr<i32>>
  } {tt.flatten}
  tt.return
}

// Where the inner loop may have no iteration there is a version without it.

// CHECK-LABEL: tt.func @perhaps_empty
tt.func @perhaps_empty(%p: !tt.ptr<i32>, %n: i32, %lower: i32, %upper: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: %[[RUNS:.*]] = arith.cmpi slt, %arg2, %arg3
  // CHECK: scf.if %[[RUNS]] {
  // CHECK:   scf.for {{.*}} : i64 {
  // CHECK-NOT: scf.for
  // CHECK: } else {
  // CHECK:   scf.for %[[I:.*]] = {{.*}} : i32 {
  // CHECK-NEXT: %[[Q:.*]] = tt.addptr %arg0, %[[I]]
  // CHECK-NEXT: tt.store %[[Q]], %c0_i32
  // CHECK-NEXT: }
  scf.for %i = %c0 to %n step %c1 : i32 {
    %acc = scf.for %j = %lower to %upper step %c1 iter_args(%a = %c0) -> i32 : i32 {
      %s = arith.addi %a, %j : i32
      scf.yield %s : i32
    }
    %q = tt.addptr %p, %i : !tt.ptr<i32>, i32
    tt.store %q, %acc : !tt.ptr<i32>
  } {tt.flatten}
  tt.return
}

// All of a nest of three, as the loop asks for it from the outermost one on.

// CHECK-LABEL: tt.func @three
tt.func @three(%p: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  // CHECK: scf.for
  // CHECK-NOT: scf.for
  // CHECK: tt.return
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %j = %c0 to %c4 step %c1 : i32 {
      scf.for %k = %c0 to %c4 step %c1 : i32 {
        %ij = arith.addi %i, %j : i32
        %q = tt.addptr %p, %ij : !tt.ptr<i32>, i32
        tt.store %q, %k : !tt.ptr<i32>
      }
    }
  } {tt.flatten}
  tt.return
}

// Nobody asked, the bounds depend on the outer loop, there are two loops.

// CHECK-LABEL: tt.func @left_alone
tt.func @left_alone(%p: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK-COUNT-7: scf.for
  // CHECK-NOT: tt.flatten
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %j = %c0 to %n step %c1 : i32 {
      tt.store %p, %j : !tt.ptr<i32>
    }
  }
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %j = %c0 to %i step %c1 : i32 {
      tt.store %p, %j : !tt.ptr<i32>
    }
  } {tt.flatten}
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %j = %c0 to %n step %c1 : i32 {
      tt.store %p, %j : !tt.ptr<i32>
    }
    scf.for %j = %c0 to %n step %c1 : i32 {
      tt.store %p, %i : !tt.ptr<i32>
    }
  } {tt.flatten}
  tt.return
}
