// RUN: tilewright-opt %s -split-input-file --tilewright-nvidia-take-all-registers | FileCheck %s

// Three tiles of 128 registers are alive at the product of the first two.

// CHECK: module attributes {{.*}}ttg.minnctapersm = 1 : i32
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @large(%x: tensor<128x128x!tt.ptr<f32>, #blocked>, %y: tensor<128x128x!tt.ptr<f32>, #blocked>) {
    %a = tt.load %x : tensor<128x128x!tt.ptr<f32>, #blocked>
    %b = tt.load %y : tensor<128x128x!tt.ptr<f32>, #blocked>
    %c = tt.load %x : tensor<128x128x!tt.ptr<f32>, #blocked>
    %s = arith.addf %a, %b : tensor<128x128xf32, #blocked>
    %t = arith.mulf %s, %c : tensor<128x128xf32, #blocked>
    tt.store %x, %t : tensor<128x128x!tt.ptr<f32>, #blocked>
    tt.store %y, %a : tensor<128x128x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

// -----

// CHECK-NOT: ttg.minnctapersm
// CHECK: tt.func public @small
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @small(%x: tensor<512x!tt.ptr<f32>, #blocked>) {
    %a = tt.load %x : tensor<512x!tt.ptr<f32>, #blocked>
    %b = arith.addf %a, %a : tensor<512xf32, #blocked>
    tt.store %x, %b : tensor<512x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

// -----

// Who sets a limit means it.

// CHECK-NOT: ttg.minnctapersm
// CHECK: tt.func public @limited
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.maxnreg" = 128 : i32, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @limited(%x: tensor<128x128x!tt.ptr<f32>, #blocked>, %y: tensor<128x128x!tt.ptr<f32>, #blocked>) {
    %a = tt.load %x : tensor<128x128x!tt.ptr<f32>, #blocked>
    %b = tt.load %y : tensor<128x128x!tt.ptr<f32>, #blocked>
    %c = tt.load %x : tensor<128x128x!tt.ptr<f32>, #blocked>
    %s = arith.addf %a, %b : tensor<128x128xf32, #blocked>
    %t = arith.mulf %s, %c : tensor<128x128xf32, #blocked>
    tt.store %x, %t : tensor<128x128x!tt.ptr<f32>, #blocked>
    tt.store %y, %a : tensor<128x128x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
