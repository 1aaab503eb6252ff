// RUN: tilewright-opt %s --split-input-file --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

// Two registers of each lane may be meant: both are shuffled from the lane that the index names,
// and its lowest bit selects.

#lanes = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK: ttg.shared = 0
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @within_a_warp
  // CHECK-NOT: {{barrier|global_smem}}
  // CHECK-COUNT-4: nvvm.shfl.sync idx
  // CHECK-NOT: shfl
  // CHECK: llvm.return
  tt.func private @within_a_warp(%x: tensor<8x32xi32, #lanes>, %i: tensor<8x32xi32, #lanes>) -> tensor<8x32xi32, #lanes> {
    %y = tt.gather %x[%i] {axis = 1 : i32} : (tensor<8x32xi32, #lanes>, tensor<8x32xi32, #lanes>) -> tensor<8x32xi32, #lanes>
    tt.return %y : tensor<8x32xi32, #lanes>
  }
}

// -----

#threads = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 1], order = [1, 0]}>
#one = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 1], order = [1, 0]}>
// CHECK: ttg.shared = 0
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @within_a_thread
  // CHECK-NOT: {{shfl|barrier|global_smem}}
  // CHECK-COUNT-3: llvm.select
  // CHECK-NOT: llvm.select
  // CHECK: llvm.return
  tt.func private @within_a_thread(%x: tensor<32x4xf32, #threads>, %i: tensor<32x1xi32, #one>) -> tensor<32x1xf32, #one> {
    %y = tt.gather %x[%i] {axis = 1 : i32} : (tensor<32x4xf32, #threads>, tensor<32x1xi32, #one>) -> tensor<32x1xf32, #one>
    tt.return %y : tensor<32x1xf32, #one>
  }
}

// -----

// Along warps through memory: wide stores, one barrier, a load for each element.

#warps = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK: ttg.shared = 2048
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @across_warps
  // CHECK: llvm.store {{.*}} vector<4xf32>
  // CHECK-NOT: llvm.store
  // CHECK: nvvm.barrier0
  // CHECK-COUNT-4: llvm.load {{.*}} vector<1xf32>
  // CHECK-NOT: {{shfl|barrier|llvm.load}}
  // CHECK: llvm.return
  tt.func private @across_warps(%x: tensor<512xf32, #warps>, %i: tensor<512xi32, #warps>) -> tensor<512xf32, #warps> {
    %y = tt.gather %x[%i] {axis = 0 : i32} : (tensor<512xf32, #warps>, tensor<512xi32, #warps>) -> tensor<512xf32, #warps>
    tt.return %y : tensor<512xf32, #warps>
  }
}

// -----

// A counter a bin and one for the rest; zeros, additions and loads with barriers between. Of 64
// elements in 128 threads, the first 64 count theirs.

#few = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK: ttg.shared = 1028
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @histogram(%arg0: i32 {{.*}}, %arg1: i1
  // CHECK: nvvm.barrier0
  // CHECK: %[[FIRST:.*]] = llvm.icmp "eq"
  // CHECK: llvm.cond_br %[[FIRST]]
  // CHECK: %[[INSIDE:.*]] = llvm.icmp "ult" %arg0
  // CHECK: %[[COUNTED:.*]] = llvm.and %[[INSIDE]], %arg1
  // CHECK: llvm.select %[[COUNTED]], %arg0
  // CHECK: llvm.atomicrmw add {{.*}} monotonic
  // CHECK-NOT: llvm.atomicrmw
  // CHECK: nvvm.barrier0
  // CHECK: llvm.load
  // CHECK: llvm.return
  tt.func private @histogram(%x: tensor<64xi32, #few>, %m: tensor<64xi1, #few>) -> tensor<256xi32, #few> {
    %h = tt.histogram %x, %m : tensor<64xi32, #few> -> tensor<256xi32, #few>
    tt.return %h : tensor<256xi32, #few>
  }
}
