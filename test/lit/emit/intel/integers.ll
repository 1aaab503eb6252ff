; RUN: split-file %s %t
; RUN: tilewright-emit %t/good.ll --target=xpu:pvc --print=legal | FileCheck %t/good.ll
; RUN: not tilewright-emit %t/bad.ll --target=xpu:pvc 2>&1 | FileCheck %t/bad.ll

;--- good.ll
; Integers of other sizes than 8, 16, 32 and 64 bits.

; CHECK-LABEL: @upper_half(
; CHECK:         %[[HIGH:.*]] = call spir_func i64 @_Z6mul_himm(i64 %a, i64 %b)
; CHECK:         store i64 %[[HIGH]]
; CHECK-NOT:     i128
; CHECK:         ret void
define spir_kernel void @upper_half(ptr addrspace(1) %p, i64 %a, i64 %b) {
  %x = zext i64 %a to i128
  %y = zext i64 %b to i128
  %m = mul i128 %x, %y
  %h = lshr i128 %m, 64
  %t = trunc i128 %h to i64
  store i64 %t, ptr addrspace(1) %p
  ret void
}

; (a + b) / 2, rounded down, without an overflow.
; CHECK-LABEL: @average(
; CHECK-DAG:     %[[LOW:.*]] = add i64 %a, %b
; CHECK-DAG:     icmp ult i64 %[[LOW]], %a
; CHECK-NOT:     i128
; CHECK:         ret void
define spir_kernel void @average(ptr addrspace(1) %p, i64 %a, i64 %b) {
  %x = sext i64 %a to i128
  %y = sext i64 %b to i128
  %s = add i128 %x, %y
  %h = ashr i128 %s, 1
  %t = trunc i128 %h to i64
  store i64 %t, ptr addrspace(1) %p
  ret void
}

; The bits above bit 24 are zero, or copies of the sign where that matters.
; CHECK-LABEL: @three_bytes(
; CHECK:         %[[A:.*]] = and i32 %a, 16777215
; CHECK:         %[[B:.*]] = and i32 %b, 16777215
; CHECK:         %[[SUM:.*]] = add i32 %[[A]], %[[B]]
; CHECK:         %[[CUT:.*]] = and i32 %[[SUM]], 16777215
; CHECK:         %[[UP:.*]] = shl i32 %[[CUT]], 8
; CHECK:         %[[SIGNED:.*]] = ashr i32 %[[UP]], 8
; CHECK:         icmp slt i32 %[[SIGNED]], 0
; CHECK-NOT:     i24
; CHECK:         ret void
define spir_kernel void @three_bytes(ptr addrspace(1) %p, i32 %a, i32 %b) {
  %x = trunc i32 %a to i24
  %y = trunc i32 %b to i24
  %s = add i24 %x, %y
  %n = icmp slt i24 %s, 0
  %r = select i1 %n, i32 1, i32 2
  store i32 %r, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: @loop(
; CHECK:         phi i64 [ 5, %{{.*}} ], [ %[[NEXT:.*]], %loop ]
; CHECK-NOT:     i40
; CHECK:         ret void
define spir_kernel void @loop(ptr addrspace(1) %p, i32 %n) {
  br label %loop
loop:
  %x = phi i40 [ 5, %0 ], [ %y, %loop ]
  %i = phi i32 [ 0, %0 ], [ %j, %loop ]
  %y = mul i40 %x, 3
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %loop, label %done
done:
  %w = zext i40 %y to i64
  store i64 %w, ptr addrspace(1) %p
  ret void
}

;--- bad.ll
; CHECK: error: the code generator reports: {{.*}}operation on an integer of a size that SPIR-V has not: udiv
define spir_kernel void @quotient(ptr addrspace(1) %p, i64 %a, i64 %b) {
  %x = zext i64 %a to i128
  %w = shl i128 %x, 64
  %y = zext i64 %b to i128
  %q = udiv i128 %w, %y
  %t = trunc i128 %q to i64
  store i64 %t, ptr addrspace(1) %p
  ret void
}
