; RUN: tilewright-emit %s --target=xpu:pvc --print=legal | FileCheck %s

; The loads under one mask are in one block and whole.
; CHECK-LABEL: @add(
; CHECK:         %[[ON:.*]] = trunc i8 %on to i1
; CHECK-NEXT:    br i1 %[[ON]], label %[[LOADS:.*]], label %[[NEXT:.*]]
; CHECK:       [[LOADS]]:
; CHECK-NEXT:    %[[X:.*]] = load <4 x float>, ptr addrspace(1) %p, align 16
; CHECK-NEXT:    %[[Y:.*]] = load <4 x float>, ptr addrspace(1) %q, align 16
; CHECK-NEXT:    br label %[[NEXT]]
; CHECK:       [[NEXT]]:
; CHECK-NEXT:    phi <4 x float> [ %[[X]], %[[LOADS]] ], [ zeroinitializer, %0 ]
; CHECK-NEXT:    phi <4 x float> [ %[[Y]], %[[LOADS]] ], [ zeroinitializer, %0 ]
; CHECK-NEXT:    %s = fadd
; CHECK-NEXT:    br i1 %[[ON]], label %[[STORE:.*]], label %[[END:.*]]
; CHECK:       [[STORE]]:
; CHECK-NEXT:    store <4 x float> %s, ptr addrspace(1) %q, align 16
; CHECK:       [[END]]:
; CHECK-NEXT:    ret void
define spir_kernel void @add(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %on) {
  %m0 = insertelement <4 x i1> poison, i1 %on, i64 0
  %m = shufflevector <4 x i1> %m0, <4 x i1> poison, <4 x i32> zeroinitializer
  %x = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 16 %p, <4 x i1> %m, <4 x float> zeroinitializer)
  %y = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 16 %q, <4 x i1> %m, <4 x float> zeroinitializer)
  %s = fadd <4 x float> %x, %y
  call void @llvm.masked.store.v4f32.p1(<4 x float> %s, ptr addrspace(1) align 16 %q, <4 x i1> %m)
  ret void
}
