// RUN: tilewright-opt %s --split-input-file --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

// Products without a matrix unit. A of f16 comes with 8 elements along K in a thread, B with 8
// along N, and so they are stored and read. A takes 8 groups of 64 rows of 8 k each, with 8 unused
// elements after each: 8 * (512 + 8) * 2 bytes; B 64 * (128 + 8) * 2.
// A thread has 8 x 8 elements: in a slice of 8 k it reads 8 vectors of A and 8 of B.

#a = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#d = #ttg.blocked<{sizePerThread = [8, 8], threadsPerWarp = [4, 8], warpsPerCTA = [2, 2], order = [1, 0]}>
// CHECK: ttg.shared = 25728 : i32
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @staged
  // CHECK-COUNT-12: llvm.store {{.*}} {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<3>
  // CHECK-NOT: llvm.store
  // CHECK: nvvm.barrier0
  // CHECK: llvm.br ^[[LOOP:bb[0-9]+]]
  // CHECK: ^[[LOOP]](%{{[^ ]+}}: i32,
  // CHECK-COUNT-9: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<8xf16>
  // CHECK: llvm.fpext {{.*}} : f16 to f32
  // CHECK-COUNT-64: llvm.intr.fmuladd({{.*}}) : (f32, f32, f32) -> f32
  // CHECK: llvm.load {{.*}} -> vector<8xf16>
  // CHECK-COUNT-448: llvm.intr.fmuladd
  // CHECK-NOT: llvm.intr.fmuladd
  // CHECK: llvm.cond_br %{{.*}}, ^[[LOOP]]({{.*}}), ^{{bb[0-9]+}} {loop_annotation = #loop_annotation}
  // CHECK-NOT: barrier
  tt.func private @staged(%a: tensor<64x64xf16, #a>, %b: tensor<64x128xf16, #b>, %c: tensor<64x128xf32, #d>) -> tensor<64x128xf32, #d> {
    %d = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<64x64xf16, #a> * tensor<64x128xf16, #b> -> tensor<64x128xf32, #d>
    tt.return %d : tensor<64x128xf32, #d>
  }
}

// -----

// Bytes are multiplied four at a time, both operands along K.

#a = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [16, 2], warpsPerCTA = [1, 1], order = [1, 0]}>
#b = #ttg.blocked<{sizePerThread = [16, 1], threadsPerWarp = [2, 16], warpsPerCTA = [1, 1], order = [0, 1]}>
#d = #ttg.blocked<{sizePerThread = [2, 4], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @bytes
  // CHECK-COUNT-2: llvm.store {{.*}} : vector<16xi8>, !llvm.ptr<3>
  // CHECK: nvvm.barrier0
  // CHECK-COUNT-6: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
  // CHECK-COUNT-32: llvm.call_intrinsic "llvm.nvvm.idp4a.s.s"
  tt.func private @bytes(%a: tensor<16x32xi8, #a>, %b: tensor<32x16xi8, #b>, %c: tensor<16x16xi32, #d>) -> tensor<16x16xi32, #d> {
    %d = tt.dot %a, %b, %c : tensor<16x32xi8, #a> * tensor<32x16xi8, #b> -> tensor<16x16xi32, #d>
    tt.return %d : tensor<16x16xi32, #d>
  }
}

// -----

// Operands that are where they are needed, of a small product, stay in registers.

#d = #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #d}>
#b = #ttg.dot_op<{opIdx = 1, parent = #d}>
// CHECK: ttg.shared = 0 : i32
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @in_registers
  // CHECK-NOT: barrier
  // CHECK-COUNT-16: llvm.intr.fmuladd({{.*}}) : (f64, f64, f64) -> f64
  // CHECK-NOT: llvm.intr.fmuladd
  tt.func private @in_registers(%a: tensor<8x4xf64, #a>, %b: tensor<4x16xf64, #b>, %c: tensor<8x16xf64, #d>) -> tensor<8x16xf64, #d> {
    %d = tt.dot %a, %b, %c : tensor<8x4xf64, #a> * tensor<4x16xf64, #b> -> tensor<8x16xf64, #d>
    tt.return %d : tensor<8x16xf64, #d>
  }
}

// -----

// A sum of f16 is made in f32 and rounded in the end.

#d = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #d}>
#b = #ttg.dot_op<{opIdx = 1, parent = #d}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @half
  // CHECK: llvm.fpext {{.*}} : f16 to f32
  // CHECK-COUNT-2: llvm.intr.fmuladd({{.*}}) : (f32, f32, f32) -> f32
  // CHECK-NEXT: llvm.fptrunc {{.*}} : f32 to f16
  tt.func private @half(%a: tensor<4x2xf8E5M2, #a>, %b: tensor<2x8xf8E4M3FN, #b>, %c: tensor<4x8xf16, #d>) -> tensor<4x8xf16, #d> {
    %d = tt.dot %a, %b, %c : tensor<4x2xf8E5M2, #a> * tensor<2x8xf8E4M3FN, #b> -> tensor<4x8xf16, #d>
    tt.return %d : tensor<4x8xf16, #d>
  }
}

// -----

// A has what each thread needs, but in registers that mix the thread's rows: it goes through memory.

#a = #ttg.generic_linear<{register = [[0, 1], [3, 0]], lane = [[0, 0], [0, 0], [2, 0], [0, 0], [0, 0]], warp = [], block = []}>
#b = #ttg.generic_linear<{register = [[1, 0]], lane = [[0, 1], [0, 2], [0, 0], [0, 0], [0, 0]], warp = [], block = []}>
#d = #ttg.generic_linear<{register = [[1, 0]], lane = [[0, 1], [0, 2], [2, 0], [0, 0], [0, 0]], warp = [], block = []}>
// CHECK: ttg.shared = 64 : i32
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @mixedOperand
  // CHECK: nvvm.barrier0
  // CHECK-COUNT-4: llvm.intr.fmuladd({{.*}}) : (f32, f32, f32) -> f32
  tt.func private @mixedOperand(%a: tensor<4x2xf32, #a>, %b: tensor<2x4xf32, #b>, %c: tensor<4x4xf32, #d>) -> tensor<4x4xf32, #d> {
    %d = tt.dot %a, %b, %c : tensor<4x2xf32, #a> * tensor<2x4xf32, #b> -> tensor<4x4xf32, #d>
    tt.return %d : tensor<4x4xf32, #d>
  }
}
