// RUN: tilewright-opt %s --split-input-file --convert-triton-gpu-to-llvm | FileCheck %s

// Cooperative matrices become the registers of a lane.

// 16x15 of f32 by 32 lanes: J is 16, so lanes 16 to 31 have an odd column, and the last register
// of these is padding. Two elements of a row lie two columns apart.
module attributes {"ttg.num-warps" = 2 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @copy
  // CHECK-DAG: %[[LAST:.*]] = llvm.mlir.constant(14 : i32)
  // CHECK-DAG: %[[COLUMNS:.*]] = llvm.mlir.constant(15 : i32)
  // CHECK-COUNT-7: llvm.load {{.*}} -> vector<1xf32>
  // CHECK-NOT: llvm.load
  // CHECK: %[[COLUMN:.*]] = llvm.or disjoint %{{.*}}, %[[LAST]] : i32
  // CHECK: %[[INSIDE:.*]] = llvm.icmp "ult" %[[COLUMN]], %[[COLUMNS]] : i32
  // CHECK: llvm.intr.masked.load
  // The first of the two warps stores; padding it does not.
  // CHECK: %[[FIRST:.*]] = llvm.icmp "eq"
  // CHECK-COUNT-7: llvm.intr.masked.store
  // CHECK: llvm.and %{{.*}}, %[[FIRST]] : i1
  // CHECK: llvm.intr.masked.store
  // CHECK-NOT: llvm.intr.masked.store
  // CHECK: llvm.return
  tt.func public @copy(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {
    %i = arith.constant 0 : i32
    %s = arith.constant 1 : i64
    %a = tw.coopmatrix_load %p[%i, %i] strides(%s, %s) : !tt.ptr<f32> -> !tw.coopmatrix<16x15xf32, matrix_acc>
    tw.coopmatrix_store %a, %q[%i, %i] strides(%s, %s) : !tw.coopmatrix<16x15xf32, matrix_acc>, !tt.ptr<f32>
    tt.return
  }
}

// -----

// A unit has f16: 15 columns are two tiles of 8, whatever the last one computes.
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:80"} {
  // CHECK-LABEL: @unit
  // CHECK-COUNT-2: llvm.nvvm.mma.m16n8k16.row.col.f32.f32
  // CHECK-NOT: llvm.nvvm.mma
  // CHECK: llvm.return
  tt.func public @unit(%p: !tt.ptr<f16>, %q: !tt.ptr<f32>) {
    %i = arith.constant 0 : i32
    %s = arith.constant 1 : i64
    %z = arith.constant 0.0 : f32
    %a = tw.coopmatrix_load %p[%i, %i] strides(%s, %s) : !tt.ptr<f16> -> !tw.coopmatrix<16x16xf16, matrix_a>
    %b = tw.coopmatrix_load %p[%i, %i] strides(%s, %s) : !tt.ptr<f16> -> !tw.coopmatrix<16x15xf16, matrix_b>
    %c = tw.coopmatrix_splat %z : !tw.coopmatrix<16x15xf32, matrix_acc>
    %d = tw.coopmatrix_mul_add %a, %b, %c : !tw.coopmatrix<16x16xf16, matrix_a>, !tw.coopmatrix<16x15xf16, matrix_b> -> !tw.coopmatrix<16x15xf32, matrix_acc>
    tw.coopmatrix_store %d, %q[%i, %i] strides(%s, %s) : !tw.coopmatrix<16x15xf32, matrix_acc>, !tt.ptr<f32>
    tt.return
  }

  // None has f32 as it is. A lane has its row of A: only B is shuffled, 4 elements.
  // CHECK-LABEL: @lanes
  // CHECK-COUNT-4: nvvm.shfl.sync
  // CHECK-NOT: nvvm.shfl.sync
  // CHECK: llvm.return
  tt.func public @lanes(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {
    %i = arith.constant 0 : i32
    %s = arith.constant 1 : i64
    %a = tw.coopmatrix_load %p[%i, %i] strides(%s, %s) : !tt.ptr<f32> -> !tw.coopmatrix<32x2xf32, matrix_a>
    %b = tw.coopmatrix_load %p[%i, %i] strides(%s, %s) : !tt.ptr<f32> -> !tw.coopmatrix<2x2xf32, matrix_b>
    %c = tw.coopmatrix_load %p[%i, %i] strides(%s, %s) : !tt.ptr<f32> -> !tw.coopmatrix<32x2xf32, matrix_acc>
    %d = tw.coopmatrix_mul_add %a, %b, %c : !tw.coopmatrix<32x2xf32, matrix_a>, !tw.coopmatrix<2x2xf32, matrix_b> -> !tw.coopmatrix<32x2xf32, matrix_acc>
    tw.coopmatrix_store %d, %q[%i, %i] strides(%s, %s) : !tw.coopmatrix<32x2xf32, matrix_acc>, !tt.ptr<f32>
    tt.return
  }

  // An accumulator becomes an operand where it is: bytes of B have two bands side by side.
  // CHECK-LABEL: @cast
  // CHECK-NOT: nvvm.shfl.sync
  // CHECK: llvm.return
  tt.func public @cast(%p: !tt.ptr<i8>) {
    %i = arith.constant 0 : i32
    %s = arith.constant 1 : i64
    %a = tw.coopmatrix_load %p[%i, %i] strides(%s, %s) : !tt.ptr<i8> -> !tw.coopmatrix<64x4xi8, matrix_acc>
    %b = tw.coopmatrix_cast %a : !tw.coopmatrix<64x4xi8, matrix_acc> -> !tw.coopmatrix<64x4xi8, matrix_b>
    tw.coopmatrix_store %b, %p[%i, %i] strides(%s, %s) : !tw.coopmatrix<64x4xi8, matrix_b>, !tt.ptr<i8>
    tt.return
  }
}

// -----

// Rows of 48 bytes of which 30 are the matrix's: 8 elements, then 4, 2 and 1, where they are aligned
// and inside.
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @aligned
  // CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xf16>
  // CHECK: llvm.load {{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<4xf16>
  // CHECK: llvm.load {{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> vector<2xf16>
  // CHECK: llvm.load {{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> vector<1xf16>
  // CHECK-NOT: llvm.load
  // CHECK: llvm.return
  tt.func public @aligned(%p: !tt.ptr<f16>) {
    %i = arith.constant 0 : i32
    %s = arith.constant 24 : i64
    %one = arith.constant 1 : i64
    %a = tw.coopmatrix_load %p[%i, %i] strides(%s, %one) {ttg.access_alignment = 16 : i32} : !tt.ptr<f16> -> !tw.coopmatrix<32x15xf16, matrix_acc>
    tw.coopmatrix_store %a, %p[%i, %i] strides(%s, %one) {ttg.access_alignment = 16 : i32} : !tw.coopmatrix<32x15xf16, matrix_acc>, !tt.ptr<f16>
    tt.return
  }
}
