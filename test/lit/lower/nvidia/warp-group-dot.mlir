// Products of warpgroups become calls that stand for wgmma, with descriptors of the operands in
// shared memory and registers that pass through waits.

// RUN: tilewright-opt %s -split-input-file -allocate-shared-memory -convert-triton-gpu-to-llvm -canonicalize -cse | FileCheck %s

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Steps along K are 32 bytes, two units of a descriptor; the first of 0 takes no accumulator.
  // CHECK-LABEL: llvm.func internal @from_memory
  // CHECK-DAG:   %[[FALSE:.*]] = llvm.mlir.constant(false) : i1
  // CHECK-DAG:   %[[TRUE:.*]] = llvm.mlir.constant(true) : i1
  // CHECK-DAG:   %[[A_FORM:.*]] = llvm.mlir.constant(4611686293305360384 : i64) : i64
  // CHECK-DAG:   %[[B_FORM:.*]] = llvm.mlir.constant(4611686022722420736 : i64) : i64
  // CHECK-DAG:   %[[STEP:.*]] = llvm.mlir.constant(2 : i64) : i64
  // CHECK:       %[[A:.*]] = llvm.or %{{.*}}, %[[A_FORM]] : i64
  // CHECK:       %[[B:.*]] = llvm.or %{{.*}}, %[[B_FORM]] : i64
  // CHECK:       nvvm.wgmma.fence.aligned
  // CHECK:       %[[D:.*]] = llvm.call @tilewright.wgmma.m64n8k16.f32.f16.f16.ss(%{{.*}}, %[[A]], %[[B]], %[[FALSE]], %[[FALSE]], %[[FALSE]])
  // CHECK:       %[[D0:.*]] = llvm.extractvalue %[[D]][0]
  // CHECK:       %[[A1:.*]] = llvm.add %[[A]], %[[STEP]]
  // CHECK:       %[[B1:.*]] = llvm.add %[[B]], %[[STEP]]
  // CHECK:       llvm.call @tilewright.wgmma.m64n8k16.f32.f16.f16.ss(%[[D0]], {{.*}}, %[[A1]], %[[B1]], %[[TRUE]], %[[FALSE]], %[[FALSE]])
  // CHECK:       nvvm.wgmma.commit.group.sync.aligned
  // CHECK-NOT:   nvvm.wgmma.wait
  // CHECK:       llvm.call @tilewright.wgmma.wait_group.f32x4(%{{.*}})
  tt.func private @from_memory() -> tensor<64x8xf32, #mma> {
    %zero = arith.constant dense<0.0> : tensor<64x8xf32, #mma>
    %a = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %b = ttg.local_alloc : () -> !ttg.memdesc<64x8xf16, #shared1, #smem, mutable>
    %d = ttng.warp_group_dot %a, %b, %zero {isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x8xf16, #shared1, #smem, mutable> -> tensor<64x8xf32, #mma>
    %w = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : tensor<64x8xf32, #mma>
    tt.return %w : tensor<64x8xf32, #mma>
  }
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 8, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The second warpgroup's rows begin 8192 bytes on: its number, bit 7 of the thread's, comes by a
  // shuffle, so that all lanes are known to have the same.
  // CHECK-LABEL: llvm.func internal @of_warpgroup
  // CHECK-DAG:   %[[BIT:.*]] = llvm.mlir.constant(128 : i32) : i32
  // CHECK:       %[[NUMBER:.*]] = llvm.and %{{.*}}, %[[BIT]]
  // CHECK:       %[[GROUP:.*]] = llvm.shl %[[NUMBER]]
  // CHECK:       %[[ROWS:.*]] = nvvm.shfl.sync idx %{{.*}}, %[[GROUP]]
  // CHECK:       %[[START:.*]] = llvm.ptrtoint
  // CHECK:       llvm.add %[[START]], %[[ROWS]]
  tt.func private @of_warpgroup(%c: tensor<128x8xf32, #mma>) -> tensor<128x8xf32, #mma> {
    %a = ttg.local_alloc : () -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %b = ttg.local_alloc : () -> !ttg.memdesc<64x8xf16, #shared1, #smem, mutable>
    %d = ttng.warp_group_dot %a, %b, %c : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x8xf16, #shared1, #smem, mutable> -> tensor<128x8xf32, #mma>
    tt.return %d : tensor<128x8xf32, #mma>
  }
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8, 16]}>
#dot = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Registers are packed before the fence; what is not asynchronous waits.
  // CHECK-LABEL: llvm.func internal @from_registers
  // CHECK-COUNT-4: llvm.bitcast %{{.*}} : vector<2xf16> to i32
  // CHECK:       nvvm.wgmma.fence.aligned
  // CHECK:       llvm.call @tilewright.wgmma.m64n8k16.f32.f16.f16.rs(
  // CHECK-SAME:    : (f32, f32, f32, f32, i32, i32, i32, i32, i64, i1, i1, i1)
  // CHECK:       nvvm.wgmma.commit.group.sync.aligned
  // CHECK:       llvm.call @tilewright.wgmma.wait_group.f32x4(
  tt.func private @from_registers(%a: tensor<64x16xf16, #dot>, %c: tensor<64x8xf32, #mma>) -> tensor<64x8xf32, #mma> {
    %b = ttg.local_alloc : () -> !ttg.memdesc<16x8xf16, #shared, #smem, mutable>
    %d = ttng.warp_group_dot %a, %b, %c : tensor<64x16xf16, #dot> * !ttg.memdesc<16x8xf16, #shared, #smem, mutable> -> tensor<64x8xf32, #mma>
    tt.return %d : tensor<64x8xf32, #mma>
  }
}
