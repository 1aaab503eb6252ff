// RUN: tilewright-opt %s --tilewright-nvidia-specialize-loops --canonicalize | FileCheck %s
// RUN: tilewright-opt %s --tilewright-nvidia-specialize-loops --tritongpu-pipeline | FileCheck %s --check-prefix=STAGES
// RUN: tilewright-opt %s --tilewright-nvidia-specialize-loops -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#l = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#s = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
!d = !tt.tensordesc<tensor<16x32xf32, #s>>

// Of a loop that is drained by one group and filled by another, the buffers of the ring are told.
// STAGES: module attributes {{.*}}"ttg.loop-stages" = array<i32: 3>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {

// Three buffers: the load is two stages early. The producer carries the place, too. Each of the four
// warps releases the tile that it has loaded.
// CHECK-LABEL: @sum
// CHECK: %[[M:.*]] = ttg.local_alloc : () -> !ttg.memdesc<3x16x32xf32
// CHECK: %[[F:.*]] = ttg.local_alloc : () -> !ttg.memdesc<3x1xi64
// CHECK-COUNT-3: ttng.init_barrier %{{.*}}, 1 :
// CHECK: %[[E:.*]] = ttg.local_alloc : () -> !ttg.memdesc<3x1xi64
// CHECK-COUNT-3: ttng.init_barrier %{{.*}}, 4 :
// CHECK: ttg.warp_specialize
// CHECK: default {
// CHECK: scf.for
// CHECK: %[[FI:.*]] = ttg.memdesc_index %[[F]][%[[I:.*]]]
// CHECK: ttng.wait_barrier %[[FI]], %{{.*}}
// CHECK: %[[MI:.*]] = ttg.memdesc_index %[[M]][%[[I]]]
// CHECK: ttg.local_load %[[MI]]
// CHECK: %[[EI:.*]] = ttg.memdesc_index %[[E]][%[[I]]]
// CHECK: ttng.arrive_barrier %[[EI]], 1 {perWarp}
// CHECK: arith.addf
// CHECK: ttg.warp_yield
// CHECK: partition0({{.*}}) num_warps(1) {
// CHECK: scf.for
// CHECK: ttng.wait_barrier
// CHECK: ttng.barrier_expect %{{.*}}, 2048, %true
// CHECK: ttng.async_tma_copy_global_to_local
// CHECK: ttg.warp_return
// CHECK-COUNT-6: ttng.inval_barrier
// CHECK-COUNT-3: ttg.local_dealloc
tt.func @sum(%d: !d, %n: i32, %from: i32) -> tensor<16x32xf32, #l> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %zero = arith.constant dense<0.0> : tensor<16x32xf32, #l>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %at = %from) -> (tensor<16x32xf32, #l>, i32) : i32 {
    %x = tt.descriptor_load %d[%at, %c0] {loop.cluster = 2 : i32, loop.stage = 0 : i32} : !d -> tensor<16x32xf32, #l>
    %s = arith.addf %acc, %x {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<16x32xf32, #l>
    %next = arith.addi %at, %c16 {loop.cluster = 1 : i32, loop.stage = 1 : i32} : i32
    scf.yield %s, %next : tensor<16x32xf32, #l>, i32
  } {tt.scheduled_max_stage = 2 : i32, tt.warp_specialize}
  tt.return %r#0 : tensor<16x32xf32, #l>
}

// The source does not ask for it.
// CHECK-LABEL: @not_asked
// CHECK-NOT: warp_specialize
tt.func @not_asked(%d: !d, %n: i32) -> tensor<16x32xf32, #l> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x32xf32, #l>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x32xf32, #l>) : i32 {
    %x = tt.descriptor_load %d[%i, %c0] {loop.cluster = 1 : i32, loop.stage = 0 : i32} : !d -> tensor<16x32xf32, #l>
    %s = arith.addf %acc, %x {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<16x32xf32, #l>
    scf.yield %s : tensor<16x32xf32, #l>
  } {tt.scheduled_max_stage = 1 : i32}
  tt.return %r : tensor<16x32xf32, #l>
}

// A load says where the block is: a branch of the producer's would have to wait for memory.
// CHECK-LABEL: @loaded_place
// CHECK-NOT: ttg.warp_specialize
// REMARK: remark: the loop is not specialised: its loads are not all of blocks, by descriptors that are made before it or by pointers to rows of operands in memory, whose places follow from numbers
// REMARK-NOT: remark
tt.func @loaded_place(%d: !d, %p: !tt.ptr<i32>, %n: i32) -> tensor<16x32xf32, #l> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x32xf32, #l>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x32xf32, #l>) : i32 {
    %q = tt.addptr %p, %i {loop.cluster = 1 : i32, loop.stage = 0 : i32} : !tt.ptr<i32>, i32
    %at = tt.load %q {loop.cluster = 1 : i32, loop.stage = 0 : i32} : !tt.ptr<i32>
    %x = tt.descriptor_load %d[%at, %c0] {loop.cluster = 1 : i32, loop.stage = 0 : i32} : !d -> tensor<16x32xf32, #l>
    %s = arith.addf %acc, %x {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<16x32xf32, #l>
    scf.yield %s : tensor<16x32xf32, #l>
  } {tt.scheduled_max_stage = 1 : i32, tt.warp_specialize}
  tt.return %r : tensor<16x32xf32, #l>
}
}
