// RUN: tilewright-opt %s -split-input-file --triton-reorder-broadcast | FileCheck %s

// CHECK-LABEL: @splats
tt.func @splats(%x: f32, %y: f32) -> tensor<128xf32> {
  // CHECK-NEXT: %[[A:.*]] = arith.addf %arg0, %arg1 : f32
  // CHECK-NEXT: %[[C:.*]] = arith.constant 2.000000e+00 : f32
  // CHECK-NEXT: %[[M:.*]] = arith.mulf %[[A]], %[[C]] : f32
  // CHECK-NEXT: %[[S:.*]] = tt.splat %[[M]] : f32 -> tensor<128xf32>
  // CHECK-NEXT: tt.return %[[S]]
  %two = arith.constant dense<2.0> : tensor<128xf32>
  %a = tt.splat %x : f32 -> tensor<128xf32>
  %b = tt.splat %y : f32 -> tensor<128xf32>
  %0 = arith.addf %a, %b : tensor<128xf32>
  %1 = arith.mulf %0, %two : tensor<128xf32>
  tt.return %1 : tensor<128xf32>
}

// Pointers, comparisons and selections as well; attributes stay.
// CHECK-LABEL: @splats_of_other_types
tt.func @splats_of_other_types(%p: !tt.ptr<f32>, %i: i32, %c: i1) -> (tensor<8x!tt.ptr<f32>>, tensor<8xi1>, tensor<8xi32>) {
  // CHECK-DAG: %[[P:.*]] = tt.addptr %arg0, %arg1 : !tt.ptr<f32>, i32
  // CHECK-DAG: tt.splat %[[P]] : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  // CHECK-DAG: %[[L:.*]] = arith.cmpi slt, %arg1, %{{.*}} : i32
  // CHECK-DAG: tt.splat %[[L]] : i1 -> tensor<8xi1>
  // CHECK-DAG: %[[S:.*]] = arith.select %arg2, %arg1, %{{.*}} : i32
  // CHECK-DAG: tt.splat %[[S]] : i32 -> tensor<8xi32>
  %five = arith.constant dense<5> : tensor<8xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %is = tt.splat %i : i32 -> tensor<8xi32>
  %0 = tt.addptr %ps, %is : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %1 = arith.cmpi slt, %is, %five : tensor<8xi32>
  %2 = arith.select %c, %is, %five : tensor<8xi32>
  tt.return %0, %1, %2 : tensor<8x!tt.ptr<f32>>, tensor<8xi1>, tensor<8xi32>
}

// CHECK-LABEL: @shape_changes_of_splats
tt.func @shape_changes_of_splats(%x: f32) -> tensor<4x8xf32> {
  // CHECK-NEXT: %[[E:.*]] = math.exp %arg0 : f32
  // CHECK-NEXT: %[[S:.*]] = tt.splat %[[E]] : f32 -> tensor<4x8xf32>
  // CHECK-NEXT: tt.return %[[S]]
  %0 = tt.splat %x : f32 -> tensor<4xf32>
  %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<4xf32> -> tensor<4x1xf32>
  %2 = math.exp %1 : tensor<4x1xf32>
  %3 = tt.broadcast %2 : tensor<4x1xf32> -> tensor<4x8xf32>
  tt.return %3 : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: @broadcasts_of_one_shape
tt.func @broadcasts_of_one_shape(%x: tensor<4x1xf32>, %y: tensor<4x1xf32>, %z: f32) -> tensor<4x8xf32> {
  // CHECK: %[[A:.*]] = arith.addf %arg0, %arg1 : tensor<4x1xf32>
  // CHECK: %[[Z:.*]] = tt.splat %arg2 : f32 -> tensor<4x1xf32>
  // CHECK: %[[M:.*]] = arith.mulf %[[A]], %[[Z]] : tensor<4x1xf32>
  // CHECK: %[[C:.*]] = arith.constant dense<3.000000e+00> : tensor<4x1xf32>
  // CHECK: %[[D:.*]] = arith.subf %[[M]], %[[C]] : tensor<4x1xf32>
  // CHECK: %[[B:.*]] = tt.broadcast %[[D]] : tensor<4x1xf32> -> tensor<4x8xf32>
  // CHECK: tt.return %[[B]]
  %three = arith.constant dense<3.0> : tensor<4x8xf32>
  %zs = tt.splat %z : f32 -> tensor<4x8xf32>
  %a = tt.broadcast %x : tensor<4x1xf32> -> tensor<4x8xf32>
  %b = tt.broadcast %y : tensor<4x1xf32> -> tensor<4x8xf32>
  %0 = arith.addf %a, %b : tensor<4x8xf32>
  %1 = arith.mulf %0, %zs : tensor<4x8xf32>
  %2 = arith.subf %1, %three : tensor<4x8xf32>
  tt.return %2 : tensor<4x8xf32>
}

// Rows and columns of a box: the op moves to the face that both span.
// CHECK-LABEL: @broadcasts_spanning_a_face
tt.func @broadcasts_spanning_a_face(%x: tensor<4x1x1xi32>, %y: tensor<1x8x1xi32>) -> tensor<4x8x16xi32> {
  // CHECK-DAG: %[[X:.*]] = tt.broadcast %arg0 : tensor<4x1x1xi32> -> tensor<4x8x1xi32>
  // CHECK-DAG: %[[Y:.*]] = tt.broadcast %arg1 : tensor<1x8x1xi32> -> tensor<4x8x1xi32>
  // CHECK: %[[A:.*]] = arith.addi %[[X]], %[[Y]] : tensor<4x8x1xi32>
  // CHECK: tt.broadcast %[[A]] : tensor<4x8x1xi32> -> tensor<4x8x16xi32>
  %a = tt.broadcast %x : tensor<4x1x1xi32> -> tensor<4x8x16xi32>
  %b = tt.broadcast %y : tensor<1x8x1xi32> -> tensor<4x8x16xi32>
  %0 = arith.addi %a, %b : tensor<4x8x16xi32>
  tt.return %0 : tensor<4x8x16xi32>
}

// CHECK-LABEL: @comparison_and_selection
tt.func @comparison_and_selection(%x: tensor<4x1xi32>, %n: i32, %c: i1) -> (tensor<4x8xi1>, tensor<4x8xi32>) {
  // CHECK: arith.cmpi slt, %arg0, %{{.*}} : tensor<4x1xi32>
  // CHECK: arith.select %arg2, %arg0, %{{.*}} : tensor<4x1xi32>
  %ns = tt.splat %n : i32 -> tensor<4x8xi32>
  %a = tt.broadcast %x : tensor<4x1xi32> -> tensor<4x8xi32>
  %0 = arith.cmpi slt, %a, %ns : tensor<4x8xi32>
  %1 = arith.select %c, %a, %ns : tensor<4x8xi32>
  tt.return %0, %1 : tensor<4x8xi1>, tensor<4x8xi32>
}

// -----

// What must stay: a row and a column span the whole tensor; one operand is no broadcast; loads
// read memory.
// CHECK-LABEL: @kept
tt.func @kept(%x: tensor<4x1xf32>, %y: tensor<1x8xf32>, %z: tensor<4x8xf32>, %p: !tt.ptr<f32>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  // CHECK: %[[S:.*]] = arith.addf %{{.*}} : tensor<4x8xf32>
  // CHECK: %[[T:.*]] = arith.addf %{{.*}} : tensor<4x8xf32>
  // CHECK: %[[L:.*]] = tt.load %{{.*}} : tensor<4x8x!tt.ptr<f32>>
  // CHECK-NEXT: tt.return %[[S]], %[[T]], %[[L]]
  %a = tt.broadcast %x : tensor<4x1xf32> -> tensor<4x8xf32>
  %b = tt.broadcast %y : tensor<1x8xf32> -> tensor<4x8xf32>
  %0 = arith.addf %a, %b : tensor<4x8xf32>
  %1 = arith.addf %a, %z : tensor<4x8xf32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<4x8x!tt.ptr<f32>>
  %2 = tt.load %ps : tensor<4x8x!tt.ptr<f32>>
  tt.return %0, %1, %2 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// Inside loops as well; layouts stay.
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
// CHECK-LABEL: @in_a_loop
tt.func @in_a_loop(%x: tensor<128x1xi32, #blocked>, %n: i32, %p: tensor<128x64x!tt.ptr<i32>, #blocked>) {
  // CHECK: scf.for
  // CHECK: %[[I:.*]] = tt.splat %{{.*}} : i32 -> tensor<128x1xi32, #blocked>
  // CHECK: arith.addi %arg0, %[[I]] : tensor<128x1xi32, #blocked>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %is = tt.splat %i : i32 -> tensor<128x64xi32, #blocked>
    %a = tt.broadcast %x : tensor<128x1xi32, #blocked> -> tensor<128x64xi32, #blocked>
    %0 = arith.addi %a, %is : tensor<128x64xi32, #blocked>
    tt.store %p, %0 : tensor<128x64x!tt.ptr<i32>, #blocked>
  }
  tt.return
}
