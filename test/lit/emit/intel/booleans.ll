; The lowest bit of a word as a truth value, widened to a byte: the back end's own truncation to i1
; makes an OpBitwiseAnd of operands of two widths, which no validator takes.
; RUN: tilewright-emit %s --target=xpu:pvc --print=legal | FileCheck %s
; RUN: %if spirv-tools %{ tilewright-emit %s --target=xpu:pvc -o %t.spv && spirv-val --target-env spv1.2 %t.spv %}

; CHECK-LABEL: @lowest_bit(
; CHECK:         %[[BIT:.*]] = and i32 %x, 1
; CHECK:         %[[TRUTH:.*]] = icmp ne i32 %[[BIT]], 0
; CHECK:         zext i1 %[[TRUTH]] to i8
define spir_kernel void @lowest_bit(ptr addrspace(1) %p, i32 %x) {
  %t = trunc i32 %x to i1
  %b = zext i1 %t to i8
  store i8 %b, ptr addrspace(1) %p
  ret void
}
