; REQUIRES: spirv-tools
; RUN: tilewright-emit %s --target=xpu:pvc -o %t.spv
; RUN: spirv-val --target-env spv1.2 %t.spv
; RUN: spirv-dis --raw-id %t.spv | FileCheck %s

; The flags that SPIR-V's decoration has, each for itself. reassoc is not one of them: `Fast`, which
; LLVM's back end writes for it, is said only where all flags are.

; CHECK-NOT: FPFastMathMode
; CHECK-DAG: OpDecorate %[[NNAN:[0-9]+]] FPFastMathMode NotNaN{{$}}
; CHECK-DAG: OpDecorate %[[NINF:[0-9]+]] FPFastMathMode NotInf{{$}}
; CHECK-DAG: OpDecorate %[[NSZ:[0-9]+]] FPFastMathMode NSZ{{$}}
; CHECK-DAG: OpDecorate %[[ARCP:[0-9]+]] FPFastMathMode AllowRecip{{$}}
; CHECK-DAG: OpDecorate %[[FOUR:[0-9]+]] FPFastMathMode NotNaN|NotInf|NSZ|AllowRecip{{$}}
; CHECK-DAG: OpDecorate %[[FAST:[0-9]+]] FPFastMathMode NotNaN|NotInf|NSZ|AllowRecip|Fast{{$}}
; CHECK-NOT: FPFastMathMode
define spir_kernel void @flags(ptr addrspace(1) %p, float %x, float %y) {
; CHECK:     OpFunction
  %reassoc = fmul reassoc float %x, %y
  %contract = fadd contract float %reassoc, %y
  %afn = fdiv afn float %contract, %x
  %several = fmul reassoc afn contract float %afn, %y
; CHECK:     %[[NNAN]] = OpFAdd
  %nnan = fadd nnan reassoc float %several, %x
; CHECK:     %[[NINF]] = OpFSub
  %ninf = fsub ninf contract float %nnan, %y
; CHECK:     %[[NSZ]] = OpFMul
  %nsz = fmul nsz afn float %ninf, %y
; CHECK:     %[[ARCP]] = OpFDiv
  %arcp = fdiv arcp afn float %nsz, %x
; CHECK:     %[[FOUR]] = OpFAdd
  %four = fadd nnan ninf nsz arcp reassoc float %arcp, %y
; CHECK:     %[[FAST]] = OpFMul
  %fast = fmul fast float %four, %x
  store float %fast, ptr addrspace(1) %p
  ret void
}
