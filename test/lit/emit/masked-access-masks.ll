; RUN: tilewright-emit %s --target=cuda:90 | FileCheck %s
; RUN: %if ptxas %{ tilewright-emit %s --target=cuda:90 -o %t.ptx && %ptxas -arch sm_90a %t.ptx -o %t.cubin %}

; RUN: tilewright-emit %s --target=cuda:100 | FileCheck %s --check-prefix=WIDE
; RUN: %if ptxas %{ tilewright-emit %s --target=cuda:100 -o %t.100 && %ptxas -arch sm_100a %t.100 -o %t.cubin %}

; How masks and alignment cut an access into instructions.

; Two lanes a mask: two accesses of two.
; CHECK-LABEL: .entry pairs(
; CHECK:       @[[P:%p[0-9]+]] ld.global.v2.b32 {[[A:%r[0-9]+]], [[B:%r[0-9]+]]}, [[[X:%rd[0-9]+]]];
; CHECK:       @[[Q:%p[0-9]+]] ld.global.v2.b32 {[[C:%r[0-9]+]], [[D:%r[0-9]+]]}, [[[X]] + 8];
; CHECK:       st.global.v4.b32 [{{%rd[0-9]+}}], {[[A]], [[B]], [[C]], [[D]]};
define ptx_kernel void @pairs(ptr addrspace(1) %x, ptr addrspace(1) %y, i1 %a, i1 %b) {
  %m0 = insertelement <4 x i1> poison, i1 %a, i64 0
  %m1 = insertelement <4 x i1> %m0, i1 %a, i64 1
  %m2 = insertelement <4 x i1> %m1, i1 %b, i64 2
  %m3 = insertelement <4 x i1> %m2, i1 %b, i64 3
  %v = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 16 %x, <4 x i1> %m3, <4 x float> zeroinitializer)
  store <4 x float> %v, ptr addrspace(1) %y, align 16
  ret void
}

; Lanes known to be on need no predicate and those known to be off no access.
; CHECK-LABEL: .entry known(
; CHECK:       ld.global.b32 [[A:%r[0-9]+]], [{{%rd[0-9]+}}];
; CHECK:       @{{%p[0-9]+}} ld.global.b32 [[B:%r[0-9]+]], [{{%rd[0-9]+}} + 8];
; CHECK-NOT:   ld.global
; CHECK:       st.global.v4.b32 [{{%rd[0-9]+}}], {[[A]], 0, [[B]], 0};
define ptx_kernel void @known(ptr addrspace(1) %x, ptr addrspace(1) %y, i1 %a) {
  %mask = insertelement <4 x i1> <i1 true, i1 false, i1 false, i1 false>, i1 %a, i64 2
  %v = call <4 x i32> @llvm.masked.load.v4i32.p1(ptr addrspace(1) align 16 %x, <4 x i1> %mask, <4 x i32> zeroinitializer)
  store <4 x i32> %v, ptr addrspace(1) %y, align 16
  ret void
}

; An access is no wider than its alignment, nor than 16 bytes; 32 on targets that have it.
; WIDE-LABEL:  .entry alignment(
; WIDE:        @{{%p[0-9]+}} st.global.v8.b32 [{{%rd[0-9]+}}], {{{(%r[0-9]+, ){7}%r[0-9]+}}};
; CHECK-LABEL: .entry alignment(
; CHECK:       @[[P:%p[0-9]+]] ld.global.v2.b32 {{{.*}}}, [[[X:%rd[0-9]+]]];
; CHECK:       @[[P]] ld.global.v2.b32 {{{.*}}}, [[[X]] + 8];
; CHECK:       @[[P]] st.global.v4.b32 [[[Y:%rd[0-9]+]]], {
; CHECK:       @[[P]] st.global.v4.b32 [[[Y]] + 16], {
define ptx_kernel void @alignment(ptr addrspace(1) %x, ptr addrspace(1) %y, i1 %a) {
  %insert = insertelement <8 x i1> poison, i1 %a, i64 0
  %mask = shufflevector <8 x i1> %insert, <8 x i1> poison, <8 x i32> zeroinitializer
  %mask4 = shufflevector <8 x i1> %insert, <8 x i1> poison, <4 x i32> zeroinitializer
  %v = call <4 x i32> @llvm.masked.load.v4i32.p1(ptr addrspace(1) align 8 %x, <4 x i1> %mask4, <4 x i32> zeroinitializer)
  %w = shufflevector <4 x i32> %v, <4 x i32> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  call void @llvm.masked.store.v8i32.p1(<8 x i32> %w, ptr addrspace(1) align 32 %y, <8 x i1> %mask)
  ret void
}

; Data that is used once goes past the caches.
; CHECK-LABEL: .entry streaming(
; CHECK:       @{{%p[0-9]+}} ld.global.cs.b32
; CHECK:       @{{%p[0-9]+}} st.global.cs.b32
define ptx_kernel void @streaming(ptr addrspace(1) %x, ptr addrspace(1) %y, i1 %a) {
  %mask = insertelement <1 x i1> poison, i1 %a, i64 0
  %v = call <1 x i32> @llvm.masked.load.v1i32.p1(ptr addrspace(1) align 4 %x, <1 x i1> %mask, <1 x i32> zeroinitializer), !nontemporal !0
  call void @llvm.masked.store.v1i32.p1(<1 x i32> %v, ptr addrspace(1) align 4 %y, <1 x i1> %mask), !nontemporal !0
  ret void
}

; The order of accesses to one place and of barriers is kept, and a load that nothing
; comes between is done once.
; CHECK-LABEL: .entry order(
; CHECK:       @[[P:%p[0-9]+]] st.shared.b32 [[[S:%r[0-9]+]]], [[V:%r[0-9]+]];
; CHECK:       bar.sync
; CHECK:       @[[P]] ld.shared.b32 [[A:%r[0-9]+]], [{{%r[0-9]+}}];
; CHECK-NOT:   ld.shared
; CHECK:       bar.sync
; CHECK:       @[[P]] st.shared.b32
; CHECK:       bar.sync
; CHECK:       @[[P]] ld.shared.b32 [[B:%r[0-9]+]], [{{%r[0-9]+}}];
; CHECK:       st.global.v2.b32 [{{%rd[0-9]+}}], {[[A]], [[B]]};
define ptx_kernel void @order(ptr addrspace(3) %s, ptr addrspace(3) %t, ptr addrspace(1) %y, i1 %a, i32 %v) {
  %mask = insertelement <1 x i1> poison, i1 %a, i64 0
  %one = insertelement <1 x i32> poison, i32 %v, i64 0
  call void @llvm.masked.store.v1i32.p3(<1 x i32> %one, ptr addrspace(3) align 4 %s, <1 x i1> %mask)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %b = call <1 x i32> @llvm.masked.load.v1i32.p3(ptr addrspace(3) align 4 %t, <1 x i1> %mask, <1 x i32> zeroinitializer)
  %c = call <1 x i32> @llvm.masked.load.v1i32.p3(ptr addrspace(3) align 4 %t, <1 x i1> %mask, <1 x i32> zeroinitializer)
  %sum = or <1 x i32> %b, %c
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.masked.store.v1i32.p3(<1 x i32> %sum, ptr addrspace(3) align 4 %s, <1 x i1> %mask)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %d = call <1 x i32> @llvm.masked.load.v1i32.p3(ptr addrspace(3) align 4 %t, <1 x i1> %mask, <1 x i32> zeroinitializer)
  %both = shufflevector <1 x i32> %sum, <1 x i32> %d, <2 x i32> <i32 0, i32 1>
  store <2 x i32> %both, ptr addrspace(1) %y, align 8
  ret void
}

; A loop's address and its loaded value stay in registers of their own, although neither
; lives on when the other starts: the value for lanes that are off is written first.
; CHECK-LABEL: .entry chase(
; CHECK:       mov.b64 [[NEXT:%rd[0-9]+]], 0x0;
; CHECK-NEXT:  @{{%p[0-9]+}} ld.global.b64 [[NEXT]], [[[AT:%rd[0-9]+]]];
; CHECK:       mov.b64 [[AT]], [[NEXT]];
define ptx_kernel void @chase(ptr addrspace(1) %x, ptr addrspace(1) %y, i1 %a) {
entry:
  %mask = insertelement <1 x i1> poison, i1 %a, i64 0
  br label %loop
loop:
  %at = phi ptr addrspace(1) [ %x, %entry ], [ %next, %loop ]
  %v = call <1 x ptr addrspace(1)> @llvm.masked.load.v1p1.p1(ptr addrspace(1) align 8 %at, <1 x i1> %mask, <1 x ptr addrspace(1)> zeroinitializer)
  %next = extractelement <1 x ptr addrspace(1)> %v, i64 0
  %end = icmp eq ptr addrspace(1) %next, null
  br i1 %end, label %exit, label %loop
exit:
  store i32 1, ptr addrspace(1) %y
  ret void
}

!0 = !{i32 1}
