// RUN: tilewright-opt %s --tritonintelgpu-materialize-block-pointer | FileCheck %s

// Operands that are computed from what is loaded: in their own layouts, from messages.

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [4, 2]}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#l = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 2], warpsPerCTA = [1, 1], order = [1, 0]}>
#j = #ttg.blocked<{sizePerThread = [1, 16, 2], threadsPerWarp = [8, 2, 1], warpsPerCTA = [1, 1, 1], order = [2, 1, 0]}>
#t = #ttg.blocked<{sizePerThread = [1, 2, 16], threadsPerWarp = [8, 1, 2], warpsPerCTA = [1, 1, 1], order = [1, 2, 0]}>
#r = #ttg.blocked<{sizePerThread = [2, 16], threadsPerWarp = [8, 2], warpsPerCTA = [1, 1], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "xpu:pvc", "ttg.threads-per-warp" = 16 : i32} {

// 8-bit floats: converted in the operand's layout.
// CHECK-LABEL: @float8
// CHECK: %[[V:.*]] = ttig.block_load {{.*}} -> tensor<32x64xf8E5M2, #[[B:.*]]>
// CHECK: %[[F:.*]] = tt.fp_to_fp %[[V]] : tensor<32x64xf8E5M2, #[[B]]> -> tensor<32x64xf16, #[[B]]>
// CHECK-NOT: ttg.convert_layout
// CHECK: tt.return %[[F]]
tt.func public @float8(%p: !tt.ptr<f8E5M2> {tt.divisibility = 64 : i32}) -> tensor<32x64xf16, #b> {
  %r0 = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #l}>>
  %r1 = tt.expand_dims %r0 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #l}>> -> tensor<32x1xi32, #l>
  %c0 = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #l}>>
  %c1 = tt.expand_dims %c0 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #l}>> -> tensor<1x64xi32, #l>
  %ld = arith.constant dense<64> : tensor<32x1xi32, #l>
  %r = arith.muli %r1, %ld : tensor<32x1xi32, #l>
  %rb = tt.broadcast %r : tensor<32x1xi32, #l> -> tensor<32x64xi32, #l>
  %cb = tt.broadcast %c1 : tensor<1x64xi32, #l> -> tensor<32x64xi32, #l>
  %o = arith.addi %rb, %cb : tensor<32x64xi32, #l>
  %b = tt.splat %p : !tt.ptr<f8E5M2> -> tensor<32x64x!tt.ptr<f8E5M2>, #l>
  %q = tt.addptr %b, %o : tensor<32x64x!tt.ptr<f8E5M2>, #l>, tensor<32x64xi32, #l>
  %v = tt.load %q : tensor<32x64x!tt.ptr<f8E5M2>, #l>
  %f = tt.fp_to_fp %v : tensor<32x64xf8E5M2, #l> -> tensor<32x64xf16, #l>
  %c = ttg.convert_layout %f : tensor<32x64xf16, #l> -> tensor<32x64xf16, #b>
  tt.return %c : tensor<32x64xf16, #b>
}

// Two numbers of four bits in a byte, rows below each other: the bytes have every second row's
// layout.
// CHECK-LABEL: @packed
// CHECK: %[[V:.*]] = ttig.block_load {{.*}} -> tensor<32x64xi8, #[[L:linear.*]]>
// CHECK: %[[FOUR:.*]] = arith.constant dense<4> : tensor<32x64xi8, #[[L]]>
// CHECK: arith.shli %[[V]], %[[FOUR]] : tensor<32x64xi8, #[[L]]>
// CHECK: tt.join {{.*}} : tensor<32x64xf16, #[[L]]>
// CHECK: tt.reshape {{.*}} -> tensor<64x64xf16, #[[B]]>
// CHECK-NOT: ttg.convert_layout
// CHECK: tt.return
tt.func public @packed(%p: !tt.ptr<i8> {tt.divisibility = 64 : i32}) -> tensor<64x64xf16, #b> {
  %r0 = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #l}>>
  %r1 = tt.expand_dims %r0 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #l}>> -> tensor<32x1xi32, #l>
  %c0 = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #l}>>
  %c1 = tt.expand_dims %c0 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #l}>> -> tensor<1x64xi32, #l>
  %ld = arith.constant dense<64> : tensor<32x1xi32, #l>
  %r = arith.muli %r1, %ld : tensor<32x1xi32, #l>
  %rb = tt.broadcast %r : tensor<32x1xi32, #l> -> tensor<32x64xi32, #l>
  %cb = tt.broadcast %c1 : tensor<1x64xi32, #l> -> tensor<32x64xi32, #l>
  %o = arith.addi %rb, %cb : tensor<32x64xi32, #l>
  %b = tt.splat %p : !tt.ptr<i8> -> tensor<32x64x!tt.ptr<i8>, #l>
  %q = tt.addptr %b, %o : tensor<32x64x!tt.ptr<i8>, #l>, tensor<32x64xi32, #l>
  %v = tt.load %q : tensor<32x64x!tt.ptr<i8>, #l>
  %four = arith.constant dense<4> : tensor<32x64xi8, #l>
  %up = arith.shli %v, %four : tensor<32x64xi8, #l>
  %low = arith.shrsi %up, %four : tensor<32x64xi8, #l>
  %high = arith.shrsi %v, %four : tensor<32x64xi8, #l>
  %x = arith.sitofp %low : tensor<32x64xi8, #l> to tensor<32x64xf16, #l>
  %y = arith.sitofp %high : tensor<32x64xi8, #l> to tensor<32x64xf16, #l>
  %j = tt.join %x, %y : tensor<32x64xf16, #l> -> tensor<32x64x2xf16, #j>
  %t = tt.trans %j {order = array<i32: 0, 2, 1>} : tensor<32x64x2xf16, #j> -> tensor<32x2x64xf16, #t>
  %s = tt.reshape %t : tensor<32x2x64xf16, #t> -> tensor<64x64xf16, #r>
  %c = ttg.convert_layout %s : tensor<64x64xf16, #r> -> tensor<64x64xf16, #b>
  tt.return %c : tensor<64x64xf16, #b>
}

// What something else uses too is converted as before.
// CHECK-LABEL: @shared
// CHECK: tt.load
// CHECK: tt.fp_to_fp {{.*}} -> tensor<32x64xf16, #blocked
// CHECK: ttg.convert_layout
tt.func public @shared(%p: !tt.ptr<f8E5M2> {tt.divisibility = 64 : i32}) -> (tensor<32x64xf16, #b>, tensor<32x64xf16, #l>) {
  %r0 = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #l}>>
  %r1 = tt.expand_dims %r0 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #l}>> -> tensor<32x1xi32, #l>
  %c0 = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #l}>>
  %c1 = tt.expand_dims %c0 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #l}>> -> tensor<1x64xi32, #l>
  %ld = arith.constant dense<64> : tensor<32x1xi32, #l>
  %r = arith.muli %r1, %ld : tensor<32x1xi32, #l>
  %rb = tt.broadcast %r : tensor<32x1xi32, #l> -> tensor<32x64xi32, #l>
  %cb = tt.broadcast %c1 : tensor<1x64xi32, #l> -> tensor<32x64xi32, #l>
  %o = arith.addi %rb, %cb : tensor<32x64xi32, #l>
  %b = tt.splat %p : !tt.ptr<f8E5M2> -> tensor<32x64x!tt.ptr<f8E5M2>, #l>
  %q = tt.addptr %b, %o : tensor<32x64x!tt.ptr<f8E5M2>, #l>, tensor<32x64xi32, #l>
  %v = tt.load %q : tensor<32x64x!tt.ptr<f8E5M2>, #l>
  %f = tt.fp_to_fp %v : tensor<32x64xf8E5M2, #l> -> tensor<32x64xf16, #l>
  %c = ttg.convert_layout %f : tensor<32x64xf16, #l> -> tensor<32x64xf16, #b>
  tt.return %c, %f : tensor<32x64xf16, #b>, tensor<32x64xf16, #l>
}
}
