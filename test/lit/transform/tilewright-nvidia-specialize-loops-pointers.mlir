// RUN: tilewright-opt %s --tilewright-nvidia-specialize-loops | FileCheck %s
// RUN: tilewright-opt %s --tilewright-nvidia-specialize-loops -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Loads through pointers, of which threads make copies of 16 bytes: four warps do so for the eight of
// the block. Each tensor has the layout that it has in the block, with half of the warps.

// CHECK-DAG: #[[L4:.*]] = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#l = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
#row = #ttg.slice<{dim = 0, parent = #l}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 64, 16]}>
#s = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {

// The pointers move on; what is added to them is made in front of the loop, from numbers. The 128
// threads of the producer complete a buffer. They keep registers for their addresses.
// CHECK-LABEL: @sum
// CHECK: ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16
// CHECK-COUNT-3: ttng.init_barrier %{{.*}}, 128 :
// CHECK-COUNT-3: ttng.init_barrier %{{.*}}, 8 :
// CHECK: ttg.warp_specialize
// CHECK: default {
// CHECK-NEXT: ttng.set_registers {{[0-9]+}} {isMore}
// CHECK: scf.for
// CHECK: ttng.wait_barrier
// CHECK-NOT: tt.load
// CHECK: ttng.warp_group_dot
// CHECK: ttng.arrive_barrier %{{.*}}, 1, %{{.*}} {perWarp}
// CHECK: partition0({{.*}}) num_warps(4) {
// CHECK-NEXT: ttng.set_registers
// CHECK: tt.make_range {{.*}} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #[[L4]]}>>
// CHECK: scf.for
// CHECK-NOT: loop.stage
// CHECK: tt.addptr {{.*}} : tensor<64x64x!tt.ptr<f16>, #[[L4]]>
// CHECK: ttng.wait_barrier
// CHECK-NOT: ttng.barrier_expect
// CHECK: ttg.async_copy_global_to_local {{.*}} {contiguity = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #[[L4]]>
// CHECK: ttng.async_copy_mbarrier_arrive %{{.*}} {noIncrement}
// CHECK: ttg.warp_return
tt.func @sum(%a: !ttg.memdesc<128x64xf16, #s, #smem>, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32) -> tensor<128x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #mma>
  %step = arith.constant dense<64> : tensor<64x64xi32, #l>
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #row>
  %e = tt.expand_dims %r {axis = 0 : i32} : tensor<64xi32, #row> -> tensor<1x64xi32, #l>
  %o = tt.broadcast %e : tensor<1x64xi32, #l> -> tensor<64x64xi32, #l>
  %p = tt.splat %b : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #l>
  %q = tt.addptr %p, %o : tensor<64x64x!tt.ptr<f16>, #l>, tensor<64x64xi32, #l>
  %res:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %at = %q) -> (tensor<128x64xf32, #mma>, tensor<64x64x!tt.ptr<f16>, #l>) : i32 {
    %x = tt.load %at {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<64x64x!tt.ptr<f16>, #l>
    %m = ttg.local_alloc %x {loop.cluster = 0 : i32, loop.stage = 2 : i32} : (tensor<64x64xf16, #l>) -> !ttg.memdesc<64x64xf16, #s, #smem>
    %d = ttng.warp_group_dot %a, %m, %acc {inputPrecision = 0 : i32, loop.cluster = 0 : i32, loop.stage = 2 : i32} : !ttg.memdesc<128x64xf16, #s, #smem> * !ttg.memdesc<64x64xf16, #s, #smem> -> tensor<128x64xf32, #mma>
    %next = tt.addptr %at, %step {loop.cluster = 1 : i32, loop.stage = 1 : i32} : tensor<64x64x!tt.ptr<f16>, #l>, tensor<64x64xi32, #l>
    scf.yield %d, %next : tensor<128x64xf32, #mma>, tensor<64x64x!tt.ptr<f16>, #l>
  } {tt.scheduled_max_stage = 2 : i32, tt.warp_specialize}
  tt.return %res#0 : tensor<128x64xf32, #mma>
}

// The pointers are handed over as tensors: a producer of other warps cannot have them.
// CHECK-LABEL: @given
// CHECK-NOT: ttg.warp_specialize
// REMARK: remark: the loop is not specialised: its loads are not all of blocks
// REMARK-NOT: remark
tt.func @given(%a: !ttg.memdesc<128x64xf16, #s, #smem>, %q: tensor<64x64x!tt.ptr<f16>, #l> {tt.divisibility = 16 : i32, tt.contiguity = 64 : i32}, %n: i32) -> tensor<128x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #mma>
  %res = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x64xf32, #mma>) : i32 {
    %x = tt.load %q {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<64x64x!tt.ptr<f16>, #l>
    %m = ttg.local_alloc %x {loop.cluster = 0 : i32, loop.stage = 2 : i32} : (tensor<64x64xf16, #l>) -> !ttg.memdesc<64x64xf16, #s, #smem>
    %d = ttng.warp_group_dot %a, %m, %acc {inputPrecision = 0 : i32, loop.cluster = 0 : i32, loop.stage = 2 : i32} : !ttg.memdesc<128x64xf16, #s, #smem> * !ttg.memdesc<64x64xf16, #s, #smem> -> tensor<128x64xf32, #mma>
    scf.yield %d : tensor<128x64xf32, #mma>
  } {tt.scheduled_max_stage = 2 : i32, tt.warp_specialize}
  tt.return %res : tensor<128x64xf32, #mma>
}
}
