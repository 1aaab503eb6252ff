// RUN: tilewright-opt %S/Inputs/outer-product-unit-strides.ttir --convert-triton-to-tritongpu --tritongpu-coalesce --tritongpu-remove-layout-conversions | FileCheck %s --check-prefix=MATMUL
// RUN: tilewright-opt %corpus/vector_add/vector_add.ttir --convert-triton-to-tritongpu --tritongpu-coalesce --tritongpu-remove-layout-conversions | FileCheck %s --check-prefix=ADD
// RUN: tilewright-opt %corpus/softmax/softmax.ttir --convert-triton-to-tritongpu=num-warps=8 --tritongpu-coalesce --tritongpu-remove-layout-conversions | FileCheck %s --check-prefix=SOFTMAX
// RUN: tilewright-opt %s -split-input-file --tritongpu-remove-layout-conversions | FileCheck %s

// MATMUL:      #blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
// MATMUL-NEXT: #blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
// MATMUL-NEXT: module
// MATMUL-NOT:  ttg.convert_layout
// MATMUL:      scf.for {{.*}} -> (tensor<128x64xf32, #blocked>)
// MATMUL:        tt.load {{.*}} : tensor<128x1x!tt.ptr<f32>, #blocked>
// MATMUL:        tt.load {{.*}} : tensor<1x64x!tt.ptr<f32>, #blocked>
// MATMUL:        arith.addf {{.*}} : tensor<128x64xf32, #blocked>
// MATMUL:      %[[C:.*]] = ttg.convert_layout {{.*}} : tensor<128x64xf32, #blocked> -> tensor<128x64xf32, #blocked1>
// MATMUL-NOT:  ttg.convert_layout
// MATMUL:      store {{.*}}, %[[C]], {{.*}} : tensor<128x64x!tt.ptr<f32>, #blocked1>

// ADD:      #blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// ADD-NEXT: module
// ADD-NOT:  ttg.convert_layout

// SOFTMAX:      #blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
// SOFTMAX-NEXT: module
// SOFTMAX-NOT:  ttg.convert_layout

// Pointers that a loop advances are carried in each layout in which they are used.

#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#c = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
  // CHECK-DAG: #[[B:.*]] = #ttg.blocked<{sizePerThread = [4],
  // CHECK-DAG: #[[C:.*]] = #ttg.blocked<{sizePerThread = [2],
  // CHECK-LABEL: tt.func @carried_pointers
  tt.func @carried_pointers(%x: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %step = arith.constant dense<512> : tensor<512xi32, #a>
    %r = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #a>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #a>
    %p0 = tt.addptr %xs, %r : tensor<512x!tt.ptr<f32>, #a>, tensor<512xi32, #a>
    // CHECK: scf.for {{.*}} -> (tensor<512x!tt.ptr<f32>, #[[B]]>, tensor<512x!tt.ptr<f32>, #[[C]]>)
    %end = scf.for %i = %c0 to %n step %c1 iter_args(%p = %p0) -> (tensor<512x!tt.ptr<f32>, #a>) : i32 {
      %pb = ttg.convert_layout %p : tensor<512x!tt.ptr<f32>, #a> -> tensor<512x!tt.ptr<f32>, #b>
      // CHECK: %[[V:.*]] = tt.load %{{.*}} : tensor<512x!tt.ptr<f32>, #[[B]]>
      %v = tt.load %pb : tensor<512x!tt.ptr<f32>, #b>
      // CHECK: %[[W:.*]] = ttg.convert_layout %[[V]] : tensor<512xf32, #[[B]]> -> tensor<512xf32, #[[C]]>
      %w = ttg.convert_layout %v : tensor<512xf32, #b> -> tensor<512xf32, #c>
      %pc = ttg.convert_layout %p : tensor<512x!tt.ptr<f32>, #a> -> tensor<512x!tt.ptr<f32>, #c>
      // CHECK: tt.store %{{.*}}, %[[W]] : tensor<512x!tt.ptr<f32>, #[[C]]>
      tt.store %pc, %w : tensor<512x!tt.ptr<f32>, #c>
      %next = tt.addptr %p, %step : tensor<512x!tt.ptr<f32>, #a>, tensor<512xi32, #a>
      // CHECK: scf.yield %{{.*}}, %{{.*}} : tensor<512x!tt.ptr<f32>, #[[B]]>, tensor<512x!tt.ptr<f32>, #[[C]]>
      scf.yield %next : tensor<512x!tt.ptr<f32>, #a>
    }
    tt.return
  }
}

// -----

// An accumulator lives where the loop loads; it is converted once, after the loop.

#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
  // CHECK-DAG: #[[A:.*]] = #ttg.blocked<{sizePerThread = [1],
  // CHECK-DAG: #[[B:.*]] = #ttg.blocked<{sizePerThread = [4],
  // CHECK-LABEL: tt.func @accumulator
  tt.func @accumulator(%p: tensor<512x!tt.ptr<f32>, #b>, %out: tensor<512x!tt.ptr<f32>, #a>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<512xf32, #a>
    // CHECK-NOT: ttg.convert_layout
    // CHECK: %[[SUM:.*]] = scf.for {{.*}} -> (tensor<512xf32, #[[B]]>)
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<512xf32, #a>) : i32 {
      %v = tt.load %p : tensor<512x!tt.ptr<f32>, #b>
      %w = ttg.convert_layout %v : tensor<512xf32, #b> -> tensor<512xf32, #a>
      %next = arith.addf %acc, %w : tensor<512xf32, #a>
      scf.yield %next : tensor<512xf32, #a>
    // CHECK: }
    }
    // CHECK-NEXT: %[[DONE:.*]] = ttg.convert_layout %[[SUM]] : tensor<512xf32, #[[B]]> -> tensor<512xf32, #[[A]]>
    // CHECK: store %{{.*}}, %[[DONE]]
    tt.store %out, %sum : tensor<512x!tt.ptr<f32>, #a>
    tt.return
  }
}

// -----

// A conversion moves to where the data is less: above the broadcast and the extension.

#a = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
  // CHECK-LABEL: tt.func @narrow
  tt.func @narrow(%p: tensor<128x1x!tt.ptr<f16>, #a>, %out: tensor<128x64x!tt.ptr<f32>, #b>) {
    // CHECK: load
    // CHECK-NEXT: ttg.convert_layout %{{.*}} : tensor<128x1xf16, #{{.*}}> -> tensor<128x1xf16, #{{.*}}>
    // CHECK-NOT: ttg.convert_layout
    %v = tt.load %p : tensor<128x1x!tt.ptr<f16>, #a>
    %w = arith.extf %v : tensor<128x1xf16, #a> to tensor<128x1xf32, #a>
    %wide = tt.broadcast %w : tensor<128x1xf32, #a> -> tensor<128x64xf32, #a>
    %c = ttg.convert_layout %wide : tensor<128x64xf32, #a> -> tensor<128x64xf32, #b>
    tt.store %out, %c : tensor<128x64x!tt.ptr<f32>, #b>
    tt.return
  }
}

// -----

// Branches, while loops, reductions with several results, transposes and reshapes.

#a = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#at = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [0, 1]}>
#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#v = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
  // CHECK-DAG: #[[B:.*]] = #ttg.blocked<{sizePerThread = [1, 4],
  // CHECK-LABEL: tt.func @general
  tt.func @general(%p: tensor<32x32x!tt.ptr<f32>, #b>, %q: tensor<1024x!tt.ptr<f32>, #v>, %s: !tt.ptr<f32>, %flag: i1, %n: i32) {
    %v = tt.load %p : tensor<32x32x!tt.ptr<f32>, #b>
    %x = ttg.convert_layout %v : tensor<32x32xf32, #b> -> tensor<32x32xf32, #a>
    // CHECK: scf.if {{.*}} -> (tensor<32x32xf32, #[[B]]>)
    %chosen = scf.if %flag -> (tensor<32x32xf32, #a>) {
      %y = arith.addf %x, %x : tensor<32x32xf32, #a>
      scf.yield %y : tensor<32x32xf32, #a>
    } else {
      %one = arith.constant dense<1.0> : tensor<32x32xf32, #a>
      scf.yield %one : tensor<32x32xf32, #a>
    }
    // CHECK: scf.while ({{.*}}) : (tensor<32x32xf32, #[[B]]>) -> tensor<32x32xf32, #[[B]]>
    %last = scf.while (%w = %chosen) : (tensor<32x32xf32, #a>) -> tensor<32x32xf32, #a> {
      scf.condition(%flag) %w : tensor<32x32xf32, #a>
    } do {
    ^bb0(%w: tensor<32x32xf32, #a>):
      %twice = arith.mulf %w, %x : tensor<32x32xf32, #a>
      scf.yield %twice : tensor<32x32xf32, #a>
    }
    %idx = arith.constant dense<3> : tensor<32x32xi32, #a>
    // CHECK: }) : (tensor<32x32xf32, #[[B]]>, tensor<32x32xi32, #[[B]]>) -> (tensor<32xf32, #ttg.slice<{dim = 1, parent = #[[B]]}>>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #[[B]]}>>)
    %max:2 = "tt.reduce"(%last, %idx) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):
      %gt = arith.cmpf ogt, %a, %b : f32
      %c = arith.select %gt, %a, %b : f32
      %k = arith.select %gt, %i, %j : i32
      tt.reduce.return %c, %k : f32, i32
    }) : (tensor<32x32xf32, #a>, tensor<32x32xi32, #a>) -> (tensor<32xf32, #ttg.slice<{dim = 1, parent = #a}>>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #a}>>)
    // CHECK: expand_dims {{.*}} : tensor<32xf32, #ttg.slice<{dim = 1, parent = #[[B]]}>> -> tensor<32x1xf32, #[[B]]>
    %e = tt.expand_dims %max#0 {axis = 1 : i32} : tensor<32xf32, #ttg.slice<{dim = 1, parent = #a}>> -> tensor<32x1xf32, #a>
    %wide = tt.broadcast %e : tensor<32x1xf32, #a> -> tensor<32x32xf32, #a>
    %centred = arith.subf %last, %wide : tensor<32x32xf32, #a>
    // CHECK: trans
    %t = tt.trans %centred {order = array<i32: 1, 0>} : tensor<32x32xf32, #a> -> tensor<32x32xf32, #at>
    %u = ttg.convert_layout %t : tensor<32x32xf32, #at> -> tensor<32x32xf32, #b>
    // CHECK: reshape
    // CHECK-NEXT: ttg.convert_layout %{{.*}} : tensor<1024xf32, #{{.*}}> -> tensor<1024xf32, #[[V:.*]]>
    %f = tt.reshape %u : tensor<32x32xf32, #b> -> tensor<1024xf32, #v>
    // CHECK: store {{.*}} : tensor<1024x!tt.ptr<f32>, #[[V]]>
    tt.store %q, %f : tensor<1024x!tt.ptr<f32>, #v>
    // The reduction to a scalar takes the layout there is.
    // CHECK: }) : (tensor<32xf32, #ttg.slice<{dim = 1, parent = #[[B]]}>>) -> f32
    %total = "tt.reduce"(%max#0) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<32xf32, #ttg.slice<{dim = 1, parent = #a}>>) -> f32
    tt.store %s, %total : !tt.ptr<f32>
    tt.return
  }
}

// -----

// A volatile load stays; what nobody needs goes.

#a = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
  // CHECK-LABEL: tt.func @unused_and_volatile
  tt.func @unused_and_volatile(%p: tensor<128x1x!tt.ptr<f32>, #a>) {
    // CHECK-NEXT: tt.load %{{.*}} {isVolatile = true}
    // CHECK-NEXT: return
    %v = tt.load %p {isVolatile = true} : tensor<128x1x!tt.ptr<f32>, #a>
    %w = ttg.convert_layout %v : tensor<128x1xf32, #a> -> tensor<128x1xf32, #b>
    %x = arith.addf %w, %w : tensor<128x1xf32, #b>
    tt.return
  }
}

// -----

// Whiles and branches carry what they carry in several layouts as well.

#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#c = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
  // CHECK-DAG: #[[B:.*]] = #ttg.blocked<{sizePerThread = [4],
  // CHECK-DAG: #[[C:.*]] = #ttg.blocked<{sizePerThread = [2],
  // CHECK-LABEL: tt.func @while_pointers
  tt.func @while_pointers(%x: !tt.ptr<f32>, %n: i32) {
    %c1 = arith.constant 1 : i32
    %step = arith.constant dense<512> : tensor<512xi32, #a>
    %r = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #a>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #a>
    %p0 = tt.addptr %xs, %r : tensor<512x!tt.ptr<f32>, #a>, tensor<512xi32, #a>
    // CHECK: %{{.*}}:3 = scf.while (%{{.*}}) : (tensor<512x!tt.ptr<f32>, #[[B]]>, i32, tensor<512x!tt.ptr<f32>, #[[C]]>) -> (tensor<512x!tt.ptr<f32>, #[[B]]>, i32, tensor<512x!tt.ptr<f32>, #[[C]]>)
    // CHECK: scf.condition(%{{.*}}) %{{.*}}, %{{.*}}, %{{.*}} :
    // CHECK-NEXT: } do {
    // CHECK-NEXT: ^bb0(%[[PB:.*]]: tensor<512x!tt.ptr<f32>, #[[B]]>, %{{.*}}: i32, %[[PC:.*]]: tensor<512x!tt.ptr<f32>, #[[C]]>):
    // CHECK-NEXT: tt.load %[[PB]]
    // CHECK-NEXT: ttg.convert_layout {{.*}} : tensor<512xf32, #[[B]]> -> tensor<512xf32, #[[C]]>
    // CHECK-NEXT: tt.store %[[PC]]
    // CHECK-NOT: ttg.convert_layout
    %end:2 = scf.while (%p = %p0, %i = %n) : (tensor<512x!tt.ptr<f32>, #a>, i32) -> (tensor<512x!tt.ptr<f32>, #a>, i32) {
      %more = arith.cmpi sgt, %i, %c1 : i32
      scf.condition(%more) %p, %i : tensor<512x!tt.ptr<f32>, #a>, i32
    } do {
    ^bb0(%p: tensor<512x!tt.ptr<f32>, #a>, %i: i32):
      %pb = ttg.convert_layout %p : tensor<512x!tt.ptr<f32>, #a> -> tensor<512x!tt.ptr<f32>, #b>
      %v = tt.load %pb : tensor<512x!tt.ptr<f32>, #b>
      %w = ttg.convert_layout %v : tensor<512xf32, #b> -> tensor<512xf32, #c>
      %pc = ttg.convert_layout %p : tensor<512x!tt.ptr<f32>, #a> -> tensor<512x!tt.ptr<f32>, #c>
      tt.store %pc, %w : tensor<512x!tt.ptr<f32>, #c>
      %next = tt.addptr %p, %step : tensor<512x!tt.ptr<f32>, #a>, tensor<512xi32, #a>
      %j = arith.subi %i, %c1 : i32
      scf.yield %next, %j : tensor<512x!tt.ptr<f32>, #a>, i32
    }
    tt.return
  }
  // CHECK-LABEL: tt.func @if_pointers
  tt.func @if_pointers(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %flag: i1) {
    %r = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #a>
    // CHECK: %[[R:.*]]:3 = scf.if %{{.*}} -> (tensor<512x!tt.ptr<f32>, #[[B]]>, f32, tensor<512x!tt.ptr<f32>, #[[C]]>) {
    // CHECK: tt.load %[[R]]#0
    // CHECK-NEXT: tt.splat %[[R]]#1
    // CHECK: ttg.convert_layout {{.*}} : tensor<512xf32, #[[B]]> -> tensor<512xf32, #[[C]]>
    // CHECK-NEXT: tt.store %[[R]]#2
    %p, %s = scf.if %flag -> (tensor<512x!tt.ptr<f32>, #a>, f32) {
      %one = arith.constant 1.0 : f32
      %xs = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #a>
      %p0 = tt.addptr %xs, %r : tensor<512x!tt.ptr<f32>, #a>, tensor<512xi32, #a>
      scf.yield %p0, %one : tensor<512x!tt.ptr<f32>, #a>, f32
    } else {
      %two = arith.constant 2.0 : f32
      %ys = tt.splat %y : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #a>
      %p1 = tt.addptr %ys, %r : tensor<512x!tt.ptr<f32>, #a>, tensor<512xi32, #a>
      scf.yield %p1, %two : tensor<512x!tt.ptr<f32>, #a>, f32
    }
    %pb = ttg.convert_layout %p : tensor<512x!tt.ptr<f32>, #a> -> tensor<512x!tt.ptr<f32>, #b>
    %v = tt.load %pb : tensor<512x!tt.ptr<f32>, #b>
    %t = tt.splat %s : f32 -> tensor<512xf32, #b>
    %u = arith.addf %v, %t : tensor<512xf32, #b>
    %w = ttg.convert_layout %u : tensor<512xf32, #b> -> tensor<512xf32, #c>
    %pc = ttg.convert_layout %p : tensor<512x!tt.ptr<f32>, #a> -> tensor<512x!tt.ptr<f32>, #c>
    tt.store %pc, %w : tensor<512x!tt.ptr<f32>, #c>
    tt.return
  }
  // A conversion for one branch is made there.
  // CHECK-LABEL: tt.func @store_in_a_branch
  // CHECK: scf.if
  // CHECK-NEXT: ttg.convert_layout
  // CHECK-NEXT: tt.store
  tt.func @store_in_a_branch(%p: tensor<512x!tt.ptr<f32>, #b>, %q: tensor<512x!tt.ptr<f32>, #c>, %flag: i1) {
    %v = tt.load %p : tensor<512x!tt.ptr<f32>, #b>
    %w = ttg.convert_layout %v : tensor<512xf32, #b> -> tensor<512xf32, #c>
    scf.if %flag {
      tt.store %q, %w : tensor<512x!tt.ptr<f32>, #c>
    }
    tt.return
  }
}
