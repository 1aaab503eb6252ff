// RUN: tilewright-opt %s --tilewright-split-loops --canonicalize --cse | FileCheck %s

// A target without copies from global to shared memory: loops are split.

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#oa = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#ob = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#r = #ttg.slice<{dim = 1, parent = #mma}>
#c = #ttg.slice<{dim = 0, parent = #mma}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu:pvc", "ttg.threads-per-warp" = 32 : i32} {

// Rows from %first on, columns from %i on: the mask holds while i + 63 <= first, and what is
// selected is the product. The second loop goes on with what the first one has.
// CHECK-LABEL: @causal
// CHECK-SAME: %[[N:[^ ]*]]: i32, %[[FIRST:[^ ]*]]: i32
// CHECK-DAG: %[[WIDE:.*]] = arith.extsi %[[FIRST]] : i32 to i64
// CHECK-DAG: %[[LIMIT:.*]] = arith.addi %[[WIDE]], %c-63_i64
// CHECK: %[[MIDDLE:.*]] = arith.trunci %{{.*}} : i64 to i32
// CHECK: %[[A:.*]] = scf.for %{{.*}} = %c0_i32 to %[[MIDDLE]] step %c64_i32
// CHECK-NOT: arith.select
// CHECK: %[[D:.*]] = tt.dot
// CHECK-NEXT: arith.addf %{{.*}}, %[[D]]
// CHECK-NEXT: scf.yield
// CHECK: scf.for %{{.*}} = %[[MIDDLE]] to %[[N]] step %c64_i32 iter_args(%{{.*}} = %[[A]])
// CHECK: arith.cmpi sge
// CHECK: tt.dot
// CHECK: arith.select
tt.func @causal(%n: i32, %first: i32, %x: tensor<64x16xf16, #oa>, %y: tensor<16x64xf16, #ob>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %rows = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #r>
  %columns = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #c>
  %first1 = tt.splat %first : i32 -> tensor<64xi32, #r>
  %rm = arith.addi %first1, %rows : tensor<64xi32, #r>
  %rm1 = tt.expand_dims %rm {axis = 1 : i32} : tensor<64xi32, #r> -> tensor<64x1xi32, #mma>
  %rm2 = tt.broadcast %rm1 : tensor<64x1xi32, #mma> -> tensor<64x64xi32, #mma>
  %sum = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %start = tt.splat %i : i32 -> tensor<64xi32, #c>
    %rn = arith.addi %start, %columns : tensor<64xi32, #c>
    %rn1 = tt.expand_dims %rn {axis = 0 : i32} : tensor<64xi32, #c> -> tensor<1x64xi32, #mma>
    %rn2 = tt.broadcast %rn1 : tensor<1x64xi32, #mma> -> tensor<64x64xi32, #mma>
    %mask = arith.cmpi sge, %rm2, %rn2 : tensor<64x64xi32, #mma>
    %d = tt.dot %x, %y, %zero : tensor<64x16xf16, #oa> * tensor<16x64xf16, #ob> -> tensor<64x64xf32, #mma>
    %s = arith.select %mask, %d, %zero : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
    %t = arith.addf %acc, %s : tensor<64x64xf32, #mma>
    scf.yield %t : tensor<64x64xf32, #mma>
  }
  tt.return %sum : tensor<64x64xf32, #mma>
}

// What is left of a row, which the loop carries: %k - i * 64 in each iteration, the first one too. The
// other carries %k + 1 - i * 64, but %k in the first iteration.
// CHECK-LABEL: @carried_limit
// CHECK: scf.for
// CHECK-NOT: arith.select
// CHECK: scf.yield
// CHECK: scf.for
// CHECK: arith.select
// CHECK: scf.yield
// CHECK: scf.for
// CHECK: arith.select
// CHECK-NOT: scf.for
// CHECK: tt.return
tt.func @carried_limit(%n: i32, %k: i32, %x: tensor<64x16xf16, #oa>, %y: tensor<16x64xf16, #ob>) -> (tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %columns = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #c>
  %rn1 = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #c> -> tensor<1x64xi32, #mma>
  %rn2 = tt.broadcast %rn1 : tensor<1x64xi32, #mma> -> tensor<64x64xi32, #mma>
  %none = arith.muli %c0, %c64 : i32
  %start = arith.subi %k, %none : i32
  %sum:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %left = %start) -> (tensor<64x64xf32, #mma>, i32) : i32 {
    %limit = tt.splat %left : i32 -> tensor<64x64xi32, #mma>
    %mask = arith.cmpi slt, %rn2, %limit : tensor<64x64xi32, #mma>
    %d = tt.dot %x, %y, %acc : tensor<64x16xf16, #oa> * tensor<16x64xf16, #ob> -> tensor<64x64xf32, #mma>
    %s = arith.select %mask, %d, %acc : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
    %in = arith.addi %i, %c1 : i32
    %done = arith.muli %in, %c64 : i32
    %next = arith.subi %k, %done : i32
    scf.yield %s, %next : tensor<64x64xf32, #mma>, i32
  }
  %other:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %left = %start) -> (tensor<64x64xf32, #mma>, i32) : i32 {
    %limit = tt.splat %left : i32 -> tensor<64x64xi32, #mma>
    %mask = arith.cmpi slt, %rn2, %limit : tensor<64x64xi32, #mma>
    %d = tt.dot %x, %y, %acc : tensor<64x16xf16, #oa> * tensor<16x64xf16, #ob> -> tensor<64x64xf32, #mma>
    %s = arith.select %mask, %d, %acc : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
    %in = arith.addi %i, %c1 : i32
    %done = arith.muli %in, %c64 : i32
    %more = arith.addi %k, %c1 : i32
    %next = arith.subi %more, %done : i32
    scf.yield %s, %next : tensor<64x64xf32, #mma>, i32
  }
  tt.return %sum#0, %other#0 : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
}

// A mask that holds from some index on, one that does not depend on the index, one that was loaded:
// nothing to split. Nor is it worth it for a few elements or without a product.
// CHECK-LABEL: @left_alone
// CHECK-COUNT-3: scf.for
// CHECK-NOT: scf.for
// CHECK: tt.return
tt.func @left_alone(%n: i32, %first: i32, %x: tensor<64x16xf16, #oa>, %y: tensor<16x64xf16, #ob>, %known: tensor<64x64xi1, #mma>)
    -> (tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>, tensor<64xf32, #r>) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %few = arith.constant dense<0.0> : tensor<64xf32, #r>
  %one = arith.constant dense<1.0> : tensor<64xf32, #r>
  %columns = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #c>
  %rows = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #r>
  %columns1 = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #c> -> tensor<1x64xi32, #mma>
  %columns2 = tt.broadcast %columns1 : tensor<1x64xi32, #mma> -> tensor<64x64xi32, #mma>
  %limit = tt.splat %first : i32 -> tensor<64x64xi32, #mma>
  %a = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %start = tt.splat %i : i32 -> tensor<64x64xi32, #mma>
    %m = arith.cmpi slt, %columns2, %start : tensor<64x64xi32, #mma>
    %d = tt.dot %x, %y, %zero : tensor<64x16xf16, #oa> * tensor<16x64xf16, #ob> -> tensor<64x64xf32, #mma>
    %s = arith.select %m, %d, %acc : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
    %fixed = arith.cmpi slt, %columns2, %limit : tensor<64x64xi32, #mma>
    %t = arith.select %fixed, %s, %acc : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
    %u = arith.select %known, %t, %acc : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
    scf.yield %u : tensor<64x64xf32, #mma>
  }
  %b = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %start = tt.splat %i : i32 -> tensor<64x64xi32, #mma>
    %rn = arith.addi %start, %columns2 : tensor<64x64xi32, #mma>
    %m = arith.cmpi slt, %rn, %limit : tensor<64x64xi32, #mma>
    %s = arith.select %m, %zero, %acc : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
    scf.yield %s : tensor<64x64xf32, #mma>
  }
  %c:2 = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero, %f = %few) -> (tensor<64x64xf32, #mma>, tensor<64xf32, #r>) : i32 {
    %start = tt.splat %i : i32 -> tensor<64xi32, #r>
    %rn = arith.addi %start, %rows : tensor<64xi32, #r>
    %limit1 = tt.splat %first : i32 -> tensor<64xi32, #r>
    %m = arith.cmpi slt, %rn, %limit1 : tensor<64xi32, #r>
    %d = tt.dot %x, %y, %acc : tensor<64x16xf16, #oa> * tensor<16x64xf16, #ob> -> tensor<64x64xf32, #mma>
    %g = arith.addf %f, %one : tensor<64xf32, #r>
    %s = arith.select %m, %g, %f : tensor<64xi1, #r>, tensor<64xf32, #r>
    scf.yield %d, %s : tensor<64x64xf32, #mma>, tensor<64xf32, #r>
  }
  %ab = arith.addf %a, %b : tensor<64x64xf32, #mma>
  tt.return %ab, %c#0, %c#1 : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>, tensor<64xf32, #r>
}

// Where indices of 16 bits wrap around is not looked at.
// CHECK-LABEL: @short
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
// CHECK: tt.return
tt.func @short(%n: i16, %first: i16, %x: tensor<64x16xf16, #oa>, %y: tensor<16x64xf16, #ob>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i16
  %c1 = arith.constant 1 : i16
  %c1000 = arith.constant 1000 : i16
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %limit = tt.splat %first : i16 -> tensor<64x64xi16, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i16 {
    %far = arith.muli %i, %c1000 : i16
    %at = tt.splat %far : i16 -> tensor<64x64xi16, #mma>
    %mask = arith.cmpi slt, %at, %limit : tensor<64x64xi16, #mma>
    %d = tt.dot %x, %y, %acc : tensor<64x16xf16, #oa> * tensor<16x64xf16, #ob> -> tensor<64x64xf32, #mma>
    %s = arith.select %mask, %d, %acc : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
    scf.yield %s : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}
}
