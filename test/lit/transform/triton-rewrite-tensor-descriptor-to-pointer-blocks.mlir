// RUN: tilewright-opt %s --triton-rewrite-tensor-descriptor-to-pointer | FileCheck %s

#s = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>

// A descriptor with a layout of shared memory stays as it is, also where one without does not: in a
// loop that carries both.
// CHECK-LABEL: @both(
// CHECK-SAME: %[[D:.*]]: !tt.tensordesc<tensor<16x64xf16, #shared>>
// CHECK: scf.for {{.*}} iter_args(%[[X:.*]] = %[[D]], %{{.*}}) -> (!tt.tensordesc<tensor<16x64xf16, #shared>>, !tt.ptr<f16>, i64, i64, i64, i64, i1)
// CHECK: tt.descriptor_load %[[X]]
// CHECK: tt.store
tt.func public @both(%d: !tt.tensordesc<tensor<16x64xf16, #s>>, %p: !tt.ptr<f16>, %n: i32, %s: i64) {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %e = tt.make_tensor_descriptor %p, [%n, %n], [%s, %c1] : !tt.ptr<f16>, !tt.tensordesc<tensor<16x64xf16>>
  %r:2 = scf.for %i = %c0 to %n step %one iter_args(%f = %d, %g = %e) -> (!tt.tensordesc<tensor<16x64xf16, #s>>, !tt.tensordesc<tensor<16x64xf16>>) : i32 {
    %x = tt.descriptor_load %f[%c0, %i] : !tt.tensordesc<tensor<16x64xf16, #s>> -> tensor<16x64xf16>
    tt.descriptor_store %g[%c0, %i], %x : !tt.tensordesc<tensor<16x64xf16>>, tensor<16x64xf16>
    scf.yield %f, %g : !tt.tensordesc<tensor<16x64xf16, #s>>, !tt.tensordesc<tensor<16x64xf16>>
  }
  tt.return
}
