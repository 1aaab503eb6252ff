// RUN: tilewright-opt %s --tritongpu-remove-layout-conversions | FileCheck %s

// Tensor memory takes a row from each lane as it is. A warp reaches the 32 rows of its number modulo
// four: what has other rows is converted.

#rows = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#columns = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#turned = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[64, 0], [32, 0]], block = []}>
#swapped = #ttg.linear<{register = [[0, 2], [0, 1], [0, 32], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#half = #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: tt.func public @stored
  // CHECK-NOT: ttg.convert_layout
  // CHECK: ttng.tmem_store %arg0
  tt.func public @stored(%x: tensor<128x64xf32, #swapped>, %m: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) {
    %true = arith.constant true
    %0 = ttg.convert_layout %x : tensor<128x64xf32, #swapped> -> tensor<128x64xf32, #rows>
    ttng.tmem_store %0, %m, %true : tensor<128x64xf32, #rows> -> !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
    tt.return
  }

  // CHECK-LABEL: tt.func public @allocated
  // CHECK-NOT: ttg.convert_layout
  // CHECK: ttng.tmem_alloc %arg0
  tt.func public @allocated(%x: tensor<128x64xf32, #swapped>) -> !ttg.memdesc<128x64xf32, #tmem, #tm, mutable> {
    %0 = ttg.convert_layout %x : tensor<128x64xf32, #swapped> -> tensor<128x64xf32, #rows>
    %1 = ttng.tmem_alloc %0 : (tensor<128x64xf32, #rows>) -> !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
    tt.return %1 : !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
  }

  // Lanes with columns, warps with the rows of another.
  // CHECK-LABEL: tt.func public @unreachable
  // CHECK-DAG: %[[X:.*]] = ttg.convert_layout %arg0
  // CHECK-DAG: %[[Y:.*]] = ttg.convert_layout %arg1
  // CHECK: ttng.tmem_store %[[X]]
  // CHECK: ttng.tmem_store %[[Y]]
  tt.func public @unreachable(%x: tensor<128x64xf32, #columns>, %y: tensor<128x64xf32, #turned>, %m: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) {
    %true = arith.constant true
    %0 = ttg.convert_layout %x : tensor<128x64xf32, #columns> -> tensor<128x64xf32, #rows>
    ttng.tmem_store %0, %m, %true : tensor<128x64xf32, #rows> -> !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
    %1 = ttg.convert_layout %y : tensor<128x64xf32, #turned> -> tensor<128x64xf32, #rows>
    ttng.tmem_store %1, %m, %true : tensor<128x64xf32, #rows> -> !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
    tt.return
  }

  // Blocks of 64 rows have another order of rows.
  // CHECK-LABEL: tt.func public @blocks_of_64
  // CHECK: ttg.convert_layout
  // CHECK: ttng.tmem_store
  tt.func public @blocks_of_64(%x: tensor<128x64xf32, #swapped>, %m: !ttg.memdesc<128x64xf32, #half, #tm, mutable>) {
    %true = arith.constant true
    %0 = ttg.convert_layout %x : tensor<128x64xf32, #swapped> -> tensor<128x64xf32, #rows>
    ttng.tmem_store %0, %m, %true : tensor<128x64xf32, #rows> -> !ttg.memdesc<128x64xf32, #half, #tm, mutable>
    tt.return
  }
}
