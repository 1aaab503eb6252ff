// RUN: tilewright-opt %s --tilewright-decompose-scaled-dot | FileCheck %s

// e4m3 with scales, times packed e2m1 without: in bf16. The exponents are those of bf16 but for the
// least and for NaN; each serves 32 neighbours along K.

// CHECK-LABEL: @scaled
// CHECK: %[[A:.*]] = tt.fp_to_fp %arg0 : tensor<16x64xf8E4M3FN> -> tensor<16x64xbf16>
// CHECK: %[[HIGH:.*]] = arith.shrui %arg2
// CHECK: tt.join {{.*}} : tensor<32x16xbf16> -> tensor<32x16x2xbf16>
// CHECK: tt.trans {{.*}} {order = array<i32: 0, 2, 1>} : tensor<32x16x2xbf16> -> tensor<32x2x16xbf16>
// CHECK: %[[B:.*]] = tt.reshape {{.*}} -> tensor<64x16xbf16>
// CHECK: %[[WIDE:.*]] = arith.extui %arg1 : tensor<16x2xi8> to tensor<16x2xi16>
// CHECK: arith.shli %[[WIDE]]
// CHECK-COUNT-2: arith.cmpi eq, %[[WIDE]]
// CHECK: tt.bitcast {{.*}} : tensor<16x2xi16> -> tensor<16x2xbf16>
// CHECK: tt.expand_dims {{.*}} {axis = 2 : i32}
// CHECK: tt.broadcast {{.*}} -> tensor<16x2x32xbf16>
// CHECK: %[[FACTORS:.*]] = tt.reshape {{.*}} -> tensor<16x64xbf16>
// CHECK: %[[SCALED:.*]] = arith.mulf %[[A]], %[[FACTORS]]
// CHECK: tt.dot %[[SCALED]], %[[B]], %arg3 : tensor<16x64xbf16> * tensor<64x16xbf16> -> tensor<16x16xf32>
tt.func @scaled(%a: tensor<16x64xf8E4M3FN>, %s: tensor<16x2xi8>, %b: tensor<32x16xi8>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %d = tt.dot_scaled %a scale %s, %b, %c lhs = e4m3 rhs = e2m1 {fastMath = false} : tensor<16x64xf8E4M3FN>, tensor<16x2xi8> * tensor<32x16xi8> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}

// f16 with scales stays f16: powers of two are made in f32 and rounded; scales of B come with N
// first; fast math leaves out the odd exponents.

// CHECK-LABEL: @scaled_f16
// CHECK: tt.trans %arg2 {order = array<i32: 1, 0>} : tensor<16x2xi8> -> tensor<2x16xi8>
// CHECK-NOT: arith.cmpi
// CHECK: arith.shli {{.*}} : tensor<2x16xi32>
// CHECK: %[[WIDE:.*]] = tt.bitcast {{.*}} -> tensor<2x16xf32>
// CHECK: arith.truncf %[[WIDE]] : tensor<2x16xf32> to tensor<2x16xf16>
// CHECK: tt.broadcast {{.*}} -> tensor<2x32x16xf16>
// CHECK: tt.dot {{.*}} : tensor<16x64xf16> * tensor<64x16xf16> -> tensor<16x16xf32>
tt.func @scaled_f16(%a: tensor<16x64xf16>, %b: tensor<64x16xf8E5M2>, %s: tensor<16x2xi8>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %d = tt.dot_scaled %a, %b scale %s, %c lhs = fp16 rhs = e5m2 {fastMath = true} : tensor<16x64xf16> * tensor<64x16xf8E5M2>, tensor<16x2xi8> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}

// CHECK-LABEL: @in_f16
// CHECK: tt.dot %arg0, %{{.*}}, %{{.*}} : tensor<16x64xf16> * tensor<64x16xf16> -> tensor<16x16xf32>
tt.func @in_f16(%a: tensor<16x64xf16>, %b: tensor<64x16xf8E5M2>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %d = tt.dot_scaled %a, %b, %c lhs = fp16 rhs = e5m2 {fastMath = true} : tensor<16x64xf16> * tensor<64x16xf8E5M2> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}
