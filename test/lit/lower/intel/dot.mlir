// RUN: tilewright-opt %s --split-input-file --allocate-shared-memory --convert-triton-gpu-to-llvm --canonicalize | FileCheck %s

// One call an instruction, on vectors of a lane's elements; A of 16-bit words, B of 32-bit ones.

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [2, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttg.target = "xpu:pvc"} {
  // CHECK-DAG: llvm.func spir_funccc @_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv8_iDv8_f(vector<8xi16>, vector<8xi32>, vector<8xf32>) -> vector<8xf32> attributes {convergent, memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none{{.*}}}
  // CHECK-DAG: llvm.func spir_funccc @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iS_(vector<8xi16>, vector<8xi32>, vector<8xi16>) -> vector<8xi16>

  // Two rows of tiles and two steps along K: sums of different tiles follow each other.

  // CHECK-LABEL: @halves
  // CHECK: %[[A0:.*]] = llvm.bitcast %{{.*}} : vector<8xf16> to vector<8xi16>
  // CHECK: %[[B0:.*]] = llvm.bitcast %{{.*}} : vector<16xf16> to vector<8xi32>
  // CHECK: %[[D0:.*]] = llvm.call spir_funccc @_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv8_iDv8_f(%[[A0]], %[[B0]], %{{.*}})
  // CHECK: %[[D1:.*]] = llvm.call spir_funccc @_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv8_iDv8_f(%{{.*}}, %[[B0]], %{{.*}})
  // CHECK: llvm.call spir_funccc @_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv8_iDv8_f(%{{.*}}, %[[B1:.*]], %[[D0]])
  // CHECK: llvm.call spir_funccc @_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv8_iDv8_f(%{{.*}}, %[[B1]], %[[D1]])
  // CHECK-NOT: matrix_mad
  // CHECK: llvm.return
  tt.func private @halves(%x: tensor<16x32xf16, #a>, %y: tensor<32x16xf16, #b>, %z: tensor<16x16xf32, #mma>) -> tensor<16x16xf32, #mma> {
    %r = tt.dot %x, %y, %z : tensor<16x32xf16, #a> * tensor<32x16xf16, #b> -> tensor<16x16xf32, #mma>
    tt.return %r : tensor<16x16xf32, #mma>
  }

  // Registers hold a bf16 as its bits.

  // CHECK-LABEL: @sums_of_16_bits
  // CHECK: llvm.call spir_funccc @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iS_(%{{.*}}, %{{.*}}, %{{.*}}) {{.*}}: (vector<8xi16>, vector<8xi32>, vector<8xi16>) -> vector<8xi16>
  tt.func private @sums_of_16_bits(%x: tensor<8x16xbf16, #a>, %y: tensor<16x16xbf16, #b>, %z: tensor<8x16xbf16, #mma>) -> tensor<8x16xbf16, #mma> {
    %r = tt.dot %x, %y, %z : tensor<8x16xbf16, #a> * tensor<16x16xbf16, #b> -> tensor<8x16xbf16, #mma>
    tt.return %r : tensor<8x16xbf16, #mma>
  }

  // A result that is operand A of the next product stays in its lanes.

  // CHECK-LABEL: @chain
  // CHECK-NOT: sub_group_shuffle
  // CHECK-NOT: llvm.store
  // CHECK: llvm.return
  tt.func private @chain(%x: tensor<16x32xf16, #a>, %y: tensor<32x16xf16, #b>, %z: tensor<16x16xf32, #mma>) -> tensor<16x16xf32, #mma> {
    %p = tt.dot %x, %y, %z : tensor<16x32xf16, #a> * tensor<32x16xf16, #b> -> tensor<16x16xf32, #mma>
    %h = arith.truncf %p : tensor<16x16xf32, #mma> to tensor<16x16xf16, #mma>
    %c = ttg.convert_layout %h : tensor<16x16xf16, #mma> -> tensor<16x16xf16, #a>
    %v = arith.constant dense<1.0> : tensor<16x16xf16, #b>
    %r = tt.dot %c, %v, %z : tensor<16x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<16x16xf32, #mma>
    tt.return %r : tensor<16x16xf32, #mma>
  }
}

// -----

#mma = #ttig.dpas<{repeatCount = 1, systolicDepth = 8, executionSize = 16, opsPerChan = 4, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttg.target = "xpu:bmg"} {
  // One row: scalars. The other operand is put together of vectors as OpenCL has them.

  // CHECK-LABEL: @bytes
  // CHECK: %[[A:.*]] = llvm.bitcast %{{.*}} : vector<2xi8> to i16
  // CHECK: %[[B0:.*]] = llvm.bitcast %{{.*}} : vector<16xi8> to vector<4xi32>
  // CHECK: %[[B1:.*]] = llvm.bitcast %{{.*}} : vector<16xi8> to vector<4xi32>
  // CHECK: %[[B:.*]] = llvm.shufflevector %[[B0]], %[[B1]] [0, 1, 2, 3, 4, 5, 6, 7]
  // CHECK: llvm.call spir_funccc @_Z36intel_sub_group_i8_i8_matrix_mad_k32sDv8_ii(%[[A]], %[[B]], %{{.*}}) {{.*}}: (i16, vector<8xi32>, i32) -> i32
  tt.func private @bytes(%x: tensor<1x32xi8, #a>, %y: tensor<32x16xi8, #b>, %z: tensor<1x16xi32, #mma>) -> tensor<1x16xi32, #mma> {
    %r = tt.dot %x, %y, %z : tensor<1x32xi8, #a> * tensor<32x16xi8, #b> -> tensor<1x16xi32, #mma>
    tt.return %r : tensor<1x16xi32, #mma>
  }
}

// -----

#mma = #ttig.dpas<{repeatCount = 2, systolicDepth = 8, executionSize = 16, opsPerChan = 1, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttg.target = "xpu:ptl"} {
  // CHECK-LABEL: @words
  // CHECK: llvm.call spir_funccc @_Z39intel_sub_group_tf32_tf32_matrix_mad_k8fDv8_fDv2_f(%{{.*}}) {{.*}}: (f32, vector<8xf32>, vector<2xf32>) -> vector<2xf32>
  tt.func private @words(%x: tensor<2x8xf32, #a>, %y: tensor<8x16xf32, #b>, %z: tensor<2x16xf32, #mma>) -> tensor<2x16xf32, #mma> {
    %r = tt.dot %x, %y, %z, inputPrecision = tf32 : tensor<2x8xf32, #a> * tensor<8x16xf32, #b> -> tensor<2x16xf32, #mma>
    tt.return %r : tensor<2x16xf32, #mma>
  }
}
