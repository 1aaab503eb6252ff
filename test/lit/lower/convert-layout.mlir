// RUN: tilewright-opt %s --split-input-file --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

// One conversion of each kind. Functions that return tensors keep the values alive.

#a = #ttg.linear<{register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], block = []}>
#b = #ttg.linear<{register = [[2], [1]], lane = [[4], [8], [16], [32], [64]], warp = [], block = []}>
// CHECK: ttg.shared = 0
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  // Registers only: renamed, no op but those of the function's result.
  // CHECK-LABEL: @registers(
  // CHECK-NEXT: llvm.mlir.poison
  // CHECK-NEXT: llvm.insertvalue %arg0
  // CHECK-NEXT: llvm.insertvalue %arg2
  // CHECK-NEXT: llvm.insertvalue %arg1
  // CHECK-NEXT: llvm.insertvalue %arg3
  // CHECK-NEXT: llvm.return
  tt.func private @registers(%x: tensor<128xf32, #a>) -> tensor<128xf32, #b> {
    %y = ttg.convert_layout %x : tensor<128xf32, #a> -> tensor<128xf32, #b>
    tt.return %y : tensor<128xf32, #b>
  }
}

// -----

#a = #ttg.linear<{register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], block = []}>
#b = #ttg.linear<{register = [[32]], lane = [[2], [4], [8], [16], [1]], warp = [], block = []}>
// CHECK: ttg.shared = 0
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  // A register bit and a lane bit trade places: a select picks what is sent, one shuffle sends it,
  // selects put it in place.
  // CHECK-LABEL: @shuffles
  // CHECK: llvm.select
  // CHECK: nvvm.shfl.sync bfly
  // CHECK-NOT: nvvm.shfl
  // CHECK: llvm.return
  tt.func private @shuffles(%x: tensor<64xf32, #a>) -> tensor<64xf32, #b> {
    %y = ttg.convert_layout %x : tensor<64xf32, #a> -> tensor<64xf32, #b>
    tt.return %y : tensor<64xf32, #b>
  }
}

// -----

#a = #ttg.linear<{register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 4]], warp = [[0, 8], [0, 16]], block = []}>
#b = #ttg.linear<{register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[4, 0], [8, 0]], block = []}>
// CHECK: ttg.shared = 4096
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // Warps exchange: each thread's stores and loads have one address and constant offsets.
  // CHECK-LABEL: @shared
  // CHECK: %[[SMEM:.*]] = llvm.mlir.addressof @global_smem : !llvm.ptr<3>
  // CHECK: llvm.store {{.*}} !llvm.ptr<3>
  // CHECK: nvvm.barrier0
  // CHECK: llvm.load {{.*}} !llvm.ptr<3>
  // CHECK-NOT: nvvm.barrier0
  // CHECK: llvm.return
  tt.func private @shared(%x: tensor<16x32xf64, #a>) -> tensor<16x32xf64, #b> {
    %y = ttg.convert_layout %x : tensor<16x32xf64, #a> -> tensor<16x32xf64, #b>
    tt.return %y : tensor<16x32xf64, #b>
  }
}

// -----

#a = #ttg.linear<{register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 4]], warp = [[0, 8], [0, 16]], block = []}>
#b = #ttg.linear<{register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[4, 0], [8, 0]], block = []}>
// CHECK: ttg.shared = 2048
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // Lanes of one side are registers of the other: the warp stores four matrices at once, and each
  // thread loads a vector.
  // CHECK-LABEL: @matrices
  // CHECK: %[[SMEM:.*]] = llvm.mlir.addressof @global_smem : !llvm.ptr<3>
  // CHECK: nvvm.stmatrix
  // CHECK-NOT: nvvm.stmatrix
  // CHECK: nvvm.barrier0
  // CHECK: llvm.load {{.*}} !llvm.ptr<3> -> vector<4xf32>
  // CHECK-NOT: llvm.load
  // CHECK-NOT: nvvm.barrier0
  // CHECK: llvm.return
  tt.func private @matrices(%x: tensor<16x32xf32, #a>) -> tensor<16x32xf32, #b> {
    %y = ttg.convert_layout %x : tensor<16x32xf32, #a> -> tensor<16x32xf32, #b>
    tt.return %y : tensor<16x32xf32, #b>
  }
}
