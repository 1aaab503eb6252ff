// RUN: tilewright-opt %s -split-input-file -verify-diagnostics --triton-rewrite-tensor-descriptor-to-pointer

tt.func public @minimum(%p: !tt.ptr<f32>, %n: i32, %x: tensor<8xf32>) {
  %c1 = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%n], [%c1] : <f32>, <8xf32>
  // expected-error@+1 {{cannot be written as an atomic operation: there is no min of 'f32'}}
  tt.descriptor_reduce min, %d[%n], %x : !tt.tensordesc<8xf32>, tensor<8xf32>
  tt.return
}

// -----

tt.func public @gather(%p: !tt.ptr<f32>, %n: i32, %rows: tensor<8xi32>) -> tensor<8x8xf32> {
  %c1 = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%n], [%c1] : <f32>, <8xf32>
  // expected-error@+1 {{needs a descriptor whose block is one row}}
  %x = tt.descriptor_gather %d[%rows, %n] : (!tt.tensordesc<8xf32>, tensor<8xi32>, i32) -> tensor<8x8xf32>
  tt.return %x : tensor<8x8xf32>
}
