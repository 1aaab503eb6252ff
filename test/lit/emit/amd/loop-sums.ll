; Of a loop's counter, a number of the lane and constants, the constants are added last: no register
; holds a lane's number and a constant through the loop.
;
; RUN: tilewright-emit %s --target=hip:gfx1100 --print=assembly | FileCheck %s

; CHECK-LABEL: {{^}}sums:
; CHECK-NOT:   v_or_b32{{.*}} 0x80
; CHECK-NOT:   v_or_b32{{.*}} 0x100
; CHECK:       v_wmma
; CHECK-DAG:   v_add{{.*}} 0x80
; CHECK-DAG:   v_add{{.*}} 0x100
; CHECK:       s_cbranch
define amdgpu_kernel void @sums(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %id = call range(i32 0, 32) i32 @llvm.amdgcn.workitem.id.x()
  %v1 = or disjoint i32 %id, 128
  %v2 = or disjoint i32 %id, 256
  %a = load <16 x half>, ptr addrspace(1) %in, align 16
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <8 x float> [ zeroinitializer, %entry ], [ %more, %loop ]
  %more = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16(<16 x half> %a, <16 x half> %a, <8 x float> %sum)
  %c1 = add i32 %i, %v1
  %c2 = add i32 %i, %v2
  %product = mul i32 %c1, %c2
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %id
  %old = atomicrmw add ptr addrspace(1) %p, i32 %product syncscope("agent") monotonic
  %next = add nuw nsw i32 %i, 1
  %goesOn = icmp slt i32 %next, %n
  br i1 %goesOn, label %loop, label %end

end:
  store <8 x float> %more, ptr addrspace(1) %out, align 16
  ret void
}
