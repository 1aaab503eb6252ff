// RUN: tilewright-opt %s --tritongpu-assign-latencies=num-stages=4 | FileCheck %s

#a = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#oa = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#ob = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
!wide = tensor<128x128x!tt.ptr<f16>, #b>
!narrow = tensor<128x32x!tt.ptr<f16>, #a>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// Four stages of both tiles fit if nothing else needs memory. Where the elements that the mask
// leaves out are not zero, they are put into the loaded tile, which is converted after that.
// CHECK-LABEL: @zero_outside
// CHECK-COUNT-2: tt.load {{.*}}tt.latency = 3 : i32
tt.func @zero_outside(%p: !wide {tt.divisibility = 16 : i32, tt.contiguity = 128 : i32},
                      %q: !narrow {tt.divisibility = 16 : i32, tt.contiguity = 32 : i32},
                      %mask: tensor<128x128xi1, #b> {tt.constancy = 128 : i32}, %n: i32) -> tensor<128x32xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x32xf32, #mma>
  %outside = arith.constant dense<0.0> : tensor<128x128xf16, #b>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x32xf32, #mma>) : i32 {
    %x = tt.load %p, %mask, %outside : !wide
    %y = tt.load %q : !narrow
    %xo = ttg.convert_layout %x : tensor<128x128xf16, #b> -> tensor<128x128xf16, #oa>
    %yo = ttg.convert_layout %y : tensor<128x32xf16, #a> -> tensor<128x32xf16, #ob>
    %s = tt.dot %xo, %yo, %acc : tensor<128x128xf16, #oa> * tensor<128x32xf16, #ob> -> tensor<128x32xf32, #mma>
    scf.yield %s : tensor<128x32xf32, #mma>
  }
  tt.return %r : tensor<128x32xf32, #mma>
}

// CHECK-LABEL: @one_outside
// CHECK-COUNT-2: tt.load {{.*}}tt.latency = 2 : i32
tt.func @one_outside(%p: !wide {tt.divisibility = 16 : i32, tt.contiguity = 128 : i32},
                     %q: !narrow {tt.divisibility = 16 : i32, tt.contiguity = 32 : i32},
                     %mask: tensor<128x128xi1, #b> {tt.constancy = 128 : i32}, %n: i32) -> tensor<128x32xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x32xf32, #mma>
  %outside = arith.constant dense<1.0> : tensor<128x128xf16, #b>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x32xf32, #mma>) : i32 {
    %x = tt.load %p, %mask, %outside : !wide
    %y = tt.load %q : !narrow
    %xo = ttg.convert_layout %x : tensor<128x128xf16, #b> -> tensor<128x128xf16, #oa>
    %yo = ttg.convert_layout %y : tensor<128x32xf16, #a> -> tensor<128x32xf16, #ob>
    %s = tt.dot %xo, %yo, %acc : tensor<128x128xf16, #oa> * tensor<128x32xf16, #ob> -> tensor<128x32xf32, #mma>
    scf.yield %s : tensor<128x32xf32, #mma>
  }
  tt.return %r : tensor<128x32xf32, #mma>
}

}
