// RUN: tilewright-opt %s --split-input-file --tritonintelgpu-materialize-block-pointer --canonicalize --cse | FileCheck %s
// RUN: tilewright-opt %s --split-input-file --tritonintelgpu-materialize-block-pointer --tilewright-intel-prefetch-blocks --canonicalize --cse | FileCheck %s --check-prefix=PREFETCH

// The product of the documents on block loads, [1024, 5120] x [5120, 4096] in tiles of 256 x 256 x
// 32. All rules of messages are known to hold: there is no test. What is the same in all iterations
// is the matrix's beginning; no pointers are carried.

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [8, 4], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 32 : i32, ttg.target = "xpu:pvc", "ttg.threads-per-warp" = 16 : i32} {

// CHECK-LABEL: @gemm
// CHECK: %[[M:.*]] = tt.get_program_id x
// CHECK: %[[A:.*]] = tt.addptr %arg0, %{{.*}} : !tt.ptr<f16>, i64
// CHECK: %[[B:.*]] = tt.addptr %arg1, %{{.*}} : !tt.ptr<f16>, i64
// CHECK: scf.for %[[I:.*]] = %c0_i32 to %c160_i32 step %c1_i32 iter_args(%[[SUM:.*]] = %{{.*}}) -> (tensor<256x256xf32, #mma>) : i32 {
// CHECK-NEXT: %[[K:.*]] = arith.muli %[[I]], %c32_i32
// CHECK-NEXT: %[[LEFT:.*]] = ttig.block_load %[[A]][%c0_i32, %[[K]]] of[%c256_i32, %c5120_i32] pitch %c5120_i32 : <f16> -> tensor<256x32xf16, #ttg.dot_op<{opIdx = 0
// CHECK-NEXT: %[[RIGHT:.*]] = ttig.block_load %[[B]][%[[K]], %c0_i32] of[%c5120_i32, %c256_i32] pitch %c4096_i32 : <f16> -> tensor<32x256xf16, #ttg.dot_op<{opIdx = 1
// CHECK-NEXT: %[[NEXT:.*]] = tt.dot %[[LEFT]], %[[RIGHT]], %[[SUM]]
// CHECK-NEXT: scf.yield %[[NEXT]]
// CHECK: ttig.block_store %{{.*}}[%c0_i32, %c0_i32] of[%c256_i32, %c256_i32] pitch %c4096_i32,

// Two iterations ahead; behind the last one that one's tiles again.
// PREFETCH-LABEL: @gemm
// PREFETCH-COUNT-4: ttig.block_prefetch
// PREFETCH: scf.for %[[I:[^ ]*]] =
// PREFETCH-NEXT: %[[LATER:.*]] = arith.addi %[[I]], %c2_i32
// PREFETCH-NEXT: %[[LAST:.*]] = arith.minsi %[[LATER]], %c159_i32
// PREFETCH-NEXT: %[[K:.*]] = arith.muli %[[LAST]], %c32_i32
// PREFETCH-NEXT: ttig.block_prefetch %{{.*}}[%c0_i32, %[[K]]] of[%c256_i32, %c5120_i32] pitch %c5120_i32 : <f16>, tensor<256x32xf16
// PREFETCH-NEXT: ttig.block_prefetch %{{.*}}[%[[K]], %c0_i32] of[%c5120_i32, %c256_i32] pitch %c4096_i32 : <f16>, tensor<32x256xf16
// PREFETCH-NEXT: arith.muli %[[I]], %c32_i32
// PREFETCH-NEXT: ttig.block_load
// PREFETCH-NEXT: ttig.block_load
// PREFETCH-NEXT: tt.dot
  tt.func public @gemm(%a: !tt.ptr<f16> {tt.divisibility = 64 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 64 : i32}, %c: !tt.ptr<f32> {tt.divisibility = 64 : i32}) attributes {noinline = false} {
    %pm = tt.get_program_id x : i32
    %pn = tt.get_program_id y : i32
    %c256 = arith.constant 256 : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c160 = arith.constant 160 : i32
    %zero = arith.constant dense<0.0> : tensor<256x256xf32, #mma>
    %m0 = arith.muli %pm, %c256 : i32
    %n0 = arith.muli %pn, %c256 : i32
    // a: [1024, 5120]
    %am0 = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32, #ttg.slice<{dim = 1, parent = #a}>>
    %ams = tt.splat %m0 : i32 -> tensor<256xi32, #ttg.slice<{dim = 1, parent = #a}>>
    %am = arith.addi %am0, %ams : tensor<256xi32, #ttg.slice<{dim = 1, parent = #a}>>
    %am1 = tt.expand_dims %am {axis = 1 : i32} : tensor<256xi32, #ttg.slice<{dim = 1, parent = #a}>> -> tensor<256x1xi32, #a>
    %ald = arith.constant dense<5120> : tensor<256x1xi32, #a>
    %amr = arith.muli %am1, %ald : tensor<256x1xi32, #a>
    %ak0 = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #a}>>
    %ak1 = tt.expand_dims %ak0 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #a}>> -> tensor<1x32xi32, #a>
    %ab0 = tt.broadcast %amr : tensor<256x1xi32, #a> -> tensor<256x32xi32, #a>
    %ab1 = tt.broadcast %ak1 : tensor<1x32xi32, #a> -> tensor<256x32xi32, #a>
    %ao = arith.addi %ab0, %ab1 : tensor<256x32xi32, #a>
    %as = tt.splat %a : !tt.ptr<f16> -> tensor<256x32x!tt.ptr<f16>, #a>
    %ap = tt.addptr %as, %ao : tensor<256x32x!tt.ptr<f16>, #a>, tensor<256x32xi32, #a>
    %astep = arith.constant dense<32> : tensor<256x32xi32, #a>
    // b: [5120, 4096]
    %bk0 = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #b}>>
    %bk1 = tt.expand_dims %bk0 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<32x1xi32, #b>
    %bld = arith.constant dense<4096> : tensor<32x1xi32, #b>
    %bkr = arith.muli %bk1, %bld : tensor<32x1xi32, #b>
    %bn0 = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32, #ttg.slice<{dim = 0, parent = #b}>>
    %bns = tt.splat %n0 : i32 -> tensor<256xi32, #ttg.slice<{dim = 0, parent = #b}>>
    %bn = arith.addi %bn0, %bns : tensor<256xi32, #ttg.slice<{dim = 0, parent = #b}>>
    %bn1 = tt.expand_dims %bn {axis = 0 : i32} : tensor<256xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x256xi32, #b>
    %bb0 = tt.broadcast %bkr : tensor<32x1xi32, #b> -> tensor<32x256xi32, #b>
    %bb1 = tt.broadcast %bn1 : tensor<1x256xi32, #b> -> tensor<32x256xi32, #b>
    %bo = arith.addi %bb0, %bb1 : tensor<32x256xi32, #b>
    %bs = tt.splat %b : !tt.ptr<f16> -> tensor<32x256x!tt.ptr<f16>, #b>
    %bp = tt.addptr %bs, %bo : tensor<32x256x!tt.ptr<f16>, #b>, tensor<32x256xi32, #b>
    %bstep = arith.constant dense<131072> : tensor<32x256xi32, #b>
    %r:3 = scf.for %k = %c0 to %c160 step %c1 iter_args(%acc = %zero, %pa = %ap, %pb = %bp) -> (tensor<256x256xf32, #mma>, tensor<256x32x!tt.ptr<f16>, #a>, tensor<32x256x!tt.ptr<f16>, #b>) : i32 {
      %av = tt.load %pa : tensor<256x32x!tt.ptr<f16>, #a>
      %bv = tt.load %pb : tensor<32x256x!tt.ptr<f16>, #b>
      %d = tt.dot %av, %bv, %acc : tensor<256x32xf16, #a> * tensor<32x256xf16, #b> -> tensor<256x256xf32, #mma>
      %na = tt.addptr %pa, %astep : tensor<256x32x!tt.ptr<f16>, #a>, tensor<256x32xi32, #a>
      %nb = tt.addptr %pb, %bstep : tensor<32x256x!tt.ptr<f16>, #b>, tensor<32x256xi32, #b>
      scf.yield %d, %na, %nb : tensor<256x256xf32, #mma>, tensor<256x32x!tt.ptr<f16>, #a>, tensor<32x256x!tt.ptr<f16>, #b>
    }
    %cm0 = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %cms = tt.splat %m0 : i32 -> tensor<256xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %cm = arith.addi %cm0, %cms : tensor<256xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %cm1 = tt.expand_dims %cm {axis = 1 : i32} : tensor<256xi32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<256x1xi32, #mma>
    %cld = arith.constant dense<4096> : tensor<256x1xi32, #mma>
    %cmr = arith.muli %cm1, %cld : tensor<256x1xi32, #mma>
    %cn0 = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %cns = tt.splat %n0 : i32 -> tensor<256xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %cn = arith.addi %cn0, %cns : tensor<256xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %cn1 = tt.expand_dims %cn {axis = 0 : i32} : tensor<256xi32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x256xi32, #mma>
    %cb0 = tt.broadcast %cmr : tensor<256x1xi32, #mma> -> tensor<256x256xi32, #mma>
    %cb1 = tt.broadcast %cn1 : tensor<1x256xi32, #mma> -> tensor<256x256xi32, #mma>
    %co = arith.addi %cb0, %cb1 : tensor<256x256xi32, #mma>
    %cs = tt.splat %c : !tt.ptr<f32> -> tensor<256x256x!tt.ptr<f32>, #mma>
    %cp = tt.addptr %cs, %co : tensor<256x256x!tt.ptr<f32>, #mma>, tensor<256x256xi32, #mma>
    tt.store %cp, %r#0 : tensor<256x256x!tt.ptr<f32>, #mma>
    tt.return
  }
}

// -----

// A row's length is an argument: the loop exists twice, and a test before it says which one runs.

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [4, 2]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#l = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu:pvc", "ttg.threads-per-warp" = 16 : i32} {

// CHECK-LABEL: @tested
// CHECK: %[[OK:.*]] = arith.andi %{{.*}} : i1
// CHECK: scf.if %[[OK]] -> (tensor<128x32xf16, #ttg.dot_op
// CHECK: scf.for
// CHECK-NOT: tt.load
// CHECK: ttig.block_load {{.*}} -> tensor<128x32xf16, #ttg.dot_op
// CHECK-NOT: convert_layout
// CHECK: } else {
// CHECK: scf.for
// CHECK-NOT: ttig.block_load
// CHECK: tt.load {{.*}} {ttig.no_block_io}
// CHECK: ttg.convert_layout
tt.func public @tested(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %ld: i32 {tt.divisibility = 16 : i32}, %n: i32) -> tensor<128x32xf16, #a> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x32xf16, #a>
  %r0 = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #l}>>
  %r1 = tt.expand_dims %r0 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #l}>> -> tensor<128x1xi32, #l>
  %s = tt.splat %ld : i32 -> tensor<128x1xi32, #l>
  %r2 = arith.muli %r1, %s : tensor<128x1xi32, #l>
  %c = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #l}>>
  %c2 = tt.expand_dims %c {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #l}>> -> tensor<1x32xi32, #l>
  %rb = tt.broadcast %r2 : tensor<128x1xi32, #l> -> tensor<128x32xi32, #l>
  %cb = tt.broadcast %c2 : tensor<1x32xi32, #l> -> tensor<128x32xi32, #l>
  %o = arith.addi %rb, %cb : tensor<128x32xi32, #l>
  %b = tt.splat %p : !tt.ptr<f16> -> tensor<128x32x!tt.ptr<f16>, #l>
  %first = tt.addptr %b, %o : tensor<128x32x!tt.ptr<f16>, #l>, tensor<128x32xi32, #l>
  %step = arith.constant dense<32> : tensor<128x32xi32, #l>
  %x:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %q = %first) -> (tensor<128x32xf16, #a>, tensor<128x32x!tt.ptr<f16>, #l>) : i32 {
    %v = tt.load %q : tensor<128x32x!tt.ptr<f16>, #l>
    %w = ttg.convert_layout %v : tensor<128x32xf16, #l> -> tensor<128x32xf16, #a>
    %t = arith.addf %sum, %w : tensor<128x32xf16, #a>
    %next = tt.addptr %q, %step : tensor<128x32x!tt.ptr<f16>, #l>, tensor<128x32xi32, #l>
    scf.yield %t, %next : tensor<128x32xf16, #a>, tensor<128x32x!tt.ptr<f16>, #l>
  }
  tt.return %x#0 : tensor<128x32xf16, #a>
}
}

// -----

// The index itself is the row; a loop that may not run; a tile that is the same in all iterations;
// a row that the loop carries.

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [4, 2]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu:pvc", "ttg.threads-per-warp" = 16 : i32} {
// PREFETCH-LABEL: @index
// PREFETCH: %[[RUNS:.*]] = arith.cmpi sgt, %arg4, %c0_i32
// PREFETCH: scf.if %[[RUNS]] {
// PREFETCH: ttig.block_prefetch %arg1[%c0_i32, %c0_i32]
// PREFETCH: %[[ONE:.*]] = arith.minsi %{{.*}}, %c64_i32
// PREFETCH: ttig.block_prefetch %arg1[%[[ONE]], %c0_i32]
// PREFETCH: scf.for %[[I:[^ ]*]] =
// PREFETCH-NEXT: %[[LATER:.*]] = arith.addi %[[I]], %c128_i32
// PREFETCH-NEXT: %[[LAST:.*]] = arith.minsi %[[LATER]],
// PREFETCH-NEXT: ttig.block_prefetch %arg1[%[[LAST]], %c0_i32]
// PREFETCH-NOT: ttig.block_prefetch
// PREFETCH: tt.return
tt.func public @index(%p: !tt.ptr<f16>, %q: !tt.ptr<f16>, %h: i32, %w: i32, %n: i32) -> tensor<128x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #mma>
  %x:2 = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %zero, %r = %c0) -> (tensor<128x64xf32, #mma>, i32) : i32 {
    %l = ttig.block_load %p[%c0, %c0] of [%h, %w] pitch %w : !tt.ptr<f16> -> tensor<128x64xf16, #a>
    %m = ttig.block_load %q[%i, %c0] of [%h, %w] pitch %w : !tt.ptr<f16> -> tensor<64x64xf16, #b>
    %o = ttig.block_load %q[%r, %c0] of [%h, %w] pitch %w : !tt.ptr<f16> -> tensor<64x64xf16, #b>
    %s = tt.dot %l, %m, %sum : tensor<128x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<128x64xf32, #mma>
    %t = tt.dot %l, %o, %s : tensor<128x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<128x64xf32, #mma>
    %next = arith.xori %r, %i : i32
    scf.yield %t, %next : tensor<128x64xf32, #mma>, i32
  }
  tt.return %x#0 : tensor<128x64xf32, #mma>
}
}
