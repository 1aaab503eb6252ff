// RUN: tilewright-opt %s --split-input-file --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

// A kernel says how many threads its blocks and its warps have; numbers are what OpenCL's functions
// give along an axis, which depend on nothing in memory.

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttg.target = "xpu:pvc"} {
  // CHECK-DAG: llvm.func spir_funccc @_Z12get_local_idj(i32) -> i64 attributes {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_unwind, will_return}
  // CHECK-DAG: llvm.func spir_funccc @_Z12get_group_idj(i32) -> i64
  // CHECK-DAG: llvm.func spir_funccc @_Z14get_num_groupsj(i32) -> i64
  // CHECK: llvm.func spir_kernelcc @grid(
  // CHECK-SAME: intel_reqd_sub_group_size = 16 : i32
  // CHECK-SAME: reqd_work_group_size = array<i32: 64, 1, 1>
  // CHECK: llvm.call spir_funccc @_Z12get_local_idj({{.*}}) : (i32) -> (i64 {llvm.range = #llvm.constant_range<i64, 0, 64>})
  // CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
  // CHECK: %[[Y:.*]] = llvm.call spir_funccc @_Z12get_group_idj(%[[ONE]]) : (i32) -> (i64 {llvm.range = #llvm.constant_range<i64, 0, 2147483647>})
  // CHECK: llvm.trunc %[[Y]] : i64 to i32
  // CHECK: %[[TWO:.*]] = llvm.mlir.constant(2 : i32)
  // CHECK: %[[Z:.*]] = llvm.call spir_funccc @_Z14get_num_groupsj(%[[TWO]]) : (i32) -> (i64 {llvm.range = #llvm.constant_range<i64, 1, 2147483648>})
  // CHECK: llvm.trunc %[[Z]] : i64 to i32
  tt.func public @grid(%p: !tt.ptr<i32>) {
    %y = tt.get_program_id y : i32
    %n = tt.get_num_programs z : i32
    %s = arith.addi %y, %n : i32
    tt.store %p, %s : !tt.ptr<i32>
    tt.return
  }

  // What is called is no kernel.
  // CHECK: llvm.func internal @callee(
  // CHECK-NOT: reqd
  // CHECK: llvm.return
  tt.func private @callee() attributes {noinline = true} {
    tt.return
  }
}

// -----

// Warps of 32. A barrier is of the work-group (2), sequentially consistent (16), and orders the
// memory that it names: shared (256), global as well (512).

module attributes {"ttg.num-warps" = 8 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "xpu:bmg"} {
  // CHECK-DAG: llvm.func spir_funccc @_Z22__spirv_ControlBarrierjjj(i32, i32, i32) attributes {convergent, no_unwind, will_return}
  // CHECK: llvm.func spir_kernelcc @barriers(
  // CHECK-SAME: intel_reqd_sub_group_size = 32 : i32
  // CHECK-SAME: reqd_work_group_size = array<i32: 256, 1, 1>
  // CHECK: %[[SHARED:.*]] = llvm.mlir.constant(272 : i32)
  // CHECK: llvm.call spir_funccc @_Z22__spirv_ControlBarrierjjj(%[[G:.*]], %[[G]], %[[SHARED]])
  tt.func public @barriers() {
    ttg.barrier local
    tt.return
  }

  // CHECK: llvm.func spir_kernelcc @of_all(
  // CHECK: %[[ALL:.*]] = llvm.mlir.constant(784 : i32)
  // CHECK: llvm.call spir_funccc @_Z22__spirv_ControlBarrierjjj(%[[H:.*]], %[[H]], %[[ALL]])
  tt.func public @of_all() {
    ttg.barrier all
    tt.return
  }
}

// -----

// Threads of a warp meet as a sub-group (3), in shared memory that is a variable of the module's own.

#rows = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0]], block = []}>
#columns = #ttg.linear<{register = [[1, 0], [2, 0], [4, 0], [8, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8]], warp = [[16, 0]], block = []}>
module attributes {"ttg.num-warps" = 2 : i32, "ttg.threads-per-warp" = 16 : i32, ttg.target = "xpu:lnl"} {
  // CHECK: llvm.mlir.global internal @global_smem() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<2048 x i8>
  // CHECK-LABEL: @within_warps
  // CHECK: llvm.store
  // CHECK: %[[GROUP:.*]] = llvm.mlir.constant(3 : i32)
  // CHECK-NEXT: %[[SHARED:.*]] = llvm.mlir.constant(272 : i32)
  // CHECK-NEXT: llvm.call spir_funccc @_Z22__spirv_ControlBarrierjjj(%[[GROUP]], %[[GROUP]], %[[SHARED]])
  // CHECK: llvm.return
  tt.func private @within_warps(%x: tensor<32x16xf32, #rows>) -> tensor<32x16xf32, #columns> {
    %y = ttg.convert_layout %x : tensor<32x16xf32, #rows> -> tensor<32x16xf32, #columns>
    tt.return %y : tensor<32x16xf32, #columns>
  }
}
