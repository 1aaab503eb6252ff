// RUN: tilewright-opt %s --verify-diagnostics --convert-triton-gpu-to-llvm

#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // Both errors are found in one run.
  tt.func private @forgotten(%x: tensor<512xi32, #a>) -> (tensor<512xi32, #b>, i32) {
    // expected-error@below {{'ttg.convert_layout' op cannot be lowered for cuda:90 before allocate-shared-memory has placed its scratch}}
    %y = ttg.convert_layout %x : tensor<512xi32, #a> -> tensor<512xi32, #b>
    // expected-error@below {{'tt.reduce' op cannot be lowered for cuda:90 before allocate-shared-memory has placed its scratch}}
    %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%l: i32, %r: i32):
      %c = arith.addi %l, %r : i32
      tt.reduce.return %c : i32
    }) : (tensor<512xi32, #a>) -> i32
    tt.return %y, %s : tensor<512xi32, #b>, i32
  }
}
