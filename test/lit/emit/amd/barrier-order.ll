; RUN: tilewright-emit %s --target=hip:gfx1100 --print=assembly | FileCheck %s --check-prefixes=CHECK,GFX11
; RUN: tilewright-emit %s --target=hip:gfx1201 --print=assembly | FileCheck %s --check-prefixes=CHECK,GFX12

; What is loaded from LDS before a barrier is, even if one branch alone uses it.

@memory = internal addrspace(3) global [1024 x i8] undef, align 16

; CHECK-LABEL: {{^}}before:
; CHECK:       ds_load_b32
; GFX11:       s_barrier
; GFX12:       s_barrier_signal
; CHECK-NOT:   ds_load
; CHECK:       global_store_b32
; CHECK:       s_endpgm
define amdgpu_kernel void @before(ptr addrspace(1) %out, i32 %n) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr inbounds i32, ptr addrspace(3) @memory, i32 %id
  %x = load i32, ptr addrspace(3) %p, align 4
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %used = icmp eq i32 %n, 0
  br i1 %used, label %then, label %end

then:
  %q = getelementptr inbounds i32, ptr addrspace(1) %out, i32 %id
  store i32 %x, ptr addrspace(1) %q, align 4
  br label %end

end:
  ret void
}
