// RUN: tilewright-opt %s --tritongpu-assign-latencies=num-stages=3 | FileCheck %s

// An operand of the product goes through registers, so that iterations wait for it. Three stages
// become four where as many bytes are under way then.

#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 8]}>
#wanted32 = #ttg.linear<{register = [[0, 8], [4, 0], [8, 0], [16, 0], [0, 64]], lane = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 16], [0, 32]], block = []}>
#wanted64 = #ttg.linear<{register = [[0, 8], [4, 0], [8, 0], [16, 0], [32, 0], [0, 64]], lane = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 16], [0, 32]], block = []}>
#s = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 32}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {

// 16 KiB: four blocks of three buffers on a multiprocessor, or three of four.
// CHECK-LABEL: @small
// CHECK: tt.load {{.*}}tt.latency = 3 : i32
tt.func @small(%p: tensor<32x128x!tt.ptr<f32>, #b> {tt.divisibility = 16 : i32, tt.contiguity = 128 : i32}, %n: i32) -> tensor<128x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #mma>
  %y = ttg.local_alloc : () -> !ttg.memdesc<32x64xf32, #s, #smem, mutable>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x64xf32, #mma>) : i32 {
    %x = tt.load %p : tensor<32x128x!tt.ptr<f32>, #b>
    %c = ttg.convert_layout %x : tensor<32x128xf32, #b> -> tensor<32x128xf32, #wanted32>
    %t = tt.trans %c {order = array<i32: 1, 0>} : tensor<32x128xf32, #wanted32> -> tensor<128x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
    %d = ttng.warp_group_dot %t, %y, %acc {inputPrecision = 0 : i32} : tensor<128x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * !ttg.memdesc<32x64xf32, #s, #smem, mutable> -> tensor<128x64xf32, #mma>
    scf.yield %d : tensor<128x64xf32, #mma>
  }
  tt.return %r : tensor<128x64xf32, #mma>
}

// 32 KiB: two blocks of three buffers, or one of four.
// CHECK-LABEL: @large
// CHECK: tt.load {{.*}}tt.latency = 2 : i32
tt.func @large(%p: tensor<64x128x!tt.ptr<f32>, #b> {tt.divisibility = 16 : i32, tt.contiguity = 128 : i32}, %n: i32) -> tensor<128x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #mma>
  %y = ttg.local_alloc : () -> !ttg.memdesc<64x64xf32, #s, #smem, mutable>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x64xf32, #mma>) : i32 {
    %x = tt.load %p : tensor<64x128x!tt.ptr<f32>, #b>
    %c = ttg.convert_layout %x : tensor<64x128xf32, #b> -> tensor<64x128xf32, #wanted64>
    %t = tt.trans %c {order = array<i32: 1, 0>} : tensor<64x128xf32, #wanted64> -> tensor<128x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
    %d = ttng.warp_group_dot %t, %y, %acc {inputPrecision = 0 : i32} : tensor<128x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * !ttg.memdesc<64x64xf32, #s, #smem, mutable> -> tensor<128x64xf32, #mma>
    scf.yield %d : tensor<128x64xf32, #mma>
  }
  tt.return %r : tensor<128x64xf32, #mma>
}
}
