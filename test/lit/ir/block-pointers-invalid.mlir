// RUN: tilewright-opt %s --split-input-file --verify-diagnostics --triton-rewrite-tensor-pointer

// Block pointers: their type, the ops that make them, what accesses through them cannot have.

// expected-error @below {{!tt.ptr has a block of 'tensor<16x24xf16>'; every size must be a power of two}}
tt.func private @size(!tt.ptr<tensor<16x24xf16>>)

// -----

// expected-error @below {{!tt.ptr points to an integer or a floating-point number, or to a tensor of them, not to 'tensor<8x!tt.ptr<f16>>'}}
tt.func private @elements(!tt.ptr<tensor<8x!tt.ptr<f16>>>)

// -----

tt.func @scalar(%p: !tt.ptr<f16>, %n: i64, %i: i32) {
  // expected-error @below {{a block pointer is a pointer to a tensor, such as !tt.ptr<tensor<64x32xf16>>, not '!tt.ptr<f16>'}}
  %b = tt.make_tensor_ptr %p, [%n], [%n], [%i] {order = array<i32: 0>} : !tt.ptr<f16>
  tt.return
}

// -----

tt.func @number(%p: !tt.ptr<f16>, %n: i64, %i: i32) {
  // expected-error @below {{a block pointer points to a tensor, not to 'f16'}}
  %b = tt.make_tensor_ptr %p, [%n], [%n], [%i] {order = array<i32: 0>} : <f16>
  tt.return
}

// -----

tt.func @dims(%p: !tt.ptr<f16>, %n: i64, %i: i32) {
  // expected-error @below {{'tt.make_tensor_ptr' op needs a size, a stride and an offset for each dimension of 'tensor<8x8xf16>'}}
  %b = tt.make_tensor_ptr %p, [%n], [%n], [%i] {order = array<i32: 1, 0>} : <tensor<8x8xf16>>
  tt.return
}

// -----

tt.func @order(%p: !tt.ptr<f16>, %n: i64, %i: i32) {
  // expected-error @below {{'tt.make_tensor_ptr' op has the dimension 1 in `order` twice}}
  %b = tt.make_tensor_ptr %p, [%n, %n], [%n, %n], [%i, %i] {order = array<i32: 1, 1>} : <tensor<8x8xf16>>
  tt.return
}

// -----

tt.func @advance(%p: !tt.ptr<tensor<8x8xf16>>, %i: i32) {
  // expected-error @below {{'tt.advance' op has 1 offsets, but 'tensor<8x8xf16>' has 2 dimensions}}
  %b = tt.advance %p, [%i] : <tensor<8x8xf16>>
  tt.return
}

// -----

tt.func private @mask(%p: !tt.ptr<tensor<8xf16>>, %m: i1) {
  // expected-error @below {{'tt.load' op has a mask or another value through a block pointer}}
  // expected-note @below {{name the dimensions to check in boundaryCheck}}
  %b = tt.load %p, %m : !tt.ptr<tensor<8xf16>>
  tt.return
}

// -----

tt.func private @check(%p: !tt.ptr<tensor<8xi32>>, %x: tensor<8xi32>) {
  // expected-error @below {{'tt.store' op has the dimension 1 in `boundaryCheck`; 'tensor<8xi32>' has those from 0 to 0}}
  tt.store %p, %x {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<8xi32>>
  tt.return
}

// -----

tt.func private @nan(%p: !tt.ptr<tensor<8xi32>>) {
  // expected-error @below {{'tt.load' op pads with NaN, which 'i32' does not have}}
  %b = tt.load %p {boundaryCheck = array<i32: 0>, padding = 2 : i32} : !tt.ptr<tensor<8xi32>>
  tt.return
}

// -----

// expected-error @below {{'tt.func' op is a kernel and cannot take a block pointer as an argument}}
// expected-note @below {{make it in the kernel, by tt.make_tensor_ptr}}
tt.func public @kernel(%p: !tt.ptr<tensor<8xi32>>) {
  tt.return
}

// -----

tt.func private @other(%p: !tt.ptr<tensor<8xi32>>, %i: i32) {
  // expected-error @below {{'tt.addptr' op cannot take or give a block pointer}}
  %q = tt.addptr %p, %i : !tt.ptr<tensor<8xi32>>, i32
  tt.return
}
