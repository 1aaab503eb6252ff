// RUN: tilewright-opt %s --tritongpu-assign-latencies=num-stages=2 --tritongpu-schedule-loops --tritongpu-pipeline --canonicalize --cse | FileCheck %s
// RUN: tilewright-opt %s --tritongpu-assign-latencies=num-stages=2 --tritongpu-schedule-loops --tritongpu-pipeline --canonicalize --cse --convert-scf-to-cf --allocate-shared-memory | FileCheck %s --check-prefix=BARRIERS

// Products that complete in order. A block of one warp takes 32 KB of memory for two buffers of two
// tiles: six are resident, and 13 with one buffer, so that copies begin when the iteration has read
// its tiles.

#a = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>
#oa = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#ob = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
!p = tensor<64x64x!tt.ptr<f16>, #a>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {

// CHECK-LABEL: @few_warps
// CHECK-COUNT-2: ttg.local_alloc : () -> !ttg.memdesc<1x64x64xf16,
// CHECK: scf.for
// CHECK: ttg.async_wait
// CHECK: ttg.local_load
// CHECK: ttg.local_load
// CHECK: tt.dot
// CHECK-COUNT-2: ttg.async_copy_global_to_local
// CHECK: scf.yield
// BARRIERS-LABEL: @few_warps
// BARRIERS: ttg.async_wait {{.*}} {num = 0 : i32}
// BARRIERS: ttg.barrier local
// BARRIERS: ttg.local_load
// BARRIERS: ttg.barrier local
// BARRIERS: ttg.async_copy_global_to_local
// BARRIERS: cf.br
tt.func public @few_warps(%x: !p {tt.divisibility = 16 : i32, tt.contiguity = 64 : i32},
                          %y: !p {tt.divisibility = 16 : i32, tt.contiguity = 64 : i32},
                          %n: i32) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %step = arith.constant dense<64> : tensor<64x64xi32, #a>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %px = %x, %py = %y) -> (tensor<64x64xf32, #mma>, !p, !p) : i32 {
    %a = tt.load %px : !p
    %b = tt.load %py : !p
    %t = tt.trans %b {order = array<i32: 1, 0>} : tensor<64x64xf16, #a> -> tensor<64x64xf16, #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [0, 1]}>>
    %a1 = arith.mulf %a, %a : tensor<64x64xf16, #a>
    %a2 = arith.mulf %a1, %a : tensor<64x64xf16, #a>
    %a3 = arith.mulf %a2, %a1 : tensor<64x64xf16, #a>
    %a4 = arith.mulf %a3, %a2 : tensor<64x64xf16, #a>
    %a5 = arith.mulf %a4, %a3 : tensor<64x64xf16, #a>
    %a6 = arith.mulf %a5, %a4 : tensor<64x64xf16, #a>
    %ao = ttg.convert_layout %a6 : tensor<64x64xf16, #a> -> tensor<64x64xf16, #oa>
    %bo = ttg.convert_layout %t : tensor<64x64xf16, #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [0, 1]}>> -> tensor<64x64xf16, #ob>
    %s = tt.dot %ao, %bo, %acc : tensor<64x64xf16, #oa> * tensor<64x64xf16, #ob> -> tensor<64x64xf32, #mma>
    %nx = tt.addptr %px, %step : !p, tensor<64x64xi32, #a>
    %ny = tt.addptr %py, %step : !p, tensor<64x64xi32, #a>
    scf.yield %s, %nx, %ny : tensor<64x64xf32, #mma>, !p, !p
  }
  tt.return %r#0 : tensor<64x64xf32, #mma>
}

}
