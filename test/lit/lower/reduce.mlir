// RUN: tilewright-opt %s --split-input-file --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

// All three steps: a balanced tree in the thread, one butterfly for each lane bit, one store
// and one barrier; then every thread combines what the warps stored, read in wide loads.

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
// CHECK: ttg.shared = 32 : i32
module attributes {"ttg.num-warps" = 8 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @sum
  // CHECK-DAG: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x
  // CHECK-DAG: %[[LANE:.*]] = llvm.and %[[TID]]
  // CHECK-DAG: %[[SMEM:.*]] = llvm.mlir.addressof @global_smem
  // CHECK: %[[S0:.*]] = llvm.fadd %arg0, %arg1
  // CHECK: %[[S1:.*]] = llvm.fadd %arg2, %arg3
  // CHECK: llvm.fadd %[[S0]], %[[S1]]
  // CHECK: shfl.sync bfly
  // CHECK: llvm.fadd
  // CHECK: shfl.sync bfly
  // CHECK: shfl.sync bfly
  // CHECK: shfl.sync bfly
  // CHECK: shfl.sync bfly
  // CHECK-NOT: shfl.sync
  // CHECK: llvm.icmp "eq" %[[LANE]]
  // CHECK: llvm.intr.masked.store {{.*}} {alignment = 4 : i32} : vector<1xf32>, vector<1xi1> into !llvm.ptr<3>
  // CHECK-NEXT: nvvm.barrier0
  // CHECK-NEXT: llvm.load %[[SMEM]] {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
  // CHECK: llvm.load {{.*}} -> vector<4xf32>
  // CHECK-COUNT-7: llvm.fadd
  // CHECK-NOT: {{barrier|llvm.fadd}}
  // CHECK: llvm.return %{{.*}} : f32
  tt.func private @sum(%x: tensor<1024xf32, #blocked>) -> f32 {
    %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<1024xf32, #blocked>) -> f32
    tt.return %s : f32
  }
}

// -----

// Columns that a thread loads together, two of each row: each element is combined when it comes, in
// the order of the registers, not column by column, for which all rows would have to be kept.

#columns = #ttg.blocked<{sizePerThread = [4, 2], threadsPerWarp = [1, 32], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @columns
  // CHECK: %[[A01:.*]] = llvm.fadd %arg0, %arg2
  // CHECK-NEXT: %[[B01:.*]] = llvm.fadd %arg1, %arg3
  // CHECK-NEXT: %[[A23:.*]] = llvm.fadd %arg4, %arg6
  // CHECK-NEXT: %[[A:.*]] = llvm.fadd %[[A01]], %[[A23]]
  // CHECK-NEXT: %[[B23:.*]] = llvm.fadd %arg5, %arg7
  // CHECK-NEXT: %[[B:.*]] = llvm.fadd %[[B01]], %[[B23]]
  // CHECK-NOT: llvm.fadd
  tt.func private @columns(%x: tensor<4x64xf32, #columns>) -> tensor<64xf32, #ttg.slice<{dim = 0, parent = #columns}>> {
    %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<4x64xf32, #columns>) -> tensor<64xf32, #ttg.slice<{dim = 0, parent = #columns}>>
    tt.return %s : tensor<64xf32, #ttg.slice<{dim = 0, parent = #columns}>>
  }
}

// -----

// Four columns: their chains overlap, so that no column needs a tree.

#four = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 32], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @chains
  // CHECK: %[[A:.*]] = llvm.fadd %arg0, %arg4
  // CHECK-NEXT: llvm.fadd %arg1, %arg5
  // CHECK-NEXT: llvm.fadd %arg2, %arg6
  // CHECK-NEXT: llvm.fadd %arg3, %arg7
  // CHECK-NEXT: %[[A2:.*]] = llvm.fadd %[[A]], %arg8
  // CHECK: llvm.fadd %[[A2]], %arg12
  tt.func private @chains(%x: tensor<4x128xf32, #four>) -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #four}>> {
    %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<4x128xf32, #four>) -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #four}>>
    tt.return %s : tensor<128xf32, #ttg.slice<{dim = 0, parent = #four}>>
  }
}

// -----

// 32 warps: lane w of each warp takes what warp w stored, and five shuffles combine it. Each thread
// for itself would load eight times and add 31 times.

#many = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [32], order = [0]}>
// CHECK: ttg.shared = 128 : i32
module attributes {"ttg.num-warps" = 32 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @many_warps
  // CHECK-COUNT-5: shfl.sync bfly
  // CHECK: llvm.intr.masked.store
  // CHECK-NEXT: nvvm.barrier0
  // CHECK-NOT: shfl.sync
  // CHECK: llvm.load {{.*}} {alignment = 4 : i64} : !llvm.ptr<3> -> vector<1xf32>
  // CHECK-NOT: {{llvm.load|barrier}}
  // CHECK-COUNT-5: shfl.sync bfly
  // CHECK-NOT: {{shfl.sync|llvm.load|barrier}}
  // CHECK: llvm.return
  tt.func private @many_warps(%x: tensor<1024xf32, #many>) -> f32 {
    %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<1024xf32, #many>) -> f32
    tt.return %s : f32
  }
}

// -----

// A reduction along registers alone needs neither shuffles nor scratch; two operands go through
// the region together, and what the region takes from outside is found.

#rows = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [32, 1], warpsPerCTA = [1, 1], order = [1, 0]}>
// CHECK: ttg.shared = 0
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @pairs(%arg0: f16 {{.*}}, %arg1: f16 {{.*}}, %arg2: i32 {{.*}}, %arg3: i32 {{.*}}, %arg4: i32
  // CHECK: %[[M:.*]] = llvm.intr.maximum(%arg0, %arg1) : (f16, f16) -> f16
  // CHECK: %[[S:.*]] = llvm.add %arg2, %arg3
  // CHECK: %[[T:.*]] = llvm.xor %[[S]], %arg4
  // CHECK-NOT: {{shfl|barrier}}
  // CHECK: llvm.insertvalue %[[M]]
  // CHECK: llvm.insertvalue %[[T]]
  tt.func private @pairs(%x: tensor<32x2xf16, #rows>, %y: tensor<32x2xi32, #rows>, %k: i32) -> (tensor<32xf16, #ttg.slice<{dim = 1, parent = #rows}>>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #rows}>>) {
    %m:2 = "tt.reduce"(%x, %y) <{axis = 1 : i32}> ({
    ^bb0(%a: f16, %i: i32, %b: f16, %j: i32):
      %c = arith.maximumf %a, %b : f16
      %s = arith.addi %i, %j : i32
      %t = arith.xori %s, %k : i32
      tt.reduce.return %c, %t : f16, i32
    }) : (tensor<32x2xf16, #rows>, tensor<32x2xi32, #rows>) -> (tensor<32xf16, #ttg.slice<{dim = 1, parent = #rows}>>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #rows}>>)
    tt.return %m#0, %m#1 : tensor<32xf16, #ttg.slice<{dim = 1, parent = #rows}>>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #rows}>>
  }
}

// -----

// Lanes that keep their own rows store side by side, several rows at once: for each warp its rows,
// then the next warp's.

#cols = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 2], order = [0, 1]}>
// CHECK: ttg.shared = 1024
module attributes {"ttg.num-warps" = 2 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @rows
  // CHECK-NOT: shfl
  // CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
  // CHECK: nvvm.barrier0
  // CHECK-COUNT-2: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
  // CHECK-COUNT-4: llvm.add
  tt.func private @rows(%x: tensor<128x2xi32, #cols>) -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #cols}>> {
    %s = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %c = arith.addi %a, %b : i32
      tt.reduce.return %c : i32
    }) : (tensor<128x2xi32, #cols>) -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #cols}>>
    tt.return %s : tensor<128xi32, #ttg.slice<{dim = 1, parent = #cols}>>
  }
}

// -----

// Integers of a whole warp take one operation of the target, narrow ones after an extension; 64
// bits and floats take shuffles.

#warp = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @integers
  // CHECK: %[[MIN:.*]] = llvm.intr.smin(%arg0, %arg1)
  // CHECK: %[[WIDE:.*]] = llvm.sext %[[MIN]] : i16 to i32
  // CHECK: %[[ALL:.*]] = nvvm.redux.sync min %[[WIDE]]
  // CHECK: llvm.trunc %[[ALL]] : i32 to i16
  // CHECK-NOT: redux
  // CHECK-COUNT-10: shfl.sync
  // CHECK-NOT: {{shfl|redux}}
  // CHECK: llvm.return
  tt.func private @integers(%x: tensor<64xi16, #warp>, %y: tensor<64xi64, #warp>) -> (i16, i64) {
    %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: i16, %b: i16):
      %c = arith.minsi %a, %b : i16
      tt.reduce.return %c : i16
    }) : (tensor<64xi16, #warp>) -> i16
    %t = "tt.reduce"(%y) <{axis = 0 : i32}> ({
    ^bb0(%a: i64, %b: i64):
      %c = arith.addi %a, %b : i64
      tt.reduce.return %c : i64
    }) : (tensor<64xi64, #warp>) -> i64
    tt.return %s, %t : i16, i64
  }
}

// -----

// A warp moves along both dimensions: what it has of a column is another register of the other
// warp. Each value is stored once, and the two that belong together are loaded by both.

#both = #ttg.generic_linear<{register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], warp = [[1, 1]], block = []}>
// CHECK: ttg.shared = 512
module attributes {"ttg.num-warps" = 2 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @both
  // CHECK-COUNT-2: llvm.store
  // CHECK-NOT: llvm.store
  // CHECK: nvvm.barrier0
  // CHECK-COUNT-4: llvm.load
  // CHECK-COUNT-2: llvm.fadd
  // CHECK-NOT: {{barrier|shfl|llvm.load|llvm.fadd}}
  // CHECK: llvm.return
  tt.func private @both(%x: tensor<2x64xf32, #both>) -> tensor<64xf32, #ttg.slice<{dim = 0, parent = #both}>> {
    %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<2x64xf32, #both>) -> tensor<64xf32, #ttg.slice<{dim = 0, parent = #both}>>
    tt.return %s : tensor<64xf32, #ttg.slice<{dim = 0, parent = #both}>>
  }
}
