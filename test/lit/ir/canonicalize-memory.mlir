// RUN: tilewright-opt %s -canonicalize -cse -split-input-file | FileCheck %s

// What generic passes make of tensors in shared memory.

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#other = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#turned = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>
#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory

// Any layout can be stored, and what never changes is loaded from where it came from.
// CHECK-LABEL: tt.func @conversions
tt.func @conversions(%x: tensor<16x64xf16, #blocked>, %m: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>) -> (tensor<16x64xf16, #blocked>, tensor<16x64xf16, #other>, tensor<16x64xf16, #other>) {
  // CHECK: ttg.local_store %arg0, %arg1
  %0 = ttg.convert_layout %x : tensor<16x64xf16, #blocked> -> tensor<16x64xf16, #other>
  ttg.local_store %0, %m : tensor<16x64xf16, #other> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
  // CHECK-NEXT: %[[L:.*]] = ttg.local_load %arg1 {{.*}} -> tensor<16x64xf16, #blocked1>
  %1 = ttg.local_load %m : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> tensor<16x64xf16, #blocked>
  %2 = ttg.convert_layout %1 : tensor<16x64xf16, #blocked> -> tensor<16x64xf16, #other>
  // CHECK-NEXT: %[[C:.*]] = ttg.convert_layout %arg0
  %3 = ttg.local_alloc %0 : (tensor<16x64xf16, #other>) -> !ttg.memdesc<16x64xf16, #shared, #smem>
  %4 = ttg.local_load %3 : !ttg.memdesc<16x64xf16, #shared, #smem> -> tensor<16x64xf16, #blocked>
  %5 = ttg.local_load %3 : !ttg.memdesc<16x64xf16, #shared, #smem> -> tensor<16x64xf16, #other>
  // CHECK-NEXT: tt.return %arg0, %[[C]], %[[L]]
  tt.return %4, %5, %2 : tensor<16x64xf16, #blocked>, tensor<16x64xf16, #other>, tensor<16x64xf16, #other>
}

// CHECK-LABEL: tt.func @views
tt.func @views(%m: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>) -> (!ttg.memdesc<16x64xf16, #shared, #smem, mutable>, !ttg.memdesc<16x16xf16, #shared, #smem, mutable, 16x64>, !ttg.memdesc<16x64xf16, #shared, #smem, mutable>) {
  // CHECK-NEXT: %[[S:.*]] = ttg.memdesc_subslice %arg0[0, 48]
  // CHECK-NEXT: tt.return %arg0, %[[S]], %arg0
  %0 = ttg.memdesc_trans %m {order = array<i32: 1, 0>} : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf16, #turned, #smem, mutable>
  %1 = ttg.memdesc_trans %0 {order = array<i32: 1, 0>} : !ttg.memdesc<64x16xf16, #turned, #smem, mutable> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
  %2 = ttg.memdesc_subslice %m[0, 32] : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x32xf16, #shared, #smem, mutable, 16x64>
  %3 = ttg.memdesc_subslice %2[0, 16] : !ttg.memdesc<16x32xf16, #shared, #smem, mutable, 16x64> -> !ttg.memdesc<16x16xf16, #shared, #smem, mutable, 16x64>
  %4 = ttg.memdesc_reinterpret %m : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<512xi32, #flat, #smem, mutable>
  %5 = ttg.memdesc_reinterpret %4 : !ttg.memdesc<512xi32, #flat, #smem, mutable> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
  tt.return %1, %3, %5 : !ttg.memdesc<16x64xf16, #shared, #smem, mutable>, !ttg.memdesc<16x16xf16, #shared, #smem, mutable, 16x64>, !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
}

// Memory that is not mutable is a value: two of one tensor are one, unless they have places. A
// mutable one is not, and loads on both sides of a store stay.
// CHECK-LABEL: tt.func @effects
tt.func @effects(%x: tensor<16x64xf16, #blocked>, %y: tensor<16x64xf16, #blocked>) -> (!ttg.memdesc<16x64xf16, #shared, #smem>, !ttg.memdesc<16x64xf16, #shared, #smem>, tensor<16x64xf16, #blocked>, tensor<16x64xf16, #blocked>) {
  // CHECK-NEXT: %[[A:.*]] = ttg.local_alloc %arg0 : {{.*}} #smem>
  %0 = ttg.local_alloc %x : (tensor<16x64xf16, #blocked>) -> !ttg.memdesc<16x64xf16, #shared, #smem>
  %1 = ttg.local_alloc %x : (tensor<16x64xf16, #blocked>) -> !ttg.memdesc<16x64xf16, #shared, #smem>
  %unused = ttg.local_alloc %y : (tensor<16x64xf16, #blocked>) -> !ttg.memdesc<16x64xf16, #shared, #smem>
  // CHECK-NEXT: %[[M:.*]] = ttg.local_alloc %arg0 : {{.*}}, mutable>
  // CHECK-NEXT: %[[B:.*]] = ttg.local_load %[[M]]
  // CHECK-NEXT: ttg.local_store %arg1, %[[M]]
  // CHECK-NEXT: %[[C:.*]] = ttg.local_load %[[M]]
  %2 = ttg.local_alloc %x : (tensor<16x64xf16, #blocked>) -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
  %3 = ttg.local_load %2 : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> tensor<16x64xf16, #blocked>
  ttg.local_store %y, %2 : tensor<16x64xf16, #blocked> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
  %4 = ttg.local_load %2 : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> tensor<16x64xf16, #blocked>
  // CHECK-NEXT: ttg.local_dealloc %[[M]]
  ttg.local_dealloc %2 : !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
  // CHECK-NEXT: tt.return %[[A]], %[[A]], %[[B]], %[[C]]
  tt.return %0, %1, %3, %4 : !ttg.memdesc<16x64xf16, #shared, #smem>, !ttg.memdesc<16x64xf16, #shared, #smem>, tensor<16x64xf16, #blocked>, tensor<16x64xf16, #blocked>
}
