; A code object for CDNA: waves of 64, where the registers of matrix units begin, no mode of
; work-group processors; and the descriptor of a buffer, which says nothing of how bounds are
; compared.
;
; RUN: tilewright-emit %s --target=hip:gfx942 -o %t.hsaco
; RUN: llvm-readelf --notes %t.hsaco | FileCheck %s --check-prefix=NOTES --implicit-check-not=workgroup_processor_mode
; RUN: tilewright-emit %s --target=hip:gfx90a --print=assembly | FileCheck %s
; RUN: tilewright-emit %s --target=hip:gfx950 --print=assembly | FileCheck %s

; NOTES: .agpr_count: 0
; NOTES: .max_flat_workgroup_size: 128
; NOTES: .wavefront_size: 64
; NOTES: amdhsa.target: amdgcn-amd-amdhsa--gfx942

; CHECK-LABEL: masked:
; CHECK-DAG: s_mov_b32 s[[#]], 0x27000
; CHECK-DAG: v_bfrev_b32_e32 [[PAST:v[0-9]+]], 1
; CHECK: v_cndmask_b32_e32 [[OFFSET:v[0-9]+]], [[PAST]], v[[#]], vcc
; CHECK: buffer_load_dwordx4 v[{{.*}}], [[OFFSET]], s[{{.*}}], 0 offen
; CHECK: buffer_store_dwordx4 v[{{.*}}], [[OFFSET]], s[{{.*}}], 0 offen
; CHECK: .amdhsa_accum_offset
define amdgpu_kernel void @masked(ptr addrspace(1) %x, ptr addrspace(1) %o, i32 %n) #0 {
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %own = shl nuw nsw i32 %t, 2
  %c = icmp slt i32 %own, %n
  %first = insertelement <4 x i1> poison, i1 %c, i32 0
  %m = shufflevector <4 x i1> %first, <4 x i1> poison, <4 x i32> zeroinitializer
  %i64 = sext i32 %own to i64
  %p = getelementptr float, ptr addrspace(1) %x, i64 %i64
  %r = getelementptr float, ptr addrspace(1) %o, i64 %i64
  %v = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 16 %p, <4 x i1> %m, <4 x float> zeroinitializer)
  call void @llvm.masked.store.v4f32.p1(<4 x float> %v, ptr addrspace(1) align 16 %r, <4 x i1> %m)
  ret void
}

attributes #0 = { "amdgpu-flat-work-group-size"="128,128" "uniform-work-group-size"="true" "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z" }
