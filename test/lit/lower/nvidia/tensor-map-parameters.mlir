// RUN: tilewright-opt %s --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

#s = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // A map is passed by value, and the copy gets its address.
  // CHECK: llvm.func @kernel(
  // CHECK-SAME: %{{.*}}: i32 {llvm.noundef}, [[MAP:%.*]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, llvm.noundef, nvvm.grid_constant})
  // CHECK: "llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d"(%{{[^,]*}}, [[MAP]],
  tt.func public @kernel(%at: i32, %map: !tt.tensordesc<tensor<128x64xf16, #s>>) {
    %tile = ttg.local_alloc : () -> !ttg.memdesc<128x64xf16, #s, #smem, mutable>
    ttng.async_tma_copy_local_to_global %map[%at, %at] %tile : !tt.tensordesc<tensor<128x64xf16, #s>>, !ttg.memdesc<128x64xf16, #s, #smem, mutable>
    tt.return
  }
}
