// RUN: tilewright-opt %s --triton-nvidia-tma-lowering | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#c = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#r = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#s = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#n = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>
#p = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 32}>
#batch = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32, rank = 3}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!desc = !tt.tensordesc<tensor<64x64xf16, #s>>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {

// The fastest dimension first; strides in bytes; boxes no wider than the swizzle; NaN outside.
// CHECK-LABEL: @make
// CHECK: %[[MAP:.*]] = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32}
// CHECK: %[[B:.*]] = arith.muli %arg4, %{{.*}}
// CHECK: %[[A:.*]] = arith.muli %arg3, %{{.*}}
// CHECK: ttng.tensormap_create %[[MAP]], %arg0, [%c32_i32, %c16_i32, %c2_i32], [%arg2, %arg1, %arg1], [%[[B]], %[[A]]], [%{{.*}}, %{{.*}}, %{{.*}}] {elem_type = 7 : i32, fill_mode = 1 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32}
// CHECK: ttng.tensormap_fenceproxy_acquire %[[MAP]]
// CHECK: %[[D:.*]] = ttng.reinterpret_tensor_descriptor %[[MAP]] : !tt.ptr<i8> to !tt.tensordesc<tensor<2x16x64xf32, #{{.*}}>>
// CHECK: tt.return %[[D]]
tt.func private @make(%p: !tt.ptr<f32>, %m: i32, %n: i32, %s: i64, %t: i64) -> !tt.tensordesc<tensor<2x16x64xf32, #batch>> {
  %c1 = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%m, %m, %n], [%s, %t, %c1] {padding = 2 : i32} : !tt.ptr<f32>, !tt.tensordesc<tensor<2x16x64xf32, #batch>>
  tt.return %d : !tt.tensordesc<tensor<2x16x64xf32, #batch>>
}

// What is wanted in memory as the copy leaves it is used there; in another layout it goes through
// registers; what is converted is read so.
// CHECK-LABEL: @load
// CHECK: %[[M:.*]] = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #{{.*}}, #smem, mutable>
// CHECK: %[[BAR:.*]] = ttg.local_alloc : () -> !ttg.memdesc<1xi64
// CHECK: ttng.init_barrier %[[BAR]], 1
// CHECK: ttng.barrier_expect %[[BAR]], 8192, %true
// CHECK: ttng.async_tma_copy_global_to_local %arg0[%arg1, %arg2] %[[M]], %[[BAR]], %true
// CHECK: ttng.wait_barrier %[[BAR]], %c0_i32
// CHECK: ttng.inval_barrier %[[BAR]]
// CHECK-DAG: %[[C:.*]] = ttg.local_load %[[M]] : {{.*}} -> tensor<64x64xf16, #blocked>
// CHECK-DAG: %[[X:.*]] = ttg.local_load %[[M]] : {{.*}} -> tensor<64x64xf16, #blocked1>
// CHECK: ttg.memdesc_trans %[[M]] {{.*}} mutable>
// CHECK: ttg.local_alloc %[[X]]
// CHECK: tt.return %[[C]]
tt.func private @load(%d: !desc, %i: i32, %j: i32) -> tensor<64x64xf16, #c> {
  %x = tt.descriptor_load %d[%i, %j] : !desc -> tensor<64x64xf16, #b>
  %m = ttg.local_alloc %x : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #s, #smem>
  %t = ttg.memdesc_trans %m {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #s, #smem> -> !ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>, #smem>
  %o = ttg.local_alloc %x : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #n, #smem>
  %y = ttg.convert_layout %x : tensor<64x64xf16, #b> -> tensor<64x64xf16, #c>
  tt.return %y : tensor<64x64xf16, #c>
}

// From whatever layout the value has. The first copy is complete before the second one may read.
// CHECK-LABEL: @store(
// CHECK: %[[M:.*]] = ttg.local_alloc %arg3 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #{{.*}}, #smem>
// CHECK-NEXT: ttng.async_tma_copy_local_to_global %arg0[%arg1, %arg2] %[[M]]
// CHECK-NEXT: ttng.async_tma_store_wait {pendings = 0 : i32}
// CHECK-NEXT: %[[N:.*]] = ttg.local_alloc %arg3
// CHECK-NEXT: ttng.async_tma_reduce add, %arg0[%arg1, %arg2] %[[N]]
// CHECK-NEXT: ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
tt.func private @store(%d: !desc, %i: i32, %j: i32, %x: tensor<64x64xf16, #c>) {
  %y = ttg.convert_layout %x : tensor<64x64xf16, #c> -> tensor<64x64xf16, #b>
  tt.descriptor_store %d[%i, %j], %y : !desc, tensor<64x64xf16, #b>
  tt.descriptor_reduce add, %d[%i, %j], %y : !desc, tensor<64x64xf16, #b>
  tt.return
}

// One tile for all stores of a nest; it is written when the copy before has read it, and the last
// copy is waited for after the nest.
// CHECK-LABEL: @store_in_loops
// CHECK: %[[M:.*]] = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #{{.*}}, #smem, mutable>
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NEXT: ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
// CHECK-NEXT: ttg.local_store %{{.*}}, %[[M]]
// CHECK-NEXT: ttng.async_tma_copy_local_to_global %{{.*}} %[[M]]
// CHECK-NEXT: }
// CHECK-NEXT: ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
// CHECK-NEXT: ttg.local_store %{{.*}}, %[[M]]
// CHECK-NEXT: ttng.async_tma_copy_local_to_global %{{.*}} %[[M]]
// CHECK-NEXT: }
// CHECK-NEXT: ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
// CHECK-NEXT: ttg.local_dealloc %[[M]]
tt.func private @store_in_loops(%d: !desc, %n: i32, %x: tensor<64x64xf16, #b>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %j = %c0 to %n step %c1 : i32 {
      tt.descriptor_store %d[%i, %j], %x : !desc, tensor<64x64xf16, #b>
    }
    tt.descriptor_store %d[%i, %c0], %x : !desc, tensor<64x64xf16, #b>
  }
  tt.return
}

// Where others may look at what is stored it has to be complete: before a flag is set, a barrier
// of the source, a load, another block of the descriptor; not at the end.
// CHECK-LABEL: @published
// CHECK: scf.for
// CHECK: ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
// CHECK: ttng.async_tma_copy_local_to_global
// CHECK-NEXT: ttng.async_tma_store_wait {pendings = 0 : i32}{{$}}
// CHECK-NEXT: ttg.barrier
// CHECK: ttng.async_tma_store_wait {pendings = 0 : i32}{{$}}
// CHECK-NEXT: tt.atomic_rmw
// CHECK: }
// CHECK-NEXT: ttng.async_tma_store_wait {pendings = 0 : i32}{{$}}
// CHECK: ttng.async_tma_copy_local_to_global
// CHECK-NEXT: ttng.async_tma_store_wait {pendings = 0 : i32}{{$}}
// CHECK: tt.load
// CHECK: ttng.async_tma_copy_local_to_global
// CHECK-NEXT: ttng.async_tma_store_wait {pendings = 0 : i32}{{$}}
// CHECK: ttng.async_tma_copy_local_to_global
// CHECK-NEXT: ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
tt.func private @published(%d: !desc, %n: i32, %x: tensor<64x64xf16, #b>, %flag: !tt.ptr<i32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  scf.for %i = %c0 to %n step %c1 : i32 {
    tt.descriptor_store %d[%i, %c0], %x : !desc, tensor<64x64xf16, #b>
    ttg.barrier local
    %old = tt.atomic_rmw add, release, gpu, %flag, %c1, %true : (!tt.ptr<i32>, i32, i1) -> i32
  }
  tt.descriptor_store %d[%n, %c0], %x : !desc, tensor<64x64xf16, #b>
  %r = tt.load %flag : !tt.ptr<i32>
  tt.descriptor_store %d[%n, %r], %x : !desc, tensor<64x64xf16, #b>
  tt.descriptor_store %d[%r, %c0], %x : !desc, tensor<64x64xf16, #b>
  tt.return %r : i32
}

// CHECK-LABEL: @rows
// CHECK: %[[M:.*]] = ttg.local_alloc : () -> !ttg.memdesc<8x32xf32
// CHECK: ttng.barrier_expect %{{.*}}, 1024
// CHECK: ttng.async_tma_gather %arg0[%arg1, %arg2] %[[M]]
// CHECK: %[[X:.*]] = ttg.local_load %[[M]]
// CHECK: %[[N:.*]] = ttg.local_alloc %[[X]] {{.*}} !ttg.memdesc<8x32xf32
// CHECK: ttng.async_tma_scatter %arg0[%arg1, %arg2] %[[N]]
// CHECK: ttng.async_tma_store_wait
tt.func private @rows(%d: !tt.tensordesc<tensor<1x32xf32, #p>>, %rows: tensor<8xi32, #r>, %at: i32) {
  %x = tt.descriptor_gather %d[%rows, %at] : (!tt.tensordesc<tensor<1x32xf32, #p>>, tensor<8xi32, #r>, i32) -> tensor<8x32xf32, #b>
  tt.descriptor_scatter %d[%rows, %at], %x : !tt.tensordesc<tensor<1x32xf32, #p>>, tensor<8xi32, #r>, i32, tensor<8x32xf32, #b>
  tt.return
}

// A loop writes its map where the iteration before had its own, whose stores are done with it then.
// CHECK-LABEL: @make_in_a_loop
// CHECK: scf.for
// CHECK: ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
// CHECK: %[[MAP:.*]] = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32}
// CHECK: ttng.tensormap_create %[[MAP]]
// CHECK: %[[SECOND:.*]] = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32}
// CHECK-NOT: ttng.async_tma_store_wait
// CHECK: ttng.tensormap_create %[[SECOND]]
// CHECK: ttng.async_tma_copy_global_to_local
tt.func public @make_in_a_loop(%p: !tt.ptr<f16>, %n: i32, %s: i64) {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %one : i32 {
    %d = tt.make_tensor_descriptor %p, [%n, %i], [%s, %c1] : !tt.ptr<f16>, !desc
    %e = tt.make_tensor_descriptor %p, [%i, %n], [%s, %c1] : !tt.ptr<f16>, !desc
    %x = tt.descriptor_load %e[%i, %c0] : !desc -> tensor<64x64xf16, #b>
    tt.descriptor_store %d[%i, %c0], %x : !desc, tensor<64x64xf16, #b>
  }
  tt.return
}

// Where copies of three iterations are under way there are four maps.
// CHECK-LABEL: @make_in_a_pipelined_loop
// CHECK: scf.for %[[I:.*]] = %arg4 to %arg1 step %arg5
// CHECK: %[[MAPS:.*]] = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 512 : i32}
// CHECK: %[[FROM:.*]] = arith.subi %[[I]], %arg4
// CHECK: %[[NUMBER:.*]] = arith.divui %[[FROM]], %arg5
// CHECK: %[[TURN:.*]] = arith.remui %[[NUMBER]], %c4_i32
// CHECK: %[[OFFSET:.*]] = arith.muli %[[TURN]], %c128_i32
// CHECK: %[[MAP:.*]] = tt.addptr %[[MAPS]], %[[OFFSET]]
// CHECK: ttng.tensormap_create %[[MAP]]
// CHECK: ttng.tensormap_fenceproxy_acquire %[[MAP]]
tt.func public @make_in_a_pipelined_loop(%p: !tt.ptr<f16>, %n: i32, %s: i64, %turn: i32, %from: i32, %step: i32, %bar: !ttg.memdesc<1xi64, #bar, #smem, mutable>) {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %true = arith.constant true
  %m = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #s, #smem, mutable>
  scf.for %i = %from to %n step %step : i32 {
    %d = tt.make_tensor_descriptor %p, [%n, %i], [%s, %c1] : !tt.ptr<f16>, !desc
    %t = ttg.memdesc_index %m[%turn] : !ttg.memdesc<3x64x64xf16, #s, #smem, mutable> -> !ttg.memdesc<64x64xf16, #s, #smem, mutable>
    ttng.async_tma_copy_global_to_local %d[%i, %c0] %t, %bar, %true : !desc, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<64x64xf16, #s, #smem, mutable>
  }
  tt.return
}

}
