; RUN: split-file %s %t
; RUN: not tilewright-emit %t/select.ll --target=cuda:80 2>&1 | FileCheck %s --check-prefix=SELECT
; RUN: not tilewright-emit %t/asm.ll --target=cuda:80 2>&1 | FileCheck %s --check-prefix=ASM

; What the back end cannot do is an error like any other, whatever LLVM does about it.

; SELECT: kernel.ttgir:6:10: error: the code generator gave up: Cannot select: intrinsic %llvm.nvvm.wgmma.fence.sync.aligned
; ASM: error: the code generator reports: {{.*}}constraint

;--- select.ll
define ptx_kernel void @kernel() !dbg !3 {
  call void @llvm.nvvm.wgmma.fence.sync.aligned(), !dbg !4
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "kernel.ttgir", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "kernel", file: !1, line: 5, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DILocation(line: 6, column: 10, scope: !3)
!5 = !DISubroutineType(types: !{})

;--- asm.ll
define ptx_kernel void @kernel(ptr addrspace(1) %x) {
  %v = call i32 asm "mov.b32 $0, $1;", "=r,Y"(i32 1)
  store i32 %v, ptr addrspace(1) %x
  ret void
}
