; RUN: tilewright-emit %s --target=cuda:80 | FileCheck %s
; RUN: %if ptxas %{ tilewright-emit %s --target=cuda:80 -o %t.ptx && %ptxas -arch sm_80 %t.ptx -o %t.cubin %}

; Masked accesses become predicated ones: as wide as alignment and mask allow, with the
; constant part of the address in the instruction.

; CHECK: .version 7.0
; CHECK: .target sm_80{{$}}

; CHECK-LABEL: .entry vectors(
; CHECK:       setp.lt.s32 [[P:%p[0-9]+]]
; CHECK:       mov.b32 [[A:%r[0-9]+]], 0x0;
; CHECK-NEXT:  mov.b32 [[B:%r[0-9]+]], 0x0;
; CHECK-NEXT:  mov.b32 [[C:%r[0-9]+]], 0x0;
; CHECK-NEXT:  mov.b32 [[D:%r[0-9]+]], 0x0;
; CHECK-NEXT:  @[[P]] ld.global.v4.b32 {[[A]], [[B]], [[C]], [[D]]}, [[[X:%rd[0-9]+]]];
; CHECK:       @[[P]] ld.global.v4.b32 {{.*}}, [[[X]] + 2048];
; CHECK:       @[[P]] st.global.v4.b32 [[[Y:%rd[0-9]+]]], {
; CHECK:       @[[P]] st.global.v4.b32 [[[Y]] + 2048], {
define ptx_kernel void @vectors(ptr addrspace(1) %x, ptr addrspace(1) %y, i32 %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = shl nuw nsw i32 %tid, 2
  %second = or disjoint i32 %first, 512
  %in = icmp slt i32 %first, %n
  %insert = insertelement <4 x i1> poison, i1 %in, i64 0
  %mask = shufflevector <4 x i1> %insert, <4 x i1> poison, <4 x i32> zeroinitializer
  %i = sext i32 %first to i64
  %j = sext i32 %second to i64
  %xi = getelementptr float, ptr addrspace(1) %x, i64 %i
  %xj = getelementptr float, ptr addrspace(1) %x, i64 %j
  %a = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 16 %xi, <4 x i1> %mask, <4 x float> zeroinitializer)
  %b = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 16 %xj, <4 x i1> %mask, <4 x float> zeroinitializer)
  %yi = getelementptr float, ptr addrspace(1) %y, i64 %i
  %yj = getelementptr float, ptr addrspace(1) %y, i64 %j
  call void @llvm.masked.store.v4f32.p1(<4 x float> %a, ptr addrspace(1) align 16 %yi, <4 x i1> %mask)
  call void @llvm.masked.store.v4f32.p1(<4 x float> %b, ptr addrspace(1) align 16 %yj, <4 x i1> %mask)
  ret void
}

; What does not matter where the predicate is false is not set.
; CHECK-LABEL: .entry whatever(
; CHECK-NOT: 0x0
; CHECK: @%{{.*}} ld.shared.v4.b32
; CHECK: ret;
define ptx_kernel void @whatever(ptr addrspace(3) %p, ptr addrspace(1) %q, i1 %on) {
  %insert = insertelement <4 x i1> poison, i1 %on, i64 0
  %mask = shufflevector <4 x i1> %insert, <4 x i1> poison, <4 x i32> zeroinitializer
  %v = call <4 x i32> @llvm.masked.load.v4i32.p3(ptr addrspace(3) align 16 %p, <4 x i1> %mask, <4 x i32> poison)
  store <4 x i32> %v, ptr addrspace(1) %q, align 16
  ret void
}
