; What comes after products and is computed of a number in a vector register, though all lanes have the
; same: LLVM refuses to copy it as a scalar.
;
; RUN: tilewright-emit %s --target=hip:gfx1201 --print=assembly | FileCheck %s

; CHECK-LABEL: {{^}}loaded_row:
; CHECK:       global_load_b32 [[LOADED:v[0-9]+]]
; CHECK:       v_add_nc_u32_e32 [[ROW:v[0-9]+]], 48, [[LOADED]]
; CHECK:       v_wmma
; CHECK:       s_cbranch
; CHECK-NOT:   v_readfirstlane
; CHECK:       global_store_b32 v{{[0-9]+}}, [[ROW]]
define amdgpu_kernel void @loaded_row(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr addrspace(1) %rows, i32 %n) {
entry:
  %id = call range(i32 0, 32) i32 @llvm.amdgcn.workitem.id.x()
  %own = getelementptr inbounds i32, ptr addrspace(1) %out, i32 %id
  store i32 %id, ptr addrspace(1) %own, align 4
  %row = load i32, ptr addrspace(1) %rows, align 4
  %to = add i32 %row, 48
  %before = getelementptr inbounds i32, ptr addrspace(1) %own, i32 256
  store i32 %to, ptr addrspace(1) %before, align 4
  %from = getelementptr inbounds <8 x half>, ptr addrspace(1) %in, i32 %id
  %a = load <8 x half>, ptr addrspace(1) %from, align 16
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <8 x float> [ zeroinitializer, %entry ], [ %more, %loop ]
  %more = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> %a, <8 x half> %a, <8 x float> %sum)
  %next = add nuw nsw i32 %i, 1
  %goesOn = icmp slt i32 %next, %n
  br i1 %goesOn, label %loop, label %end

end:
  %q = getelementptr inbounds i32, ptr addrspace(1) %out, i32 %id
  store i32 %to, ptr addrspace(1) %q, align 4
  %r = getelementptr inbounds i32, ptr addrspace(1) %q, i32 64
  store <8 x float> %more, ptr addrspace(1) %r, align 16
  ret void
}
