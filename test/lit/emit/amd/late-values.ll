; What a loop of products does not use, but what comes after it does, is computed after it.
;
; RUN: tilewright-emit %s --target=hip:gfx1100 --print=assembly | FileCheck %s

; `%row` is wanted in the loop and after it, `%to` after it alone; of the two multiplications by 48
; the second is behind the products.
; CHECK-LABEL: {{^}}results:
; CHECK-NOT:   v_mul_{{.*}}48
; CHECK-NOT:   v_mul_{{.*}}0x30
; CHECK:       v_wmma
; CHECK:       s_cbranch
; CHECK:       v_mul_{{.*}}48
; CHECK:       global_store
define amdgpu_kernel void @results(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %id = call range(i32 0, 32) i32 @llvm.amdgcn.workitem.id.x()
  %row = lshr i32 %id, 1
  %to = mul nuw nsw i32 %row, 48
  %other = mul nuw nsw i32 %row, 32
  %from = getelementptr inbounds i8, ptr addrspace(1) %in, i32 %other
  %a = load <16 x half>, ptr addrspace(1) %from, align 16
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <8 x float> [ zeroinitializer, %entry ], [ %more, %loop ]
  %more = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16(<16 x half> %a, <16 x half> %a, <8 x float> %sum)
  %next = add nuw nsw i32 %i, 1
  %goesOn = icmp slt i32 %next, %n
  br i1 %goesOn, label %loop, label %end

end:
  %q = getelementptr inbounds i8, ptr addrspace(1) %out, i32 %to
  store <8 x float> %more, ptr addrspace(1) %q, align 16
  ret void
}

; What is wanted behind each of two loops is computed behind each.
; CHECK-LABEL: {{^}}twoLoops:
; CHECK-NOT:   v_mul_{{.*}}48
; CHECK:       v_wmma
; CHECK:       s_cbranch
; CHECK:       v_mul_{{.*}}48
; CHECK:       global_store
; CHECK:       v_wmma
; CHECK:       s_cbranch
; CHECK:       v_mul_{{.*}}48
; CHECK:       global_store
define amdgpu_kernel void @twoLoops(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n, i32 %m) {
entry:
  %id = call range(i32 0, 32) i32 @llvm.amdgcn.workitem.id.x()
  %row = lshr i32 %id, 1
  %to = mul nuw nsw i32 %row, 48
  %other = mul nuw nsw i32 %row, 32
  %from = getelementptr inbounds i8, ptr addrspace(1) %in, i32 %other
  %a = load <16 x half>, ptr addrspace(1) %from, align 16
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <8 x float> [ zeroinitializer, %entry ], [ %more, %loop ]
  %more = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16(<16 x half> %a, <16 x half> %a, <8 x float> %sum)
  %next = add nuw nsw i32 %i, 1
  %goesOn = icmp slt i32 %next, %n
  br i1 %goesOn, label %loop, label %middle

middle:
  %between = getelementptr inbounds i8, ptr addrspace(1) %out, i32 %to
  store <8 x float> %more, ptr addrspace(1) %between, align 16
  br label %second

second:
  %j = phi i32 [ 0, %middle ], [ %nextj, %second ]
  %sumj = phi <8 x float> [ %more, %middle ], [ %morej, %second ]
  %morej = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16(<16 x half> %a, <16 x half> %a, <8 x float> %sumj)
  %nextj = add nuw nsw i32 %j, 1
  %goesOnj = icmp slt i32 %nextj, %m
  br i1 %goesOnj, label %second, label %end

end:
  %q = getelementptr inbounds i8, ptr addrspace(1) %in, i32 %to
  store <8 x float> %morej, ptr addrspace(1) %q, align 16
  ret void
}

; What comes from before two loops, of which the inner one multiplies, and is used in the outer one
; alone is computed in each iteration of the outer one, before the products and after them.
; CHECK-LABEL: {{^}}nest:
; CHECK-NOT:   v_mul_{{.*}}48
; CHECK:       {{^}}.LBB2_1:
; CHECK:       v_mul_{{.*}}48
; CHECK:       global_load
; CHECK:       v_wmma
define amdgpu_kernel void @nest(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n, i32 %m) {
entry:
  %id = call range(i32 0, 32) i32 @llvm.amdgcn.workitem.id.x()
  %row = lshr i32 %id, 1
  %from = mul nuw nsw i32 %row, 48
  br label %tile

tile:
  %t = phi i32 [ 0, %entry ], [ %later, %done ]
  %base = getelementptr inbounds i8, ptr addrspace(1) %in, i32 %t
  %p = getelementptr inbounds i8, ptr addrspace(1) %base, i32 %from
  %a = load <16 x half>, ptr addrspace(1) %p, align 16
  br label %loop

loop:
  %i = phi i32 [ 0, %tile ], [ %next, %loop ]
  %sum = phi <8 x float> [ zeroinitializer, %tile ], [ %more, %loop ]
  %more = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16(<16 x half> %a, <16 x half> %a, <8 x float> %sum)
  %next = add nuw nsw i32 %i, 1
  %goesOn = icmp slt i32 %next, %n
  br i1 %goesOn, label %loop, label %done

done:
  %q = getelementptr inbounds i8, ptr addrspace(1) %out, i32 %t
  %to = getelementptr inbounds i8, ptr addrspace(1) %q, i32 %row
  store <8 x float> %more, ptr addrspace(1) %to, align 16
  %later = add nuw nsw i32 %t, 4096
  %again = icmp slt i32 %later, %m
  br i1 %again, label %tile, label %end

end:
  ret void
}
