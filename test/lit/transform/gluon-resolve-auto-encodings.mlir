// RUN: tilewright-opt %s --split-input-file --gluon-resolve-auto-encodings | FileCheck %s

// From the op that decides back to what its operand is computed from: the slices follow, and a
// range that is wanted in two layouts is made twice.

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @expanded
  // CHECK-NEXT: %[[A:.*]] = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
  // CHECK-NEXT: %[[B:.*]] = tt.expand_dims %[[A]] {axis = 1 : i32} : {{.*}} -> tensor<32x1xi32, #blocked>
  // CHECK-NEXT: %[[C:.*]] = tt.broadcast %[[B]] : tensor<32x1xi32, #blocked> -> tensor<32x64xi32, #blocked>
  // CHECK-NEXT: tt.return %[[C]] : tensor<32x64xi32, #blocked>
  tt.func @expanded() -> tensor<32x64xi32, #blocked> {
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #gluon.auto_encoding>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<32xi32, #gluon.auto_encoding> -> tensor<32x1xi32, #gluon.auto_encoding>
    %2 = tt.broadcast %1 : tensor<32x1xi32, #gluon.auto_encoding> -> tensor<32x64xi32, #gluon.auto_encoding>
    %3 = gluon.set_auto_layout %2 : tensor<32x64xi32, #gluon.auto_encoding> -> tensor<32x64xi32, #blocked>
    tt.return %3 : tensor<32x64xi32, #blocked>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @twice
  // CHECK-DAG: tt.make_range {{.*}} : tensor<256xi32, #blocked>
  // CHECK-DAG: tt.make_range {{.*}} : tensor<256xi32, #blocked1>
  // CHECK-NOT: gluon
  tt.func @twice() -> (tensor<256xi32, #blocked>, tensor<256xi32, #blocked1>) {
    %0 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #gluon.auto_encoding>
    %1 = gluon.set_auto_layout %0 : tensor<256xi32, #gluon.auto_encoding> -> tensor<256xi32, #blocked>
    %2 = gluon.set_auto_layout %0 : tensor<256xi32, #gluon.auto_encoding> -> tensor<256xi32, #blocked1>
    tt.return %1, %2 : tensor<256xi32, #blocked>, tensor<256xi32, #blocked1>
  }
}

// -----

// What a loop carries has one layout: that of what goes in, of the argument, of what is yielded and
// of the result.

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @carried
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (tensor<256xi32, #blocked>)
  // CHECK-NEXT: arith.addi {{.*}} : tensor<256xi32, #blocked>
  // CHECK-NOT: gluon
  tt.func @carried(%n: i32) -> tensor<256xi32, #blocked> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %0 = arith.constant dense<0> : tensor<256xi32, #gluon.auto_encoding>
    %1 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #gluon.auto_encoding>
    %2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %0) -> (tensor<256xi32, #gluon.auto_encoding>) : i32 {
      %3 = arith.addi %sum, %1 : tensor<256xi32, #gluon.auto_encoding>
      scf.yield %3 : tensor<256xi32, #gluon.auto_encoding>
    }
    %4 = gluon.set_auto_layout %2 : tensor<256xi32, #gluon.auto_encoding> -> tensor<256xi32, #blocked>
    tt.return %4 : tensor<256xi32, #blocked>
  }
}
