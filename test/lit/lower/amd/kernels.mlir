// RUN: tilewright-opt %s --split-input-file --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

// A kernel asks for nothing that it does not use, and has blocks of one size. Programs are counted
// in the launch's hidden arguments: three numbers of 4 bytes.

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1100"} {
  // CHECK: llvm.func amdgpu_kernelcc @grid(
  // CHECK-SAME: "amdgpu-no-hostcall-ptr"
  // CHECK-SAME: "amdgpu-no-workitem-id-z"
  // CHECK-SAME: ["amdgpu-flat-work-group-size", "128,128"], ["uniform-work-group-size", "true"], ["amdgpu-ieee", "false"]
  // CHECK: rocdl.workitem.id.x range <i32, 0, 128>
  // CHECK-DAG: %[[Y:.*]] = rocdl.workgroup.id.y : i32
  // CHECK-DAG: %[[HIDDEN:.*]] = llvm.call_intrinsic "llvm.amdgcn.implicitarg.ptr"() : () -> !llvm.ptr<4>
  // CHECK: %[[PLACE:.*]] = llvm.getelementptr inbounds %[[HIDDEN]][8]
  // CHECK-NEXT: %[[COUNT:.*]] = llvm.load %[[PLACE]] invariant {alignment = 4 : i64} : !llvm.ptr<4> -> i32
  // CHECK: llvm.add %[[Y]], %[[COUNT]]
  tt.func public @grid(%p: !tt.ptr<i32>) {
    %y = tt.get_program_id y : i32
    %n = tt.get_num_programs z : i32
    %s = arith.addi %y, %n : i32
    tt.store %p, %s : !tt.ptr<i32>
    tt.return
  }

  // What is called is no kernel.
  // CHECK: llvm.func internal @callee(
  // CHECK-NOT: amdgpu
  // CHECK: llvm.return
  tt.func private @callee() attributes {noinline = true} {
    tt.return
  }
}

// -----

// A barrier is one for the memory that it names: accesses of global memory need not be done at a
// barrier for shared memory.

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1201"} {
  // CHECK-LABEL: @barriers
  // CHECK: llvm.fence syncscope("workgroup") release {llvm.mmra = #[[LOCAL:.*]]}
  // CHECK-NEXT: rocdl.s.barrier
  // CHECK-NEXT: llvm.fence syncscope("workgroup") acquire {llvm.mmra = #[[LOCAL]]}
  // CHECK-NEXT: llvm.return
  tt.func public @barriers() {
    ttg.barrier local
    tt.return
  }

  // CHECK-LABEL: @of_all
  // CHECK: llvm.fence syncscope("workgroup") release{{$}}
  // CHECK-NEXT: rocdl.s.barrier
  // CHECK-NEXT: llvm.fence syncscope("workgroup") acquire{{$}}
  // CHECK-NEXT: llvm.return
  tt.func public @of_all() {
    ttg.barrier all
    tt.return
  }
}

// -----

// The threads of a wave meet without an instruction.

#rows = #ttg.linear<{register = [[0, 1], [0, 2]], lane = [[0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0]], block = []}>
#mixed = #ttg.linear<{register = [[1, 0], [8, 0]], lane = [[0, 2], [0, 1], [2, 0], [0, 4], [4, 0]], warp = [[16, 0]], block = []}>
module attributes {"ttg.num-warps" = 2 : i32, ttg.target = "hip:gfx1100"} {
  // CHECK-LABEL: @within_waves
  // CHECK-NOT: rocdl.s.barrier
  // CHECK: llvm.return
  tt.func private @within_waves(%x: tensor<32x8xf32, #rows>) -> tensor<32x8xf32, #mixed> {
    %y = ttg.convert_layout %x : tensor<32x8xf32, #rows> -> tensor<32x8xf32, #mixed>
    tt.return %y : tensor<32x8xf32, #mixed>
  }
}
