// RUN: tilewright-opt %s --tritongpu-assign-latencies --tritongpu-schedule-loops --tritongpu-pipeline --tilewright-nvidia-async-dots --canonicalize --cse | FileCheck %s
// RUN: tilewright-opt %s --tritongpu-assign-latencies --tritongpu-schedule-loops --tritongpu-pipeline --tilewright-nvidia-async-dots --canonicalize --cse --convert-scf-to-cf --allocate-shared-memory | FileCheck %s --check-prefix=BARRIERS

// Two groups of four warps: the copies stand behind the product, and behind a second barrier, as
// they fill the buffer of the product of the iteration before.
// CHECK-LABEL: @one_sum
// CHECK-COUNT-2: ttg.local_alloc : () -> !ttg.memdesc<4x
// CHECK-COUNT-6: ttg.async_copy_global_to_local
// CHECK: scf.for
// CHECK: ttg.async_wait %{{.*}}, %{{.*}} {num = 4 : i32}
// CHECK-NOT: ttg.async_copy_global_to_local
// CHECK: ttng.warp_group_dot {{.*}}isAsync = true
// CHECK-NEXT: ttng.warp_group_dot_wait {{.*}}pendings = 1 : i32
// CHECK-COUNT-2: ttg.async_copy_global_to_local
// CHECK: scf.yield

// BARRIERS-LABEL: @one_sum
// BARRIERS: ttg.async_wait {{.*}} {num = 4 : i32}
// BARRIERS: ttg.barrier local
// BARRIERS: ttng.warp_group_dot_wait {{.*}}pendings = 1 : i32
// BARRIERS: ttg.barrier local
// BARRIERS-NOT: ttg.barrier
// BARRIERS: cf.br

#a = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 64, 16]}>
#s = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!pa = tensor<128x64x!tt.ptr<f16>, #a>
!pb = tensor<64x64x!tt.ptr<f16>, #a>
!sa = !ttg.memdesc<128x64xf16, #s, #smem>
!sb = !ttg.memdesc<64x64xf16, #s, #smem>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @one_sum(%p: !pa {tt.divisibility = 16 : i32, tt.contiguity = 64 : i32}, %q: !pb {tt.divisibility = 16 : i32, tt.contiguity = 64 : i32}, %n: i32) -> tensor<128x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %da = arith.constant dense<64> : tensor<128x64xi32, #a>
  %db = arith.constant dense<64> : tensor<64x64xi32, #a>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #mma>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %u = %p, %v = %q) -> (tensor<128x64xf32, #mma>, !pa, !pb) : i32 {
    %x = tt.load %u : !pa
    %y = tt.load %v : !pb
    %xs = ttg.local_alloc %x : (tensor<128x64xf16, #a>) -> !sa
    %ys = ttg.local_alloc %y : (tensor<64x64xf16, #a>) -> !sb
    %t = ttng.warp_group_dot %xs, %ys, %acc {inputPrecision = 0 : i32} : !sa * !sb -> tensor<128x64xf32, #mma>
    %un = tt.addptr %u, %da : !pa, tensor<128x64xi32, #a>
    %vn = tt.addptr %v, %db : !pb, tensor<64x64xi32, #a>
    scf.yield %t, %un, %vn : tensor<128x64xf32, #mma>, !pa, !pb
  } {tt.num_stages = 4 : i32}
  tt.return %r#0 : tensor<128x64xf32, #mma>
}

// The same behind the second of two products.
// CHECK-LABEL: @two_products
// CHECK-COUNT-2: ttg.local_alloc : () -> !ttg.memdesc<3x
// CHECK: scf.for
// CHECK: ttg.async_wait %{{.*}}, %{{.*}} {num = 2 : i32}
// CHECK-NOT: ttg.async_copy_global_to_local
// CHECK-COUNT-2: ttng.warp_group_dot %
// CHECK-COUNT-2: ttg.async_copy_global_to_local
// CHECK: scf.yield
tt.func public @two_products(%p: !pb {tt.divisibility = 16 : i32, tt.contiguity = 64 : i32}, %q: !pb {tt.divisibility = 16 : i32, tt.contiguity = 64 : i32}, %xs: !sa, %n: i32) -> tensor<128x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %d = arith.constant dense<64> : tensor<64x64xi32, #a>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #mma>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %u = %p, %v = %q) -> (tensor<128x64xf32, #mma>, !pb, !pb) : i32 {
    %x = tt.load %u : !pb
    %y = tt.load %v : !pb
    %ks = ttg.local_alloc %x : (tensor<64x64xf16, #a>) -> !sb
    %vs = ttg.local_alloc %y : (tensor<64x64xf16, #a>) -> !sb
    %k = ttng.warp_group_dot %xs, %ks, %zero {inputPrecision = 0 : i32} : !sa * !sb -> tensor<128x64xf32, #mma>
    %scaled = arith.mulf %acc, %k : tensor<128x64xf32, #mma>
    %t = ttng.warp_group_dot %xs, %vs, %scaled {inputPrecision = 0 : i32} : !sa * !sb -> tensor<128x64xf32, #mma>
    %un = tt.addptr %u, %d : !pb, tensor<64x64xi32, #a>
    %vn = tt.addptr %v, %d : !pb, tensor<64x64xi32, #a>
    scf.yield %t, %un, %vn : tensor<128x64xf32, #mma>, !pb, !pb
  }
  tt.return %r#0 : tensor<128x64xf32, #mma>
}
}
