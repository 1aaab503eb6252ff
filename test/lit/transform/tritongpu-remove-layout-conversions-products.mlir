// RUN: tilewright-opt %s --split-input-file --tritongpu-remove-layout-conversions | FileCheck %s

// What products alone use of a load is loaded in the layout that they want: the conversion is that
// of the load's bytes, which shared memory makes as it is read, and all else is computed there.

#row = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#s = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#left = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @bytes
  // CHECK: scf.for
  // CHECK: %[[X:.*]] = tt.load
  // CHECK: %[[C:.*]] = ttg.convert_layout %[[X]] : tensor<64x64xi8, #{{.*}}> -> tensor<64x64xi8, #[[WANTED:.*]]>
  // CHECK-NEXT: %[[S:.*]] = arith.shrsi %[[C]], %{{.*}} : tensor<64x64xi8, #[[WANTED]]>
  // CHECK-NEXT: %[[F:.*]] = arith.sitofp %[[S]] : tensor<64x64xi8, #[[WANTED]]> to tensor<64x64xf16, #[[WANTED]]>
  // CHECK-NEXT: tt.trans %[[F]]
  // CHECK-NOT: tensor<64x64xf16, #blocked
  // CHECK: ttng.warp_group_dot
  tt.func @bytes(%p: tensor<64x64x!tt.ptr<i8>, #row>, %b: !ttg.memdesc<64x64xf16, #s, #smem>, %n: i32) -> tensor<64x64xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %four = arith.constant dense<4> : tensor<64x64xi8, #row>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
      %x = tt.load %p : tensor<64x64x!tt.ptr<i8>, #row>
      %h = arith.shrsi %x, %four : tensor<64x64xi8, #row>
      %f = arith.sitofp %h : tensor<64x64xi8, #row> to tensor<64x64xf16, #row>
      %t = tt.trans %f {order = array<i32: 1, 0>} : tensor<64x64xf16, #row> -> tensor<64x64xf16, #ttg.blocked<{sizePerThread = [16, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>>
      %a = ttg.convert_layout %t : tensor<64x64xf16, #ttg.blocked<{sizePerThread = [16, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>> -> tensor<64x64xf16, #left>
      %d = ttng.warp_group_dot %a, %b, %acc {inputPrecision = 0 : i32} : tensor<64x64xf16, #left> * !ttg.memdesc<64x64xf16, #s, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    }
    tt.return %r : tensor<64x64xf32, #mma>
  }

  // Where something else uses it, too, the load's layout is that of what is computed from it.
  // CHECK-LABEL: @also_stored
  // CHECK: %[[X:.*]] = tt.load
  // CHECK: %[[S:.*]] = arith.shrsi %[[X]]
  // CHECK: tt.store %{{.*}}, %[[S]]
  tt.func @also_stored(%p: tensor<64x64x!tt.ptr<i8>, #row>, %b: !ttg.memdesc<64x64xf16, #s, #smem>, %n: i32) -> tensor<64x64xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %four = arith.constant dense<4> : tensor<64x64xi8, #row>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
      %x = tt.load %p : tensor<64x64x!tt.ptr<i8>, #row>
      %h = arith.shrsi %x, %four : tensor<64x64xi8, #row>
      tt.store %p, %h : tensor<64x64x!tt.ptr<i8>, #row>
      %f = arith.sitofp %h : tensor<64x64xi8, #row> to tensor<64x64xf16, #row>
      %a = ttg.convert_layout %f : tensor<64x64xf16, #row> -> tensor<64x64xf16, #left>
      %d = ttng.warp_group_dot %a, %b, %acc {inputPrecision = 0 : i32} : tensor<64x64xf16, #left> * !ttg.memdesc<64x64xf16, #s, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    }
    tt.return %r : tensor<64x64xf32, #mma>
  }
}
