; Addresses that all lanes share and that differ in a constant have one descriptor: the constant is
; the instruction's. A descriptor for each of thousands of loads takes LLVM's allocator, its coalescer
; and its copy propagation quadratic time.
;
; RUN: tilewright-emit %s --target=hip:gfx1201 --print=llir | FileCheck %s --check-prefix=IR
; RUN: tilewright-emit %s --target=hip:gfx1201 --print=assembly | FileCheck %s

; IR-LABEL: @uniform(
; IR-COUNT-1: call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc
; IR-NOT: @llvm.amdgcn.make.buffer.rsrc
; IR: }

; CHECK-LABEL: uniform:
; CHECK: s_cselect
; CHECK: buffer_load_b32 v[[#]], off, [[DESCRIPTOR:s\[[0-9:]+\]]], null{{$}}
; CHECK: buffer_load_b32 v[[#]], off, [[DESCRIPTOR]], null offset:128
; CHECK: buffer_load_b32 v[[#]], off, [[DESCRIPTOR]], null offset:4096
; CHECK: s_endpgm
define amdgpu_kernel void @uniform(ptr addrspace(1) %x, ptr addrspace(1) %o, i32 %n) #0 {
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %b = call i32 @llvm.amdgcn.workgroup.id.x()
  %b64 = sext i32 %b to i64
  %p0 = getelementptr float, ptr addrspace(1) %x, i64 %b64
  %p1 = getelementptr i8, ptr addrspace(1) %p0, i64 128
  %p2 = getelementptr i8, ptr addrspace(1) %p0, i64 4096
  %c = icmp slt i32 %b, %n
  %m = insertelement <1 x i1> poison, i1 %c, i32 0
  %v0 = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %p0, <1 x i1> %m, <1 x float> zeroinitializer)
  %v1 = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %p1, <1 x i1> %m, <1 x float> zeroinitializer)
  %v2 = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %p2, <1 x i1> %m, <1 x float> zeroinitializer)
  %s1 = fadd <1 x float> %v0, %v1
  %s2 = fadd <1 x float> %s1, %v2
  %q = getelementptr float, ptr addrspace(1) %o, i32 %t
  store <1 x float> %s2, ptr addrspace(1) %q
  ret void
}

; A constant below 0 is part of the base: the instruction's is none.
; IR-LABEL: @below(
; IR: getelementptr {{.*}}i8, ptr addrspace(1) %{{.*}}, i64 -16
; IR: call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc
; IR: }
; CHECK-LABEL: below:
; CHECK: buffer_load_b32 v[[#]], off, s{{\[[0-9:]+\]}}, null{{$}}
; CHECK: s_endpgm
define amdgpu_kernel void @below(ptr addrspace(1) %x, ptr addrspace(1) %o, i32 %n) #0 {
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %b = call i32 @llvm.amdgcn.workgroup.id.x()
  %b64 = sext i32 %b to i64
  %p0 = getelementptr float, ptr addrspace(1) %x, i64 %b64
  %p1 = getelementptr i8, ptr addrspace(1) %p0, i64 -16
  %c = icmp slt i32 %b, %n
  %m = insertelement <1 x i1> poison, i1 %c, i32 0
  %v = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %p1, <1 x i1> %m, <1 x float> zeroinitializer)
  %q = getelementptr float, ptr addrspace(1) %o, i32 %t
  store <1 x float> %v, ptr addrspace(1) %q
  ret void
}

attributes #0 = { "amdgpu-flat-work-group-size"="128,128" }
