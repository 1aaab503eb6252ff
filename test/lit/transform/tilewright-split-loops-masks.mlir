// RUN: tilewright-opt %s --tilewright-split-loops --canonicalize --cse | FileCheck %s

// Masks of loops that are split: those whose parts are shared, and those that nobody uses.

#a = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.amd_wmma<{version = 2, isTranspose = true, ctaLayout = {warp = [[1, 0], [2, 0]]}}>
#oa = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 8}>
#ob = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 8}>
#row = #ttg.slice<{dim = 1, parent = #a}>
#column = #ttg.slice<{dim = 0, parent = #a}>
!p = tensor<64x64x!tt.ptr<f16>, #a>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1201", "ttg.threads-per-warp" = 32 : i32} {


// A mask of which each part is made twice of the one before: the loop is split as by the
// comparison alone, and not after 2^48 steps.
// CHECK-LABEL: @shared_parts
// CHECK: scf.if
// CHECK: scf.for
// CHECK: tt.load %{{[^,]*}} : tensor
// CHECK: scf.for
// CHECK: tt.load %{{.*}}, %{{.*}}, %{{.*}} : tensor
tt.func @shared_parts(%base: !tt.ptr<f16>, %stride: i32, %k: i32, %n: i32, %y: tensor<64x64xf16, #ob>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %step = arith.constant dense<64> : tensor<64x64xi32, #a>
  %other = arith.constant dense<0.0> : tensor<64x64xf16, #a>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %rows = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #row>
  %rows1 = tt.expand_dims %rows {axis = 1 : i32} : tensor<64xi32, #row> -> tensor<64x1xi32, #a>
  %strides = tt.splat %stride : i32 -> tensor<64x1xi32, #a>
  %offset = arith.muli %rows1, %strides : tensor<64x1xi32, #a>
  %bases = tt.splat %base : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #a>
  %p0 = tt.addptr %bases, %offset : tensor<64x1x!tt.ptr<f16>, #a>, tensor<64x1xi32, #a>
  %p1 = tt.broadcast %p0 : tensor<64x1x!tt.ptr<f16>, #a> -> !p
  %columns = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #column>
  %columns1 = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #column> -> tensor<1x64xi32, #a>
  %columns2 = tt.broadcast %columns1 : tensor<1x64xi32, #a> -> tensor<64x64xi32, #a>
  %p2 = tt.addptr %p1, %columns2 : !p, tensor<64x64xi32, #a>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %p2) -> (tensor<64x64xf32, #mma>, !p) : i32 {
    %done = arith.muli %i, %c64 : i32
    %left = arith.subi %k, %done : i32
    %limit = tt.splat %left : i32 -> tensor<64x64xi32, #a>
    %m0 = arith.cmpi slt, %columns2, %limit : tensor<64x64xi32, #a>
    %m1 = arith.andi %m0, %m0 : tensor<64x64xi1, #a>
    %m2 = arith.andi %m1, %m1 : tensor<64x64xi1, #a>
    %m3 = arith.andi %m2, %m2 : tensor<64x64xi1, #a>
    %m4 = arith.andi %m3, %m3 : tensor<64x64xi1, #a>
    %m5 = arith.andi %m4, %m4 : tensor<64x64xi1, #a>
    %m6 = arith.andi %m5, %m5 : tensor<64x64xi1, #a>
    %m7 = arith.andi %m6, %m6 : tensor<64x64xi1, #a>
    %m8 = arith.andi %m7, %m7 : tensor<64x64xi1, #a>
    %m9 = arith.andi %m8, %m8 : tensor<64x64xi1, #a>
    %m10 = arith.andi %m9, %m9 : tensor<64x64xi1, #a>
    %m11 = arith.andi %m10, %m10 : tensor<64x64xi1, #a>
    %m12 = arith.andi %m11, %m11 : tensor<64x64xi1, #a>
    %m13 = arith.andi %m12, %m12 : tensor<64x64xi1, #a>
    %m14 = arith.andi %m13, %m13 : tensor<64x64xi1, #a>
    %m15 = arith.andi %m14, %m14 : tensor<64x64xi1, #a>
    %m16 = arith.andi %m15, %m15 : tensor<64x64xi1, #a>
    %m17 = arith.andi %m16, %m16 : tensor<64x64xi1, #a>
    %m18 = arith.andi %m17, %m17 : tensor<64x64xi1, #a>
    %m19 = arith.andi %m18, %m18 : tensor<64x64xi1, #a>
    %m20 = arith.andi %m19, %m19 : tensor<64x64xi1, #a>
    %m21 = arith.andi %m20, %m20 : tensor<64x64xi1, #a>
    %m22 = arith.andi %m21, %m21 : tensor<64x64xi1, #a>
    %m23 = arith.andi %m22, %m22 : tensor<64x64xi1, #a>
    %m24 = arith.andi %m23, %m23 : tensor<64x64xi1, #a>
    %m25 = arith.andi %m24, %m24 : tensor<64x64xi1, #a>
    %m26 = arith.andi %m25, %m25 : tensor<64x64xi1, #a>
    %m27 = arith.andi %m26, %m26 : tensor<64x64xi1, #a>
    %m28 = arith.andi %m27, %m27 : tensor<64x64xi1, #a>
    %m29 = arith.andi %m28, %m28 : tensor<64x64xi1, #a>
    %m30 = arith.andi %m29, %m29 : tensor<64x64xi1, #a>
    %m31 = arith.andi %m30, %m30 : tensor<64x64xi1, #a>
    %m32 = arith.andi %m31, %m31 : tensor<64x64xi1, #a>
    %m33 = arith.andi %m32, %m32 : tensor<64x64xi1, #a>
    %m34 = arith.andi %m33, %m33 : tensor<64x64xi1, #a>
    %m35 = arith.andi %m34, %m34 : tensor<64x64xi1, #a>
    %m36 = arith.andi %m35, %m35 : tensor<64x64xi1, #a>
    %m37 = arith.andi %m36, %m36 : tensor<64x64xi1, #a>
    %m38 = arith.andi %m37, %m37 : tensor<64x64xi1, #a>
    %m39 = arith.andi %m38, %m38 : tensor<64x64xi1, #a>
    %m40 = arith.andi %m39, %m39 : tensor<64x64xi1, #a>
    %m41 = arith.andi %m40, %m40 : tensor<64x64xi1, #a>
    %m42 = arith.andi %m41, %m41 : tensor<64x64xi1, #a>
    %m43 = arith.andi %m42, %m42 : tensor<64x64xi1, #a>
    %m44 = arith.andi %m43, %m43 : tensor<64x64xi1, #a>
    %m45 = arith.andi %m44, %m44 : tensor<64x64xi1, #a>
    %m46 = arith.andi %m45, %m45 : tensor<64x64xi1, #a>
    %m47 = arith.andi %m46, %m46 : tensor<64x64xi1, #a>
    %m48 = arith.andi %m47, %m47 : tensor<64x64xi1, #a>
    %x = tt.load %p, %m48, %other : !p
    %xo = ttg.convert_layout %x : tensor<64x64xf16, #a> -> tensor<64x64xf16, #oa>
    %s = tt.dot %xo, %y, %acc : tensor<64x64xf16, #oa> * tensor<64x64xf16, #ob> -> tensor<64x64xf32, #mma>
    %next = tt.addptr %p, %step : !p, tensor<64x64xi32, #a>
    scf.yield %s, %next : tensor<64x64xf32, #mma>, !p
  }
  tt.return %r#0 : tensor<64x64xf32, #mma>
}

// A comparison for what nothing uses any more is erased from the loop that computes fewer addresses,
// once it has been replaced.
// CHECK-LABEL: @unused
// CHECK: scf.if
// CHECK: scf.for
// CHECK-NOT: arith.cmpi
// CHECK: tt.load %{{[^,]*}} : tensor
tt.func @unused(%base: !tt.ptr<f16>, %stride: i32, %k: i32, %n: i32, %y: tensor<64x64xf16, #ob>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %step = arith.constant dense<64> : tensor<64x64xi32, #a>
  %other = arith.constant dense<0.0> : tensor<64x64xf16, #a>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %rows = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #row>
  %rows1 = tt.expand_dims %rows {axis = 1 : i32} : tensor<64xi32, #row> -> tensor<64x1xi32, #a>
  %strides = tt.splat %stride : i32 -> tensor<64x1xi32, #a>
  %offset = arith.muli %rows1, %strides : tensor<64x1xi32, #a>
  %bases = tt.splat %base : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #a>
  %p0 = tt.addptr %bases, %offset : tensor<64x1x!tt.ptr<f16>, #a>, tensor<64x1xi32, #a>
  %p1 = tt.broadcast %p0 : tensor<64x1x!tt.ptr<f16>, #a> -> !p
  %columns = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #column>
  %columns1 = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #column> -> tensor<1x64xi32, #a>
  %columns2 = tt.broadcast %columns1 : tensor<1x64xi32, #a> -> tensor<64x64xi32, #a>
  %p2 = tt.addptr %p1, %columns2 : !p, tensor<64x64xi32, #a>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %p2) -> (tensor<64x64xf32, #mma>, !p) : i32 {
    %done = arith.muli %i, %c64 : i32
    %left = arith.subi %k, %done : i32
    %limit = tt.splat %left : i32 -> tensor<64x64xi32, #a>
    %m0 = arith.cmpi slt, %columns2, %limit : tensor<64x64xi32, #a>
    %unused = arith.cmpi sle, %columns2, %limit : tensor<64x64xi32, #a>
    %dead = arith.select %unused, %other, %other : tensor<64x64xi1, #a>, tensor<64x64xf16, #a>
    %x = tt.load %p, %m0, %other : !p
    %xo = ttg.convert_layout %x : tensor<64x64xf16, #a> -> tensor<64x64xf16, #oa>
    %s = tt.dot %xo, %y, %acc : tensor<64x64xf16, #oa> * tensor<64x64xf16, #ob> -> tensor<64x64xf32, #mma>
    %next = tt.addptr %p, %step : !p, tensor<64x64xi32, #a>
    scf.yield %s, %next : tensor<64x64xf32, #mma>, !p
  }
  tt.return %r#0 : tensor<64x64xf32, #mma>
}
}
