// RUN: tilewright-opt %s -split-input-file --allocate-shared-memory --convert-triton-gpu-to-llvm -verify-diagnostics -o /dev/null

// Products whose operands are laid out for matrix units, and that no instruction computes: by
// multiply-adds, with a warning.

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func private @types(%a: tensor<32x32xf16, #a>, %b: tensor<32x32xf16, #b>, %c: tensor<32x32xf64, #mma>, %e: tensor<32x32xf32, #mma>) {
    // expected-warning @below {{'tt.dot' op is computed by multiply-adds, though its operands are laid out for matrix units: cuda:80 has none for 'f16' and 'f16' with sums of 'f64'}}
    // expected-note @below {{compile the kernel's TTIR for cuda:80, which chooses the layouts}}
    %d = tt.dot %a, %b, %c : tensor<32x32xf16, #a> * tensor<32x32xf16, #b> -> tensor<32x32xf64, #mma>
    %f = tt.dot %a, %b, %e : tensor<32x32xf16, #a> * tensor<32x32xf16, #b> -> tensor<32x32xf32, #mma>
    tt.return
  }
}

// -----

// The layouts of another version.

#wmma = #ttg.amd_wmma<{version = 1, isTranspose = true, warpsPerCTA = [2, 2]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #wmma, kWidth = 16}>
#b = #ttg.dot_op<{opIdx = 1, parent = #wmma, kWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1201", "ttg.threads-per-warp" = 32 : i32} {
  tt.func private @version(%a: tensor<32x32xf16, #a>, %b: tensor<32x32xf16, #b>, %c: tensor<32x32xf32, #wmma>) {
    // expected-warning @below {{hip:gfx1201 has none whose fragments have these layouts}}
    // expected-note @below {{compile the kernel's TTIR for hip:gfx1201, which chooses the layouts}}
    %d = tt.dot %a, %b, %c : tensor<32x32xf16, #a> * tensor<32x32xf16, #b> -> tensor<32x32xf32, #wmma>
    tt.return
  }
}

// -----

#dpas = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 8, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [1, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #dpas, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #dpas, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu:bmg", "ttg.threads-per-warp" = 16 : i32} {
  tt.func private @lanes(%a: tensor<32x32xf16, #a>, %b: tensor<32x32xf16, #b>, %c: tensor<32x32xf32, #dpas>) {
    // expected-warning @below {{xpu:bmg has none whose fragments have these layouts}}
    // expected-note @below {{compile the kernel's TTIR for xpu:bmg, which chooses the layouts}}
    %d = tt.dot %a, %b, %c : tensor<32x32xf16, #a> * tensor<32x32xf16, #b> -> tensor<32x32xf32, #dpas>
    tt.return
  }
}

// -----

// Sub-groups of 32: DPAS multiplies for those of 16.

#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [4, 8], warpsPerCTA = [2, 2], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu:pvc", "ttg.threads-per-warp" = 32 : i32} {
  tt.func private @warps(%a: tensor<32x32xf16, #a>, %b: tensor<32x32xf16, #b>, %c: tensor<32x32xf32, #blocked>, %d: tensor<32x32xf64, #a>, %e: tensor<32x32xf64, #b>, %f: tensor<32x32xf64, #blocked>) {
    // expected-warning @below {{'tt.dot' op is computed by multiply-adds: the matrix unit of xpu:pvc works for warps of 16 threads, and these have 32}}
    // expected-note @below {{give --threads-per-warp 16}}
    %g = tt.dot %a, %b, %c : tensor<32x32xf16, #a> * tensor<32x32xf16, #b> -> tensor<32x32xf32, #blocked>
    // No unit has f64.
    %h = tt.dot %d, %e, %f : tensor<32x32xf64, #a> * tensor<32x32xf64, #b> -> tensor<32x32xf64, #blocked>
    tt.return
  }
}
