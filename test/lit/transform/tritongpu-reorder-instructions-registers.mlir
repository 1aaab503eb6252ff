// RUN: tilewright-opt %s --split-input-file --tritongpu-reorder-instructions | FileCheck %s

// 32 warps have 64 registers a thread. A load goes before the reduction, at whose barrier it would
// wait, where the kernel leaves registers for it, and otherwise stays.

#many = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [32], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 32 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// 32 registers for x, and 32 for y.
// CHECK-LABEL: @no_registers
// CHECK: tt.load %arg0
// CHECK: "tt.reduce"
// CHECK: tt.load %arg1
tt.func @no_registers(%p: tensor<32768x!tt.ptr<f32>, #many>, %q: tensor<32768x!tt.ptr<f32>, #many>) {
  %x = tt.load %p : tensor<32768x!tt.ptr<f32>, #many>
  %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<32768xf32, #many>) -> f32
  %y = tt.load %q : tensor<32768x!tt.ptr<f32>, #many>
  %ss = tt.splat %s : f32 -> tensor<32768xf32, #many>
  %z = arith.mulf %y, %ss : tensor<32768xf32, #many>
  %w = arith.addf %z, %x : tensor<32768xf32, #many>
  tt.store %p, %w : tensor<32768x!tt.ptr<f32>, #many>
  tt.return
}
}

// -----

#many = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [32], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 32 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @registers
// CHECK: tt.load %arg0
// CHECK: tt.load %arg1
// CHECK: "tt.reduce"
tt.func @registers(%p: tensor<4096x!tt.ptr<f32>, #many>, %q: tensor<4096x!tt.ptr<f32>, #many>) {
  %x = tt.load %p : tensor<4096x!tt.ptr<f32>, #many>
  %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<4096xf32, #many>) -> f32
  %y = tt.load %q : tensor<4096x!tt.ptr<f32>, #many>
  %ss = tt.splat %s : f32 -> tensor<4096xf32, #many>
  %z = arith.mulf %y, %ss : tensor<4096xf32, #many>
  %w = arith.addf %z, %x : tensor<4096xf32, #many>
  tt.store %p, %w : tensor<4096x!tt.ptr<f32>, #many>
  tt.return
}
}
