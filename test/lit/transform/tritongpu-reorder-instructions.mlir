// RUN: tilewright-opt %s --tritongpu-reorder-instructions | FileCheck %s

#line = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#single = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>

// The second load, its address and its mask go before the reduction, at whose barrier they would
// wait; the store's address stays with the store.
// CHECK-LABEL: @load_before_reduction
tt.func @load_before_reduction(%p: tensor<512x!tt.ptr<f32>, #line>, %o: tensor<512xi32, #line>, %n: i32) {
  // CHECK-NEXT: %[[X:.*]] = tt.load %arg0 :
  // CHECK-NEXT: %[[Q:.*]] = tt.addptr %arg0, %arg1
  // CHECK-NEXT: %[[NS:.*]] = tt.splat %arg2
  // CHECK-NEXT: %[[M:.*]] = arith.cmpi slt, %arg1, %[[NS]]
  // CHECK-NEXT: %[[Y:.*]] = tt.load %[[Q]], %[[M]]
  // CHECK-NEXT: %[[S:.*]] = "tt.reduce"(%[[X]])
  // CHECK: tt.store %[[Q]]
  %x = tt.load %p : tensor<512x!tt.ptr<f32>, #line>
  %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<512xf32, #line>) -> f32
  %q = tt.addptr %p, %o : tensor<512x!tt.ptr<f32>, #line>, tensor<512xi32, #line>
  %ns = tt.splat %n : i32 -> tensor<512xi32, #line>
  %m = arith.cmpi slt, %o, %ns : tensor<512xi32, #line>
  %y = tt.load %q, %m : tensor<512x!tt.ptr<f32>, #line>
  %ss = tt.splat %s : f32 -> tensor<512xf32, #line>
  %z = arith.mulf %y, %ss : tensor<512xf32, #line>
  tt.store %q, %z, %m : tensor<512x!tt.ptr<f32>, #line>
  tt.return
}

// Not past a store, a barrier, a loop; not where the address needs the reduction; not a volatile
// load; not past a reduction within warps, where nobody waits.
// CHECK-LABEL: @loads_that_stay
tt.func @loads_that_stay(%p: tensor<512x!tt.ptr<f32>, #line>, %g: tensor<4x128x!tt.ptr<f32>, #rows>, %n: i32) -> tensor<4xf32, #ttg.slice<{dim = 1, parent = #rows}>> {
  %x = tt.load %p : tensor<512x!tt.ptr<f32>, #line>
  // CHECK: "tt.reduce"
  // CHECK: tt.store
  // CHECK-NEXT: tt.load
  %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<512xf32, #line>) -> f32
  %ss = tt.splat %s : f32 -> tensor<512xf32, #line>
  tt.store %p, %ss : tensor<512x!tt.ptr<f32>, #line>
  %x1 = tt.load %p : tensor<512x!tt.ptr<f32>, #line>
  // CHECK: "tt.reduce"
  // CHECK: ttg.barrier
  // CHECK: tt.load
  // CHECK: "tt.reduce"
  // CHECK: scf.for
  // CHECK: tt.load
  %s1 = "tt.reduce"(%x1) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<512xf32, #line>) -> f32
  ttg.barrier all
  %x2 = tt.load %p : tensor<512x!tt.ptr<f32>, #line>
  %s2 = "tt.reduce"(%x2) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<512xf32, #line>) -> f32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %s2) -> (f32) : i32 {
    %next = arith.mulf %acc, %s1 : f32
    scf.yield %next : f32
  }
  %x3 = tt.load %p : tensor<512x!tt.ptr<f32>, #line>
  // CHECK: %[[S3:.*]] = "tt.reduce"
  // CHECK: arith.fptosi %[[S3]]
  // CHECK: tt.load
  // CHECK: tt.load {{.*}} {isVolatile = true}
  %s3 = "tt.reduce"(%x3) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<512xf32, #line>) -> f32
  %i3 = arith.fptosi %s3 : f32 to i32
  %o3 = tt.splat %i3 : i32 -> tensor<512xi32, #line>
  %p3 = tt.addptr %p, %o3 : tensor<512x!tt.ptr<f32>, #line>, tensor<512xi32, #line>
  %x4 = tt.load %p3 : tensor<512x!tt.ptr<f32>, #line>
  %x5 = tt.load %p {isVolatile = true} : tensor<512x!tt.ptr<f32>, #line>
  %z = arith.addf %x4, %x5 : tensor<512xf32, #line>
  %rs = tt.splat %r : f32 -> tensor<512xf32, #line>
  %w = arith.addf %z, %rs : tensor<512xf32, #line>
  tt.store %p, %w : tensor<512x!tt.ptr<f32>, #line>
  // CHECK: "tt.reduce"(%{{.*}}) <{axis = 1 : i32}>
  // CHECK: tt.load
  // CHECK: tt.store
  %g1 = tt.load %g : tensor<4x128x!tt.ptr<f32>, #rows>
  %t = "tt.reduce"(%g1) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<4x128xf32, #rows>) -> tensor<4xf32, #ttg.slice<{dim = 1, parent = #rows}>>
  %g2 = tt.load %g : tensor<4x128x!tt.ptr<f32>, #rows>
  tt.store %g, %g2 : tensor<4x128x!tt.ptr<f32>, #rows>
  tt.return %t : tensor<4xf32, #ttg.slice<{dim = 1, parent = #rows}>>
}

// 64 registers a thread may be loaded ahead, not 128.
// CHECK-LABEL: @budget
tt.func @budget(%x: tensor<512xf32, #line>, %g: tensor<128x64x!tt.ptr<f32>, #columns>, %h: tensor<128x128x!tt.ptr<f32>, #columns>) -> (f32, tensor<128x64xf32, #columns>, tensor<128x128xf32, #columns>) {
  // CHECK-NEXT: tt.load %arg1
  // CHECK-NEXT: "tt.reduce"
  // CHECK: tt.load %arg2
  %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<512xf32, #line>) -> f32
  %y = tt.load %g : tensor<128x64x!tt.ptr<f32>, #columns>
  %z = tt.load %h : tensor<128x128x!tt.ptr<f32>, #columns>
  tt.return %s, %y, %z : f32, tensor<128x64xf32, #columns>, tensor<128x128xf32, #columns>
}

// What makes registers busy goes to its use; what frees as many stays; a use in a loop is one
// before the loop. Loads and what reads memory do not move down.
// CHECK-LABEL: @sink
tt.func @sink(%p: tensor<512x!tt.ptr<f32>, #line>, %x: f32, %n: i32) {
  // CHECK: %[[V:.*]] = tt.load
  // CHECK-NEXT: %[[E:.*]] = math.exp %[[V]]
  // CHECK-NEXT: tt.store %arg0, %[[E]]
  // CHECK-NEXT: %[[W:.*]] = tt.load
  // CHECK-NEXT: %[[H:.*]] = arith.truncf %[[W]]
  // CHECK-NEXT: tt.store
  // CHECK-NEXT: %[[S:.*]] = tt.splat %arg1
  // CHECK-NEXT: tt.store %arg0, %[[S]]
  // CHECK-NEXT: %[[R:.*]] = tt.make_range
  // CHECK-NEXT: %[[Q:.*]] = tt.addptr %arg0, %[[R]]
  // CHECK-NEXT: %[[F:.*]] = arith.extf %[[H]]
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: tt.store %[[Q]], %[[F]]
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %range = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #line>
  %q = tt.addptr %p, %range : tensor<512x!tt.ptr<f32>, #line>, tensor<512xi32, #line>
  %s = tt.splat %x : f32 -> tensor<512xf32, #line>
  %v = tt.load %p : tensor<512x!tt.ptr<f32>, #line>
  %e = math.exp %v : tensor<512xf32, #line>
  tt.store %p, %e : tensor<512x!tt.ptr<f32>, #line>
  %w = tt.load %p : tensor<512x!tt.ptr<f32>, #line>
  %h = arith.truncf %w : tensor<512xf32, #line> to tensor<512xf16, #line>
  %f = arith.extf %h : tensor<512xf16, #line> to tensor<512xf32, #line>
  tt.store %p, %e : tensor<512x!tt.ptr<f32>, #line>
  tt.store %p, %s : tensor<512x!tt.ptr<f32>, #line>
  scf.for %i = %c0 to %n step %c1 : i32 {
    tt.store %q, %f : tensor<512x!tt.ptr<f32>, #line>
  }
  tt.return
}

// A conversion whose source lives on goes to its use; ops with one use keep their order.
// CHECK-LABEL: @sink_conversion
tt.func @sink_conversion(%p: tensor<512x!tt.ptr<f32>, #line>, %q: tensor<512x!tt.ptr<f32>, #single>) {
  // CHECK: %[[V:.*]] = tt.load
  // CHECK-NEXT: tt.store %arg0, %[[V]]
  // CHECK-NEXT: %[[C:.*]] = ttg.convert_layout %[[V]]
  // CHECK-NEXT: tt.store %arg1, %[[C]]
  // CHECK-NEXT: tt.store %arg0, %[[V]]
  %v = tt.load %p : tensor<512x!tt.ptr<f32>, #line>
  %c = ttg.convert_layout %v : tensor<512xf32, #line> -> tensor<512xf32, #single>
  tt.store %p, %v : tensor<512x!tt.ptr<f32>, #line>
  tt.store %q, %c : tensor<512x!tt.ptr<f32>, #single>
  tt.store %p, %v : tensor<512x!tt.ptr<f32>, #line>
  tt.return
}

// Loads go before a scan, a gather or a histogram as well, where warps wait for one another.
// CHECK-LABEL: @load_before_scan
tt.func @load_before_scan(%p: tensor<512x!tt.ptr<f32>, #line>, %x: tensor<512xf32, #line>) -> (tensor<512xf32, #line>, tensor<512xf32, #line>) {
  // CHECK-NEXT: tt.load
  // CHECK-NEXT: "tt.scan"
  %s = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.scan.return %c : f32
  }) : (tensor<512xf32, #line>) -> tensor<512xf32, #line>
  %v = tt.load %p : tensor<512x!tt.ptr<f32>, #line>
  tt.return %s, %v : tensor<512xf32, #line>, tensor<512xf32, #line>
}

// CHECK-LABEL: @load_before_gather
tt.func @load_before_gather(%p: tensor<512x!tt.ptr<f32>, #line>, %x: tensor<512xf32, #line>, %i: tensor<512xi32, #line>) -> (tensor<512xf32, #line>, tensor<512xf32, #line>) {
  // CHECK-NEXT: tt.load
  // CHECK: tt.gather
  %e = math.exp %x : tensor<512xf32, #line>
  %g = tt.gather %e[%i] {axis = 0 : i32} : (tensor<512xf32, #line>, tensor<512xi32, #line>) -> tensor<512xf32, #line>
  %v = tt.load %p : tensor<512x!tt.ptr<f32>, #line>
  tt.return %g, %v : tensor<512xf32, #line>, tensor<512xf32, #line>
}

// CHECK-LABEL: @load_before_histogram
tt.func @load_before_histogram(%p: tensor<512x!tt.ptr<f32>, #line>, %i: tensor<512xi32, #line>) -> (tensor<512xi32, #line>, tensor<512xf32, #line>) {
  // CHECK-NEXT: tt.load
  // CHECK: tt.histogram
  %e = math.absi %i : tensor<512xi32, #line>
  %h = tt.histogram %e : tensor<512xi32, #line> -> tensor<512xi32, #line>
  %v = tt.load %p : tensor<512x!tt.ptr<f32>, #line>
  tt.return %h, %v : tensor<512xi32, #line>, tensor<512xf32, #line>
}

// A pair is another name for what is in registers already: it goes to its use.
#pairs = #ttg.blocked<{sizePerThread = [4, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-LABEL: @sink_join
tt.func @sink_join(%p: tensor<512x!tt.ptr<f32>, #line>, %q: tensor<512x2x!tt.ptr<f32>, #pairs>, %x: tensor<512xf32, #line>) {
  // CHECK-NEXT: tt.load
  // CHECK-NEXT: tt.load
  // CHECK-NEXT: tt.store %arg0
  // CHECK-NEXT: tt.join
  // CHECK-NEXT: tt.store %arg1
  %a = tt.load %p : tensor<512x!tt.ptr<f32>, #line>
  %b = tt.load %p : tensor<512x!tt.ptr<f32>, #line>
  %j = tt.join %a, %b : tensor<512xf32, #line> -> tensor<512x2xf32, #pairs>
  tt.store %p, %x : tensor<512x!tt.ptr<f32>, #line>
  tt.store %q, %j : tensor<512x2x!tt.ptr<f32>, #pairs>
  tt.return
}


// The buffers of a loop begin behind what stands before it and may need shared memory, in their
// order, and end before what follows it and may need some.

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:86", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @buffers_begin
  // CHECK: ttg.convert_layout
  // CHECK-NEXT: ttg.local_alloc : () -> !ttg.memdesc<64x64xf32
  // CHECK-NEXT: ttg.local_store
  // CHECK-NEXT: ttg.local_alloc : () -> !ttg.memdesc<64x64xf16
  // CHECK-NEXT: ttg.local_alloc : () -> !ttg.memdesc<32x64xf16
  // CHECK-NEXT: scf.for
  tt.func @buffers_begin(%p: tensor<64x64x!tt.ptr<f32>, #blocked>, %n: index) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %x = tt.load %p : tensor<64x64x!tt.ptr<f32>, #blocked>
    %f = ttg.local_alloc : () -> !ttg.memdesc<64x64xf32, #s, #smem, mutable>
    %g = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #s, #smem, mutable>
    %h = ttg.local_alloc : () -> !ttg.memdesc<32x64xf16, #s, #smem, mutable>
    %y = ttg.convert_layout %x : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #mma>
    ttg.local_store %y, %f : tensor<64x64xf32, #mma> -> !ttg.memdesc<64x64xf32, #s, #smem, mutable>
    scf.for %i = %zero to %n step %one {
      %a = ttg.local_load %h : !ttg.memdesc<32x64xf16, #s, #smem, mutable> -> tensor<32x64xf16, #blocked>
      ttg.local_store %a, %h : tensor<32x64xf16, #blocked> -> !ttg.memdesc<32x64xf16, #s, #smem, mutable>
      %b = ttg.local_load %g : !ttg.memdesc<64x64xf16, #s, #smem, mutable> -> tensor<64x64xf16, #blocked>
      ttg.local_store %b, %g : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #s, #smem, mutable>
    }
    tt.return
  }

  // CHECK-LABEL: @buffers_end
  // CHECK: ttg.local_load
  // CHECK-NEXT: ttg.async_wait {num = 0 : i32}
  // CHECK-NEXT: ttg.local_dealloc
  // CHECK-NEXT: ttg.convert_layout
  tt.func @buffers_end(%p: tensor<64x64x!tt.ptr<f32>, #blocked>) {
    %m = ttg.local_alloc : () -> !ttg.memdesc<64x64xf32, #s, #smem, mutable>
    %x = ttg.local_load %m : !ttg.memdesc<64x64xf32, #s, #smem, mutable> -> tensor<64x64xf32, #mma>
    %y = ttg.convert_layout %x : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked>
    %w = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %m : !ttg.memdesc<64x64xf32, #s, #smem, mutable>
    tt.store %p, %y : tensor<64x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

// Loads from shared memory come right before they are wanted, but not past what may write there.

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1201", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @local_load_last
  // CHECK: math.exp
  // CHECK-NEXT: ttg.local_alloc
  // CHECK-NEXT: ttg.local_load
  // CHECK-NEXT: arith.addf
  // CHECK: ttg.local_load
  // CHECK-NEXT: ttg.local_store
  tt.func @local_load_last(%p: tensor<64x64x!tt.ptr<f32>, #blocked>, %v: tensor<64x64xf32, #blocked>) {
    %m = ttg.local_alloc : () -> !ttg.memdesc<64x64xf32, #s, #smem, mutable>
    %x = ttg.local_load %m : !ttg.memdesc<64x64xf32, #s, #smem, mutable> -> tensor<64x64xf32, #blocked>
    %e = math.exp %v : tensor<64x64xf32, #blocked>
    %sum = arith.addf %e, %x : tensor<64x64xf32, #blocked>
    %y = ttg.local_load %m : !ttg.memdesc<64x64xf32, #s, #smem, mutable> -> tensor<64x64xf32, #blocked>
    ttg.local_store %sum, %m : tensor<64x64xf32, #blocked> -> !ttg.memdesc<64x64xf32, #s, #smem, mutable>
    %all = arith.addf %sum, %y : tensor<64x64xf32, #blocked>
    tt.store %p, %all : tensor<64x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
