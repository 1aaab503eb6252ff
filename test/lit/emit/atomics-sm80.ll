; RUN: tilewright-emit %s --target=cuda:80 | FileCheck %s
; RUN: tilewright-emit %s --target=cuda:90 | FileCheck %s --check-prefix=SM90
; RUN: %if ptxas %{ tilewright-emit %s --target=cuda:80 -o %t.ptx && %ptxas -arch sm_80 %t.ptx -o %t.cubin %}

; Before compute capability 9.0 there are pairs of f16, and neither vectors nor bf16: what a GPU has no
; instruction for becomes a loop.

; CHECK-LABEL: .entry pairs(
; CHECK:       atom.global.gpu.relaxed.add.noftz.f16x2
; SM90-LABEL:  .entry pairs(
; SM90:        atom.global.gpu.relaxed.add.noftz.f16x2
define ptx_kernel void @pairs(ptr addrspace(1) %p, <2 x half> %h) {
  %1 = atomicrmw fadd ptr addrspace(1) %p, <2 x half> %h syncscope("device") monotonic, align 4
  ret void
}

; CHECK-LABEL: .entry bfloat(
; CHECK:       atom.{{.*}}gpu.global.cas.b32
; SM90-LABEL:  .entry bfloat(
; SM90:        @%p{{[0-9]+}} atom.global.gpu.acq_rel.add.noftz.bf16
define ptx_kernel void @bfloat(ptr addrspace(1) %p, bfloat %b, i1 %on) {
  br i1 %on, label %do, label %end
do:
  %1 = atomicrmw fadd ptr addrspace(1) %p, bfloat %b syncscope("device") acq_rel
  br label %end
end:
  ret void
}
