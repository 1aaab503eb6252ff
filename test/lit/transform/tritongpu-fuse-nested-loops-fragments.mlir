// RUN: tilewright-opt %s --tritongpu-fuse-nested-loops | FileCheck %s
// RUN: sed 's/parent = #mma, kWidth = 2/parent = #rows/; s/xf32, #mma>/xf32, #rows>/g; s/xf16, #mma>/xf16, #rows>/g' %s \
// RUN:   | tilewright-opt --tritongpu-fuse-nested-loops | FileCheck %s --check-prefix=ADDS

// Copies are asynchronous on cuda:80. A nest whose unit multiplies fragments in registers stays one;
// with multiply-adds it is fused.

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 4], instrShape = [16, 8]}>
#a = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [1, 32], warpsPerCTA = [8, 1], order = [1, 0]}>
#oa = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#ob = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
!pa = tensor<128x64x!tt.ptr<f16>, #a>
!pb = tensor<64x256x!tt.ptr<f16>, #rows>
!pc = tensor<128x256x!tt.ptr<f16>, #rows>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// CHECK-LABEL: tt.func @tiles
// CHECK-COUNT-2: scf.for
// CHECK: tt.dot
// CHECK: } {tt.num_stages = 2 : i32}
// CHECK-NOT: tt.flatten
// CHECK: tt.return
// ADDS-LABEL: tt.func @tiles
// ADDS-COUNT-1: scf.for
// ADDS-NOT: scf.for
// ADDS: tt.dot
tt.func @tiles(%p: !pa, %q: !pb, %out: !pc, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %zero = arith.constant dense<0.0> : tensor<128x256xf32, #mma>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %sum = scf.for %j = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> (tensor<128x256xf32, #mma>) : i32 {
      %a = tt.load %p : !pa
      %b = tt.load %q : !pb
      %ao = ttg.convert_layout %a : tensor<128x64xf16, #a> -> tensor<128x64xf16, #oa>
      %bo = ttg.convert_layout %b : tensor<64x256xf16, #rows> -> tensor<64x256xf16, #ob>
      %d = tt.dot %ao, %bo, %acc : tensor<128x64xf16, #oa> * tensor<64x256xf16, #ob> -> tensor<128x256xf32, #mma>
      scf.yield %d : tensor<128x256xf32, #mma>
    }
    %half = arith.truncf %sum : tensor<128x256xf32, #mma> to tensor<128x256xf16, #mma>
    %c = ttg.convert_layout %half : tensor<128x256xf16, #mma> -> tensor<128x256xf16, #rows>
    tt.store %out, %c : !pc
  } {tt.flatten, tt.num_stages = 2 : i32}
  tt.return
}
}
