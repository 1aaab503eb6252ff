; Maxima of many numbers beside products are of three each, and their sums begin when all powers are
; there: two of them are issued as one. Loads behind the sums would be late: those are left alone.
;
; RUN: sed s/LOAD//g %s > %t.ll && tilewright-emit %t.ll --target=hip:gfx1201 --print=assembly | FileCheck %s
; RUN: sed 's/;LOAD//' %s > %t.ll && tilewright-emit %t.ll --target=hip:gfx1201 --print=assembly | FileCheck %s --check-prefix=LOADS

; CHECK-LABEL: {{^}}powers:
; CHECK:       v_wmma
; CHECK-NOT:   {{v_max_num|v_dual_max}}
; CHECK-COUNT-4: v_max3_num_f32
; CHECK-NOT:   v_max
; CHECK:       v_exp_f32
; CHECK-NOT:   v_{{(dual_)?}}add_f32
; CHECK-COUNT-7: v_exp_f32
; CHECK-NOT:   v_exp
; CHECK:       v_dual_add_f32 {{.*}} :: v_dual_add_f32
; CHECK:       s_endpgm

; LOADS-LABEL: {{^}}powers:
; LOADS:       v_wmma
; LOADS:       v_max_num_f32
; LOADS:       s_endpgm
define amdgpu_kernel void @powers(ptr addrspace(1) %in, ptr addrspace(1) %out, float %scale, float %old) {
  %id = call range(i32 0, 32) i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr inbounds <8 x half>, ptr addrspace(1) %in, i32 %id
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i32 %id
  %a = load <8 x half>, ptr addrspace(1) %from, align 16
  %s = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %a, <8 x half> %a, <8 x float> zeroinitializer)
  %e0 = extractelement <8 x float> %s, i32 0
  %s0 = fmul float %e0, %scale
  %e1 = extractelement <8 x float> %s, i32 1
  %s1 = fmul float %e1, %scale
  %e2 = extractelement <8 x float> %s, i32 2
  %s2 = fmul float %e2, %scale
  %e3 = extractelement <8 x float> %s, i32 3
  %s3 = fmul float %e3, %scale
  %e4 = extractelement <8 x float> %s, i32 4
  %s4 = fmul float %e4, %scale
  %e5 = extractelement <8 x float> %s, i32 5
  %s5 = fmul float %e5, %scale
  %e6 = extractelement <8 x float> %s, i32 6
  %s6 = fmul float %e6, %scale
  %e7 = extractelement <8 x float> %s, i32 7
  %s7 = fmul float %e7, %scale
  %m0 = call float @llvm.maxnum.f32(float %s0, float %s1)
  %m1 = call float @llvm.maxnum.f32(float %s2, float %s3)
  %m2 = call float @llvm.maxnum.f32(float %s4, float %s5)
  %m3 = call float @llvm.maxnum.f32(float %s6, float %s7)
  %m4 = call float @llvm.maxnum.f32(float %m0, float %m1)
  %m5 = call float @llvm.maxnum.f32(float %m2, float %m3)
  %m6 = call float @llvm.maxnum.f32(float %m4, float %m5)
  %max = call float @llvm.maxnum.f32(float %m6, float %old)
  %d0 = fsub float %s0, %max
  %d1 = fsub float %s1, %max
  %d2 = fsub float %s2, %max
  %d3 = fsub float %s3, %max
  %d4 = fsub float %s4, %max
  %d5 = fsub float %s5, %max
  %d6 = fsub float %s6, %max
  %d7 = fsub float %s7, %max
  %p0 = call float @llvm.amdgcn.exp2.f32(float %d0)
  %p1 = call float @llvm.amdgcn.exp2.f32(float %d1)
  %p2 = call float @llvm.amdgcn.exp2.f32(float %d2)
  %p3 = call float @llvm.amdgcn.exp2.f32(float %d3)
  %p4 = call float @llvm.amdgcn.exp2.f32(float %d4)
  %p5 = call float @llvm.amdgcn.exp2.f32(float %d5)
  %p6 = call float @llvm.amdgcn.exp2.f32(float %d6)
  %p7 = call float @llvm.amdgcn.exp2.f32(float %d7)
  %t0 = fadd float %p0, %p1
  %t1 = fadd float %p2, %p3
  %t2 = fadd float %p4, %p5
  %t3 = fadd float %p6, %p7
  %t4 = fadd float %t0, %t1
  %t5 = fadd float %t2, %t3
  %t6 = fadd float %t4, %t5
  store float %t6, ptr addrspace(1) %to, align 4
  ;LOAD %more = load float, ptr addrspace(1) %in, align 4
  ;LOAD store float %more, ptr addrspace(1) %out, align 4
  ret void
}
