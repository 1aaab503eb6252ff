; RUN: tilewright-emit %s --target=cuda:90 | FileCheck %s
; RUN: %if ptxas %{ tilewright-emit %s --target=cuda:90 -o %t.ptx && %ptxas -arch sm_90a %t.ptx -o %t.cubin %}

; Atomic operations with their order and scope, in vectors, under predicates.

; CHECK-LABEL: .entry orders(
; CHECK:       atom.global.gpu.acq_rel.add.u32
; CHECK:       atom.global.cta.acquire.max.s32
; CHECK:       atom.global.sys.release.min.u32
; CHECK:       atom.global.gpu.relaxed.xor.b32
; CHECK:       atom.shared.gpu.relaxed.exch.b64
define ptx_kernel void @orders(ptr addrspace(1) %p, ptr addrspace(3) %q, i32 %v, i64 %w) {
  %a = atomicrmw add ptr addrspace(1) %p, i32 %v syncscope("device") acq_rel
  %b = atomicrmw max ptr addrspace(1) %p, i32 %v syncscope("block") acquire
  %c = atomicrmw umin ptr addrspace(1) %p, i32 %v release
  %d = atomicrmw xor ptr addrspace(1) %p, i32 %v syncscope("device") monotonic
  %e = atomicrmw xchg ptr addrspace(3) %q, i64 %w syncscope("device") monotonic
  ret void
}

; A vector is one instruction where there is one.
; CHECK-LABEL: .entry vectors(
; CHECK:       atom.global.gpu.relaxed.add.v4.f32 {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, [%rd{{[0-9]+}}], {
; CHECK:       atom.global.gpu.acq_rel.add.noftz.v4.f16x2 {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, [%rd{{[0-9]+}}], {
; CHECK:       atom.global.gpu.relaxed.add.noftz.bf16x2
; CHECK:       atom.shared.gpu.relaxed.add.noftz.f16x2
define ptx_kernel void @vectors(ptr addrspace(1) %p, ptr addrspace(3) %q, <4 x float> %f, <8 x half> %h, <2 x bfloat> %b, <2 x half> %s) {
  %1 = atomicrmw fadd ptr addrspace(1) %p, <4 x float> %f syncscope("device") monotonic, align 16
  %2 = atomicrmw fadd ptr addrspace(1) %p, <8 x half> %h syncscope("device") acq_rel, align 16
  store <8 x half> %2, ptr addrspace(1) %p
  %3 = atomicrmw fadd ptr addrspace(1) %p, <2 x bfloat> %b syncscope("device") monotonic, align 4
  %4 = atomicrmw fadd ptr addrspace(3) %q, <2 x half> %s syncscope("device") monotonic, align 4
  ret void
}

; Blocks of atomic operations that are branched around become predicated instructions, one after
; the other; where no operation is done, the value is that of the branch.
; CHECK-LABEL: .entry predicates(
; CHECK-NOT:   bra
; CHECK:       @[[P:%p[0-9]+]] atom.global.gpu.acq_rel.add.f32 [[A:%r[0-9]+]],
; CHECK-NOT:   bra
; CHECK:       @%p{{[0-9]+}} atom.global.gpu.relaxed.add.u32
; CHECK-NOT:   bra
; CHECK:       ret;
define ptx_kernel void @predicates(ptr addrspace(1) %p, float %f, i32 %v, i32 %m, i32 %n) {
  %1 = icmp slt i32 %m, %v
  br i1 %1, label %do, label %next
do:
  %2 = atomicrmw fadd ptr addrspace(1) %p, float %f syncscope("device") acq_rel
  br label %next
next:
  %3 = phi float [ %2, %do ], [ 0.0, %0 ]
  %4 = icmp slt i32 %n, %v
  br i1 %4, label %last, label %second
second:
  %5 = add i32 %n, %v
  %6 = atomicrmw add ptr addrspace(1) %p, i32 %5 syncscope("device") monotonic
  br label %last
last:
  store float %3, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: .entry exchange(
; CHECK:       atom.global.acq_rel.gpu.cas.b32 [[OLD:%r[0-9]+]], [%rd{{[0-9]+}}], [[CMP:%r[0-9]+]], %r{{[0-9]+}};
; CHECK:       setp.{{eq|ne}}.b32 %p{{[0-9]+}}, [[OLD]], [[CMP]];
; CHECK:       atom.global.relaxed.gpu.cas.b16
define ptx_kernel void @exchange(ptr addrspace(1) %p, i32 %c, i32 %v, i16 %h) {
  %1 = cmpxchg ptr addrspace(1) %p, i32 %c, i32 %v syncscope("device") acq_rel acquire
  %2 = cmpxchg ptr addrspace(1) %p, i16 0, i16 %h syncscope("device") monotonic monotonic
  %3 = extractvalue { i32, i1 } %1, 0
  %4 = extractvalue { i32, i1 } %1, 1
  %5 = extractvalue { i16, i1 } %2, 0
  %6 = zext i16 %5 to i32
  %7 = select i1 %4, i32 %3, i32 %6
  store i32 %7, ptr addrspace(1) %p
  ret void
}
