; RUN: tilewright-emit %s --target=cuda:90 | FileCheck %s

; Pairs of bytes stay together on their way into a word.

; CHECK-LABEL: .entry pairs(
; CHECK-COUNT-2: ld.global.b16
; CHECK-NOT: prmt
; CHECK: st.global
define ptx_kernel void @pairs(ptr addrspace(1) %x, ptr addrspace(1) %y) {
  %x1 = getelementptr inbounds i8, ptr addrspace(1) %x, i64 64
  %a = load <2 x i8>, ptr addrspace(1) %x, align 2
  %b = load <2 x i8>, ptr addrspace(1) %x1, align 2
  %a0 = extractelement <2 x i8> %a, i32 0
  %a1 = extractelement <2 x i8> %a, i32 1
  %b0 = extractelement <2 x i8> %b, i32 0
  %b1 = extractelement <2 x i8> %b, i32 1
  %v0 = insertelement <4 x i8> poison, i8 %a0, i32 0
  %v1 = insertelement <4 x i8> %v0, i8 %a1, i32 1
  %v2 = insertelement <4 x i8> %v1, i8 %b0, i32 2
  %v3 = insertelement <4 x i8> %v2, i8 %b1, i32 3
  store <4 x i8> %v3, ptr addrspace(1) %y, align 4
  ret void
}

; They keep how they use the caches.
; CHECK-LABEL: .entry policy(
; CHECK: ld.global.L1::evict_last.b16
define ptx_kernel void @policy(ptr addrspace(1) %x, ptr addrspace(1) %y) {
  %a = load <2 x i8>, ptr addrspace(1) %x, align 2, !tilewright.cache !0
  store <2 x i8> %a, ptr addrspace(1) %y, align 2
  ret void
}

!0 = !{!"evict_last"}
