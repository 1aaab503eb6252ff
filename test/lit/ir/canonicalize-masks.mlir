// RUN: tilewright-opt %s --canonicalize | FileCheck %s

// What a mask that is known to be false leaves out is `other`, or zero: the same as where the
// mask is found false only when the kernel runs.

// CHECK-LABEL: @masked_off
// CHECK-SAME: %[[OTHER:[a-z0-9]+]]: tensor<4xf32>
// CHECK-DAG: %[[FLOATS:.*]] = arith.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-DAG: %[[INTEGER:.*]] = arith.constant 0 : i32
// CHECK-NOT: ub.poison
// CHECK: tt.return %[[OTHER]], %[[FLOATS]], %[[INTEGER]]
tt.func @masked_off(%p: tensor<4x!tt.ptr<f32>>, %other: tensor<4xf32>, %q: !tt.ptr<i32>) -> (tensor<4xf32>, tensor<4xf32>, i32) {
  %none = arith.constant dense<false> : tensor<4xi1>
  %no = arith.constant false
  %0 = tt.load %p, %none, %other : tensor<4x!tt.ptr<f32>>
  %1 = tt.load %p, %none : tensor<4x!tt.ptr<f32>>
  %2 = tt.load %q, %no : !tt.ptr<i32>
  tt.return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, i32
}
