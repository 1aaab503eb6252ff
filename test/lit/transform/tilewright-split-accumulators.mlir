// RUN: tilewright-opt %s --tilewright-split-accumulators="target=hip:gfx1201 threads=32 max-registers=32" | FileCheck %s
// RUN: tilewright-opt %s --tilewright-split-accumulators="target=hip:gfx1201 threads=32 max-registers=16" | FileCheck %s --check-prefix=FOUR
// RUN: tilewright-opt %s --tilewright-split-accumulators="target=hip:gfx1201 threads=32" | FileCheck %s --check-prefix=FITS

// Three fifths of 256 registers are enough for all of these.
// FITS-NOT: tw.part

// 64 registers of a thread for sums of 32 x 64, 32 for half of the columns. A is loaded in both
// loops, and the first part is rounded before the second. Both are stored after both loops.
// CHECK-LABEL: @columns
// CHECK-DAG: %[[LEFT:.*]] = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
// CHECK-DAG: %[[RIGHT:.*]] = tt.make_range {end = 64 : i32, start = 32 : i32} : tensor<32xi32>
// CHECK: %[[FIRST:.*]]:2 = scf.for {{.*}} -> (tensor<32x32xf32>, tensor<16x32x!tt.ptr<f16>>)
// CHECK: tt.load %{{.*}} : tensor<32x16x!tt.ptr<f16>>
// CHECK: tt.load %{{.*}} : tensor<16x32x!tt.ptr<f16>>
// CHECK: tt.dot {{.*}} : tensor<32x16xf16> * tensor<16x32xf16> -> tensor<32x32xf32>
// CHECK: } {tw.part}
// CHECK-NEXT: %[[ROUNDED:.*]] = arith.truncf %[[FIRST]]#0
// CHECK: %[[SECOND:.*]]:2 = scf.for {{.*}} -> (tensor<32x32xf32>, tensor<16x32x!tt.ptr<f16>>)
// CHECK: tt.load %{{.*}} : tensor<32x16x!tt.ptr<f16>>
// CHECK: } {tw.part}
// CHECK: %[[LATER:.*]] = arith.truncf %[[SECOND]]#0
// CHECK: tt.store %{{.*}}, %[[ROUNDED]], %{{.*}} : tensor<32x32x!tt.ptr<f16>>
// CHECK-NEXT: tt.store %{{.*}}, %[[LATER]], %{{.*}} : tensor<32x32x!tt.ptr<f16>>
// CHECK-NEXT: tt.return
// 16 registers: a quarter of the columns.
// FOUR-LABEL: @columns
// FOUR-COUNT-4: tt.dot {{.*}} -> tensor<32x16xf32>
// FOUR-NOT: scf.for
// FOUR-COUNT-4: tt.store {{.*}} : tensor<32x16x!tt.ptr<f16>>
// FOUR: tt.return
tt.func @columns(%a: tensor<32x16x!tt.ptr<f16>>, %b: !tt.ptr<f16>, %c: !tt.ptr<f16>, %n: i32, %stride: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  %step = arith.constant dense<1024> : tensor<16x64xi32>
  %columns = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %k = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %row = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %wide = tt.broadcast %row : tensor<1x64xi32> -> tensor<16x64xi32>
  %column = tt.expand_dims %k {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %strides = tt.splat %stride : i32 -> tensor<16x1xi32>
  %down = arith.muli %column, %strides : tensor<16x1xi32>
  %tall = tt.broadcast %down : tensor<16x1xi32> -> tensor<16x64xi32>
  %offset = arith.addi %wide, %tall : tensor<16x64xi32>
  %base = tt.splat %b : !tt.ptr<f16> -> tensor<16x64x!tt.ptr<f16>>
  %from = tt.addptr %base, %offset : tensor<16x64x!tt.ptr<f16>>, tensor<16x64xi32>
  %sum:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %from) -> (tensor<32x64xf32>, tensor<16x64x!tt.ptr<f16>>) : i32 {
    %x = tt.load %a : tensor<32x16x!tt.ptr<f16>>
    %y = tt.load %p : tensor<16x64x!tt.ptr<f16>>
    %d = tt.dot %x, %y, %acc : tensor<32x16xf16> * tensor<16x64xf16> -> tensor<32x64xf32>
    %q = tt.addptr %p, %step : tensor<16x64x!tt.ptr<f16>>, tensor<16x64xi32>
    scf.yield %d, %q : tensor<32x64xf32>, tensor<16x64x!tt.ptr<f16>>
  }
  %rounded = arith.truncf %sum#0 : tensor<32x64xf32> to tensor<32x64xf16>
  %lines = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %line = tt.expand_dims %lines {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %pitch = arith.constant dense<64> : tensor<32x1xi32>
  %starts = arith.muli %line, %pitch : tensor<32x1xi32>
  %all = tt.broadcast %starts : tensor<32x1xi32> -> tensor<32x64xi32>
  %across = tt.broadcast %row : tensor<1x64xi32> -> tensor<32x64xi32>
  %index = arith.addi %all, %across : tensor<32x64xi32>
  %out = tt.splat %c : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
  %to = tt.addptr %out, %index : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
  %bound = tt.splat %n : i32 -> tensor<32x64xi32>
  %mask = arith.cmpi slt, %index, %bound : tensor<32x64xi32>
  tt.store %to, %rounded, %mask : tensor<32x64x!tt.ptr<f16>>
  tt.return
}

// The longer side is that of the rows: B is loaded in both loops. What is added after the loop is
// loaded before the second one, as nothing has been written there.
// CHECK-LABEL: @rows
// CHECK: tt.dot {{.*}} : tensor<32x16xf16> * tensor<16x32xf16> -> tensor<32x32xf32>
// CHECK: } {tw.part}
// CHECK: %[[BIAS:.*]] = tt.load %{{.*}} : tensor<32x32x!tt.ptr<f32>>
// CHECK: arith.addf %{{.*}}, %[[BIAS]]
// CHECK: tt.dot {{.*}} : tensor<32x16xf16> * tensor<16x32xf16> -> tensor<32x32xf32>
// CHECK: } {tw.part}
// CHECK: scf.if
// CHECK-NEXT: tt.store {{.*}} : tensor<32x32x!tt.ptr<f32>>
// CHECK-NEXT: tt.store {{.*}} : tensor<32x32x!tt.ptr<f32>>
tt.func @rows(%a: !tt.ptr<f16>, %b: tensor<16x32x!tt.ptr<f16>>, %c: !tt.ptr<f32>, %n: i32, %writes: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %from = tt.splat %a : !tt.ptr<f16> -> tensor<16x64x!tt.ptr<f16>>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x32xf32>) : i32 {
    %number = tt.splat %i : i32 -> tensor<16x64xi32>
    %p = tt.addptr %from, %number : tensor<16x64x!tt.ptr<f16>>, tensor<16x64xi32>
    %t = tt.load %p : tensor<16x64x!tt.ptr<f16>>
    %x = tt.trans %t {order = array<i32: 1, 0>} : tensor<16x64xf16> -> tensor<64x16xf16>
    %y = tt.load %b : tensor<16x32x!tt.ptr<f16>>
    %d = tt.dot %x, %y, %acc : tensor<64x16xf16> * tensor<16x32xf16> -> tensor<64x32xf32>
    scf.yield %d : tensor<64x32xf32>
  }
  %to = tt.splat %c : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>>
  %bias = tt.load %to : tensor<64x32x!tt.ptr<f32>>
  %biased = arith.addf %sum, %bias : tensor<64x32xf32>
  scf.if %writes {
    tt.store %to, %biased : tensor<64x32x!tt.ptr<f32>>
  }
  tt.return
}

// What is loaded after something has been written is loaded there.
// CHECK-LABEL: @after_write
// CHECK: } {tw.part}
// CHECK: } {tw.part}
// CHECK: tt.store %{{.*}}, %c0_i32
// CHECK: tt.load {{.*}} : tensor<32x32x!tt.ptr<f32>>
// CHECK: arith.addf
tt.func @after_write(%a: tensor<32x16x!tt.ptr<f16>>, %b: !tt.ptr<f16>, %c: !tt.ptr<f32>, %flag: !tt.ptr<i32>, %n: i32) {
  %c0_i32 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  %from = tt.splat %b : !tt.ptr<f16> -> tensor<16x64x!tt.ptr<f16>>
  %sum = scf.for %i = %c0_i32 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32x64xf32>) : i32 {
    %x = tt.load %a : tensor<32x16x!tt.ptr<f16>>
    %y = tt.load %from : tensor<16x64x!tt.ptr<f16>>
    %d = tt.dot %x, %y, %acc : tensor<32x16xf16> * tensor<16x64xf16> -> tensor<32x64xf32>
    scf.yield %d : tensor<32x64xf32>
  }
  tt.store %flag, %c0_i32 : !tt.ptr<i32>
  %to = tt.splat %c : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>>
  %bias = tt.load %to : tensor<32x64x!tt.ptr<f32>>
  %biased = arith.addf %sum, %bias : tensor<32x64xf32>
  tt.store %to, %biased : tensor<32x64x!tt.ptr<f32>>
  tt.return
}

// A sum over the columns needs all of them.
// CHECK-LABEL: @reduced
// CHECK-NOT: tw.part
tt.func @reduced(%a: tensor<32x16x!tt.ptr<f16>>, %b: !tt.ptr<f16>, %c: tensor<32x!tt.ptr<f32>>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  %from = tt.splat %b : !tt.ptr<f16> -> tensor<16x64x!tt.ptr<f16>>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32x64xf32>) : i32 {
    %x = tt.load %a : tensor<32x16x!tt.ptr<f16>>
    %y = tt.load %from : tensor<16x64x!tt.ptr<f16>>
    %d = tt.dot %x, %y, %acc : tensor<32x16xf16> * tensor<16x64xf16> -> tensor<32x64xf32>
    scf.yield %d : tensor<32x64xf32>
  }
  %total = "tt.reduce"(%sum) <{axis = 1 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    tt.reduce.return %s : f32
  }) : (tensor<32x64xf32>) -> tensor<32xf32>
  tt.store %c, %total : tensor<32x!tt.ptr<f32>>
  tt.return
}

// A loop that writes runs once.
// CHECK-LABEL: @writes
// CHECK-NOT: tw.part
tt.func @writes(%a: tensor<32x16x!tt.ptr<f16>>, %b: !tt.ptr<f16>, %c: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  %one = arith.constant dense<1.0> : tensor<32x16xf16>
  %from = tt.splat %b : !tt.ptr<f16> -> tensor<16x64x!tt.ptr<f16>>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32x64xf32>) : i32 {
    %x = tt.load %a : tensor<32x16x!tt.ptr<f16>>
    %y = tt.load %from : tensor<16x64x!tt.ptr<f16>>
    %d = tt.dot %x, %y, %acc : tensor<32x16xf16> * tensor<16x64xf16> -> tensor<32x64xf32>
    tt.store %a, %one : tensor<32x16x!tt.ptr<f16>>
    scf.yield %d : tensor<32x64xf32>
  }
  %to = tt.splat %c : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>>
  tt.store %to, %sum : tensor<32x64x!tt.ptr<f32>>
  tt.return
}

// The first of two products is needed in full for every part of the second.
// CHECK-LABEL: @chained
// CHECK-NOT: tw.part
tt.func @chained(%a: tensor<32x16x!tt.ptr<f16>>, %b: tensor<16x16x!tt.ptr<f16>>, %v: !tt.ptr<f16>, %c: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  %none = arith.constant dense<0.0> : tensor<32x16xf32>
  %from = tt.splat %v : !tt.ptr<f16> -> tensor<16x64x!tt.ptr<f16>>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32x64xf32>) : i32 {
    %x = tt.load %a : tensor<32x16x!tt.ptr<f16>>
    %y = tt.load %b : tensor<16x16x!tt.ptr<f16>>
    %s = tt.dot %x, %y, %none : tensor<32x16xf16> * tensor<16x16xf16> -> tensor<32x16xf32>
    %p = arith.truncf %s : tensor<32x16xf32> to tensor<32x16xf16>
    %w = tt.load %from : tensor<16x64x!tt.ptr<f16>>
    %d = tt.dot %p, %w, %acc : tensor<32x16xf16> * tensor<16x64xf16> -> tensor<32x64xf32>
    scf.yield %d : tensor<32x64xf32>
  }
  %to = tt.splat %c : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>>
  tt.store %to, %sum : tensor<32x64x!tt.ptr<f32>>
  tt.return
}

// Nothing says what a part of an argument is.
// CHECK-LABEL: @argument
// CHECK-NOT: tw.part
tt.func @argument(%a: tensor<32x16x!tt.ptr<f16>>, %b: tensor<16x64x!tt.ptr<f16>>, %c: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32x64xf32>) : i32 {
    %x = tt.load %a : tensor<32x16x!tt.ptr<f16>>
    %y = tt.load %b : tensor<16x64x!tt.ptr<f16>>
    %d = tt.dot %x, %y, %acc : tensor<32x16xf16> * tensor<16x64xf16> -> tensor<32x64xf32>
    scf.yield %d : tensor<32x64xf32>
  }
  %to = tt.splat %c : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>>
  tt.store %to, %sum : tensor<32x64x!tt.ptr<f32>>
  tt.return
}
