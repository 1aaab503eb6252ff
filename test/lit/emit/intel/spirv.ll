; REQUIRES: spirv-tools
; RUN: tilewright-emit %s --target=xpu:bmg -o %t.spv
; RUN: spirv-val --target-env spv1.2 %t.spv
; RUN: spirv-dis %t.spv | FileCheck %s

; A kernel as lowering makes it: the sizes of its blocks and sub-groups, its one variable of shared
; memory, OpenCL's functions by their names.

; CHECK-DAG:   OpCapability SubgroupShuffleINTEL
; CHECK-DAG:   OpExtension "SPV_INTEL_subgroups"
; CHECK:       OpMemoryModel Physical64 OpenCL
; CHECK:       OpEntryPoint Kernel %kernel "kernel"
; CHECK-DAG:   OpExecutionMode %kernel LocalSize 128 1 1
; CHECK-DAG:   OpExecutionMode %kernel SubgroupSize 32
; Products and sums may be fused.
; CHECK-NOT:   ContractionOff
; CHECK-DAG:   OpDecorate %[[SHARED:.*]] Alignment 16
; CHECK:       OpLoad %v4float %{{.*}} Aligned 16
; CHECK:       OpControlBarrier
; CHECK:       OpSubgroupShuffleXorINTEL
target triple = "spirv64v1.2-unknown-unknown"
@shared = internal unnamed_addr addrspace(3) global [2048 x i8] poison, align 16
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z22__spirv_ControlBarrierjjj(i32, i32, i32) convergent
declare spir_func i32 @_Z27intel_sub_group_shuffle_xorij(i32, i32) convergent
define spir_kernel void @kernel(ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %a = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %id
  %v = load <4 x float>, ptr addrspace(1) %a, align 16
  %s = getelementptr <4 x float>, ptr addrspace(3) @shared, i64 %id
  store <4 x float> %v, ptr addrspace(3) %s, align 16
  call spir_func void @_Z22__spirv_ControlBarrierjjj(i32 2, i32 2, i32 784)
  %w = load i32, ptr addrspace(3) @shared, align 16
  %x = call spir_func i32 @_Z27intel_sub_group_shuffle_xorij(i32 %w, i32 1)
  store i32 %x, ptr addrspace(1) %a
  ret void
}
!0 = !{i32 32}
!1 = !{i32 128, i32 1, i32 1}
