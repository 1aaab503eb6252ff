// RUN: tilewright-opt %s --tilewright-split-loops --canonicalize --cse | FileCheck %s
// RUN: sed 's/contiguity = 8/contiguity = 4/' %s | tilewright-opt --tilewright-split-loops --canonicalize --cse | FileCheck %s --check-prefix=NARROW

// A target with copies from global to shared memory: branches around these, of 16 bytes; two loops
// for narrower ones and for selects.

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

// Masks of tiles that are copied for the iteration after the next: the one of K is the same for
// both, one of rows does not depend on the loop, one says that there is such an iteration. While
// there are 16 elements of K and a tile to be copied, the mask of rows alone is left. Both groups end
// behind the branch.
// CHECK-LABEL: @copies
// CHECK-SAME: %[[N:[^ ]*]]: i32, %[[K:[^ ]*]]: i32
// CHECK-SAME: %[[ROWS:[^ ]*]]: tensor<64x16xi1
// CHECK-DAG: %[[WIDE:.*]] = arith.extsi %[[K]] : i32 to i64
// CHECK-DAG: %[[LIMIT:.*]] = arith.addi %[[WIDE]], %c-48_i64
// CHECK-DAG: arith.addi %{{.*}}, %c-3_i64
// CHECK: %[[MIDDLE:.*]] = arith.trunci %{{.*}} : i64 to i32
// CHECK: scf.for %[[I:[^ ]*]] = %c0_i32 to %[[N]]
// CHECK-NEXT: %[[HOLDS:.*]] = arith.cmpi slt, %[[I]], %[[MIDDLE]]
// CHECK-NEXT: scf.if %[[HOLDS]] {
// CHECK-NEXT: ttg.async_copy_global_to_local %{{.*}}, %{{.*}} mask %[[ROWS]] other
// CHECK-NEXT: ttg.async_copy_global_to_local %{{[^ ]*}}, %{{[^ ]*}} {contiguity
// CHECK-NEXT: } else {
// CHECK-COUNT-3: arith.cmpi slt
// CHECK: ttg.async_copy_global_to_local %{{.*}}, %{{.*}} mask %{{.*}} other
// CHECK: ttg.async_copy_global_to_local %{{.*}}, %{{.*}} mask
// CHECK-NEXT: {{^ *}}}
// CHECK-NEXT: ttg.async_commit_group
// CHECK-NEXT: ttg.async_commit_group
// CHECK-NEXT: tt.dot
// CHECK-NOT: scf.for
// CHECK: tt.return
// NARROW-LABEL: @copies
// NARROW-SAME: %[[N:[^ ]*]]: i32, %[[K:[^ ]*]]: i32
// NARROW-SAME: %[[ROWS:[^ ]*]]: tensor<64x16xi1
// NARROW: %[[MIDDLE:.*]] = arith.trunci %{{.*}} : i64 to i32
// NARROW: scf.for %{{.*}} = %c0_i32 to %[[MIDDLE]]
// NARROW-NOT: arith.cmpi
// NARROW: ttg.async_copy_global_to_local %{{.*}}, %{{.*}} mask %[[ROWS]] other
// NARROW: ttg.async_copy_global_to_local %{{[^ ]*}}, %{{[^ ]*}} {contiguity
// NARROW: tt.dot
// NARROW: scf.for %{{.*}} = %[[MIDDLE]] to %[[N]]
// NARROW-COUNT-3: arith.cmpi slt
// NARROW: tt.dot
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

// Copies between which memory is written do not move: a branch for each. Each part of a mask that is
// made twice of the one before is looked at once, and not 2^48 times.
// CHECK-LABEL: @apart
// CHECK: scf.if
// CHECK: ttg.async_copy_global_to_local %{{[^ ]*}}, %{{[^ ]*}} {contiguity
// CHECK: ttg.async_copy_global_to_local %{{.*}}, %{{.*}} mask
// CHECK: ttg.local_store
// CHECK: scf.if
// CHECK: ttg.async_copy_global_to_local %{{[^ ]*}}, %{{[^ ]*}} {contiguity
// CHECK: ttg.async_copy_global_to_local %{{.*}}, %{{.*}} mask
tt.func @apart(%n: i32, %k: i32, %p: !pa, %am: !a, %other: !a, %v: tensor<64x16xf16, #blocked>, %x: tensor<64x16xf16, #oa>, %y: tensor<16x64xf16, #ob>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %depth = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #kc>
  %rk = tt.expand_dims %depth {axis = 0 : i32} : tensor<16xi32, #kc> -> tensor<1x16xi32, #blocked>
  %limit = tt.splat %k : i32 -> tensor<1x16xi32, #blocked>
  %sum = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %at = tt.splat %i : i32 -> tensor<1x16xi32, #blocked>
    %index = arith.addi %at, %rk : tensor<1x16xi32, #blocked>
    %m0 = arith.cmpi slt, %index, %limit : tensor<1x16xi32, #blocked>
    %m1 = arith.andi %m0, %m0 : tensor<1x16xi1, #blocked>
    %m2 = arith.andi %m1, %m1 : tensor<1x16xi1, #blocked>
    %m3 = arith.andi %m2, %m2 : tensor<1x16xi1, #blocked>
    %m4 = arith.andi %m3, %m3 : tensor<1x16xi1, #blocked>
    %m5 = arith.andi %m4, %m4 : tensor<1x16xi1, #blocked>
    %m6 = arith.andi %m5, %m5 : tensor<1x16xi1, #blocked>
    %m7 = arith.andi %m6, %m6 : tensor<1x16xi1, #blocked>
    %m8 = arith.andi %m7, %m7 : tensor<1x16xi1, #blocked>
    %m9 = arith.andi %m8, %m8 : tensor<1x16xi1, #blocked>
    %m10 = arith.andi %m9, %m9 : tensor<1x16xi1, #blocked>
    %m11 = arith.andi %m10, %m10 : tensor<1x16xi1, #blocked>
    %m12 = arith.andi %m11, %m11 : tensor<1x16xi1, #blocked>
    %m13 = arith.andi %m12, %m12 : tensor<1x16xi1, #blocked>
    %m14 = arith.andi %m13, %m13 : tensor<1x16xi1, #blocked>
    %m15 = arith.andi %m14, %m14 : tensor<1x16xi1, #blocked>
    %m16 = arith.andi %m15, %m15 : tensor<1x16xi1, #blocked>
    %m17 = arith.andi %m16, %m16 : tensor<1x16xi1, #blocked>
    %m18 = arith.andi %m17, %m17 : tensor<1x16xi1, #blocked>
    %m19 = arith.andi %m18, %m18 : tensor<1x16xi1, #blocked>
    %m20 = arith.andi %m19, %m19 : tensor<1x16xi1, #blocked>
    %m21 = arith.andi %m20, %m20 : tensor<1x16xi1, #blocked>
    %m22 = arith.andi %m21, %m21 : tensor<1x16xi1, #blocked>
    %m23 = arith.andi %m22, %m22 : tensor<1x16xi1, #blocked>
    %m24 = arith.andi %m23, %m23 : tensor<1x16xi1, #blocked>
    %m25 = arith.andi %m24, %m24 : tensor<1x16xi1, #blocked>
    %m26 = arith.andi %m25, %m25 : tensor<1x16xi1, #blocked>
    %m27 = arith.andi %m26, %m26 : tensor<1x16xi1, #blocked>
    %m28 = arith.andi %m27, %m27 : tensor<1x16xi1, #blocked>
    %m29 = arith.andi %m28, %m28 : tensor<1x16xi1, #blocked>
    %m30 = arith.andi %m29, %m29 : tensor<1x16xi1, #blocked>
    %m31 = arith.andi %m30, %m30 : tensor<1x16xi1, #blocked>
    %m32 = arith.andi %m31, %m31 : tensor<1x16xi1, #blocked>
    %m33 = arith.andi %m32, %m32 : tensor<1x16xi1, #blocked>
    %m34 = arith.andi %m33, %m33 : tensor<1x16xi1, #blocked>
    %m35 = arith.andi %m34, %m34 : tensor<1x16xi1, #blocked>
    %m36 = arith.andi %m35, %m35 : tensor<1x16xi1, #blocked>
    %m37 = arith.andi %m36, %m36 : tensor<1x16xi1, #blocked>
    %m38 = arith.andi %m37, %m37 : tensor<1x16xi1, #blocked>
    %m39 = arith.andi %m38, %m38 : tensor<1x16xi1, #blocked>
    %m40 = arith.andi %m39, %m39 : tensor<1x16xi1, #blocked>
    %m41 = arith.andi %m40, %m40 : tensor<1x16xi1, #blocked>
    %m42 = arith.andi %m41, %m41 : tensor<1x16xi1, #blocked>
    %m43 = arith.andi %m42, %m42 : tensor<1x16xi1, #blocked>
    %m44 = arith.andi %m43, %m43 : tensor<1x16xi1, #blocked>
    %m45 = arith.andi %m44, %m44 : tensor<1x16xi1, #blocked>
    %m46 = arith.andi %m45, %m45 : tensor<1x16xi1, #blocked>
    %m47 = arith.andi %m46, %m46 : tensor<1x16xi1, #blocked>
    %m48 = arith.andi %m47, %m47 : tensor<1x16xi1, #blocked>
    %m = tt.broadcast %m48 : tensor<1x16xi1, #blocked> -> tensor<64x16xi1, #blocked>
    %a = ttg.async_copy_global_to_local %p, %am mask %m {contiguity = 8 : i32} : !pa -> !a
    ttg.local_store %v, %other : tensor<64x16xf16, #blocked> -> !a
    %b = ttg.async_copy_global_to_local %p, %am mask %m {contiguity = 8 : i32} : !pa -> !a
    %d = tt.dot %x, %y, %acc : tensor<64x16xf16, #oa> * tensor<16x64xf16, #ob> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return %sum : tensor<64x64xf32, #mma>
}

// A mask of nothing but whether there is an iteration is no reason for a branch; nor is one of
// equality, one whose limit is loaded in the loop, or one of a load.
// CHECK-LABEL: @masks_left_alone
// CHECK-NOT: scf.if
// CHECK: tt.return
tt.func @masks_left_alone(%n: i32, %k: !tt.ptr<i32>, %p: !pa, %am: !a, %x: tensor<64x16xf16, #oa>, %y: tensor<16x64xf16, #ob>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %depth = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #kc>
  %rk = tt.expand_dims %depth {axis = 0 : i32} : tensor<16xi32, #kc> -> tensor<1x16xi32, #blocked>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %last = arith.subi %n, %c2 : i32
    %is = arith.cmpi slt, %i, %last : i32
    %is1 = tt.splat %is : i1 -> tensor<64x16xi1, #blocked>
    %a = ttg.async_copy_global_to_local %p, %am mask %is1 {contiguity = 8 : i32} : !pa -> !a
    %at = tt.splat %i : i32 -> tensor<1x16xi32, #blocked>
    %same = arith.cmpi ne, %at, %rk : tensor<1x16xi32, #blocked>
    %same1 = tt.broadcast %same : tensor<1x16xi1, #blocked> -> tensor<64x16xi1, #blocked>
    %b = ttg.async_copy_global_to_local %p, %am mask %same1 {contiguity = 8 : i32} : !pa -> !a
    %limit = tt.load %k : !tt.ptr<i32>
    %limit1 = tt.splat %limit : i32 -> tensor<1x16xi32, #blocked>
    %known = arith.cmpi slt, %at, %limit1 : tensor<1x16xi32, #blocked>
    %known1 = tt.broadcast %known : tensor<1x16xi1, #blocked> -> tensor<64x16xi1, #blocked>
    %c = ttg.async_copy_global_to_local %p, %am mask %known1 {contiguity = 8 : i32} : !pa -> !a
    %n1 = tt.splat %n : i32 -> tensor<1x16xi32, #blocked>
    %first = arith.cmpi slt, %at, %n1 : tensor<1x16xi32, #blocked>
    %first1 = tt.broadcast %first : tensor<1x16xi1, #blocked> -> tensor<64x16xi1, #blocked>
    %loaded = tt.load %p, %first1 : !pa
    tt.store %p, %loaded : !pa
    %d = tt.dot %x, %y, %acc : tensor<64x16xf16, #oa> * tensor<16x64xf16, #ob> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return %sum : tensor<64x64xf32, #mma>
}
}
