// RUN: tilewright-opt %s > %t.once
// RUN: FileCheck %s < %t.once
// RUN: tilewright-opt %t.once > %t.twice
// RUN: diff %t.once %t.twice

// Every encoding of a matrix unit, with each key that may be left out and without; keys may
// come in any order. Equal ones share an alias.

// CHECK-DAG: #[[MMA2:.*]] = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>{{$}}
// CHECK-DAG: #[[MMA2_CLUSTER:.*]] = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 1, warpsPerCTA = [4, 1], CGALayout = {{\[\[}}1, 0], [0, 0]], instrShape = [16, 8]}>{{$}}
// CHECK-DAG: #[[MMA2_BATCH:.*]] = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 1, 2], instrShape = [1, 16, 8]}>{{$}}
// CHECK-DAG: #[[MMA3:.*]] = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 256, 32]}>{{$}}
// CHECK-DAG: #[[WMMA11:.*]] = #ttg.amd_wmma<{version = 1, isTranspose = false, ctaLayout = {warp = {{\[\[}}0, 1], [1, 0]]}}>{{$}}
// CHECK-DAG: #[[WMMA12:.*]] = #ttg.amd_wmma<{version = 2, isTranspose = true, ctaLayout = {register = {{\[\[}}0, 1], [1, 0]], warp = {{\[\[}}0, 2]]}, CGALayout = {{\[\[}}1, 0]], instrShape = [16, 16, 32]}>{{$}}
// CHECK-DAG: #[[WMMA1250:.*]] = #ttg.amd_wmma<{version = 3, isTranspose = true, ctaLayout = {warp = {{\[\[}}0, 1], [1, 0]]}, instrShape = [16, 16, 128]}>{{$}}
// CHECK-DAG: #[[WMMA_BATCH:.*]] = #ttg.amd_wmma<{version = 2, isTranspose = false, ctaLayout = {warp = []}, rank = 3}>{{$}}
// CHECK-DAG: #[[DPAS:.*]] = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [8, 4], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>{{$}}
// CHECK-DAG: #[[DPAS_BYTES:.*]] = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 4, fp4KPack = 2, threadsPerWarp = 32, warpsPerCTA = [4, 1], repCluster = [1, 1], A = [8, 32], B = [32, 16], C = [8, 16]}>{{$}}
// CHECK-DAG: #[[DPAS_BATCH:.*]] = #ttig.dpas<{repeatCount = 4, systolicDepth = 8, executionSize = 16, opsPerChan = 1, threadsPerWarp = 16, warpsPerCTA = [2, 4, 1], repCluster = [1, 2, 1], A = [8, 8], B = [8, 16], C = [8, 16]}>{{$}}
// CHECK-DAG: #[[BLOCK2D:.*]] = #ttig.subgroup_2d_block<{warpsPerCTA = [8, 4], instrShape = [32, 16], numBlocks=2, order=[0, 1], kWidth=2, threadsPerWarp=16}>{{$}}
// CHECK-DAG: #[[BLOCK2D_CLUSTER:.*]] = #ttig.subgroup_2d_block<{warpsPerCTA = [8, 4], CTAsPerCGA = [2, 2], CTASplitNum = [2, 1], CTAOrder = [1, 0], instrShape = [8, 16], numBlocks=1, order=[1, 0], kWidth=1, threadsPerWarp=16}>{{$}}
// CHECK-DAG: #[[COOP_A:.*]] = #tw.coopmatrix<{use = matrix_a, subgroupSize = 32}>{{$}}
// CHECK-DAG: #[[COOP_B:.*]] = #tw.coopmatrix<{use = matrix_b, subgroupSize = 16}>{{$}}
// CHECK-DAG: #[[COOP_ACC:.*]] = #tw.coopmatrix<{use = matrix_acc, subgroupSize = 16}>{{$}}
#mma2 = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
#mma2_again = #ttg.nvidia_mma<{instrShape=[16, 8], warpsPerCTA=[1, 4], versionMajor=2}>
#mma2_again1 = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8], CTAsPerCGA = [1, 1], CTASplitNum = [1, 1], CTAOrder = [1, 0]}>
#mma2_cluster = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 1, warpsPerCTA = [4, 1], CGALayout = [[1, 0], [0, 0]], instrShape = [16, 8]}>
#mma2_batch = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 1, 2], instrShape = [1, 16, 8]}>
#mma3 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 256, 32]}>
#wmma11 = #ttg.amd_wmma<{version = 1, isTranspose = false, ctaLayout = {warp = [[0, 1], [1, 0]]}}>
#wmma11_again = #ttg.amd_wmma<{ctaLayout = {warp = [[0, 1], [1, 0]]}, version = 1}>
#wmma11_again1 = #ttg.amd_wmma<{version = 1, isTranspose = false, rank = 2, ctaLayout = {warp = [[0, 1], [1, 0]]}, instrShape = [16, 16, 16], kWidth = 8}>
#wmma12 = #ttg.amd_wmma<{version = 2, isTranspose = true, ctaLayout = {register = [[0, 1], [1, 0]], warp = [[0, 2]]}, CGALayout = [[1, 0]], instrShape = [16, 16, 32]}>
#wmma1250 = #ttg.amd_wmma<{version = 3, isTranspose = true, ctaLayout = {warp = [[0, 1], [1, 0]]}, instrShape = [16, 16, 128]}>
#wmma_batch = #ttg.amd_wmma<{version = 2, isTranspose = false, ctaLayout = {warp = []}, rank = 3}>
#dpas = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [8, 4], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
#dpas_again = #ttig.dpas<{repCluster = [4, 2], warpsPerCTA = [8, 4], threadsPerWarp = 16, opsPerChan = 2, executionSize = 16, systolicDepth = 8, repeatCount = 8}>
#dpas_again1 = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [8, 4], repCluster = [4, 2], A = [1], B = 2, fusedDPAS = true}>
#dpas_bytes = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 4, fp4KPack = 2, threadsPerWarp = 32, warpsPerCTA = [4, 1], repCluster = [1, 1], A = [8, 32], B = [32, 16], C = [8, 16]}>
#dpas_batch = #ttig.dpas<{repeatCount = 4, systolicDepth = 8, executionSize = 16, opsPerChan = 1, threadsPerWarp = 16, warpsPerCTA = [2, 4, 1], repCluster = [1, 2, 1], A = [8, 8], B = [8, 16], C = [8, 16]}>
#block2d = #ttig.subgroup_2d_block<{warpsPerCTA = [8, 4], instrShape = [32, 16], numBlocks=2, order=[0, 1], kWidth=2, threadsPerWarp=16}>
#block2d_again = #ttig.subgroup_2d_block<{threadsPerWarp = 16, kWidth = 2, order = [0, 1], numBlocks = 2, instrShape = [32, 16], warpsPerCTA = [8, 4]}>
#block2d_cluster = #ttig.subgroup_2d_block<{warpsPerCTA = [8, 4], CTAsPerCGA = [2, 2], CTASplitNum = [2, 1], CTAOrder = [1, 0], instrShape = [8, 16], numBlocks=1, order=[1, 0], kWidth=1, threadsPerWarp=16}>
#coop_a = #tw.coopmatrix<{use = matrix_a, subgroupSize = 32}>
#coop_b = #tw.coopmatrix<{use = matrix_b, subgroupSize = 16}>
#coop_b_again = #tw.coopmatrix<{subgroupSize = 16, use = matrix_b}>
#coop_acc = #tw.coopmatrix<{use = matrix_acc, subgroupSize = 16}>

// CHECK: tt.func private @mma2() attributes {layouts = [#[[MMA2]], #[[MMA2]], #[[MMA2]]]}
tt.func private @mma2() attributes {layouts = [#mma2, #mma2_again, #mma2_again1]}
// CHECK: tt.func private @mma2_cluster() attributes {layouts = [#[[MMA2_CLUSTER]]]}
tt.func private @mma2_cluster() attributes {layouts = [#mma2_cluster]}
// CHECK: tt.func private @mma2_batch() attributes {layouts = [#[[MMA2_BATCH]]]}
tt.func private @mma2_batch() attributes {layouts = [#mma2_batch]}
// CHECK: tt.func private @mma3() attributes {layouts = [#[[MMA3]]]}
tt.func private @mma3() attributes {layouts = [#mma3]}
// CHECK: tt.func private @wmma11() attributes {layouts = [#[[WMMA11]], #[[WMMA11]], #[[WMMA11]]]}
tt.func private @wmma11() attributes {layouts = [#wmma11, #wmma11_again, #wmma11_again1]}
// CHECK: tt.func private @wmma12() attributes {layouts = [#[[WMMA12]]]}
tt.func private @wmma12() attributes {layouts = [#wmma12]}
// CHECK: tt.func private @wmma1250(tensor<64x256xf8E4M3FN, #ttg.dot_op<{opIdx = 0, parent = #[[WMMA1250]], kWidth = 16}>>)
tt.func private @wmma1250(tensor<64x256xf8E4M3FN, #ttg.dot_op<{opIdx = 0, parent = #wmma1250, kWidth = 16}>>)
// CHECK: tt.func private @wmma_batch() attributes {layouts = [#[[WMMA_BATCH]]]}
tt.func private @wmma_batch() attributes {layouts = [#wmma_batch]}
// CHECK: tt.func private @dpas() attributes {layouts = [#[[DPAS]], #[[DPAS]], #[[DPAS]]]}
tt.func private @dpas() attributes {layouts = [#dpas, #dpas_again, #dpas_again1]}
// CHECK: tt.func private @dpas_bytes() attributes {layouts = [#[[DPAS_BYTES]]]}
tt.func private @dpas_bytes() attributes {layouts = [#dpas_bytes]}
// CHECK: tt.func private @dpas_batch() attributes {layouts = [#[[DPAS_BATCH]]]}
tt.func private @dpas_batch() attributes {layouts = [#dpas_batch]}
// CHECK: tt.func private @block2d() attributes {layouts = [#[[BLOCK2D]], #[[BLOCK2D]]]}
tt.func private @block2d() attributes {layouts = [#block2d, #block2d_again]}
// CHECK: tt.func private @block2d_cluster() attributes {layouts = [#[[BLOCK2D_CLUSTER]]]}
tt.func private @block2d_cluster() attributes {layouts = [#block2d_cluster]}
// CHECK: tt.func private @coop_a() attributes {layouts = [#[[COOP_A]]]}
tt.func private @coop_a() attributes {layouts = [#coop_a]}
// CHECK: tt.func private @coop_b() attributes {layouts = [#[[COOP_B]], #[[COOP_B]]]}
tt.func private @coop_b() attributes {layouts = [#coop_b, #coop_b_again]}
// CHECK: tt.func private @coop_acc() attributes {layouts = [#[[COOP_ACC]]]}
tt.func private @coop_acc() attributes {layouts = [#coop_acc]}
