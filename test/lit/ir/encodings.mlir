// RUN: tilewright-opt %s > %t.once
// RUN: FileCheck %s < %t.once
// RUN: tilewright-opt %t.once > %t.twice
// RUN: diff %t.once %t.twice

// Every encoding, with and without what is optional; keys may come in any order. Equal ones
// share an alias.

// CHECK-DAG: #[[ROWS:.*]] = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-DAG: #[[LINE:.*]] = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
// CHECK-DAG: #[[CLUSTER:.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1], CGALayout = {{\[\[}}1, 0]]}>
// CHECK-DAG: #[[LINEAR:.*]] = #ttg.linear<{register = {{\[\[}}1]], lane = {{\[\[}}2], [4], [8], [16], [32]], warp = {{\[\[}}64], [0]], block = []}>
// CHECK-DAG: #[[PLANE:.*]] = #ttg.linear<{register = {{\[\[}}0, 1], [0, 2]], lane = {{\[\[}}0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}8, 0], [16, 0]], block = {{\[\[}}32, 0]]}>
// CHECK-DAG: #[[SHARED:.*]] = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
// CHECK-DAG: #[[SPLIT:.*]] = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0], CGALayout = {{\[\[}}0, 1]]}>
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#same_rows = #ttg.blocked<{order=[1, 0], warpsPerCTA=[4, 1], threadsPerWarp=[2, 16], sizePerThread=[1, 4]}>
#line = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
#cluster = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1], CGALayout = [[1, 0]]}>
#linear = #ttg.linear<{register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[64], [0]], block = []}>
#plane = #ttg.linear<{register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]], block = [[32, 0]]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#split = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0], CGALayout = [[0, 1]]}>

// CHECK: tt.func private @tensors(tensor<128x64xf32, #[[ROWS]]>, tensor<64x64xf32, #[[ROWS]]>, tensor<4096xf32, #[[LINE]]>, tensor<128x64xf32, #[[CLUSTER]]>)
tt.func private @tensors(tensor<128x64xf32, #rows>, tensor<64x64xf32, #same_rows>, tensor<4096xf32, #line>, tensor<128x64xf32, #cluster>)
// CHECK: tt.func private @slices(tensor<128xf32, #ttg.slice<{dim = 1, parent = #[[ROWS]]}>>, tensor<32xf32, #ttg.slice<{dim = 0, parent = #[[PLANE]]}>>)
tt.func private @slices(tensor<128xf32, #ttg.slice<{dim = 1, parent = #rows}>>, tensor<32xf32, #ttg.slice<{dim=0, parent=#plane}>>)
// CHECK: tt.func private @linear(tensor<128xf32, #[[LINEAR]]>, tensor<64x16xf32, #[[PLANE]]>)
tt.func private @linear(tensor<128xf32, #linear>, tensor<64x16xf32, #plane>)
// CHECK: tt.func private @shared() attributes {layouts = [#[[SHARED]], #[[SPLIT]]]}
tt.func private @shared() attributes {layouts = [#shared, #split]}
