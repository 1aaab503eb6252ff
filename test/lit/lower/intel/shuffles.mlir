// RUN: tilewright-opt %s --split-input-file --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

// A whole warp's sum, least or greatest number is one of OpenCL's functions, of f32 as well.
// Others are butterflies of shuffles.

#w = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttg.target = "xpu:pvc"} {
  // CHECK-DAG: llvm.func spir_funccc @_Z27intel_sub_group_shuffle_xorij(i32, i32) -> i32 attributes {convergent, memory_effects = #llvm.memory_effects<other = none
  // CHECK-DAG: llvm.func spir_funccc @_Z20sub_group_reduce_addf(f32) -> f32 attributes {convergent, memory_effects = #llvm.memory_effects<other = none
  // CHECK-LABEL: @sums
  // CHECK-NOT: shuffle
  // CHECK: llvm.call spir_funccc @_Z20sub_group_reduce_addf(%arg0)
  // CHECK: llvm.call spir_funccc @_Z20sub_group_reduce_addi(%arg1)
  // CHECK-NOT: shuffle
  tt.func private @sums(%x: tensor<16xf32, #w>, %y: tensor<16xi32, #w>) -> (f32, i32) {
    %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<16xf32, #w>) -> f32
    %t = "tt.reduce"(%y) <{axis = 0 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %c = arith.addi %a, %b : i32
      tt.reduce.return %c : i32
    }) : (tensor<16xi32, #w>) -> i32
    tt.return %s, %t : f32, i32
  }

  // Of 16 bits: with the sign in front.
  // CHECK-LABEL: @extremes
  // CHECK: %[[X:.*]] = llvm.sext %arg0 : i16 to i32
  // CHECK: llvm.call spir_funccc @_Z20sub_group_reduce_mini(%[[X]])
  // CHECK: llvm.call spir_funccc @_Z20sub_group_reduce_maxj(%arg1)
  // CHECK: llvm.call spir_funccc @_Z20sub_group_reduce_maxf(%arg2)
  tt.func private @extremes(%x: tensor<16xi16, #w>, %y: tensor<16xi32, #w>, %z: tensor<16xf32, #w>) -> (i16, i32, f32) {
    %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: i16, %b: i16):
      %c = arith.minsi %a, %b : i16
      tt.reduce.return %c : i16
    }) : (tensor<16xi16, #w>) -> i16
    %t = "tt.reduce"(%y) <{axis = 0 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %c = arith.maxui %a, %b : i32
      tt.reduce.return %c : i32
    }) : (tensor<16xi32, #w>) -> i32
    %u = "tt.reduce"(%z) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.maxnumf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<16xf32, #w>) -> f32
    tt.return %s, %t, %u : i16, i32, f32
  }

  // CHECK-LABEL: @others
  // CHECK-COUNT-4: llvm.call spir_funccc @_Z27intel_sub_group_shuffle_xorij
  // CHECK-NOT: shuffle
  // CHECK: llvm.return
  tt.func private @others(%x: tensor<16xi32, #w>) -> i32 {
    %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %c = arith.xori %a, %b : i32
      tt.reduce.return %c : i32
    }) : (tensor<16xi32, #w>) -> i32
    tt.return %s : i32
  }
}

// -----

// Lanes known beforehand: those that differ in the same bits are a shuffle by a mask, which is a
// move of parts of a register; others are read by number.

#ab = #ttg.linear<{register = [], lane = [[1], [2], [4], [8]], warp = [], block = []}>
#ba = #ttg.linear<{register = [], lane = [[2], [1], [4], [8]], warp = [], block = []}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttg.target = "xpu:bmg"} {
  // CHECK-LABEL: @permuted
  // CHECK: llvm.call spir_funccc @_Z23intel_sub_group_shuffleij
  tt.func private @permuted(%x: tensor<16xf32, #ab>) -> tensor<16xf32, #ba> {
    %y = ttg.convert_layout %x : tensor<16xf32, #ab> -> tensor<16xf32, #ba>
    tt.return %y : tensor<16xf32, #ba>
  }
}
