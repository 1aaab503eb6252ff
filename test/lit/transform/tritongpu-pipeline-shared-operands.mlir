// RUN: tilewright-opt %s --tritongpu-assign-latencies --tritongpu-schedule-loops --tritongpu-pipeline --tilewright-nvidia-async-dots --canonicalize --cse | FileCheck %s
// RUN: tilewright-opt %s --tritongpu-assign-latencies --tritongpu-schedule-loops --tritongpu-pipeline --tilewright-nvidia-async-dots --canonicalize --cse --convert-scf-to-cf --allocate-shared-memory | FileCheck %s --check-prefix=BARRIERS

// Products that read shared memory themselves and run on into the next iteration: two copies are
// under way, one buffer is read by the present product and one by that of the iteration before. Views
// of the buffers say that their memory changes.
// CHECK-LABEL: @product
// CHECK-COUNT-2: ttg.local_alloc : () -> !ttg.memdesc<4x64x64xf16,
// CHECK: scf.for
// CHECK: ttg.async_wait %{{.*}}, %{{.*}} {num = 2 : i32}
// CHECK-COUNT-2: ttg.async_copy_global_to_local
// CHECK: ttg.memdesc_trans {{.*}} -> !ttg.memdesc<64x64xf16, #{{.*}}, #smem, mutable>
// CHECK: ttng.warp_group_dot {{.*}}isAsync = true
// CHECK-NEXT: ttng.warp_group_dot_wait {{.*}}pendings = 1 : i32
// CHECK-NEXT: scf.yield
// CHECK: ttng.warp_group_dot_wait {{.*}}pendings = 0 : i32
// CHECK-NEXT: ttg.async_wait {num = 0 : i32}
// CHECK-COUNT-2: ttg.local_dealloc

// BARRIERS: ttg.async_wait {{.*}} {num = 2 : i32}
// BARRIERS: ttg.barrier local
// BARRIERS-NOT: ttg.barrier
// BARRIERS: cf.br

#a = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#s = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#st = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!pa = tensor<64x64x!tt.ptr<f16>, #a>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @product(%p: !pa {tt.divisibility = 16 : i32, tt.contiguity = 64 : i32}, %q: !pa {tt.divisibility = 16 : i32, tt.contiguity = 64 : i32}, %n: i32) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %d = arith.constant dense<64> : tensor<64x64xi32, #a>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %u = %p, %v = %q) -> (tensor<64x64xf32, #mma>, !pa, !pa) : i32 {
    %x = tt.load %u : !pa
    %y = tt.load %v : !pa
    %xs = ttg.local_alloc %x : (tensor<64x64xf16, #a>) -> !ttg.memdesc<64x64xf16, #s, #smem>
    %ys = ttg.local_alloc %y : (tensor<64x64xf16, #a>) -> !ttg.memdesc<64x64xf16, #s, #smem>
    %yt = ttg.memdesc_trans %ys {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #s, #smem> -> !ttg.memdesc<64x64xf16, #st, #smem>
    %t = ttng.warp_group_dot %xs, %yt, %acc {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xf16, #s, #smem> * !ttg.memdesc<64x64xf16, #st, #smem> -> tensor<64x64xf32, #mma>
    %un = tt.addptr %u, %d : !pa, tensor<64x64xi32, #a>
    %vn = tt.addptr %v, %d : !pa, tensor<64x64xi32, #a>
    scf.yield %t, %un, %vn : tensor<64x64xf32, #mma>, !pa, !pa
  }
  tt.return %r#0 : tensor<64x64xf32, #mma>
}
}
