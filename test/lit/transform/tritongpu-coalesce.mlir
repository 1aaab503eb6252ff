// RUN: tilewright-opt %S/Inputs/outer-product-unit-strides.ttir --convert-triton-to-tritongpu --tritongpu-coalesce | FileCheck %s --check-prefix=MATMUL
// RUN: tilewright-opt %s -split-input-file --convert-triton-to-tritongpu --tritongpu-coalesce | FileCheck %s

// MATMUL: #blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
// MATMUL: #blocked5 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
// MATMUL: %[[P:.*]] = ttg.convert_layout %{{.*}} : tensor<128x64x!tt.ptr<f32>, #blocked> -> tensor<128x64x!tt.ptr<f32>, #blocked5>
// MATMUL: %[[V:.*]] = ttg.convert_layout %{{.*}} : tensor<128x64xf32, #blocked> -> tensor<128x64xf32, #blocked5>
// MATMUL: %[[M:.*]] = ttg.convert_layout %{{.*}} : tensor<128x64xi1, #blocked> -> tensor<128x64xi1, #blocked5>
// MATMUL: store %[[P]], %[[V]], %[[M]] : tensor<128x64x!tt.ptr<f32>, #blocked5>

// Eight 16-bit elements are 128 bits; the store of 32-bit ones takes four.

// CHECK-DAG: #[[WIDE:.*]] = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK-DAG: #[[NARROW:.*]] = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK-LABEL: tt.func @widths
tt.func @widths(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %offsets = tt.make_range {start = 0 : i32, end = 2048 : i32} : tensor<2048xi32>
  %xs = tt.splat %x : !tt.ptr<f16> -> tensor<2048x!tt.ptr<f16>>
  %px = tt.addptr %xs, %offsets : tensor<2048x!tt.ptr<f16>>, tensor<2048xi32>
  // CHECK: load {{.*}} : tensor<2048x!tt.ptr<f16>, #[[WIDE]]>
  // CHECK-NEXT: ttg.convert_layout
  %v = tt.load %px : tensor<2048x!tt.ptr<f16>>
  %w = arith.extf %v : tensor<2048xf16> to tensor<2048xf32>
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>>
  %py = tt.addptr %ys, %offsets : tensor<2048x!tt.ptr<f32>>, tensor<2048xi32>
  // CHECK: store {{.*}} : tensor<2048x!tt.ptr<f32>, #[[NARROW]]>
  tt.store %py, %w : tensor<2048x!tt.ptr<f32>>
  tt.return
}

// -----

// Nothing is known of the alignment: one element a thread. No conversion is added.

// CHECK-LABEL: tt.func @unaligned
// CHECK-NOT: ttg.convert_layout
tt.func @unaligned(%x: !tt.ptr<f32>) {
  %offsets = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %px = tt.addptr %xs, %offsets : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %v = tt.load %px : tensor<1024x!tt.ptr<f32>>
  tt.store %px, %v : tensor<1024x!tt.ptr<f32>>
  tt.return
}

// -----

// A thread does not take more than its share of the elements.

// CHECK: #[[SHARE:.*]] = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK-LABEL: tt.func @share
tt.func @share(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %offsets = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
  %px = tt.addptr %xs, %offsets : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
  // CHECK: load {{.*}} : tensor<256x!tt.ptr<f32>, #[[SHARE]]>
  %v = tt.load %px : tensor<256x!tt.ptr<f32>>
  tt.store %px, %v : tensor<256x!tt.ptr<f32>>
  tt.return
}

// -----

// Columns that are contiguous come first in the order.

// CHECK: #[[COLUMNS:.*]] = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
// CHECK-LABEL: tt.func @columns
tt.func @columns(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %stride: i32 {tt.divisibility = 16 : i32}) {
  %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %rows = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %cols = tt.expand_dims %r {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %s = tt.splat %stride : i32 -> tensor<1x64xi32>
  %scaled = arith.muli %cols, %s : tensor<1x64xi32>
  %rowsWide = tt.broadcast %rows : tensor<64x1xi32> -> tensor<64x64xi32>
  %colsWide = tt.broadcast %scaled : tensor<1x64xi32> -> tensor<64x64xi32>
  %offsets = arith.addi %rowsWide, %colsWide : tensor<64x64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  %px = tt.addptr %xs, %offsets : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
  // CHECK: load {{.*}} : tensor<64x64x!tt.ptr<f32>, #[[COLUMNS]]>
  %v = tt.load %px : tensor<64x64x!tt.ptr<f32>>
  tt.store %px, %v : tensor<64x64x!tt.ptr<f32>>
  tt.return
}

// -----

// Blocks of descriptors that hardware copies: rows, 16 bytes a thread, of loads, of rows that are
// gathered, and of stores.

// CHECK: #[[ROWS:.*]] = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-LABEL: tt.func @blocks
#s = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#p = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 16}>
tt.func @blocks(%d: !tt.tensordesc<tensor<64x64xf16, #s>>, %e: !tt.tensordesc<tensor<1x64xf16, #p>>, %rows: tensor<64xi32>, %i: i32) {
  // CHECK: tt.descriptor_load {{.*}} -> tensor<64x64xf16, #[[ROWS]]>
  %x = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<64x64xf16, #s>> -> tensor<64x64xf16>
  // CHECK: tt.descriptor_gather {{.*}} -> tensor<64x64xf16, #[[ROWS]]>
  %y = tt.descriptor_gather %e[%rows, %i] : (!tt.tensordesc<tensor<1x64xf16, #p>>, tensor<64xi32>, i32) -> tensor<64x64xf16>
  %z = arith.addf %x, %y : tensor<64x64xf16>
  // CHECK: tt.descriptor_store {{.*}}, tensor<64x64xf16, #[[ROWS]]>
  tt.descriptor_store %d[%i, %i], %z : !tt.tensordesc<tensor<64x64xf16, #s>>, tensor<64x64xf16>
  tt.return
}

// -----

// Nothing is known of the length: the mask takes the neighbours of a thread apart, which go to lanes
// side by side. A length that is a multiple of 8 lets accesses stay whole; so does the wish of a
// scan for neighbours in a thread.

// CHECK-DAG: #[[ONE:.*]] = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK-DAG: #[[FOUR:.*]] = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK-DAG: #[[EIGHT:.*]] = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK-LABEL: tt.func @odd_length
tt.func @odd_length(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32) {
  %offsets = tt.make_range {start = 0 : i32, end = 2048 : i32} : tensor<2048xi32>
  %ns = tt.splat %n : i32 -> tensor<2048xi32>
  %mask = arith.cmpi slt, %offsets, %ns : tensor<2048xi32>
  %xs = tt.splat %x : !tt.ptr<f16> -> tensor<2048x!tt.ptr<f16>>
  %px = tt.addptr %xs, %offsets : tensor<2048x!tt.ptr<f16>>, tensor<2048xi32>
  // CHECK: load {{.*}} : tensor<2048x!tt.ptr<f16>, #[[ONE]]>
  %v = tt.load %px, %mask : tensor<2048x!tt.ptr<f16>>
  // CHECK: store {{.*}} : tensor<2048x!tt.ptr<f16>, #[[ONE]]>
  tt.store %px, %v, %mask : tensor<2048x!tt.ptr<f16>>
  tt.return
}

// CHECK-LABEL: tt.func @even_length
tt.func @even_length(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 8 : i32}) {
  %offsets = tt.make_range {start = 0 : i32, end = 2048 : i32} : tensor<2048xi32>
  %ns = tt.splat %n : i32 -> tensor<2048xi32>
  %mask = arith.cmpi slt, %offsets, %ns : tensor<2048xi32>
  %xs = tt.splat %x : !tt.ptr<f16> -> tensor<2048x!tt.ptr<f16>>
  %px = tt.addptr %xs, %offsets : tensor<2048x!tt.ptr<f16>>, tensor<2048xi32>
  // CHECK: load {{.*}} : tensor<2048x!tt.ptr<f16>, #[[EIGHT]]>
  %v = tt.load %px, %mask : tensor<2048x!tt.ptr<f16>>
  tt.store %px, %v, %mask : tensor<2048x!tt.ptr<f16>>
  tt.return
}

// CHECK-LABEL: tt.func @scan
tt.func @scan(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
  %offsets = tt.make_range {start = 0 : i32, end = 2048 : i32} : tensor<2048xi32>
  %ns = tt.splat %n : i32 -> tensor<2048xi32>
  %mask = arith.cmpi slt, %offsets, %ns : tensor<2048xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>>
  %px = tt.addptr %xs, %offsets : tensor<2048x!tt.ptr<f32>>, tensor<2048xi32>
  // CHECK: load {{.*}} : tensor<2048x!tt.ptr<f32>, #[[FOUR]]>
  %v = tt.load %px, %mask : tensor<2048x!tt.ptr<f32>>
  %s = "tt.scan"(%v) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    tt.scan.return %sum : f32
  }) : (tensor<2048xf32>) -> tensor<2048xf32>
  tt.store %px, %s, %mask : tensor<2048x!tt.ptr<f32>>
  tt.return
}
