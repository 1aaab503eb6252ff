// RUN: tilewright-opt %s | grep . > %t.printed
// RUN: grep -v '^//' %s | grep . > %t.text
// RUN: diff %t.text %t.printed

// Every op, type and attribute of ttng: printed as they are written here.

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#shared3 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#shared4 = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 8}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tmem1 = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CGALayout = [[1, 0]], twoCTAs = true, fp4Padded = true>
#tmem2 = #ttng.tensor_memory_encoding<blockM = 64, blockN = 32, colStride = 1, CTASplitM = 2>
#tmem_scales = #ttng.tensor_memory_scales_encoding<>
#tmem_scales1 = #ttng.tensor_memory_scales_encoding<CGALayout = [[0, 1]], blockRepOrder = kThenMn>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32} {
  tt.func private @types(!ttg.memdesc<2x128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<256x64xf16, #tmem1, #ttng.tensor_memory, mutable>, !ttg.memdesc<128x32xf32, #tmem2, #ttng.tensor_memory, mutable>, !ttg.memdesc<128x4xi8, #tmem_scales, #ttng.tensor_memory, mutable>, !ttg.memdesc<128x4xi8, #tmem_scales1, #ttng.tensor_memory, mutable>, !ttng.tensordesc_im2col<64x128xf16, #shared>, !ttng.tensordesc_im2col<64x128xf16>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable, 2x128x64>)
  tt.func @barriers(%arg0: i32, %arg1: i1, %arg2: !ttg.memdesc<1xi64, #shared1, #smem, mutable>, %arg3: !ttg.memdesc<128x64xf16, #shared, #smem>, %arg4: !ttg.memdesc<2xi64, #shared1, #smem, mutable>) {
    ttng.init_barrier %arg2, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.fence_mbarrier_init_release_cluster
    ttng.fence_async_shared {bCluster = false}
    ttng.barrier_expect %arg2, 32768, %arg1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.wait_barrier %arg2, %arg0 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.wait_barrier %arg2, %arg0, %arg1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.wait_barrier %arg2, %arg0, %arg1 deps %arg3, %arg3 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<128x64xf16, #shared, #smem>
    ttng.wait_barrier %arg4, %arg0 deps %arg3 : !ttg.memdesc<2xi64, #shared1, #smem, mutable>, !ttg.memdesc<128x64xf16, #shared, #smem>
    ttng.arrive_barrier %arg2, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.arrive_barrier %arg2, 2, %arg1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.arrive_barrier %arg2, 1 {perWarp} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.set_registers 240 {isMore}
    ttng.set_registers 24
    ttng.async_copy_mbarrier_arrive %arg2 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.async_copy_mbarrier_arrive %arg2 {noIncrement} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %arg2 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.cluster_barrier
    ttng.cluster_barrier {relaxed = true}
    ttng.cluster_arrive {relaxed = true}
    ttng.cluster_wait
    tt.return
  }
  tt.func @launch_control(%arg0: !ttg.memdesc<2xi64, #shared1, #smem, mutable>, %arg1: !ttg.memdesc<1xi64, #shared1, #smem, mutable>) {
    %0 = ttng.clc_try_cancel_sync : tensor<2xi64, #blocked>
    ttng.clc_try_cancel %arg0, %arg1 : !ttg.memdesc<2xi64, #shared1, #smem, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %1 = ttng.clc_load_result %arg0 : !ttg.memdesc<2xi64, #shared1, #smem, mutable> -> i128
    %2 = ttng.clc_is_canceled %1 : i128 -> i1
    %3 = ttng.clc_get_program_id %1, x : i128 -> i32
    tt.return
  }
  tt.func @warp_groups(%arg0: !ttg.memdesc<64x64xf16, #shared, #smem>, %arg1: !ttg.memdesc<64x64xf16, #shared2, #smem, mutable>, %arg2: tensor<64x64xf32, #mma>, %arg3: tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg4: i1) {
    %0 = ttng.warp_group_dot %arg0, %arg1, %arg2 {inputPrecision = 0 : i32, isAsync = true, maxNumImpreciseAcc = 1073741824 : i32} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared2, #smem, mutable> -> tensor<64x64xf32, #mma>
    %1 = ttng.warp_group_dot %arg3, %arg1, %0, %arg4 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared2, #smem, mutable> -> tensor<64x64xf32, #mma>
    %2:3 = ttng.warp_group_dot_wait %1, %arg0, %arg1 {pendings = 1 : i32} : tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared2, #smem, mutable>
    %3 = ttng.warp_group_dot_wait %2#0 {pendings = 0 : i32, warpGroupLocal} : tensor<64x64xf32, #mma>
    %4 = ttng.packed_arith add %arg2, %arg2 : (tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma>
    %5 = ttng.packed_arith fma %arg2, %arg2, %arg2 : (tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma>
    tt.return
  }
  tt.func @copies(%arg0: !tt.ptr<i8>, %arg1: !tt.ptr<f16>, %arg2: i32, %arg3: i64, %arg4: i16, %arg5: i1, %arg6: !ttg.memdesc<1xi64, #shared1, #smem, mutable>, %arg7: !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, %arg8: tensor<32xi32, #blocked>, %arg9: !tt.tensordesc<tensor<1x32xf32, #shared3>>, %arg10: !ttg.memdesc<32x32xf32, #shared3, #smem, mutable>, %arg11: !ttng.tensordesc_im2col<128x64xf16, #shared>, %arg12: tensor<128xi32, #blocked>, %arg13: !ttg.memdesc<128xi32, #shared1, #smem, mutable>) {
    ttng.tensormap_create %arg0, %arg1, [%arg2, %arg2], [%arg2, %arg2], [%arg3], [%arg2, %arg2] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ttng.tensormap_create %arg0, %arg1, [%arg2], [%arg2], [], [%arg2] {allocation.offset = 0 : i32, elem_type = 3 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 2 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32) -> ()
    ttng.tensormap_fenceproxy_acquire %arg0 : !tt.ptr<i8>
    %0 = ttng.reinterpret_tensor_descriptor %arg0 : !tt.ptr<i8> to !tt.tensordesc<tensor<128x64xf16, #shared>>
    %1 = ttng.reinterpret_tensor_descriptor %arg0 : !tt.ptr<i8> to !ttng.tensordesc_im2col<128x64xf16, #shared>
    ttng.async_tma_copy_global_to_local %0[%arg2, %arg2] %arg7, %arg6, %arg5 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %0[%arg2, %arg2] %arg7, %arg6, %arg5 cacheModifier = cg evictionPolicy = evict_first {isVolatile = true, multicast} : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg11[%arg2, %arg2, %arg2, %arg2] offsets = [%arg4, %arg4] %arg7, %arg6, %arg5 : !ttng.tensordesc_im2col<128x64xf16, #shared>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_local_to_global %0[%arg2, %arg2] %arg7 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttng.async_tma_reduce add, %0[%arg2, %arg2] %arg7 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttng.async_tma_gather %arg9[%arg8, %arg2] %arg10, %arg6, %arg5 : !tt.tensordesc<tensor<1x32xf32, #shared3>>, tensor<32xi32, #blocked>, i32, !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<32x32xf32, #shared3, #smem, mutable>, i1
    ttng.async_tma_scatter %arg9[%arg8, %arg2] %arg10 : !tt.tensordesc<tensor<1x32xf32, #shared3>>, tensor<32xi32, #blocked>, i32, !ttg.memdesc<32x32xf32, #shared3, #smem, mutable>
    ttng.async_tma_store_wait {pendings = 0 : i32}
    ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    ttng.async_shared_store %arg12, %arg13, %arg6 : tensor<128xi32, #blocked> -> !ttg.memdesc<128xi32, #shared1, #smem, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    tt.return
  }
  tt.func @tensor_memory(%arg0: tensor<128x64xf32, #blocked1>, %arg1: i1, %arg2: !ttg.memdesc<128x64xf16, #shared, #smem>, %arg3: !ttg.memdesc<64x64xf16, #shared, #smem>, %arg4: !ttg.memdesc<1xi64, #shared1, #smem, mutable>, %arg5: !ttg.memdesc<128x4xi8, #shared4, #smem>, %arg6: !ttg.memdesc<128x128xf8E5M2, #shared4, #smem>, %arg7: !ttg.memdesc<128x64xf8E5M2, #shared4, #smem>, %arg8: !ttg.memdesc<128x4xi8, #tmem_scales, #ttng.tensor_memory>, %arg9: !ttg.memdesc<64x4xi8, #tmem_scales, #ttng.tensor_memory>) {
    %result = ttng.tmem_alloc : () -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    %result_0, %token = ttng.tmem_alloc %arg0 : (tensor<128x64xf32, #blocked1>) -> (!ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %result_1 = ttng.tmem_alloc %arg0 : (tensor<128x64xf32, #blocked1>) -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory>
    %result_2 = ttng.tmem_load %result : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #blocked1>
    %result_3, %token_4 = ttng.tmem_load %result_0[%token] : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #blocked1>
    %result_5, %red = ttng.tmem_load %result {NaN = true, abs = true, redOp = #ttng.redOp<max>} : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #blocked1>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    ttng.tmem_store %arg0, %result, %arg1 : tensor<128x64xf32, #blocked1> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    %0 = ttng.tmem_store %arg0, %result_0[%token_4], %arg1 : tensor<128x64xf32, #blocked1> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    %1 = ttng.tmem_subslice %result {offset = 32 : i32} : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable, 128x64>
    %2 = ttng.tmem_subslice %result {dim = 0 : i32, offset = 0 : i32} : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    %3 = ttng.tmem_subslice %result {N = 0 : i32} : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable, 128x64>
    %result_6 = ttng.tmem_alloc : () -> !ttg.memdesc<128x4xi8, #tmem_scales, #ttng.tensor_memory, mutable>
    ttng.tmem_copy %arg5, %result_6 : !ttg.memdesc<128x4xi8, #shared4, #smem>, !ttg.memdesc<128x4xi8, #tmem_scales, #ttng.tensor_memory, mutable>
    ttng.tmem_copy %arg5, %result_6, %arg4 : !ttg.memdesc<128x4xi8, #shared4, #smem>, !ttg.memdesc<128x4xi8, #tmem_scales, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.tc_gen5_mma %arg2, %arg3, %result, %arg1, %arg1 : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    %4 = ttng.tc_gen5_mma %arg2, %arg3, %result_0[%0], %arg1, %arg1, %arg4[%arg1], %arg4[%arg1] {is_async} : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %5 = ttng.tc_gen5_mma %arg2, %arg3, %result_0[], %arg1, %arg1 {is_async, multicast, two_ctas} : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    ttng.tc_gen5_mma_scaled %arg6, %arg7, %result, %arg8, %arg9, %arg1, %arg1 lhs = e5m2 rhs = e5m2 : !ttg.memdesc<128x128xf8E5M2, #shared4, #smem>, !ttg.memdesc<128x64xf8E5M2, #shared4, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<128x4xi8, #tmem_scales, #ttng.tensor_memory>, !ttg.memdesc<64x4xi8, #tmem_scales, #ttng.tensor_memory>
    %6 = ttng.tc_gen5_mma_scaled %arg6, %arg7, %result_0[%5], %arg8, %arg9, %arg1, %arg1 lhs = e5m2 rhs = e5m2, %arg4[%arg1] {is_async} : !ttg.memdesc<128x128xf8E5M2, #shared4, #smem>, !ttg.memdesc<128x64xf8E5M2, #shared4, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<128x4xi8, #tmem_scales, #ttng.tensor_memory>, !ttg.memdesc<64x4xi8, #tmem_scales, #ttng.tensor_memory>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.tc_gen5_commit %arg4 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.tc_gen5_commit %arg4, %arg1 descs %arg2, %arg3 {two_ctas} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem>
    tt.return
  }
  tt.func @signs(%arg0: !tt.ptr<i8>, %arg1: i32, %arg2: !ttg.memdesc<32x32xi32, #shared3, #smem, mutable>) {
    %0 = ttng.reinterpret_tensor_descriptor %arg0 : !tt.ptr<i8> to !tt.tensordesc<tensor<32x32xsi32, #shared3>>
    ttng.async_tma_copy_local_to_global %0[%arg1, %arg1] %arg2 : !tt.tensordesc<tensor<32x32xsi32, #shared3>>, !ttg.memdesc<32x32xi32, #shared3, #smem, mutable>
    tt.return
  }
}
