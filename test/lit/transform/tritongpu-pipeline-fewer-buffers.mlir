// RUN: tilewright-opt %s --tritongpu-assign-latencies --tritongpu-schedule-loops --tritongpu-pipeline --tilewright-nvidia-async-dots --canonicalize --cse | FileCheck %s
// RUN: tilewright-opt %s --tritongpu-assign-latencies --tritongpu-schedule-loops --tritongpu-pipeline --tilewright-nvidia-async-dots --canonicalize --cse --convert-scf-to-cf --allocate-shared-memory | FileCheck %s --check-prefix=BARRIERS

#a = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#s = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!pa = tensor<64x64x!tt.ptr<f16>, #a>
!pb = tensor<64x128x!tt.ptr<f16>, #a>
!m = !ttg.memdesc<64x64xf16, #s, #smem>
!mb = !ttg.memdesc<64x128xf16, #s, #smem>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {

// A sum that nothing else reads: four buffers of 24 KB are for two blocks on a multiprocessor,
// whose two groups of warps keep the unit busy, so that three buffers would gain nothing.
// CHECK-LABEL: @busy
// CHECK-DAG: ttg.local_alloc : () -> !ttg.memdesc<4x64x64xf16,
// CHECK-DAG: ttg.local_alloc : () -> !ttg.memdesc<4x64x128xf16,
// CHECK: scf.for
// CHECK: ttg.async_wait
// CHECK-COUNT-2: ttg.async_copy_global_to_local
// CHECK: ttng.warp_group_dot
// CHECK-NEXT: ttng.warp_group_dot_wait {{.*}}pendings = 1 : i32
// BARRIERS-LABEL: @busy
// BARRIERS: ttg.async_wait {{.*}} {num = 2 : i32}
// BARRIERS: ttg.barrier local
// BARRIERS-NOT: ttg.barrier
// BARRIERS: cf.br
tt.func public @busy(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32) -> tensor<64x128xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x128xf32, #mma>
  %columns = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #a}>>
  %row = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #a}>> -> tensor<1x64xi32, #a>
  %offsets = tt.broadcast %row : tensor<1x64xi32, #a> -> tensor<64x64xi32, #a>
  %columnsb = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #a}>>
  %rowb = tt.expand_dims %columnsb {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #a}>> -> tensor<1x128xi32, #a>
  %offsetsb = tt.broadcast %rowb : tensor<1x128xi32, #a> -> tensor<64x128xi32, #a>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x128xf32, #mma>) : i32 {
    %p = tt.splat %x : !tt.ptr<f16> -> !pa
    %u = tt.addptr %p, %offsets : !pa, tensor<64x64xi32, #a>
    %q = tt.splat %y : !tt.ptr<f16> -> !pb
    %v = tt.addptr %q, %offsetsb : !pb, tensor<64x128xi32, #a>
    %xt = tt.load %u : !pa
    %yt = tt.load %v : !pb
    %xs = ttg.local_alloc %xt : (tensor<64x64xf16, #a>) -> !m
    %ys = ttg.local_alloc %yt : (tensor<64x128xf16, #a>) -> !mb
    %d = ttng.warp_group_dot %xs, %ys, %acc {inputPrecision = 0 : i32} : !m * !mb -> tensor<64x128xf32, #mma>
    scf.yield %d : tensor<64x128xf32, #mma>
  }
  tt.return %r : tensor<64x128xf32, #mma>
}

// The iteration reads the sum, so that it waits for the product of the iteration before, and each
// block that is resident besides helps. The copies begin after the product, which is complete then,
// in what it has read: there are two buffers, and a second barrier.
// CHECK-LABEL: @read
// CHECK-COUNT-2: ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16,
// CHECK: scf.for
// CHECK: ttg.async_wait
// CHECK: tt.store
// CHECK: %[[D:.*]] = ttng.warp_group_dot {{.*}} {inputPrecision = 0 : i32, isAsync = true}
// CHECK-NEXT: ttng.warp_group_dot_wait %[[D]] {pendings = 0 : i32}
// CHECK-COUNT-2: ttg.async_copy_global_to_local
// CHECK: scf.yield
// BARRIERS-LABEL: @read
// BARRIERS: ttg.async_wait {{.*}} {num = 2 : i32}
// BARRIERS: ttg.barrier local
// BARRIERS: ttng.warp_group_dot_wait
// BARRIERS: ttg.barrier local
// BARRIERS: ttg.async_copy_global_to_local
// BARRIERS-NOT: ttg.barrier
// BARRIERS: cf.br
tt.func public @read(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32>, %n: i32) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %columns = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #a}>>
  %row = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #a}>> -> tensor<1x64xi32, #a>
  %offsets = tt.broadcast %row : tensor<1x64xi32, #a> -> tensor<64x64xi32, #a>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %o = tt.splat %out : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #mma>
    tt.store %o, %acc : tensor<64x64x!tt.ptr<f32>, #mma>
    %p = tt.splat %x : !tt.ptr<f16> -> !pa
    %u = tt.addptr %p, %offsets : !pa, tensor<64x64xi32, #a>
    %q = tt.splat %y : !tt.ptr<f16> -> !pa
    %v = tt.addptr %q, %offsets : !pa, tensor<64x64xi32, #a>
    %xt = tt.load %u : !pa
    %yt = tt.load %v : !pa
    %xs = ttg.local_alloc %xt : (tensor<64x64xf16, #a>) -> !m
    %ys = ttg.local_alloc %yt : (tensor<64x64xf16, #a>) -> !m
    %d = ttng.warp_group_dot %xs, %ys, %acc {inputPrecision = 0 : i32} : !m * !m -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}

}
