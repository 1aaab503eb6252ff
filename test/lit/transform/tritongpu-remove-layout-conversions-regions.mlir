// RUN: tilewright-opt %s -split-input-file --tritongpu-remove-layout-conversions | FileCheck %s

// Which regions values flow through, ops say by their interfaces.

#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
  // What tasks of warps capture and give keeps its layout; what is computed within one is planned as
  // anywhere else.
  // CHECK-DAG: #[[A:.*]] = #ttg.blocked<{sizePerThread = [1],
  // CHECK-DAG: #[[B:.*]] = #ttg.blocked<{sizePerThread = [4],
  // CHECK-LABEL: tt.func @tasks
  // CHECK: %[[S:.*]] = tt.splat %{{.*}} -> tensor<512xf32, #[[A]]>
  // CHECK: %[[R:.*]] = ttg.warp_specialize(%[[S]], %{{.*}})
  // CHECK: default {
  // CHECK-NEXT: %[[E:.*]] = math.exp %{{.*}} : tensor<512xf32, #[[A]]>
  // CHECK-NEXT: ttg.warp_yield %[[E]] : tensor<512xf32, #[[A]]>
  // CHECK: partition0(%[[X:.*]]: tensor<512xf32, #[[A]]>, %[[Q:.*]]: tensor<512x!tt.ptr<f32>, #[[B]]>) num_warps(4) {
  // CHECK-NEXT: %[[N:.*]] = arith.negf %[[X]] : tensor<512xf32, #[[A]]>
  // CHECK-NEXT: %[[C:.*]] = ttg.convert_layout %[[N]] : tensor<512xf32, #[[A]]> -> tensor<512xf32, #[[B]]>
  // CHECK-NEXT: tt.store %[[Q]], %[[C]] : tensor<512x!tt.ptr<f32>, #[[B]]>
  // CHECK: tt.return %[[R]] : tensor<512xf32, #[[A]]>
  tt.func @tasks(%x: f32, %p: tensor<512x!tt.ptr<f32>, #b>) -> tensor<512xf32, #a> {
    %s = tt.splat %x : f32 -> tensor<512xf32, #a>
    %r = ttg.warp_specialize(%s, %p)
    default {
      %b = ttg.convert_layout %s : tensor<512xf32, #a> -> tensor<512xf32, #b>
      %e = math.exp %b : tensor<512xf32, #b>
      %a = ttg.convert_layout %e : tensor<512xf32, #b> -> tensor<512xf32, #a>
      ttg.warp_yield %a : tensor<512xf32, #a>
    }
    partition0(%y: tensor<512xf32, #a>, %q: tensor<512x!tt.ptr<f32>, #b>) num_warps(4) {
      %n = arith.negf %y : tensor<512xf32, #a>
      %b = ttg.convert_layout %n : tensor<512xf32, #a> -> tensor<512xf32, #b>
      tt.store %q, %b : tensor<512x!tt.ptr<f32>, #b>
      ttg.warp_return
    } : (tensor<512xf32, #a>, tensor<512x!tt.ptr<f32>, #b>) -> tensor<512xf32, #a>
    tt.return %r : tensor<512xf32, #a>
  }
}

// -----

#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
  // A loop of one iteration has no edge back, by RegionBranchOpInterface; its types are tied all the
  // same.
  // CHECK: #[[B:.*]] = #ttg.blocked<{sizePerThread = [4],
  // CHECK-LABEL: tt.func @one_iteration
  // CHECK-NOT: ttg.convert_layout
  // CHECK: scf.for {{.*}} -> (tensor<512xf32, #[[B]]>)
  // CHECK-NOT: ttg.convert_layout
  // CHECK: tt.store {{.*}} : tensor<512x!tt.ptr<f32>, #[[B]]>
  tt.func @one_iteration(%x: f32, %p: tensor<512x!tt.ptr<f32>, #b>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %s = tt.splat %x : f32 -> tensor<512xf32, #a>
    %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%acc = %s) -> (tensor<512xf32, #a>) : i32 {
      %n = arith.addf %acc, %s : tensor<512xf32, #a>
      scf.yield %n : tensor<512xf32, #a>
    }
    %b = ttg.convert_layout %r : tensor<512xf32, #a> -> tensor<512xf32, #b>
    tt.store %p, %b : tensor<512x!tt.ptr<f32>, #b>
    tt.return
  }

  // Two results of a loop whose condition passes one value on twice are two values.
  // CHECK-LABEL: tt.func @passed_twice
  // CHECK-NOT: ttg.convert_layout
  // CHECK: scf.while
  // CHECK-SAME: -> (tensor<512xf32, #[[B]]>, tensor<512xf32, #[[B]]>)
  // CHECK-NOT: ttg.convert_layout
  // CHECK: tt.return
  tt.func @passed_twice(%x: f32, %c: i1, %p: tensor<512x!tt.ptr<f32>, #b>) {
    %s = tt.splat %x : f32 -> tensor<512xf32, #a>
    %r:2 = scf.while (%v = %s) : (tensor<512xf32, #a>) -> (tensor<512xf32, #a>, tensor<512xf32, #a>) {
      scf.condition(%c) %v, %v : tensor<512xf32, #a>, tensor<512xf32, #a>
    } do {
    ^bb0(%u: tensor<512xf32, #a>, %w: tensor<512xf32, #a>):
      %n = arith.addf %u, %w : tensor<512xf32, #a>
      scf.yield %n : tensor<512xf32, #a>
    }
    %b0 = ttg.convert_layout %r#0 : tensor<512xf32, #a> -> tensor<512xf32, #b>
    tt.store %p, %b0 : tensor<512x!tt.ptr<f32>, #b>
    %b1 = ttg.convert_layout %r#1 : tensor<512xf32, #a> -> tensor<512xf32, #b>
    tt.store %p, %b1 : tensor<512x!tt.ptr<f32>, #b>
    tt.return
  }
}
