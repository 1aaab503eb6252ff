// RUN: tilewright-opt %s | grep . > %t.printed
// RUN: grep -v '^//' %s | grep . > %t.text
// RUN: diff %t.text %t.printed

// Tensors in shared memory, views of it, asynchronous copies, warps that do different things: printed as
// they are written here.

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.shared_linear<{offset = [[0, 1], [0, 0], [1, 0], [2, 0]]}, alignment = 16>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared2 = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#shared3 = #ttg.padded_shared<[32:+4] {order = [1, 0], shape = [64, 64]}>
#shared4 = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>
#shared5 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#shared6 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared7 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @types(%arg0: !ttg.memdesc<4x2xi32, #shared, #smem>, %arg1: !ttg.memdesc<2x2xi32, #shared, #smem, mutable, 4x2>, %arg2: !ttg.memdesc<2x2xi32, #shared, #smem, 4x2>, %arg3: !ttg.memdesc<3x1xi64, #shared1, #smem, mutable>, %arg4: !ttg.memdesc<32x16x!tt.ptr<f16>, #shared2, #smem, mutable>, %arg5: !ttg.memdesc<64x64xf32, #shared3, #smem, mutable>, %arg6: !ttg.async.token) {
    tt.return
  }
  tt.func @memory(%arg0: tensor<128x64xf16, #blocked>, %arg1: tensor<128x64xi32, #blocked>) {
    %0 = ttg.local_alloc : () -> !ttg.memdesc<128x64xf16, #shared2, #smem, mutable>
    %1 = ttg.local_alloc %arg0 : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared2, #smem>
    %2 = ttg.local_alloc %arg0 {alignment = 128 : i32} : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared2, #smem, mutable>
    ttg.local_store %arg0, %0 : tensor<128x64xf16, #blocked> -> !ttg.memdesc<128x64xf16, #shared2, #smem, mutable>
    %3 = ttg.local_load %0 : !ttg.memdesc<128x64xf16, #shared2, #smem, mutable> -> tensor<128x64xf16, #blocked>
    %4 = ttg.async_wait {num = 0 : i32}
    %5 = ttg.local_load %0 token %4 : !ttg.memdesc<128x64xf16, #shared2, #smem, mutable> -> tensor<128x64xf16, #blocked>
    %6 = ttg.local_load %0 : !ttg.memdesc<128x64xf16, #shared2, #smem, mutable> -> tensor<128x64xf16>
    %7 = ttg.local_gather %0[%arg1] {axis = 1 : i32} : !ttg.memdesc<128x64xf16, #shared2, #smem, mutable>, tensor<128x64xi32, #blocked> -> tensor<128x64xf16, #blocked>
    ttg.local_scatter %0[%arg1], %arg0 {axis = 0 : i32} : !ttg.memdesc<128x64xf16, #shared2, #smem, mutable>, tensor<128x64xi32, #blocked>, tensor<128x64xf16, #blocked>
    ttg.local_dealloc %0 : !ttg.memdesc<128x64xf16, #shared2, #smem, mutable>
    tt.return
  }
  tt.func @views(%arg0: i32) {
    %0 = ttg.local_alloc : () -> !ttg.memdesc<3x64x32xf16, #shared2, #smem, mutable>
    %1 = ttg.memdesc_index %0[%arg0] : !ttg.memdesc<3x64x32xf16, #shared2, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>
    %2 = ttg.memdesc_subslice %1[0, 16] : !ttg.memdesc<64x32xf16, #shared2, #smem, mutable> -> !ttg.memdesc<64x16xf16, #shared2, #smem, mutable, 64x32>
    %3 = ttg.memdesc_trans %2 {order = array<i32: 1, 0>} : !ttg.memdesc<64x16xf16, #shared2, #smem, mutable, 64x32> -> !ttg.memdesc<16x64xf16, #shared4, #smem, mutable, 32x64>
    %4 = ttg.memdesc_trans %0 {order = array<i32: 0, 2, 1>} : !ttg.memdesc<3x64x32xf16, #shared2, #smem, mutable> -> !ttg.memdesc<3x32x64xf16, #shared4, #smem, mutable>
    %5 = ttg.local_alloc : () -> !ttg.memdesc<64x128xf16, #shared5, #smem, mutable>
    %6 = ttg.memdesc_reshape %5 : !ttg.memdesc<64x128xf16, #shared5, #smem, mutable> -> !ttg.memdesc<8192xf16, #shared1, #smem, mutable>
    %7 = ttg.memdesc_reinterpret %5 : !ttg.memdesc<64x128xf16, #shared5, #smem, mutable> -> !ttg.memdesc<4096xi32, #shared1, #smem, mutable>
    %8 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared6, #smem, mutable>
    %9 = ttg.memdesc_trans %8 {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #shared6, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared7, #smem, mutable>
    tt.return
  }
  tt.func @copies(%arg0: tensor<16x32x!tt.ptr<f16>, #blocked>, %arg1: tensor<16x32xi1, #blocked>, %arg2: tensor<16x32xf16, #blocked>, %arg3: !ttg.memdesc<16x32xf16, #shared2, #smem, mutable>) {
    %0 = ttg.async_copy_global_to_local %arg0, %arg3 mask %arg1 other %arg2 cacheModifier = cg evictionPolicy = evict_first : tensor<16x32x!tt.ptr<f16>, #blocked> -> <16x32xf16, #shared2, #smem, mutable>
    %1 = ttg.async_copy_global_to_local %arg0, %arg3 mask %arg1 {contiguity = 8 : i32, isVolatile = true} : tensor<16x32x!tt.ptr<f16>, #blocked> -> <16x32xf16, #shared2, #smem, mutable>
    %2 = ttg.async_copy_global_to_local %arg0, %arg3 : tensor<16x32x!tt.ptr<f16>, #blocked> -> <16x32xf16, #shared2, #smem, mutable>
    %3 = ttg.async_commit_group tokens %0, %1
    %4 = ttg.async_commit_group
    %5 = ttg.async_wait %3, %4 {num = 2 : i32}
    %6 = ttg.async_wait {num = 0 : i32}
    tt.return
  }
  tt.func @warps(%arg0: i32, %arg1: i1, %arg2: tensor<128xi8, #blocked1>) -> i32 {
    %0 = ttg.warp_specialize(%arg0) attributes {warpGroupStartIds = array<i32: 4>}
    default {
      ttg.warp_yield %arg0 : i32
    }
    partition0(%arg3: i32) num_warps(4) {
      ttg.warp_return
    } : (i32) -> i32
    ttg.warp_specialize() attributes {actualRegisters = array<i32: 4, 5, 6>, requestedRegisters = array<i32: 4, 5>}
    default {
      ttg.warp_yield
    }
    partition0() num_warps(4) {
      ttg.warp_return
    }
    partition1() num_warps(1) {
      ttg.warp_return
    } : () -> ()
    %1 = ttg.warp_id
    %2 = ttg.warp_id
    %3 = ttg.predicate_stage %arg0, %1, %2 maxStage 2 stage 1 : i32 -> i1
    %4 = "ttg.mask"(%arg1) ({
      ttg.mask.return %arg0 : i32
    }) : (i1) -> i32
    %5 = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    tt.return %0 : i32
  }
}
