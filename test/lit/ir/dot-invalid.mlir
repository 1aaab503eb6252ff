// RUN: tilewright-opt %s --split-input-file --verify-diagnostics

tt.func @sum(%a: tensor<16x32xf16>, %b: tensor<16x16xf16>, %c: tensor<16x16xf32>) {
  // expected-error@+1 {{sums over 32 elements of a row of a, but over 16 of a column of b}}
  %d = tt.dot %a, %b, %c : tensor<16x32xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @result(%a: tensor<16x32xf16>, %b: tensor<32x16xf16>, %c: tensor<16x32xf32>) {
  // expected-error@+1 {{has a result of [16, 32], but the product of its operands is [16, 16]}}
  %d = tt.dot %a, %b, %c : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x32xf32>
  tt.return
}

// -----

tt.func @batches(%a: tensor<2x16x16xf16>, %b: tensor<4x16x16xf16>, %c: tensor<2x16x16xf32>) {
  // expected-error@+1 {{has a result of [2, 16, 16], but the product}}
  %d = tt.dot %a, %b, %c : tensor<2x16x16xf16> * tensor<4x16x16xf16> -> tensor<2x16x16xf32>
  tt.return
}

// -----

tt.func @rank(%a: tensor<16xf16>, %b: tensor<16x16xf16>, %c: tensor<16x16xf32>) {
  // expected-error@+1 {{needs operands and a result with 2 dimensions each, or 3 with a batch}}
  %d = tt.dot %a, %b, %c : tensor<16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @types(%a: tensor<16x16xf16>, %b: tensor<16x16xbf16>, %c: tensor<16x16xf32>) {
  // expected-error@+1 {{multiplies elements of one type, or of two types of 8-bit floats, not 'f16' and 'bf16'}}
  %d = tt.dot %a, %b, %c : tensor<16x16xf16> * tensor<16x16xbf16> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @narrow(%a: tensor<16x16xf32>, %c: tensor<16x16xf16>) {
  // expected-error@+1 {{cannot sum products of 'f32' in 'f16'}}
  %d = tt.dot %a, %a, %c : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf16>
  tt.return
}

// -----

tt.func @integers(%a: tensor<16x16xi8>, %c: tensor<16x16xf32>) {
  // expected-error@+1 {{cannot sum products of 'i8' in 'f32'}}
  %d = tt.dot %a, %a, %c : tensor<16x16xi8> * tensor<16x16xi8> -> tensor<16x16xf32>
  tt.return
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
tt.func @encodings(%a: tensor<16x16xf16>, %c: tensor<16x16xf32, #blocked>) {
  // expected-error@+1 {{needs layouts on the operands and the result, or on none of them}}
  %d = tt.dot %a, %a, %c : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32, #blocked>
  tt.return
}

// -----

tt.func @format(%a: tensor<16x64xi16>, %b: tensor<64x16xf8E5M2>, %c: tensor<16x16xf32>) {
  // expected-error@+1 {{has elements of type 'i16' for the format e4m3}}
  %d = tt.dot_scaled %a, %b, %c lhs = e4m3 rhs = e5m2 {fastMath = false} : tensor<16x64xi16> * tensor<64x16xf8E5M2> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @unknown_format(%a: tensor<16x64xi8>, %b: tensor<64x16xf8E5M2>, %c: tensor<16x16xf32>) {
  // expected-error@+1 {{has the format e3m2; there are e4m3, e5m2, e2m1, bf16 and fp16}}
  %d = tt.dot_scaled %a, %b, %c lhs = e3m2 rhs = e5m2 {fastMath = false} : tensor<16x64xi8> * tensor<64x16xf8E5M2> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @packed(%a: tensor<16x64xi8>, %b: tensor<64x16xf8E5M2>, %c: tensor<16x16xf32>) {
  // expected-error@+1 {{sums over 128 elements of a row of a, but over 64 of a column of b}}
  %d = tt.dot_scaled %a, %b, %c lhs = e2m1 rhs = e5m2 {fastMath = false} : tensor<16x64xi8> * tensor<64x16xf8E5M2> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @scale(%a: tensor<16x64xf8E5M2>, %s: tensor<2x16xi8>, %b: tensor<64x16xf8E5M2>, %c: tensor<16x16xf32>) {
  // expected-error@+1 {{needs a scale for each 32 of 64 elements in 16 rows: b_scale is [16, 2] then, not 'tensor<2x16xi8>'}}
  %d = tt.dot_scaled %a, %b scale %s, %c lhs = e5m2 rhs = e5m2 {fastMath = false} : tensor<16x64xf8E5M2> * tensor<64x16xf8E5M2>, tensor<2x16xi8> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @scale_batches(%a: tensor<16x64xf8E5M2>, %s: tensor<2x16x2xi8>, %b: tensor<64x16xf8E5M2>, %c: tensor<16x16xf32>) {
  // expected-error@+1 {{a_scale is [16, 2] then, not 'tensor<2x16x2xi8>'}}
  %d = tt.dot_scaled %a scale %s, %b, %c lhs = e5m2 rhs = e5m2 {fastMath = false} : tensor<16x64xf8E5M2>, tensor<2x16x2xi8> * tensor<64x16xf8E5M2> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @scale_of_batches(%a: tensor<2x16x64xf8E5M2>, %s: tensor<16x2xi8>, %b: tensor<2x64x16xf8E5M2>, %c: tensor<2x16x16xf32>) {
  // expected-error@+1 {{a_scale is [2, 16, 2] then, not 'tensor<16x2xi8>'}}
  %d = tt.dot_scaled %a scale %s, %b, %c lhs = e5m2 rhs = e5m2 {fastMath = false} : tensor<2x16x64xf8E5M2>, tensor<16x2xi8> * tensor<2x64x16xf8E5M2> -> tensor<2x16x16xf32>
  tt.return
}

// -----

tt.func @eight_bits(%a: tensor<16x16xf8E5M2>, %c: tensor<16x16xf8E5M2>) {
  // expected-error@+1 {{cannot sum products of 'f8E5M2' in 'f8E5M2'}}
  %d = tt.dot %a, %a, %c : tensor<16x16xf8E5M2> * tensor<16x16xf8E5M2> -> tensor<16x16xf8E5M2>
  tt.return
}
