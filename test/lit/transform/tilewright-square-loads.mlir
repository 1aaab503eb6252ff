// RUN: tilewright-opt %s --split-input-file --tilewright-square-loads | FileCheck %s

#a = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.amd_wmma<{version = 2, isTranspose = true, ctaLayout = {warp = [[0, 1], [1, 0]]}}>
#oa = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 8}>
#ob = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 8}>
// CHECK: #[[A:.*]] = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK: #[[SQUARE:.*]] = #ttg.blocked<{sizePerThread = [8, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK: #[[SMALL:.*]] = #ttg.blocked<{sizePerThread = [4, 4], {{.*}}, order = [1, 0]}>
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

// B turned round in the kernel lies along K again; and a thread may have fewer elements.
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
