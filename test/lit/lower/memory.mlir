// RUN: tilewright-opt %s --split-input-file --tilewright-set-access-width --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

// Scalars: every thread loads, the first stores.

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @scalars
  // CHECK: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x
  // CHECK: llvm.load %arg0 {alignment = 4 : i64} : !llvm.ptr<1> -> vector<1xf32>
  // CHECK: %[[FIRST:.*]] = llvm.icmp "eq" %[[TID]], %{{.*}} : i32
  // CHECK: %[[MASK:.*]] = llvm.insertelement %[[FIRST]]
  // CHECK: llvm.intr.masked.store %{{.*}}, %arg1, %[[MASK]] {alignment = 4 : i32}
  tt.func public @scalars(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>) {
    %x = tt.load %a : !tt.ptr<f32>
    tt.store %b, %x : !tt.ptr<f32>
    tt.return
  }
}

// -----

// 32 elements on 128 threads: warps 1 to 3 hold copies, which are loaded but not stored.

#small = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @copies
  // CHECK-DAG: %[[LANES:.*]] = llvm.mlir.constant(96 : i32)
  // CHECK: %[[WARP:.*]] = llvm.and %{{.*}}, %[[LANES]]
  // CHECK: llvm.load {{.*}} -> vector<1xf16>
  // CHECK: llvm.icmp "eq" %[[WARP]]
  // CHECK: llvm.intr.masked.store
  // CHECK-NOT: store
  tt.func public @copies(%a: !tt.ptr<f16>, %b: !tt.ptr<f16>) {
    %r = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #small>
    %as = tt.splat %a : !tt.ptr<f16> -> tensor<32x!tt.ptr<f16>, #small>
    %ap = tt.addptr %as, %r : tensor<32x!tt.ptr<f16>, #small>, tensor<32xi32, #small>
    %x = tt.load %ap : tensor<32x!tt.ptr<f16>, #small>
    %bs = tt.splat %b : !tt.ptr<f16> -> tensor<32x!tt.ptr<f16>, #small>
    %bp = tt.addptr %bs, %r : tensor<32x!tt.ptr<f16>, #small>, tensor<32xi32, #small>
    tt.store %bp, %x : tensor<32x!tt.ptr<f16>, #small>
    tt.return
  }
}

// -----

// Without `other`, masked-off elements are zero; with it they are `other`. i1 takes a byte. Data
// used once is nontemporal; 16 bytes are the most that one access takes.

#eight = #ttg.blocked<{sizePerThread = [16], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @forms
  // CHECK-DAG: %[[ZERO:.*]] = llvm.mlir.constant(dense<0.000000e+00> : vector<8xf16>)
  // CHECK-DAG: %[[ONE:.*]] = llvm.mlir.constant(dense<1.000000e+00> : vector<8xf16>)
  // CHECK-COUNT-2: llvm.intr.masked.load {{.*}}, %[[ZERO]] {alignment = 16 : i32}
  // CHECK-COUNT-2: llvm.intr.masked.load {{.*}}, %[[ONE]] {alignment = 16 : i32, nontemporal{{.*}}}
  // CHECK-COUNT-2: llvm.load volatile {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xf16>
  // CHECK:         llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<16xi8>
  // CHECK-COUNT-16: llvm.trunc {{.*}} : i8 to i1
  tt.func public @forms(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: !tt.ptr<i1> {tt.divisibility = 16 : i32}, %o: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}) {
    %r = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #eight>
    %limit = tt.splat %n : i32 -> tensor<512xi32, #eight>
    %mask = arith.cmpi slt, %r, %limit : tensor<512xi32, #eight>
    %ones = arith.constant dense<1.0> : tensor<512xf16, #eight>
    %as = tt.splat %a : !tt.ptr<f16> -> tensor<512x!tt.ptr<f16>, #eight>
    %ap = tt.addptr %as, %r : tensor<512x!tt.ptr<f16>, #eight>, tensor<512xi32, #eight>
    %x0 = tt.load %ap, %mask : tensor<512x!tt.ptr<f16>, #eight>
    %x1 = tt.load %ap, %mask, %ones evictionPolicy = evict_first : tensor<512x!tt.ptr<f16>, #eight>
    %x2 = tt.load %ap {isVolatile = true} : tensor<512x!tt.ptr<f16>, #eight>
    %ms = tt.splat %m : !tt.ptr<i1> -> tensor<512x!tt.ptr<i1>, #eight>
    %mp = tt.addptr %ms, %r : tensor<512x!tt.ptr<i1>, #eight>, tensor<512xi32, #eight>
    %x3 = tt.load %mp : tensor<512x!tt.ptr<i1>, #eight>
    %y0 = arith.addf %x0, %x1 : tensor<512xf16, #eight>
    %y1 = arith.select %x3, %y0, %x2 : tensor<512xi1, #eight>, tensor<512xf16, #eight>
    %os = tt.splat %o : !tt.ptr<f16> -> tensor<512x!tt.ptr<f16>, #eight>
    %op = tt.addptr %os, %r : tensor<512x!tt.ptr<f16>, #eight>, tensor<512xi32, #eight>
    tt.store %op, %y1, %mask : tensor<512x!tt.ptr<f16>, #eight>
    tt.return
  }
}

// -----

// A masked load that is volatile is a branch: no masked access may be volatile.

module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @volatile_masked
  // CHECK: llvm.cond_br %arg1, ^[[LOAD:.*]], ^[[JOIN:.*]](%{{.*}} : vector<1xi32>)
  // CHECK: ^[[LOAD]]:
  // CHECK: %[[X:.*]] = llvm.load volatile %arg0
  // CHECK: llvm.br ^[[JOIN]](%[[X]] : vector<1xi32>)
  // CHECK-NOT: masked.load
  tt.func public @volatile_masked(%a: !tt.ptr<i32>, %m: i1, %b: !tt.ptr<i32>) {
    %x = tt.load %a, %m {isVolatile = true} : !tt.ptr<i32>
    tt.store %b, %x : !tt.ptr<i32>
    tt.return
  }
}
