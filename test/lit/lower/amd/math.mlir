// RUN: tilewright-opt %s --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1100"} {
  // The square of a root that is no subnormal number.
  // CHECK-LABEL: @exp
  // CHECK: %[[SCALED:.*]] = llvm.fmul %arg0, %{{.*}} {fastmathFlags = #llvm.fastmath<reassoc>}
  // CHECK: %[[HALF:.*]] = llvm.fmul %[[SCALED]], %{{.*}} {fastmathFlags = #llvm.fastmath<reassoc>}
  // CHECK: %[[ROOT:.*]] = llvm.call_intrinsic "llvm.amdgcn.exp2.f32"(%[[HALF]])
  // CHECK: %[[SQUARE:.*]] = llvm.fmul %[[ROOT]], %[[ROOT]]
  // CHECK: llvm.return %[[SQUARE]]
  tt.func private @exp(%x: f32) -> f32 {
    %y = math.exp %x : f32
    tt.return %y : f32
  }

  // CHECK-LABEL: @exp2
  // CHECK-NEXT: %[[Y:.*]] = llvm.call_intrinsic "llvm.amdgcn.exp2.f32"(%arg0)
  // CHECK-NEXT: llvm.return %[[Y]]
  tt.func private @exp2(%x: f32) -> f32 {
    %y = math.exp2 %x : f32
    tt.return %y : f32
  }

  // CHECK-LABEL: @sqrt
  // CHECK: %[[SMALL:.*]] = llvm.fcmp "olt" %arg0
  // CHECK: llvm.select %[[SMALL]]
  // CHECK: llvm.call_intrinsic "llvm.amdgcn.sqrt.f32"
  // CHECK: llvm.select %[[SMALL]]
  tt.func private @sqrt(%x: f32) -> f32 {
    %y = math.sqrt %x : f32
    tt.return %y : f32
  }

  // CHECK-LABEL: @divide
  // CHECK: %[[SIZE:.*]] = llvm.intr.fabs(%arg1)
  // CHECK: llvm.fcmp "ogt" %[[SIZE]]
  // CHECK: llvm.fcmp "olt" %[[SIZE]]
  // CHECK: %[[R:.*]] = llvm.call_intrinsic "llvm.amdgcn.rcp.f32"
  // CHECK: llvm.fmul %arg0, %[[R]]
  tt.func private @divide(%x: f32, %y: f32) -> f32 {
    %z = arith.divf %x, %y : f32
    tt.return %z : f32
  }

  // LLVM divides these, and rounds correctly.
  // CHECK-LABEL: @wide
  // CHECK: llvm.fdiv %arg0, %arg1
  tt.func private @wide(%x: f64, %y: f64) -> f64 {
    %z = arith.divf %x, %y : f64
    tt.return %z : f64
  }

  // Nothing is taken from a library of the device: functions are formulas.
  // CHECK-LABEL: @log
  // CHECK: llvm.call @__tw_log_f32
  tt.func private @log(%x: f32) -> f32 {
    %y = math.log %x : f32
    tt.return %y : f32
  }

  // What Triton's files for AMD call its library's function.
  // CHECK-LABEL: @library
  // CHECK: llvm.call @__tw_atan2_f64
  // CHECK: llvm.call @__tw_powi_f32
  // CHECK: llvm.call @__tw_pow_f32
  tt.func private @library(%x: f64, %y: f32, %n: i32) -> (f64, f32) {
    %a = tt.extern_elementwise %x, %x {libname = "", libpath = "", pure = true, symbol = "__ocml_atan2_f64"} : (f64, f64) -> f64
    %b = tt.extern_elementwise %y, %n {libname = "", libpath = "", pure = true, symbol = "__ocml_pown_f32"} : (f32, i32) -> f32
    %c = tt.extern_elementwise %y, %b {libname = "", libpath = "", pure = true, symbol = "__ocml_pow_f32"} : (f32, f32) -> f32
    tt.return %a, %c : f64, f32
  }
}
// CHECK-NOT: __ocml
