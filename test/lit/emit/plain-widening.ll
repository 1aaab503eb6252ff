; RUN: tilewright-emit %s --target=cuda:100 | FileCheck %s
; RUN: tilewright-emit %s --target=cuda:90 | FileCheck %s
; RUN: %if ptxas %{ tilewright-emit %s --target=cuda:100 -o %t.ptx && %ptxas -arch sm_100a %t.ptx -o %t.cubin %}

; An instruction of its own widens f16 for a sum, also where the target has one for both.

; CHECK-LABEL: .entry sums(
; CHECK-COUNT-4: cvt.f32.f16
; CHECK-NOT: f32.f16
; CHECK-DAG: add{{(.rn)?}}.f32
; CHECK-DAG: sub{{(.rn)?}}.f32
; CHECK: ret;
define ptx_kernel void @sums(ptr addrspace(1) %p, half %a, half %b, <2 x half> %pair) {
  %wideA = fpext half %a to float
  %wideB = fpext half %b to float
  %wide = fpext <2 x half> %pair to <2 x float>
  %first = extractelement <2 x float> %wide, i32 0
  %second = extractelement <2 x float> %wide, i32 1
  %sum = fadd float %wideA, %first
  %difference = fsub float %second, %wideB
  %product = fmul float %sum, %difference
  store float %product, ptr addrspace(1) %p
  ret void
}

