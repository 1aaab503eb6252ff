; Fragments come from LDS a few products ahead, not all at first, and stay there.
;
; RUN: tilewright-emit %s --target=hip:gfx1201 --print=assembly | FileCheck %s

@memory = internal addrspace(3) global [65536 x i8] undef, align 16

; Eight products of as many fragments: five are loaded before the first product, one before each of
; the others.
; CHECK-LABEL: {{^}}ahead:
; CHECK-COUNT-6: ds_load_b128
; CHECK-NOT:   ds_load
; CHECK:       v_wmma
; CHECK:       ds_load_b128
; CHECK-NOT:   ds_load
; CHECK:       v_wmma
; CHECK:       ds_load_b128
; CHECK-NOT:   ds_load
; CHECK:       v_wmma
; CHECK:       ds_load_b128
; CHECK-NOT:   ds_load
; CHECK:       v_wmma
; CHECK-NOT:   ds_load
; CHECK:       s_endpgm
define amdgpu_kernel void @ahead(ptr addrspace(1) %out) {
  %id = call range(i32 0, 32) i32 @llvm.amdgcn.workitem.id.x()
  %at = shl i32 %id, 4
  %p = getelementptr inbounds i8, ptr addrspace(3) @memory, i32 %at
  %p1 = getelementptr inbounds i8, ptr addrspace(3) %p, i32 512
  %p2 = getelementptr inbounds i8, ptr addrspace(3) %p, i32 1024
  %p3 = getelementptr inbounds i8, ptr addrspace(3) %p, i32 1536
  %p4 = getelementptr inbounds i8, ptr addrspace(3) %p, i32 2048
  %p5 = getelementptr inbounds i8, ptr addrspace(3) %p, i32 2560
  %p6 = getelementptr inbounds i8, ptr addrspace(3) %p, i32 3072
  %p7 = getelementptr inbounds i8, ptr addrspace(3) %p, i32 3584
  %p8 = getelementptr inbounds i8, ptr addrspace(3) %p, i32 4096
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %a = load <8 x half>, ptr addrspace(3) %p, align 16
  %b1 = load <8 x half>, ptr addrspace(3) %p1, align 16
  %b2 = load <8 x half>, ptr addrspace(3) %p2, align 16
  %b3 = load <8 x half>, ptr addrspace(3) %p3, align 16
  %b4 = load <8 x half>, ptr addrspace(3) %p4, align 16
  %b5 = load <8 x half>, ptr addrspace(3) %p5, align 16
  %b6 = load <8 x half>, ptr addrspace(3) %p6, align 16
  %b7 = load <8 x half>, ptr addrspace(3) %p7, align 16
  %b8 = load <8 x half>, ptr addrspace(3) %p8, align 16
  %c1 = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %a, <8 x half> %b1, <8 x float> zeroinitializer)
  %c2 = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %a, <8 x half> %b2, <8 x float> %c1)
  %c3 = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %a, <8 x half> %b3, <8 x float> %c2)
  %c4 = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %a, <8 x half> %b4, <8 x float> %c3)
  %c5 = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %a, <8 x half> %b5, <8 x float> %c4)
  %c6 = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %a, <8 x half> %b6, <8 x float> %c5)
  %c7 = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %a, <8 x half> %b7, <8 x float> %c6)
  %c8 = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %a, <8 x half> %b8, <8 x float> %c7)
  %to = getelementptr inbounds i8, ptr addrspace(1) %out, i32 %at
  store <8 x float> %c8, ptr addrspace(1) %to, align 16
  ret void
}
