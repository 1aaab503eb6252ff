// RUN: tilewright-opt %s --convert-triton-to-tritongpu=num-warps=8 --tritongpu-coalesce --tritongpu-accelerate-matmul --test-print-layout-problem=alternatives=1 -o /dev/null | FileCheck %s --check-prefix=PROBLEM
// RUN: tilewright-opt %s --convert-triton-to-tritongpu=num-warps=8 --tritongpu-coalesce --tritongpu-accelerate-matmul --tritongpu-remove-layout-conversions="exact=1 alternatives=1" | FileCheck %s --check-prefix=EXACT
// RUN: tilewright-opt %s --convert-triton-to-tritongpu=num-warps=8 --tritongpu-coalesce --tritongpu-accelerate-matmul --tritongpu-remove-layout-conversions=alternatives=1 | FileCheck %s --check-prefix=GREEDY
// RUN: tilewright-opt %s --convert-triton-to-tritongpu=target=hip:gfx1100 --tritongpu-coalesce --tritongpu-accelerate-matmul --tilewright-square-loads --test-print-layout-problem=alternatives=1 -o /dev/null | FileCheck %s --check-prefix=SQUARES
// RUN: tilewright-opt %S/Inputs/outer-product-unit-strides.ttir --convert-triton-to-tritongpu --tritongpu-coalesce --tilewright-tile-outer-products --test-print-layout-problem=alternatives=1 -o /dev/null | FileCheck %s --check-prefix=TILES

// What is copied ends somewhere: the mask lets no vector access through. One element a thread fills
// sectors; coalescing has found that already, and no alternative is cheaper.

// PROBLEM-LABEL: problem of masked_copy
// PROBLEM:       layout 0: #ttg.blocked<{sizePerThread = [1],
// PROBLEM:       user 0: Anchor([[#]] in 0, [[#MASK:]] in 0) gives
// PROBLEM-NEXT:  user 1: Anchor
// PROBLEM:       greedy costs: [[#COST:]],
// PROBLEM-NEXT:  exact costs: [[#COST]],

// GREEDY:        #[[NARROW:.*]] = #ttg.blocked<{sizePerThread = [1],
// GREEDY-LABEL:  tt.func @masked_copy
// GREEDY:        tt.load {{.*}} : tensor<1024x!tt.ptr<f32>, #[[NARROW]]>
// GREEDY:        tt.store {{.*}} : tensor<1024x!tt.ptr<f32>, #[[NARROW]]>

// EXACT:        #[[NARROW:.*]] = #ttg.blocked<{sizePerThread = [1],
// EXACT-LABEL:  tt.func @masked_copy
// EXACT-NOT:    ttg.convert_layout
// EXACT:        tt.load {{.*}} : tensor<1024x!tt.ptr<f32>, #[[NARROW]]>
// EXACT-NOT:    ttg.convert_layout
// EXACT:        tt.store {{.*}} : tensor<1024x!tt.ptr<f32>, #[[NARROW]]>
tt.func @masked_copy(%in: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
  %range = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32>
  %end = tt.splat %n : i32 -> tensor<1024xi32>
  %mask = arith.cmpi slt, %range, %end : tensor<1024xi32>
  %from = tt.splat %in : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %p = tt.addptr %from, %range : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %to = tt.splat %out : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %q = tt.addptr %to, %range : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %x = tt.load %p, %mask : tensor<1024x!tt.ptr<f32>>
  tt.store %q, %x, %mask : tensor<1024x!tt.ptr<f32>>
  tt.return
}

// A product: the other ways in which the warps share the result; and of its store, the layout that
// the value has. Where threads turn B round, squares of fewer rows.

// PROBLEM-LABEL: problem of product
// PROBLEM:       alternative of {{.*}} // as it is
// PROBLEM-NEXT:  alternative of {{.*}} // 64 bits a thread
// PROBLEM:       alternative of {{.*}} // warps 8 x 1
// PROBLEM-NEXT:  alternative of {{.*}} // warps 4 x 2
// PROBLEM:       alternative of {{.*}} // that of the value

// SQUARES-LABEL: problem of product
// SQUARES:       alternative of {{.*}} // as it is
// SQUARES:       alternative of {{.*}} // squares of 2 rows
// SQUARES:       alternative of {{.*}} // warps 2 x 2
tt.func @product(%pa: tensor<128x64x!tt.ptr<f16>>, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %pd: tensor<128x64x!tt.ptr<f32>>) {
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %columns = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %row = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %rows = tt.broadcast %row : tensor<1x64xi32> -> tensor<64x64xi32>
  %base = tt.splat %b : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
  %pb = tt.addptr %base, %rows : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
  %left = tt.load %pa : tensor<128x64x!tt.ptr<f16>>
  %right = tt.load %pb : tensor<64x64x!tt.ptr<f16>>
  %d = tt.dot %left, %right, %zero : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
  tt.store %pd, %d : tensor<128x64x!tt.ptr<f32>>
  tt.return
}

// TILES-LABEL: problem of
// TILES:       alternative of {{.*}} // a tile of the product
// TILES:       alternative of [[#ADD:]]: {{.*}} // as it is
// TILES-NEXT:  alternative of [[#ADD]]: {{.*}} // a tile{{$}}
// TILES-NEXT:  alternative of [[#ADD]]: {{.*}} // a tile{{$}}
