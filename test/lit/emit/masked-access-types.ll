; RUN: tilewright-emit %s --target=cuda:90 | FileCheck %s
; RUN: %if ptxas %{ tilewright-emit %s --target=cuda:90 -o %t.ptx && %ptxas -arch sm_90a %t.ptx -o %t.cubin %}

; Element types, state spaces and pass-through values of predicated accesses.

; Halves lie two in a register; the pass-through of both is one number (-1.0, 2.0).
; CHECK-LABEL: .entry halves(
; CHECK:       mov.b32 [[A:%r[0-9]+]], 0x4000bc00;
; CHECK-NEXT:  mov.b32 [[B:%r[0-9]+]], 0x4000bc00;
; CHECK-NEXT:  @[[P:%p[0-9]+]] ld.global.v2.b32 {[[A]], [[B]]}, [{{%rd[0-9]+}}];
; CHECK:       @[[P]] st.shared.v2.b32 [{{%r[0-9]+}} + 8], {[[A]], [[B]]};
define ptx_kernel void @halves(ptr addrspace(1) %x, ptr addrspace(3) %y, i1 %on) {
  %insert = insertelement <4 x i1> poison, i1 %on, i64 0
  %mask = shufflevector <4 x i1> %insert, <4 x i1> poison, <4 x i32> zeroinitializer
  %v = call <4 x half> @llvm.masked.load.v4f16.p1(ptr addrspace(1) align 8 %x, <4 x i1> %mask, <4 x half> <half -1.0, half 2.0, half -1.0, half 2.0>)
  %to = getelementptr i8, ptr addrspace(3) %y, i32 8
  call void @llvm.masked.store.v4f16.p3(<4 x half> %v, ptr addrspace(3) align 8 %to, <4 x i1> %mask)
  ret void
}

; Bytes: four in a register; one alone in a 16-bit register.
; CHECK-LABEL: .entry bytes(
; CHECK:       mov.b32 [[A:%r[0-9]+]], 0x4030201;
; CHECK-NEXT:  @{{%p[0-9]+}} ld.global.b32 [[A]], [{{%rd[0-9]+}}];
; CHECK:       mov.b16 [[B:%rs[0-9]+]], 0x7;
; CHECK-NEXT:  @{{%p[0-9]+}} ld.global.b8 [[B]], [{{%rd[0-9]+}} + -3];
; CHECK:       st.global.b32 [{{%rd[0-9]+}}], [[A]];
; CHECK:       and.b16 [[LOW:%rs[0-9]+]], [[B]], 255;
; CHECK:       st.global.b8 [{{%rd[0-9]+}} + 4], [[LOW]];
define ptx_kernel void @bytes(ptr addrspace(1) %x, ptr addrspace(1) %y, i1 %on) {
  %insert = insertelement <4 x i1> poison, i1 %on, i64 0
  %mask = shufflevector <4 x i1> %insert, <4 x i1> poison, <4 x i32> zeroinitializer
  %four = call <4 x i8> @llvm.masked.load.v4i8.p1(ptr addrspace(1) align 4 %x, <4 x i1> %mask, <4 x i8> <i8 1, i8 2, i8 3, i8 4>)
  %before = getelementptr i8, ptr addrspace(1) %x, i64 -3
  %mask1 = insertelement <1 x i1> poison, i1 %on, i64 0
  %one = call <1 x i8> @llvm.masked.load.v1i8.p1(ptr addrspace(1) align 1 %before, <1 x i1> %mask1, <1 x i8> <i8 7>)
  %to = getelementptr i8, ptr addrspace(1) %y, i64 4
  call void @llvm.masked.store.v4i8.p1(<4 x i8> %four, ptr addrspace(1) align 4 %y, <4 x i1> %mask)
  call void @llvm.masked.store.v1i8.p1(<1 x i8> %one, ptr addrspace(1) align 1 %to, <1 x i1> %mask1)
  ret void
}

; 64-bit elements and pointers; a pass-through that is not a constant.
; CHECK-LABEL: .entry wide(
; CHECK-DAG:   ld.param.b64 [[E:%rd[0-9]+]], [wide_param_2];
; CHECK:       mov.b64 [[A:%rd[0-9]+]], [[E]];
; CHECK-NEXT:  mov.b64 [[B:%rd[0-9]+]], 0x0;
; CHECK-NEXT:  @[[P:%p[0-9]+]] ld.global.v2.b64 {[[A]], [[B]]}, [[[X:%rd[0-9]+]]];
; CHECK:       mov.b64 [[C:%rd[0-9]+]], 0x0;
; CHECK-NEXT:  @[[P]] ld.global.b64 [[C]], [[[X]] + 16];
; CHECK:       @[[P]] st.global.v2.b64 [{{%rd[0-9]+}}], {[[A]], [[B]]};
; CHECK:       @[[P]] st.b64 [{{%rd[0-9]+}} + 16], [[C]];
define ptx_kernel void @wide(ptr addrspace(1) %x, ptr addrspace(1) %y, double %else, i1 %on, ptr addrspace(1) %z) {
  %insert = insertelement <2 x i1> poison, i1 %on, i64 0
  %mask = shufflevector <2 x i1> %insert, <2 x i1> poison, <2 x i32> zeroinitializer
  %mask1 = insertelement <1 x i1> poison, i1 %on, i64 0
  %pass = insertelement <2 x double> zeroinitializer, double %else, i64 0
  %v = call <2 x double> @llvm.masked.load.v2f64.p1(ptr addrspace(1) align 16 %x, <2 x i1> %mask, <2 x double> %pass)
  %xp = getelementptr i8, ptr addrspace(1) %x, i64 16
  %p = call <1 x ptr> @llvm.masked.load.v1p0.p1(ptr addrspace(1) align 8 %xp, <1 x i1> %mask1, <1 x ptr> zeroinitializer)
  %generic = load ptr, ptr addrspace(1) %z
  %gp = getelementptr i8, ptr %generic, i64 16
  call void @llvm.masked.store.v2f64.p1(<2 x double> %v, ptr addrspace(1) align 16 %y, <2 x i1> %mask)
  call void @llvm.masked.store.v1p0.p0(<1 x ptr> %p, ptr align 8 %gp, <1 x i1> %mask1)
  ret void
}
