// RUN: tilewright-opt %s -split-input-file > %t.once
// RUN: FileCheck %s < %t.once
// RUN: tilewright-opt %t.once -split-input-file > %t.twice
// RUN: diff %t.once %t.twice

// Every op of tt and ttg, parsed, verified, printed and parsed again.

// CHECK-LABEL: tt.func public @casts(%arg0: i64, %arg1: tensor<8x!tt.ptr<f16>>, %arg2: tensor<8xf32>)
tt.func public @casts(%a: i64, %p: tensor<8x!tt.ptr<f16>>, %x: tensor<8xf32>) {
  // CHECK-NEXT: tt.int_to_ptr %arg0 : i64 -> !tt.ptr<f32>
  %0 = tt.int_to_ptr %a : i64 -> !tt.ptr<f32>
  // CHECK-NEXT: tt.ptr_to_int %arg1 : tensor<8x!tt.ptr<f16>> -> tensor<8xi64>
  %1 = tt.ptr_to_int %p : tensor<8x!tt.ptr<f16>> -> tensor<8xi64>
  // CHECK-NEXT: tt.bitcast %arg1 : tensor<8x!tt.ptr<f16>> -> tensor<8x!tt.ptr<i16>>
  %2 = tt.bitcast %p : tensor<8x!tt.ptr<f16>> -> tensor<8x!tt.ptr<i16>>
  // CHECK-NEXT: tt.fp_to_fp %arg2, rounding = rtne : tensor<8xf32> -> tensor<8xf8E5M2>
  %3 = tt.fp_to_fp %x, rounding = rtne : tensor<8xf32> -> tensor<8xf8E5M2>
  // CHECK-NEXT: tt.fp_to_fp %{{.*}} : tensor<8xf8E5M2> -> tensor<8xf16>
  %4 = tt.fp_to_fp %3 : tensor<8xf8E5M2> -> tensor<8xf16>
  // CHECK-NEXT: tt.fp_to_fp %arg2, rounding = rtz : tensor<8xf32> -> tensor<8xbf16>
  %5 = tt.fp_to_fp %x, rounding = rtz : tensor<8xf32> -> tensor<8xbf16>
  // CHECK-NEXT: tt.return
  tt.return
}

// CHECK-LABEL: tt.func @arithmetic
tt.func @arithmetic(%x: f32, %y: tensor<8xf32>, %i: tensor<8xi32>) {
  // CHECK-NEXT: tt.clampf %arg0, %arg0, %arg0, propagateNan = none : f32
  %0 = tt.clampf %x, %x, %x, propagateNan = none : f32
  // CHECK-NEXT: tt.clampf %arg1, %arg1, %arg1, propagateNan = all : tensor<8xf32>
  %1 = tt.clampf %y, %y, %y, propagateNan = all : tensor<8xf32>
  // CHECK-NEXT: tt.precise_sqrt %arg1 : tensor<8xf32>
  %2 = tt.precise_sqrt %y : tensor<8xf32>
  // CHECK-NEXT: tt.precise_divf %arg1, %arg1 : tensor<8xf32>
  %3 = tt.precise_divf %y, %y : tensor<8xf32>
  // CHECK-NEXT: tt.mulhiui %arg2, %arg2 : tensor<8xi32>
  %4 = tt.mulhiui %i, %i : tensor<8xi32>
  tt.return
}

// CHECK-LABEL: tt.func @memory
tt.func @memory(%p: tensor<8x!tt.ptr<f32>>, %q: !tt.ptr<i8, 3>, %m: tensor<8xi1>, %x: tensor<8xf32>, %i: i64, %c: i1) {
  // CHECK-NEXT: tt.addptr %arg1, %arg4 : !tt.ptr<i8, 3>, i64
  %0 = tt.addptr %q, %i : !tt.ptr<i8, 3>, i64
  // CHECK-NEXT: tt.load %arg0 : tensor<8x!tt.ptr<f32>>
  %1 = tt.load %p : tensor<8x!tt.ptr<f32>>
  // CHECK-NEXT: tt.load %arg0, %arg2 : tensor<8x!tt.ptr<f32>>
  %2 = tt.load %p, %m : tensor<8x!tt.ptr<f32>>
  // CHECK-NEXT: tt.load %arg0, %arg2, %arg3 : tensor<8x!tt.ptr<f32>>
  %3 = tt.load %p, %m, %x : tensor<8x!tt.ptr<f32>>
  // CHECK-NEXT: tt.load %arg0 cacheModifier = ca evictionPolicy = evict_last : tensor<8x!tt.ptr<f32>>
  %4 = tt.load %p evictionPolicy = evict_last cacheModifier = ca : tensor<8x!tt.ptr<f32>>
  // CHECK-NEXT: tt.load %arg0 {isVolatile = true} : tensor<8x!tt.ptr<f32>>
  %5 = tt.load %p {isVolatile = true} : tensor<8x!tt.ptr<f32>>
  // CHECK-NEXT: tt.load %arg0 cacheModifier = cg : tensor<8x!tt.ptr<f32>>
  %6 = tt.load %p {cache = 3 : i32, evict = 1 : i32} : tensor<8x!tt.ptr<f32>>
  // CHECK-NEXT: tt.load %arg1, %arg5 : !tt.ptr<i8, 3>
  %7 = tt.load %q, %c : !tt.ptr<i8, 3>
  // CHECK-NEXT: tt.store %arg0, %arg3 : tensor<8x!tt.ptr<f32>>
  tt.store %p, %x : tensor<8x!tt.ptr<f32>>
  // CHECK-NEXT: tt.store %arg0, %arg3, %arg2 cacheModifier = wt evictionPolicy = evict_first : tensor<8x!tt.ptr<f32>>
  tt.store %p, %x, %m cacheModifier = wt evictionPolicy = evict_first : tensor<8x!tt.ptr<f32>>
  tt.return
}

// CHECK-LABEL: tt.func @grid
tt.func @grid() {
  // CHECK-NEXT: tt.get_program_id x : i32
  // CHECK-NEXT: tt.get_program_id y : i32
  // CHECK-NEXT: tt.get_program_id z : i32
  // CHECK-NEXT: tt.get_num_programs x : i32
  %0 = tt.get_program_id x : i32
  %1 = tt.get_program_id y : i32
  %2 = tt.get_program_id z : i32
  %3 = tt.get_num_programs x : i32
  tt.return
}

// CHECK-LABEL: tt.func @shapes
tt.func @shapes(%x: f32, %u: tensor<1xf32>) {
  // CHECK-NEXT: tt.make_range {end = 12 : i32, start = 4 : i32} : tensor<8xi32>
  %0 = tt.make_range {end = 12 : i32, start = 4 : i32} : tensor<8xi32>
  // CHECK-NEXT: tt.splat %arg0 : f32 -> tensor<8xf32>
  %1 = tt.splat %x : f32 -> tensor<8xf32>
  // CHECK-NEXT: tt.unsplat %arg1 : tensor<1xf32>
  %2 = tt.unsplat %u : tensor<1xf32>
  // CHECK-NEXT: tt.expand_dims %{{.*}} {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>
  %3 = tt.expand_dims %1 {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>
  // CHECK-NEXT: tt.broadcast %{{.*}} : tensor<8x1xf32> -> tensor<8x4xf32>
  %4 = tt.broadcast %3 : tensor<8x1xf32> -> tensor<8x4xf32>
  // CHECK-NEXT: tt.reshape %{{.*}} : tensor<8x4xf32> -> tensor<2x16xf32>
  %5 = tt.reshape %4 : tensor<8x4xf32> -> tensor<2x16xf32>
  // CHECK-NEXT: tt.reshape %{{.*}} allow_reorder : tensor<8x4xf32> -> tensor<32xf32>
  %6 = tt.reshape %4 allow_reorder : tensor<8x4xf32> -> tensor<32xf32>
  // CHECK-NEXT: tt.reshape %{{.*}} allow_reorder efficient_layout : tensor<8x4xf32> -> tensor<32xf32>
  %7 = tt.reshape %4 allow_reorder efficient_layout : tensor<8x4xf32> -> tensor<32xf32>
  // CHECK-NEXT: tt.trans %{{.*}} {order = array<i32: 1, 0>} : tensor<8x4xf32> -> tensor<4x8xf32>
  %8 = tt.trans %4 {order = array<i32: 1, 0>} : tensor<8x4xf32> -> tensor<4x8xf32>
  tt.return
}

// CHECK-LABEL: tt.func @reductions
tt.func @reductions(%x: tensor<4x8xf32>, %i: tensor<4x8xi32>) -> (f32, tensor<4xf32>, tensor<4xi32>) {
  // CHECK-NEXT: %[[A:.*]]:2 = "tt.reduce"(%arg0, %arg1) <{axis = 1 : i32}> ({
  // CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: i32, %{{.*}}: f32, %{{.*}}: i32):
  // CHECK: tt.reduce.return %{{.*}}, %{{.*}} : f32, i32
  // CHECK-NEXT: }) : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4xf32>, tensor<4xi32>)
  %0:2 = "tt.reduce"(%x, %i) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %ai: i32, %b: f32, %bi: i32):
    %less = arith.cmpf olt, %a, %b : f32
    %v = arith.select %less, %b, %a : f32
    %vi = arith.select %less, %bi, %ai : i32
    tt.reduce.return %v, %vi : f32, i32
  }) : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4xf32>, tensor<4xi32>)
  // CHECK-NEXT: "tt.reduce"(%[[A]]#0) <{axis = 0 : i32}>
  // CHECK: }) : (tensor<4xf32>) -> f32
  %1 = "tt.reduce"(%0#0) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tt.reduce.return %s : f32
  }) : (tensor<4xf32>) -> f32
  tt.return %1, %0#0, %0#1 : f32, tensor<4xf32>, tensor<4xi32>
}

// CHECK-LABEL: tt.func private @callee(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32) -> i32 attributes {noinline = false}
tt.func private @callee(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %i: i32) -> i32 attributes {noinline = false} {
  // CHECK-NEXT: tt.return %arg1 : i32
  tt.return %i : i32
}
// CHECK: tt.func private @declared(i32) -> (i32, f32)
tt.func private @declared(i32) -> (i32, f32)
// CHECK-LABEL: tt.func @calls
tt.func @calls(%p: !tt.ptr<f32>, %i: i32) {
  // CHECK-NEXT: %[[R:.*]] = tt.call @callee(%arg0, %arg1) : (!tt.ptr<f32>, i32) -> i32
  %0 = tt.call @callee(%p, %i) : (!tt.ptr<f32>, i32) -> i32
  // CHECK-NEXT: tt.call @declared(%[[R]]) : (i32) -> (i32, f32)
  %1:2 = tt.call @declared(%0) : (i32) -> (i32, f32)
  tt.return
}

// -----

// CHECK: #[[B:.*]] = #ttg.blocked
// CHECK-LABEL: tt.func @with_layouts
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#transposed = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#other = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @with_layouts(%x: tensor<128x64xf32, #blocked>) {
    // CHECK: ttg.convert_layout %arg0 : tensor<128x64xf32, #[[B]]> -> tensor<128x64xf32, #{{.*}}>
    %0 = ttg.convert_layout %x : tensor<128x64xf32, #blocked> -> tensor<128x64xf32, #other>
    // CHECK: tt.trans
    %1 = tt.trans %x {order = array<i32: 1, 0>} : tensor<128x64xf32, #blocked> -> tensor<64x128xf32, #transposed>
    // CHECK: "tt.reduce"
    %2 = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tt.reduce.return %s : f32
    }) : (tensor<128x64xf32, #blocked>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    // CHECK: tt.expand_dims %{{.*}} {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #[[B]]}>> -> tensor<128x1xf32, #[[B]]>
    %3 = tt.expand_dims %2 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xf32, #blocked>
    // CHECK: tt.broadcast
    %4 = tt.broadcast %3 : tensor<128x1xf32, #blocked> -> tensor<128x64xf32, #blocked>
    // CHECK-NEXT: ttg.barrier local
    // CHECK-NEXT: ttg.barrier local|global_read|global_write
    // CHECK-NEXT: ttg.barrier tensor
    // CHECK-NEXT: ttg.barrier all
    // CHECK-NEXT: ttg.barrier all
    ttg.barrier local
    ttg.barrier global_write | local | global_read
    ttg.barrier tensor
    ttg.barrier local|global_read|global_write|tensor
    ttg.barrier all
    tt.return
  }
}
