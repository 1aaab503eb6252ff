// RUN: tilewright-opt %s --tritongpu-optimize-dot-operands | FileCheck %s

// A product by multiply-adds takes its operands in the layouts in which they are, and before they
// are widened. One that a matrix unit takes is left alone.

#load = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#d = #ttg.blocked<{sizePerThread = [2, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #d}>
#b = #ttg.dot_op<{opIdx = 1, parent = #d}>
#ma = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#mb = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
// CHECK: #[[LOAD:.*]] = #ttg.blocked<{sizePerThread = [1, 8]
// CHECK: #[[D:.*]] = #ttg.blocked<{sizePerThread = [2, 4]
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @conversions
  // CHECK-NEXT: tt.dot %arg0, %arg1, %arg2 : tensor<32x32xf16, #[[LOAD]]> * tensor<32x32xf16, #[[LOAD]]> -> tensor<32x32xf32, #[[D]]>
  tt.func @conversions(%x: tensor<32x32xf16, #load>, %y: tensor<32x32xf16, #load>, %c: tensor<32x32xf32, #d>) -> tensor<32x32xf32, #d> {
    %a = ttg.convert_layout %x : tensor<32x32xf16, #load> -> tensor<32x32xf16, #a>
    %b = ttg.convert_layout %y : tensor<32x32xf16, #load> -> tensor<32x32xf16, #b>
    %d = tt.dot %a, %b, %c : tensor<32x32xf16, #a> * tensor<32x32xf16, #b> -> tensor<32x32xf32, #d>
    tt.return %d : tensor<32x32xf32, #d>
  }

  // CHECK-LABEL: @widened
  // CHECK-NEXT: tt.dot %arg0, %arg1, %arg2 : tensor<32x32xf8E5M2, #[[LOAD]]> * tensor<32x32xf8E5M2, #[[LOAD]]>
  tt.func @widened(%x: tensor<32x32xf8E5M2, #load>, %y: tensor<32x32xf8E5M2, #load>, %c: tensor<32x32xf32, #d>) -> tensor<32x32xf32, #d> {
    %hx = tt.fp_to_fp %x : tensor<32x32xf8E5M2, #load> -> tensor<32x32xf16, #load>
    %hy = tt.fp_to_fp %y : tensor<32x32xf8E5M2, #load> -> tensor<32x32xf16, #load>
    %fx = arith.extf %hx : tensor<32x32xf16, #load> to tensor<32x32xf32, #load>
    %fy = arith.extf %hy : tensor<32x32xf16, #load> to tensor<32x32xf32, #load>
    %a = ttg.convert_layout %fx : tensor<32x32xf32, #load> -> tensor<32x32xf32, #a>
    %b = ttg.convert_layout %fy : tensor<32x32xf32, #load> -> tensor<32x32xf32, #b>
    %d = tt.dot %a, %b, %c : tensor<32x32xf32, #a> * tensor<32x32xf32, #b> -> tensor<32x32xf32, #d>
    tt.return %d : tensor<32x32xf32, #d>
  }

  // One operand alone, or two from different types, stay as they are.
  // CHECK-LABEL: @not_both
  // CHECK: %[[F:.*]] = arith.extf %arg0
  // CHECK-NEXT: tt.dot %[[F]], %arg1, %arg2
  tt.func @not_both(%x: tensor<32x32xf16, #load>, %y: tensor<32x32xf32, #load>, %c: tensor<32x32xf32, #d>) -> tensor<32x32xf32, #d> {
    %fx = arith.extf %x : tensor<32x32xf16, #load> to tensor<32x32xf32, #load>
    %d = tt.dot %fx, %y, %c : tensor<32x32xf32, #load> * tensor<32x32xf32, #load> -> tensor<32x32xf32, #d>
    tt.return %d : tensor<32x32xf32, #d>
  }

  // CHECK-LABEL: @matrix_unit
  // CHECK-COUNT-2: ttg.convert_layout
  // CHECK: tt.dot
  tt.func @matrix_unit(%x: tensor<32x32xf16, #load>, %y: tensor<32x32xf16, #load>, %c: tensor<32x32xf32, #mma>) -> tensor<32x32xf32, #mma> {
    %a = ttg.convert_layout %x : tensor<32x32xf16, #load> -> tensor<32x32xf16, #ma>
    %b = ttg.convert_layout %y : tensor<32x32xf16, #load> -> tensor<32x32xf16, #mb>
    %d = tt.dot %a, %b, %c : tensor<32x32xf16, #ma> * tensor<32x32xf16, #mb> -> tensor<32x32xf32, #mma>
    tt.return %d : tensor<32x32xf32, #mma>
  }
}
