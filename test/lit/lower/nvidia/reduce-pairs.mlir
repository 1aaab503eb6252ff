// RUN: tilewright-opt %s --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s
// RUN: sed -e 's/cuda:90/hip:gfx1201/' %s | tilewright-opt - --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s --check-prefix=LANES

#rows = #ttg.blocked<{sizePerThread = [2, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 1], order = [1, 0]}>
#column = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 1], order = [1, 0]}>

module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  // Two sums of 16 bits go through the lanes in one word, in each of five steps. Where lanes' numbers
  // need not be in a register, each goes by itself: its move becomes a part of the addition.
  // CHECK-LABEL: @halves
  // CHECK: %[[PAIR:.*]] = llvm.bitcast %{{.*}} : vector<2xf16> to i32
  // CHECK: %[[OTHER:.*]] = nvvm.shfl.sync bfly %{{.*}}, %[[PAIR]]
  // CHECK-NEXT: llvm.bitcast %[[OTHER]] : i32 to vector<2xf16>
  // CHECK-COUNT-2: llvm.fadd
  // CHECK-COUNT-4: shfl.sync bfly
  // CHECK-NOT: shfl.sync
  // CHECK: llvm.return
  // LANES-LABEL: @halves
  // LANES-NOT: vector<2xf16>
  // LANES: llvm.return
  tt.func private @halves(%x: tensor<2x32xf16, #rows>) -> tensor<2xf16, #ttg.slice<{dim = 1, parent = #rows}>> {
    %sum = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f16, %b: f16):
      %c = arith.addf %a, %b : f16
      tt.reduce.return %c : f16
    }) : (tensor<2x32xf16, #rows>) -> tensor<2xf16, #ttg.slice<{dim = 1, parent = #rows}>>
    tt.return %sum : tensor<2xf16, #ttg.slice<{dim = 1, parent = #rows}>>
  }

  // Of a value and its index only the value is narrow: three words for two pairs.
  // CHECK-LABEL: @value_and_index
  // CHECK: vector<2xi16> to i32
  // CHECK-COUNT-15: shfl.sync bfly
  // CHECK-NOT: shfl.sync
  // CHECK: llvm.return
  tt.func private @value_and_index(%x: tensor<2x32xi16, #rows>, %i: tensor<2x32xi32, #rows>) -> tensor<2xi32, #ttg.slice<{dim = 1, parent = #rows}>> {
    %most:2 = "tt.reduce"(%x, %i) <{axis = 1 : i32}> ({
    ^bb0(%a: i16, %ai: i32, %b: i16, %bi: i32):
      %g = arith.cmpi sgt, %a, %b : i16
      %v = arith.select %g, %a, %b : i16
      %w = arith.select %g, %ai, %bi : i32
      tt.reduce.return %v, %w : i16, i32
    }) : (tensor<2x32xi16, #rows>, tensor<2x32xi32, #rows>) -> (tensor<2xi16, #ttg.slice<{dim = 1, parent = #rows}>>, tensor<2xi32, #ttg.slice<{dim = 1, parent = #rows}>>)
    tt.return %most#1 : tensor<2xi32, #ttg.slice<{dim = 1, parent = #rows}>>
  }

  // One partial has no neighbour.
  // CHECK-LABEL: @alone
  // CHECK-NOT: vector<2x
  // CHECK: llvm.return
  tt.func private @alone(%x: tensor<32x1xf16, #column>) -> tensor<1xf16, #ttg.slice<{dim = 0, parent = #column}>> {
    %sum = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f16, %b: f16):
      %c = arith.addf %a, %b : f16
      tt.reduce.return %c : f16
    }) : (tensor<32x1xf16, #column>) -> tensor<1xf16, #ttg.slice<{dim = 0, parent = #column}>>
    tt.return %sum : tensor<1xf16, #ttg.slice<{dim = 0, parent = #column}>>
  }
}
