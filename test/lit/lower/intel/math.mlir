// RUN: tilewright-opt %s --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttg.target = "xpu:pvc"} {
  // What may be off by some units in the last place says so; what rounds correctly does not.
  // CHECK-LABEL: @quotients
  // CHECK: llvm.fdiv %arg0, %arg1 {fastmathFlags = #llvm.fastmath<afn>} : f32
  // CHECK: llvm.fdiv %arg0, %arg1 : f32
  // CHECK: llvm.fdiv %arg2, %arg2 : f64
  tt.func private @quotients(%x: f32, %y: f32, %z: f64) -> (f32, f32, f64) {
    %a = arith.divf %x, %y : f32
    %b = tt.precise_divf %x, %y : f32
    %c = arith.divf %z, %z : f64
    tt.return %a, %b, %c : f32, f32, f64
  }

  // CHECK-LABEL: @hardware
  // CHECK: llvm.intr.exp2(%{{.*}}) {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32
  // CHECK: llvm.intr.exp2(%arg0) {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32
  // CHECK: llvm.intr.sqrt(%arg0) {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32
  // CHECK: llvm.call spir_funccc @_Z5rsqrtf(%arg0)
  tt.func private @hardware(%x: f32) -> (f32, f32, f32, f32) {
    %a = math.exp %x : f32
    %b = math.exp2 %x : f32
    %c = math.sqrt %x : f32
    %d = math.rsqrt %x : f32
    tt.return %a, %b, %c, %d : f32, f32, f32, f32
  }

  // OpenCL's functions: an intrinsic where LLVM has one, and of f16 in f32.
  // CHECK-LABEL: @library
  // CHECK: llvm.call_intrinsic "llvm.sin"(%arg0) : (f32) -> f32
  // CHECK: llvm.call_intrinsic "llvm.pow"(%arg1, %arg1) : (f64, f64) -> f64
  // CHECK: llvm.call spir_funccc @_Z3erff(%arg0) : (f32) -> f32
  // CHECK: llvm.call spir_funccc @_Z5log1pd(%arg1) : (f64) -> f64
  // CHECK: %[[WIDE:.*]] = llvm.fpext %arg2 : f16 to f32
  // CHECK: llvm.call_intrinsic "llvm.tanh"(%[[WIDE]]) : (f32) -> f32
  // CHECK: llvm.fptrunc {{.*}} : f32 to f16
  // CHECK: llvm.call spir_funccc @_Z4fmodff(%arg0, %arg0) : (f32, f32) -> f32
  tt.func private @library(%x: f32, %y: f64, %h: f16) -> (f32, f64, f32, f64, f16, f32) {
    %a = math.sin %x : f32
    %b = math.powf %y, %y : f64
    %c = math.erf %x : f32
    %d = math.log1p %y : f64
    %e = math.tanh %h : f16
    %f = arith.remf %x, %x : f32
    tt.return %a, %b, %c, %d, %e, %f : f32, f64, f32, f64, f16, f32
  }

  // OpenCL has none: a formula.
  // CHECK-LABEL: @formula
  // CHECK: llvm.call @__tw_normcdf_f32(%arg0)
  tt.func private @formula(%x: f32) -> f32 {
    %a = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_normcdff"} : (f32) -> f32
    tt.return %a : f32
  }

  // CHECK-LABEL: @upper_halves
  // CHECK: llvm.call spir_funccc @_Z6mul_hijj(%arg0, %arg0)
  // CHECK: llvm.call spir_funccc @_Z6mul_hill(%arg1, %arg1)
  // CHECK: llvm.mul %arg1, %arg1 : i64
  // CHECK-NOT: i128
  // CHECK: llvm.return
  tt.func private @upper_halves(%x: i32, %y: i64) -> (i32, i64, i64) {
    %a = tt.mulhiui %x, %x : i32
    %b:2 = arith.mulsi_extended %y, %y : i64
    tt.return %a, %b#0, %b#1 : i32, i64, i64
  }
}
