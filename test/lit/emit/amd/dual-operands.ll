; What many f32 instructions take has two registers, or a scalar one: two are issued as one. A product
; that is used otherwise as well is not fused with a difference.
;
; RUN: sed s/COUNT/16/g %s > %t.ll && tilewright-emit %t.ll --target=hip:gfx1100 --print=assembly | FileCheck %s
; RUN: sed s/COUNT/8/g %s > %t.ll && tilewright-emit %t.ll --target=hip:gfx1201 --print=assembly | FileCheck %s

; CHECK-LABEL: {{^}}scores:
; CHECK-COUNT-2: v_dual_mul_f32 v{{[0-9]+}}, s{{[0-9]+}}, v{{[0-9]+}} :: v_dual_mul_f32
; CHECK-NOT:     v_fma
; CHECK-COUNT-3: v_dual_sub_f32 v{{[0-9]+}}, v{{[0-9]+}}, v{{[0-9]+}} :: v_dual_sub_f32
; CHECK-NOT:     v_fma
; CHECK:         s_endpgm
define amdgpu_kernel void @scores(ptr addrspace(1) %x, ptr addrspace(1) %o, float %a) #0 {
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %scale = fmul contract float %a, 0x3FF7154760000000
  %p = getelementptr <COUNT x half>, ptr addrspace(1) %x, i32 %t
  %h = load <COUNT x half>, ptr addrspace(1) %p, align 16
  %v = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.vCOUNTf16(<COUNT x half> %h, <COUNT x half> %h, <8 x float> zeroinitializer)
  %e0 = extractelement <8 x float> %v, i32 0
  %e1 = extractelement <8 x float> %v, i32 1
  %e2 = extractelement <8 x float> %v, i32 2
  %e3 = extractelement <8 x float> %v, i32 3
  %e4 = extractelement <8 x float> %v, i32 4
  %e5 = extractelement <8 x float> %v, i32 5
  %e6 = extractelement <8 x float> %v, i32 6
  %e7 = extractelement <8 x float> %v, i32 7
  %s0 = fmul contract float %e0, %scale
  %s1 = fmul contract float %e1, %scale
  %s2 = fmul contract float %e2, %scale
  %s3 = fmul contract float %e3, %scale
  %s4 = fmul contract float %e4, %scale
  %s5 = fmul contract float %e5, %scale
  %s6 = fmul contract float %e6, %scale
  %s7 = fmul contract float %e7, %scale
  %m1 = call float @llvm.maxnum.f32(float %s0, float %s1)
  %m2 = call float @llvm.maxnum.f32(float %m1, float %s2)
  %m3 = call float @llvm.maxnum.f32(float %m2, float %s3)
  %m4 = call float @llvm.maxnum.f32(float %m3, float %s4)
  %m5 = call float @llvm.maxnum.f32(float %m4, float %s5)
  %m6 = call float @llvm.maxnum.f32(float %m5, float %s6)
  %m7 = call float @llvm.maxnum.f32(float %m6, float %s7)
  %d0 = fsub contract float %s0, %m7
  %d1 = fsub contract float %s1, %m7
  %d2 = fsub contract float %s2, %m7
  %d3 = fsub contract float %s3, %m7
  %d4 = fsub contract float %s4, %m7
  %d5 = fsub contract float %s5, %m7
  %d6 = fsub contract float %s6, %m7
  %d7 = fsub contract float %s7, %m7
  %r0 = insertelement <8 x float> poison, float %d0, i32 0
  %r1 = insertelement <8 x float> %r0, float %d1, i32 1
  %r2 = insertelement <8 x float> %r1, float %d2, i32 2
  %r3 = insertelement <8 x float> %r2, float %d3, i32 3
  %r4 = insertelement <8 x float> %r3, float %d4, i32 4
  %r5 = insertelement <8 x float> %r4, float %d5, i32 5
  %r6 = insertelement <8 x float> %r5, float %d6, i32 6
  %r7 = insertelement <8 x float> %r6, float %d7, i32 7
  %q = getelementptr <8 x float>, ptr addrspace(1) %o, i32 %t
  store <8 x float> %r7, ptr addrspace(1) %q, align 32
  ret void
}

; Nothing but the difference takes this product: one instruction.
; CHECK-LABEL: {{^}}fused:
; CHECK:       v_fma
; CHECK-NOT:   v_sub
; CHECK:       s_endpgm
define amdgpu_kernel void @fused(ptr addrspace(1) %x, ptr addrspace(1) %o, float %a) #0 {
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr <2 x float>, ptr addrspace(1) %x, i32 %t
  %v = load <2 x float>, ptr addrspace(1) %p, align 8
  %e0 = extractelement <2 x float> %v, i32 0
  %e1 = extractelement <2 x float> %v, i32 1
  %s = fmul contract float %e0, %a
  %d = fsub contract float %s, %e1
  %q = getelementptr float, ptr addrspace(1) %o, i32 %t
  store float %d, ptr addrspace(1) %q, align 4
  ret void
}

attributes #0 = { "amdgpu-flat-work-group-size"="128,128" }
