// RUN: tilewright-opt %s > %t.once
// RUN: FileCheck %s < %t.once
// RUN: tilewright-opt %t.once > %t.twice
// RUN: diff %t.once %t.twice

// Every encoding of tensors in registers that no vendor has to itself, with and without what
// is optional; keys may come in any order. Equal ones share an alias.

// CHECK-DAG: #[[ROWS:.*]] = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-DAG: #[[LINE:.*]] = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
// CHECK-DAG: #[[CLUSTER:.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1], CGALayout = {{\[\[}}1, 0]]}>
// CHECK-DAG: #[[LINEAR:.*]] = #ttg.linear<{register = {{\[\[}}1]], lane = {{\[\[}}2], [4], [8], [16], [32]], warp = {{\[\[}}64], [0]], block = []}>
// CHECK-DAG: #[[PLANE:.*]] = #ttg.linear<{register = {{\[\[}}0, 1], [0, 2]], lane = {{\[\[}}0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}8, 0], [16, 0]], block = {{\[\[}}32, 0]]}>
// CHECK-DAG: #[[GENERIC:.*]] = #ttg.generic_linear<{register = {{\[\[}}0, 1]], lane = {{\[\[}}0, 2], [1, 0]], warp = {{\[\[}}2, 6], [0, 4]], block = []}>
// CHECK-DAG: #[[MMA:.*]] = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#same_rows = #ttg.blocked<{order=[1, 0], warpsPerCTA=[4, 1], threadsPerWarp=[2, 16], sizePerThread=[1, 4]}>
#line = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
#cluster = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1], CGALayout = [[1, 0]]}>
#linear = #ttg.linear<{register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[64], [0]], block = []}>
#plane = #ttg.linear<{register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]], block = [[32, 0]]}>
#generic = #ttg.generic_linear<{register = [[0, 1]], lane = [[0, 2], [1, 0]], warp = [[2, 6], [0, 4]], block = []}>
#same_generic = #ttg.generic_linear<{block = [], warp = [[2, 6], [0, 4]], lane = [[0, 2], [1, 0]], register = [[0, 1]]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>

// CHECK: tt.func private @tensors(tensor<128x64xf32, #[[ROWS]]>, tensor<64x64xf32, #[[ROWS]]>, tensor<4096xf32, #[[LINE]]>, tensor<128x64xf32, #[[CLUSTER]]>)
tt.func private @tensors(tensor<128x64xf32, #rows>, tensor<64x64xf32, #same_rows>, tensor<4096xf32, #line>, tensor<128x64xf32, #cluster>)
// CHECK: tt.func private @slices(tensor<128xf32, #ttg.slice<{dim = 1, parent = #[[ROWS]]}>>, tensor<32xf32, #ttg.slice<{dim = 0, parent = #[[PLANE]]}>>)
tt.func private @slices(tensor<128xf32, #ttg.slice<{dim = 1, parent = #rows}>>, tensor<32xf32, #ttg.slice<{dim=0, parent=#plane}>>)
// CHECK: tt.func private @linear(tensor<128xf32, #[[LINEAR]]>, tensor<64x16xf32, #[[PLANE]]>)
tt.func private @linear(tensor<128xf32, #linear>, tensor<64x16xf32, #plane>)
// CHECK: tt.func private @generic(tensor<4x8xf32, #[[GENERIC]]>, tensor<64x64xf32, #[[GENERIC]]>)
tt.func private @generic(tensor<4x8xf32, #generic>, tensor<64x64xf32, #same_generic>)
// CHECK: tt.func private @operands(tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #[[MMA]], kWidth = 2}>>, tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #[[ROWS]]}>>, tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #[[ROWS]]}>>)
tt.func private @operands(tensor<64x32xf16, #ttg.dot_op<{kWidth=2, parent=#mma, opIdx=0}>>, tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #rows}>>, tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #rows, kWidth = 0}>>)
// CHECK: tt.func private @slice_of_operand(tensor<64xf16, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #[[MMA]], kWidth = 2}>}>>)
tt.func private @slice_of_operand(tensor<64xf16, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>}>>)
