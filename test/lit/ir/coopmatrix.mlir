// RUN: tilewright-opt %s | grep . > %t.printed
// RUN: grep -v '^//' %s | grep . > %t.text
// RUN: diff %t.text %t.printed

// Every type and op of tw: printed as they are written here.

module {
  tt.func @memory(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<i32>, %arg2: i32, %arg3: i64) {
    %0 = tw.coopmatrix_load %arg0[%arg2, %arg2] strides(%arg3, %arg3) : !tt.ptr<f16> -> !tw.coopmatrix<4x15xf16, matrix_a>
    %1 = tw.coopmatrix_load %arg0[%arg2, %arg2] strides(%arg3, %arg3) shape(%arg2, %arg2) {cols_checked, rows_checked, transposed} : !tt.ptr<f16> -> !tw.coopmatrix<1x17xf16, matrix_b>
    %2 = tw.coopmatrix_atomic_load %arg1[%arg2, %arg2] strides(%arg3, %arg3) : !tt.ptr<i32> -> !tw.coopmatrix<64x3xi32, matrix_acc>
    tw.coopmatrix_store %0, %arg0[%arg2, %arg2] strides(%arg3, %arg3) : !tw.coopmatrix<4x15xf16, matrix_a>, !tt.ptr<f16>
    tw.coopmatrix_atomic_store %2, %arg1[%arg2, %arg2] strides(%arg3, %arg3) shape(%arg2, %arg2) {rows_checked} : !tw.coopmatrix<64x3xi32, matrix_acc>, !tt.ptr<i32>
    tw.coopmatrix_atomic_update umax %2, %arg1[%arg2, %arg2] strides(%arg3, %arg3) : !tw.coopmatrix<64x3xi32, matrix_acc>, !tt.ptr<i32>
    tw.coopmatrix_prefetch %arg0[%arg2, %arg2] strides(%arg3, %arg3) as !tw.coopmatrix<16x16xf16, matrix_a> : !tt.ptr<f16>
    tt.return
  }
  tt.func @arithmetic(%arg0: !tw.coopmatrix<16x8xi8, matrix_a>, %arg1: !tw.coopmatrix<8x3xi8, matrix_b>, %arg2: !tw.coopmatrix<16x3xi32, matrix_acc>, %arg3: i32) -> !tw.coopmatrix<16x1xf32, matrix_acc> {
    %0 = tw.coopmatrix_mul_add %arg0, %arg1, %arg2 {unsigned_a} : !tw.coopmatrix<16x8xi8, matrix_a>, !tw.coopmatrix<8x3xi8, matrix_b> -> !tw.coopmatrix<16x3xi32, matrix_acc>
    %1 = tw.coopmatrix_scale %arg3, %0 : !tw.coopmatrix<16x3xi32, matrix_acc>
    %2 = tw.coopmatrix_cast %1 {is_unsigned} : !tw.coopmatrix<16x3xi32, matrix_acc> -> !tw.coopmatrix<16x3xf32, matrix_acc>
    %3 = tw.coopmatrix_reduce add %2 axis 1 : !tw.coopmatrix<16x3xf32, matrix_acc> -> !tw.coopmatrix<16x1xf32, matrix_acc>
    tt.return %3 : !tw.coopmatrix<16x1xf32, matrix_acc>
  }
  tt.func @components(%arg0: bf16, %arg1: tensor<32xbf16>) -> !tw.coopmatrix<4x15xbf16, matrix_acc> {
    %0 = tw.coopmatrix_splat %arg0 : !tw.coopmatrix<4x15xbf16, matrix_acc>
    %1 = tw.coopmatrix_extract %0[1] : !tw.coopmatrix<4x15xbf16, matrix_acc> -> tensor<32xbf16>
    %2 = tw.coopmatrix_insert %1, %0[0] : tensor<32xbf16>, !tw.coopmatrix<4x15xbf16, matrix_acc>
    %3 = tw.coopmatrix_apply %2 : !tw.coopmatrix<4x15xbf16, matrix_acc> -> !tw.coopmatrix<4x15xbf16, matrix_acc> {
    ^bb0(%arg2: i32, %arg3: i32, %arg4: bf16):
      %4 = arith.negf %arg4 : bf16
      tw.coopmatrix_apply.return %4 : bf16
    }
    tt.return %3 : !tw.coopmatrix<4x15xbf16, matrix_acc>
  }
}
