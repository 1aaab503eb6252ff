// RUN: tilewright-opt %s --tilewright-set-access-width --convert-scf-to-cf --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

// A thread's registers become SSA values; pointers and indices that a vector access
// does not need leave nothing behind.

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-NOT:   global_smem
  // CHECK:       llvm.func @vector_add(%[[X:arg0]]: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noundef}, %arg1: !llvm.ptr<1>
  // CHECK-SAME:    %[[N:arg3]]: i32 {llvm.noundef}) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>}
  // CHECK:       %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x range <i32, 0, 128>
  // CHECK:       %[[PLACE:.*]] = llvm.shl %[[TID]], %{{.*}} overflow<nuw>
  // CHECK:       %[[PID:.*]] = nvvm.read.ptx.sreg.ctaid.x
  // CHECK:       %[[START:.*]] = llvm.mul %[[PID]]
  // CHECK:       %[[FAR:.*]] = llvm.or disjoint %[[PLACE]], %{{.*}}
  // CHECK:       %[[I0:.*]] = llvm.add %[[START]], %[[PLACE]]
  // CHECK-NEXT:  %[[I4:.*]] = llvm.add %[[START]], %[[FAR]]
  // CHECK-NEXT:  %[[M0:.*]] = llvm.icmp "slt" %[[I0]], %[[N]]
  // CHECK-NEXT:  %[[M4:.*]] = llvm.icmp "slt" %[[I4]], %[[N]]
  // CHECK-NEXT:  %[[P0:.*]] = llvm.getelementptr %[[X]][%[[I0]]]
  // CHECK-NEXT:  %[[P4:.*]] = llvm.getelementptr %[[X]][%[[I4]]]
  // CHECK:       %[[ONE:.*]] = llvm.insertelement %[[M0]]
  // CHECK-NEXT:  %[[MASK:.*]] = llvm.shufflevector %[[ONE]], %{{.*}} [0, 0, 0, 0]
  // CHECK-NEXT:  llvm.intr.masked.load %[[P0]], %[[MASK]], %{{.*}} {alignment = 16 : i32}
  // CHECK-SAME:    -> vector<4xf32>
  // CHECK:       llvm.intr.masked.load %[[P4]]
  // CHECK-COUNT-8: llvm.fadd {{.*}} {fastmathFlags = #llvm.fastmath<contract>} : f32
  // CHECK-COUNT-2: llvm.intr.masked.store {{.*}} {alignment = 16 : i32} : vector<4xf32>, vector<4xi1>
  // CHECK-NOT:   llvm.intr.masked.store
  // CHECK:       llvm.return
  tt.func public @vector_add(%x_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}) {
    %c1024 = arith.constant 1024 : i32
    %pid = tt.get_program_id x : i32
    %start = arith.muli %pid, %c1024 : i32
    %range = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %starts = tt.splat %start : i32 -> tensor<1024xi32, #blocked>
    %offs = arith.addi %starts, %range : tensor<1024xi32, #blocked>
    %limit = tt.splat %n : i32 -> tensor<1024xi32, #blocked>
    %mask = arith.cmpi slt, %offs, %limit : tensor<1024xi32, #blocked>
    %xs = tt.splat %x_ptr : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %xp = tt.addptr %xs, %offs : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
    %x = tt.load %xp, %mask : tensor<1024x!tt.ptr<f32>, #blocked>
    %ys = tt.splat %y_ptr : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %yp = tt.addptr %ys, %offs : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
    %y = tt.load %yp, %mask : tensor<1024x!tt.ptr<f32>, #blocked>
    %os = tt.splat %out_ptr : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %op = tt.addptr %os, %offs : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
    %sum = arith.addf %x, %y : tensor<1024xf32, #blocked>
    tt.store %op, %sum, %mask : tensor<1024x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
