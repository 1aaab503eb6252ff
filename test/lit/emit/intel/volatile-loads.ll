; REQUIRES: spirv-tools
; RUN: tilewright-emit %s --target=xpu:pvc -o %t.spv
; RUN: spirv-val --target-env spv1.2 %t.spv
; RUN: spirv-dis %t.spv | FileCheck %s

; Caches between cores do not answer them; 16 bits have no such load.

; CHECK-DAG:     %[[#NONE:]] = OpConstantNull %uint
; CHECK:         OpFunction %void
; CHECK-COUNT-2: OpAtomicLoad %uint %{{.*}} %[[#NONE]] %[[#NONE]]
; CHECK:         OpAtomicLoad %ulong %{{.*}} %[[#NONE]] %[[#NONE]]
; CHECK:         OpLoad %ushort %{{.*}} Volatile|Aligned 2
; CHECK:         OpLoad %float %{{.*}} Aligned 4
; CHECK-NOT:     Volatile
; CHECK:         OpStore %{{.*}} Aligned 8
; CHECK:         OpReturn
define spir_kernel void @kernel(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %h) !reqd_work_group_size !0 {
  %a = load volatile <2 x float>, ptr addrspace(1) %p, align 8
  %b = load volatile double, ptr addrspace(1) %q, align 8
  %c = load volatile i16, ptr addrspace(1) %h, align 2
  %p2 = getelementptr float, ptr addrspace(1) %p, i64 2
  %d = load float, ptr addrspace(1) %p2, align 4
  %p4 = getelementptr float, ptr addrspace(1) %p, i64 4
  store <2 x float> %a, ptr addrspace(1) %p4, align 8
  %q1 = getelementptr double, ptr addrspace(1) %q, i64 1
  store double %b, ptr addrspace(1) %q1, align 8
  %h1 = getelementptr i16, ptr addrspace(1) %h, i64 1
  store i16 %c, ptr addrspace(1) %h1, align 2
  %p3 = getelementptr float, ptr addrspace(1) %p, i64 3
  store float %d, ptr addrspace(1) %p3, align 4
  ret void
}

!0 = !{i32 16, i32 1, i32 1}
