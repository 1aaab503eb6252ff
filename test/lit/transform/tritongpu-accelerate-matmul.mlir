// RUN: tilewright-opt %s --split-input-file --tritongpu-accelerate-matmul | FileCheck %s

// Products that a matrix unit of the target computes get its layouts; the warps share the result so
// that each has about a square.

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK: #[[BLOCKED:.*]] = #ttg.blocked
// CHECK: #[[MMA:.*]] = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:80"} {
  // CHECK-LABEL: @f16
  // CHECK-DAG: %[[A:.*]] = ttg.convert_layout %arg0 : tensor<128x64xf16, #[[BLOCKED]]> -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #[[MMA]], kWidth = 2}>>
  // CHECK-DAG: %[[B:.*]] = ttg.convert_layout %arg1 : tensor<64x128xf16, #[[BLOCKED]]> -> tensor<64x128xf16, #ttg.dot_op<{opIdx = 1, parent = #[[MMA]], kWidth = 2}>>
  // CHECK-DAG: %[[C:.*]] = ttg.convert_layout %arg2 : tensor<128x128xf32, #[[BLOCKED]]> -> tensor<128x128xf32, #[[MMA]]>
  // CHECK: %[[D:.*]] = tt.dot %[[A]], %[[B]], %[[C]] :
  // CHECK: %[[R:.*]] = ttg.convert_layout %[[D]] : tensor<128x128xf32, #[[MMA]]> -> tensor<128x128xf32, #[[BLOCKED]]>
  // CHECK: tt.return %[[R]]
  tt.func @f16(%a: tensor<128x64xf16, #blocked>, %b: tensor<64x128xf16, #blocked>, %c: tensor<128x128xf32, #blocked>) -> tensor<128x128xf32, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<128x64xf16, #blocked> * tensor<64x128xf16, #blocked> -> tensor<128x128xf32, #blocked>
    tt.return %d : tensor<128x128xf32, #blocked>
  }

  // CHECK-LABEL: @f16_sums
  // CHECK: tt.dot {{.*}} -> tensor<128x128xf16, #[[MMA]]>
  tt.func @f16_sums(%a: tensor<128x64xf16, #blocked>, %b: tensor<64x128xf16, #blocked>, %c: tensor<128x128xf16, #blocked>) -> tensor<128x128xf16, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<128x64xf16, #blocked> * tensor<64x128xf16, #blocked> -> tensor<128x128xf16, #blocked>
    tt.return %d : tensor<128x128xf16, #blocked>
  }

  // CHECK-LABEL: @bf16
  // CHECK: tt.dot {{.*}} : tensor<128x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #[[MMA]], kWidth = 2}>>
  tt.func @bf16(%a: tensor<128x64xbf16, #blocked>, %b: tensor<64x128xbf16, #blocked>, %c: tensor<128x128xf32, #blocked>) -> tensor<128x128xf32, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<128x64xbf16, #blocked> * tensor<64x128xbf16, #blocked> -> tensor<128x128xf32, #blocked>
    tt.return %d : tensor<128x128xf32, #blocked>
  }

  // Products of f32 only where they may be rounded.

  // CHECK-LABEL: @tf32
  // CHECK: tt.dot {{.*}}, inputPrecision = tf32 : tensor<128x64xf32, #ttg.dot_op<{opIdx = 0, parent = #[[MMA]], kWidth = 1}>>
  tt.func @tf32(%a: tensor<128x64xf32, #blocked>, %b: tensor<64x128xf32, #blocked>, %c: tensor<128x128xf32, #blocked>) -> tensor<128x128xf32, #blocked> {
    %d = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<128x64xf32, #blocked> * tensor<64x128xf32, #blocked> -> tensor<128x128xf32, #blocked>
    tt.return %d : tensor<128x128xf32, #blocked>
  }

  // CHECK-LABEL: @ieee
  // CHECK-NEXT: tt.dot %arg0, %arg1, %arg2 : tensor<128x64xf32, #[[BLOCKED]]> * tensor<64x128xf32, #[[BLOCKED]]> -> tensor<128x128xf32, #[[BLOCKED]]>
  tt.func @ieee(%a: tensor<128x64xf32, #blocked>, %b: tensor<64x128xf32, #blocked>, %c: tensor<128x128xf32, #blocked>) -> tensor<128x128xf32, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<128x64xf32, #blocked> * tensor<64x128xf32, #blocked> -> tensor<128x128xf32, #blocked>
    tt.return %d : tensor<128x128xf32, #blocked>
  }

  // What was widened is multiplied as it was.

  // CHECK-LABEL: @widened
  // CHECK: tt.dot {{.*}} : tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #[[MMA]], kWidth = 2}>>
  tt.func @widened(%a: tensor<128x64xf16, #blocked>, %b: tensor<64x128xf16, #blocked>, %c: tensor<128x128xf32, #blocked>) -> tensor<128x128xf32, #blocked> {
    %x = arith.extf %a : tensor<128x64xf16, #blocked> to tensor<128x64xf32, #blocked>
    %y = arith.extf %b : tensor<64x128xf16, #blocked> to tensor<64x128xf32, #blocked>
    %d = tt.dot %x, %y, %c : tensor<128x64xf32, #blocked> * tensor<64x128xf32, #blocked> -> tensor<128x128xf32, #blocked>
    tt.return %d : tensor<128x128xf32, #blocked>
  }

  // CHECK-LABEL: @f64
  // CHECK: tt.dot {{.*}} : tensor<128x64xf64, #ttg.dot_op<{opIdx = 0, parent = #[[MMA]], kWidth = 1}>>
  tt.func @f64(%a: tensor<128x64xf64, #blocked>, %b: tensor<64x128xf64, #blocked>, %c: tensor<128x128xf64, #blocked>) -> tensor<128x128xf64, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<128x64xf64, #blocked> * tensor<64x128xf64, #blocked> -> tensor<128x128xf64, #blocked>
    tt.return %d : tensor<128x128xf64, #blocked>
  }

  // Bytes that do not lie along K: what a thread has of four tiles is neighbours in memory.

  // CHECK-LABEL: @i8
  // CHECK: %[[SPLIT:.*]] = tt.reshape %arg1 : tensor<64x128xi8, {{.*}}> -> tensor<64x2x2x8x4x1xi8,
  // CHECK: %[[TURNED:.*]] = tt.trans %[[SPLIT]] {order = array<i32: 0, 1, 4, 2, 5, 3>}
  // CHECK: %[[B:.*]] = tt.reshape %[[TURNED]] : {{.*}} -> tensor<64x128xi8,
  // CHECK: %[[OPERAND:.*]] = ttg.convert_layout %[[B]]
  // CHECK: %[[D:.*]] = tt.dot %{{.*}}, %[[OPERAND]], %{{.*}} : tensor<128x64xi8, #ttg.dot_op<{opIdx = 0, parent = #[[MMA]], kWidth = 4}>>
  // CHECK: %[[RESULT:.*]] = ttg.convert_layout %[[D]]
  // CHECK: tt.trans {{.*}} {order = array<i32: 0, 1, 3, 5, 2, 4>}
  tt.func @i8(%a: tensor<128x64xi8, #blocked>, %b: tensor<64x128xi8, #blocked>, %c: tensor<128x128xi32, #blocked>) -> tensor<128x128xi32, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<128x64xi8, #blocked> * tensor<64x128xi8, #blocked> -> tensor<128x128xi32, #blocked>
    tt.return %d : tensor<128x128xi32, #blocked>
  }

  // No unit for 8-bit floats here: as f16.

  // CHECK-LABEL: @f8
  // CHECK-DAG: tt.fp_to_fp %arg0 : tensor<128x64xf8E4M3FN, #[[BLOCKED]]> -> tensor<128x64xf16, #[[BLOCKED]]>
  // CHECK-DAG: tt.fp_to_fp %arg1 : tensor<64x128xf8E5M2, #[[BLOCKED]]> -> tensor<64x128xf16, #[[BLOCKED]]>
  // CHECK: tt.dot {{.*}} : tensor<128x64xf16, #ttg.dot_op
  tt.func @f8(%a: tensor<128x64xf8E4M3FN, #blocked>, %b: tensor<64x128xf8E5M2, #blocked>, %c: tensor<128x128xf32, #blocked>) -> tensor<128x128xf32, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<128x64xf8E4M3FN, #blocked> * tensor<64x128xf8E5M2, #blocked> -> tensor<128x128xf32, #blocked>
    tt.return %d : tensor<128x128xf32, #blocked>
  }

  // Integers that no unit multiplies.

  // CHECK-LABEL: @i16
  // CHECK-NEXT: tt.dot %arg0
  tt.func @i16(%a: tensor<32x32xi16, #blocked>, %b: tensor<32x32xi16, #blocked>, %c: tensor<32x32xi32, #blocked>) -> tensor<32x32xi32, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<32x32xi16, #blocked> * tensor<32x32xi16, #blocked> -> tensor<32x32xi32, #blocked>
    tt.return %d : tensor<32x32xi32, #blocked>
  }
}

// -----

// 8-bit floats of any pair of types have a unit; a sum in f16 is made in f32.

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK: #[[BLOCKED:.*]] = #ttg.blocked
// CHECK: #[[MMA:.*]] = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:89"} {
  // CHECK-LABEL: @f8
  // CHECK: tt.dot {{.*}} : tensor<64x64xf8E4M3FN, #ttg.dot_op<{opIdx = 0, parent = #[[MMA]], kWidth = 4}>> * tensor<64x64xf8E5M2, #ttg.dot_op<{opIdx = 1, parent = #[[MMA]], kWidth = 4}>>
  tt.func @f8(%a: tensor<64x64xf8E4M3FN, #blocked>, %b: tensor<64x64xf8E5M2, #blocked>, %c: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<64x64xf8E4M3FN, #blocked> * tensor<64x64xf8E5M2, #blocked> -> tensor<64x64xf32, #blocked>
    tt.return %d : tensor<64x64xf32, #blocked>
  }

  // CHECK-LABEL: @f8_sums_in_f16
  // CHECK: %[[C:.*]] = arith.extf {{.*}} : tensor<64x64xf16, #[[MMA]]> to tensor<64x64xf32, #[[MMA]]>
  // CHECK: %[[D:.*]] = tt.dot %{{.*}}, %{{.*}}, %[[C]] : {{.*}} -> tensor<64x64xf32, #[[MMA]]>
  // CHECK: arith.truncf %[[D]] : tensor<64x64xf32, #[[MMA]]> to tensor<64x64xf16, #[[MMA]]>
  tt.func @f8_sums_in_f16(%a: tensor<64x64xf8E5M2, #blocked>, %b: tensor<64x64xf8E5M2, #blocked>, %c: tensor<64x64xf16, #blocked>) -> tensor<64x64xf16, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<64x64xf8E5M2, #blocked> * tensor<64x64xf8E5M2, #blocked> -> tensor<64x64xf16, #blocked>
    tt.return %d : tensor<64x64xf16, #blocked>
  }

  // The unit for doubles is slower than multiply-adds.

  // CHECK-LABEL: @f64
  // CHECK-NEXT: tt.dot %arg0
  tt.func @f64(%a: tensor<64x64xf64, #blocked>, %b: tensor<64x64xf64, #blocked>, %c: tensor<64x64xf64, #blocked>) -> tensor<64x64xf64, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<64x64xf64, #blocked> * tensor<64x64xf64, #blocked> -> tensor<64x64xf64, #blocked>
    tt.return %d : tensor<64x64xf64, #blocked>
  }
}

// -----

// Bytes that are widened on their way from memory: a thread has four of them side by side, so that
// they move as bytes.

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:80"} {
  // CHECK-LABEL: @widened_bytes
  // CHECK: tt.dot {{.*}} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #{{.*}}, kWidth = 4}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #{{.*}}, kWidth = 4}>>
  tt.func @widened_bytes(%a: tensor<64x64xf16, #blocked>, %p: tensor<64x64x!tt.ptr<i8>, #blocked>, %s: tensor<64x64xf16, #blocked>, %c: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
    %w = tt.load %p : tensor<64x64x!tt.ptr<i8>, #blocked>
    %f = arith.sitofp %w : tensor<64x64xi8, #blocked> to tensor<64x64xf16, #blocked>
    %b = arith.mulf %f, %s : tensor<64x64xf16, #blocked>
    %d = tt.dot %a, %b, %c : tensor<64x64xf16, #blocked> * tensor<64x64xf16, #blocked> -> tensor<64x64xf32, #blocked>
    tt.return %d : tensor<64x64xf32, #blocked>
  }
}

// -----

// A result that is, computed on, operand A of another product: each warp has rows of both.

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK: #[[MMA:.*]] = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
// CHECK-NOT: nvidia_mma<
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:80"} {
  // CHECK-LABEL: @chain
  // CHECK-COUNT-2: tt.dot {{.*}} #[[MMA]]>
  tt.func @chain(%q: tensor<64x64xf16, #blocked>, %k: tensor<64x64xf16, #blocked>, %v: tensor<64x64xf16, #blocked>, %c: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
    %s = tt.dot %q, %k, %c : tensor<64x64xf16, #blocked> * tensor<64x64xf16, #blocked> -> tensor<64x64xf32, #blocked>
    %e = math.exp2 %s : tensor<64x64xf32, #blocked>
    %p = arith.truncf %e : tensor<64x64xf32, #blocked> to tensor<64x64xf16, #blocked>
    %o = tt.dot %p, %v, %c : tensor<64x64xf16, #blocked> * tensor<64x64xf16, #blocked> -> tensor<64x64xf32, #blocked>
    tt.return %o : tensor<64x64xf32, #blocked>
  }
}

// -----

// Warps share a batch first.

#blocked = #ttg.blocked<{sizePerThread = [1, 1, 8], threadsPerWarp = [1, 4, 8], warpsPerCTA = [4, 1, 1], order = [2, 1, 0]}>
// CHECK: #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2, 1], instrShape = [1, 16, 8]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:80"} {
  // CHECK-LABEL: @batch
  // CHECK: tt.dot
  tt.func @batch(%a: tensor<2x32x32xf16, #blocked>, %b: tensor<2x32x16xf16, #blocked>, %c: tensor<2x32x16xf32, #blocked>) -> tensor<2x32x16xf32, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<2x32x32xf16, #blocked> * tensor<2x32x16xf16, #blocked> -> tensor<2x32x16xf32, #blocked>
    tt.return %d : tensor<2x32x16xf32, #blocked>
  }
}

// -----

// Less along K than an instruction adds up: zeros follow each element. So few rows that
// multiply-adds take fewer cycles; and results that have a layout already.

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
// CHECK: #[[BLOCKED:.*]] = #ttg.blocked
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:80"} {
  // CHECK-LABEL: @little_k
  // CHECK: tt.join %arg0, %{{.*}} : tensor<64x4xf16, {{.*}}> -> tensor<64x4x2xf16,
  // CHECK: %[[PAIRS:.*]] = tt.join %arg1, %{{.*}} : tensor<4x64xf16, {{.*}}> -> tensor<4x64x2xf16,
  // CHECK: tt.trans %[[PAIRS]] {order = array<i32: 0, 2, 1>}
  // CHECK: tt.dot {{.*}} : tensor<64x8xf16, {{.*}}> * tensor<8x64xf16,
  tt.func @little_k(%a: tensor<64x4xf16, #blocked>, %b: tensor<4x64xf16, #blocked>, %c: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<64x4xf16, #blocked> * tensor<4x64xf16, #blocked> -> tensor<64x64xf32, #blocked>
    tt.return %d : tensor<64x64xf32, #blocked>
  }
  // CHECK-LABEL: @one_row
  // CHECK-NEXT: tt.dot %arg0
  tt.func @one_row(%a: tensor<1x32xf16, #blocked>, %b: tensor<32x64xf16, #blocked>, %c: tensor<1x64xf32, #blocked>) -> tensor<1x64xf32, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<1x32xf16, #blocked> * tensor<32x64xf16, #blocked> -> tensor<1x64xf32, #blocked>
    tt.return %d : tensor<1x64xf32, #blocked>
  }
  // CHECK-LABEL: @given
  // CHECK-NEXT: tt.dot %arg0, %arg1, %arg2
  tt.func @given(%a: tensor<64x64xf16, #a>, %b: tensor<64x64xf16, #b>, %c: tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma> {
    %d = tt.dot %a, %b, %c : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #mma>
    tt.return %d : tensor<64x64xf32, #mma>
  }
}

// -----

// Of AMD's units a lane has rows of the result: transposed. Of operands it has side by side what one
// access of shared memory takes, 128 bits, and at least what an instruction does.

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK: #[[WMMA:.*]] = #ttg.amd_wmma<{version = 1, isTranspose = true, ctaLayout = {warp = {{\[\[}}0, 1], [1, 0]]}}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "hip:gfx1100"} {
  // CHECK-LABEL: @rdna3
  // CHECK: tt.dot {{.*}} : tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #[[WMMA]], kWidth = 16}>> * tensor<64x128xf16, #ttg.dot_op<{opIdx = 1, parent = #[[WMMA]], kWidth = 16}>> -> tensor<128x128xf32, #[[WMMA]]>
  tt.func @rdna3(%a: tensor<128x64xf16, #blocked>, %b: tensor<64x128xf16, #blocked>, %c: tensor<128x128xf32, #blocked>) -> tensor<128x128xf32, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<128x64xf16, #blocked> * tensor<64x128xf16, #blocked> -> tensor<128x128xf32, #blocked>
    tt.return %d : tensor<128x128xf32, #blocked>
  }

  // Sums of 16 bits, also of bf16.

  // CHECK-LABEL: @sums
  // CHECK: tt.dot {{.*}} -> tensor<128x128xf16, #[[WMMA]]>
  // CHECK: tt.dot {{.*}} -> tensor<128x128xbf16, #[[WMMA]]>
  tt.func @sums(%a: tensor<128x64xf16, #blocked>, %b: tensor<64x128xf16, #blocked>, %c: tensor<128x128xf16, #blocked>, %x: tensor<128x64xbf16, #blocked>, %y: tensor<64x128xbf16, #blocked>, %z: tensor<128x128xbf16, #blocked>) -> (tensor<128x128xf16, #blocked>, tensor<128x128xbf16, #blocked>) {
    %d = tt.dot %a, %b, %c : tensor<128x64xf16, #blocked> * tensor<64x128xf16, #blocked> -> tensor<128x128xf16, #blocked>
    %e = tt.dot %x, %y, %z : tensor<128x64xbf16, #blocked> * tensor<64x128xbf16, #blocked> -> tensor<128x128xbf16, #blocked>
    tt.return %d, %e : tensor<128x128xf16, #blocked>, tensor<128x128xbf16, #blocked>
  }

  // 8-bit floats are widened where the unit lacks them, and f32 is left to multiply-adds.

  // CHECK-LABEL: @widened_floats
  // CHECK: tt.fp_to_fp %{{.*}} : tensor<128x64xf8E5M2, #[[BLOCKED:.*]]> -> tensor<128x64xf16, #[[BLOCKED]]>
  // CHECK: tt.dot {{.*}} : tensor<128x64xf16, {{.*}}> * tensor<64x128xf16, {{.*}}> -> tensor<128x128xf32, #[[WMMA]]>
  tt.func @widened_floats(%a: tensor<128x64xf8E5M2, #blocked>, %b: tensor<64x128xf8E4M3FN, #blocked>, %c: tensor<128x128xf32, #blocked>) -> tensor<128x128xf32, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<128x64xf8E5M2, #blocked> * tensor<64x128xf8E4M3FN, #blocked> -> tensor<128x128xf32, #blocked>
    tt.return %d : tensor<128x128xf32, #blocked>
  }

  // CHECK-LABEL: @tf32_there
  // CHECK-NEXT: tt.dot %arg0
  tt.func @tf32_there(%a: tensor<128x64xf32, #blocked>, %b: tensor<64x128xf32, #blocked>, %c: tensor<128x128xf32, #blocked>) -> tensor<128x128xf32, #blocked> {
    %d = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<128x64xf32, #blocked> * tensor<64x128xf32, #blocked> -> tensor<128x128xf32, #blocked>
    tt.return %d : tensor<128x128xf32, #blocked>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK: #[[WMMA:.*]] = #ttg.amd_wmma<{version = 2, isTranspose = true, ctaLayout = {warp = {{\[\[}}0, 1], [1, 0]]}}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "hip:gfx1201"} {
  // CHECK-LABEL: @rdna4
  // CHECK: tt.dot {{.*}} : tensor<128x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #[[WMMA]], kWidth = 8}>> * {{.*}} -> tensor<128x128xf32, #[[WMMA]]>
  tt.func @rdna4(%a: tensor<128x64xbf16, #blocked>, %b: tensor<64x128xbf16, #blocked>, %c: tensor<128x128xf32, #blocked>) -> tensor<128x128xf32, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<128x64xbf16, #blocked> * tensor<64x128xbf16, #blocked> -> tensor<128x128xf32, #blocked>
    tt.return %d : tensor<128x128xf32, #blocked>
  }

  // CHECK-LABEL: @bytes
  // CHECK: tt.dot {{.*}} : tensor<128x64xi8, #ttg.dot_op<{opIdx = 0, parent = #[[WMMA]], kWidth = 16}>> * {{.*}} -> tensor<128x128xi32, #[[WMMA]]>
  // CHECK: tt.dot {{.*}} : tensor<128x64xf8E5M2, #ttg.dot_op<{opIdx = 0, parent = #[[WMMA]], kWidth = 16}>> * tensor<64x128xf8E4M3FN, {{.*}}> -> tensor<128x128xf32, #[[WMMA]]>
  tt.func @bytes(%a: tensor<128x64xi8, #blocked>, %b: tensor<64x128xi8, #blocked>, %c: tensor<128x128xi32, #blocked>, %x: tensor<128x64xf8E5M2, #blocked>, %y: tensor<64x128xf8E4M3FN, #blocked>, %z: tensor<128x128xf32, #blocked>) -> (tensor<128x128xi32, #blocked>, tensor<128x128xf32, #blocked>) {
    %d = tt.dot %a, %b, %c : tensor<128x64xi8, #blocked> * tensor<64x128xi8, #blocked> -> tensor<128x128xi32, #blocked>
    %e = tt.dot %x, %y, %z : tensor<128x64xf8E5M2, #blocked> * tensor<64x128xf8E4M3FN, #blocked> -> tensor<128x128xf32, #blocked>
    tt.return %d, %e : tensor<128x128xi32, #blocked>, tensor<128x128xf32, #blocked>
  }
}

// -----

// Of Intel's units a sub-group does those side by side whose operands a block message of 32 rows of 64
// bytes brings. kWidth is what the instruction has: of A 16 bits, of B a word.

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-DAG: #[[F16:.*]] = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
// CHECK-DAG: #[[S8:.*]] = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 4, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [4, 4], A = [32, 32], B = [32, 64], C = [32, 64]}>
// CHECK-DAG: #[[TF32:.*]] = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 1, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [4, 1], A = [32, 8], B = [8, 16], C = [32, 16]}>
// CHECK-DAG: #[[ROWS:.*]] = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttg.target = "xpu:pvc"} {
  // CHECK-LABEL: @halves
  // CHECK: tt.dot {{.*}} : tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #[[F16]], kWidth = 1}>> * tensor<64x128xf16, #ttg.dot_op<{opIdx = 1, parent = #[[F16]], kWidth = 2}>> -> tensor<128x128xf32, #[[F16]]>
  tt.func @halves(%a: tensor<128x64xf16, #blocked>, %b: tensor<64x128xf16, #blocked>, %c: tensor<128x128xf32, #blocked>) -> tensor<128x128xf32, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<128x64xf16, #blocked> * tensor<64x128xf16, #blocked> -> tensor<128x128xf32, #blocked>
    tt.return %d : tensor<128x128xf32, #blocked>
  }

  // CHECK-LABEL: @bytes
  // CHECK: tt.dot {{.*}} : tensor<128x64xi8, #ttg.dot_op<{opIdx = 0, parent = #[[S8]], kWidth = 2}>> * tensor<64x128xi8, #ttg.dot_op<{opIdx = 1, parent = #[[S8]], kWidth = 4}>> -> tensor<128x128xi32, #[[S8]]>
  tt.func @bytes(%a: tensor<128x64xi8, #blocked>, %b: tensor<64x128xi8, #blocked>, %c: tensor<128x128xi32, #blocked>) -> tensor<128x128xi32, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<128x64xi8, #blocked> * tensor<64x128xi8, #blocked> -> tensor<128x128xi32, #blocked>
    tt.return %d : tensor<128x128xi32, #blocked>
  }

  // CHECK-LABEL: @words
  // CHECK: tt.dot {{.*}} : tensor<128x64xf32, #ttg.dot_op<{opIdx = 0, parent = #[[TF32]], kWidth = 1}>> * tensor<64x128xf32, #ttg.dot_op<{opIdx = 1, parent = #[[TF32]], kWidth = 1}>> -> tensor<128x128xf32, #[[TF32]]>
  tt.func @words(%a: tensor<128x64xf32, #blocked>, %b: tensor<64x128xf32, #blocked>, %c: tensor<128x128xf32, #blocked>) -> tensor<128x128xf32, #blocked> {
    %d = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<128x64xf32, #blocked> * tensor<64x128xf32, #blocked> -> tensor<128x128xf32, #blocked>
    tt.return %d : tensor<128x128xf32, #blocked>
  }

  // CHECK-LABEL: @widened_floats
  // CHECK: tt.fp_to_fp %{{.*}} : tensor<128x64xf8E5M2, #[[BLOCKED:.*]]> -> tensor<128x64xf16, #[[BLOCKED]]>
  // CHECK: tt.dot {{.*}} : tensor<128x64xf16, {{.*}}> * tensor<64x128xf16, {{.*}}> -> tensor<128x128xf32, #[[F16]]>
  tt.func @widened_floats(%a: tensor<128x64xf8E5M2, #blocked>, %b: tensor<64x128xf8E4M3FN, #blocked>, %c: tensor<128x128xf32, #blocked>) -> tensor<128x128xf32, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<128x64xf8E5M2, #blocked> * tensor<64x128xf8E4M3FN, #blocked> -> tensor<128x128xf32, #blocked>
    tt.return %d : tensor<128x128xf32, #blocked>
  }

  // CHECK-LABEL: @sums
  // CHECK: tt.dot {{.*}} -> tensor<128x128xf16, #[[F16]]>
  // CHECK: tt.dot {{.*}} -> tensor<128x128xbf16, #[[F16]]>
  tt.func @sums(%a: tensor<128x64xf16, #blocked>, %b: tensor<64x128xf16, #blocked>, %c: tensor<128x128xf16, #blocked>, %x: tensor<128x64xbf16, #blocked>, %y: tensor<64x128xbf16, #blocked>, %z: tensor<128x128xbf16, #blocked>) -> (tensor<128x128xf16, #blocked>, tensor<128x128xbf16, #blocked>) {
    %d = tt.dot %a, %b, %c : tensor<128x64xf16, #blocked> * tensor<64x128xf16, #blocked> -> tensor<128x128xf16, #blocked>
    %e = tt.dot %x, %y, %z : tensor<128x64xbf16, #blocked> * tensor<64x128xbf16, #blocked> -> tensor<128x128xbf16, #blocked>
    tt.return %d, %e : tensor<128x128xf16, #blocked>, tensor<128x128xbf16, #blocked>
  }

  // Of equal shares the one with fewer fragments: 4 and 4, not 8 and 2. Elements of the first result
  // are in the lane that has them of operand A: the conversion is one of registers.

  // CHECK-LABEL: @chain
  // CHECK: tt.dot {{.*}} -> tensor<128x64xf32, #[[ROWS]]>
  // CHECK: tt.dot {{.*}} : tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #[[ROWS]], kWidth = 1}>> * {{.*}} -> tensor<128x64xf32, #[[ROWS]]>
  tt.func @chain(%a: tensor<128x64xf16, #blocked>, %b: tensor<64x64xf16, #blocked>, %c: tensor<128x64xf32, #blocked>) -> tensor<128x64xf32, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<128x64xf16, #blocked> * tensor<64x64xf16, #blocked> -> tensor<128x64xf32, #blocked>
    %p = arith.truncf %d : tensor<128x64xf32, #blocked> to tensor<128x64xf16, #blocked>
    %e = tt.dot %p, %b, %c : tensor<128x64xf16, #blocked> * tensor<64x64xf16, #blocked> -> tensor<128x64xf32, #blocked>
    tt.return %e : tensor<128x64xf32, #blocked>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1, 8], threadsPerWarp = [1, 2, 8], warpsPerCTA = [1, 4, 1], order = [2, 1, 0]}>
#row = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-DAG: #[[BATCH:.*]] = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2, 1], repCluster = [1, 2, 2], A = [16, 16], B = [16, 32], C = [16, 32]}>
// CHECK-DAG: #[[ONE:.*]] = #ttig.dpas<{repeatCount = 1, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 4], repCluster = [1, 2], A = [1, 16], B = [16, 32], C = [1, 32]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttg.target = "xpu:bmg"} {
  // CHECK-LABEL: @batch
  // CHECK: tt.dot {{.*}} -> tensor<2x32x32xf32, #[[BATCH]]>
  tt.func @batch(%a: tensor<2x32x32xf16, #blocked>, %b: tensor<2x32x32xf16, #blocked>, %c: tensor<2x32x32xf32, #blocked>) -> tensor<2x32x32xf32, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<2x32x32xf16, #blocked> * tensor<2x32x32xf16, #blocked> -> tensor<2x32x32xf32, #blocked>
    tt.return %d : tensor<2x32x32xf32, #blocked>
  }

  // An instruction has as many rows as there are.

  // CHECK-LABEL: @one_row
  // CHECK: tt.dot {{.*}} -> tensor<1x128xf32, #[[ONE]]>
  tt.func @one_row(%a: tensor<1x32xbf16, #row>, %b: tensor<32x128xbf16, #row>, %c: tensor<1x128xf32, #row>) -> tensor<1x128xf32, #row> {
    %d = tt.dot %a, %b, %c : tensor<1x32xbf16, #row> * tensor<32x128xbf16, #row> -> tensor<1x128xf32, #row>
    tt.return %d : tensor<1x128xf32, #row>
  }
}

// -----

// The functions for Intel's units are for the smallest sub-groups alone.

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "xpu:bmg"} {
  // CHECK-LABEL: @of_32_lanes
  // CHECK-NEXT: tt.dot %arg0
  tt.func @of_32_lanes(%a: tensor<64x64xf16, #blocked>, %b: tensor<64x64xf16, #blocked>, %c: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<64x64xf16, #blocked> * tensor<64x64xf16, #blocked> -> tensor<64x64xf32, #blocked>
    tt.return %d : tensor<64x64xf32, #blocked>
  }
}

// -----

// Four warps together, where they take fewer cycles: operands are put into shared memory in the
// order in which they are loaded, whole, and without conversions.

#row = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#column = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
// CHECK: #[[MMA:.*]] = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
// CHECK-DAG: #[[ROWS:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK-DAG: #[[COLUMNS:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @from_memory
  // CHECK-DAG: %[[A:.*]] = ttg.local_alloc %arg0 : (tensor<128x64xf16, #{{.*}}>) -> !ttg.memdesc<128x64xf16, #[[ROWS]], #smem>
  // CHECK-DAG: %[[B:.*]] = ttg.local_alloc %arg1 : (tensor<64x128xf16, #{{.*}}>) -> !ttg.memdesc<64x128xf16, #[[COLUMNS]], #smem>
  // CHECK: ttng.warp_group_dot %[[A]], %[[B]], %{{.*}} : {{.*}} -> tensor<128x128xf32, #[[MMA]]>
  tt.func @from_memory(%a: tensor<128x64xf16, #row>, %b: tensor<64x128xf16, #column>, %c: tensor<128x128xf32, #row>) -> tensor<128x128xf32, #row> {
    %d = tt.dot %a, %b, %c : tensor<128x64xf16, #row> * tensor<64x128xf16, #column> -> tensor<128x128xf32, #row>
    tt.return %d : tensor<128x128xf32, #row>
  }

  // CHECK-LABEL: @turned_round
  // CHECK: %[[M:.*]] = ttg.local_alloc %arg1
  // CHECK: %[[B:.*]] = ttg.memdesc_trans %[[M]] {order = array<i32: 1, 0>}
  // CHECK: ttng.warp_group_dot %{{.*}}, %[[B]], %{{.*}}
  tt.func @turned_round(%a: tensor<128x64xf16, #row>, %b: tensor<128x64xf16, #row>, %c: tensor<128x128xf32, #row>) -> tensor<128x128xf32, #row> {
    %t = tt.trans %b {order = array<i32: 1, 0>} : tensor<128x64xf16, #row> -> tensor<64x128xf16, #column>
    %d = tt.dot %a, %t, %c : tensor<128x64xf16, #row> * tensor<64x128xf16, #column> -> tensor<128x128xf32, #row>
    tt.return %d : tensor<128x128xf32, #row>
  }

  // CHECK-LABEL: @tf32
  // CHECK: ttng.warp_group_dot
  tt.func @tf32(%a: tensor<128x32xf32, #row>, %b: tensor<32x128xf32, #column>, %c: tensor<128x128xf32, #row>) -> tensor<128x128xf32, #row> {
    %d = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<128x32xf32, #row> * tensor<32x128xf32, #column> -> tensor<128x128xf32, #row>
    tt.return %d : tensor<128x128xf32, #row>
  }
}

// -----

// In memory only elements of 16 bits may be contiguous along M or N. Others go through registers,
// which only the left operand can: of B^T * A^T it is B^T. Its rows come in an order in which those
// that a thread has, 8 apart, are neighbours in memory.

#row = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#column = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
// CHECK-DAG: #[[MMA:.*]] = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 8]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @tf32_along_n
  // CHECK-DAG: %[[B0:.*]] = tt.reshape %arg1 : tensor<32x128xf32, #{{.*}}> -> tensor<32x8x8x2xf32, #{{.*}}>
  // CHECK-DAG: %[[B1:.*]] = tt.trans %[[B0]] {order = array<i32: 1, 3, 2, 0>}
  // CHECK-DAG: %[[B2:.*]] = tt.reshape %[[B1]] : tensor<8x2x8x32xf32, #{{.*}}> -> tensor<128x32xf32, #{{.*}}>
  // CHECK-DAG: %[[LEFT:.*]] = ttg.convert_layout %[[B2]] : {{.*}} -> tensor<128x32xf32, #ttg.dot_op<{opIdx = 0, parent = #[[MMA]], kWidth = 1}>>
  // CHECK-DAG: %[[A:.*]] = ttg.local_alloc %arg0 : (tensor<128x32xf32
  // CHECK-DAG: %[[RIGHT:.*]] = ttg.memdesc_trans %[[A]] {order = array<i32: 1, 0>}
  // CHECK: %[[D:.*]] = ttng.warp_group_dot %[[LEFT]], %[[RIGHT]], %{{.*}} -> tensor<128x128xf32, #[[MMA]]>
  // CHECK: %[[R0:.*]] = ttg.convert_layout %[[D]]
  // CHECK: %[[R1:.*]] = tt.reshape %[[R0]] : tensor<128x128xf32, #{{.*}}> -> tensor<8x2x8x128xf32, #{{.*}}>
  // CHECK: %[[R2:.*]] = tt.trans %[[R1]] {order = array<i32: 3, 0, 2, 1>}
  // CHECK: tt.reshape %[[R2]] : tensor<128x8x8x2xf32, #{{.*}}> -> tensor<128x128xf32, #{{.*}}>
  tt.func @tf32_along_n(%a: tensor<128x32xf32, #row>, %b: tensor<32x128xf32, #row>, %c: tensor<128x128xf32, #row>) -> tensor<128x128xf32, #row> {
    %d = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<128x32xf32, #row> * tensor<32x128xf32, #row> -> tensor<128x128xf32, #row>
    tt.return %d : tensor<128x128xf32, #row>
  }

  // A itself where it is A that is contiguous along M.

  // CHECK-LABEL: @tf32_along_m
  // CHECK: %[[A:.*]] = ttg.convert_layout %arg0 : {{.*}} -> tensor<128x32xf32, #ttg.dot_op<{opIdx = 0, parent = #[[MMA]], kWidth = 1}>>
  // CHECK: %[[B:.*]] = ttg.local_alloc %arg1
  // CHECK: ttng.warp_group_dot %[[A]], %[[B]]
  tt.func @tf32_along_m(%a: tensor<128x32xf32, #column>, %b: tensor<32x128xf32, #column>, %c: tensor<128x128xf32, #row>) -> tensor<128x128xf32, #row> {
    %d = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<128x32xf32, #column> * tensor<32x128xf32, #column> -> tensor<128x128xf32, #row>
    tt.return %d : tensor<128x128xf32, #row>
  }

  // Both: one of them has to be in memory.

  // CHECK-LABEL: @tf32_along_m_and_n
  // CHECK: tt.dot
  tt.func @tf32_along_m_and_n(%a: tensor<128x32xf32, #column>, %b: tensor<32x128xf32, #row>, %c: tensor<128x128xf32, #row>) -> tensor<128x128xf32, #row> {
    %d = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<128x32xf32, #column> * tensor<32x128xf32, #row> -> tensor<128x128xf32, #row>
    tt.return %d : tensor<128x128xf32, #row>
  }

  // What threads compute is not stored to memory. A loop carries the transposed sum.

  // CHECK-LABEL: @computed
  // CHECK: %[[LOOP:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[SUM:.*]] = %{{.*}}) -> (tensor<128x128xf32, #{{.*}}>, tensor<128x128xf32, #[[COLUMN:.*]]>)
  // CHECK: %[[C:.*]] = ttg.convert_layout %[[SUM]] : {{.*}} -> tensor<128x128xf32, #[[MMA16:mma.*]]>
  // CHECK: ttng.warp_group_dot %{{.*}}, %{{.*}}, %[[C]]{{.*}} : tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #[[MMA16]], kWidth = 2}>> *
  // CHECK: tt.reshape %[[LOOP]]#1 : tensor<128x128xf32, #[[COLUMN]]> -> tensor<8x2x8x128xf32, #{{.*}}>
  tt.func @computed(%a: tensor<128x64xf16, #row>, %b: tensor<64x128x!tt.ptr<i8>, #row>, %c: tensor<128x128xf32, #row>, %n: i32) -> tensor<128x128xf32, #row> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (tensor<128x128xf32, #row>) : i32 {
      %q = tt.load %b : tensor<64x128x!tt.ptr<i8>, #row>
      %w = arith.sitofp %q : tensor<64x128xi8, #row> to tensor<64x128xf16, #row>
      %d = tt.dot %a, %w, %acc : tensor<128x64xf16, #row> * tensor<64x128xf16, #row> -> tensor<128x128xf32, #row>
      scf.yield %d : tensor<128x128xf32, #row>
    }
    tt.return %r : tensor<128x128xf32, #row>
  }

  // Fewer rows than four warps have become columns.

  // CHECK-LABEL: @few_rows
  // CHECK: ttng.warp_group_dot {{.*}} -> tensor<128x32xf32
  tt.func @few_rows(%a: tensor<32x64xf16, #row>, %b: tensor<64x128xf16, #row>, %c: tensor<32x128xf32, #row>) -> tensor<32x128xf32, #row> {
    %d = tt.dot %a, %b, %c : tensor<32x64xf16, #row> * tensor<64x128xf16, #row> -> tensor<32x128xf32, #row>
    tt.return %d : tensor<32x128xf32, #row>
  }
}

// -----

// What is computed from another product stays in registers as operand A.

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 8 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @chain
  // CHECK: %[[S:.*]] = ttng.warp_group_dot
  // CHECK: %[[P:.*]] = ttg.convert_layout %{{.*}} -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #{{.*}}, kWidth = 2}>>
  // CHECK: ttng.warp_group_dot %[[P]], %{{.*}} : tensor<128x64xf16, #ttg.dot_op
  tt.func @chain(%q: tensor<128x64xf16, #blocked>, %k: tensor<64x64xf16, #blocked>, %v: tensor<64x64xf16, #blocked>, %c: tensor<128x64xf32, #blocked>) -> tensor<128x64xf32, #blocked> {
    %s = tt.dot %q, %k, %c : tensor<128x64xf16, #blocked> * tensor<64x64xf16, #blocked> -> tensor<128x64xf32, #blocked>
    %e = math.exp2 %s : tensor<128x64xf32, #blocked>
    %p = arith.truncf %e : tensor<128x64xf32, #blocked> to tensor<128x64xf16, #blocked>
    %o = tt.dot %p, %v, %c : tensor<128x64xf16, #blocked> * tensor<64x64xf16, #blocked> -> tensor<128x64xf32, #blocked>
    tt.return %o : tensor<128x64xf32, #blocked>
  }
}
