// RUN: tilewright-opt %s -split-input-file -verify-diagnostics

// Types of cooperative matrices that do not exist, and ops on them that have no sense.

// expected-error @below {{!tw.coopmatrix: the rows of a cooperative matrix are a power of two, not 12}}
tt.func private @rows(!tw.coopmatrix<12x4xf32, matrix_a>)

// -----

// expected-error @below {{!tw.coopmatrix: a cooperative matrix has at least one column, not 0}}
tt.func private @columns(!tw.coopmatrix<4x0xf32, matrix_a>)

// -----

// expected-error @below {{!tw.coopmatrix has elements of i8, i16, i32, i64, f16, bf16, f32 or f64, not 'i1'}}
tt.func private @element(!tw.coopmatrix<4x4xi1, matrix_a>)

// -----

// expected-error @below {{the use of !tw.coopmatrix is matrix_a, matrix_b or matrix_acc, not matrix_c}}
tt.func private @use(!tw.coopmatrix<4x4xf32, matrix_c>)

// -----

// expected-error @below {{!tw.coopmatrix has two sizes, as in 4x15xf32, not 1}}
tt.func private @rank(!tw.coopmatrix<4xf32, matrix_a>)

// -----

tt.func @pointee(%p: !tt.ptr<f16>, %i: i32, %s: i64) {
  // expected-error @below {{accesses elements of 'f32' through a pointer to 'f16'}}
  %0 = tw.coopmatrix_load %p[%i, %i] strides(%s, %s) : !tt.ptr<f16> -> !tw.coopmatrix<4x15xf32, matrix_a>
  tt.return
}

// -----

tt.func @checked(%p: !tt.ptr<f32>, %i: i32, %s: i64) {
  // expected-error @below {{has cols_checked without the sizes to check against}}
  // expected-note @below {{give the sizes of the tensor in memory: shape(%rows, %columns)}}
  %0 = tw.coopmatrix_load %p[%i, %i] strides(%s, %s) {cols_checked} : !tt.ptr<f32> -> !tw.coopmatrix<4x15xf32, matrix_a>
  tt.return
}

// -----

tt.func @one_size(%p: !tt.ptr<f32>, %i: i32, %s: i64) {
  // expected-error @below {{takes the two sizes of the tensor in memory or none, not 1}}
  tw.coopmatrix_prefetch %p[%i, %i] strides(%s, %s) shape(%i) as !tw.coopmatrix<4x15xf32, matrix_a> : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @update(%m: !tw.coopmatrix<4x15xf32, matrix_a>, %p: !tt.ptr<f32>, %i: i32, %s: i64) {
  // expected-error @below {{combines by umin, which is for integers, elements of 'f32'}}
  tw.coopmatrix_atomic_update umin %m, %p[%i, %i] strides(%s, %s) : !tw.coopmatrix<4x15xf32, matrix_a>, !tt.ptr<f32>
  tt.return
}

// -----

tt.func @update_bytes(%m: !tw.coopmatrix<4x15xi8, matrix_a>, %p: !tt.ptr<i8>, %i: i32, %s: i64) {
  // expected-error @below {{has no atomic operations on i8; use elements of 16 bits or more}}
  tw.coopmatrix_atomic_update add %m, %p[%i, %i] strides(%s, %s) : !tw.coopmatrix<4x15xi8, matrix_a>, !tt.ptr<i8>
  tt.return
}

// -----

tt.func @uses(%a: !tw.coopmatrix<4x4xf32, matrix_acc>, %b: !tw.coopmatrix<4x4xf32, matrix_b>) {
  // expected-error @below {{takes a matrix_a as A, not a matrix_acc}}
  // expected-note @below {{tw.coopmatrix_cast makes an operand of an accumulator}}
  %0 = tw.coopmatrix_mul_add %a, %b, %a : !tw.coopmatrix<4x4xf32, matrix_acc>, !tw.coopmatrix<4x4xf32, matrix_b> -> !tw.coopmatrix<4x4xf32, matrix_acc>
  tt.return
}

// -----

tt.func @sums(%a: !tw.coopmatrix<4x4xf32, matrix_a>, %b: !tw.coopmatrix<4x4xf32, matrix_b>, %c: !tw.coopmatrix<4x4xf16, matrix_acc>) {
  // expected-error @below {{cannot sum products of 'f32' in 'f16'}}
  %0 = tw.coopmatrix_mul_add %a, %b, %c : !tw.coopmatrix<4x4xf32, matrix_a>, !tw.coopmatrix<4x4xf32, matrix_b> -> !tw.coopmatrix<4x4xf16, matrix_acc>
  tt.return
}

// -----

tt.func @shapes(%a: !tw.coopmatrix<4x4xf32, matrix_a>, %b: !tw.coopmatrix<8x4xf32, matrix_b>, %c: !tw.coopmatrix<4x4xf32, matrix_acc>) {
  // expected-error @below {{multiplies M x K by K x N and adds M x N; the shapes are 4x4xf32, 8x4xf32 and 4x4xf32}}
  %0 = tw.coopmatrix_mul_add %a, %b, %c : !tw.coopmatrix<4x4xf32, matrix_a>, !tw.coopmatrix<8x4xf32, matrix_b> -> !tw.coopmatrix<4x4xf32, matrix_acc>
  tt.return
}

// -----

tt.func @cast(%a: !tw.coopmatrix<4x4xf32, matrix_a>) {
  // expected-error @below {{makes operands of accumulators, not a matrix_b of a matrix_a}}
  %0 = tw.coopmatrix_cast %a : !tw.coopmatrix<4x4xf32, matrix_a> -> !tw.coopmatrix<4x4xf32, matrix_b>
  tt.return
}

// -----

tt.func @cast_shape(%a: !tw.coopmatrix<4x4xf32, matrix_a>) {
  // expected-error @below {{changes the type or the use, not the shape: 4x4xf32 to 4x8xf32}}
  %0 = tw.coopmatrix_cast %a : !tw.coopmatrix<4x4xf32, matrix_a> -> !tw.coopmatrix<4x8xf32, matrix_a>
  tt.return
}

// -----

tt.func @component(%a: !tw.coopmatrix<4x15xf32, matrix_a>) {
  // expected-error @below {{names component 4 of 4: 4x15xf32 has as many in each of 16 lanes}}
  %0 = tw.coopmatrix_extract %a[4] : !tw.coopmatrix<4x15xf32, matrix_a> -> tensor<16xf32>
  tt.return
}

// -----

tt.func @lanes(%a: !tw.coopmatrix<4x15xf32, matrix_a>) {
  // expected-error @below {{has one element for each of the 16 or 32 lanes of a warp, not a 'tensor<8xf32>'}}
  %0 = tw.coopmatrix_extract %a[0] : !tw.coopmatrix<4x15xf32, matrix_a> -> tensor<8xf32>
  tt.return
}

// -----

tt.func @insert(%v: tensor<32xf16>, %a: !tw.coopmatrix<4x15xf32, matrix_a>) {
  // expected-error @below {{has elements of 'f16' for a matrix of 'f32'}}
  %0 = tw.coopmatrix_insert %v, %a[0] : tensor<32xf16>, !tw.coopmatrix<4x15xf32, matrix_a>
  tt.return
}

// -----

tt.func @reduce(%a: !tw.coopmatrix<4x15xf32, matrix_a>) {
  // expected-error @below {{along axis 1 of '!tw.coopmatrix<4x15xf32, matrix_a>' gives '!tw.coopmatrix<4x1xf32, matrix_a>', not '!tw.coopmatrix<1x15xf32, matrix_a>'}}
  %0 = tw.coopmatrix_reduce add %a axis 1 : !tw.coopmatrix<4x15xf32, matrix_a> -> !tw.coopmatrix<1x15xf32, matrix_a>
  tt.return
}

// -----

tt.func @apply(%a: !tw.coopmatrix<4x15xf32, matrix_a>) {
  // expected-error @below {{has a region that takes a row, a column and an element: i32, i32, 'f32'}}
  %0 = tw.coopmatrix_apply %a : !tw.coopmatrix<4x15xf32, matrix_a> -> !tw.coopmatrix<4x15xf32, matrix_a> {
  ^bb0(%row: i32, %v: f32):
    tw.coopmatrix_apply.return %v : f32
  }
  tt.return
}
