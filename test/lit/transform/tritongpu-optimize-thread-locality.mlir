// RUN: tilewright-opt %s -split-input-file --tritongpu-optimize-thread-locality | FileCheck %s

// A row of 256 is 4 x 16 x 4: 4 groups of 16 lanes with 4 registers each. The loop reduces the
// registers; the lanes are reduced after it, and what the accumulator began with comes in last.
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#row = #ttg.slice<{dim = 1, parent = #blocked}>
// CHECK-LABEL: @sum_of_rows
// CHECK-SAME: %[[P:.*]]: tensor<32x256x!tt.ptr<f32>, #{{.*}}>, %[[N:.*]]: i32, %[[INIT:.*]]: tensor<32xf32
tt.func @sum_of_rows(%p: tensor<32x256x!tt.ptr<f32>, #blocked>, %n: i32, %init: tensor<32xf32, #row>) -> tensor<32xf32, #row> {
  // CHECK: %[[ZERO:.*]] = arith.constant dense<-0.000000e+00> : tensor<32x16xf32,
  // CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[ZERO]]) -> (tensor<32x16xf32,
  // CHECK: %[[X:.*]] = tt.load
  // CHECK-NEXT: %[[CUT:.*]] = tt.reshape %[[X]] : tensor<32x256xf32, #{{.*}}> -> tensor<32x4x16x4xf32, #{{.*}}>
  // CHECK-NEXT: %[[A:.*]] = "tt.reduce"(%[[CUT]]) <{axis = 3 : i32}>
  // CHECK: %[[B:.*]] = "tt.reduce"(%[[A]]) <{axis = 1 : i32}>
  // CHECK: %[[NEXT:.*]] = arith.addf %[[ACC]], %[[B]] : tensor<32x16xf32,
  // CHECK-NEXT: scf.yield %[[NEXT]]
  // CHECK: %[[T:.*]] = "tt.reduce"(%[[R]]) <{axis = 1 : i32}>
  // CHECK: %[[C:.*]] = ttg.convert_layout %[[T]] : {{.*}} -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
  // CHECK-NEXT: %[[F:.*]] = arith.addf %[[INIT]], %[[C]]
  // CHECK-NEXT: tt.return %[[F]]
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %init) -> (tensor<32xf32, #row>) : i32 {
    %x = tt.load %p : tensor<32x256x!tt.ptr<f32>, #blocked>
    %s = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<32x256xf32, #blocked>) -> tensor<32xf32, #row>
    %next = arith.addf %acc, %s : tensor<32xf32, #row>
    scf.yield %next : tensor<32xf32, #row>
  }
  tt.return %r : tensor<32xf32, #row>
}

// -----

// A scalar, maxnum with its operands the other way round; one element a thread, so nothing is
// left to reduce in the loop. The neutral element of maxnum is a NaN.
#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK-LABEL: @max_of_all
tt.func @max_of_all(%p: tensor<128x!tt.ptr<f32>, #line>, %n: i32, %init: f32) -> f32 {
  // CHECK: %[[NAN:.*]] = arith.constant dense<0x7FC00000> : tensor<128xf32, #blocked>
  // CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[NAN]]) -> (tensor<128xf32, #blocked>)
  // CHECK: %[[X:.*]] = tt.load
  // CHECK-NEXT: %[[NEXT:.*]] = arith.maxnumf %[[X]], %[[ACC]] : tensor<128xf32, #blocked>
  // CHECK-NEXT: scf.yield %[[NEXT]]
  // CHECK: %[[T:.*]] = "tt.reduce"(%[[R]]) <{axis = 0 : i32}>
  // CHECK: %[[F:.*]] = arith.maxnumf %[[T]], %arg2 : f32
  // CHECK: tt.return %[[F]]
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %init) -> (f32) : i32 {
    %x = tt.load %p : tensor<128x!tt.ptr<f32>, #line>
    %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.maxnumf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<128xf32, #line>) -> f32
    %next = arith.maxnumf %s, %acc : f32
    scf.yield %next : f32
  }
  tt.return %r : f32
}

// Two reductions of one loop, each with its neutral element.
// CHECK-LABEL: @two
tt.func @two(%p: tensor<128x!tt.ptr<i32>, #line>, %n: i32, %init: i32) -> (i32, i32) {
  // CHECK-DAG: arith.constant dense<1> : tensor<128xi32, #blocked>
  // CHECK-DAG: arith.constant dense<2147483647> : tensor<128xi32, #blocked>
  // CHECK: scf.for
  // CHECK-NOT: tt.reduce
  // CHECK: scf.yield
  // CHECK-COUNT-2: "tt.reduce"
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%acc = %init, %low = %init) -> (i32, i32) : i32 {
    %x = tt.load %p : tensor<128x!tt.ptr<i32>, #line>
    %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %c = arith.muli %a, %b : i32
      tt.reduce.return %c : i32
    }) : (tensor<128xi32, #line>) -> i32
    %t = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %c = arith.minsi %b, %a : i32
      tt.reduce.return %c : i32
    }) : (tensor<128xi32, #line>) -> i32
    %next = arith.muli %acc, %s : i32
    %lower = arith.minsi %low, %t : i32
    scf.yield %next, %lower : i32, i32
  }
  tt.return %r#0, %r#1 : i32, i32
}

// -----

// Left alone: another op accumulates than reduces; the op is not associative; the sum or the
// accumulator has another use; the axis is one thread's; a flag forbids the neutral element.
#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-LABEL: @other_op
tt.func @other_op(%p: tensor<128x!tt.ptr<f32>, #line>, %n: i32, %init: f32) -> (f32, f32, f32, f32, f32) {
  // CHECK: scf.for {{.*}} -> (f32, f32, f32, f32, f32)
  // CHECK-COUNT-5: "tt.reduce"
  // CHECK: scf.yield
  // CHECK-NEXT: {{^ *}$}}
  // CHECK-NEXT: tt.return
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:5 = scf.for %i = %zero to %n step %one iter_args(%a0 = %init, %a1 = %init, %a2 = %init, %a3 = %init, %a4 = %init)
      -> (f32, f32, f32, f32, f32) : i32 {
    %x = tt.load %p : tensor<128x!tt.ptr<f32>, #line>
    %s0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.maximumf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<128xf32, #line>) -> f32
    %n0 = arith.addf %a0, %s0 : f32
    %s1 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.subf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<128xf32, #line>) -> f32
    %n1 = arith.subf %a1, %s1 : f32
    %s2 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<128xf32, #line>) -> f32
    %n2 = arith.addf %a2, %s2 : f32
    %u2 = arith.mulf %n2, %s2 : f32
    %q = tt.splat %u2 : f32 -> tensor<128xf32, #line>
    tt.store %p, %q : tensor<128x!tt.ptr<f32>, #line>
    %s3 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<128xf32, #line>) -> f32
    %n3 = arith.addf %a3, %s3 : f32
    %u3 = tt.splat %a3 : f32 -> tensor<128xf32, #line>
    tt.store %p, %u3 : tensor<128x!tt.ptr<f32>, #line>
    %s4 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.maxnumf %a, %b fastmath<nnan> : f32
      tt.reduce.return %c : f32
    }) : (tensor<128xf32, #line>) -> f32
    %n4 = arith.maxnumf %a4, %s4 : f32
    scf.yield %n0, %n1, %n2, %n3, %n4 : f32, f32, f32, f32, f32
  }
  tt.return %r#0, %r#1, %r#2, %r#3, %r#4 : f32, f32, f32, f32, f32
}

// CHECK-LABEL: @within_threads
tt.func @within_threads(%p: tensor<128x4x!tt.ptr<f32>, #rows>, %n: i32, %init: tensor<128xf32, #ttg.slice<{dim = 1, parent = #rows}>>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #rows}>> {
  // CHECK: scf.for
  // CHECK: "tt.reduce"
  // CHECK: scf.yield
  // CHECK-NEXT: {{^ *}$}}
  // CHECK-NEXT: tt.return
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %init) -> (tensor<128xf32, #ttg.slice<{dim = 1, parent = #rows}>>) : i32 {
    %x = tt.load %p : tensor<128x4x!tt.ptr<f32>, #rows>
    %s = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<128x4xf32, #rows>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #rows}>>
    %next = arith.addf %acc, %s : tensor<128xf32, #ttg.slice<{dim = 1, parent = #rows}>>
    scf.yield %next : tensor<128xf32, #ttg.slice<{dim = 1, parent = #rows}>>
  }
  tt.return %r : tensor<128xf32, #ttg.slice<{dim = 1, parent = #rows}>>
}

// -----

// Lanes that hold copies (32 elements on 128 threads) stay copies.
#line = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK-LABEL: @copies
tt.func @copies(%p: tensor<32x!tt.ptr<i32>, #line>, %n: i32, %init: i32) -> i32 {
  // CHECK: scf.for {{.*}} -> (tensor<16xi32,
  // CHECK: tt.reshape %{{.*}} : tensor<32xi32, #blocked> -> tensor<16x2xi32, #blocked1>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %init) -> (i32) : i32 {
    %x = tt.load %p : tensor<32x!tt.ptr<i32>, #line>
    %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %c = arith.addi %a, %b : i32
      tt.reduce.return %c : i32
    }) : (tensor<32xi32, #line>) -> i32
    %next = arith.addi %acc, %s : i32
    scf.yield %next : i32
  }
  tt.return %r : i32
}

// -----

// A reshape to which any order will do: two lanes have a row, or a column. One that is stored as
// well, one that keeps the order and one whose threads have copies stay as they are.
#flat = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>

// CHECK-DAG: #[[ROWS:.*]] = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-DAG: #[[LANES_OF_ROW:.*]] = #ttg.blocked<{sizePerThread = [1, 32], threadsPerWarp = [16, 2], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-DAG: #[[LANES_OF_COLUMN:.*]] = #ttg.blocked<{sizePerThread = [32, 1], threadsPerWarp = [2, 16], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @any_order
  // CHECK: tt.reshape %{{.*}} allow_reorder efficient_layout : {{.*}} -> tensor<64x64xf32, #[[LANES_OF_ROW]]>
  // CHECK: (tensor<64x64xf32, #[[LANES_OF_ROW]]>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #[[LANES_OF_ROW]]}>>
  // CHECK: ttg.convert_layout %{{.*}} -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #[[ROWS]]}>>
  // CHECK: tt.reshape %{{.*}} allow_reorder efficient_layout : {{.*}} -> tensor<64x64xf32, #[[LANES_OF_COLUMN]]>
  // CHECK: tt.reshape %{{.*}} allow_reorder : {{.*}} -> tensor<64x64xf32, #[[ROWS]]>
  // CHECK: tt.reshape %{{[^ ]*}} : {{.*}} -> tensor<64x64xf32, #[[ROWS]]>
  // CHECK: tt.reshape %{{.*}} allow_reorder : {{.*}} -> tensor<8x8xf32, #[[ROWS]]>
  tt.func @any_order(%x: tensor<4096xf32, #flat>, %p: tensor<64x64x!tt.ptr<f32>, #rows>, %few: tensor<64xf32, #flat>) -> (tensor<64xf32, #ttg.slice<{dim = 1, parent = #rows}>>, tensor<64xf32, #ttg.slice<{dim = 0, parent = #rows}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #rows}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #rows}>>, tensor<8xf32, #ttg.slice<{dim = 1, parent = #rows}>>) {
    %a = tt.reshape %x allow_reorder : tensor<4096xf32, #flat> -> tensor<64x64xf32, #rows>
    %b = "tt.reduce"(%a) <{axis = 1 : i32}> ({
    ^bb0(%l: f32, %r: f32):
      %s = arith.addf %l, %r : f32
      tt.reduce.return %s : f32
    }) : (tensor<64x64xf32, #rows>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #rows}>>
    %c = tt.reshape %x allow_reorder : tensor<4096xf32, #flat> -> tensor<64x64xf32, #rows>
    %d = "tt.reduce"(%c) <{axis = 0 : i32}> ({
    ^bb0(%l: f32, %r: f32):
      %s = arith.addf %l, %r : f32
      tt.reduce.return %s : f32
    }) : (tensor<64x64xf32, #rows>) -> tensor<64xf32, #ttg.slice<{dim = 0, parent = #rows}>>
    %e = tt.reshape %x allow_reorder : tensor<4096xf32, #flat> -> tensor<64x64xf32, #rows>
    tt.store %p, %e : tensor<64x64x!tt.ptr<f32>, #rows>
    %f = "tt.reduce"(%e) <{axis = 1 : i32}> ({
    ^bb0(%l: f32, %r: f32):
      %s = arith.addf %l, %r : f32
      tt.reduce.return %s : f32
    }) : (tensor<64x64xf32, #rows>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #rows}>>
    %g = tt.reshape %x : tensor<4096xf32, #flat> -> tensor<64x64xf32, #rows>
    %h = "tt.reduce"(%g) <{axis = 1 : i32}> ({
    ^bb0(%l: f32, %r: f32):
      %s = arith.addf %l, %r : f32
      tt.reduce.return %s : f32
    }) : (tensor<64x64xf32, #rows>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #rows}>>
    %i = tt.reshape %few allow_reorder : tensor<64xf32, #flat> -> tensor<8x8xf32, #rows>
    %j = "tt.reduce"(%i) <{axis = 1 : i32}> ({
    ^bb0(%l: f32, %r: f32):
      %s = arith.addf %l, %r : f32
      tt.reduce.return %s : f32
    }) : (tensor<8x8xf32, #rows>) -> tensor<8xf32, #ttg.slice<{dim = 1, parent = #rows}>>
    tt.return %b, %d, %f, %h, %j : tensor<64xf32, #ttg.slice<{dim = 1, parent = #rows}>>, tensor<64xf32, #ttg.slice<{dim = 0, parent = #rows}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #rows}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #rows}>>, tensor<8xf32, #ttg.slice<{dim = 1, parent = #rows}>>
  }
}
