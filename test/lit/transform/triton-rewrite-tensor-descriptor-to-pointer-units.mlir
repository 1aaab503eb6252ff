// RUN: tilewright-opt %s --triton-rewrite-tensor-descriptor-to-pointer --canonicalize | FileCheck %s

// Dimensions of one element are none of the tile's: they move the scalar pointer, and are tested for
// the whole tile. Two dimensions are left.

// CHECK-LABEL: @batch
// CHECK-SAME: %[[P:.*]]: !tt.ptr<f16>, %[[B:.*]]: i32, %[[N:.*]]: i32, %[[S:.*]]: i64, %[[I:.*]]: i32)
tt.func public @batch(%p: !tt.ptr<f16>, %b: i32, %n: i32, %s: i64, %i: i32) {
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %c0 = arith.constant 0 : i32
  // CHECK-DAG: %[[SIZE:.*]] = arith.extsi %[[B]] : i32 to i64
  %d = tt.make_tensor_descriptor %p, [%b, %n, %n], [%s, %c64, %c1] : <f16>, <1x4x8xf16>
  // CHECK-DAG: %[[AT:.*]] = arith.extsi %[[I]] : i32 to i64
  // CHECK-DAG: %[[GE:.*]] = arith.cmpi sge, %[[AT]], %{{.*}} : i64
  // CHECK-DAG: %[[LT:.*]] = arith.cmpi slt, %[[AT]], %[[SIZE]] : i64
  // CHECK-DAG: %[[IN:.*]] = arith.andi %[[GE]], %[[LT]] : i1
  // CHECK-DAG: %[[ALL:.*]] = tt.splat %[[IN]] : i1 -> tensor<4x8xi1>
  // CHECK-DAG: %[[MASK:.*]] = arith.andi %{{.*}}, %[[ALL]] : tensor<4x8xi1>
  // CHECK-DAG: %[[MOVED:.*]] = arith.muli %[[AT]], %[[S]] : i64
  // CHECK-DAG: %[[BASE:.*]] = tt.addptr %[[P]], %[[MOVED]] : !tt.ptr<f16>, i64
  // CHECK-DAG: tt.splat %[[BASE]] : !tt.ptr<f16> -> tensor<4x8x!tt.ptr<f16>>
  // CHECK: %[[X:.*]] = tt.load %{{.*}}, %[[MASK]], %{{.*}} : tensor<4x8x!tt.ptr<f16>>
  // CHECK: tt.store %{{.*}}, %[[X]], %{{.*}} : tensor<4x8x!tt.ptr<f16>>
  %x = tt.descriptor_load %d[%i, %c0, %c0] : !tt.tensordesc<1x4x8xf16> -> tensor<1x4x8xf16>
  tt.descriptor_store %d[%c0, %i, %c0], %x : !tt.tensordesc<1x4x8xf16>, tensor<1x4x8xf16>
  tt.return
}

// In the middle; what only changes the shape back and forth is gone.
// CHECK-LABEL: @head
// CHECK-NOT: tt.reshape
// CHECK: %[[X:.*]] = tt.load %{{.*}} : tensor<4x8x!tt.ptr<f16>>
// CHECK-NEXT: tt.return %[[X]] : tensor<4x8xf16>
tt.func public @head(%p: !tt.ptr<f16>, %n: i32, %i: i32) -> tensor<4x8xf16> {
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %c512 = arith.constant 512 : i64
  %c0 = arith.constant 0 : i32
  %d = tt.make_tensor_descriptor %p, [%n, %n, %n], [%c512, %c64, %c1] : <f16>, <4x1x8xf16>
  %x = tt.descriptor_load %d[%c0, %i, %c0] : !tt.tensordesc<4x1x8xf16> -> tensor<4x1x8xf16>
  %y = tt.reshape %x : tensor<4x1x8xf16> -> tensor<4x8xf16>
  tt.return %y : tensor<4x8xf16>
}

// A row of two dimensions stays one, and of one element in all two dimensions are left.
// CHECK-LABEL: @row
// CHECK: tt.load %{{.*}} : tensor<1x8x!tt.ptr<f16>>
// CHECK: tt.load %{{.*}} : tensor<1x1x!tt.ptr<f16>>
tt.func public @row(%p: !tt.ptr<f16>, %n: i32, %i: i32) -> (tensor<1x8xf16>, tensor<1x1x1xf16>) {
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %c0 = arith.constant 0 : i32
  %d = tt.make_tensor_descriptor %p, [%n, %n], [%c64, %c1] : <f16>, <1x8xf16>
  %e = tt.make_tensor_descriptor %p, [%n, %n, %n], [%c64, %c64, %c1] : <f16>, <1x1x1xf16>
  %x = tt.descriptor_load %d[%i, %c0] : !tt.tensordesc<1x8xf16> -> tensor<1x8xf16>
  %y = tt.descriptor_load %e[%i, %c0, %c0] : !tt.tensordesc<1x1x1xf16> -> tensor<1x1x1xf16>
  tt.return %x, %y : tensor<1x8xf16>, tensor<1x1x1xf16>
}
