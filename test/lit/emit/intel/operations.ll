; RUN: tilewright-emit %s --target=xpu:pvc --print=legal | FileCheck %s

; Operations that the back end has not, or not as LLVM IR means them.

; fmin ignores a NaN.
; CHECK-LABEL: @minimum(
; CHECK:         fcmp uno float %x, %y
; CHECK-NOT:     @llvm.minimum
; CHECK:         ret void
define spir_kernel void @minimum(ptr addrspace(1) %p, float %x, float %y) {
  %r = call float @llvm.minimum.f32(float %x, float %y)
  store float %r, ptr addrspace(1) %p
  ret void
}

; Shifts of 32 bits by 32 are not defined.
; CHECK-LABEL: @rotate(
; CHECK:         %[[N:.*]] = and i32 %n, 31
; CHECK:         %[[REST:.*]] = sub i32 31, %[[N]]
; CHECK:         %[[UP:.*]] = shl i32 %x, %[[N]]
; CHECK:         %[[HALF:.*]] = lshr i32 %x, 1
; CHECK:         %[[DOWN:.*]] = lshr i32 %[[HALF]], %[[REST]]
; CHECK:         or i32 %[[UP]], %[[DOWN]]
define spir_kernel void @rotate(ptr addrspace(1) %p, i32 %x, i32 %n) {
  %r = call i32 @llvm.fshl.i32(i32 %x, i32 %x, i32 %n)
  store i32 %r, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: @powers(
; CHECK:         call spir_func float @_Z5ldexpfi(float %x, i32 %n)
; CHECK:         call spir_func float @_Z5exp10f(float %x)
define spir_kernel void @powers(ptr addrspace(1) %p, float %x, i32 %n) {
  %a = call float @llvm.ldexp.f32.i32(float %x, i32 %n)
  %b = call float @llvm.exp10.f32(float %x)
  %s = fadd float %a, %b
  store float %s, ptr addrspace(1) %p
  ret void
}
