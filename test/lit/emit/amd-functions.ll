; RUN: tilewright-emit %s --target=hip:gfx1100 --print=assembly | FileCheck %s

; What a function uses that is not inlined, its kernel must have been handed: its place in the
; grid, and the hidden arguments.

; CHECK-DAG: .amdhsa_kernarg_size 264
; CHECK-DAG: .amdhsa_system_sgpr_workgroup_id_y 1
; CHECK-DAG: .amdhsa_uses_dynamic_stack 0

declare i32 @llvm.amdgcn.workgroup.id.y()
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()

define internal void @callee(ptr addrspace(1) %p) noinline norecurse {
  %y = call i32 @llvm.amdgcn.workgroup.id.y()
  %hidden = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %n = load i32, ptr addrspace(4) %hidden
  %sum = add i32 %y, %n
  store i32 %sum, ptr addrspace(1) %p
  ret void
}

define amdgpu_kernel void @kernel(ptr addrspace(1) %p) {
  call void @callee(ptr addrspace(1) %p)
  ret void
}
