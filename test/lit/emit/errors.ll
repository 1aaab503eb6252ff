; RUN: split-file %s %t
; RUN: not tilewright-emit %t/select.ll --target=cuda:80 2>&1 | FileCheck %s --check-prefix=SELECT
; RUN: not tilewright-emit %t/asm.ll --target=cuda:80 2>&1 | FileCheck %s --check-prefix=ASM

; What the back end cannot do is an error like any other, whatever LLVM does about it.

; SELECT: error: the code generator gave up: Cannot select: intrinsic %llvm.nvvm.wgmma.fence.sync.aligned
; ASM: error: the code generator reports: {{.*}}constraint

;--- select.ll
define ptx_kernel void @kernel() {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  ret void
}

;--- asm.ll
define ptx_kernel void @kernel(ptr addrspace(1) %x) {
  %v = call i32 asm "mov.b32 $0, $1;", "=r,Y"(i32 1)
  store i32 %v, ptr addrspace(1) %x
  ret void
}
