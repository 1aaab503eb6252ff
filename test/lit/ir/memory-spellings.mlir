// RUN: tilewright-opt %s | FileCheck %s

// Other spellings of types and ops, and how they are printed.

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#nvmma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#smem = #ttg.shared_memory

// CHECK-LABEL: tt.func @descriptors(
// CHECK-SAME: %arg0: !tt.tensordesc<tensor<128x64xf16, #shared>>, %arg1: !tt.tensordesc<tensor<128x64xf16, #shared>>, %arg2: !ttng.tensordesc_im2col<64x128xf16>
tt.func @descriptors(%0: !tt.tensordesc<128x64xf16, #nvmma>, %1: !tt.tensordesc<tensor<128x64xf16, #nvmma>>, %2: !ttng.tensordesc_im2col<tensor<64x128xf16>>) {
  tt.return
}

// CHECK-LABEL: tt.func @elided
tt.func @elided(%base: !tt.ptr<f32>, %n: i32, %s: i64, %p: tensor<16x32x!tt.ptr<f32>, #blocked>, %m: !ttg.memdesc<16x32xf32, #shared, #smem, mutable>, %c: i1) {
  // CHECK: tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %arg2] : <f32>, <tensor<16x64xf32>>
  %0 = tt.make_tensor_descriptor %base, [%n, %n], [%s, %s] : !tt.ptr<f32>, !tt.tensordesc<tensor<16x64xf32>>
  // CHECK: tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %arg2] : <f32>, <tensor<16x64xf32>>
  %1 = tt.make_tensor_descriptor %base, [%n, %n], [%s, %s] : <f32>, <16x64xf32>
  // CHECK: ttg.async_copy_global_to_local %arg3, %arg4 : tensor<16x32x!tt.ptr<f32>, #blocked> -> <16x32xf32, #shared1, #smem, mutable>
  %2 = ttg.async_copy_global_to_local %p, %m {cache = 1 : i32, evict = 1 : i32} : tensor<16x32x!tt.ptr<f32>, #blocked> -> !ttg.memdesc<16x32xf32, #shared, #smem, mutable>
  // CHECK: ttng.cluster_barrier {relaxed = true}
  ttng.cluster_barrier {relaxed = 1 : i1}
  // CHECK: ttg.warp_id
  %3 = "ttg.warp_id"() : () -> i32
  // CHECK: ttg.memdesc_trans %arg4 {order = array<i32: 0, 1>}
  %4 = ttg.memdesc_trans %m {order=array<i32: 0,1>} : !ttg.memdesc<16x32xf32, #shared, #smem, mutable> -> !ttg.memdesc<16x32xf32, #shared, #smem, mutable>
  // CHECK: ttg.memdesc_subslice %arg4[0, 0]
  %5 = ttg.memdesc_subslice %m [0, 0] : !ttg.memdesc<16x32xf32, #shared, #smem, mutable> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable, 16x32>
  tt.return
}
