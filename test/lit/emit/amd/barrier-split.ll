; From gfx12 on the products of what has been read last are computed between the halves of a barrier;
; stores wait for the second one.
;
; RUN: tilewright-emit %s --target=hip:gfx1201 --print=assembly | FileCheck %s

@memory = internal addrspace(3) global [65536 x i8] undef, align 16

; CHECK-LABEL: {{^}}turn:
; CHECK:       s_barrier_signal -1
; CHECK-NEXT:  s_barrier_wait -1
; CHECK:       ds_load_b128
; CHECK-NEXT:  ds_load_b128
; CHECK:       dscnt 0x0
; CHECK-NEXT:  s_barrier_signal -1
; CHECK-NOT:   ds_
; CHECK:       v_wmma
; CHECK-NOT:   ds_
; CHECK:       s_barrier_wait -1
; CHECK:       ds_store_b128
define amdgpu_kernel void @turn(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %id = call range(i32 0, 64) i32 @llvm.amdgcn.workitem.id.x()
  %at = shl i32 %id, 4
  %p = getelementptr inbounds i8, ptr addrspace(3) @memory, i32 %at
  %p1 = getelementptr inbounds i8, ptr addrspace(3) %p, i32 1024
  %from = getelementptr inbounds i8, ptr addrspace(1) %in, i32 %at
  %x = load <8 x half>, ptr addrspace(1) %from, align 16
  store <8 x half> %x, ptr addrspace(3) %p1, align 16
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %a = load <8 x half>, ptr addrspace(3) %p, align 16
  %b = load <8 x half>, ptr addrspace(3) %p1, align 16
  %c = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %a, <8 x half> %b, <8 x float> zeroinitializer)
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  store <8 x half> %x, ptr addrspace(3) %p, align 16
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %y = load <8 x half>, ptr addrspace(3) %p1, align 16
  %to = getelementptr inbounds i8, ptr addrspace(1) %out, i32 %at
  store <8 x half> %y, ptr addrspace(1) %to, align 16
  %to1 = getelementptr inbounds i8, ptr addrspace(1) %to, i32 4096
  store <8 x float> %c, ptr addrspace(1) %to1, align 16
  ret void
}

; A barrier that orders accesses of all memory, as one of a program does: what is read before it has
; to be there before the first half. Where it orders those of LDS alone, it has not.
;
; CHECK-LABEL: {{^}}all:
; CHECK:       ds_load_b128
; CHECK:       global_load_b32
; CHECK:       s_wait_loadcnt_dscnt 0x0
; CHECK-NEXT:  s_barrier_signal -1
; CHECK-NEXT:  s_barrier_wait -1
; CHECK:       global_store_b32
define amdgpu_kernel void @all(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %id = call range(i32 0, 64) i32 @llvm.amdgcn.workitem.id.x()
  %at = shl i32 %id, 4
  %p = getelementptr inbounds i8, ptr addrspace(3) @memory, i32 %at
  %from = getelementptr inbounds i8, ptr addrspace(1) %in, i32 %at
  %a = load <8 x half>, ptr addrspace(3) %p, align 16
  %c = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %a, <8 x half> %a, <8 x float> zeroinitializer)
  %x = load i32, ptr addrspace(1) %from, align 16
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  store i32 %x, ptr addrspace(1) %in, align 16
  %to = getelementptr inbounds i8, ptr addrspace(1) %out, i32 %at
  store <8 x float> %c, ptr addrspace(1) %to, align 16
  ret void
}

; CHECK-LABEL: {{^}}shared:
; CHECK:       ds_load_b128
; CHECK:       dscnt 0x0
; CHECK-NEXT:  s_barrier_signal -1
; CHECK:       v_wmma
; CHECK:       s_barrier_wait -1
; CHECK:       global_store_b32
define amdgpu_kernel void @shared(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %id = call range(i32 0, 64) i32 @llvm.amdgcn.workitem.id.x()
  %at = shl i32 %id, 4
  %p = getelementptr inbounds i8, ptr addrspace(3) @memory, i32 %at
  %from = getelementptr inbounds i8, ptr addrspace(1) %in, i32 %at
  %a = load <8 x half>, ptr addrspace(3) %p, align 16
  %c = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %a, <8 x half> %a, <8 x float> zeroinitializer)
  %x = load i32, ptr addrspace(1) %from, align 16
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  store i32 %x, ptr addrspace(1) %in, align 16
  %to = getelementptr inbounds i8, ptr addrspace(1) %out, i32 %at
  store <8 x float> %c, ptr addrspace(1) %to, align 16
  ret void
}

!0 = !{!"amdgpu-synchronize-as", !"local"}
