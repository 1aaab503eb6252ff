// RUN: tilewright-opt %s --tritongpu-reduce-data-duplication | FileCheck %s

#columns = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#pairs = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>

// The column moves, not 64 copies of it.
// CHECK-LABEL: @broadcast
tt.func @broadcast(%x: tensor<128x1xf32, #columns>) -> tensor<128x64xf32, #rows> {
  // CHECK-NEXT: %[[C:.*]] = ttg.convert_layout %arg0 : tensor<128x1xf32, #[[COLUMNS:.*]]> -> tensor<128x1xf32, #[[ROWS:.*]]>
  // CHECK-NEXT: %[[B:.*]] = tt.broadcast %[[C]] : tensor<128x1xf32, #[[ROWS]]> -> tensor<128x64xf32, #[[ROWS]]>
  // CHECK-NEXT: tt.return %[[B]]
  %0 = tt.broadcast %x : tensor<128x1xf32, #columns> -> tensor<128x64xf32, #columns>
  %1 = ttg.convert_layout %0 : tensor<128x64xf32, #columns> -> tensor<128x64xf32, #rows>
  tt.return %1 : tensor<128x64xf32, #rows>
}

// Also where the wide tensor is used in its old layout as well.
// CHECK-LABEL: @broadcast_shared
tt.func @broadcast_shared(%x: tensor<128x1xf32, #columns>) -> (tensor<128x64xf32, #rows>, tensor<128x64xf32, #columns>) {
  // CHECK-NEXT: %[[W:.*]] = tt.broadcast %arg0
  // CHECK-NEXT: %[[C:.*]] = ttg.convert_layout %arg0
  // CHECK-NEXT: %[[B:.*]] = tt.broadcast %[[C]]
  // CHECK-NEXT: tt.return %[[B]], %[[W]]
  %0 = tt.broadcast %x : tensor<128x1xf32, #columns> -> tensor<128x64xf32, #columns>
  %1 = ttg.convert_layout %0 : tensor<128x64xf32, #columns> -> tensor<128x64xf32, #rows>
  tt.return %1, %0 : tensor<128x64xf32, #rows>, tensor<128x64xf32, #columns>
}

// Half the bits move; through several ops, too.
// CHECK-LABEL: @widening
tt.func @widening(%x: tensor<128x64xf16, #columns>, %y: tensor<128x1xi8, #columns>) -> (tensor<128x64xf32, #rows>, tensor<128x64xi32, #rows>) {
  // CHECK: %[[A:.*]] = ttg.convert_layout %arg0 : tensor<128x64xf16
  // CHECK: arith.extf %[[A]] : tensor<128x64xf16, #[[ROWS]]> to tensor<128x64xf32, #[[ROWS]]>
  // CHECK: %[[B:.*]] = ttg.convert_layout %arg1 : tensor<128x1xi8
  // CHECK: %[[E:.*]] = arith.extsi %[[B]] : tensor<128x1xi8, #[[ROWS]]> to tensor<128x1xi32, #[[ROWS]]>
  // CHECK: tt.broadcast %[[E]] : tensor<128x1xi32, #[[ROWS]]> -> tensor<128x64xi32, #[[ROWS]]>
  %0 = arith.extf %x : tensor<128x64xf16, #columns> to tensor<128x64xf32, #columns>
  %1 = ttg.convert_layout %0 : tensor<128x64xf32, #columns> -> tensor<128x64xf32, #rows>
  %2 = arith.extsi %y : tensor<128x1xi8, #columns> to tensor<128x1xi32, #columns>
  %3 = tt.broadcast %2 : tensor<128x1xi32, #columns> -> tensor<128x64xi32, #columns>
  %4 = ttg.convert_layout %3 : tensor<128x64xi32, #columns> -> tensor<128x64xi32, #rows>
  tt.return %1, %4 : tensor<128x64xf32, #rows>, tensor<128x64xi32, #rows>
}

// CHECK-LABEL: @narrowing
tt.func @narrowing(%x: tensor<128x64xf32, #columns>) -> tensor<128x64xf16, #rows> {
  // CHECK-NEXT: %[[T:.*]] = arith.truncf %arg0 : tensor<128x64xf32, #[[COLUMNS]]> to tensor<128x64xf16, #[[COLUMNS]]>
  // CHECK-NEXT: %[[C:.*]] = ttg.convert_layout %[[T]] : tensor<128x64xf16, #[[COLUMNS]]> -> tensor<128x64xf16, #[[ROWS]]>
  // CHECK-NEXT: tt.return %[[C]]
  %0 = ttg.convert_layout %x : tensor<128x64xf32, #columns> -> tensor<128x64xf32, #rows>
  %1 = arith.truncf %0 : tensor<128x64xf32, #rows> to tensor<128x64xf16, #rows>
  tt.return %1 : tensor<128x64xf16, #rows>
}

// Kept: no element changes its thread; the cast would be computed twice; the cast neither
// widens nor narrows.
// CHECK-LABEL: @kept
tt.func @kept(%x: tensor<128x1xf32, #columns>, %y: tensor<128x64xf16, #columns>, %z: tensor<128x64xi32, #columns>)
    -> (tensor<128x64xf32, #pairs>, tensor<128x64xf32, #rows>, tensor<128x64xf32, #columns>, tensor<128x64xf32, #rows>) {
  // CHECK-NEXT: %[[A:.*]] = tt.broadcast %arg0
  // CHECK-NEXT: ttg.convert_layout %[[A]]
  // CHECK-NEXT: %[[B:.*]] = arith.extf %arg1
  // CHECK-NEXT: ttg.convert_layout %[[B]]
  // CHECK-NEXT: %[[C:.*]] = arith.sitofp %arg2
  // CHECK-NEXT: ttg.convert_layout %[[C]]
  %0 = tt.broadcast %x : tensor<128x1xf32, #columns> -> tensor<128x64xf32, #columns>
  %1 = ttg.convert_layout %0 : tensor<128x64xf32, #columns> -> tensor<128x64xf32, #pairs>
  %2 = arith.extf %y : tensor<128x64xf16, #columns> to tensor<128x64xf32, #columns>
  %3 = ttg.convert_layout %2 : tensor<128x64xf32, #columns> -> tensor<128x64xf32, #rows>
  %4 = arith.sitofp %z : tensor<128x64xi32, #columns> to tensor<128x64xf32, #columns>
  %5 = ttg.convert_layout %4 : tensor<128x64xf32, #columns> -> tensor<128x64xf32, #rows>
  tt.return %1, %3, %2, %5 : tensor<128x64xf32, #pairs>, tensor<128x64xf32, #rows>, tensor<128x64xf32, #columns>, tensor<128x64xf32, #rows>
}
