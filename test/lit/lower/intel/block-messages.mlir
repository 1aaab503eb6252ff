// RUN: tilewright-opt %s --split-input-file --allocate-shared-memory --convert-triton-gpu-to-llvm --canonicalize --cse | FileCheck %s

// The operands of the documents on block loads: number, shape, order and places of the messages
// are those of `tilewright blockload` (docs/block-loads.md, section 3).

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [8, 4], repCluster = [4, 2]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-warps" = 32 : i32, "ttg.threads-per-warp" = 16 : i32, ttg.target = "xpu:pvc"} {
  // Drivers drop calls of functions that only read.
  // CHECK-DAG: llvm.func spir_funccc @_Z42intel_sub_group_2d_block_read_16b_32r16x2cPU3AS1viiiDv2_iPt(!llvm.ptr<1>, i32, i32, i32, vector<2xi32>, !llvm.ptr) attributes {convergent, memory_effects = #llvm.memory_effects<other = none, argMem = readwrite,

  // One message; eight operands of eight 16-bit values each. A warp's rows come from its number,
  // the same in all lanes.
  // CHECK-LABEL: @a(
  // CHECK: llvm.alloca %{{.*}} x !llvm.array<64 x i16>
  // CHECK: %[[T:.*]] = llvm.trunc %{{.*}} : i64 to i32
  // CHECK: %[[U:.*]] = llvm.call spir_funccc @_Z23intel_sub_group_shuffleij(%[[T]], %{{.*}})
  // CHECK: %[[W:.*]] = llvm.and %[[U]], %{{.*}}
  // CHECK: %[[R:.*]] = llvm.{{lshr|shl}} %[[W]],
  // CHECK: %[[Y:.*]] = llvm.add %arg1, %[[R]]
  // CHECK: llvm.insertelement %[[Y]],
  // CHECK: llvm.call spir_funccc @_Z42intel_sub_group_2d_block_read_16b_32r16x2cPU3AS1viiiDv2_iPt
  // CHECK-NOT: block_read
  // CHECK-COUNT-8: llvm.load %{{.*}} : !llvm.ptr -> vector<8xi16>
  // CHECK-NOT: llvm.load
  // CHECK: llvm.return
  tt.func public @a(%p: !tt.ptr<f16>, %y: i32, %x: i32, %h: i32, %w: i32, %ld: i32, %q: !tt.ptr<f16>) {
    %v = ttig.block_load %p[%y, %x] of [%h, %w] pitch %ld : !tt.ptr<f16> -> tensor<256x32xf16, #a>
    %s = tt.splat %q : !tt.ptr<f16> -> tensor<256x32x!tt.ptr<f16>, #a>
    tt.store %s, %v : tensor<256x32x!tt.ptr<f16>, #a>
    tt.return
  }

  // Two messages, the second 128 columns to the right.
  // CHECK-LABEL: @b(
  // CHECK-DAG: %[[C128:.*]] = llvm.mlir.constant(128 : i32)
  // CHECK: %[[X0:.*]] = llvm.add %arg2, %{{.*}} : i32
  // CHECK: %[[V0:.*]] = llvm.insertelement %[[X0]], %{{.*}}[%{{.*}} : i32]
  // CHECK: %[[XY0:.*]] = llvm.insertelement %arg1, %[[V0]]
  // CHECK: llvm.call spir_funccc @_Z52intel_sub_group_2d_block_read_transform_16b_32r16x2cPU3AS1viiiDv2_iPj(%arg0, %{{.*}}, %arg3, %{{.*}}, %[[XY0]], %{{.*}})
  // CHECK: %[[X1:.*]] = llvm.add %[[X0]], %[[C128]]
  // CHECK: %[[V1:.*]] = llvm.insertelement %[[X1]], %{{.*}}[%{{.*}} : i32]
  // CHECK: %[[XY1:.*]] = llvm.insertelement %arg1, %[[V1]]
  // CHECK: llvm.call spir_funccc @_Z52intel_sub_group_2d_block_read_transform_16b_32r16x2cPU3AS1viiiDv2_iPj(%arg0, %{{.*}}, %arg3, %{{.*}}, %[[XY1]], %{{.*}})
  // CHECK-NOT: block_read
  // CHECK: llvm.return
  tt.func public @b(%p: !tt.ptr<f16>, %y: i32, %x: i32, %h: i32, %w: i32, %ld: i32, %q: !tt.ptr<f16>) {
    %v = ttig.block_load %p[%y, %x] of [%h, %w] pitch %ld : !tt.ptr<f16> -> tensor<32x256xf16, #b>
    %s = tt.splat %q : !tt.ptr<f16> -> tensor<32x256x!tt.ptr<f16>, #b>
    tt.store %s, %v : tensor<32x256x!tt.ptr<f16>, #b>
    tt.return
  }

  // Columns are contiguous: two elements of K are one of the message's, so x counts pairs. Four
  // messages: 8 pairs to the right, 128 rows below, and both.
  // CHECK-LABEL: @transposed(
  // CHECK-DAG: %[[C1:.*]] = llvm.mlir.constant(1 : i32)
  // CHECK-DAG: %[[C8:.*]] = llvm.mlir.constant(8 : i32)
  // CHECK-DAG: %[[C128:.*]] = llvm.mlir.constant(128 : i32)
  // CHECK: %[[X0:.*]] = llvm.ashr %arg2, %[[C1]]
  // CHECK: %[[Y0:.*]] = llvm.add %arg1, %{{.*}}
  // CHECK: llvm.call spir_funccc @_Z51intel_sub_group_2d_block_read_transpose_32b_32r8x1cPU3AS1viiiDv2_iPj
  // CHECK: %[[X1:.*]] = llvm.add %[[X0]], %[[C8]]
  // CHECK: llvm.call spir_funccc @_Z51intel_sub_group_2d_block_read_transpose_32b_32r8x1cPU3AS1viiiDv2_iPj
  // CHECK: %[[Y1:.*]] = llvm.add %[[Y0]], %[[C128]]
  // CHECK: llvm.call spir_funccc @_Z51intel_sub_group_2d_block_read_transpose_32b_32r8x1cPU3AS1viiiDv2_iPj
  // CHECK: llvm.call spir_funccc @_Z51intel_sub_group_2d_block_read_transpose_32b_32r8x1cPU3AS1viiiDv2_iPj
  // CHECK-NOT: block_read
  // CHECK: llvm.return
  tt.func public @transposed(%p: !tt.ptr<f16>, %y: i32, %x: i32, %h: i32, %w: i32, %ld: i32, %q: !tt.ptr<f16>) {
    %v = ttig.block_load %p[%y, %x] of [%h, %w] pitch %ld column_major : !tt.ptr<f16> -> tensor<32x256xf16, #b>
    %s = tt.splat %q : !tt.ptr<f16> -> tensor<32x256x!tt.ptr<f16>, #b>
    tt.store %s, %v : tensor<32x256x!tt.ptr<f16>, #b>
    tt.return
  }

  // 256 rows of 64 bytes are eight messages: of the warps that have the same rows one issues one.
  // CHECK-LABEL: @prefetch(
  // CHECK: %[[BUSY:.*]] = llvm.icmp "eq"
  // CHECK: llvm.cond_br %[[BUSY]]
  // CHECK: llvm.call spir_funccc @_Z46intel_sub_group_2d_block_prefetch_32b_32r16x1cPU3AS1viiiDv2_i
  // CHECK-NOT: prefetch
  // CHECK: llvm.return
  tt.func public @prefetch(%p: !tt.ptr<f16>, %y: i32, %x: i32, %h: i32, %w: i32, %ld: i32) {
    ttig.block_prefetch %p[%y, %x] of [%h, %w] pitch %ld : !tt.ptr<f16>, tensor<256x32xf16, #a>
    tt.return
  }
}

// -----

// The result: eight rows a message.

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [8, 4], repCluster = [4, 2]}>
module attributes {"ttg.num-warps" = 32 : i32, "ttg.threads-per-warp" = 16 : i32, ttg.target = "xpu:bmg"} {
  // CHECK-LABEL: @c(
  // CHECK-COUNT-16: llvm.call spir_funccc @_Z42intel_sub_group_2d_block_write_32b_8r16x1cPU3AS1viiiDv2_iPj
  // CHECK-NOT: block_write
  tt.func public @c(%p: !tt.ptr<f32>, %y: i32, %x: i32, %h: i32, %w: i32, %ld: i32, %v: f32) {
    %s = tt.splat %v : f32 -> tensor<256x256xf32, #mma>
    ttig.block_store %p[%y, %x] of [%h, %w] pitch %ld, %s : !tt.ptr<f32>, tensor<256x256xf32, #mma>
    tt.return
  }
}
