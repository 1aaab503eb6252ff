// RUN: tilewright-opt %s --split-input-file --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // Exponentials go through base 2; fast forms are the vendor's, formulas are functions of
  // the module.
  // CHECK-LABEL: @math
  // CHECK-DAG: %[[LOG2E:.*]] = llvm.mlir.constant(1.44269502 : f32)
  // CHECK: %[[S:.*]] = llvm.fmul %arg0, %[[LOG2E]]
  // CHECK-NEXT: llvm.intr.exp2(%[[S]]) {fastmathFlags = #llvm.fastmath<afn>}
  // CHECK-NEXT: llvm.call @__tw_log_f32
  // CHECK-NEXT: llvm.intr.sqrt{{.*}}<afn>
  // CHECK-NEXT: llvm.intr.sqrt(%{{.*}}) : (f32) -> f32
  // CHECK-NEXT: llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.f"
  // CHECK-NEXT: llvm.call_intrinsic "llvm.nvvm.div.full"
  // CHECK-NEXT: llvm.fdiv
  // CHECK-NEXT: llvm.call @__tw_sin_f32
  // CHECK-NEXT: llvm.call @__tw_cos_f32
  // CHECK-NEXT: llvm.intr.fma
  // CHECK-NEXT: llvm.intr.maxnum
  // CHECK-NEXT: llvm.intr.minnum
  tt.func private @math(%x: f32) -> f32 {
    %0 = math.exp %x : f32
    %1 = math.log %0 : f32
    %2 = math.sqrt %1 : f32
    %3 = tt.precise_sqrt %2 : f32
    %4 = math.rsqrt %3 : f32
    %5 = arith.divf %4, %x : f32
    %6 = tt.precise_divf %5, %x : f32
    %7 = math.sin %6 : f32
    %8 = math.cos %7 : f32
    %9 = math.fma %8, %x, %x : f32
    %10 = tt.clampf %9, %x, %x, propagateNan = none : f32
    tt.return %10 : f32
  }

  // A scalar condition selects every register of two tensors.
  // CHECK-LABEL: @scalar_condition
  // CHECK-COUNT-2: llvm.select %arg0, %{{.*}}, %{{.*}} : i1, f32
  tt.func private @scalar_condition(%c: i1, %x: tensor<256xf32, #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>, %y: tensor<256xf32, #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>) -> tensor<256xf32, #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>> {
    %0 = arith.select %c, %x, %y : tensor<256xf32, #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
    tt.return %0 : tensor<256xf32, #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  }

  // Narrow floats are computed in f32.
  // CHECK-LABEL: @narrow
  // CHECK: llvm.fpext %arg0 : bf16 to f32
  // CHECK: llvm.intr.exp2
  // CHECK: llvm.fptrunc {{.*}} : f32 to bf16
  // CHECK: llvm.fpext {{.*}} : bf16 to f32
  // CHECK: llvm.fptrunc {{.*}} : f32 to f16
  tt.func private @narrow(%x: bf16) -> f16 {
    %0 = math.exp %x : bf16
    %1 = tt.fp_to_fp %0, rounding = rtne : bf16 -> f16
    tt.return %1 : f16
  }

  // CHECK-LABEL: @integers
  // CHECK: llvm.add %arg0, %arg0 overflow<nsw>
  // CHECK: llvm.zext {{.*}} : i32 to i64
  // CHECK: llvm.mul {{.*}} : i64
  // CHECK: llvm.lshr
  // CHECK: llvm.intr.abs
  // CHECK: llvm.icmp "ult"
  tt.func private @integers(%x: i32) -> i1 {
    %0 = arith.addi %x, %x overflow<nsw> : i32
    %1 = tt.mulhiui %0, %x : i32
    %2 = math.absi %1 : i32
    %3 = arith.cmpi ult, %2, %x : i32
    tt.return %3 : i1
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [1, 0]}>
#t = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [0, 1]}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  // Views are renamings, and what is broadcast is computed once: one product for eight registers.
  // CHECK-LABEL: @views
  // CHECK-SAME: (%arg0: i32 {llvm.noundef})
  // CHECK: %[[P:.*]] = llvm.mul %arg0, %arg0
  // CHECK-NOT: llvm.mul
  // CHECK: llvm.insertvalue %[[P]]
  // CHECK-NEXT: llvm.insertvalue %[[P]]
  tt.func private @views(%x: i32) -> tensor<16x8xi32, #t> {
    %0 = tt.splat %x : i32 -> tensor<8xi32, #ttg.slice<{dim = 1, parent = #b}>>
    %1 = arith.muli %0, %0 : tensor<8xi32, #ttg.slice<{dim = 1, parent = #b}>>
    %2 = tt.expand_dims %1 {axis = 1 : i32} : tensor<8xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<8x1xi32, #b>
    %3 = tt.broadcast %2 : tensor<8x1xi32, #b> -> tensor<8x16xi32, #b>
    %4 = tt.trans %3 {order = array<i32: 1, 0>} : tensor<8x16xi32, #b> -> tensor<16x8xi32, #t>
    tt.return %4 : tensor<16x8xi32, #t>
  }
}

// -----

#e = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  // There are instructions for pairs of 8-bit floats.
  // CHECK-LABEL: @pairs
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.ff.to.e4m3x2.rn"
  // CHECK-NOT: llvm.call_intrinsic "llvm.nvvm.ff.to.e4m3x2.rn"
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.e4m3x2.to.f16x2.rn"
  // CHECK: llvm.return
  tt.func private @pairs(%x: tensor<128xf32, #e>) -> tensor<128xf16, #e> {
    %0 = tt.fp_to_fp %x, rounding = rtne : tensor<128xf32, #e> -> tensor<128xf8E4M3FN, #e>
    %1 = tt.fp_to_fp %0 : tensor<128xf8E4M3FN, #e> -> tensor<128xf16, #e>
    tt.return %1 : tensor<128xf16, #e>
  }

  // A function of a device library is a formula of the same meaning: one for each type, however
  // often it is called.
  // CHECK-LABEL: @extern
  // CHECK-COUNT-4: llvm.call @__tw_atan_f32
  // CHECK: llvm.call @__tw_pow_f64
  // CHECK: llvm.intr.ctlz
  tt.func private @extern(%x: tensor<128xf32, #e>, %d: f64, %i: i32) -> (tensor<128xf32, #e>, f64, i32) {
    %0 = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_atanf"} : (tensor<128xf32, #e>) -> tensor<128xf32, #e>
    %1 = tt.extern_elementwise %d, %d {libname = "", libpath = "", pure = true, symbol = "__nv_pow"} : (f64, f64) -> f64
    %2 = tt.extern_elementwise %i {libname = "", libpath = "", pure = true, symbol = "__nv_clz"} : (i32) -> i32
    tt.return %0, %1, %2 : tensor<128xf32, #e>, f64, i32
  }
  // CHECK: llvm.func internal @__tw_atan_f32
  // CHECK-NOT: llvm.func internal @__tw_atan_f32
}

// -----

#e = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80"} {
  // Small powers by a constant are products; others, and those by a value, are calls.
  // CHECK-LABEL: @small_powers
  // CHECK-NOT: llvm.call
  // CHECK: %[[SQUARE:.*]] = llvm.fmul %[[X:.*]], %[[X]]
  // CHECK: llvm.fmul %[[SQUARE]], %[[X]]
  // CHECK-NOT: llvm.call
  // CHECK: llvm.fmul %{{.*}}, %{{.*}} : f64
  // CHECK: llvm.call @__tw_pow_f32
  // CHECK-NOT: llvm.call
  // CHECK: llvm.return
  tt.func private @small_powers(%x: tensor<128xf32, #e>, %d: f64) -> (tensor<128xf32, #e>, f64, tensor<128xf32, #e>, tensor<128xf32, #e>) {
    %three = arith.constant dense<3.0> : tensor<128xf32, #e>
    %four = arith.constant dense<4.0> : tensor<128xf32, #e>
    %zero = arith.constant dense<0.0> : tensor<128xf32, #e>
    %two = arith.constant 2 : i32
    %0 = tt.extern_elementwise %x, %three {libname = "", libpath = "", pure = true, symbol = "__nv_powf"} : (tensor<128xf32, #e>, tensor<128xf32, #e>) -> tensor<128xf32, #e>
    %1 = tt.extern_elementwise %d, %two {libname = "", libpath = "", pure = true, symbol = "__nv_powi"} : (f64, i32) -> f64
    %2 = tt.extern_elementwise %x, %four {libname = "", libpath = "", pure = true, symbol = "__nv_powf"} : (tensor<128xf32, #e>, tensor<128xf32, #e>) -> tensor<128xf32, #e>
    %3 = tt.extern_elementwise %x, %zero {libname = "", libpath = "", pure = true, symbol = "__nv_powf"} : (tensor<128xf32, #e>, tensor<128xf32, #e>) -> tensor<128xf32, #e>
    tt.return %0, %1, %2, %3 : tensor<128xf32, #e>, f64, tensor<128xf32, #e>, tensor<128xf32, #e>
  }
}

// -----

#e = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:80"} {
  // Elsewhere, and toward zero, it is arithmetic on bits.
  // CHECK-LABEL: @bits
  // CHECK-NOT: llvm.call_intrinsic
  // CHECK: llvm.return
  tt.func private @bits(%x: tensor<128xf32, #e>) -> tensor<128xf8E4M3FN, #e> {
    %0 = tt.fp_to_fp %x, rounding = rtne : tensor<128xf32, #e> -> tensor<128xf8E4M3FN, #e>
    tt.return %0 : tensor<128xf8E4M3FN, #e>
  }
}
