// RUN: tilewright-opt %s | grep . > %t.printed
// RUN: grep -v '^//' %s | grep . > %t.text
// RUN: diff %t.text %t.printed

// The ops of tt on products, atomics, descriptors, elements that meet and code of others, and the further
// layouts: printed as they are written here.

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.amd_mfma<{version = 4, warpsPerCTA = [4, 1], instrShape = [32, 32, 16], isTransposed = true}>
#mma1 = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [16, 16, 4], isTransposed = false, CGALayout = [[1, 0]], tilesPerWarp = [1, 2], elementBitWidth = 64}>
#shared = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#warp = #ttig.warp<{sizePerThread = [16, 64], threadsPerWarp = [1, 1], order = [1, 0]}>
#shared2 = #ttg.partitioned_shared<{numPartitions = 2, numGroups = 2, partitionDim = 0, partitionLayout = #shared}>
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @layouts(%arg0: tensor<128x128xf32, #mma>, %arg1: tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 8}>>, %arg2: tensor<128x128xf64, #mma1>, %arg3: !ttg.memdesc<64x64xf16, #shared2, #smem, mutable>, %arg4: tensor<16x64xf16, #warp>) {
    tt.return
  }
  tt.func @undecided(%arg0: tensor<16xi32, #gluon.auto_encoding>, %arg1: tensor<128x256x!tt.ptr<f32>, #gluon.coalesced_encoding>, %arg2: tensor<128x256xi1, #gluon.coalesced_encoding>) {
    %0 = gluon.set_auto_layout %arg0 : tensor<16xi32, #gluon.auto_encoding> -> tensor<16xi32, #blocked>
    %1 = tt.load %arg1, %arg2 : tensor<128x256x!tt.ptr<f32>, #gluon.coalesced_encoding>
    %2 = tt.make_range {end = 8192 : i32, start = 0 : i32} : tensor<8192xi32, #gluon.auto_encoding>
    %3 = tt.expand_dims %2 {axis = 0 : i32} : tensor<8192xi32, #gluon.auto_encoding> -> tensor<1x8192xi32, #gluon.auto_encoding>
    %4 = "tt.reduce"(%3) <{axis = 1 : i32}> ({
    ^bb0(%arg3: i32, %arg4: i32):
      %5 = arith.addi %arg3, %arg4 : i32
      tt.reduce.return %5 : i32
    }) : (tensor<1x8192xi32, #gluon.auto_encoding>) -> tensor<1xi32, #gluon.auto_encoding>
    tt.return
  }
  tt.func @dots(%arg0: tensor<16x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>, %arg1: tensor<32x16xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>, %arg2: tensor<16x16xf32, #blocked1>, %arg3: tensor<16x32xf32>, %arg4: tensor<32x16xf32>, %arg5: tensor<16x16xf32>, %arg6: tensor<128x64xi8>, %arg7: tensor<128x128xf8E5M2>, %arg8: tensor<128x4xi8>, %arg9: tensor<128x4xi8>, %arg10: tensor<128x128xf32>, %arg11: tensor<128x64xf16>, %arg12: tensor<64x128xf16>) {
    %0 = tt.dot %arg0, %arg1, %arg2 : tensor<16x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<32x16xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<16x16xf32, #blocked1>
    %1 = tt.dot %arg3, %arg4, %arg5, inputPrecision = tf32 : tensor<16x32xf32> * tensor<32x16xf32> -> tensor<16x16xf32>
    %2 = tt.dot %arg3, %arg4, %arg5, inputPrecision = tf32 : tensor<16x32xf32> * tensor<32x16xf32> -> tensor<16x16xf32>
    %3 = tt.dot %arg3, %arg4, %arg5, inputPrecision = bf16x6 {maxNumImpreciseAcc = 32 : i32} : tensor<16x32xf32> * tensor<32x16xf32> -> tensor<16x16xf32>
    %4 = tt.dot_scaled %arg6 scale %arg8, %arg7 scale %arg9, %arg10 lhs = e2m1 rhs = e5m2 {fastMath = false} : tensor<128x64xi8>, tensor<128x4xi8> * tensor<128x128xf8E5M2>, tensor<128x4xi8> -> tensor<128x128xf32>
    %5 = tt.dot_scaled %arg11, %arg12, %arg10 lhs = fp16 rhs = fp16 {fastMath = false} : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
    tt.return
  }
  tt.func @atomics(%arg0: tensor<8x!tt.ptr<f32>>, %arg1: tensor<8xf32>, %arg2: tensor<8xi1>, %arg3: !tt.ptr<i32>, %arg4: i32, %arg5: !tt.ptr<bf16>, %arg6: bf16, %arg7: i1, %arg8: i64) {
    %0 = tt.atomic_rmw fadd, acq_rel, gpu, %arg0, %arg1, %arg2 : (tensor<8x!tt.ptr<f32>>, tensor<8xf32>, tensor<8xi1>) -> tensor<8xf32>
    %1 = tt.atomic_rmw min, relaxed, gpu, %arg5, %arg6, %arg7 : (!tt.ptr<bf16>, bf16, i1) -> bf16
    %2 = tt.atomic_rmw add, release, sys, %arg3, %arg4 : (!tt.ptr<i32>, i32) -> i32
    %3 = tt.atomic_rmw exch, acquire, cta, %arg3, %arg4 : (!tt.ptr<i32>, i32) -> i32
    %4 = tt.atomic_rmw umax, acquire, cta, %arg3, %arg4 : (!tt.ptr<i32>, i32) -> i32
    %5 = tt.atomic_cas acquire, gpu, %arg3, %arg4, %arg4 : (!tt.ptr<i32>, i32, i32) -> i32
    %6 = tt.atomic_poll acquire, gpu, %arg3, %arg4 timeout %arg8 : !tt.ptr<i32>, i32 -> i1
    %7 = tt.atomic_poll relaxed, sys, %arg3, %arg4 : !tt.ptr<i32>, i32 -> i1
    tt.grid_dependency_wait
    tt.grid_dependency_launch_dependents
    tt.return
  }
  tt.func @descriptors(%arg0: !tt.ptr<f16>, %arg1: i32, %arg2: i64, %arg3: !tt.tensordesc<tensor<1x64xf16>>, %arg4: tensor<32xi32>, %arg5: !tt.tensordesc<tensor<128x64xf16, #shared1>>) {
    %0 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %arg2] : <f16>, <tensor<128x64xf16>>
    %1 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %arg2] {padding = 2 : i32} : <f16>, <tensor<128x64xf16>>
    %2 = tt.descriptor_load %0[%arg1, %arg1] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
    %3 = tt.descriptor_load %0[%arg1, %arg1] cacheModifier = cg evictionPolicy = evict_first : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
    tt.descriptor_store %0[%arg1, %arg1], %2 : !tt.tensordesc<tensor<128x64xf16>>, tensor<128x64xf16>
    tt.descriptor_reduce add, %0[%arg1, %arg1], %2 : !tt.tensordesc<tensor<128x64xf16>>, tensor<128x64xf16>
    %4 = tt.descriptor_gather %arg3[%arg4, %arg1] : (!tt.tensordesc<tensor<1x64xf16>>, tensor<32xi32>, i32) -> tensor<32x64xf16>
    tt.descriptor_scatter %arg3[%arg4, %arg1], %4 : !tt.tensordesc<tensor<1x64xf16>>, tensor<32xi32>, i32, tensor<32x64xf16>
    %5 = tt.descriptor_load %arg3[%arg1, %arg1] : !tt.tensordesc<tensor<1x64xf16>> -> tensor<64xf16>
    tt.return
  }
  tt.func @meetings(%arg0: tensor<16x64xf32>, %arg1: tensor<16x8xi32>, %arg2: tensor<256xi32>, %arg3: tensor<256xi1>, %arg4: tensor<8x4xbf16>) {
    %0 = "tt.scan"(%arg0) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%arg5: f32, %arg6: f32):
      %7 = arith.addf %arg5, %arg6 : f32
      tt.scan.return %7 : f32
    }) : (tensor<16x64xf32>) -> tensor<16x64xf32>
    %1 = tt.gather %arg0[%arg1] {axis = 1 : i32} : (tensor<16x64xf32>, tensor<16x8xi32>) -> tensor<16x8xf32>
    %2 = tt.gather %arg0[%arg1] {axis = 1 : i32, efficient_layout} : (tensor<16x64xf32>, tensor<16x8xi32>) -> tensor<16x8xf32>
    %3 = tt.histogram %arg2, %arg3 : tensor<256xi32> -> tensor<8xi32>
    %4 = tt.histogram %arg2 : tensor<256xi32> -> tensor<8xi32>
    %5 = tt.join %arg4, %arg4 : tensor<8x4xbf16> -> tensor<8x4x2xbf16>
    %outLHS, %outRHS = tt.split %5 : tensor<8x4x2xbf16> -> tensor<8x4xbf16>
    %6 = tt.cat %arg4, %arg4 : tensor<8x4xbf16> -> tensor<16x4xbf16>
    tt.return
  }
  tt.func @code(%arg0: tensor<16xi32>, %arg1: tensor<16xf32>, %arg2: f32, %arg3: tensor<16xi1>) {
    %0 = tt.extern_elementwise %arg2 {libname = "", libpath = "", pure = true, symbol = "__nv_log1pf"} : (f32) -> f32
    %1 = tt.extern_elementwise %arg1, %arg1 {libname = "", libpath = "", pure = true, symbol = "__nv_powf"} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %2 = tt.elementwise_inline_asm "mov.b32 $0, 0;" {constraints = "=r", packed_element = 1 : i32, pure = true} -> i32
    %3:2 = tt.elementwise_inline_asm "op $0, $1, $2;" {constraints = "=r,=r,r", packed_element = 1 : i32, pure = false} %arg0 : tensor<16xi32> -> tensor<16xi32>, tensor<16xf32>
    %4 = "tt.map_elementwise"(%arg0, %arg1) <{pack = 1 : i32}> ({
    ^bb0(%arg4: i32, %arg5: f32):
      tt.map_elementwise.return %arg4 : i32
    }) : (tensor<16xi32>, tensor<16xf32>) -> tensor<16xi32>
    tt.print " x: " {hex = false, isSigned = array<i32: 0>} : %arg1 : tensor<16xf32>
    tt.print "here" {hex = false, isSigned = array<i32>}
    tt.assert %arg3, "index out of bounds: 0 <= tmp12 < 30522" : tensor<16xi1>
    tt.return
  }
}
