; RUN: tilewright-emit %s --target=cuda:90 | FileCheck %s
; RUN: %if ptxas %{ tilewright-emit %s --target=cuda:90 -o %t.ptx && %ptxas -arch sm_90a %t.ptx -o %t.cubin %}

; What an access asks of the caches is written out, with a mask and without one.

; CHECK-LABEL: .entry plain(
; CHECK:       ld.global.cg.v2.b32 {[[A:%r[0-9]+]], [[B:%r[0-9]+]]}, [%rd{{[0-9]+}}];
; CHECK:       st.global.wt.v2.b32 [%rd{{[0-9]+}}], {[[A]], [[B]]};
; CHECK:       ld.global.L1::evict_last.b32 [[C:%r[0-9]+]], [%rd{{[0-9]+}} + 32];
; CHECK:       st.global.L1::evict_last.b32 [%rd{{[0-9]+}} + 32], [[C]];
define ptx_kernel void @plain(ptr addrspace(1) %x, ptr addrspace(1) %y) {
  %v = load <2 x float>, ptr addrspace(1) %x, align 8, !tilewright.cache !0
  store <2 x float> %v, ptr addrspace(1) %y, align 8, !tilewright.cache !1
  %x1 = getelementptr i8, ptr addrspace(1) %x, i64 32
  %y1 = getelementptr i8, ptr addrspace(1) %y, i64 32
  %w = load float, ptr addrspace(1) %x1, align 4, !tilewright.cache !2
  store float %w, ptr addrspace(1) %y1, align 4, !tilewright.cache !2
  ret void
}

; What is used once goes first, whether LLVM's own name for that stands beside ours or alone.
; CHECK-LABEL: .entry once(
; CHECK:       ld.global.L1::evict_first.v2.b32
; CHECK:       ld.global.cs.b32
; CHECK:       ld.global.cs.b32
; CHECK:       st.global.L1::evict_first.b32
; CHECK:       st.global.cs.b32
define ptx_kernel void @once(ptr addrspace(1) %x, ptr addrspace(1) %y) {
  %x1 = getelementptr i8, ptr addrspace(1) %x, i64 32
  %x2 = getelementptr i8, ptr addrspace(1) %x, i64 64
  %y1 = getelementptr i8, ptr addrspace(1) %y, i64 32
  %u = load <2 x float>, ptr addrspace(1) %x, align 8, !tilewright.cache !5, !nontemporal !6
  %v = load float, ptr addrspace(1) %x1, align 4, !tilewright.cache !4, !nontemporal !6
  %w = load float, ptr addrspace(1) %x2, align 4, !nontemporal !6
  %u0 = extractelement <2 x float> %u, i64 0
  %u1 = extractelement <2 x float> %u, i64 1
  %s0 = fadd float %u0, %v
  %s1 = fadd float %u1, %w
  store float %s0, ptr addrspace(1) %y, align 4, !tilewright.cache !5, !nontemporal !6
  store float %s1, ptr addrspace(1) %y1, align 4, !nontemporal !6
  ret void
}

; CHECK-LABEL: .entry masked(
; CHECK:       @[[P:%p[0-9]+]] ld.global.ca.v4.b32
; CHECK:       @[[P]] st.global.cs.v4.b32
define ptx_kernel void @masked(ptr addrspace(1) %x, ptr addrspace(1) %y, i1 %on) {
  %insert = insertelement <4 x i1> poison, i1 %on, i64 0
  %mask = shufflevector <4 x i1> %insert, <4 x i1> poison, <4 x i32> zeroinitializer
  %v = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 16 %x, <4 x i1> %mask, <4 x float> zeroinitializer), !tilewright.cache !3
  call void @llvm.masked.store.v4f32.p1(<4 x float> %v, ptr addrspace(1) align 16 %y, <4 x i1> %mask), !tilewright.cache !4
  ret void
}

; Shared memory has no caches, and a volatile access its own name.
; CHECK-LABEL: .entry others(
; CHECK:       ld.shared.b32
; CHECK:       ld.volatile.global.b32
define ptx_kernel void @others(ptr addrspace(1) %x, ptr addrspace(3) %y) {
  %v = load float, ptr addrspace(3) %y, align 4, !tilewright.cache !0
  %w = load volatile float, ptr addrspace(1) %x, align 4, !tilewright.cache !0
  %s = fadd float %v, %w
  store float %s, ptr addrspace(1) %x, align 4
  ret void
}

!0 = !{!"cg"}
!1 = !{!"wt"}
!2 = !{!"evict_last"}
!3 = !{!"ca"}
!4 = !{!"cs"}
!5 = !{!"evict_first"}
!6 = !{i32 1}
