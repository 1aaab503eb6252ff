// RUN: tilewright-opt %s --split-input-file --tilewright-square-loads | FileCheck %s

#a = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.amd_wmma<{version = 2, isTranspose = true, ctaLayout = {warp = [[0, 1], [1, 0]]}}>
#oa = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 8}>
#ob = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 8}>
// CHECK: #[[A:.*]] = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK: #[[SQUARE:.*]] = #ttg.blocked<{sizePerThread = [8, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK: #[[SMALL:.*]] = #ttg.blocked<{sizePerThread = [2, 8], threadsPerWarp = [4, 8], warpsPerCTA = [2, 2], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1201", "ttg.threads-per-warp" = 32 : i32} {

// A lies along K, B does not.
// CHECK-LABEL: @rows
// CHECK: tt.load %{{.*}} : tensor<128x64x!tt.ptr<f16>, #[[A]]>
// CHECK: tt.load %{{.*}} : tensor<64x128x!tt.ptr<f16>, #[[SQUARE]]>
tt.func @rows(%p: tensor<128x64x!tt.ptr<f16>, #a>, %q: tensor<64x128x!tt.ptr<f16>, #b>) -> (tensor<128x64xf16, #oa>, tensor<64x128xf16, #ob>) {
  %x = tt.load %p : tensor<128x64x!tt.ptr<f16>, #a>
  %y = tt.load %q : tensor<64x128x!tt.ptr<f16>, #b>
  %a = ttg.convert_layout %x : tensor<128x64xf16, #a> -> tensor<128x64xf16, #oa>
  %b = ttg.convert_layout %y : tensor<64x128xf16, #b> -> tensor<64x128xf16, #ob>
  tt.return %a, %b : tensor<128x64xf16, #oa>, tensor<64x128xf16, #ob>
}

// B turned round in the kernel lies along K again; and a thread may have fewer elements: then it loads
// as many at once, of two rows, and neighbours along K are in neighbouring lanes.
// CHECK-LABEL: @turned
// CHECK: tt.load %{{.*}} : tensor<128x64x!tt.ptr<f16>, #[[A]]>
// CHECK: tt.load %{{.*}} : tensor<16x128x!tt.ptr<f16>, #[[SMALL]]>
tt.func @turned(%p: tensor<128x64x!tt.ptr<f16>, #a>, %q: tensor<16x128x!tt.ptr<f16>, #b>) -> (tensor<64x128xf16, #ob>, tensor<16x128xf16, #ob>) {
  %x = tt.load %p : tensor<128x64x!tt.ptr<f16>, #a>
  %y = tt.load %q : tensor<16x128x!tt.ptr<f16>, #b>
  %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<128x64xf16, #a> -> tensor<64x128xf16, #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>>
  %a = ttg.convert_layout %t : tensor<64x128xf16, #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>> -> tensor<64x128xf16, #ob>
  %b = ttg.convert_layout %y : tensor<16x128xf16, #b> -> tensor<16x128xf16, #ob>
  tt.return %a, %b : tensor<64x128xf16, #ob>, tensor<16x128xf16, #ob>
}
}

// -----

// In a loop, on gfx12, of 16 bits: addresses so that a load of the warp transposes 8 rows, which are
// in neighbouring lanes. Not where they are not aligned to 16 bytes.
// CHECK: #[[ROWS:.*]] = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
// CHECK: #[[SQUARE:.*]] = #ttg.blocked<{sizePerThread = [8, 8], {{.*}}, order = [1, 0]}>
// CHECK-LABEL: @loop
// CHECK: tt.load %{{.*}} : tensor<64x128x!tt.ptr<f16>, #[[ROWS]]>
// CHECK: tt.load %{{.*}} : tensor<64x128x!tt.ptr<f16>, #[[SQUARE]]>
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.amd_wmma<{version = 2, isTranspose = true, ctaLayout = {warp = [[0, 1], [1, 0]]}}>
#ob = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 8}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1201", "ttg.threads-per-warp" = 32 : i32} {
tt.func @loop(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %columns = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #b}>>
  %row = tt.expand_dims %columns {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x128xi32, #b>
  %offsets = tt.broadcast %row : tensor<1x128xi32, #b> -> tensor<64x128xi32, #b>
  %pb = tt.splat %p : !tt.ptr<f16> -> tensor<64x128x!tt.ptr<f16>, #b>
  %qb = tt.splat %q : !tt.ptr<f16> -> tensor<64x128x!tt.ptr<f16>, #b>
  %pp = tt.addptr %pb, %offsets : tensor<64x128x!tt.ptr<f16>, #b>, tensor<64x128xi32, #b>
  %qp = tt.addptr %qb, %offsets : tensor<64x128x!tt.ptr<f16>, #b>, tensor<64x128xi32, #b>
  %zero = arith.constant dense<0.0> : tensor<64x128xf16, #ob>
  %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %zero, %v = %zero) -> (tensor<64x128xf16, #ob>, tensor<64x128xf16, #ob>) : i32 {
    %x = tt.load %pp : tensor<64x128x!tt.ptr<f16>, #b>
    %y = tt.load %qp : tensor<64x128x!tt.ptr<f16>, #b>
    %a = ttg.convert_layout %x : tensor<64x128xf16, #b> -> tensor<64x128xf16, #ob>
    %b = ttg.convert_layout %y : tensor<64x128xf16, #b> -> tensor<64x128xf16, #ob>
    scf.yield %a, %b : tensor<64x128xf16, #ob>, tensor<64x128xf16, #ob>
  }
  tt.return
}
}
