; Fragments come from LDS in groups, those of eight products a few products ahead, with one wait for
; each group; not all at first.
;
; RUN: tilewright-emit %s --target=hip:gfx1201 --print=assembly | FileCheck %s

@memory = internal addrspace(3) global [65536 x i8] undef, align 16

; Sixteen products of one fragment and as many others.
; CHECK-LABEL: {{^}}ahead:
; CHECK-COUNT-9: ds_load_b128
; CHECK-NOT:   ds_load
; CHECK:       s_wait_dscnt 0x0
; CHECK-COUNT-4: v_wmma
; CHECK-COUNT-8: ds_load_b128
; CHECK-NOT:   {{ds_load|s_wait_dscnt}}
; CHECK-COUNT-4: v_wmma
; CHECK:       s_wait_dscnt 0x0
; CHECK-COUNT-8: v_wmma
; CHECK-NOT:   s_wait_dscnt
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
  %p9 = getelementptr inbounds i8, ptr addrspace(3) %p, i32 4608
  %p10 = getelementptr inbounds i8, ptr addrspace(3) %p, i32 5120
  %p11 = getelementptr inbounds i8, ptr addrspace(3) %p, i32 5632
  %p12 = getelementptr inbounds i8, ptr addrspace(3) %p, i32 6144
  %p13 = getelementptr inbounds i8, ptr addrspace(3) %p, i32 6656
  %p14 = getelementptr inbounds i8, ptr addrspace(3) %p, i32 7168
  %p15 = getelementptr inbounds i8, ptr addrspace(3) %p, i32 7680
  %p16 = getelementptr inbounds i8, ptr addrspace(3) %p, i32 8192
  %f0 = load <8 x half>, ptr addrspace(3) %p, align 16
  %f1 = load <8 x half>, ptr addrspace(3) %p1, align 16
  %f2 = load <8 x half>, ptr addrspace(3) %p2, align 16
  %f3 = load <8 x half>, ptr addrspace(3) %p3, align 16
  %f4 = load <8 x half>, ptr addrspace(3) %p4, align 16
  %f5 = load <8 x half>, ptr addrspace(3) %p5, align 16
  %f6 = load <8 x half>, ptr addrspace(3) %p6, align 16
  %f7 = load <8 x half>, ptr addrspace(3) %p7, align 16
  %f8 = load <8 x half>, ptr addrspace(3) %p8, align 16
  %f9 = load <8 x half>, ptr addrspace(3) %p9, align 16
  %f10 = load <8 x half>, ptr addrspace(3) %p10, align 16
  %f11 = load <8 x half>, ptr addrspace(3) %p11, align 16
  %f12 = load <8 x half>, ptr addrspace(3) %p12, align 16
  %f13 = load <8 x half>, ptr addrspace(3) %p13, align 16
  %f14 = load <8 x half>, ptr addrspace(3) %p14, align 16
  %f15 = load <8 x half>, ptr addrspace(3) %p15, align 16
  %f16 = load <8 x half>, ptr addrspace(3) %p16, align 16
  %s1 = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %f0, <8 x half> %f1, <8 x float> zeroinitializer)
  %s2 = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %f0, <8 x half> %f2, <8 x float> %s1)
  %s3 = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %f0, <8 x half> %f3, <8 x float> %s2)
  %s4 = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %f0, <8 x half> %f4, <8 x float> %s3)
  %s5 = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %f0, <8 x half> %f5, <8 x float> %s4)
  %s6 = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %f0, <8 x half> %f6, <8 x float> %s5)
  %s7 = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %f0, <8 x half> %f7, <8 x float> %s6)
  %s8 = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %f0, <8 x half> %f8, <8 x float> %s7)
  %s9 = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %f0, <8 x half> %f9, <8 x float> %s8)
  %s10 = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %f0, <8 x half> %f10, <8 x float> %s9)
  %s11 = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %f0, <8 x half> %f11, <8 x float> %s10)
  %s12 = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %f0, <8 x half> %f12, <8 x float> %s11)
  %s13 = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %f0, <8 x half> %f13, <8 x float> %s12)
  %s14 = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %f0, <8 x half> %f14, <8 x float> %s13)
  %s15 = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %f0, <8 x half> %f15, <8 x float> %s14)
  %s16 = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %f0, <8 x half> %f16, <8 x float> %s15)
  %to = getelementptr <8 x float>, ptr addrspace(1) %out, i32 %id
  store <8 x float> %s16, ptr addrspace(1) %to, align 16
  ret void
}
