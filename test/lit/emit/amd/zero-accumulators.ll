; A product that begins a sum adds to the constant 0: no registers hold zero, and none are cleared in
; the loop. Halves of registers, of which a product of 16 bits keeps one, are cleared.
;
; RUN: tilewright-emit %s --target=hip:gfx1100 --print=assembly | FileCheck %s
; RUN: tilewright-emit %s --target=hip:gfx1150 --print=assembly | FileCheck %s

; CHECK-LABEL: {{^}}zero:
; CHECK-NOT:   v_mov
; CHECK:       v_wmma_f32_16x16x16_f16 [[D:v\[.*\]]], v[{{.*}}], v[{{.*}}], 0
; CHECK-NEXT:  {{.*}}v_wmma_f32_16x16x16_f16 {{.*}}, [[D]]
; CHECK:       s_endpgm
define amdgpu_kernel void @zero(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %id = call range(i32 0, 32) i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr inbounds <16 x half>, ptr addrspace(1) %in, i32 %id
  %to = getelementptr inbounds <8 x float>, ptr addrspace(1) %out, i32 %id
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds <16 x half>, ptr addrspace(1) %from, i32 %i
  %a = load <16 x half>, ptr addrspace(1) %p, align 32
  %first = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16(<16 x half> %a, <16 x half> %a, <8 x float> zeroinitializer)
  %second = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16(<16 x half> %a, <16 x half> %a, <8 x float> %first)
  %q = getelementptr inbounds <8 x float>, ptr addrspace(1) %to, i32 %i
  store <8 x float> %second, ptr addrspace(1) %q, align 32
  %next = add nuw nsw i32 %i, 1
  %goesOn = icmp slt i32 %next, %n
  br i1 %goesOn, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: {{^}}integers:
; CHECK-NOT:   v_mov
; CHECK:       v_wmma_i32_16x16x16_iu8 v[{{.*}}], v[{{.*}}], v[{{.*}}], 0
; CHECK:       s_endpgm
define amdgpu_kernel void @integers(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %id = call range(i32 0, 32) i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr inbounds <4 x i32>, ptr addrspace(1) %in, i32 %id
  %to = getelementptr inbounds <8 x i32>, ptr addrspace(1) %out, i32 %id
  %a = load <4 x i32>, ptr addrspace(1) %from, align 16
  %d = call <8 x i32> @llvm.amdgcn.wmma.i32.16x16x16.iu8.v8i32.v4i32(i1 true, <4 x i32> %a, i1 true, <4 x i32> %a, <8 x i32> zeroinitializer, i1 false)
  store <8 x i32> %d, ptr addrspace(1) %to, align 32
  ret void
}

; CHECK-LABEL: {{^}}halves:
; CHECK:       v_mov
; CHECK:       v_wmma_f16_16x16x16_f16 [[D:v\[.*\]]], v[{{.*}}], v[{{.*}}], [[D]]
; CHECK:       s_endpgm
define amdgpu_kernel void @halves(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %id = call range(i32 0, 32) i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr inbounds <16 x half>, ptr addrspace(1) %in, i32 %id
  %to = getelementptr inbounds <16 x half>, ptr addrspace(1) %out, i32 %id
  %a = load <16 x half>, ptr addrspace(1) %from, align 32
  %d = call <16 x half> @llvm.amdgcn.wmma.f16.16x16x16.f16.tied.v16f16.v16f16(<16 x half> %a, <16 x half> %a, <16 x half> zeroinitializer, i1 false)
  store <16 x half> %d, ptr addrspace(1) %to, align 32
  ret void
}
