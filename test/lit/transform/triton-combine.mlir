// RUN: tilewright-opt %s -split-input-file --triton-combine | FileCheck %s

// Constant offsets of a chain of pointers are added up.
// CHECK-LABEL: @addptr_constants
tt.func @addptr_constants(%p: !tt.ptr<f32>) -> !tt.ptr<f32> {
  %a = arith.constant 3 : i32
  %b = arith.constant 4 : i32
  %c = arith.constant -9 : i32
  // CHECK: %[[SUM:.*]] = arith.constant -2 : i32
  // CHECK-NEXT: %[[R:.*]] = tt.addptr %{{.*}}, %[[SUM]] : !tt.ptr<f32>, i32
  // CHECK-NEXT: tt.return %[[R]]
  %0 = tt.addptr %p, %a : !tt.ptr<f32>, i32
  %1 = tt.addptr %0, %b : !tt.ptr<f32>, i32
  %2 = tt.addptr %1, %c : !tt.ptr<f32>, i32
  tt.return %2 : !tt.ptr<f32>
}

// The inner pointer stays where it has other uses.
// CHECK-LABEL: @addptr_tensor_shared
tt.func @addptr_tensor_shared(%p: tensor<8x!tt.ptr<f32>>) -> (tensor<8x!tt.ptr<f32>>, tensor<8x!tt.ptr<f32>>) {
  %a = arith.constant dense<3> : tensor<8xi32>
  %b = arith.constant dense<4> : tensor<8xi32>
  // CHECK: %[[INNER:.*]] = tt.addptr %arg0, %cst
  // CHECK: %[[SUM:.*]] = arith.constant dense<7> : tensor<8xi32>
  // CHECK: %[[OUTER:.*]] = tt.addptr %arg0, %[[SUM]]
  // CHECK: tt.return %[[INNER]], %[[OUTER]]
  %0 = tt.addptr %p, %a : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %1 = tt.addptr %0, %b : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  tt.return %0, %1 : tensor<8x!tt.ptr<f32>>, tensor<8x!tt.ptr<f32>>
}

// A sum that does not fit the outer offset's type takes the inner one's.
// CHECK-LABEL: @addptr_wider_inner
tt.func @addptr_wider_inner(%p: !tt.ptr<f32>) -> !tt.ptr<f32> {
  %a = arith.constant 1 : i64
  %b = arith.constant 2147483647 : i32
  // CHECK: %[[SUM:.*]] = arith.constant 2147483648 : i64
  // CHECK: tt.addptr %{{.*}}, %[[SUM]] : !tt.ptr<f32>, i64
  %0 = tt.addptr %p, %a : !tt.ptr<f32>, i64
  %1 = tt.addptr %0, %b : !tt.ptr<f32>, i32
  tt.return %1 : !tt.ptr<f32>
}

// One that fits neither is left alone: it would wrap around.
// CHECK-LABEL: @addptr_overflow
tt.func @addptr_overflow(%p: !tt.ptr<f32>) -> !tt.ptr<f32> {
  %a = arith.constant 1 : i32
  %b = arith.constant 2147483647 : i32
  // CHECK-COUNT-2: tt.addptr
  %0 = tt.addptr %p, %a : !tt.ptr<f32>, i32
  %1 = tt.addptr %0, %b : !tt.ptr<f32>, i32
  tt.return %1 : !tt.ptr<f32>
}

// So is the sum of offsets that are not known.
// CHECK-LABEL: @addptr_unknown
tt.func @addptr_unknown(%p: !tt.ptr<f32>, %a: i32, %b: i32) -> !tt.ptr<f32> {
  // CHECK-NOT: arith.addi
  // CHECK-COUNT-2: tt.addptr
  %0 = tt.addptr %p, %a : !tt.ptr<f32>, i32
  %1 = tt.addptr %0, %b : !tt.ptr<f32>, i32
  tt.return %1 : !tt.ptr<f32>
}

// -----

// CHECK-LABEL: @select_of_load
tt.func @select_of_load(%p: tensor<8x!tt.ptr<f32>>, %m: tensor<8xi1>, %x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[V:.*]] = tt.load %arg0, %arg1, %arg2
  // CHECK-NEXT: tt.return %[[V]]
  %0 = tt.load %p, %m : tensor<8x!tt.ptr<f32>>
  %1 = arith.select %m, %0, %x : tensor<8xi1>, tensor<8xf32>
  tt.return %1 : tensor<8xf32>
}

// CHECK-LABEL: @select_by_scalar
tt.func @select_by_scalar(%p: tensor<8x!tt.ptr<f32>>, %c: i1, %x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: %[[M:.*]] = tt.splat
  // CHECK-NEXT: %[[V:.*]] = tt.load %arg0, %[[M]], %arg2
  // CHECK-NEXT: tt.return %[[V]]
  %m = tt.splat %c : i1 -> tensor<8xi1>
  %0 = tt.load %p, %m, %y : tensor<8x!tt.ptr<f32>>
  %1 = arith.select %c, %0, %x : tensor<8xf32>
  tt.return %1 : tensor<8xf32>
}

// Another condition, a load used elsewhere, a volatile one, an `other` that comes too late.
// CHECK-LABEL: @select_kept
tt.func @select_kept(%p: tensor<8x!tt.ptr<f32>>, %m: tensor<8xi1>, %n: tensor<8xi1>, %x: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  // CHECK-COUNT-4: arith.select
  %a = tt.load %p, %m : tensor<8x!tt.ptr<f32>>
  %0 = arith.select %n, %a, %x : tensor<8xi1>, tensor<8xf32>
  %b = tt.load %p, %m : tensor<8x!tt.ptr<f32>>
  %1 = arith.select %m, %b, %x : tensor<8xi1>, tensor<8xf32>
  %c = tt.load %p, %m {isVolatile = true} : tensor<8x!tt.ptr<f32>>
  %2 = arith.select %m, %c, %x : tensor<8xi1>, tensor<8xf32>
  %d = tt.load %p, %m : tensor<8x!tt.ptr<f32>>
  %late = math.exp %b : tensor<8xf32>
  %3 = arith.select %m, %d, %late : tensor<8xi1>, tensor<8xf32>
  tt.return %0, %1, %2, %3, %late : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// CHECK-LABEL: @reduce_axis_of_one
tt.func @reduce_axis_of_one(%x: tensor<4x1xf32>, %y: tensor<1xf32>) -> (tensor<4xf32>, f32) {
  // CHECK-NEXT: %[[A:.*]] = tt.reshape %arg0 : tensor<4x1xf32> -> tensor<4xf32>
  // CHECK-NEXT: %[[B:.*]] = tt.unsplat %arg1 : tensor<1xf32>
  // CHECK-NEXT: tt.return %[[A]], %[[B]]
  %0 = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tt.reduce.return %s : f32
  }) : (tensor<4x1xf32>) -> tensor<4xf32>
  %1 = "tt.reduce"(%y) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tt.reduce.return %s : f32
  }) : (tensor<1xf32>) -> f32
  tt.return %0, %1 : tensor<4xf32>, f32
}

// CHECK-LABEL: @max_of_splat
tt.func @max_of_splat(%x: f32) -> (f32, tensor<4xf32>) {
  // CHECK-NEXT: %[[S:.*]] = tt.splat %arg0 : f32 -> tensor<4xf32>
  // CHECK-NEXT: tt.return %arg0, %[[S]]
  %v = tt.splat %x : f32 -> tensor<16xf32>
  %0 = "tt.reduce"(%v) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.maxnumf %a, %b : f32
    tt.reduce.return %s : f32
  }) : (tensor<16xf32>) -> f32
  %w = tt.splat %x : f32 -> tensor<4x8xf32>
  %1 = "tt.reduce"(%w) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.maximumf %b, %a : f32
    tt.reduce.return %s : f32
  }) : (tensor<4x8xf32>) -> tensor<4xf32>
  tt.return %0, %1 : f32, tensor<4xf32>
}

// The sum of equal numbers is another number; max(a, a + a) is not a maximum.
// CHECK-LABEL: @reduce_kept
tt.func @reduce_kept(%x: f32) -> (f32, f32) {
  // CHECK-COUNT-2: "tt.reduce"
  %v = tt.splat %x : f32 -> tensor<16xf32>
  %0 = "tt.reduce"(%v) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tt.reduce.return %s : f32
  }) : (tensor<16xf32>) -> f32
  %1 = "tt.reduce"(%v) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf %a, %b : f32
    %s = arith.maximumf %a, %t : f32
    tt.reduce.return %s : f32
  }) : (tensor<16xf32>) -> f32
  tt.return %0, %1 : f32, f32
}

// -----

// Floating-point sums are not reassociated.
// CHECK-LABEL: @addf_order
tt.func @addf_order(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: %[[A:.*]] = arith.addf %arg0
  // CHECK: %[[B:.*]] = arith.addf %[[A]]
  // CHECK: tt.return %[[B]]
  %c = arith.constant dense<1.0> : tensor<8xf32>
  %0 = arith.addf %x, %c : tensor<8xf32>
  %1 = arith.addf %0, %c : tensor<8xf32>
  tt.return %1 : tensor<8xf32>
}

// -----

// A product that is added to something starts from it, wherever that is computed.
// CHECK-LABEL: @add_dot
tt.func @add_dot(%a: tensor<16x16xf16>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  // CHECK: %[[TWICE:.*]] = arith.addf %arg1, %arg1
  // CHECK-NEXT: %[[D:.*]] = tt.dot %arg0, %arg0, %[[TWICE]]
  // CHECK-NEXT: tt.return %[[D]]
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %d = tt.dot %a, %a, %zero : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %twice = arith.addf %c, %c : tensor<16x16xf32>
  %sum = arith.addf %d, %twice : tensor<16x16xf32>
  tt.return %sum : tensor<16x16xf32>
}

// -----

// Not where the product is used otherwise, or starts from something already.
// CHECK-LABEL: @add_dot_kept
tt.func @add_dot_kept(%a: tensor<16x16xi8>, %c: tensor<16x16xi32>) -> (tensor<16x16xi32>, tensor<16x16xi32>, tensor<16x16xi32>) {
  // CHECK-COUNT-2: arith.addi
  %zero = arith.constant dense<0> : tensor<16x16xi32>
  %d = tt.dot %a, %a, %zero : tensor<16x16xi8> * tensor<16x16xi8> -> tensor<16x16xi32>
  %0 = arith.addi %c, %d : tensor<16x16xi32>
  %e = tt.dot %a, %a, %c : tensor<16x16xi8> * tensor<16x16xi8> -> tensor<16x16xi32>
  %1 = arith.addi %c, %e : tensor<16x16xi32>
  tt.return %0, %1, %d : tensor<16x16xi32>, tensor<16x16xi32>, tensor<16x16xi32>
}
