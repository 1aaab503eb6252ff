// RUN: tilewright-opt %s --tilewright-split-loops --canonicalize --cse | FileCheck %s
// RUN: sed 's/tt.ptr<f16>/tt.ptr<f32>/; s/xf16, #shared/xf32, #shared/; s/xf16, #blocked/xf32, #blocked/; s/contiguity = 8/contiguity = 4/' %s | tilewright-opt --tilewright-split-loops --canonicalize --cse | FileCheck %s --check-prefix=F32

// A target with copies from global to shared memory: one loop, with branches around selects and
// around copies of elements of 32 bits.

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#oa = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#ob = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#r = #ttg.slice<{dim = 1, parent = #mma}>
#c = #ttg.slice<{dim = 0, parent = #mma}>
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [16, 2], warpsPerCTA = [4, 1], order = [1, 0]}>
#kc = #ttg.slice<{dim = 0, parent = #blocked}>
#kr = #ttg.slice<{dim = 1, parent = #blocked}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
!pa = tensor<64x16x!tt.ptr<f16>, #blocked>
!pb = tensor<16x64x!tt.ptr<f16>, #blocked>
!a = !ttg.memdesc<64x16xf16, #shared, #smem, mutable>
!b = !ttg.memdesc<16x64xf16, #shared, #smem, mutable>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// Rows from %first on, columns from %i on: the mask holds while i + 63 <= first, and what is
// selected is the product.
// CHECK-LABEL: @causal
// CHECK-SAME: %[[N:[^ ]*]]: i32, %[[FIRST:[^ ]*]]: i32
// CHECK-DAG: %[[WIDE:.*]] = arith.extsi %[[FIRST]] : i32 to i64
// CHECK-DAG: %[[LIMIT:.*]] = arith.addi %[[WIDE]], %c-63_i64
// CHECK: %[[MIDDLE:.*]] = arith.trunci %{{.*}} : i64 to i32
// CHECK: scf.for %[[I:[^ ]*]] = %c0_i32 to %[[N]] step %c64_i32
// CHECK-NEXT: %[[D:.*]] = tt.dot
// CHECK-NEXT: %[[HOLDS:.*]] = arith.cmpi slt, %[[I]], %[[MIDDLE]]
// CHECK-NEXT: %[[S:.*]] = scf.if %[[HOLDS]]
// CHECK-NEXT: scf.yield %[[D]]
// CHECK-NEXT: else
// CHECK: %[[MASK:.*]] = arith.cmpi sge
// CHECK-NEXT: %[[SELECTED:.*]] = arith.select %[[MASK]], %[[D]], %{{.*}}
// CHECK-NEXT: scf.yield %[[SELECTED]]
// CHECK: arith.addf %{{.*}}, %[[S]]
// CHECK-NOT: scf.for
// CHECK: tt.return
tt.func @causal(%n: i32, %first: i32, %x: tensor<64x16xf16, #oa>, %y: tensor<16x64xf16, #ob>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %low = arith.constant dense<-1.0e6> : tensor<64x64xf32, #mma>
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
    %m0 = arith.cmpi sge, %rm2, %rn2 : tensor<64x64xi32, #mma>
    %d = tt.dot %x, %y, %zero : tensor<64x16xf16, #oa> * tensor<16x64xf16, #ob> -> tensor<64x64xf32, #mma>
    %s = arith.select %m0, %d, %low : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
    %t = arith.addf %acc, %s : tensor<64x64xf32, #mma>
    scf.yield %t : tensor<64x64xf32, #mma>
  }
  tt.return %sum : tensor<64x64xf32, #mma>
}

// What is scaled is scaled behind the branch: by one where that has been done already.
// CHECK-LABEL: @scaled
// CHECK-SAME: %[[SCALE:[^ ]*]]: f32
// CHECK: scf.for
// CHECK-NEXT: %[[D:.*]] = tt.dot
// CHECK-NEXT: %[[HOLDS:.*]] = arith.cmpi slt
// CHECK-NEXT: %[[F:.*]] = arith.select %[[HOLDS]], %[[SCALE]], %cst{{[^ ]*}} : f32
// CHECK-NEXT: %[[S:.*]] = scf.if %[[HOLDS]]
// CHECK-NEXT: scf.yield %[[D]]
// CHECK-NEXT: else
// CHECK: %[[P:.*]] = arith.mulf %[[D]], %{{.*}} fastmath<contract>
// CHECK-NEXT: arith.select %{{.*}}, %[[P]], %{{.*}} : tensor
// CHECK: }
// CHECK-NEXT: %[[FACTORS:.*]] = tt.splat %[[F]]
// CHECK-NEXT: %[[SCALED:.*]] = arith.mulf %[[S]], %[[FACTORS]] fastmath<contract>
// CHECK-NEXT: arith.addf %{{.*}}, %[[SCALED]]
tt.func @scaled(%n: i32, %first: i32, %scale: f32, %x: tensor<64x16xf16, #oa>, %y: tensor<16x64xf16, #ob>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %low = arith.constant dense<-1.0e6> : tensor<64x64xf32, #mma>
  %rows = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #r>
  %columns = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #c>
  %first1 = tt.splat %first : i32 -> tensor<64xi32, #r>
  %rm = arith.addi %first1, %rows : tensor<64xi32, #r>
  %rm1 = tt.expand_dims %rm {axis = 1 : i32} : tensor<64xi32, #r> -> tensor<64x1xi32, #mma>
  %rm2 = tt.broadcast %rm1 : tensor<64x1xi32, #mma> -> tensor<64x64xi32, #mma>
  %scales = tt.splat %scale : f32 -> tensor<64x64xf32, #mma>
  %sum = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %start = tt.splat %i : i32 -> tensor<64xi32, #c>
    %rn = arith.addi %start, %columns : tensor<64xi32, #c>
    %rn1 = tt.expand_dims %rn {axis = 0 : i32} : tensor<64xi32, #c> -> tensor<1x64xi32, #mma>
    %rn2 = tt.broadcast %rn1 : tensor<1x64xi32, #mma> -> tensor<64x64xi32, #mma>
    %m0 = arith.cmpi sge, %rm2, %rn2 : tensor<64x64xi32, #mma>
    %d = tt.dot %x, %y, %zero : tensor<64x16xf16, #oa> * tensor<16x64xf16, #ob> -> tensor<64x64xf32, #mma>
    %p = arith.mulf %d, %scales fastmath<contract> : tensor<64x64xf32, #mma>
    %s = arith.select %m0, %p, %low : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
    %t = arith.addf %acc, %s : tensor<64x64xf32, #mma>
    scf.yield %t : tensor<64x64xf32, #mma>
  }
  tt.return %sum : tensor<64x64xf32, #mma>
}

// A constant scale, on the left.
// CHECK-LABEL: @scaled_by_constant
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-DAG: %[[QUARTER:.*]] = arith.constant 2.500000e-01 : f32
// CHECK: scf.for
// CHECK: %[[F:.*]] = arith.select %{{.*}}, %[[QUARTER]], %[[ONE]] : f32
// CHECK: tt.splat %[[F]]
tt.func @scaled_by_constant(%n: i32, %first: i32, %x: tensor<64x16xf16, #oa>, %y: tensor<16x64xf16, #ob>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %low = arith.constant dense<-1.0e6> : tensor<64x64xf32, #mma>
  %rows = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #r>
  %columns = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #c>
  %first1 = tt.splat %first : i32 -> tensor<64xi32, #r>
  %rm = arith.addi %first1, %rows : tensor<64xi32, #r>
  %rm1 = tt.expand_dims %rm {axis = 1 : i32} : tensor<64xi32, #r> -> tensor<64x1xi32, #mma>
  %rm2 = tt.broadcast %rm1 : tensor<64x1xi32, #mma> -> tensor<64x64xi32, #mma>
  %scales = arith.constant dense<0.25> : tensor<64x64xf32, #mma>
  %sum = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %start = tt.splat %i : i32 -> tensor<64xi32, #c>
    %rn = arith.addi %start, %columns : tensor<64xi32, #c>
    %rn1 = tt.expand_dims %rn {axis = 0 : i32} : tensor<64xi32, #c> -> tensor<1x64xi32, #mma>
    %rn2 = tt.broadcast %rn1 : tensor<1x64xi32, #mma> -> tensor<64x64xi32, #mma>
    %m0 = arith.cmpi sge, %rm2, %rn2 : tensor<64x64xi32, #mma>
    %d = tt.dot %x, %y, %zero : tensor<64x16xf16, #oa> * tensor<16x64xf16, #ob> -> tensor<64x64xf32, #mma>
    %p = arith.mulf %scales, %d : tensor<64x64xf32, #mma>
    %s = arith.select %m0, %p, %low : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
    %t = arith.addf %acc, %s : tensor<64x64xf32, #mma>
    scf.yield %t : tensor<64x64xf32, #mma>
  }
  tt.return %sum : tensor<64x64xf32, #mma>
}

// A product that others want as well is not made twice.
// CHECK-LABEL: @scaled_for_two
// CHECK: scf.for
// CHECK: %[[P:.*]] = arith.mulf
// CHECK-NOT: arith.mulf
// CHECK: scf.if
// CHECK-NEXT: scf.yield %[[P]]
// CHECK-NOT: arith.mulf
// CHECK: tt.return
tt.func @scaled_for_two(%n: i32, %first: i32, %scale: f32, %x: tensor<64x16xf16, #oa>, %y: tensor<16x64xf16, #ob>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %low = arith.constant dense<-1.0e6> : tensor<64x64xf32, #mma>
  %rows = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #r>
  %columns = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #c>
  %first1 = tt.splat %first : i32 -> tensor<64xi32, #r>
  %rm = arith.addi %first1, %rows : tensor<64xi32, #r>
  %rm1 = tt.expand_dims %rm {axis = 1 : i32} : tensor<64xi32, #r> -> tensor<64x1xi32, #mma>
  %rm2 = tt.broadcast %rm1 : tensor<64x1xi32, #mma> -> tensor<64x64xi32, #mma>
  %scales = tt.splat %scale : f32 -> tensor<64x64xf32, #mma>
  %sum = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %start = tt.splat %i : i32 -> tensor<64xi32, #c>
    %rn = arith.addi %start, %columns : tensor<64xi32, #c>
    %rn1 = tt.expand_dims %rn {axis = 0 : i32} : tensor<64xi32, #c> -> tensor<1x64xi32, #mma>
    %rn2 = tt.broadcast %rn1 : tensor<1x64xi32, #mma> -> tensor<64x64xi32, #mma>
    %m0 = arith.cmpi sge, %rm2, %rn2 : tensor<64x64xi32, #mma>
    %d = tt.dot %x, %y, %zero : tensor<64x16xf16, #oa> * tensor<16x64xf16, #ob> -> tensor<64x64xf32, #mma>
    %p = arith.mulf %d, %scales : tensor<64x64xf32, #mma>
    %q = arith.select %m0, %p, %low : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
    %s = arith.addf %p, %q : tensor<64x64xf32, #mma>
    %t = arith.addf %acc, %s : tensor<64x64xf32, #mma>
    scf.yield %t : tensor<64x64xf32, #mma>
  }
  tt.return %sum : tensor<64x64xf32, #mma>
}

// Of several comparisons those stay that do not hold for long: the way without the others selects,
// too, and has scaled before.
// CHECK-LABEL: @rows
// CHECK-SAME: %[[ROWS:[^ ]*]]: tensor<64x64xi1
// CHECK: scf.if
// CHECK-NEXT: %[[P:.*]] = arith.mulf
// CHECK-NEXT: %[[Q:.*]] = arith.select %[[ROWS]], %[[P]]
// CHECK-NEXT: scf.yield %[[Q]]
// CHECK-NEXT: else
// CHECK: arith.cmpi sge
// CHECK: %[[MASK:.*]] = arith.andi %{{.*}}, %[[ROWS]]
// CHECK: arith.select %[[MASK]]
tt.func @rows(%n: i32, %first: i32, %known: tensor<64x64xi1, #mma>, %scale: f32, %x: tensor<64x16xf16, #oa>, %y: tensor<16x64xf16, #ob>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %low = arith.constant dense<-1.0e6> : tensor<64x64xf32, #mma>
  %rows = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #r>
  %columns = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #c>
  %first1 = tt.splat %first : i32 -> tensor<64xi32, #r>
  %rm = arith.addi %first1, %rows : tensor<64xi32, #r>
  %rm1 = tt.expand_dims %rm {axis = 1 : i32} : tensor<64xi32, #r> -> tensor<64x1xi32, #mma>
  %rm2 = tt.broadcast %rm1 : tensor<64x1xi32, #mma> -> tensor<64x64xi32, #mma>
  %scales = tt.splat %scale : f32 -> tensor<64x64xf32, #mma>
  %sum = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %start = tt.splat %i : i32 -> tensor<64xi32, #c>
    %rn = arith.addi %start, %columns : tensor<64xi32, #c>
    %rn1 = tt.expand_dims %rn {axis = 0 : i32} : tensor<64xi32, #c> -> tensor<1x64xi32, #mma>
    %rn2 = tt.broadcast %rn1 : tensor<1x64xi32, #mma> -> tensor<64x64xi32, #mma>
    %m0 = arith.cmpi sge, %rm2, %rn2 : tensor<64x64xi32, #mma>
    %d = tt.dot %x, %y, %zero : tensor<64x16xf16, #oa> * tensor<16x64xf16, #ob> -> tensor<64x64xf32, #mma>
    %p = arith.mulf %d, %scales : tensor<64x64xf32, #mma>
    %m1 = arith.andi %m0, %known : tensor<64x64xi1, #mma>
    %s = arith.select %m1, %p, %low : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
    %t = arith.addf %acc, %s : tensor<64x64xf32, #mma>
    scf.yield %t : tensor<64x64xf32, #mma>
  }
  tt.return %sum : tensor<64x64xf32, #mma>
}

// A mask for two selects is computed in both branches, and nowhere else.
// CHECK-LABEL: @twice
// CHECK: scf.for
// CHECK-NOT: arith.cmpi sge
// CHECK: scf.if
// CHECK: else
// CHECK: arith.cmpi sge
// CHECK: math.exp2
// CHECK-NOT: arith.cmpi sge
// CHECK: scf.if
// CHECK: else
// CHECK: arith.cmpi sge
// CHECK-NOT: arith.cmpi sge
// CHECK: tt.return
tt.func @twice(%n: i32, %first: i32, %x: tensor<64x16xf16, #oa>, %y: tensor<16x64xf16, #ob>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %low = arith.constant dense<-1.0e6> : tensor<64x64xf32, #mma>
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
    %m0 = arith.cmpi sge, %rm2, %rn2 : tensor<64x64xi32, #mma>
    %d = tt.dot %x, %y, %zero : tensor<64x16xf16, #oa> * tensor<16x64xf16, #ob> -> tensor<64x64xf32, #mma>
    %q = arith.select %m0, %d, %low : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
    %e = math.exp2 %q : tensor<64x64xf32, #mma>
    %s = arith.select %m0, %e, %zero : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
    %t = arith.addf %acc, %s : tensor<64x64xf32, #mma>
    scf.yield %t : tensor<64x64xf32, #mma>
  }
  tt.return %sum : tensor<64x64xf32, #mma>
}

// Each part of a mask that is made twice of the one before is looked at once, and not 2^48 times.
// CHECK-LABEL: @shared_parts
// CHECK: scf.if
// CHECK-NEXT: scf.yield
// CHECK-NEXT: else
// CHECK: arith.select
tt.func @shared_parts(%n: i32, %first: i32, %x: tensor<64x16xf16, #oa>, %y: tensor<16x64xf16, #ob>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %low = arith.constant dense<-1.0e6> : tensor<64x64xf32, #mma>
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
    %m0 = arith.cmpi sge, %rm2, %rn2 : tensor<64x64xi32, #mma>
    %d = tt.dot %x, %y, %zero : tensor<64x16xf16, #oa> * tensor<16x64xf16, #ob> -> tensor<64x64xf32, #mma>
    %m1 = arith.andi %m0, %m0 : tensor<64x64xi1, #mma>
    %m2 = arith.andi %m1, %m1 : tensor<64x64xi1, #mma>
    %m3 = arith.andi %m2, %m2 : tensor<64x64xi1, #mma>
    %m4 = arith.andi %m3, %m3 : tensor<64x64xi1, #mma>
    %m5 = arith.andi %m4, %m4 : tensor<64x64xi1, #mma>
    %m6 = arith.andi %m5, %m5 : tensor<64x64xi1, #mma>
    %m7 = arith.andi %m6, %m6 : tensor<64x64xi1, #mma>
    %m8 = arith.andi %m7, %m7 : tensor<64x64xi1, #mma>
    %m9 = arith.andi %m8, %m8 : tensor<64x64xi1, #mma>
    %m10 = arith.andi %m9, %m9 : tensor<64x64xi1, #mma>
    %m11 = arith.andi %m10, %m10 : tensor<64x64xi1, #mma>
    %m12 = arith.andi %m11, %m11 : tensor<64x64xi1, #mma>
    %m13 = arith.andi %m12, %m12 : tensor<64x64xi1, #mma>
    %m14 = arith.andi %m13, %m13 : tensor<64x64xi1, #mma>
    %m15 = arith.andi %m14, %m14 : tensor<64x64xi1, #mma>
    %m16 = arith.andi %m15, %m15 : tensor<64x64xi1, #mma>
    %m17 = arith.andi %m16, %m16 : tensor<64x64xi1, #mma>
    %m18 = arith.andi %m17, %m17 : tensor<64x64xi1, #mma>
    %m19 = arith.andi %m18, %m18 : tensor<64x64xi1, #mma>
    %m20 = arith.andi %m19, %m19 : tensor<64x64xi1, #mma>
    %m21 = arith.andi %m20, %m20 : tensor<64x64xi1, #mma>
    %m22 = arith.andi %m21, %m21 : tensor<64x64xi1, #mma>
    %m23 = arith.andi %m22, %m22 : tensor<64x64xi1, #mma>
    %m24 = arith.andi %m23, %m23 : tensor<64x64xi1, #mma>
    %m25 = arith.andi %m24, %m24 : tensor<64x64xi1, #mma>
    %m26 = arith.andi %m25, %m25 : tensor<64x64xi1, #mma>
    %m27 = arith.andi %m26, %m26 : tensor<64x64xi1, #mma>
    %m28 = arith.andi %m27, %m27 : tensor<64x64xi1, #mma>
    %m29 = arith.andi %m28, %m28 : tensor<64x64xi1, #mma>
    %m30 = arith.andi %m29, %m29 : tensor<64x64xi1, #mma>
    %m31 = arith.andi %m30, %m30 : tensor<64x64xi1, #mma>
    %m32 = arith.andi %m31, %m31 : tensor<64x64xi1, #mma>
    %m33 = arith.andi %m32, %m32 : tensor<64x64xi1, #mma>
    %m34 = arith.andi %m33, %m33 : tensor<64x64xi1, #mma>
    %m35 = arith.andi %m34, %m34 : tensor<64x64xi1, #mma>
    %m36 = arith.andi %m35, %m35 : tensor<64x64xi1, #mma>
    %m37 = arith.andi %m36, %m36 : tensor<64x64xi1, #mma>
    %m38 = arith.andi %m37, %m37 : tensor<64x64xi1, #mma>
    %m39 = arith.andi %m38, %m38 : tensor<64x64xi1, #mma>
    %m40 = arith.andi %m39, %m39 : tensor<64x64xi1, #mma>
    %m41 = arith.andi %m40, %m40 : tensor<64x64xi1, #mma>
    %m42 = arith.andi %m41, %m41 : tensor<64x64xi1, #mma>
    %m43 = arith.andi %m42, %m42 : tensor<64x64xi1, #mma>
    %m44 = arith.andi %m43, %m43 : tensor<64x64xi1, #mma>
    %m45 = arith.andi %m44, %m44 : tensor<64x64xi1, #mma>
    %m46 = arith.andi %m45, %m45 : tensor<64x64xi1, #mma>
    %m47 = arith.andi %m46, %m46 : tensor<64x64xi1, #mma>
    %m48 = arith.andi %m47, %m47 : tensor<64x64xi1, #mma>
    %s = arith.select %m48, %d, %low : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
    %t = arith.addf %acc, %s : tensor<64x64xf32, #mma>
    scf.yield %t : tensor<64x64xf32, #mma>
  }
  tt.return %sum : tensor<64x64xf32, #mma>
}

// Masks of copies of 16 bits an element stay.
// CHECK-LABEL: @copies
// CHECK-NOT: scf.if
// CHECK: scf.for
// CHECK-COUNT-2: ttg.async_copy_global_to_local %{{.*}}, %{{.*}} mask
// CHECK-NOT: scf.for
// CHECK: tt.return
// F32-LABEL: @copies
// F32-SAME: %[[N:[^ ]*]]: i32, %[[K:[^ ]*]]: i32
// F32-SAME: %[[ROWS:[^ ]*]]: tensor<64x16xi1
// F32-DAG: %[[WIDE:.*]] = arith.extsi %[[K]] : i32 to i64
// F32-DAG: %[[LIMIT:.*]] = arith.addi %[[WIDE]], %c-48_i64
// F32-DAG: arith.addi %{{.*}}, %c-3_i64
// F32: %[[MIDDLE:.*]] = arith.trunci %{{.*}} : i64 to i32
// F32: scf.for %[[I:[^ ]*]] = %c0_i32 to %[[N]]
// F32-NEXT: %[[HOLDS:.*]] = arith.cmpi slt, %[[I]], %[[MIDDLE]]
// F32-NEXT: scf.if %[[HOLDS]] {
// F32-NEXT: ttg.async_copy_global_to_local %{{.*}}, %{{.*}} mask %[[ROWS]] other
// F32-NEXT: ttg.async_copy_global_to_local %{{[^ ]*}}, %{{[^ ]*}} {contiguity
// F32-NEXT: } else {
// F32-COUNT-3: arith.cmpi slt
// F32: ttg.async_copy_global_to_local %{{.*}}, %{{.*}} mask %{{.*}} other
// F32: ttg.async_copy_global_to_local %{{.*}}, %{{.*}} mask
// F32-NEXT: {{^ *}}}
// F32-NEXT: ttg.async_commit_group
// F32-NEXT: ttg.async_commit_group
// F32-NEXT: tt.dot
// F32-NOT: scf.for
// F32: tt.return
tt.func @copies(%n: i32, %k: i32, %rows: tensor<64x16xi1, #blocked>, %p: !pa, %q: !pb, %am: !a, %bm: !b,
                %x: tensor<64x16xf16, #oa>, %y: tensor<16x64xf16, #ob>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c16 = arith.constant 16 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %other = arith.constant dense<0.0> : tensor<64x16xf16, #blocked>
  %depth = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #kc>
  %depth0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #kr>
  %rk = tt.expand_dims %depth {axis = 0 : i32} : tensor<16xi32, #kc> -> tensor<1x16xi32, #blocked>
  %ck = tt.expand_dims %depth0 {axis = 1 : i32} : tensor<16xi32, #kr> -> tensor<16x1xi32, #blocked>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %last = arith.subi %n, %c2 : i32
    %is = arith.cmpi slt, %i, %last : i32
    %next = arith.addi %i, %c2 : i32
    %done = arith.muli %next, %c16 : i32
    %left = arith.subi %k, %done : i32
    %is1 = tt.splat %is : i1 -> tensor<64x16xi1, #blocked>
    %left1 = tt.splat %left : i32 -> tensor<1x16xi32, #blocked>
    %m = arith.cmpi slt, %rk, %left1 : tensor<1x16xi32, #blocked>
    %m1 = tt.broadcast %m : tensor<1x16xi1, #blocked> -> tensor<64x16xi1, #blocked>
    %m2 = arith.andi %m1, %rows : tensor<64x16xi1, #blocked>
    %m3 = arith.andi %is1, %m2 : tensor<64x16xi1, #blocked>
    %a = ttg.async_copy_global_to_local %p, %am mask %m3 other %other {contiguity = 8 : i32} : !pa -> !a
    %ga = ttg.async_commit_group tokens %a
    %is2 = tt.splat %is : i1 -> tensor<16x64xi1, #blocked>
    %left2 = tt.splat %left : i32 -> tensor<16x1xi32, #blocked>
    %o = arith.cmpi slt, %ck, %left2 : tensor<16x1xi32, #blocked>
    %o1 = tt.broadcast %o : tensor<16x1xi1, #blocked> -> tensor<16x64xi1, #blocked>
    %o2 = arith.andi %is2, %o1 : tensor<16x64xi1, #blocked>
    %b = ttg.async_copy_global_to_local %q, %bm mask %o2 {contiguity = 8 : i32} : !pb -> !b
    %gb = ttg.async_commit_group tokens %b
    %d = tt.dot %x, %y, %acc : tensor<64x16xf16, #oa> * tensor<16x64xf16, #ob> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return %sum : tensor<64x64xf32, #mma>
}
}
