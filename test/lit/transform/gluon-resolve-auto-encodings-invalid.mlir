// RUN: tilewright-opt %s --split-input-file --gluon-resolve-auto-encodings --verify-diagnostics

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @open() -> tensor<256xi32, #gluon.auto_encoding> {
    // expected-error @below {{no layout follows for this tensor, whose layout is left open}}
    // expected-note @below {{help: give it one with layout=.., or decide it with gl.set_auto_layout}}
    %0 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #gluon.auto_encoding>
    tt.return %0 : tensor<256xi32, #gluon.auto_encoding>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @both(%p: tensor<256x!tt.ptr<i32>, #gluon.auto_encoding>) -> (tensor<256xi32, #blocked>, tensor<256xi32, #blocked1>) {
    // expected-error @below {{two layouts follow for this tensor}}
    // expected-note @below {{help: give it a layout where it is made}}
    %0 = tt.load %p : tensor<256x!tt.ptr<i32>, #gluon.auto_encoding>
    %1 = gluon.set_auto_layout %0 : tensor<256xi32, #gluon.auto_encoding> -> tensor<256xi32, #blocked>
    %2 = gluon.set_auto_layout %0 : tensor<256xi32, #gluon.auto_encoding> -> tensor<256xi32, #blocked1>
    tt.return %1, %2 : tensor<256xi32, #blocked>, tensor<256xi32, #blocked1>
  }
}
