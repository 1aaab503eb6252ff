// RUN: tilewright-opt %s > %t.once
// RUN: FileCheck %s < %t.once
// RUN: tilewright-opt %t.once > %t.twice
// RUN: diff %t.once %t.twice

// Every encoding of shared memory, with each key that may be left out and without; keys may
// come in any order. Equal ones share an alias.

// CHECK-DAG: #[[SWIZZLED:.*]] = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>{{$}}
// CHECK-DAG: #[[SWIZZLED_CLUSTER:.*]] = #ttg.swizzled_shared<{vec = 1, perPhase = 2, maxPhase = 4, order = [0, 1], CGALayout = {{\[\[}}0, 1]]}>{{$}}
// CHECK-DAG: #[[ROTATING:.*]] = #ttg.amd_rotating_shared<{vec = 1, perPhase = 1, maxPhase = 4, order = [1, 0]}>{{$}}
// CHECK-DAG: #[[ROTATING_CLUSTER:.*]] = #ttg.amd_rotating_shared<{vec = 4, perPhase = 2, maxPhase = 8, order = [0, 1], CGALayout = {{\[\[}}1, 0]]}>{{$}}
// CHECK-DAG: #[[NVMMA:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>{{$}}
// CHECK-DAG: #[[NVMMA_TRANSPOSED:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 32}>{{$}}
// CHECK-DAG: #[[NVMMA_PLAIN:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 8, rank = 1}>{{$}}
// CHECK-DAG: #[[NVMMA_BATCH:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16, rank = 3}>{{$}}
// CHECK-DAG: #[[NVMMA_CLUSTER:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8, fp4Padded = true, CGALayout = {{\[\[}}1, 0]]}>{{$}}
// CHECK-DAG: #[[NVMMA_CLUSTER_BATCH:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = {{\[\[}}0, 1, 0]]}>{{$}}
// CHECK-DAG: #[[PADDED:.*]] = #ttg.padded_shared<[32:+4] {order = [1, 0], shape = [64, 32]}>{{$}}
// CHECK-DAG: #[[PADDED_TWICE:.*]] = #ttg.padded_shared<[64:+4, 32:+8] {order = [0, 1], shape = [16, 64]}>{{$}}
// CHECK-DAG: #[[PADDED_THIN:.*]] = #ttg.padded_shared<[32:+4] {order = [1, 2, 0], shape = [1, 64, 1]}>{{$}}
// CHECK-DAG: #[[PADDED_ONE:.*]] = #ttg.padded_shared<[32:+4] {order = [1, 0], shape = [1, 1]}>{{$}}
// CHECK-DAG: #[[PADDED_MIXED:.*]] = #ttg.padded_shared<[2:+1] {offset = {{\[\[}}0, 1], [1, 0], [0, 2]], block = []}>{{$}}
// CHECK-DAG: #[[PADDED_CLUSTER:.*]] = #ttg.padded_shared<[2:+1] {offset = {{\[\[}}0, 1], [0, 2]], block = {{\[\[}}1, 0]]}>{{$}}
// CHECK-DAG: #[[LINEAR:.*]] = #ttg.shared_linear<{offset = {{\[\[}}0, 1], [0, 0], [1, 1]]}, alignment = 16>{{$}}
// CHECK-DAG: #[[LINEAR_CLUSTER:.*]] = #ttg.shared_linear<{offset = {{\[\[}}0, 1], [1, 1]], block = {{\[\[}}2, 0]]}, alignment = 1024>{{$}}
// CHECK-DAG: #[[MEMORY:.*]] = #ttg.shared_memory{{$}}
#swizzled = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#swizzled_again = #ttg.swizzled_shared<{order=[1, 0], maxPhase=8, perPhase=1, vec=8}>
#swizzled_cluster = #ttg.swizzled_shared<{vec = 1, perPhase = 2, maxPhase = 4, order = [0, 1], CGALayout = [[0, 1]]}>
#rotating = #ttg.amd_rotating_shared<{vec = 1, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#rotating_again = #ttg.amd_rotating_shared<{order=[1, 0], vec=1, maxPhase=4, perPhase=1, CGALayout = []}>
#rotating_cluster = #ttg.amd_rotating_shared<{vec = 4, perPhase = 2, maxPhase = 8, order = [0, 1], CGALayout = [[1, 0]]}>
#nvmma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#nvmma_again = #ttg.nvmma_shared<{rank = 2, elementBitWidth=16, transposed=false, fp4Padded = false, swizzlingByteWidth=128}>
#nvmma_transposed = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 32}>
#nvmma_plain = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 8, rank = 1}>
#nvmma_batch = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16, rank = 3}>
#nvmma_cluster = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8, fp4Padded = true, CGALayout = [[1, 0]]}>
#nvmma_cluster_again = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8, fp4Padded = true, rank = 2, CGALayout = [[1, 0]]}>
#nvmma_cluster_batch = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 1, 0]]}>
#padded = #ttg.padded_shared<[32:+4] {order = [1, 0], shape = [64, 32]}>
#padded_again = #ttg.padded_shared<[32 : + 4] {shape=[64, 32], order=[1, 0]}>
#padded_again1 = #ttg.padded_shared<[32:+4] {offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], block = []}>
#padded_twice = #ttg.padded_shared<[64:+4, 32:+8] {order = [0, 1], shape = [16, 64]}>
#padded_thin = #ttg.padded_shared<[32:+4] {order = [1, 2, 0], shape = [1, 64, 1]}>
#padded_thin_again = #ttg.padded_shared<[32:+4] {order = [2, 0, 1], shape = [1, 64, 1]}>
#padded_one = #ttg.padded_shared<[32:+4] {order = [1, 0], shape = [1, 1]}>
#padded_mixed = #ttg.padded_shared<[2:+1] {offset = [[0, 1], [1, 0], [0, 2]], block = []}>
#padded_cluster = #ttg.padded_shared<[2:+1] {offset = [[0, 1], [0, 2]], block = [[1, 0]]}>
#linear = #ttg.shared_linear<{offset = [[0, 1], [0, 0], [1, 1]]}, alignment = 16>
#linear_again = #ttg.shared_linear<{block = [], offset = [[0, 1], [0, 0], [1, 1]]}, alignment=16>
#linear_cluster = #ttg.shared_linear<{offset = [[0, 1], [1, 1]], block = [[2, 0]]}, alignment = 1024>
#memory = #ttg.shared_memory

// CHECK: tt.func private @swizzled() attributes {layouts = [#[[SWIZZLED]], #[[SWIZZLED]]]}
tt.func private @swizzled() attributes {layouts = [#swizzled, #swizzled_again]}
// CHECK: tt.func private @swizzled_cluster() attributes {layouts = [#[[SWIZZLED_CLUSTER]]]}
tt.func private @swizzled_cluster() attributes {layouts = [#swizzled_cluster]}
// CHECK: tt.func private @rotating() attributes {layouts = [#[[ROTATING]], #[[ROTATING]]]}
tt.func private @rotating() attributes {layouts = [#rotating, #rotating_again]}
// CHECK: tt.func private @rotating_cluster() attributes {layouts = [#[[ROTATING_CLUSTER]]]}
tt.func private @rotating_cluster() attributes {layouts = [#rotating_cluster]}
// CHECK: tt.func private @nvmma() attributes {layouts = [#[[NVMMA]], #[[NVMMA]]]}
tt.func private @nvmma() attributes {layouts = [#nvmma, #nvmma_again]}
// CHECK: tt.func private @nvmma_transposed() attributes {layouts = [#[[NVMMA_TRANSPOSED]]]}
tt.func private @nvmma_transposed() attributes {layouts = [#nvmma_transposed]}
// CHECK: tt.func private @nvmma_plain() attributes {layouts = [#[[NVMMA_PLAIN]]]}
tt.func private @nvmma_plain() attributes {layouts = [#nvmma_plain]}
// CHECK: tt.func private @nvmma_batch() attributes {layouts = [#[[NVMMA_BATCH]]]}
tt.func private @nvmma_batch() attributes {layouts = [#nvmma_batch]}
// CHECK: tt.func private @nvmma_cluster() attributes {layouts = [#[[NVMMA_CLUSTER]], #[[NVMMA_CLUSTER]]]}
tt.func private @nvmma_cluster() attributes {layouts = [#nvmma_cluster, #nvmma_cluster_again]}
// CHECK: tt.func private @nvmma_cluster_batch() attributes {layouts = [#[[NVMMA_CLUSTER_BATCH]]]}
tt.func private @nvmma_cluster_batch() attributes {layouts = [#nvmma_cluster_batch]}
// CHECK: tt.func private @padded() attributes {layouts = [#[[PADDED]], #[[PADDED]], #[[PADDED]]]}
tt.func private @padded() attributes {layouts = [#padded, #padded_again, #padded_again1]}
// CHECK: tt.func private @padded_twice() attributes {layouts = [#[[PADDED_TWICE]]]}
tt.func private @padded_twice() attributes {layouts = [#padded_twice]}
// CHECK: tt.func private @padded_thin() attributes {layouts = [#[[PADDED_THIN]], #[[PADDED_THIN]]]}
tt.func private @padded_thin() attributes {layouts = [#padded_thin, #padded_thin_again]}
// CHECK: tt.func private @padded_one() attributes {layouts = [#[[PADDED_ONE]]]}
tt.func private @padded_one() attributes {layouts = [#padded_one]}
// CHECK: tt.func private @padded_mixed() attributes {layouts = [#[[PADDED_MIXED]]]}
tt.func private @padded_mixed() attributes {layouts = [#padded_mixed]}
// CHECK: tt.func private @padded_cluster() attributes {layouts = [#[[PADDED_CLUSTER]]]}
tt.func private @padded_cluster() attributes {layouts = [#padded_cluster]}
// CHECK: tt.func private @linear() attributes {layouts = [#[[LINEAR]], #[[LINEAR]]]}
tt.func private @linear() attributes {layouts = [#linear, #linear_again]}
// CHECK: tt.func private @linear_cluster() attributes {layouts = [#[[LINEAR_CLUSTER]]]}
tt.func private @linear_cluster() attributes {layouts = [#linear_cluster]}
// CHECK: tt.func private @memory() attributes {layouts = [#[[MEMORY]]]}
tt.func private @memory() attributes {layouts = [#memory]}
