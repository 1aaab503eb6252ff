// RUN: tilewright-opt %s --split-input-file --verify-diagnostics --allocate-shared-memory --convert-triton-gpu-to-llvm

// There is nobody on the host who would print.

module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx1100"} {
  tt.func public @print(%x: i32) {
    // expected-error@below {{'tt.print' op cannot be lowered for hip:gfx1100 since kernels cannot print there}}
    // expected-note@below {{store the values and print them on the host, or compile for another target}}
    tt.print "x: " {hex = false, isSigned = array<i32: 1>} : %x : i32
    tt.return
  }
}
