// RUN: tilewright-opt %s --split-input-file --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

// A butterfly within rows of 16 lanes is a modifier of the operation that takes the word; between
// the two rows it is a permlane.

#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx1100"} {
  // CHECK-LABEL: @sum
  // CHECK: llvm.call_intrinsic "llvm.amdgcn.permlanex16"
  // CHECK: rocdl.update.dpp {{.*}} with 360, 15, 15, true
  // CHECK: rocdl.update.dpp {{.*}} with 356, 15, 15, true
  // CHECK: rocdl.update.dpp {{.*}} with 78, 15, 15, true
  // CHECK: rocdl.update.dpp {{.*}} with 177, 15, 15, true
  // CHECK-NOT: rocdl.ds
  // CHECK: llvm.return
  tt.func private @sum(%x: tensor<32xf32, #line>) -> f32 {
    %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<32xf32, #line>) -> f32
    tt.return %s : f32
  }
}

// -----

// A scan takes the last lanes of groups of 2, 4, 8, 16, 32; then each lane the one before it, of
// which two are in the other row.

#two = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx1201"} {
  // CHECK-LABEL: @sums
  // CHECK: rocdl.update.dpp {{.*}} with 177,
  // CHECK: rocdl.update.dpp {{.*}} with 95,
  // CHECK: llvm.call_intrinsic "llvm.amdgcn.mov.dpp8"
  // CHECK: llvm.call_intrinsic "llvm.amdgcn.permlane16"
  // CHECK: llvm.call_intrinsic "llvm.amdgcn.permlanex16"
  // CHECK: %[[SAME:.*]] = rocdl.update.dpp {{.*}} with 289,
  // CHECK: %[[OTHER:.*]] = llvm.call_intrinsic "llvm.amdgcn.permlanex16"
  // CHECK: %[[LANES:.*]] = llvm.mlir.constant(65537 : i32)
  // CHECK: %[[TAKES:.*]] = llvm.call_intrinsic "llvm.amdgcn.inverse.ballot"(%[[LANES]])
  // CHECK: llvm.select %[[TAKES]], %[[OTHER]], %[[SAME]]
  // CHECK-NOT: rocdl.ds
  // CHECK: llvm.return
  tt.func private @sums(%x: tensor<64xi32, #two>) -> tensor<64xi32, #two> {
    %s = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%a: i32, %b: i32):
      %c = arith.addi %a, %b : i32
      tt.scan.return %c : i32
    }) : (tensor<64xi32, #two>) -> tensor<64xi32, #two>
    tt.return %s : tensor<64xi32, #two>
  }
}

// -----

// What one lane has done for all of its wave is a scalar.

#one = #ttg.linear<{register = [], lane = [[0], [0], [0], [0], [0]], warp = [[1]], block = []}>
module attributes {"ttg.num-warps" = 2 : i32, ttg.target = "hip:gfx1100"} {
  // CHECK-LABEL: @first
  // CHECK: llvm.atomicrmw add
  // CHECK: %[[LANE:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK-NEXT: rocdl.readlane %{{.*}}, %[[LANE]]
  // CHECK-NOT: rocdl
  // CHECK: llvm.return
  tt.func private @first(%p: tensor<2x!tt.ptr<i32>, #one>, %x: tensor<2xi32, #one>) -> tensor<2xi32, #one> {
    %r = tt.atomic_rmw add, relaxed, gpu, %p, %x : (tensor<2x!tt.ptr<i32>, #one>, tensor<2xi32, #one>) -> tensor<2xi32, #one>
    tt.return %r : tensor<2xi32, #one>
  }
}

// -----

// A lane that an index names is known to nobody before: it goes through the crossbar.

#g = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx1100"} {
  // CHECK-LABEL: @gather
  // CHECK: %[[TWO:.*]] = llvm.mlir.constant(2 : i32)
  // CHECK: %[[BYTES:.*]] = llvm.shl %{{.*}}, %[[TWO]]
  // CHECK: rocdl.ds_bpermute %[[BYTES]], %arg0
  tt.func private @gather(%x: tensor<32xi32, #g>, %i: tensor<32xi32, #g>) -> tensor<32xi32, #g> {
    %r = tt.gather %x[%i] {axis = 0 : i32} : (tensor<32xi32, #g>, tensor<32xi32, #g>) -> tensor<32xi32, #g>
    tt.return %r : tensor<32xi32, #g>
  }
}
