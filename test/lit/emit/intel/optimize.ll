; RUN: tilewright-emit %s --target=xpu:bmg --print=llir | FileCheck %s
; RUN: sed -e "s/spir_kernel/ptx_kernel/" %s | tilewright-emit - --target=cuda:90 --print=llir | FileCheck %s --check-prefix=ALL

; The driver's compiler optimises as LLVM does: the loop is turned and what does not change leaves
; it, but that what it gives is a product is for the driver to find.

; CHECK-LABEL: @multiples(
; CHECK: mul i32 %step, 3
; CHECK: {{^}}[[LOOP:[^:]+]]:
; CHECK-NOT: mul
; CHECK: phi i32
; CHECK: br i1 %{{.*}}, label %[[LOOP]]
; CHECK: ret void

; ALL-LABEL: @multiples(
; ALL-NOT: phi i32
; ALL: ret void
define spir_kernel void @multiples(ptr addrspace(1) %out, i32 %n, i32 %step) {
entry:
  br label %test
test:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %sum = phi i32 [ 0, %entry ], [ %more, %body ]
  %goesOn = icmp slt i32 %i, %n
  br i1 %goesOn, label %body, label %exit
body:
  %three = mul i32 %step, 3
  %more = add i32 %sum, %three
  %next = add nsw i32 %i, 1
  br label %test
exit:
  store i32 %sum, ptr addrspace(1) %out
  ret void
}
