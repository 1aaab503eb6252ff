; RUN: tilewright-emit %s --target=cuda:90 | FileCheck %s

; Loads of neighbours, the first aligned to all four, are one; without that alignment they stay
; what lowering made of them.

; CHECK-LABEL: .entry joined(
; CHECK:       ld.global.v4.b32
; CHECK-NOT:   ld.global.b32
; CHECK-LABEL: .entry apart(
; CHECK-COUNT-4: ld.global.b32
define ptx_kernel void @joined(ptr addrspace(1) %x, ptr addrspace(1) %y) {
  %x1 = getelementptr inbounds float, ptr addrspace(1) %x, i64 1
  %x2 = getelementptr inbounds float, ptr addrspace(1) %x, i64 2
  %x3 = getelementptr inbounds float, ptr addrspace(1) %x, i64 3
  %a = load float, ptr addrspace(1) %x, align 16
  %b = load float, ptr addrspace(1) %x1, align 4
  %c = load float, ptr addrspace(1) %x2, align 4
  %d = load float, ptr addrspace(1) %x3, align 4
  %ab = fadd float %a, %b
  %abc = fadd float %ab, %c
  %abcd = fadd float %abc, %d
  store float %abcd, ptr addrspace(1) %y, align 4
  ret void
}

define ptx_kernel void @apart(ptr addrspace(1) %x, ptr addrspace(1) %y) {
  %x1 = getelementptr inbounds float, ptr addrspace(1) %x, i64 1
  %x2 = getelementptr inbounds float, ptr addrspace(1) %x, i64 2
  %x3 = getelementptr inbounds float, ptr addrspace(1) %x, i64 3
  %a = load float, ptr addrspace(1) %x, align 4
  %b = load float, ptr addrspace(1) %x1, align 4
  %c = load float, ptr addrspace(1) %x2, align 4
  %d = load float, ptr addrspace(1) %x3, align 4
  %ab = fadd float %a, %b
  %abc = fadd float %ab, %c
  %abcd = fadd float %abc, %d
  store float %abcd, ptr addrspace(1) %y, align 4
  ret void
}
