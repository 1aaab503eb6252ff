// RUN: tilewright-opt %s --split-input-file --verify-diagnostics --tilewright-intel-cooperative-matrices | FileCheck %s

// Matrices of SPV_KHR_cooperative_matrix: all of a group, or none.

!a = !tw.coopmatrix<8x16xf16, matrix_a>
!b = !tw.coopmatrix<16x16xf16, matrix_b>
!c = !tw.coopmatrix<8x16xf32, matrix_acc>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu:bmg", "ttg.threads-per-warp" = 16 : i32} {

// What a loop and a branch pass on is of the group. A lies in rows of %ld elements, B in columns.
// The first of the warps stores.
// CHECK-LABEL: @loop
// CHECK-DAG: %[[ROWS:.*]] = arith.constant 0 : i32
// CHECK: %[[ZERO:.*]] = ttig.builtin_call "__spirv_CompositeConstruct" "f.matrix_acc_8x16f"
// CHECK-SAME: -> [[C:!llvm.target<"spirv.CooperativeMatrixKHR", f32, 3, 8, 16, 2>]]
// CHECK: scf.for {{.*}} iter_args(%[[SUM:.*]] = %[[ZERO]]) -> ([[C]])
// CHECK: %[[OFFSET:.*]] = arith.muli %{{.*}}, %[[LD:.*]] : i64
// CHECK: %[[P:.*]] = tt.addptr %{{.*}}, %[[OFFSET]]
// CHECK: %[[RM:.*]] = arith.constant 0 : i32
// CHECK: %[[A:.*]] = ttig.builtin_call "__spirv_CooperativeMatrixLoadKHR" "PU3AS1Dhim.matrix_a_8x16Dh"(%[[P]], %[[RM]], %[[LD]]) memory
// CHECK-SAME: -> !llvm.target<"spirv.CooperativeMatrixKHR", f16, 3, 8, 16, 0>
// CHECK: %[[CM:.*]] = arith.constant 1 : i32
// CHECK: %[[B:.*]] = ttig.builtin_call "__spirv_CooperativeMatrixLoadKHR" "PU3AS1Dhim.matrix_b_16x16Dh"(%{{.*}}, %[[CM]], %[[LD]]) memory
// CHECK-SAME: -> !llvm.target<"spirv.CooperativeMatrixKHR", f16, 3, 16, 16, 1>
// CHECK: ttig.builtin_call "__spirv_CooperativeMatrixMulAddKHR" "v.Dh.matrix_acc_8x16f"(%[[A]], %[[B]], %[[SUM]]) :
// CHECK: scf.if {{.*}} -> ([[C]])
// CHECK: ttg.warp_id
// CHECK: scf.if
// CHECK: ttig.builtin_call "__spirv_CooperativeMatrixStoreKHR"
// CHECK-NOT: tw.coopmatrix
tt.func public @loop(%p: !tt.ptr<f16>, %q: !tt.ptr<f32>, %n: i32, %ld: i64, %flag: i1) {
  %i = arith.constant 0 : i32
  %step = arith.constant 16 : i32
  %s = arith.constant 1 : i64
  %z = arith.constant 0.0 : f32
  %zero = tw.coopmatrix_splat %z : !c
  %sum = scf.for %k = %i to %n step %step iter_args(%acc = %zero) -> (!c) : i32 {
    %a = tw.coopmatrix_load %p[%k, %i] strides(%ld, %s) : !tt.ptr<f16> -> !a
    %b = tw.coopmatrix_load %p[%k, %i] strides(%s, %ld) : !tt.ptr<f16> -> !b
    %d = tw.coopmatrix_mul_add %a, %b, %acc : !a, !b -> !c
    %e = scf.if %flag -> !c {
      scf.yield %d : !c
    } else {
      scf.yield %acc : !c
    }
    scf.yield %e : !c
  }
  tw.coopmatrix_store %sum, %q[%i, %i] strides(%ld, %s) : !c, !tt.ptr<f32>
  tt.return
}

// Without a product there is nothing to win.
// CHECK-LABEL: @copy
// CHECK: tw.coopmatrix_load
tt.func public @copy(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %ld: i64) {
  %i = arith.constant 0 : i32
  %s = arith.constant 1 : i64
  %c = tw.coopmatrix_load %p[%i, %i] strides(%ld, %s) : !tt.ptr<f32> -> !c
  tw.coopmatrix_store %c, %q[%i, %i] strides(%ld, %s) : !c, !tt.ptr<f32>
  tt.return
}

// CHECK-LABEL: @shape
// CHECK: tw.coopmatrix_mul_add
tt.func public @shape(%p: !tt.ptr<f16>, %q: !tt.ptr<f32>, %ld: i64) {
  %i = arith.constant 0 : i32
  %s = arith.constant 1 : i64
  %z = arith.constant 0.0 : f32
  %a = tw.coopmatrix_load %p[%i, %i] strides(%ld, %s) : !tt.ptr<f16> -> !a
  %b = tw.coopmatrix_load %p[%i, %i] strides(%ld, %s) : !tt.ptr<f16> -> !tw.coopmatrix<16x15xf16, matrix_b>
  %c = tw.coopmatrix_splat %z : !tw.coopmatrix<8x15xf32, matrix_acc>
  // expected-remark @+2 {{is not done on matrices of SPV_KHR_cooperative_matrix: there is no product of 8x16xf16 by 16x15 with sums of f32}}
  // expected-note @+1 {{use a shape that drivers have for the types}}
  %d = tw.coopmatrix_mul_add %a, %b, %c : !a, !tw.coopmatrix<16x15xf16, matrix_b> -> !tw.coopmatrix<8x15xf32, matrix_acc>
  tw.coopmatrix_store %d, %q[%i, %i] strides(%ld, %s) : !tw.coopmatrix<8x15xf32, matrix_acc>, !tt.ptr<f32>
  tt.return
}

// The larger shapes of bf16 are Ponte Vecchio's alone.
tt.func public @large(%a: !tw.coopmatrix<16x16xbf16, matrix_a>, %b: !tw.coopmatrix<16x16xbf16, matrix_b>, %c: !tw.coopmatrix<16x16xf32, matrix_acc>) {
  // expected-remark @+2 {{there is no product of 16x16xbf16 by 16x16 with sums of f32}}
  // expected-note @+1 {{use a shape that drivers have for the types}}
  %d = tw.coopmatrix_mul_add %a, %b, %c : !tw.coopmatrix<16x16xbf16, matrix_a>, !tw.coopmatrix<16x16xbf16, matrix_b> -> !tw.coopmatrix<16x16xf32, matrix_acc>
  tt.return
}

tt.func public @strides(%p: !tt.ptr<f16>, %a: !a, %c: !c, %ld: i64) {
  %i = arith.constant 0 : i32
  %b = tw.coopmatrix_load %p[%i, %i] strides(%ld, %ld) : !tt.ptr<f16> -> !b
  // expected-remark @+2 {{tw.coopmatrix_load: neither its rows nor its columns are known to be contiguous}}
  // expected-note @+1 {{use a shape that drivers have for the types}}
  %d = tw.coopmatrix_mul_add %a, %b, %c : !a, !b -> !c
  tt.return
}

tt.func public @checked(%p: !tt.ptr<f16>, %a: !a, %c: !c, %n: i32, %ld: i64) {
  %i = arith.constant 0 : i32
  %s = arith.constant 1 : i64
  %b = tw.coopmatrix_load %p[%i, %i] strides(%ld, %s) shape(%n, %n) {rows_checked} : !tt.ptr<f16> -> !b
  // expected-remark @+2 {{tw.coopmatrix_load: its bounds are checked}}
  // expected-note @+1 {{use a shape that drivers have for the types}}
  %d = tw.coopmatrix_mul_add %a, %b, %c : !a, !b -> !c
  tt.return
}

// Sums that are scaled stay, and with them what they are made of.
// CHECK-LABEL: @scaled
// CHECK: tw.coopmatrix_splat
// CHECK: tw.coopmatrix_scale
tt.func public @scaled(%x: f16, %f: f32, %z: f32) {
  %a = tw.coopmatrix_splat %x : !a
  %b = tw.coopmatrix_splat %x : !b
  %c = tw.coopmatrix_splat %z : !c
  // expected-remark @+2 {{tw.coopmatrix_scale: the extension has no such instruction}}
  // expected-note @+1 {{use a shape that drivers have for the types}}
  %d = tw.coopmatrix_mul_add %a, %b, %c : !a, !b -> !c
  %e = tw.coopmatrix_scale %f, %d : !c
  tt.return
}
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "xpu:pvc", "ttg.threads-per-warp" = 16 : i32} {
// Bytes, of which only B's have a sign: B, C and the result are 2 + 4 + 8.
// CHECK-LABEL: @bytes
// CHECK: %[[FLAGS:.*]] = arith.constant 14 : i32
// CHECK: ttig.builtin_call "__spirv_CooperativeMatrixMulAddKHR" "v.c.matrix_acc_4x16i"({{.*}}, {{.*}}, {{.*}}, %[[FLAGS]]) :
tt.func public @bytes(%x: i8, %z: i32) {
  %a = tw.coopmatrix_splat %x : !tw.coopmatrix<4x32xi8, matrix_a>
  %b = tw.coopmatrix_splat %x : !tw.coopmatrix<32x16xi8, matrix_b>
  %c = tw.coopmatrix_splat %z : !tw.coopmatrix<4x16xi32, matrix_acc>
  %d = tw.coopmatrix_mul_add %a, %b, %c {unsigned_a} : !tw.coopmatrix<4x32xi8, matrix_a>, !tw.coopmatrix<32x16xi8, matrix_b> -> !tw.coopmatrix<4x16xi32, matrix_acc>
  tt.return
}

// CHECK-LABEL: @large
// CHECK: ttig.builtin_call "__spirv_CooperativeMatrixMulAddKHR" "v.DF16b.matrix_acc_32x64f"
tt.func public @large(%p: !tt.ptr<bf16>, %z: f32, %ld: i64) {
  %i = arith.constant 0 : i32
  %s = arith.constant 1 : i64
  %a = tw.coopmatrix_load %p[%i, %i] strides(%ld, %s) : !tt.ptr<bf16> -> !tw.coopmatrix<32x16xbf16, matrix_a>
  %b = tw.coopmatrix_load %p[%i, %i] strides(%ld, %s) : !tt.ptr<bf16> -> !tw.coopmatrix<16x64xbf16, matrix_b>
  %c = tw.coopmatrix_splat %z : !tw.coopmatrix<32x64xf32, matrix_acc>
  %d = tw.coopmatrix_mul_add %a, %b, %c : !tw.coopmatrix<32x16xbf16, matrix_a>, !tw.coopmatrix<16x64xbf16, matrix_b> -> !tw.coopmatrix<32x64xf32, matrix_acc>
  tt.return
}

tt.func public @splat(%x: bf16, %z: f32) {
  %a = tw.coopmatrix_splat %x : !tw.coopmatrix<8x16xbf16, matrix_a>
  %b = tw.coopmatrix_splat %x : !tw.coopmatrix<16x16xbf16, matrix_b>
  %c = tw.coopmatrix_splat %z : !tw.coopmatrix<8x16xf32, matrix_acc>
  // expected-remark @+2 {{tw.coopmatrix_splat: a number of bf16 is an integer in registers}}
  // expected-note @+1 {{use a shape that drivers have for the types}}
  %d = tw.coopmatrix_mul_add %a, %b, %c : !tw.coopmatrix<8x16xbf16, matrix_a>, !tw.coopmatrix<16x16xbf16, matrix_b> -> !tw.coopmatrix<8x16xf32, matrix_acc>
  tt.return
}
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "xpu:pvc", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @lanes(%a: !tw.coopmatrix<8x16xf16, matrix_a>, %b: !tw.coopmatrix<16x16xf16, matrix_b>, %c: !tw.coopmatrix<8x16xf32, matrix_acc>) {
  // expected-remark @+2 {{sub-groups have 32 lanes, and matrices of the extension 16}}
  // expected-note @+1 {{use a shape that drivers have for the types}}
  %d = tw.coopmatrix_mul_add %a, %b, %c : !tw.coopmatrix<8x16xf16, matrix_a>, !tw.coopmatrix<16x16xf16, matrix_b> -> !tw.coopmatrix<8x16xf32, matrix_acc>
  tt.return
}
}
