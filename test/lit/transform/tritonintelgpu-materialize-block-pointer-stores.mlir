// RUN: tilewright-opt %s --tritonintelgpu-materialize-block-pointer --canonicalize --cse | FileCheck %s

// A load that becomes the operand of a product takes the place of its conversion, also of one that
// is stored; masks of fewer elements than what they are of.

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "xpu:pvc", "ttg.threads-per-warp" = 16 : i32} {
  // CHECK-LABEL: @stored_conversion
  // CHECK: %[[X:.*]] = ttig.block_load {{.*}} -> tensor<32x32xf16, #ttg.dot_op
  // CHECK: %[[Y:.*]] = ttg.convert_layout %[[X]] : {{.*}} -> tensor<32x32xf16, #mma>
  // CHECK: ttig.block_store {{.*}} %[[Y]]
  tt.func public @stored_conversion(%p: !tt.ptr<f16> {tt.divisibility = 64 : i32}, %q: !tt.ptr<f16> {tt.divisibility = 64 : i32}) {
    %r = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<32x1xi32, #mma>
    %ld = arith.constant dense<512> : tensor<32x1xi32, #mma>
    %rr = arith.muli %r1, %ld : tensor<32x1xi32, #mma>
    %c = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %c1 = tt.expand_dims %c {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x32xi32, #mma>
    %rb = tt.broadcast %rr : tensor<32x1xi32, #mma> -> tensor<32x32xi32, #mma>
    %cb = tt.broadcast %c1 : tensor<1x32xi32, #mma> -> tensor<32x32xi32, #mma>
    %o = arith.addi %rb, %cb : tensor<32x32xi32, #mma>
    %ps = tt.splat %p : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>, #mma>
    %pp = tt.addptr %ps, %o : tensor<32x32x!tt.ptr<f16>, #mma>, tensor<32x32xi32, #mma>
    %x = tt.load %pp : tensor<32x32x!tt.ptr<f16>, #mma>
    %y = ttg.convert_layout %x : tensor<32x32xf16, #mma> -> tensor<32x32xf16, #a>
    %oa = ttg.convert_layout %o : tensor<32x32xi32, #mma> -> tensor<32x32xi32, #a>
    %qs = tt.splat %q : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>, #a>
    %qp = tt.addptr %qs, %oa : tensor<32x32x!tt.ptr<f16>, #a>, tensor<32x32xi32, #a>
    tt.store %qp, %y : tensor<32x32x!tt.ptr<f16>, #a>
    tt.return
  }

  // What the one row of a mask says holds for the whole tile, or for nothing of it: no bound of the
  // matrix, but a test.
  // CHECK-LABEL: @one_row
  // CHECK: %[[ROOM:.*]] = arith.addi %{{.*}}, %c-1_i64 : i64
  // CHECK: %[[SOME:.*]] = arith.cmpi sge, %[[ROOM]], %c0_i64 : i64
  // CHECK: scf.if %[[SOME]]
  // CHECK-NEXT: ttig.block_load %{{.*}}[%c0_i32, %c0_i32] of[%c32_i32, %c32_i32] pitch %c512_i32
  // CHECK: } else {
  // CHECK: tt.load
  tt.func public @one_row(%p: !tt.ptr<f16> {tt.divisibility = 64 : i32}, %n: i32) -> tensor<32x32xf16, #a> {
    %r = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<32x1xi32, #mma>
    %ld = arith.constant dense<512> : tensor<32x1xi32, #mma>
    %rr = arith.muli %r1, %ld : tensor<32x1xi32, #mma>
    %c = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %c1 = tt.expand_dims %c {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x32xi32, #mma>
    %rb = tt.broadcast %rr : tensor<32x1xi32, #mma> -> tensor<32x32xi32, #mma>
    %cb = tt.broadcast %c1 : tensor<1x32xi32, #mma> -> tensor<32x32xi32, #mma>
    %o = arith.addi %rb, %cb : tensor<32x32xi32, #mma>
    %ps = tt.splat %p : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>, #mma>
    %pp = tt.addptr %ps, %o : tensor<32x32x!tt.ptr<f16>, #mma>, tensor<32x32xi32, #mma>
    %one = tt.make_range {start = 0 : i32, end = 1 : i32} : tensor<1xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %one1 = tt.expand_dims %one {axis = 1 : i32} : tensor<1xi32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<1x1xi32, #mma>
    %ns = tt.splat %n : i32 -> tensor<1x1xi32, #mma>
    %less = arith.cmpi slt, %one1, %ns : tensor<1x1xi32, #mma>
    %mask = tt.broadcast %less : tensor<1x1xi1, #mma> -> tensor<32x32xi1, #mma>
    %zero = arith.constant dense<0.0> : tensor<32x32xf16, #mma>
    %x = tt.load %pp, %mask, %zero : tensor<32x32x!tt.ptr<f16>, #mma>
    %y = ttg.convert_layout %x : tensor<32x32xf16, #mma> -> tensor<32x32xf16, #a>
    tt.return %y : tensor<32x32xf16, #a>
  }
}
