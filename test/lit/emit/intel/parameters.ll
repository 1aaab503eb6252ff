; RUN: tilewright-emit %s --target=xpu:pvc --print=legal | FileCheck %s

; Kernels take no booleans: a byte stands for each, whose lowest bit counts.

; CHECK-LABEL: define spir_kernel void @flags(
; CHECK-SAME:    ptr addrspace(1) %p, i8 noundef %[[FIRST:.*]], i32 %x, i8 %{{.*}}) {{.*}}!reqd_work_group_size
; CHECK:         %[[BIT:.*]] = trunc i8 %[[FIRST]] to i1
; CHECK:         select i1 %[[BIT]], i32 %x, i32 7
; CHECK:         ret void
define spir_kernel void @flags(ptr addrspace(1) %p, i1 noundef %first, i32 %x, i1 %unused) !reqd_work_group_size !0 {
  %y = select i1 %first, i32 %x, i32 7
  store i32 %y, ptr addrspace(1) %p
  ret void
}

!0 = !{i32 16, i32 1, i32 1}
