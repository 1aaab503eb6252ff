// RUN: tilewright-opt %s --tritongpu-assign-latencies --tritongpu-schedule-loops --tritongpu-pipeline | FileCheck %s
// RUN: tilewright-opt %s --tritongpu-assign-latencies | FileCheck %s --check-prefix=EARLY

#a = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#b = #ttg.blocked<{sizePerThread = [8, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.amd_wmma<{version = 2, isTranspose = true, ctaLayout = {warp = [[0, 1], [1, 0]]}}>
#oa = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 8}>
#ob = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 8}>
#line = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!pa = tensor<64x64x!tt.ptr<f16>, #a>
!pb = tensor<64x128x!tt.ptr<f16>, #b>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1201", "ttg.threads-per-warp" = 32 : i32} {

// Without asynchronous copies a tile is loaded into registers while the one before is multiplied, and
// stored after that. The layout of shared memory is the one that both sides access by 16 bytes without
// conflicts.
// CHECK-DAG: #[[OFA:.*]] = #ttg.shared_linear<{offset = {{\[\[}}0, 1], [0, 2], [0, 4], {{.*}}alignment = 16>
// CHECK-DAG: #[[OFB:.*]] = #ttg.shared_linear<{offset = {{\[\[}}1, 0], [2, 0], [4, 0], {{.*}}alignment = 16>
// CHECK-LABEL: @both
// CHECK-DAG: %[[A:.*]] = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #[[OFA]], #smem, mutable>
// CHECK-DAG: %[[B:.*]] = ttg.local_alloc : () -> !ttg.memdesc<64x128xf16, #[[OFB]], #smem, mutable>
// CHECK-DAG: ttg.local_store %{{.*}}, %[[A]]
// CHECK-DAG: ttg.local_store %{{.*}}, %[[B]]
// CHECK: scf.for
// CHECK: tt.load
// CHECK: tt.load
// CHECK: ttg.local_load %[[A]]
// CHECK: ttg.local_load %[[B]]
// CHECK: tt.dot
// CHECK-DAG: ttg.local_store %{{.*}}, %[[A]]
// CHECK-DAG: ttg.local_store %{{.*}}, %[[B]]
// CHECK: scf.yield
// CHECK-NOT: ttg.async_wait
// CHECK: tt.return
// EARLY-LABEL: @both
// EARLY-COUNT-2: tt.latency = 1
tt.func @both(%p: !pa {tt.divisibility = 16 : i32, tt.contiguity = 64 : i32}, %q: !pb {tt.divisibility = 16 : i32, tt.contiguity = 128 : i32}, %n: i32) -> tensor<64x128xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x128xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x128xf32, #mma>) : i32 {
    %x = tt.load %p : !pa
    %y = tt.load %q : !pb
    %xo = ttg.convert_layout %x : tensor<64x64xf16, #a> -> tensor<64x64xf16, #oa>
    %yo = ttg.convert_layout %y : tensor<64x128xf16, #b> -> tensor<64x128xf16, #ob>
    %s = tt.dot %xo, %yo, %acc : tensor<64x64xf16, #oa> * tensor<64x128xf16, #ob> -> tensor<64x128xf32, #mma>
    scf.yield %s : tensor<64x128xf32, #mma>
  }
  tt.return %r : tensor<64x128xf32, #mma>
}

// A branch that stores results now and then comes last: the next tile is in memory by then.
// CHECK-LABEL: @branch
// CHECK: scf.for
// CHECK: tt.dot
// CHECK: ttg.local_store
// CHECK: ttg.local_store
// CHECK: scf.if
// CHECK-NOT: ttg.local_store
// CHECK: tt.return
tt.func @branch(%p: !pa {tt.divisibility = 16 : i32, tt.contiguity = 64 : i32}, %q: !pb {tt.divisibility = 16 : i32, tt.contiguity = 128 : i32}, %out: tensor<64x128x!tt.ptr<f32>, #mma>, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x128xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x128xf32, #mma>) : i32 {
    %x = tt.load %p : !pa
    %y = tt.load %q : !pb
    %xo = ttg.convert_layout %x : tensor<64x64xf16, #a> -> tensor<64x64xf16, #oa>
    %yo = ttg.convert_layout %y : tensor<64x128xf16, #b> -> tensor<64x128xf16, #ob>
    %s = tt.dot %xo, %yo, %acc : tensor<64x64xf16, #oa> * tensor<64x128xf16, #ob> -> tensor<64x128xf32, #mma>
    %isLast = arith.cmpi eq, %i, %m : i32
    %next = scf.if %isLast -> tensor<64x128xf32, #mma> {
      tt.store %out, %s : tensor<64x128x!tt.ptr<f32>, #mma>
      scf.yield %zero : tensor<64x128xf32, #mma>
    } else {
      scf.yield %s : tensor<64x128xf32, #mma>
    }
    scf.yield %next : tensor<64x128xf32, #mma>
  }
  tt.return
}

// Registers are too few for a tile ahead beside the sums: it goes through memory as it comes.
// CHECK-LABEL: @neither
// CHECK: scf.for
// CHECK-DAG: ttg.local_store
// CHECK-DAG: ttg.local_store
// CHECK: ttg.local_load
// CHECK: tt.dot
// CHECK-NEXT: scf.yield
// EARLY-LABEL: @neither
// EARLY-NOT: tt.latency
tt.func @neither(%p: tensor<128x64x!tt.ptr<f16>, #a> {tt.divisibility = 16 : i32, tt.contiguity = 64 : i32}, %q: tensor<64x256x!tt.ptr<f16>, #b> {tt.divisibility = 16 : i32, tt.contiguity = 256 : i32}, %n: i32) -> tensor<128x256xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x256xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x256xf32, #mma>) : i32 {
    %x = tt.load %p : tensor<128x64x!tt.ptr<f16>, #a>
    %y = tt.load %q : tensor<64x256x!tt.ptr<f16>, #b>
    %xo = ttg.convert_layout %x : tensor<128x64xf16, #a> -> tensor<128x64xf16, #oa>
    %yo = ttg.convert_layout %y : tensor<64x256xf16, #b> -> tensor<64x256xf16, #ob>
    %s = tt.dot %xo, %yo, %acc : tensor<128x64xf16, #oa> * tensor<64x256xf16, #ob> -> tensor<128x256xf32, #mma>
    scf.yield %s : tensor<128x256xf32, #mma>
  }
  tt.return %r : tensor<128x256xf32, #mma>
}

// 16 of 64 KiB of shared memory are left: one tile fits, the other stays a conversion, which goes
// through it piece by piece.
// CHECK-LABEL: @noMemory
// CHECK: ttg.local_alloc : () -> !ttg.memdesc<16384xf16
// CHECK: ttg.local_alloc : () -> !ttg.memdesc<8192xf16
// CHECK: ttg.local_alloc : () -> !ttg.memdesc<64x64xf16
// CHECK-NOT: ttg.local_alloc
// CHECK: scf.for
// CHECK: ttg.convert_layout %{{.*}} : tensor<64x128xf16
// CHECK: tt.return
// EARLY-LABEL: @noMemory
// EARLY: tt.load %arg0 {tt.latency = 1
// EARLY-NOT: tt.latency
tt.func @noMemory(%p: !pa {tt.divisibility = 16 : i32, tt.contiguity = 64 : i32}, %q: !pb {tt.divisibility = 16 : i32, tt.contiguity = 128 : i32}, %n: i32) -> (tensor<64x128xf32, #mma>, tensor<16384xf16, #line>, tensor<8192xf16, #line>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x128xf32, #mma>
  %held = ttg.local_alloc : () -> !ttg.memdesc<16384xf16, #plain, #smem, mutable>
  %more = ttg.local_alloc : () -> !ttg.memdesc<8192xf16, #plain, #smem, mutable>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x128xf32, #mma>) : i32 {
    %x = tt.load %p : !pa
    %y = tt.load %q : !pb
    %xo = ttg.convert_layout %x : tensor<64x64xf16, #a> -> tensor<64x64xf16, #oa>
    %yo = ttg.convert_layout %y : tensor<64x128xf16, #b> -> tensor<64x128xf16, #ob>
    %s = tt.dot %xo, %yo, %acc : tensor<64x64xf16, #oa> * tensor<64x128xf16, #ob> -> tensor<64x128xf32, #mma>
    scf.yield %s : tensor<64x128xf32, #mma>
  }
  %x0 = ttg.local_load %held : !ttg.memdesc<16384xf16, #plain, #smem, mutable> -> tensor<16384xf16, #line>
  %x1 = ttg.local_load %more : !ttg.memdesc<8192xf16, #plain, #smem, mutable> -> tensor<8192xf16, #line>
  tt.return %r, %x0, %x1 : tensor<64x128xf32, #mma>, tensor<16384xf16, #line>, tensor<8192xf16, #line>
}

// What has to be widened is so on its way into memory, whether the product's operands are widened
// or the tile is.
// CHECK-LABEL: @widened
// EARLY-LABEL: @widened
// CHECK: ttg.local_alloc : () -> !ttg.memdesc<64x64xf16
// CHECK: ttg.local_alloc : () -> !ttg.memdesc<64x128xf16
// CHECK: scf.for
// CHECK-NOT: tt.fp_to_fp
// CHECK: tt.dot
// CHECK: tt.fp_to_fp %{{.*}} : tensor<64x{{64|128}}xf8E5M2, #blocked{{1?}}>
// CHECK: ttg.local_store
// CHECK: tt.fp_to_fp %{{.*}} : tensor<64x{{64|128}}xf8E5M2, #blocked{{1?}}>
// CHECK: ttg.local_store
// CHECK-NEXT: scf.yield
tt.func @widened(%p: tensor<64x64x!tt.ptr<f8E5M2>, #a> {tt.divisibility = 16 : i32, tt.contiguity = 64 : i32}, %q: tensor<64x128x!tt.ptr<f8E5M2>, #b> {tt.divisibility = 16 : i32, tt.contiguity = 128 : i32}, %n: i32) -> tensor<64x128xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x128xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x128xf32, #mma>) : i32 {
    %x = tt.load %p : tensor<64x64x!tt.ptr<f8E5M2>, #a>
    %y = tt.load %q : tensor<64x128x!tt.ptr<f8E5M2>, #b>
    %xn = ttg.convert_layout %x : tensor<64x64xf8E5M2, #a> -> tensor<64x64xf8E5M2, #oa>
    %xo = tt.fp_to_fp %xn : tensor<64x64xf8E5M2, #oa> -> tensor<64x64xf16, #oa>
    %yw = tt.fp_to_fp %y : tensor<64x128xf8E5M2, #b> -> tensor<64x128xf16, #b>
    %yo = ttg.convert_layout %yw : tensor<64x128xf16, #b> -> tensor<64x128xf16, #ob>
    %s = tt.dot %xo, %yo, %acc : tensor<64x64xf16, #oa> * tensor<64x128xf16, #ob> -> tensor<64x128xf32, #mma>
    scf.yield %s : tensor<64x128xf32, #mma>
  }
  tt.return %r : tensor<64x128xf32, #mma>
}

// Without room for it tiles stay narrow, and operands are widened.
// CHECK-LABEL: @narrow
// CHECK: ttg.local_alloc : () -> !ttg.memdesc<64x64xf16
// CHECK: ttg.local_alloc : () -> !ttg.memdesc<64x128xf8E5M2
// CHECK: scf.for
// CHECK: ttg.local_load {{.*}} -> tensor<64x128xf8E5M2
// CHECK: tt.fp_to_fp {{.*}} -> tensor<64x128xf16, #ttg.dot_op
// CHECK: tt.dot
tt.func @narrow(%p: tensor<64x64x!tt.ptr<f8E5M2>, #a> {tt.divisibility = 16 : i32, tt.contiguity = 64 : i32}, %q: tensor<64x128x!tt.ptr<f8E5M2>, #b> {tt.divisibility = 16 : i32, tt.contiguity = 128 : i32}, %n: i32) -> (tensor<64x128xf32, #mma>, tensor<16384xf16, #line>, tensor<8192xf16, #line>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x128xf32, #mma>
  %held = ttg.local_alloc : () -> !ttg.memdesc<16384xf16, #plain, #smem, mutable>
  %more = ttg.local_alloc : () -> !ttg.memdesc<8192xf16, #plain, #smem, mutable>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x128xf32, #mma>) : i32 {
    %x = tt.load %p : tensor<64x64x!tt.ptr<f8E5M2>, #a>
    %y = tt.load %q : tensor<64x128x!tt.ptr<f8E5M2>, #b>
    %xn = ttg.convert_layout %x : tensor<64x64xf8E5M2, #a> -> tensor<64x64xf8E5M2, #oa>
    %xo = tt.fp_to_fp %xn : tensor<64x64xf8E5M2, #oa> -> tensor<64x64xf16, #oa>
    %yw = tt.fp_to_fp %y : tensor<64x128xf8E5M2, #b> -> tensor<64x128xf16, #b>
    %yo = ttg.convert_layout %yw : tensor<64x128xf16, #b> -> tensor<64x128xf16, #ob>
    %s = tt.dot %xo, %yo, %acc : tensor<64x64xf16, #oa> * tensor<64x128xf16, #ob> -> tensor<64x128xf32, #mma>
    scf.yield %s : tensor<64x128xf32, #mma>
  }
  %x0 = ttg.local_load %held : !ttg.memdesc<16384xf16, #plain, #smem, mutable> -> tensor<16384xf16, #line>
  %x1 = ttg.local_load %more : !ttg.memdesc<8192xf16, #plain, #smem, mutable> -> tensor<8192xf16, #line>
  tt.return %r, %x0, %x1 : tensor<64x128xf32, #mma>, tensor<16384xf16, #line>, tensor<8192xf16, #line>
}
}
