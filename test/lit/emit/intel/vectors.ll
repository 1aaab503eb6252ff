; RUN: tilewright-emit %s --target=xpu:pvc --print=legal | FileCheck %s
; RUN: %if spirv-tools %{ tilewright-emit %s --target=xpu:pvc -o %t.spv && spirv-val --target-env spv1.2 %t.spv %}

; Vectors of SPIR-V's sizes, and truth values without bits.

; CHECK-LABEL: @single(
; CHECK-NEXT:    %[[X:.*]] = load float, ptr addrspace(1) %p, align 4, !nontemporal
; CHECK-NEXT:    store float %[[X]], ptr addrspace(1) %q, align 4
; CHECK-NEXT:    ret void
define spir_kernel void @single(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %v = load <1 x float>, ptr addrspace(1) %p, !nontemporal !0
  %x = extractelement <1 x float> %v, i64 0
  %w = insertelement <1 x float> poison, float %x, i64 0
  store <1 x float> %w, ptr addrspace(1) %q
  ret void
}

; What there is stays whole.
; CHECK-LABEL: @whole(
; CHECK-NEXT:    %v = load <8 x half>, ptr addrspace(1) %p, align 16
; CHECK-NEXT:    store <8 x half> %v, ptr addrspace(1) %q, align 16
define spir_kernel void @whole(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %v = load <8 x half>, ptr addrspace(1) %p, align 16
  store <8 x half> %v, ptr addrspace(1) %q, align 16
  ret void
}

; Seven are four and three. Those of the second part are aligned to 8 bytes.
; CHECK-LABEL: @seven(
; CHECK:         load <4 x half>, ptr addrspace(1) %p, align 16
; CHECK:         getelementptr inbounds i8, ptr addrspace(1) %p, i64 8
; CHECK-NEXT:    load <3 x half>, ptr addrspace(1) %{{.*}}, align 8
; CHECK:         store <4 x half> %{{.*}}, ptr addrspace(1) %q, align 16
; CHECK:         store <3 x half> %{{.*}}, ptr addrspace(1) %{{.*}}, align 8
; CHECK-NOT:     <7 x half>
define spir_kernel void @seven(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %v = load <7 x half>, ptr addrspace(1) %p, align 16
  store <7 x half> %v, ptr addrspace(1) %q, align 16
  ret void
}

; InstCombine: bit 0 of byte 3. The load stays one of 16 bytes.
; CHECK-LABEL: @bit_of_byte(
; CHECK-NEXT:    %[[WORDS:.*]] = load <4 x i32>, ptr addrspace(1) %p, align 16
; CHECK-NEXT:    %[[WORD:.*]] = extractelement <4 x i32> %[[WORDS]], i64 0
; CHECK-NEXT:    %[[MOVED:.*]] = lshr i32 %[[WORD]], 24
; CHECK-NEXT:    %[[BIT:.*]] = trunc i32 %[[MOVED]] to i1
; CHECK-NEXT:    select i1 %[[BIT]]
define spir_kernel void @bit_of_byte(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %v = load <128 x i1>, ptr addrspace(1) %p, align 16
  %b = extractelement <128 x i1> %v, i64 24
  %x = select i1 %b, i32 1, i32 2
  store i32 %x, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: @bits_of_byte(
; CHECK-NOT:     bitcast
; CHECK:         lshr i8 %x, 5
; CHECK-NOT:     bitcast
; CHECK:         ret void
define spir_kernel void @bits_of_byte(ptr addrspace(1) %q, i8 %x) {
  %v = bitcast i8 %x to <8 x i1>
  %b = extractelement <8 x i1> %v, i64 5
  %z = zext i1 %b to i32
  store i32 %z, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: @byte_of_bits(
; CHECK-NOT:     bitcast
; CHECK:         zext i1 %{{.*}} to i8
; CHECK-NOT:     bitcast
; CHECK:         ret void
define spir_kernel void @byte_of_bits(ptr addrspace(1) %q, <4 x i32> %x) {
  %v = icmp slt <4 x i32> %x, zeroinitializer
  %b = bitcast <4 x i1> %v to i4
  %z = icmp eq i4 %b, 0
  %s = select i1 %z, i32 1, i32 2
  store i32 %s, ptr addrspace(1) %q
  ret void
}

; Arithmetic on five is arithmetic on each.
; CHECK-LABEL: @arithmetic(
; CHECK-NOT:     <5 x
; CHECK-COUNT-5: fadd float
; CHECK-NOT:     <5 x
; CHECK:         ret void
define spir_kernel void @arithmetic(ptr addrspace(1) %p) {
  %v = load <5 x float>, ptr addrspace(1) %p, align 4
  %s = fadd <5 x float> %v, %v
  store <5 x float> %s, ptr addrspace(1) %p, align 4
  ret void
}

; SPIR-V has no expressions of constants, which are what the folding of a cast leaves that does not
; know the order of bytes.
; CHECK-LABEL: @constants(
; CHECK:         store i16 16896, ptr addrspace(1) %q
; CHECK:         store <2 x i16> <i16 16896, i16 1>, ptr addrspace(1) %q
define spir_kernel void @constants(ptr addrspace(1) %q) {
  store i16 bitcast (<2 x i8> <i8 0, i8 66> to i16), ptr addrspace(1) %q
  store <2 x i16> <i16 bitcast (<2 x i8> <i8 0, i8 66> to i16), i16 1>, ptr addrspace(1) %q
  ret void
}
!0 = !{i32 1}

; One condition for a whole vector becomes one for each element.
; CHECK-LABEL: @select_of_vectors(
; CHECK:         %[[ONE:.*]] = insertelement <4 x i1> poison, i1 %{{.*}}, i64 0
; CHECK-NEXT:    %[[ALL:.*]] = shufflevector <4 x i1> %[[ONE]], <4 x i1> poison, <4 x i32> zeroinitializer
; CHECK-NEXT:    select <4 x i1> %[[ALL]], <4 x float> %a, <4 x float> %b
define spir_kernel void @select_of_vectors(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {
  %a = load <4 x float>, ptr addrspace(1) %p, align 16
  %b = load <4 x float>, ptr addrspace(1) %q, align 16
  %c = icmp slt i32 %n, 3
  %x = select i1 %c, <4 x float> %a, <4 x float> %b
  store <4 x float> %x, ptr addrspace(1) %q, align 16
  ret void
}
