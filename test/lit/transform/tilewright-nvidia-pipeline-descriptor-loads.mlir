// RUN: tilewright-opt %s --tritongpu-schedule-loops --tilewright-nvidia-pipeline-descriptor-loads | FileCheck %s
// RUN: tilewright-opt %s --tritongpu-schedule-loops --tilewright-nvidia-pipeline-descriptor-loads --tritongpu-pipeline --canonicalize --cse | FileCheck %s --check-prefix=EXPANDED

#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#s = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#t = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!desc = !tt.tensordesc<tensor<64x64xf16, #s>>
!block = tensor<64x64xf16, #b>
!sum = tensor<64x64xf32, #mma>
!tile = !ttg.memdesc<64x64xf16, #s, #smem>
!turned = !ttg.memdesc<64x64xf16, #t, #smem>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {

// Both loads begin together and one product is the first to use them: a barrier for both. The
// product reads in memory, so there is a buffer more than iterations in between.
// CHECK-LABEL: @product
// CHECK: %[[BARS:.*]] = ttg.local_alloc : () -> !ttg.memdesc<3x1xi64
// CHECK-COUNT-3: ttng.init_barrier %{{.*}}, 1
// CHECK: %[[A:.*]] = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16
// CHECK: %[[B:.*]] = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[IN:.*]] = %c-1_i32, %[[OUT:.*]] = %c-1_i32, %[[PHASE:.*]] = %c0_i32{{.*}})
// CHECK-DAG: %[[WRAPS:.*]] = arith.cmpi sge, %[[NEXT:.*]], %c3_i32{{[^ ]*}} {loop.cluster = 0 : i32, loop.stage = 2 : i32}
// CHECK-DAG: %[[OTHER:.*]] = arith.xori %[[PHASE]], %c1_i32
// CHECK-DAG: %[[PHASE1:.*]] = arith.select %[[WRAPS]], %[[OTHER]], %[[PHASE]]
// CHECK-DAG: %[[OUT1:.*]] = arith.select %[[WRAPS]], %c0_i32{{[^ ]*}}, %[[NEXT]]
// CHECK-DAG: %[[IN1:.*]] = arith.select %{{.*}} {loop.cluster = 1 : i32, loop.stage = 0 : i32}
// CHECK: %[[TOLD:.*]] = ttg.memdesc_index %[[BARS]][%[[IN1]]]
// CHECK: ttng.barrier_expect %[[TOLD]], 16384 {loop.cluster = 1 : i32, loop.stage = 0 : i32}
// CHECK: %[[A1:.*]] = ttg.memdesc_index %[[A]][%[[IN1]]]
// CHECK: ttng.async_tma_copy_global_to_local %arg0[%{{.*}}, %{{.*}}] %[[A1]], %[[TOLD]]
// CHECK: %[[B1:.*]] = ttg.memdesc_index %[[B]][%[[IN1]]]
// CHECK: ttng.async_tma_copy_global_to_local %arg1[%{{.*}}, %{{.*}}] %[[B1]], %[[TOLD]]
// CHECK: %[[WAITED:.*]] = ttg.memdesc_index %[[BARS]][%[[OUT1]]]
// CHECK: ttng.wait_barrier %[[WAITED]], %[[PHASE1]] {loop.cluster = 0 : i32, loop.stage = 2 : i32}
// CHECK: %[[B2:.*]] = ttg.memdesc_index %[[B]][%[[OUT1]]]
// CHECK: %[[A2:.*]] = ttg.memdesc_index %[[A]][%[[OUT1]]]
// CHECK: %[[T:.*]] = ttg.memdesc_trans %[[B2]]
// CHECK: ttng.warp_group_dot %[[A2]], %[[T]]
// CHECK: scf.yield %{{.*}}, %[[IN1]], %[[OUT1]], %[[PHASE1]]
// CHECK: ttg.local_dealloc
// CHECK-COUNT-3: ttng.inval_barrier

// The first two copies stand before the loop; in it each is under a predicate, and behind the
// product.
// EXPANDED-LABEL: @product
// EXPANDED: %[[FIRST:.*]] = arith.cmpi sgt, %arg2, %c0_i32
// EXPANDED: ttng.barrier_expect %{{.*}}, 16384, %[[FIRST]]
// EXPANDED: ttng.async_tma_copy_global_to_local {{.*}}, %[[FIRST]]
// EXPANDED: ttng.barrier_expect
// EXPANDED-COUNT-2: ttng.async_tma_copy_global_to_local
// EXPANDED: scf.for
// EXPANDED: %[[IS:.*]] = arith.cmpi slt
// EXPANDED: ttng.wait_barrier
// EXPANDED: ttng.warp_group_dot
// EXPANDED: ttng.barrier_expect %{{.*}}, 16384, %[[IS]]
// EXPANDED: ttng.async_tma_copy_global_to_local {{.*}}, %[[IS]]
// EXPANDED: ttng.async_tma_copy_global_to_local {{.*}}, %[[IS]]
// EXPANDED: scf.yield
tt.func public @product(%d: !desc, %e: !desc, %n: i32) -> !sum {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : !sum
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!sum) : i32 {
    %k = arith.muli %i, %c64 : i32
    %a = tt.descriptor_load %d[%c0, %k] {tt.latency = 2 : i32} : !desc -> !block
    %b = tt.descriptor_load %e[%c0, %k] {tt.latency = 2 : i32} : !desc -> !block
    %ma = ttg.local_alloc %a : (!block) -> !tile
    %mb = ttg.local_alloc %b : (!block) -> !tile
    %tb = ttg.memdesc_trans %mb {order = array<i32: 1, 0>} : !tile -> !turned
    %x = ttng.warp_group_dot %ma, %tb, %acc {inputPrecision = 0 : i32} : !tile * !turned -> !sum
    scf.yield %x : !sum
  }
  tt.return %r : !sum
}

// Tiles that go to registers are free when they have been read: as many buffers as iterations. Each
// of the two is waited for where it is used first.
// CHECK-LABEL: @registers
// CHECK: ttg.local_alloc : () -> !ttg.memdesc<2x1xi64
// CHECK: ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16
// CHECK: ttg.local_alloc : () -> !ttg.memdesc<2x1xi64
// CHECK: ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16
// CHECK: scf.for
// CHECK: ttng.barrier_expect %{{.*}}, 8192
// CHECK: ttng.barrier_expect %{{.*}}, 8192
// CHECK: ttng.wait_barrier
// CHECK: ttg.local_load {{.*}} -> tensor<64x64xf16, #mma>
// CHECK-NOT: ttg.convert_layout
// CHECK: arith.addf
// CHECK: ttng.wait_barrier
// CHECK: ttg.local_load
// CHECK: arith.mulf
tt.func public @registers(%d: !desc, %e: !desc, %n: i32) -> tensor<64x64xf16, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf16, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf16, #mma>) : i32 {
    %a = tt.descriptor_load %d[%c0, %i] {tt.latency = 2 : i32} : !desc -> !block
    %b = tt.descriptor_load %e[%c0, %i] {tt.latency = 2 : i32} : !desc -> !block
    %x = ttg.convert_layout %a : !block -> tensor<64x64xf16, #mma>
    %s = arith.addf %acc, %x : tensor<64x64xf16, #mma>
    %y = ttg.convert_layout %b : !block -> tensor<64x64xf16, #mma>
    %p = arith.mulf %s, %y : tensor<64x64xf16, #mma>
    scf.yield %p : tensor<64x64xf16, #mma>
  }
  tt.return %r : tensor<64x64xf16, #mma>
}

// A load without a stage of its own stays one.
// CHECK-LABEL: @not_early
// CHECK: scf.for
// CHECK: tt.descriptor_load
// CHECK-NOT: ttng.
tt.func public @not_early(%d: !desc, %n: i32) -> !block {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !block
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!block) : i32 {
    %a = tt.descriptor_load %d[%c0, %i] : !desc -> !block
    %s = arith.addf %acc, %a : !block
    scf.yield %s : !block
  }
  tt.return %r : !block
}

}
