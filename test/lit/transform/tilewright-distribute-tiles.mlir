// RUN: tilewright-opt %s -split-input-file --tilewright-distribute-tiles=num-ctas=4 | FileCheck %s

// A quarter of the elements each, counted from where the part begins.

// CHECK: module attributes {tw.distributed}
// CHECK-LABEL: tt.func @elements
// CHECK: %[[RANK:.*]] = tw.cluster_rank : i32
// CHECK: %[[OWN:.*]] = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
// CHECK: %[[BITS:.*]] = arith.andi %[[RANK]], %c3_i32
// CHECK: %[[FIRST:.*]] = arith.muli %[[BITS]], %c64_i32
// CHECK: %[[FIRSTS:.*]] = tt.splat %[[FIRST]]
// CHECK: arith.addi %[[OWN]], %[[FIRSTS]] : tensor<64xi32>
// CHECK: tt.store {{.*}} : tensor<64x!tt.ptr<f32>>
tt.func @elements(%x: !tt.ptr<f32>) {
  %i = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32>
  %p0 = tt.splat %x : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
  %p = tt.addptr %p0, %i : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
  %v = tt.load %p : tensor<256x!tt.ptr<f32>>
  tt.store %p, %v : tensor<256x!tt.ptr<f32>>
  tt.return
}

// -----

// Each block reduces its part; then all the four results.

// CHECK-LABEL: tt.func @sum
// CHECK: %[[OWN:.*]] = "tt.reduce"(%{{.*}}) <{axis = 0 : i32}>
// CHECK: (tensor<64xf32>) -> f32
// CHECK: %[[TILE:.*]] = tt.splat %[[OWN]] : f32 -> tensor<1xf32>
// CHECK: %[[ALL:.*]] = tw.cluster_convert %[[TILE]] {from = array<i32: 0, 0>, to = array<i32: -1, -1>} : tensor<1xf32> -> tensor<4xf32>
// CHECK: %[[SUM:.*]] = "tt.reduce"(%[[ALL]]) <{axis = 0 : i32}>
// CHECK: (tensor<4xf32>) -> f32
// One block stores it.
// CHECK: %[[BITS:.*]] = arith.andi
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[BITS]], %c0_i32
// CHECK: scf.if %[[FIRST]] {
// CHECK-NEXT: tt.store %{{.*}}, %[[SUM]] : !tt.ptr<f32>
tt.func @sum(%x: !tt.ptr<f32>) {
  %i = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32>
  %p0 = tt.splat %x : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
  %p = tt.addptr %p0, %i : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
  %v = tt.load %p : tensor<256x!tt.ptr<f32>>
  %s = "tt.reduce"(%v) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<256xf32>) -> f32
  tt.store %x, %s : !tt.ptr<f32>
  tt.return
}

// -----

// The columns of the product: A whole in every block, B in parts. A loop carries pointers so.

// CHECK-LABEL: tt.func @product
// CHECK: scf.for {{.*}} -> (tensor<128x64xf32>, tensor<128x32x!tt.ptr<f16>>)
// CHECK: tt.load {{.*}} : tensor<128x32x!tt.ptr<f16>>
// CHECK: tt.load {{.*}} : tensor<32x64x!tt.ptr<f16>>
// CHECK: tt.dot {{.*}} : tensor<128x32xf16> * tensor<32x64xf16> -> tensor<128x64xf32>
// CHECK: tt.store {{.*}} : tensor<128x64x!tt.ptr<f32>>
tt.func @product(%x: !tt.ptr<f16>, %y: !tt.ptr<f32>, %n: i32) {
  %m = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
  %k = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  %c = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32>
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  %step = arith.constant dense<32> : tensor<128x32xi32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %m1 = tt.expand_dims %m {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
  %k0 = tt.expand_dims %k {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %k1 = tt.expand_dims %k {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %n0 = tt.expand_dims %c {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
  %mk0 = tt.broadcast %m1 : tensor<128x1xi32> -> tensor<128x32xi32>
  %mk1 = tt.broadcast %k0 : tensor<1x32xi32> -> tensor<128x32xi32>
  %mk = arith.addi %mk0, %mk1 : tensor<128x32xi32>
  %kn0 = tt.broadcast %k1 : tensor<32x1xi32> -> tensor<32x256xi32>
  %kn1 = tt.broadcast %n0 : tensor<1x256xi32> -> tensor<32x256xi32>
  %kn = arith.addi %kn0, %kn1 : tensor<32x256xi32>
  %mn0 = tt.broadcast %m1 : tensor<128x1xi32> -> tensor<128x256xi32>
  %mn1 = tt.broadcast %n0 : tensor<1x256xi32> -> tensor<128x256xi32>
  %mn = arith.addi %mn0, %mn1 : tensor<128x256xi32>
  %xa = tt.splat %x : !tt.ptr<f16> -> tensor<128x32x!tt.ptr<f16>>
  %xb = tt.splat %x : !tt.ptr<f16> -> tensor<32x256x!tt.ptr<f16>>
  %yy = tt.splat %y : !tt.ptr<f32> -> tensor<128x256x!tt.ptr<f32>>
  %pa = tt.addptr %xa, %mk : tensor<128x32x!tt.ptr<f16>>, tensor<128x32xi32>
  %pb = tt.addptr %xb, %kn : tensor<32x256x!tt.ptr<f16>>, tensor<32x256xi32>
  %py = tt.addptr %yy, %mn : tensor<128x256x!tt.ptr<f32>>, tensor<128x256xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %qa = %pa) -> (tensor<128x256xf32>, tensor<128x32x!tt.ptr<f16>>) : i32 {
    %a = tt.load %qa : tensor<128x32x!tt.ptr<f16>>
    %b = tt.load %pb : tensor<32x256x!tt.ptr<f16>>
    %d = tt.dot %a, %b, %acc : tensor<128x32xf16> * tensor<32x256xf16> -> tensor<128x256xf32>
    %next = tt.addptr %qa, %step : tensor<128x32x!tt.ptr<f16>>, tensor<128x32xi32>
    scf.yield %d, %next : tensor<128x256xf32>, tensor<128x32x!tt.ptr<f16>>
  }
  tt.store %py, %r#0 : tensor<128x256x!tt.ptr<f32>>
  tt.return
}

// -----

// In two kinds of parts: rows for the store, columns for the sum along columns. A loop carries both.

// CHECK-LABEL: tt.func @both
// CHECK: scf.for {{.*}} -> (tensor<{{4x16|16x4}}xf32>, tensor<{{4x16|16x4}}xf32>)
// CHECK-NOT: tw.cluster_convert
// The other blocks have loaded by then.
// CHECK: tw.cluster_barrier
// CHECK-NEXT: tt.store
tt.func @both(%x: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %i = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %rows = tt.expand_dims %i {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %columns = tt.expand_dims %i {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %r = tt.broadcast %rows : tensor<16x1xi32> -> tensor<16x16xi32>
  %c = tt.broadcast %columns : tensor<1x16xi32> -> tensor<16x16xi32>
  %o = arith.addi %r, %c : tensor<16x16xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %p = tt.addptr %xs, %o : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x16xf32>) : i32 {
    %v = tt.load %p : tensor<16x16x!tt.ptr<f32>>
    %next = arith.addf %acc, %v : tensor<16x16xf32>
    scf.yield %next : tensor<16x16xf32>
  }
  tt.store %p, %sum : tensor<16x16x!tt.ptr<f32>>
  %s = "tt.reduce"(%sum) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %d = arith.addf %a, %b : f32
    tt.reduce.return %d : f32
  }) : (tensor<16x16xf32>) -> tensor<16xf32>
  %ys = tt.splat %x : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %q = tt.addptr %ys, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  tt.store %q, %s : tensor<16x!tt.ptr<f32>>
  tt.return
}

// -----

// One of two blocks draws the ticket, and both get it; the tile is divided by columns, as its layout
// says, and layouts are of the part.

// CHECK: #[[OWN:.*]] = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-LABEL: tt.func @layouts
// CHECK: tw.cluster_barrier
// CHECK: scf.if
// CHECK-NEXT: tt.atomic_rmw
// CHECK: %[[ONE:.*]] = tw.cluster_convert {{.*}} {from = array<i32: -1>, to = array<i32: -1>} : tensor<1xi32> -> tensor<1xi32>
// CHECK: tt.unsplat %[[ONE]]
// CHECK: tt.store {{.*}} : tensor<16x16x!tt.ptr<i32>, #[[OWN]]>
#blocked = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 1]]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @layouts(%x: !tt.ptr<i32>) {
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %t = tt.atomic_rmw add, acq_rel, gpu, %x, %c1, %true : (!tt.ptr<i32>, i32, i1) -> i32
    %v = tt.splat %t : i32 -> tensor<16x32xi32, #blocked>
    %i = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %c = tt.expand_dims %i {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %o = tt.broadcast %c : tensor<1x32xi32, #blocked> -> tensor<16x32xi32, #blocked>
    %xs = tt.splat %x : !tt.ptr<i32> -> tensor<16x32x!tt.ptr<i32>, #blocked>
    %p = tt.addptr %xs, %o : tensor<16x32x!tt.ptr<i32>, #blocked>, tensor<16x32xi32, #blocked>
    tt.store %p, %v : tensor<16x32x!tt.ptr<i32>, #blocked>
    tt.return
  }
}

// -----

// Other programs may write the flag: the first block loads it, and all go by what it got. A tile is
// loaded once as well, and is fetched where it is wanted whole.

// CHECK-LABEL: tt.func @volatile
// CHECK: scf.while
// CHECK: scf.if
// CHECK-NEXT: %[[OWN:.*]] = tt.load %{{.*}} {isVolatile = true}
// CHECK-NEXT: scf.yield %[[OWN]]
// CHECK: tw.cluster_convert
// CHECK-NEXT: %[[SAME:.*]] = tt.unsplat
// CHECK-NEXT: %[[AGAIN:.*]] = arith.cmpi slt, %[[SAME]]
// CHECK-NEXT: scf.condition(%[[AGAIN]])
// CHECK: %[[TILE:.*]] = tt.load %{{.*}} {isVolatile = true} : tensor<64x!tt.ptr<i32>>
// CHECK-NEXT: %[[WHOLE:.*]] = tw.cluster_convert %[[TILE]] {{.*}} : tensor<64xi32> -> tensor<256xi32>
// CHECK-NOT: tt.load
// CHECK: "tt.scan"(%[[WHOLE]])
tt.func @volatile(%flag: !tt.ptr<i32>, %x: !tt.ptr<i32>, %n: i32) {
  scf.while : () -> () {
    %v = tt.load %flag {isVolatile = true} : !tt.ptr<i32>
    %c = arith.cmpi slt, %v, %n : i32
    scf.condition(%c)
  } do {
    scf.yield
  }
  %i = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32>
  %p0 = tt.splat %x : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
  %p = tt.addptr %p0, %i : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
  %t = tt.load %p {isVolatile = true} : tensor<256x!tt.ptr<i32>>
  %s = "tt.scan"(%t) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: i32, %b: i32):
    %d = arith.addi %a, %b : i32
    tt.scan.return %d : i32
  }) : (tensor<256xi32>) -> tensor<256xi32>
  %r = arith.addi %s, %t : tensor<256xi32>
  tt.store %p, %r : tensor<256x!tt.ptr<i32>>
  tt.return
}

// -----

// All blocks call what changes nothing. It may load what is stored after it.

// CHECK-LABEL: tt.func private @first
// CHECK-LABEL: tt.func @call
// CHECK: %[[FIRST:.*]] = tt.call @first(%arg0)
// CHECK: tw.cluster_barrier
// CHECK: scf.if
// CHECK-NEXT: tt.store %arg0, %[[FIRST]]
tt.func private @first(%x: !tt.ptr<i32>) -> i32 {
  %v = tt.load %x : !tt.ptr<i32>
  tt.return %v : i32
}
tt.func @call(%x: !tt.ptr<i32>) {
  %v = tt.call @first(%x) : (!tt.ptr<i32>) -> i32
  tt.store %x, %v : !tt.ptr<i32>
  tt.return
}

// -----

// Two parts of one tile: A is all of it, B some columns.

// CHECK-LABEL: tt.func @square
// CHECK: %[[B:.*]] = tt.load {{.*}} : tensor<32x8x!tt.ptr<f16>>
// CHECK: %[[A:.*]] = tt.load {{.*}} : tensor<32x32x!tt.ptr<f16>>
// CHECK: tt.dot %[[A]], %[[B]], %{{.*}} -> tensor<32x8xf16>
tt.func @square(%x: !tt.ptr<f16>) {
  %i = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32>
  %j = tt.reshape %i : tensor<1024xi32> -> tensor<32x32xi32>
  %p0 = tt.splat %x : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>>
  %p = tt.addptr %p0, %j : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
  %a = tt.load %p : tensor<32x32x!tt.ptr<f16>>
  %zero = arith.constant dense<0.0> : tensor<32x32xf16>
  %d = tt.dot %a, %a, %zero : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf16>
  tt.store %p, %d : tensor<32x32x!tt.ptr<f16>>
  tt.return
}

// -----

// Two reductions of one tile at a time.

// CHECK-LABEL: tt.func @extrema
// CHECK: %[[OWN:.*]]:2 = "tt.reduce"(%[[X:.*]], %[[X]])
// CHECK: %[[T0:.*]] = tt.splat %[[OWN]]#0
// CHECK: %[[ALL0:.*]] = tw.cluster_convert %[[T0]]
// CHECK: %[[T1:.*]] = tt.splat %[[OWN]]#1
// CHECK: %[[ALL1:.*]] = tw.cluster_convert %[[T1]]
// CHECK: "tt.reduce"(%[[ALL0]], %[[ALL1]])
tt.func @extrema(%x: !tt.ptr<i32>) {
  %i = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32>
  %s:2 = "tt.reduce"(%i, %i) <{axis = 0 : i32}> ({
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32):
    %e = arith.maxsi %a, %c : i32
    %f = arith.minsi %b, %d : i32
    tt.reduce.return %e, %f : i32, i32
  }) : (tensor<256xi32>, tensor<256xi32>) -> (i32, i32)
  %r = arith.subi %s#0, %s#1 : i32
  tt.store %x, %r : !tt.ptr<i32>
  tt.return
}
