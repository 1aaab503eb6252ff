// RUN: tilewright-opt %s | grep . > %t.printed
// RUN: grep -v '^//' %s | grep . > %t.text
// RUN: diff %t.text %t.printed

// The ops of 2D block messages and of built-in functions: printed as they are written here.

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [2, 1, 1], threadsPerWarp = [1, 1, 16], warpsPerCTA = [1, 4, 1], order = [2, 1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%arg0: !tt.ptr<f16>, %arg1: i32, %arg2: i64) {
    %0 = ttig.block_load %arg0[%arg1, %arg1] of[%arg1, %arg1] pitch %arg1 : <f16> -> tensor<32x32xf16, #blocked>
    %1 = ttig.block_load %arg0[%arg1, %arg1] of[%arg1, %arg1] pitch %arg1 column_major : <f16> -> tensor<32x32xf16, #blocked>
    ttig.block_store %arg0[%arg1, %arg1] of[%arg1, %arg1] pitch %arg1, %0 : <f16>, tensor<32x32xf16, #blocked>
    ttig.block_prefetch %arg0[%arg1, %arg1] of[%arg1, %arg1] pitch %arg1 : <f16>, tensor<32x32xf16, #blocked>
    %2 = ttig.block_load %arg0[%arg1, %arg1] of[%arg1, %arg1] pitch %arg1 slices %arg2 : <f16> -> tensor<2x32x32xf16, #blocked1>
    ttig.block_store %arg0[%arg1, %arg1] of[%arg1, %arg1] pitch %arg1 slices %arg2, %2 : <f16>, tensor<2x32x32xf16, #blocked1>
    ttig.block_prefetch %arg0[%arg1, %arg1] of[%arg1, %arg1] pitch %arg1 slices %arg2 column_major : <f16>, tensor<2x32x32xf16, #blocked1>
    %3 = ttig.builtin_call "__spirv_GroupNonUniformAny" "ib"(%arg1) : (i32) -> i32
    ttig.builtin_call "__spirv_ControlBarrierArriveINTEL" "iii"(%arg1, %arg1, %3) memory : (i32, i32, i32) -> ()
    tt.return
  }
}
