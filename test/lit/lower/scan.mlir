// RUN: tilewright-opt %s --split-input-file --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

// In a thread serially; a shuffle for each lane bit and one for what came before the thread's own
// elements; one exchange between the warps. Each element is combined with what came before once.

#line = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK: ttg.shared = 16 : i32
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @sums
  // CHECK: %[[A:.*]] = llvm.add %arg0, %arg1
  // CHECK: %[[B:.*]] = llvm.add %[[A]], %arg2
  // CHECK: %[[C:.*]] = llvm.add %[[B]], %arg3
  // CHECK-COUNT-6: nvvm.shfl.sync idx
  // CHECK-NOT: shfl
  // The last lane of a warp has its total.
  // CHECK: llvm.intr.masked.store {{.*}} vector<1xi32>
  // CHECK-NEXT: nvvm.barrier0
  // CHECK-NEXT: llvm.load {{.*}} -> vector<4xi32>
  // CHECK-NOT: {{shfl|barrier}}
  // CHECK: llvm.return
  tt.func private @sums(%x: tensor<512xi32, #line>) -> tensor<512xi32, #line> {
    %s = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%a: i32, %b: i32):
      %c = arith.addi %a, %b : i32
      tt.scan.return %c : i32
    }) : (tensor<512xi32, #line>) -> tensor<512xi32, #line>
    tt.return %s : tensor<512xi32, #line>
  }
}

// -----

// Along registers alone nothing is exchanged; in reverse it begins with the last.

#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 1], order = [1, 0]}>
// CHECK: ttg.shared = 0
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @reverse
  // CHECK: %[[A:.*]] = llvm.fmul %arg3, %arg2
  // CHECK: %[[B:.*]] = llvm.fmul %[[A]], %arg1
  // CHECK: llvm.fmul %[[B]], %arg0
  // CHECK-NOT: {{shfl|barrier|fmul}}
  // CHECK: llvm.return
  tt.func private @reverse(%x: tensor<32x4xf32, #rows>) -> tensor<32x4xf32, #rows> {
    %s = "tt.scan"(%x) <{axis = 1 : i32, reverse = true}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.mulf %a, %b : f32
      tt.scan.return %c : f32
    }) : (tensor<32x4xf32, #rows>) -> tensor<32x4xf32, #rows>
    tt.return %s : tensor<32x4xf32, #rows>
  }
}

// -----

// A tensor twice as long as what the warp covers: the first half's total goes to the second by one
// more shuffle.

#twice = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @repetitions
  // CHECK-COUNT-11: nvvm.shfl.sync idx
  // CHECK-NOT: {{shfl|barrier}}
  // CHECK: llvm.return
  tt.func private @repetitions(%x: tensor<64xi32, #twice>) -> tensor<64xi32, #twice> {
    %s = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%a: i32, %b: i32):
      %c = arith.addi %a, %b : i32
      tt.scan.return %c : i32
    }) : (tensor<64xi32, #twice>) -> tensor<64xi32, #twice>
    tt.return %s : tensor<64xi32, #twice>
  }
}

// -----

// A coordinate that a register and a lane move together is brought into order first, and the
// result back: shuffles alone, as no element leaves its warp.

#mixed = #ttg.generic_linear<{register = [[3]], lane = [[1], [4], [8], [16], [32]], warp = [], block = []}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @mixed
  // CHECK: nvvm.shfl.sync
  // CHECK-NOT: {{barrier|global_smem}}
  // CHECK: llvm.return
  tt.func private @mixed(%x: tensor<64xi32, #mixed>) -> tensor<64xi32, #mixed> {
    %s = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%a: i32, %b: i32):
      %c = arith.addi %a, %b : i32
      tt.scan.return %c : i32
    }) : (tensor<64xi32, #mixed>) -> tensor<64xi32, #mixed>
    tt.return %s : tensor<64xi32, #mixed>
  }
}

// -----

// The region may call the device's library, like code on elements.

#line = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @averages
  // CHECK: %[[A:.*]] = llvm.sext %arg0 : i32 to i64
  // CHECK: %[[B:.*]] = llvm.sext %arg1 : i32 to i64
  // CHECK: llvm.add %[[A]], %[[B]]
  tt.func private @averages(%x: tensor<64xi32, #line>) -> tensor<64xi32, #line> {
    %s = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%a: i32, %b: i32):
      %c = tt.extern_elementwise %a, %b {libname = "", libpath = "", pure = true, symbol = "__nv_hadd"} : (i32, i32) -> i32
      tt.scan.return %c : i32
    }) : (tensor<64xi32, #line>) -> tensor<64xi32, #line>
    tt.return %s : tensor<64xi32, #line>
  }
}
