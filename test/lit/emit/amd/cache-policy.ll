; Data that is not used again soon, with a mask and without one, as metadata or as a policy.
;
; RUN: tilewright-emit %s --target=hip:gfx1100 --print=assembly | FileCheck %s --check-prefixes=CHECK,GFX11
; RUN: tilewright-emit %s --target=hip:gfx1201 --print=assembly | FileCheck %s --check-prefixes=CHECK,GFX12

; CHECK-LABEL: policies:
; GFX11-DAG: buffer_load_b32 {{.*}} offen slc dlc
; GFX11-DAG: buffer_load_b32 {{.*}} offen offset:512 slc dlc
; GFX11-DAG: buffer_load_b32 {{.*}} offen offset:1024{{$}}
; GFX11-DAG: global_load_b32 {{.*}} offset:1536 slc dlc
; GFX11-DAG: global_load_b32 {{.*}} offset:2048{{$}}
; GFX12-DAG: buffer_load_b32 {{.*}} offen th:TH_LOAD_NT
; GFX12-DAG: buffer_load_b32 {{.*}} offen offset:512 th:TH_LOAD_NT
; GFX12-DAG: buffer_load_b32 {{.*}} offen offset:1024{{$}}
; GFX12-DAG: global_load_b32 {{.*}} offset:1536 th:TH_LOAD_NT
; GFX12-DAG: global_load_b32 {{.*}} offset:2048{{$}}
; GFX11: buffer_store_b32 {{.*}} offen {{.*}}slc dlc
; GFX12: buffer_store_b32 {{.*}} offen {{.*}}th:TH_STORE_NT
; CHECK: s_endpgm
define amdgpu_kernel void @policies(ptr addrspace(1) %x, ptr addrspace(1) %o) #0 {
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %c = icmp ult i32 %t, 100
  %m = insertelement <1 x i1> poison, i1 %c, i32 0
  %p0 = getelementptr float, ptr addrspace(1) %x, i32 %t
  %p1 = getelementptr i8, ptr addrspace(1) %p0, i64 512
  %p2 = getelementptr i8, ptr addrspace(1) %p0, i64 1024
  %p3 = getelementptr i8, ptr addrspace(1) %p0, i64 1536
  %p4 = getelementptr i8, ptr addrspace(1) %p0, i64 2048
  %v0 = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %p0, <1 x i1> %m, <1 x float> zeroinitializer), !nontemporal !0
  %v1 = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %p1, <1 x i1> %m, <1 x float> zeroinitializer), !tilewright.cache !1
  %v2 = call <1 x float> @llvm.masked.load.v1f32.p1(ptr addrspace(1) align 4 %p2, <1 x i1> %m, <1 x float> zeroinitializer), !tilewright.cache !2
  %v3 = load <1 x float>, ptr addrspace(1) %p3, !tilewright.cache !3
  %v4 = load <1 x float>, ptr addrspace(1) %p4, !tilewright.cache !4
  %s0 = fadd <1 x float> %v0, %v1
  %s1 = fadd <1 x float> %v2, %v3
  %s2 = fadd <1 x float> %s0, %s1
  %s = fadd <1 x float> %s2, %v4
  %q = getelementptr float, ptr addrspace(1) %o, i32 %t
  call void @llvm.masked.store.v1f32.p1(<1 x float> %s, ptr addrspace(1) align 4 %q, <1 x i1> %m), !tilewright.cache !1
  ret void
}

attributes #0 = { "amdgpu-flat-work-group-size"="128,128" "uniform-work-group-size"="true" }
!0 = !{i32 1}
!1 = !{!"cs"}
!2 = !{!"evict_last"}
!3 = !{!"cg"}
!4 = !{!"ca"}
