// RUN: tilewright-opt %S/Inputs/outer-product-unit-strides.ttir --convert-triton-to-tritongpu --tritongpu-coalesce --tilewright-tile-outer-products --tritongpu-remove-layout-conversions | FileCheck %s --check-prefix=UNIT
// RUN: tilewright-opt %corpus/matmul_fma/matmul_fma.ttir --convert-triton-to-tritongpu --tritongpu-coalesce --tilewright-tile-outer-products --tritongpu-remove-layout-conversions | FileCheck %s --check-prefix=STRIDED
// RUN: tilewright-opt %S/Inputs/outer-product-unit-strides.ttir --convert-triton-to-tritongpu=target=hip:gfx1100 --tritongpu-coalesce --tilewright-tile-outer-products --tritongpu-remove-layout-conversions | FileCheck %s --check-prefix=WARP-UNIT
// RUN: tilewright-opt %corpus/matmul_fma/matmul_fma.ttir --convert-triton-to-tritongpu=target=hip:gfx1100 --tritongpu-coalesce --tilewright-tile-outer-products --tritongpu-remove-layout-conversions | FileCheck %s --check-prefix=WARP-STRIDED
// RUN: tilewright-opt %s --convert-triton-to-tritongpu --tritongpu-coalesce --tilewright-tile-outer-products | FileCheck %s

// Contiguous rows: b comes in vectors of four, a thread has 4 x 16 elements of the result.
// The store writes the tile as it is.

// UNIT:      #blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
// UNIT-NEXT: module
// UNIT-NOT:  ttg.convert_layout
// UNIT:      arith.addf {{.*}} {ttg.keep_layout}
// UNIT-NOT:  ttg.convert_layout

// Unknown strides: 8 x 8 elements a thread, neighbouring lanes at neighbouring columns.

// STRIDED:      #blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// STRIDED-NEXT: module
// STRIDED-NOT:  ttg.convert_layout

// Loads of the warp as a whole: with contiguous rows it loads all of b, 64 bytes at a time, and
// each lane one element of a. Each warp then stores its rows, sixteen elements of eight at a time.

// WARP-UNIT:      #[[TILE:.*]] = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
// WARP-UNIT-NEXT: #[[ROWS:.*]] = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
// WARP-UNIT:      arith.addf {{.*}} {ttg.keep_layout} : tensor<128x64xf32, #[[TILE]]>
// WARP-UNIT:      tt.store {{.*}} : tensor<128x64x!tt.ptr<f32>, #[[ROWS]]>

// Of unknown strides it loads the fewer one by one: 32 elements of a for the warp, two of b a lane.

// WARP-STRIDED:      #blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
// WARP-STRIDED-NEXT: module
// WARP-STRIDED-NOT:  ttg.convert_layout

// A sum of something else is left alone.

// CHECK-LABEL: tt.func @row_sums
// CHECK-NOT: ttg.keep_layout
tt.func @row_sums(%p: tensor<128x1x!tt.ptr<f32>>, %q: tensor<128x64x!tt.ptr<f32>>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x64xf32>) : i32 {
    %a = tt.load %p : tensor<128x1x!tt.ptr<f32>>
    %wide = tt.broadcast %a : tensor<128x1xf32> -> tensor<128x64xf32>
    %square = arith.mulf %wide, %wide : tensor<128x64xf32>
    %next = arith.addf %acc, %square : tensor<128x64xf32>
    scf.yield %next : tensor<128x64xf32>
  }
  tt.store %q, %sum : tensor<128x64x!tt.ptr<f32>>
  tt.return
}

// Loads outside of the loop are not what makes it slow.

// CHECK-LABEL: tt.func @loaded_before
// CHECK-NOT: ttg.keep_layout
tt.func @loaded_before(%p: tensor<128x1x!tt.ptr<f32>>, %r: tensor<1x64x!tt.ptr<f32>>, %q: tensor<128x64x!tt.ptr<f32>>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %a = tt.load %p : tensor<128x1x!tt.ptr<f32>>
  %b = tt.load %r : tensor<1x64x!tt.ptr<f32>>
  %rows = tt.broadcast %a : tensor<128x1xf32> -> tensor<128x64xf32>
  %columns = tt.broadcast %b : tensor<1x64xf32> -> tensor<128x64xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x64xf32>) : i32 {
    %product = arith.mulf %rows, %columns : tensor<128x64xf32>
    %next = arith.addf %acc, %product : tensor<128x64xf32>
    scf.yield %next : tensor<128x64xf32>
  }
  tt.store %q, %sum : tensor<128x64x!tt.ptr<f32>>
  tt.return
}

// Extended operands, the operands the other way round. With a and b of 16 bits, the layout of
// the loads is that of the sum.

// CHECK-LABEL: tt.func @extended
// CHECK: tt.load {{.*}} : tensor<64x1x!tt.ptr<f16>, #[[TILE:.*]]>
// CHECK: tt.load {{.*}} : tensor<1x64x!tt.ptr<f16>, #[[TILE]]>
// CHECK: arith.addf {{.*}} {ttg.keep_layout} : tensor<64x64xf32, #[[TILE]]>
tt.func @extended(%p: tensor<64x1x!tt.ptr<f16>>, %r: tensor<1x64x!tt.ptr<f16>>, %q: tensor<64x64x!tt.ptr<f32>>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %a = tt.load %p : tensor<64x1x!tt.ptr<f16>>
    %b = tt.load %r : tensor<1x64x!tt.ptr<f16>>
    %a32 = arith.extf %a : tensor<64x1xf16> to tensor<64x1xf32>
    %b32 = arith.extf %b : tensor<1x64xf16> to tensor<1x64xf32>
    %rows = tt.broadcast %a32 : tensor<64x1xf32> -> tensor<64x64xf32>
    %columns = tt.broadcast %b32 : tensor<1x64xf32> -> tensor<64x64xf32>
    %product = arith.mulf %columns, %rows : tensor<64x64xf32>
    %next = arith.addf %product, %acc : tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  tt.store %q, %sum : tensor<64x64x!tt.ptr<f32>>
  tt.return
}
