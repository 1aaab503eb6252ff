// RUN: tilewright-opt %s --split-input-file --tilewright-set-access-width --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

// SPIR-V 1.2 has no bf16: it is the upper half of an f32, as an i16 in registers and in memory.
// What is computed, is in f32.

module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttg.target = "xpu:pvc"} {
  // CHECK-NOT: bf16
  // CHECK-LABEL: @arithmetic(%arg0: i16 {{.*}}, %arg1: i16
  // CHECK: %[[WORD:.*]] = llvm.zext %arg0 : i16 to i32
  // CHECK: %[[BITS:.*]] = llvm.shl %[[WORD]], %{{.*}}
  // CHECK: %[[X:.*]] = llvm.bitcast %[[BITS]] : i32 to f32
  // CHECK: %[[Y:.*]] = llvm.bitcast %{{.*}} : i32 to f32
  // CHECK: %[[SUM:.*]] = llvm.fadd %[[X]], %[[Y]]
  // To nearest even, and a NaN stays one.
  // CHECK: llvm.bitcast %[[SUM]] : f32 to i32
  // CHECK: llvm.lshr
  // CHECK: llvm.fcmp "une" %[[SUM]], %[[SUM]]
  // CHECK: llvm.select
  // CHECK: %[[RESULT:.*]] = llvm.trunc %{{.*}} : i32 to i16
  // CHECK: llvm.return %[[RESULT]] : i16
  tt.func private @arithmetic(%x: bf16, %y: bf16) -> bf16 {
    %s = arith.addf %x, %y : bf16
    tt.return %s : bf16
  }

  // What moves bits leaves them as they are; a constant is bits, too.
  // CHECK-LABEL: @moves
  // CHECK: %[[ONE:.*]] = llvm.mlir.constant(16256 : i16) : i16
  // CHECK-NOT: bitcast
  // CHECK: llvm.select %arg1, %arg0, %[[ONE]] : i1, i16
  // CHECK: llvm.return
  tt.func private @moves(%x: bf16, %c: i1) -> (bf16, i16) {
    %one = arith.constant 1.0 : bf16
    %s = arith.select %c, %x, %one : bf16
    %i = tt.bitcast %s : bf16 -> i16
    tt.return %s, %i : bf16, i16
  }

  // From 32 bits through an f64, so that it rounds once.
  // CHECK-LABEL: @from_integer
  // CHECK: llvm.sitofp %arg0 : i32 to f64
  // CHECK: llvm.fptrunc {{.*}} : f64 to f32
  tt.func private @from_integer(%i: i32) -> bf16 {
    %f = arith.sitofp %i : i32 to bf16
    tt.return %f : bf16
  }
}

// -----

#w = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [16], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttg.target = "xpu:bmg"} {
  // CHECK-LABEL: @in_memory
  // CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xi16>
  // CHECK: llvm.fneg
  // CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<8xi16>, !llvm.ptr<1>
  tt.func public @in_memory(%p: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) {
    %o = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #w>
    %s = tt.splat %p : !tt.ptr<bf16> -> tensor<128x!tt.ptr<bf16>, #w>
    %q = tt.addptr %s, %o : tensor<128x!tt.ptr<bf16>, #w>, tensor<128xi32, #w>
    %x = tt.load %q : tensor<128x!tt.ptr<bf16>, #w>
    %y = arith.negf %x : tensor<128xbf16, #w>
    tt.store %q, %y : tensor<128x!tt.ptr<bf16>, #w>
    tt.return
  }
}
