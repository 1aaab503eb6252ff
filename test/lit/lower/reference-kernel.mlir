// RUN: tilewright-opt %s --tilewright-set-access-width --convert-scf-to-cf --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

// The reference kernel: rank-1 updates of a 128x64 tile, whose result passes through shared memory
// before its store.

#cols = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
// No more than 8,192 bytes of scratch.
// CHECK: module attributes {{.*}}ttg.shared = 8192 : i32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK: llvm.mlir.global external @global_smem() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
  // CHECK: llvm.func @kernel

  // The loop: 1 + 64 loads, 64 products and sums that may be fused, nothing that depends on the
  // thread alone.
  // CHECK: ^[[HEAD:bb.*]](%{{.*}}: i32
  // CHECK: llvm.cond_br
  // CHECK-NOT: tid.x
  // CHECK-COUNT-65: llvm.load {{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> vector<1xf32>
  // CHECK-NOT: llvm.load
  // CHECK-COUNT-64: llvm.fmul {{.*}} {fastmathFlags = #llvm.fastmath<contract>}
  // CHECK-COUNT-64: llvm.fadd {{.*}} {fastmathFlags = #llvm.fastmath<contract>}
  // CHECK-NOT: llvm.f{{add|mul}}
  // CHECK: llvm.br ^[[HEAD]]

  // The conversion, with accesses of 16 bytes, in repetitions: each has the stores of some warps, and
  // the others go around them. Then predicated stores.
  // CHECK: llvm.cond_br
  // CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
  // CHECK: nvvm.barrier0
  // CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
  // CHECK: nvvm.barrier0
  // CHECK-COUNT-16: llvm.intr.masked.store {{.*}} {alignment = 16 : i32} : vector<4xf32>, vector<4xi1> into !llvm.ptr<1>
  // CHECK: llvm.return
  tt.func public @kernel(%a_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %N: i32, %K: i32 {tt.divisibility = 16 : i32}, %sb: i32, %sc: i32 {tt.divisibility = 16 : i32}) {
    %zero = arith.constant dense<0.0> : tensor<128x64xf32, #cols>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #cols}>>
    %m1 = tt.expand_dims %m {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #cols}>> -> tensor<128x1xi32, #cols>
    %k = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #cols}>>
    %k1 = tt.expand_dims %k {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #cols}>> -> tensor<1x64xi32, #cols>
    %as = tt.splat %a_ptr : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>, #cols>
    %ap = tt.addptr %as, %m1 : tensor<128x1x!tt.ptr<f32>, #cols>, tensor<128x1xi32, #cols>
    %sbs = tt.splat %sb : i32 -> tensor<1x64xi32, #cols>
    %bo = arith.muli %k1, %sbs : tensor<1x64xi32, #cols>
    %bs = tt.splat %b_ptr : !tt.ptr<f32> -> tensor<1x64x!tt.ptr<f32>, #cols>
    %bp = tt.addptr %bs, %bo : tensor<1x64x!tt.ptr<f32>, #cols>, tensor<1x64xi32, #cols>
    %acc = scf.for %n = %c0 to %N step %c1 iter_args(%sum = %zero) -> (tensor<128x64xf32, #cols>) : i32 {
      %an = tt.splat %n : i32 -> tensor<128x1xi32, #cols>
      %apn = tt.addptr %ap, %an : tensor<128x1x!tt.ptr<f32>, #cols>, tensor<128x1xi32, #cols>
      %a = tt.load %apn : tensor<128x1x!tt.ptr<f32>, #cols>
      %bn = tt.splat %n : i32 -> tensor<1x64xi32, #cols>
      %bpn = tt.addptr %bp, %bn : tensor<1x64x!tt.ptr<f32>, #cols>, tensor<1x64xi32, #cols>
      %b = tt.load %bpn : tensor<1x64x!tt.ptr<f32>, #cols>
      %aw = tt.broadcast %a : tensor<128x1xf32, #cols> -> tensor<128x64xf32, #cols>
      %bw = tt.broadcast %b : tensor<1x64xf32, #cols> -> tensor<128x64xf32, #cols>
      %p = arith.mulf %aw, %bw : tensor<128x64xf32, #cols>
      %next = arith.addf %sum, %p : tensor<128x64xf32, #cols>
      scf.yield %next : tensor<128x64xf32, #cols>
    }
    %out = ttg.convert_layout %acc : tensor<128x64xf32, #cols> -> tensor<128x64xf32, #rows>
    %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #rows}>>
    %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #rows}>> -> tensor<128x1xi32, #rows>
    %scs = tt.splat %sc : i32 -> tensor<128x1xi32, #rows>
    %ro = arith.muli %r1, %scs : tensor<128x1xi32, #rows>
    %cs = tt.splat %c_ptr : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>, #rows>
    %cp = tt.addptr %cs, %ro : tensor<128x1x!tt.ptr<f32>, #rows>, tensor<128x1xi32, #rows>
    %cw = tt.broadcast %cp : tensor<128x1x!tt.ptr<f32>, #rows> -> tensor<128x64x!tt.ptr<f32>, #rows>
    %j = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #rows}>>
    %j1 = tt.expand_dims %j {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #rows}>> -> tensor<1x64xi32, #rows>
    %jw = tt.broadcast %j1 : tensor<1x64xi32, #rows> -> tensor<128x64xi32, #rows>
    %op = tt.addptr %cw, %jw : tensor<128x64x!tt.ptr<f32>, #rows>, tensor<128x64xi32, #rows>
    %Ks = tt.splat %K : i32 -> tensor<1x64xi32, #rows>
    %in = arith.cmpi slt, %j1, %Ks : tensor<1x64xi32, #rows>
    %mask = tt.broadcast %in : tensor<1x64xi1, #rows> -> tensor<128x64xi1, #rows>
    tt.store %op, %out, %mask : tensor<128x64x!tt.ptr<f32>, #rows>
    tt.return
  }
}
