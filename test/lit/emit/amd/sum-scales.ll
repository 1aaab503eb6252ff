; Sums that a loop scales by a power of the difference of two maxima are scaled in a branch, which is
; taken if the factor of any lane is not 1.
;
; RUN: tilewright-emit %s --target=hip:gfx1201 --print=assembly | FileCheck %s

; CHECK-LABEL: {{^}}scaled:
; CHECK:       v_exp_f32
; CHECK-NOT:   v_{{(dual_)?}}mul
; CHECK:       v_cmp_neq_f32_e32 vcc_lo, 1.0
; CHECK-NOT:   v_{{(dual_)?}}mul
; CHECK:       s_cbranch_vccz [[REST:.LBB.*]]
; CHECK-COUNT-16: v_dual_mul_f32
; CHECK-NEXT:  s_branch [[REST]]
; CHECK:       s_endpgm
define amdgpu_kernel void @scaled(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %id = call range(i32 0, 32) i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr inbounds <8 x half>, ptr addrspace(1) %in, i32 %id
  %a = load <8 x half>, ptr addrspace(1) %from, align 16
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %old = phi float [ 0xFFF0000000000000, %entry ], [ %new, %loop ]
  %x = phi <8 x float> [ zeroinitializer, %entry ], [ %x2, %loop ]
  %y = phi <8 x float> [ zeroinitializer, %entry ], [ %y2, %loop ]
  %at = add i32 %i, %id
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i32 %at
  %score = load float, ptr addrspace(1) %p, align 4
  %new = call float @llvm.maxnum.f32(float %old, float %score)
  %difference = fsub float %old, %new
  %factor = call float @llvm.amdgcn.exp2.f32(float %difference)
  %xe0 = extractelement <8 x float> %x, i32 0
  %xe1 = extractelement <8 x float> %x, i32 1
  %xe2 = extractelement <8 x float> %x, i32 2
  %xe3 = extractelement <8 x float> %x, i32 3
  %xe4 = extractelement <8 x float> %x, i32 4
  %xe5 = extractelement <8 x float> %x, i32 5
  %xe6 = extractelement <8 x float> %x, i32 6
  %xe7 = extractelement <8 x float> %x, i32 7
  %xm0 = fmul float %xe0, %factor
  %xm1 = fmul float %xe1, %factor
  %xm2 = fmul float %xe2, %factor
  %xm3 = fmul float %xe3, %factor
  %xm4 = fmul float %xe4, %factor
  %xm5 = fmul float %xe5, %factor
  %xm6 = fmul float %xe6, %factor
  %xm7 = fmul float %xe7, %factor
  %xv0 = insertelement <8 x float> poison, float %xm0, i32 0
  %xv1 = insertelement <8 x float> %xv0, float %xm1, i32 1
  %xv2 = insertelement <8 x float> %xv1, float %xm2, i32 2
  %xv3 = insertelement <8 x float> %xv2, float %xm3, i32 3
  %xv4 = insertelement <8 x float> %xv3, float %xm4, i32 4
  %xv5 = insertelement <8 x float> %xv4, float %xm5, i32 5
  %xv6 = insertelement <8 x float> %xv5, float %xm6, i32 6
  %xv7 = insertelement <8 x float> %xv6, float %xm7, i32 7
  %ye0 = extractelement <8 x float> %y, i32 0
  %ye1 = extractelement <8 x float> %y, i32 1
  %ye2 = extractelement <8 x float> %y, i32 2
  %ye3 = extractelement <8 x float> %y, i32 3
  %ye4 = extractelement <8 x float> %y, i32 4
  %ye5 = extractelement <8 x float> %y, i32 5
  %ye6 = extractelement <8 x float> %y, i32 6
  %ye7 = extractelement <8 x float> %y, i32 7
  %ym0 = fmul float %ye0, %factor
  %ym1 = fmul float %ye1, %factor
  %ym2 = fmul float %ye2, %factor
  %ym3 = fmul float %ye3, %factor
  %ym4 = fmul float %ye4, %factor
  %ym5 = fmul float %ye5, %factor
  %ym6 = fmul float %ye6, %factor
  %ym7 = fmul float %ye7, %factor
  %yv0 = insertelement <8 x float> poison, float %ym0, i32 0
  %yv1 = insertelement <8 x float> %yv0, float %ym1, i32 1
  %yv2 = insertelement <8 x float> %yv1, float %ym2, i32 2
  %yv3 = insertelement <8 x float> %yv2, float %ym3, i32 3
  %yv4 = insertelement <8 x float> %yv3, float %ym4, i32 4
  %yv5 = insertelement <8 x float> %yv4, float %ym5, i32 5
  %yv6 = insertelement <8 x float> %yv5, float %ym6, i32 6
  %yv7 = insertelement <8 x float> %yv6, float %ym7, i32 7
  %x2 = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %a, <8 x half> %a, <8 x float> %xv7)
  %y2 = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %a, <8 x half> %a, <8 x float> %yv7)
  %next = add nuw nsw i32 %i, 1
  %goesOn = icmp slt i32 %next, %n
  br i1 %goesOn, label %loop, label %end

end:
  %q = getelementptr inbounds <16 x float>, ptr addrspace(1) %out, i32 %id
  %r = getelementptr inbounds <8 x float>, ptr addrspace(1) %q, i32 1
  store <8 x float> %x2, ptr addrspace(1) %q, align 16
  store <8 x float> %y2, ptr addrspace(1) %r, align 16
  ret void
}

; Other factors are seldom 1.
; CHECK-LABEL: {{^}}otherwise:
; CHECK-NOT:   s_cbranch_vcc
; CHECK:       v_dual_mul_f32
; CHECK:       v_wmma
; CHECK:       s_endpgm
define amdgpu_kernel void @otherwise(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %id = call range(i32 0, 32) i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr inbounds <8 x half>, ptr addrspace(1) %in, i32 %id
  %a = load <8 x half>, ptr addrspace(1) %from, align 16
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %old = phi float [ 0xFFF0000000000000, %entry ], [ %new, %loop ]
  %x = phi <8 x float> [ zeroinitializer, %entry ], [ %x2, %loop ]
  %y = phi <8 x float> [ zeroinitializer, %entry ], [ %y2, %loop ]
  %at = add i32 %i, %id
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i32 %at
  %score = load float, ptr addrspace(1) %p, align 4
  %new = call float @llvm.maxnum.f32(float %old, float %score)
  %factor = fsub float %old, %new
  %xe0 = extractelement <8 x float> %x, i32 0
  %xe1 = extractelement <8 x float> %x, i32 1
  %xe2 = extractelement <8 x float> %x, i32 2
  %xe3 = extractelement <8 x float> %x, i32 3
  %xe4 = extractelement <8 x float> %x, i32 4
  %xe5 = extractelement <8 x float> %x, i32 5
  %xe6 = extractelement <8 x float> %x, i32 6
  %xe7 = extractelement <8 x float> %x, i32 7
  %xm0 = fmul float %xe0, %factor
  %xm1 = fmul float %xe1, %factor
  %xm2 = fmul float %xe2, %factor
  %xm3 = fmul float %xe3, %factor
  %xm4 = fmul float %xe4, %factor
  %xm5 = fmul float %xe5, %factor
  %xm6 = fmul float %xe6, %factor
  %xm7 = fmul float %xe7, %factor
  %xv0 = insertelement <8 x float> poison, float %xm0, i32 0
  %xv1 = insertelement <8 x float> %xv0, float %xm1, i32 1
  %xv2 = insertelement <8 x float> %xv1, float %xm2, i32 2
  %xv3 = insertelement <8 x float> %xv2, float %xm3, i32 3
  %xv4 = insertelement <8 x float> %xv3, float %xm4, i32 4
  %xv5 = insertelement <8 x float> %xv4, float %xm5, i32 5
  %xv6 = insertelement <8 x float> %xv5, float %xm6, i32 6
  %xv7 = insertelement <8 x float> %xv6, float %xm7, i32 7
  %ye0 = extractelement <8 x float> %y, i32 0
  %ye1 = extractelement <8 x float> %y, i32 1
  %ye2 = extractelement <8 x float> %y, i32 2
  %ye3 = extractelement <8 x float> %y, i32 3
  %ye4 = extractelement <8 x float> %y, i32 4
  %ye5 = extractelement <8 x float> %y, i32 5
  %ye6 = extractelement <8 x float> %y, i32 6
  %ye7 = extractelement <8 x float> %y, i32 7
  %ym0 = fmul float %ye0, %factor
  %ym1 = fmul float %ye1, %factor
  %ym2 = fmul float %ye2, %factor
  %ym3 = fmul float %ye3, %factor
  %ym4 = fmul float %ye4, %factor
  %ym5 = fmul float %ye5, %factor
  %ym6 = fmul float %ye6, %factor
  %ym7 = fmul float %ye7, %factor
  %yv0 = insertelement <8 x float> poison, float %ym0, i32 0
  %yv1 = insertelement <8 x float> %yv0, float %ym1, i32 1
  %yv2 = insertelement <8 x float> %yv1, float %ym2, i32 2
  %yv3 = insertelement <8 x float> %yv2, float %ym3, i32 3
  %yv4 = insertelement <8 x float> %yv3, float %ym4, i32 4
  %yv5 = insertelement <8 x float> %yv4, float %ym5, i32 5
  %yv6 = insertelement <8 x float> %yv5, float %ym6, i32 6
  %yv7 = insertelement <8 x float> %yv6, float %ym7, i32 7
  %x2 = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %a, <8 x half> %a, <8 x float> %xv7)
  %y2 = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %a, <8 x half> %a, <8 x float> %yv7)
  %next = add nuw nsw i32 %i, 1
  %goesOn = icmp slt i32 %next, %n
  br i1 %goesOn, label %loop, label %end

end:
  %q = getelementptr inbounds <16 x float>, ptr addrspace(1) %out, i32 %id
  %r = getelementptr inbounds <8 x float>, ptr addrspace(1) %q, i32 1
  store <8 x float> %x2, ptr addrspace(1) %q, align 16
  store <8 x float> %y2, ptr addrspace(1) %r, align 16
  ret void
}
