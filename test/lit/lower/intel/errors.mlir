// RUN: tilewright-opt %s --allocate-shared-memory --convert-triton-gpu-to-llvm --verify-diagnostics

module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttg.target = "xpu:bmg"} {
  tt.func public @what_there_is_not(%x: i32, %c: i1) {
    // expected-error @+2 {{cannot be lowered for xpu:bmg since kernels cannot hold assembly there}}
    // expected-note @+1 {{write it in terms of other operations, or compile for another target}}
    %y = tt.elementwise_inline_asm "mov.u32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x : i32 -> i32
    // expected-error @+2 {{cannot be lowered for xpu:bmg since kernels cannot stop with a message there}}
    // expected-note @+1 {{without --debug a kernel's assertions are left out}}
    tt.assert %c, "no" : i1
    tt.return
  }
}
