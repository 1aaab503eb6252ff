; Two f32 numbers become f16 in one word by two instructions, on gfx12 by one for each half, in blocks
; with matrix instructions.
;
; RUN: sed s/COUNT/8/g %s > %t.ll && tilewright-emit %t.ll --target=hip:gfx1201 --print=assembly | FileCheck %s
; RUN: sed s/COUNT/16/g %s > %t.ll && tilewright-emit %t.ll --target=hip:gfx1100 --print=assembly | FileCheck %s --check-prefix=GFX11

; CHECK-LABEL: {{^}}rounded:
; CHECK-DAG:   s_mov_b32 [[ONE:s[0-9]+]], 1.0
; CHECK-DAG:   s_brev_b32 [[ZERO:s[0-9]+]], 1
; CHECK-DAG:   v_cvt_f16_f32_e32 [[LOW:v[0-9]+]], v{{[0-9]+}}
; CHECK-DAG:   v_cvt_f16_f32_e32 [[THIRD:v[0-9]+]], v{{[0-9]+}}
; CHECK-DAG:   v_fma_mixhi_f16 [[LOW]], v{{[0-9]+}}, [[ONE]], [[ZERO]]
; CHECK-DAG:   v_fma_mixhi_f16 [[THIRD]], v{{[0-9]+}}, [[ONE]], [[ZERO]]
; CHECK-NOT:   v_pack_b32_f16
; CHECK:       s_endpgm
; GFX11-LABEL: {{^}}rounded:
; GFX11-COUNT-4: v_cvt_f16_f32
; GFX11-NOT:   v_fma_mix
; GFX11-NOT:   v_p{{(ack|erm)}}
; GFX11:       s_endpgm
define amdgpu_kernel void @rounded(ptr addrspace(1) %x, ptr addrspace(1) %o) #0 {
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %ap = getelementptr <COUNT x half>, ptr addrspace(1) %o, i32 %t
  %a16 = load <COUNT x half>, ptr addrspace(1) %ap, align 16
  %w = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.vCOUNTf16(<COUNT x half> %a16, <COUNT x half> %a16, <8 x float> zeroinitializer)
  %wp = getelementptr <8 x float>, ptr addrspace(1) %x, i32 %t
  store <8 x float> %w, ptr addrspace(1) %wp, align 16
  %p = getelementptr <4 x float>, ptr addrspace(1) %x, i32 %t
  %v = load <4 x float>, ptr addrspace(1) %p, align 16
  %e0 = extractelement <4 x float> %v, i32 0
  %e1 = extractelement <4 x float> %v, i32 1
  %e2 = extractelement <4 x float> %v, i32 2
  %e3 = extractelement <4 x float> %v, i32 3
  %h0 = fptrunc float %e0 to half
  %h1 = fptrunc float %e1 to half
  %h2 = fptrunc float %e2 to half
  %h3 = fptrunc float %e3 to half
  %r0 = insertelement <4 x half> poison, half %h0, i32 0
  %r1 = insertelement <4 x half> %r0, half %h1, i32 1
  %r2 = insertelement <4 x half> %r1, half %h2, i32 2
  %r3 = insertelement <4 x half> %r2, half %h3, i32 3
  %q = getelementptr <4 x half>, ptr addrspace(1) %o, i32 %t
  store <4 x half> %r3, ptr addrspace(1) %q, align 8
  ret void
}

; Products are rounded as they are made, and not multiplied by one.
; CHECK-LABEL: {{^}}products:
; CHECK-NOT:   1.0
; CHECK:       v_fma_mixlo_f16
; CHECK:       v_fma_mixhi_f16
; CHECK-NOT:   v_mul
; CHECK:       s_endpgm
define amdgpu_kernel void @products(ptr addrspace(1) %x, ptr addrspace(1) %o, float %a) #0 {
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %ap = getelementptr <COUNT x half>, ptr addrspace(1) %o, i32 %t
  %a16 = load <COUNT x half>, ptr addrspace(1) %ap, align 16
  %w = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.vCOUNTf16(<COUNT x half> %a16, <COUNT x half> %a16, <8 x float> zeroinitializer)
  %wp = getelementptr <8 x float>, ptr addrspace(1) %x, i32 %t
  store <8 x float> %w, ptr addrspace(1) %wp, align 16
  %p = getelementptr <2 x float>, ptr addrspace(1) %x, i32 %t
  %v = load <2 x float>, ptr addrspace(1) %p, align 8
  %e0 = extractelement <2 x float> %v, i32 0
  %e1 = extractelement <2 x float> %v, i32 1
  %m0 = fmul contract float %e0, %a
  %m1 = fmul contract float %e1, %a
  %h0 = fptrunc float %m0 to half
  %h1 = fptrunc float %m1 to half
  %r0 = insertelement <2 x half> poison, half %h0, i32 0
  %r1 = insertelement <2 x half> %r0, half %h1, i32 1
  %q = getelementptr <2 x half>, ptr addrspace(1) %o, i32 %t
  store <2 x half> %r1, ptr addrspace(1) %q, align 4
  ret void
}

; Where there is no product nothing changes.
; CHECK-LABEL: {{^}}alone:
; CHECK:       v_pack_b32_f16
; CHECK:       s_endpgm
define amdgpu_kernel void @alone(ptr addrspace(1) %x, ptr addrspace(1) %o) #0 {
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr <2 x float>, ptr addrspace(1) %x, i32 %t
  %v = load <2 x float>, ptr addrspace(1) %p, align 8
  %e0 = extractelement <2 x float> %v, i32 0
  %e1 = extractelement <2 x float> %v, i32 1
  %h0 = fptrunc float %e0 to half
  %h1 = fptrunc float %e1 to half
  %r0 = insertelement <2 x half> poison, half %h0, i32 0
  %r1 = insertelement <2 x half> %r0, half %h1, i32 1
  %q = getelementptr <2 x half>, ptr addrspace(1) %o, i32 %t
  store <2 x half> %r1, ptr addrspace(1) %q, align 4
  ret void
}

attributes #0 = { "amdgpu-flat-work-group-size"="128,128" }
