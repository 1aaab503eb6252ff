// Conversions between fragments of matrices and rows: the words that a plan names are packed, stored
// and loaded with the target's matrix accesses, where it has them.

// RUN: split-file %s %t
// RUN: tilewright-opt %t/90.mlir --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %t/90.mlir
// RUN: tilewright-opt %t/80.mlir --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %t/80.mlir
// RUN: tilewright-opt %t/two-warps.mlir --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %t/two-warps.mlir

//--- 90.mlir

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>
#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [1, 0]}>
#rows4 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [1, 0]}>
#line = #ttg.linear<{register = [[0, 4], [0, 8], [0, 16], [8, 0]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [], block = []}>
#columns = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [0, 1]}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  // Two elements of 16 bits are a word. What lies in the thread's address is computed once.
  // CHECK-LABEL: @rows(
  // CHECK-COUNT-8: llvm.bitcast %{{.*}} : vector<2xf16> to i32
  // CHECK: nvvm.stmatrix {{.*}}layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : !llvm.ptr<3>, i32, i32, i32, i32
  // CHECK: nvvm.bar.warp.sync
  // CHECK: llvm.load {{.*}} -> vector<8xf16>
  tt.func private @rows(%x: tensor<16x32xf16, #mma>) -> tensor<16x32xf16, #rows> {
    %y = ttg.convert_layout %x : tensor<16x32xf16, #mma> -> tensor<16x32xf16, #rows>
    tt.return %y : tensor<16x32xf16, #rows>
  }

  // Against the order of memory, 16-bit elements go transposed.
  // CHECK-LABEL: @columns(
  // CHECK: nvvm.stmatrix {{.*}}layout = #nvvm.mma_layout<col>
  // CHECK: llvm.load {{.*}} -> vector<8xf16>
  tt.func private @columns(%x: tensor<16x32xf16, #mma>) -> tensor<16x32xf16, #columns> {
    %y = ttg.convert_layout %x : tensor<16x32xf16, #mma> -> tensor<16x32xf16, #columns>
    tt.return %y : tensor<16x32xf16, #columns>
  }

  // A word of 32-bit elements is one of them.
  // CHECK-LABEL: @wide(
  // CHECK: llvm.bitcast %arg0 : f32 to i32
  // CHECK: nvvm.stmatrix {{.*}}layout = #nvvm.mma_layout<row>, {{.*}} : !llvm.ptr<3>, i32, i32, i32, i32
  // CHECK: llvm.load {{.*}} -> vector<4xf32>
  tt.func private @wide(%x: tensor<16x32xf32, #rows4>) -> tensor<16x32xf32, #line> {
    %y = ttg.convert_layout %x : tensor<16x32xf32, #rows4> -> tensor<16x32xf32, #line>
    tt.return %y : tensor<16x32xf32, #line>
  }
}

//--- 80.mlir

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>
#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [1, 0]}>
#rows4 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [1, 0]}>
#line = #ttg.linear<{register = [[0, 4], [0, 8], [0, 16], [8, 0]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [], block = []}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:80"} {
  // CHECK-LABEL: @rows(
  // CHECK-NOT: nvvm.stmatrix
  // CHECK: llvm.store
  tt.func private @rows(%x: tensor<16x32xf16, #mma>) -> tensor<16x32xf16, #rows> {
    %y = ttg.convert_layout %x : tensor<16x32xf16, #mma> -> tensor<16x32xf16, #rows>
    tt.return %y : tensor<16x32xf16, #rows>
  }
  // CHECK-LABEL: @wide(
  // CHECK: llvm.store {{.*}} : vector<4xf32>, !llvm.ptr<3>
  // CHECK: %[[WORDS:.*]] = nvvm.ldmatrix {{.*}}num = 4 : i32
  // CHECK: %[[WORD:.*]] = llvm.extractvalue %[[WORDS]][0]
  // CHECK: llvm.extractvalue %[[WORDS]][3]
  // CHECK: llvm.bitcast %[[WORD]] : i32 to f32
  tt.func private @wide(%x: tensor<16x32xf32, #rows4>) -> tensor<16x32xf32, #line> {
    %y = ttg.convert_layout %x : tensor<16x32xf32, #rows4> -> tensor<16x32xf32, #line>
    tt.return %y : tensor<16x32xf32, #line>
  }
}

//--- two-warps.mlir

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 2], instrShape = [16, 8]}>
#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [2, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 2 : i32, ttg.target = "cuda:80"} {
  // CHECK-LABEL: @fragments(
  // CHECK: llvm.store
  // CHECK: nvvm.ldmatrix
  tt.func private @fragments(%x: tensor<16x32xf16, #rows>) -> tensor<16x32xf16, #mma> {
    %y = ttg.convert_layout %x : tensor<16x32xf16, #rows> -> tensor<16x32xf16, #mma>
    tt.return %y : tensor<16x32xf16, #mma>
  }
}
