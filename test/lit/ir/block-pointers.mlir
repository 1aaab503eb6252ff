// RUN: tilewright-opt %s | FileCheck %s
// RUN: tilewright-opt %s | tilewright-opt | FileCheck %s

// Block pointers and accesses through them, with and without layouts; their type with and without
// its name.

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>

// CHECK-LABEL: tt.func public @tiles(
// CHECK: %[[P:.*]] = tt.make_tensor_ptr %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
// CHECK: %[[Q:.*]] = tt.make_tensor_ptr {{.*}} : <tensor<8xf16>>
// CHECK: %[[R:.*]] = tt.advance %[[P]], [%{{.*}}, %{{.*}}] : <tensor<16x32xf16>>
// CHECK: %[[X:.*]] = tt.load %[[R]] {boundaryCheck = array<i32: 0, 1>, padding = 2 : i32} : !tt.ptr<tensor<16x32xf16>>
// CHECK: tt.store %[[R]], %[[X]] {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<16x32xf16>>
tt.func public @tiles(%base: !tt.ptr<f16>, %n: i64, %i: i32) {
  %p = tt.make_tensor_ptr %base, [%n, %n], [%n, %n], [%i, %i] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
  %q = tt.make_tensor_ptr %base, [%n], [%n], [%i] {order = array<i32: 0>} : !tt.ptr<tensor<8xf16>>
  %r = tt.advance %p, [%i, %i] : !tt.ptr<tensor<16x32xf16>>
  %x = tt.load %r {boundaryCheck = array<i32: 0, 1>, padding = 2 : i32} : !tt.ptr<tensor<16x32xf16>>
  tt.store %r, %x {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<16x32xf16>>
  tt.return
}

// CHECK-LABEL: tt.func public @layouts(
// CHECK: tt.make_tensor_ptr {{.*}} : <tensor<16x32xf16, #blocked>>
// CHECK: tt.load %{{.*}} : !tt.ptr<tensor<16x32xf16, #blocked>>
tt.func public @layouts(%base: !tt.ptr<f16>, %n: i64, %i: i32) {
  %p = tt.make_tensor_ptr %base, [%n, %n], [%n, %n], [%i, %i] {order = array<i32: 0, 1>} : <tensor<16x32xf16, #blocked>>
  %x = tt.load %p : !tt.ptr<tensor<16x32xf16, #blocked>>
  tt.return
}
