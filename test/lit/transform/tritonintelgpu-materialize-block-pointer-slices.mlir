// RUN: tilewright-opt %s --tritonintelgpu-materialize-block-pointer --canonicalize --cse | FileCheck %s

// Tiles of three dimensions are rectangles of slices; padding is selected where it is not zero.

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 4, 1], repCluster = [1, 1, 2]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#mma2 = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 2]}>
#a2 = #ttg.dot_op<{opIdx = 0, parent = #mma2, kWidth = 1}>
#s = #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #a}>}>
#s1 = #ttg.slice<{dim = 2, parent = #a}>
#r = #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #a}>}>
#c = #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 1, parent = #a}>}>
#c1 = #ttg.slice<{dim = 1, parent = #a}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu:pvc", "ttg.threads-per-warp" = 16 : i32} {

  // The distance of slices is known to be a multiple of 64 bytes.
  // CHECK-LABEL: @slices
  // CHECK: ttig.block_load %arg0[%c0_i32, %c0_i32] of[%c32_i32, %c32_i32] pitch %c64_i32 slices %c4096_i64 : <f16> -> tensor<2x32x32xf16
  // CHECK-NOT: tt.load
  tt.func public @slices(%p: !tt.ptr<f16> {tt.divisibility = 64 : i32}) -> tensor<2x32x32xf16, #a> {
    %i0 = tt.make_range {start = 0 : i32, end = 2 : i32} : tensor<2xi32, #s>
    %i1 = tt.expand_dims %i0 {axis = 1 : i32} : tensor<2xi32, #s> -> tensor<2x1xi32, #s1>
    %i2 = tt.expand_dims %i1 {axis = 2 : i32} : tensor<2x1xi32, #s1> -> tensor<2x1x1xi32, #a>
    %j0 = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #r>
    %j1 = tt.expand_dims %j0 {axis = 0 : i32} : tensor<32xi32, #r> -> tensor<1x32xi32, #s1>
    %j2 = tt.expand_dims %j1 {axis = 2 : i32} : tensor<1x32xi32, #s1> -> tensor<1x32x1xi32, #a>
    %k0 = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #c>
    %k1 = tt.expand_dims %k0 {axis = 0 : i32} : tensor<32xi32, #c> -> tensor<1x32xi32, #c1>
    %k2 = tt.expand_dims %k1 {axis = 1 : i32} : tensor<1x32xi32, #c1> -> tensor<1x1x32xi32, #a>
    %ds = arith.constant dense<4096> : tensor<2x1x1xi32, #a>
    %is = arith.muli %i2, %ds : tensor<2x1x1xi32, #a>
    %dr = arith.constant dense<64> : tensor<1x32x1xi32, #a>
    %js = arith.muli %j2, %dr : tensor<1x32x1xi32, #a>
    %ib = tt.broadcast %is : tensor<2x1x1xi32, #a> -> tensor<2x32x32xi32, #a>
    %jb = tt.broadcast %js : tensor<1x32x1xi32, #a> -> tensor<2x32x32xi32, #a>
    %kb = tt.broadcast %k2 : tensor<1x1x32xi32, #a> -> tensor<2x32x32xi32, #a>
    %o0 = arith.addi %ib, %jb : tensor<2x32x32xi32, #a>
    %o = arith.addi %o0, %kb : tensor<2x32x32xi32, #a>
    %b = tt.splat %p : !tt.ptr<f16> -> tensor<2x32x32x!tt.ptr<f16>, #a>
    %q = tt.addptr %b, %o : tensor<2x32x32x!tt.ptr<f16>, #a>, tensor<2x32x32xi32, #a>
    %v = tt.load %q : tensor<2x32x32x!tt.ptr<f16>, #a>
    tt.return %v : tensor<2x32x32xf16, #a>
  }

  // It is not known: it is tested, in bytes. So is that there are both slices.
  // CHECK-LABEL: @unknown_distance
  // CHECK-DAG: %[[D:.*]] = arith.extsi %arg1 : i32 to i64
  // CHECK-DAG: %[[SIZE:.*]] = arith.extsi %arg2 : i32 to i64
  // CHECK-DAG: %[[ROOM:.*]] = arith.addi %[[SIZE]], %c-2_i64
  // CHECK-DAG: arith.cmpi sge, %[[ROOM]], %c0_i64
  // CHECK-DAG: %[[BYTES:.*]] = arith.muli %[[D]], %c2_i64
  // CHECK-DAG: %[[REST:.*]] = arith.andi %[[BYTES]], %c63_i64
  // CHECK-DAG: arith.cmpi eq, %[[REST]], %c0_i64
  // CHECK: scf.if
  // CHECK-NEXT: ttig.block_load %arg0[%c0_i32, %c0_i32] of[%c32_i32, %c32_i32] pitch %c64_i32 slices %[[D]]
  // CHECK: } else {
  // CHECK: tt.load
  tt.func public @unknown_distance(%p: !tt.ptr<f16> {tt.divisibility = 64 : i32}, %d: i32, %n: i32) -> tensor<2x32x32xf16, #a> {
    %i0 = tt.make_range {start = 0 : i32, end = 2 : i32} : tensor<2xi32, #s>
    %i1 = tt.expand_dims %i0 {axis = 1 : i32} : tensor<2xi32, #s> -> tensor<2x1xi32, #s1>
    %i2 = tt.expand_dims %i1 {axis = 2 : i32} : tensor<2x1xi32, #s1> -> tensor<2x1x1xi32, #a>
    %j0 = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #r>
    %j1 = tt.expand_dims %j0 {axis = 0 : i32} : tensor<32xi32, #r> -> tensor<1x32xi32, #s1>
    %j2 = tt.expand_dims %j1 {axis = 2 : i32} : tensor<1x32xi32, #s1> -> tensor<1x32x1xi32, #a>
    %k0 = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #c>
    %k1 = tt.expand_dims %k0 {axis = 0 : i32} : tensor<32xi32, #c> -> tensor<1x32xi32, #c1>
    %k2 = tt.expand_dims %k1 {axis = 1 : i32} : tensor<1x32xi32, #c1> -> tensor<1x1x32xi32, #a>
    %ds = tt.splat %d : i32 -> tensor<2x1x1xi32, #a>
    %is = arith.muli %i2, %ds : tensor<2x1x1xi32, #a>
    %dr = arith.constant dense<64> : tensor<1x32x1xi32, #a>
    %js = arith.muli %j2, %dr : tensor<1x32x1xi32, #a>
    %ib = tt.broadcast %is : tensor<2x1x1xi32, #a> -> tensor<2x32x32xi32, #a>
    %jb = tt.broadcast %js : tensor<1x32x1xi32, #a> -> tensor<2x32x32xi32, #a>
    %kb = tt.broadcast %k2 : tensor<1x1x32xi32, #a> -> tensor<2x32x32xi32, #a>
    %o0 = arith.addi %ib, %jb : tensor<2x32x32xi32, #a>
    %o = arith.addi %o0, %kb : tensor<2x32x32xi32, #a>
    %b = tt.splat %p : !tt.ptr<f16> -> tensor<2x32x32x!tt.ptr<f16>, #a>
    %q = tt.addptr %b, %o : tensor<2x32x32x!tt.ptr<f16>, #a>, tensor<2x32x32xi32, #a>
    %ns = tt.splat %n : i32 -> tensor<2x1x1xi32, #a>
    %less = arith.cmpi slt, %i2, %ns : tensor<2x1x1xi32, #a>
    %mask = tt.broadcast %less : tensor<2x1x1xi1, #a> -> tensor<2x32x32xi1, #a>
    %zero = arith.constant dense<0.0> : tensor<2x32x32xf16, #a>
    %v = tt.load %q, %mask, %zero : tensor<2x32x32x!tt.ptr<f16>, #a>
    tt.return %v : tensor<2x32x32xf16, #a>
  }

  // Elements out of bounds are ones. A batch, which the mask does not tell of, moves the base.
  // CHECK-LABEL: @padding
  // CHECK: %[[BASE:.*]] = tt.addptr %arg0, %{{.*}} : !tt.ptr<f16>, i64
  // CHECK: %[[V:.*]] = ttig.block_load %[[BASE]][%c0_i32, %c0_i32] of[%arg2, %c64_i32] pitch %c64_i32
  // CHECK: %[[SIZE:.*]] = tt.splat %arg2 : i32 -> tensor<32xi32
  // CHECK: %[[IN:.*]] = arith.cmpi ult, %{{.*}}, %[[SIZE]] : tensor<32xi32
  // CHECK: %[[ONE:.*]] = arith.select %{{.*}}, %[[V]], %cst{{.*}} : tensor<32x64xi1, #ttg.dot_op
  // CHECK: } else {
  // CHECK: tt.load
  tt.func public @padding(%p: !tt.ptr<f16> {tt.divisibility = 64 : i32}, %batch: i32, %n: i32) -> tensor<32x64xf16, #a2> {
    %size = arith.constant 4096 : i32
    %r0 = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #a2}>>
    %r1 = tt.expand_dims %r0 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #a2}>> -> tensor<32x1xi32, #a2>
    %c0 = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #a2}>>
    %c1 = tt.expand_dims %c0 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #a2}>> -> tensor<1x64xi32, #a2>
    %ld = arith.constant dense<64> : tensor<32x1xi32, #a2>
    %r = arith.muli %r1, %ld : tensor<32x1xi32, #a2>
    %rb = tt.broadcast %r : tensor<32x1xi32, #a2> -> tensor<32x64xi32, #a2>
    %cb = tt.broadcast %c1 : tensor<1x64xi32, #a2> -> tensor<32x64xi32, #a2>
    %o = arith.addi %rb, %cb : tensor<32x64xi32, #a2>
    %before = arith.muli %batch, %size : i32
    %at = tt.addptr %p, %before : !tt.ptr<f16>, i32
    %b = tt.splat %at : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #a2>
    %q = tt.addptr %b, %o : tensor<32x64x!tt.ptr<f16>, #a2>, tensor<32x64xi32, #a2>
    %ns = tt.splat %n : i32 -> tensor<32x1xi32, #a2>
    %less = arith.cmpi slt, %r1, %ns : tensor<32x1xi32, #a2>
    %mask = tt.broadcast %less : tensor<32x1xi1, #a2> -> tensor<32x64xi1, #a2>
    %ones = arith.constant dense<1.0> : tensor<32x64xf16, #a2>
    %v = tt.load %q, %mask, %ones : tensor<32x64x!tt.ptr<f16>, #a2>
    tt.return %v : tensor<32x64xf16, #a2>
  }
}
