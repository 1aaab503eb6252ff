// RUN: tilewright-opt %s --convert-triton-to-tritongpu="num-warps=8" | FileCheck %s

// A product gets near-square tiles a thread, in vectors of 16 bytes of its operands: 8 x 16 of
// 128 x 256; 8 lanes along a row. In a batch, warps share the matrices first.

// CHECK: #[[LARGE:.*]] = #ttg.blocked<{sizePerThread = [8, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 2], order = [1, 0]}>
// CHECK: #[[BATCH:.*]] = #ttg.blocked<{sizePerThread = [1, 2, 4], threadsPerWarp = [1, 4, 8], warpsPerCTA = [4, 2, 1], order = [2, 1, 0]}>
// CHECK: #[[SMALL:.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 2], order = [1, 0]}>

// CHECK-LABEL: @large
// CHECK: %[[A:.*]] = ttg.convert_layout %arg0 : {{.*}} -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #[[LARGE]]}>>
// CHECK: %[[B:.*]] = ttg.convert_layout %arg1 : {{.*}} -> tensor<64x256xf16, #ttg.dot_op<{opIdx = 1, parent = #[[LARGE]]}>>
// CHECK: tt.dot %[[A]], %[[B]], %{{.*}} -> tensor<128x256xf32, #[[LARGE]]>
tt.func @large(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %c: tensor<128x256xf32>) -> tensor<128x256xf32> {
  %d = tt.dot %a, %b, %c : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<128x256xf32>
  tt.return %d : tensor<128x256xf32>
}

// CHECK-LABEL: @batch
// CHECK: tt.dot {{.*}} -> tensor<4x16x32xf32, #[[BATCH]]>
tt.func @batch(%a: tensor<4x16x16xf32>, %b: tensor<4x16x32xf32>, %c: tensor<4x16x32xf32>) -> tensor<4x16x32xf32> {
  %d = tt.dot %a, %b, %c : tensor<4x16x16xf32> * tensor<4x16x32xf32> -> tensor<4x16x32xf32>
  tt.return %d : tensor<4x16x32xf32>
}

// CHECK-LABEL: @small
// CHECK: tt.dot {{.*}} -> tensor<16x16xf32, #[[SMALL]]>
tt.func @small(%a: tensor<16x16xf16>, %b: tensor<16x16xf16>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %d = tt.dot %a, %b, %c : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}
