; RUN: tilewright-emit %s --target=xpu:pvc --print=legal | FileCheck %s

declare i64 @_Z12get_local_idj(i32)
declare i64 @_Z12get_group_idj(i32)

; A loop keeps the lane's part of its pointers once; what it moves on is the same for all lanes.
; CHECK-LABEL: @moved(
; CHECK:         %[[LANE:.*]] = call i64 @_Z12get_local_idj(i32 0)
; CHECK:       loop:
; CHECK-NEXT:    phi i32
; CHECK-NEXT:    %[[A:.*]] = phi ptr addrspace(1) [ %x, %0 ], [ %[[A1:.*]], %loop ]
; CHECK-NEXT:    %[[B:.*]] = phi ptr addrspace(1) [ %row, %0 ], [ %[[B1:.*]], %loop ]
; CHECK-DAG:     getelementptr float, ptr addrspace(1) %[[A]], i64 %[[LANE]]
; CHECK-DAG:     getelementptr float, ptr addrspace(1) %[[B]], i64 %[[LANE]]
; CHECK-DAG:     %[[A1]] = getelementptr i8, ptr addrspace(1) %[[A]], i64 64
; CHECK-DAG:     %[[B1]] = getelementptr i8, ptr addrspace(1) %[[B]], i64 %step
; CHECK-NOT:     phi
; CHECK:         br i1
; What follows the loop finds the pointer where it was.
; CHECK:       done:
; CHECK:         store float 0.000000e+00
define spir_kernel void @moved(ptr addrspace(1) %x, i64 %step, i32 %n) {
  %lane = call i64 @_Z12get_local_idj(i32 0)
  %program = call i64 @_Z12get_group_idj(i32 0)
  %row = getelementptr float, ptr addrspace(1) %x, i64 %program
  %a0 = getelementptr float, ptr addrspace(1) %x, i64 %lane
  %b0 = getelementptr float, ptr addrspace(1) %row, i64 %lane
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %j, %loop ]
  %a = phi ptr addrspace(1) [ %a0, %0 ], [ %a1, %loop ]
  %b = phi ptr addrspace(1) [ %b0, %0 ], [ %b1, %loop ]
  %v = load float, ptr addrspace(1) %a
  store float %v, ptr addrspace(1) %b
  %a1 = getelementptr i8, ptr addrspace(1) %a, i64 64
  %b1 = getelementptr i8, ptr addrspace(1) %b, i64 %step
  %j = add i32 %i, 1
  %more = icmp slt i32 %j, %n
  br i1 %more, label %loop, label %done
done:
  store float 0.0, ptr addrspace(1) %a1
  ret void
}

; Steps that differ between lanes, and a start that is no sum, stay.
; CHECK-LABEL: @kept(
; CHECK:         phi ptr addrspace(1) [ %a0, %0 ], [ %a1, %loop ]
; CHECK-NEXT:    phi ptr addrspace(1) [ %x, %0 ], [ %b1, %loop ]
define spir_kernel void @kept(ptr addrspace(1) %x, i32 %n) {
  %lane = call i64 @_Z12get_local_idj(i32 0)
  %a0 = getelementptr float, ptr addrspace(1) %x, i64 %lane
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %j, %loop ]
  %a = phi ptr addrspace(1) [ %a0, %0 ], [ %a1, %loop ]
  %b = phi ptr addrspace(1) [ %x, %0 ], [ %b1, %loop ]
  %v = load float, ptr addrspace(1) %b
  store float %v, ptr addrspace(1) %a
  %a1 = getelementptr float, ptr addrspace(1) %a, i64 %lane
  %b1 = getelementptr float, ptr addrspace(1) %b, i64 4
  %j = add i32 %i, 1
  %more = icmp slt i32 %j, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Where registers are short, addresses are computed in the branch that uses them.
; CHECK-LABEL: @short(
; CHECK:       masked:
; CHECK-NEXT:    %p = getelementptr float, ptr addrspace(1) %x, i64 %lane
; CHECK-NEXT:    store <2 x float> splat (float 1.000000e+00), ptr addrspace(1) %p
; CHECK:       masked1:
; CHECK-NEXT:    %q = getelementptr float, ptr addrspace(1) %y, i64 %lane
; CHECK-NEXT:    store <2 x float> splat (float 2.000000e+00), ptr addrspace(1) %q
define spir_kernel void @short(ptr addrspace(1) %x, ptr addrspace(1) %y, i64 %n, i64 %m) !intel_reqd_sub_group_size !0 {
  %lane = call i64 @_Z12get_local_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %x, i64 %lane
  %q = getelementptr float, ptr addrspace(1) %y, i64 %lane
  %r = getelementptr <16 x double>, ptr addrspace(1) %x, i64 %lane
  %u = load volatile <16 x double>, ptr addrspace(1) %r
  %v = load volatile <16 x double>, ptr addrspace(1) %r
  %a = icmp slt i64 %lane, %n
  %b = icmp slt i64 %lane, %m
  %a1 = insertelement <2 x i1> poison, i1 %a, i64 0
  %a2 = shufflevector <2 x i1> %a1, <2 x i1> poison, <2 x i32> zeroinitializer
  %b1 = insertelement <2 x i1> poison, i1 %b, i64 0
  %b2 = shufflevector <2 x i1> %b1, <2 x i1> poison, <2 x i32> zeroinitializer
  call void @llvm.masked.store.v2f32.p1(<2 x float> splat (float 1.0), ptr addrspace(1) align 8 %p, <2 x i1> %a2)
  call void @llvm.masked.store.v2f32.p1(<2 x float> splat (float 2.0), ptr addrspace(1) align 8 %q, <2 x i1> %b2)
  store volatile <16 x double> %u, ptr addrspace(1) %x
  store volatile <16 x double> %v, ptr addrspace(1) %x
  ret void
}

; CHECK-LABEL: @plenty(
; CHECK:       masked:
; CHECK-NEXT:    store <2 x float> splat (float 1.000000e+00), ptr addrspace(1) %p
; CHECK:       masked1:
; CHECK-NEXT:    store <2 x float> splat (float 2.000000e+00), ptr addrspace(1) %q
define spir_kernel void @plenty(ptr addrspace(1) %x, ptr addrspace(1) %y, i64 %n, i64 %m) !intel_reqd_sub_group_size !0 {
  %lane = call i64 @_Z12get_local_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %x, i64 %lane
  %q = getelementptr float, ptr addrspace(1) %y, i64 %lane
  %r = getelementptr float, ptr addrspace(1) %x, i64 %lane
  %u = load volatile float, ptr addrspace(1) %r
  %v = load volatile float, ptr addrspace(1) %r
  %a = icmp slt i64 %lane, %n
  %b = icmp slt i64 %lane, %m
  %a1 = insertelement <2 x i1> poison, i1 %a, i64 0
  %a2 = shufflevector <2 x i1> %a1, <2 x i1> poison, <2 x i32> zeroinitializer
  %b1 = insertelement <2 x i1> poison, i1 %b, i64 0
  %b2 = shufflevector <2 x i1> %b1, <2 x i1> poison, <2 x i32> zeroinitializer
  call void @llvm.masked.store.v2f32.p1(<2 x float> splat (float 1.0), ptr addrspace(1) align 8 %p, <2 x i1> %a2)
  call void @llvm.masked.store.v2f32.p1(<2 x float> splat (float 2.0), ptr addrspace(1) align 8 %q, <2 x i1> %b2)
  store volatile float %u, ptr addrspace(1) %x
  store volatile float %v, ptr addrspace(1) %x
  ret void
}

!0 = !{i32 32}
