// RUN: tilewright-opt %s --tritongpu-F32DotTC=emu-tf32=true | FileCheck %s
// RUN: tilewright-opt %s --tritongpu-F32DotTC | FileCheck %s --check-prefix=PLAIN

// Two tf32 of each number; the small products first, and where they are NaN they count as zero.

// CHECK-LABEL: @tf32x3
// CHECK: %[[BITS:.*]] = tt.bitcast %arg0
// CHECK: arith.addi %[[BITS]]
// CHECK: %[[A0:.*]] = arith.select
// CHECK: %[[REST:.*]] = arith.subf %arg0, %[[A0]]
// CHECK: tt.bitcast %[[REST]]
// CHECK: %[[A1:.*]] = arith.select
// CHECK: %[[B0:.*]] = arith.select
// CHECK: arith.subf %arg1, %[[B0]]
// CHECK: %[[B1:.*]] = arith.select
// CHECK: %[[S0:.*]] = tt.dot %[[A1]], %[[B0]], %{{.*}}, inputPrecision = tf32
// CHECK: %[[S1:.*]] = tt.dot %[[A0]], %[[B1]], %[[S0]], inputPrecision = tf32
// CHECK: %[[ORD:.*]] = arith.cmpf ord, %[[S1]], %[[S1]]
// CHECK: %[[SMALL:.*]] = arith.select %[[ORD]], %[[S1]]
// CHECK: %[[SUM:.*]] = tt.dot %[[A0]], %[[B0]], %[[SMALL]], inputPrecision = tf32
// CHECK: arith.addf %[[SUM]], %arg2
// PLAIN-LABEL: @tf32x3
// PLAIN: tt.dot %arg0, %arg1, %arg2, inputPrecision = tf32x3
tt.func @tf32x3(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %d = tt.dot %a, %b, %c, inputPrecision = tf32x3 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}

// CHECK-LABEL: @bf16x3
// CHECK: %[[A0:.*]] = arith.truncf %arg0
// CHECK: %[[WIDE:.*]] = arith.extf %[[A0]]
// CHECK: %[[REST:.*]] = arith.subf %arg0, %[[WIDE]]
// CHECK: arith.truncf %[[REST]]
// CHECK-COUNT-3: tt.dot {{.*}} : tensor<16x16xbf16> * tensor<16x16xbf16> -> tensor<16x16xf32>
// CHECK-NOT: tt.dot
// PLAIN-LABEL: @bf16x3
// PLAIN-COUNT-3: tt.dot {{.*}} : tensor<16x16xbf16>
tt.func @bf16x3(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %d = tt.dot %a, %b, %c, inputPrecision = bf16x3 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}

// CHECK-LABEL: @bf16x6
// CHECK-COUNT-6: arith.truncf
// CHECK-COUNT-6: tt.dot {{.*}} : tensor<16x16xbf16> * tensor<16x16xbf16> -> tensor<16x16xf32>
// CHECK-NOT: tt.dot
tt.func @bf16x6(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %d = tt.dot %a, %b, %c, inputPrecision = bf16x6 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}

// Other products stay.

// CHECK-LABEL: @others
// CHECK-NOT: arith
// CHECK: tt.dot %arg0, %arg0, %arg1, inputPrecision = tf32
// CHECK: tt.dot %arg2, %arg2, %arg1, inputPrecision = bf16x3
tt.func @others(%a: tensor<16x16xf32>, %c: tensor<16x16xf32>, %h: tensor<16x16xf16>) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  %d = tt.dot %a, %a, %c, inputPrecision = tf32 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  %e = tt.dot %h, %h, %c, inputPrecision = bf16x3 : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  tt.return %d, %e : tensor<16x16xf32>, tensor<16x16xf32>
}
