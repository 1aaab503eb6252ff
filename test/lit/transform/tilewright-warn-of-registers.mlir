// RUN: tilewright-opt %s -split-input-file -verify-diagnostics --tilewright-warn-of-registers

#line = #ttg.blocked<{sizePerThread = [512], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {

// Twice 512 registers: both tiles are there before the first one is stored. Their addresses, another
// 1,024, are not counted.
tt.func @two_tiles(%p: tensor<16384x!tt.ptr<f32>, #line>) {
  // expected-note @below {{the largest of the values, 'tensor<16384xf32>', takes 512}}
  %a = tt.load %p : tensor<16384x!tt.ptr<f32>, #line>
  // expected-warning @below {{each thread has values for 1024 registers at once here (cuda:90 has 255): most of them go to memory}}
  // expected-note @below {{make the tiles smaller, or spread them over more than 1 warps}}
  %b = tt.load %p : tensor<16384x!tt.ptr<f32>, #line>
  tt.store %p, %a : tensor<16384x!tt.ptr<f32>, #line>
  tt.store %p, %b : tensor<16384x!tt.ptr<f32>, #line>
  tt.return
}

// The second tile comes when the first one is gone.
tt.func @one_by_one(%p: tensor<16384x!tt.ptr<f32>, #line>) {
  %a = tt.load %p : tensor<16384x!tt.ptr<f32>, #line>
  %twice = arith.addf %a, %a : tensor<16384xf32, #line>
  tt.store %p, %twice : tensor<16384x!tt.ptr<f32>, #line>
  %b = tt.load %p : tensor<16384x!tt.ptr<f32>, #line>
  tt.store %p, %b : tensor<16384x!tt.ptr<f32>, #line>
  tt.return
}

// 512 and 256 registers: 16-bit elements share them. What does not depend on memory is made anew.
tt.func @halves(%p: tensor<16384x!tt.ptr<f32>, #line>, %q: tensor<16384x!tt.ptr<f16>, #line>) {
  %constant = arith.constant dense<1.0> : tensor<16384xf32, #line>
  %a = tt.load %p : tensor<16384x!tt.ptr<f32>, #line>
  %b = tt.load %q : tensor<16384x!tt.ptr<f16>, #line>
  tt.store %p, %a : tensor<16384x!tt.ptr<f32>, #line>
  tt.store %q, %b : tensor<16384x!tt.ptr<f16>, #line>
  tt.store %p, %constant : tensor<16384x!tt.ptr<f32>, #line>
  tt.return
}

// What a loop carries is there all the time, with what an iteration makes: 3 * 512.
tt.func @loop(%p: tensor<16384x!tt.ptr<f32>, #line>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<16384xf32, #line>
  // expected-note @below {{the largest of the values, 'tensor<16384xf32>', takes 512}}
  %sums:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero, %y = %zero) -> (tensor<16384xf32, #line>, tensor<16384xf32, #line>) {
    // expected-warning @below {{each thread has values for 1536 registers at once here}}
    // expected-note @below {{make the tiles smaller}}
    %a = tt.load %p : tensor<16384x!tt.ptr<f32>, #line>
    %u = arith.addf %x, %a : tensor<16384xf32, #line>
    %v = arith.mulf %y, %a : tensor<16384xf32, #line>
    scf.yield %u, %v : tensor<16384xf32, #line>, tensor<16384xf32, #line>
  }
  tt.store %p, %sums#0 : tensor<16384x!tt.ptr<f32>, #line>
  tt.store %p, %sums#1 : tensor<16384x!tt.ptr<f32>, #line>
  tt.return
}
}

// -----

#tile = #ttg.blocked<{sizePerThread = [1, 1024], threadsPerWarp = [32, 1], warpsPerCTA = [1, 1], order = [1, 0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {

// One value a row, whatever the width to which it is broadcast; a sum of two is made element by
// element, as it is stored.
tt.func @broadcast(%p: tensor<32x1x!tt.ptr<f32>, #tile>, %q: tensor<32x1024x!tt.ptr<f32>, #tile>) {
  %a = tt.load %p : tensor<32x1x!tt.ptr<f32>, #tile>
  // expected-warning @below {{each thread has values for 1025 registers at once here}}
  // expected-note @below {{make the tiles smaller}}
  %o = tt.load %q : tensor<32x1024x!tt.ptr<f32>, #tile>
  %wide = tt.broadcast %a : tensor<32x1xf32, #tile> -> tensor<32x1024xf32, #tile>
  tt.store %q, %wide : tensor<32x1024x!tt.ptr<f32>, #tile>
  %sum = arith.addf %wide, %o : tensor<32x1024xf32, #tile>
  tt.store %q, %sum : tensor<32x1024x!tt.ptr<f32>, #tile>
  tt.return
}
}
