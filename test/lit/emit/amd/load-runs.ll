; All loads of a tile are sent before the first is waited for, whatever the arithmetic between them;
; but not past a store.
;
; RUN: tilewright-emit %s --target=hip:gfx1100 --print=assembly | FileCheck %s -DWAIT="s_waitcnt vmcnt"
; RUN: tilewright-emit %s --target=hip:gfx1201 --print=assembly | FileCheck %s -DWAIT=s_wait_loadcnt

; CHECK-LABEL: row:
; CHECK: buffer_load_b128
; CHECK-NOT: [[WAIT]]
; CHECK: buffer_load_b128
; CHECK-NOT: [[WAIT]]
; CHECK: buffer_load_b128
; CHECK-NOT: [[WAIT]]
; CHECK: buffer_load_b128
; CHECK: [[WAIT]]
; CHECK: s_endpgm
define amdgpu_kernel void @row(ptr addrspace(1) %x, ptr addrspace(1) %o, i32 %stride, i32 %n) #0 {
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %b = call i32 @llvm.amdgcn.workgroup.id.x()
  %i0 = shl nuw nsw i32 %t, 2
  %i1 = or disjoint i32 %i0, 512
  %i2 = or disjoint i32 %i0, 1024
  %i3 = or disjoint i32 %i0, 1536
  %start = mul i32 %b, %stride
  %start64 = sext i32 %start to i64
  %x0 = getelementptr float, ptr addrspace(1) %x, i64 %start64
  %p0 = getelementptr float, ptr addrspace(1) %x0, i32 %i0
  %p1 = getelementptr float, ptr addrspace(1) %x0, i32 %i1
  %p2 = getelementptr float, ptr addrspace(1) %x0, i32 %i2
  %p3 = getelementptr float, ptr addrspace(1) %x0, i32 %i3
  %m0 = icmp slt i32 %i0, %n
  %m1 = icmp slt i32 %i1, %n
  %m2 = icmp slt i32 %i2, %n
  %m3 = icmp slt i32 %i3, %n
  %m0v = insertelement <4 x i1> poison, i1 %m0, i32 0
  %m1v = insertelement <4 x i1> poison, i1 %m1, i32 0
  %m2v = insertelement <4 x i1> poison, i1 %m2, i32 0
  %m3v = insertelement <4 x i1> poison, i1 %m3, i32 0
  %m0s = shufflevector <4 x i1> %m0v, <4 x i1> poison, <4 x i32> zeroinitializer
  %m1s = shufflevector <4 x i1> %m1v, <4 x i1> poison, <4 x i32> zeroinitializer
  %m2s = shufflevector <4 x i1> %m2v, <4 x i1> poison, <4 x i32> zeroinitializer
  %m3s = shufflevector <4 x i1> %m3v, <4 x i1> poison, <4 x i32> zeroinitializer
  %v0 = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 16 %p0, <4 x i1> %m0s, <4 x float> splat (float 0xFFF0000000000000))
  %v1 = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 16 %p1, <4 x i1> %m1s, <4 x float> splat (float 0xFFF0000000000000))
  %v2 = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 16 %p2, <4 x i1> %m2s, <4 x float> splat (float 0xFFF0000000000000))
  %v3 = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 16 %p3, <4 x i1> %m3s, <4 x float> splat (float 0xFFF0000000000000))
  %a = call <4 x float> @llvm.maxnum.v4f32(<4 x float> %v0, <4 x float> %v1)
  %c = call <4 x float> @llvm.maxnum.v4f32(<4 x float> %v2, <4 x float> %v3)
  %d = call <4 x float> @llvm.maxnum.v4f32(<4 x float> %a, <4 x float> %c)
  %q = getelementptr <4 x float>, ptr addrspace(1) %o, i32 %t
  store <4 x float> %d, ptr addrspace(1) %q, align 16
  ret void
}

; CHECK-LABEL: stored:
; CHECK: global_load_b32
; CHECK: [[WAIT]]
; CHECK: global_store_b32
; CHECK: global_load_b32
; CHECK: [[WAIT]]
; CHECK: global_store_b32
; CHECK: s_endpgm
define amdgpu_kernel void @stored(ptr addrspace(1) %x, ptr addrspace(1) %y) #0 {
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr float, ptr addrspace(1) %x, i32 %t
  %q = getelementptr float, ptr addrspace(1) %y, i32 %t
  %v = load float, ptr addrspace(1) %p
  %v2 = fmul float %v, 2.0
  store float %v2, ptr addrspace(1) %q
  %w = load float, ptr addrspace(1) %p
  %w2 = fmul float %w, 3.0
  store float %w2, ptr addrspace(1) %q
  ret void
}

attributes #0 = { "amdgpu-flat-work-group-size"="128,128" "uniform-work-group-size"="true" "amdgpu-ieee"="false" }
