// RUN: tilewright-opt %s --tritongpu-combine-tensor-select-and-if | FileCheck %s

// What the branch chooses by the same condition comes out of the branch.

// CHECK-LABEL: tt.func @before_a_branch
// CHECK-SAME: (%[[C:.*]]: i1, %[[A:.*]]: tensor<64xf32>, %[[B:.*]]: tensor<64xf32>, %[[P:.*]]: tensor<64x!tt.ptr<f32>>)
tt.func @before_a_branch(%c: i1, %a: tensor<64xf32>, %b: tensor<64xf32>, %p: tensor<64x!tt.ptr<f32>>) -> (tensor<64xf32>, tensor<64xf32>) {
  // CHECK-NOT: arith.select
  %s = arith.select %c, %a, %b : tensor<64xf32>
  // CHECK: %[[R:.*]]:2 = scf.if %[[C]] -> (tensor<64xf32>, tensor<64xf32>) {
  // In the branch it is known which it is.
  // CHECK-NEXT: %[[X:.*]] = arith.addf %[[A]], %[[B]]
  // CHECK-NEXT: scf.yield %[[X]], %[[A]]
  // CHECK-NEXT: } else {
  // CHECK-NEXT: %[[Y:.*]] = arith.mulf %[[B]], %[[B]]
  // CHECK-NEXT: scf.yield %[[Y]], %[[B]]
  %r = scf.if %c -> tensor<64xf32> {
    %x = arith.addf %s, %b : tensor<64xf32>
    scf.yield %x : tensor<64xf32>
  } else {
    %y = arith.mulf %s, %b : tensor<64xf32>
    scf.yield %y : tensor<64xf32>
  } {a}
  // CHECK: } {a}
  // CHECK-NEXT: tt.return %[[R]]#0, %[[R]]#1
  tt.return %r, %s : tensor<64xf32>, tensor<64xf32>
}

// A branch without results or else gets both.

// CHECK-LABEL: tt.func @without_else
tt.func @without_else(%c: i1, %a: tensor<64xf32>, %b: tensor<64xf32>, %p: tensor<64x!tt.ptr<f32>>) -> tensor<64xf32> {
  %s = arith.select %c, %a, %b : tensor<64xf32>
  // CHECK: %[[R:.*]] = scf.if %{{.*}} -> (tensor<64xf32>) {
  // CHECK-NEXT: tt.store %{{.*}}, %arg1
  // CHECK-NEXT: scf.yield %arg1
  // CHECK-NEXT: } else {
  // CHECK-NEXT: scf.yield %arg2
  scf.if %c {
    tt.store %p, %s : tensor<64x!tt.ptr<f32>>
  }
  // CHECK: tt.return %[[R]]
  tt.return %s : tensor<64xf32>
}

// Used before the branch, a choice of scalars, a choice for each element, another condition.

// CHECK-LABEL: tt.func @left_alone
tt.func @left_alone(%c: i1, %d: i1, %m: tensor<64xi1>, %a: tensor<64xf32>, %b: tensor<64xf32>, %x: f32, %y: f32, %p: tensor<64x!tt.ptr<f32>>) -> (f32, tensor<64xf32>, tensor<64xf32>) {
  // CHECK-COUNT-4: arith.select
  %used = arith.select %c, %a, %b : tensor<64xf32>
  tt.store %p, %used : tensor<64x!tt.ptr<f32>>
  %scalar = arith.select %c, %x, %y : f32
  %each = arith.select %m, %a, %b : tensor<64xi1>, tensor<64xf32>
  %other = arith.select %d, %a, %b : tensor<64xf32>
  // CHECK: scf.if %{{.*}} {
  scf.if %c {
    tt.store %p, %a : tensor<64x!tt.ptr<f32>>
  }
  tt.return %scalar, %each, %other : f32, tensor<64xf32>, tensor<64xf32>
}
