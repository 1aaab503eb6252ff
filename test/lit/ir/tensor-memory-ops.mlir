// RUN: tilewright-opt %s | tilewright-opt | FileCheck %s

// Our own ops for tensor memory: products as values, and the places of pieces.

#blocked = #ttg.blocked<{sizePerThread = [1, 128], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @product
  tt.func @product(%a: !ttg.memdesc<128x64xf16, #shared, #smem>, %b: !ttg.memdesc<64x128xf16, #shared, #smem>, %c: tensor<128x128xf32, #blocked>) -> tensor<128x128xf32, #blocked> {
    // CHECK: tw.memory_dot %{{.*}}, %{{.*}}, %{{.*}} {blockM = 128 : i32, blockN = 128 : i32}
    %d = tw.memory_dot %a, %b, %c {blockM = 128 : i32, blockN = 128 : i32} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared, #smem> -> tensor<128x128xf32, #blocked>
    tt.return %d : tensor<128x128xf32, #blocked>
  }

  // CHECK-LABEL: @places
  tt.func @places() {
    // CHECK: %[[BASE:.*]] = tw.tensor_memory_reserve {columns = 128 : i32}
    %base = tw.tensor_memory_reserve {columns = 128 : i32}
    // CHECK: tw.tensor_memory_view %[[BASE]] {column = 0 : i32, row = 0 : i32}
    %acc = tw.tensor_memory_view %base {row = 0 : i32, column = 0 : i32} : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
    // CHECK: tw.tensor_memory_release %[[BASE]] {columns = 128 : i32}
    tw.tensor_memory_release %base {columns = 128 : i32}
    tt.return
  }
}
