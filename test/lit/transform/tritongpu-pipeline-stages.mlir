// RUN: tilewright-opt %s --tritongpu-assign-latencies --tritongpu-schedule-loops --tritongpu-pipeline | FileCheck %s

#s = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>

// Four stages are asked for. Of tiles of 16 KiB there is room for four in the 163 KiB of shared
// memory, of 64 KiB for two, of 256 KiB for none. The module says so for each loop.
// CHECK: module attributes {"ttg.loop-stages" = array<i32: 4, 2, 1>
// CHECK: scf.for
// CHECK: ttg.async_wait {{.*}} {num = 2 : i32}
// CHECK: scf.for
// CHECK: ttg.async_wait {{.*}} {num = 0 : i32}
// CHECK: scf.for
// CHECK-NOT: ttg.async
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
tt.func @sums(%p: tensor<32x128x!tt.ptr<f32>, #s> {tt.divisibility = 16 : i32, tt.contiguity = 128 : i32},
              %q: tensor<128x128x!tt.ptr<f32>, #s> {tt.divisibility = 16 : i32, tt.contiguity = 128 : i32},
              %r: tensor<512x128x!tt.ptr<f32>, #s> {tt.divisibility = 16 : i32, tt.contiguity = 128 : i32}, %n: i32)
    -> (tensor<32x128xf32, #s>, tensor<128x128xf32, #s>, tensor<512x128xf32, #s>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<32x128xf32, #s>
  %a = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32x128xf32, #s>) : i32 {
    %x = tt.load %p : tensor<32x128x!tt.ptr<f32>, #s>
    %t = arith.addf %acc, %x : tensor<32x128xf32, #s>
    scf.yield %t : tensor<32x128xf32, #s>
  } {tt.num_stages = 4 : i32}
  %zero1 = arith.constant dense<0.0> : tensor<128x128xf32, #s>
  %b = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero1) -> (tensor<128x128xf32, #s>) : i32 {
    %x = tt.load %q : tensor<128x128x!tt.ptr<f32>, #s>
    %t = arith.addf %acc, %x : tensor<128x128xf32, #s>
    scf.yield %t : tensor<128x128xf32, #s>
  } {tt.num_stages = 4 : i32}
  %zero2 = arith.constant dense<0.0> : tensor<512x128xf32, #s>
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero2) -> (tensor<512x128xf32, #s>) : i32 {
    %x = tt.load %r : tensor<512x128x!tt.ptr<f32>, #s>
    %t = arith.addf %acc, %x : tensor<512x128xf32, #s>
    scf.yield %t : tensor<512x128xf32, #s>
  } {tt.num_stages = 4 : i32}
  tt.return %a, %b, %c : tensor<32x128xf32, #s>, tensor<128x128xf32, #s>, tensor<512x128xf32, #s>
}
}
