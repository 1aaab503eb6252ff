// RUN: tilewright-opt %s --test-print-schedules -o /dev/null | FileCheck %s

#a = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#s = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!pa = tensor<128x64x!tt.ptr<f16>, #a>
!ma = !ttg.memdesc<128x64xf16, #s, #smem>
!mb = !ttg.memdesc<64x64xf16, #s, #smem>
!sum = tensor<128x64xf32, #mma>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {

// Products of a group add up in the order of their issue: the next one waits for the unit alone, as
// long as this one may run on. One that is complete when the op after it begins takes its latency.
// CHECK: op ttng.warp_group_dot latency 272 sum 256 matrix 256
// CHECK: sums {{[0-9]+}} -> [[DOT:[0-9]+]] distance 1
// CHECK: list: interval 256.0
// CHECK: op ttng.warp_group_dot latency 272 sum 256 matrix 256
// CHECK: uses [[DOT]] -> [[DOT]] distance 1
// CHECK: list: interval 272.0
tt.func @products(%p: !pa, %b: !mb, %n: i32) -> (!sum, !sum) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!sum) : i32 {
    %x = tt.load %p {tt.latency = 2 : i32} : !pa
    %m = ttg.local_alloc %x : (tensor<128x64xf16, #a>) -> !ma
    %d = ttng.warp_group_dot %m, %b, %acc {inputPrecision = 0 : i32, tt.self_latency = 1 : i32} : !ma * !mb -> !sum
    scf.yield %d : !sum
  }
  %q = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!sum) : i32 {
    %x = tt.load %p {tt.latency = 2 : i32} : !pa
    %m = ttg.local_alloc %x : (tensor<128x64xf16, #a>) -> !ma
    %d = ttng.warp_group_dot %m, %b, %acc {inputPrecision = 0 : i32, tt.self_latency = 0 : i32} : !ma * !mb -> !sum
    scf.yield %d : !sum
  }
  tt.return %r, %q : !sum, !sum
}
}
