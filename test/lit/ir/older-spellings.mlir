// RUN: tilewright-opt %s | FileCheck %s

// What older versions wrote is read and printed as it is written now.

// CHECK-DAG: #[[DPAS:.*]] = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [8, 4], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
// CHECK-DAG: #[[BLOCK:.*]] = #ttig.subgroup_2d_block<{warpsPerCTA = [8, 4], instrShape = [32, 16], numBlocks=2, order=[0, 1], kWidth=2, threadsPerWarp=16}>
// CHECK-DAG: #[[WMMA:.*]] = #ttg.amd_wmma<{version = 1, isTranspose = false, ctaLayout = {warp = {{\[\[}}0, 1], [0, 2], [1, 0]]}}>
// CHECK-DAG: #[[TILES:.*]] = #ttg.amd_wmma<{version = 2, isTranspose = true, ctaLayout = {register = {{\[\[}}0, 1], [1, 0]], warp = {{\[\[}}0, 2], [2, 0]]}}>
#dpas = #triton_intel_gpu.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [8, 4], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
#block = #triton_intel_gpu.subgroup_2d_block<{warpsPerCTA = [8, 4], instrShape = [32, 16], numBlocks=2, order=[0, 1], kWidth=2, threadsPerWarp=16}>
#wmma = #ttg.amd_wmma<{version = 1, isTranspose = false, warpsPerCTA = [2, 4]}>
#tiles = #ttg.amd_wmma<{version = 2, isTranspose = true, warpsPerCTA = [2, 2], tilesPerWarp = [2, 2]}>

// CHECK: tt.func private @dpas(tensor<256x32xf16, #ttg.dot_op<{opIdx = 0, parent = #[[DPAS]], kWidth = 1}>>, tensor<32x256xf16, #ttg.dot_op<{opIdx = 1, parent = #[[DPAS]], kWidth = 2}>>)
tt.func private @dpas(tensor<256x32xf16, #ttg.dot_op<{opIdx = 0, parent = #dpas, kWidth = 1}>>, tensor<32x256xf16, #ttg.dot_op<{opIdx = 1, parent = #dpas, kWidth = 2}>>)
// CHECK: tt.func private @block(tensor<256x64xf16, #[[BLOCK]]>)
tt.func private @block(tensor<256x64xf16, #block>)
// CHECK: tt.func private @wmma(tensor<64x64xf32, #[[WMMA]]>, tensor<64x64xf32, #[[TILES]]>)
tt.func private @wmma(tensor<64x64xf32, #wmma>, tensor<64x64xf32, #tiles>)
// CHECK-LABEL: @barrier
// CHECK-NEXT: ttg.barrier local
// CHECK-NEXT: ttg.barrier local {tt.mark = 1 : i32}
tt.func private @barrier() {
  ttg.local_barrier
  ttg.local_barrier {tt.mark = 1 : i32}
  tt.return
}
// CHECK-LABEL: @gpu_barrier
// CHECK-NEXT: ttg.barrier all
// CHECK-NEXT: ttg.barrier all {tt.mark = 1 : i32}
tt.func private @gpu_barrier() {
  gpu.barrier
  gpu.barrier {tt.mark = 1 : i32}
  tt.return
}
