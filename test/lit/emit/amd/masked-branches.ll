; Masked accesses that are no buffer accesses: one branch for a run under one mask, or none where
; predication is shorter; never one for each element.
;
; RUN: tilewright-emit %s --target=hip:gfx1100 --print=assembly | FileCheck %s
; RUN: tilewright-emit %s --target=hip:gfx1201 --print=assembly | FileCheck %s

; CHECK-LABEL: run:
; CHECK: s_and_saveexec_b32
; CHECK: global_load_b128
; CHECK-NOT: saveexec
; CHECK: global_load_b128
; CHECK-NOT: saveexec
; CHECK: s_or_b32 exec_lo
; CHECK: s_and_saveexec_b32
; CHECK: global_store_b128
; CHECK-NOT: saveexec
; CHECK: s_endpgm
define amdgpu_kernel void @run(ptr addrspace(1) %x, ptr addrspace(1) %y, ptr addrspace(1) %o, i32 %n, i32 %stride) #0 {
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %c = icmp slt i32 %t, %n
  %first = insertelement <4 x i1> poison, i1 %c, i32 0
  %m = shufflevector <4 x i1> %first, <4 x i1> poison, <4 x i32> zeroinitializer
  %i = mul i32 %t, %stride
  %i64 = sext i32 %i to i64
  %p = getelementptr <4 x float>, ptr addrspace(1) %x, i64 %i64
  %q = getelementptr <4 x float>, ptr addrspace(1) %y, i64 %i64
  %r = getelementptr <4 x float>, ptr addrspace(1) %o, i64 %i64
  %v = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 16 %p, <4 x i1> %m, <4 x float> zeroinitializer)
  %w = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 16 %q, <4 x i1> %m, <4 x float> zeroinitializer)
  %s = fadd <4 x float> %v, %w
  call void @llvm.masked.store.v4f32.p1(<4 x float> %s, ptr addrspace(1) align 16 %r, <4 x i1> %m)
  ret void
}

; Shared memory; a vector stays whole.
; CHECK-LABEL: shared:
; CHECK: s_and_saveexec_b32
; CHECK: ds_store_b128
; CHECK: s_endpgm
define amdgpu_kernel void @shared(ptr addrspace(1) %x, i32 %n) #0 {
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %c = icmp slt i32 %t, %n
  %first = insertelement <4 x i1> poison, i1 %c, i32 0
  %m = shufflevector <4 x i1> %first, <4 x i1> poison, <4 x i32> zeroinitializer
  %p = getelementptr <4 x float>, ptr addrspace(1) %x, i32 %t
  %v = load <4 x float>, ptr addrspace(1) %p, align 16
  %s = getelementptr <4 x float>, ptr addrspace(3) @memory, i32 %t
  call void @llvm.masked.store.v4f32.p3(<4 x float> %v, ptr addrspace(3) align 16 %s, <4 x i1> %m)
  call void @llvm.amdgcn.s.barrier()
  %w = load <4 x float>, ptr addrspace(3) @memory, align 16
  store <4 x float> %w, ptr addrspace(1) %p, align 16
  ret void
}

@memory = internal addrspace(3) global [2048 x i8] undef, align 16

attributes #0 = { "amdgpu-flat-work-group-size"="128,128" "uniform-work-group-size"="true" }
