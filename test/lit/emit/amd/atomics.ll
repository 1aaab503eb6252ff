; Atomic operations are instructions of their own, with the order and scope that they have; a mask is
; a branch around them.
;
; RUN: tilewright-emit %s --target=hip:gfx1100 --print=assembly | FileCheck %s --check-prefixes=CHECK,GFX11
; RUN: tilewright-emit %s --target=hip:gfx1201 --print=assembly | FileCheck %s --check-prefixes=CHECK,GFX12

; CHECK-LABEL: masked_add:
; CHECK: s_and_saveexec_b32
; CHECK: global_atomic_add_f32 v[[#]], v[[#]], s[{{.*}}]
; CHECK: s_endpgm
define amdgpu_kernel void @masked_add(ptr addrspace(1) %x, float %v, i32 %n) #0 {
entry:
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %c = icmp slt i32 %t, %n
  %p = getelementptr float, ptr addrspace(1) %x, i32 %t
  br i1 %c, label %do, label %next

do:
  %old = atomicrmw fadd ptr addrspace(1) %p, float %v syncscope("agent") monotonic, !amdgpu.no.fine.grained.memory !0
  br label %next

next:
  ret void
}

; CHECK-LABEL: exchange:
; GFX11: global_atomic_cmpswap_b32 v[[#]], v[[#]], v[{{.*}}], s[{{.*}}] glc
; GFX11: buffer_gl1_inv
; GFX12: global_atomic_cmpswap_b32 v[[#]], v[[#]], v[{{.*}}], s[{{.*}}] th:TH_ATOMIC_RETURN
; GFX12: global_inv scope:SCOPE_DEV
; CHECK: s_endpgm
define amdgpu_kernel void @exchange(ptr addrspace(1) %x, i32 %a, i32 %b) #0 {
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %x, i32 %t
  %pair = cmpxchg ptr addrspace(1) %p, i32 %a, i32 %b syncscope("agent") acq_rel acquire
  %old = extractvalue { i32, i1 } %pair, 0
  %q = getelementptr i8, ptr addrspace(1) %p, i64 1024
  store i32 %old, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: shared:
; CHECK: ds_add_{{(rtn_)?}}u32
; CHECK: s_endpgm
define amdgpu_kernel void @shared(ptr addrspace(1) %x) #0 {
  %t = call range(i32 0, 128) i32 @llvm.amdgcn.workitem.id.x()
  %s = getelementptr i32, ptr addrspace(3) @memory, i32 %t
  %old = atomicrmw add ptr addrspace(3) %s, i32 %t syncscope("workgroup") monotonic
  ret void
}

@memory = internal addrspace(3) global [512 x i8] undef, align 16

attributes #0 = { "amdgpu-flat-work-group-size"="128,128" "uniform-work-group-size"="true" }
!0 = !{}
