// RUN: tilewright-opt %s -split-input-file --tilewright-expand-descriptor-arguments | FileCheck %s

// Triton's IR has the sizes and the strides behind the descriptor.
// CHECK-LABEL: tt.func public @triton(
// CHECK-SAME: [[D:%.*]]: !tt.ptr<f16> {tt.divisibility = 16 : i32}, [[S0:%.*]]: i32, [[S1:%.*]]: i32,
// CHECK-SAME: [[T0:%.*]]: i64 {tt.divisibility = 8 : i32}, %{{.*}}: i64, [[N:%.*]]: i32)
// CHECK: [[ONE:%.*]] = arith.constant 1 : i64
// CHECK: [[MADE:%.*]] = tt.make_tensor_descriptor [[D]], {{\[}}[[S0]], [[S1]]], {{\[}}[[T0]], [[ONE]]] : <f16>, <tensor<8x16xf16>>
// CHECK: tt.descriptor_load [[MADE]]{{\[}}[[S0]], [[N]]]
tt.func public @triton(%d: !tt.tensordesc<tensor<8x16xf16>>, %s0: i32, %s1: i32, %t0: i64, %t1: i64, %n: i32) {
  %x = tt.descriptor_load %d[%s0, %n] : !tt.tensordesc<tensor<8x16xf16>> -> tensor<8x16xf16>
  tt.return
}

// -----

// Others get them; the last one's i32 is no size of it, since strides are missing.
// CHECK-LABEL: tt.func public @alone(
// CHECK-SAME: [[A:%[^:]*]]: !tt.ptr<i8> {tt.divisibility = 16 : i32}, [[A0:%[^:]*]]: i32, %{{[^:]*}}: i64,
// CHECK-SAME: [[B:%[^:]*]]: !tt.ptr<f32> {tt.divisibility = 16 : i32}, [[B0:%[^:]*]]: i32, %{{[^:]*}}: i64, [[N:%.*]]: i32)
// CHECK-DAG: tt.make_tensor_descriptor [[A]], {{\[}}[[A0]]], [{{%.*}}] : <i8>, <tensor<16xui8>>
// CHECK-DAG: tt.make_tensor_descriptor [[B]], {{\[}}[[B0]]], [{{%.*}}] : <f32>, <tensor<8xf32>>
tt.func public @alone(%a: !tt.tensordesc<tensor<16xui8>>, %b: !tt.tensordesc<tensor<8xf32>>, %n: i32) {
  %x = tt.descriptor_load %a[%n] : !tt.tensordesc<tensor<16xui8>> -> tensor<16xi8>
  %y = tt.descriptor_load %b[%n] : !tt.tensordesc<tensor<8xf32>> -> tensor<8xf32>
  tt.return
}

// -----

// Names tell whose sizes they are.
// CHECK-LABEL: tt.func public @named(
// CHECK-SAME: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %{{[^:]*}}: i32, %{{[^:]*}}: i64, %{{[^:]*}}: i32, %{{[^:]*}}: i64)
tt.func public @named(%b: !tt.tensordesc<tensor<8xf32>> loc("b"), %n: i32 loc("n"), %m: i64 loc("m")) {
  tt.return
}

// -----

// Functions that are called take descriptors.
// CHECK-LABEL: tt.func private @callee(
// CHECK-SAME: !tt.tensordesc<tensor<8xf32>>)
tt.func private @callee(%b: !tt.tensordesc<tensor<8xf32>>) {
  tt.return
}
