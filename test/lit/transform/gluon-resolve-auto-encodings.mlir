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

// -----

// A constant says nothing of its uses: what each is compared with decides, and it is made twice.

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @shared_constant
  // CHECK-DAG: arith.constant dense<10> : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
  // CHECK-DAG: arith.constant dense<10> : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
  // CHECK-NOT: auto_encoding
  tt.func @shared_constant() -> (tensor<1x16xi1, #blocked>, tensor<16x1xi1, #blocked>) {
    %ten = arith.constant dense<10> : tensor<16xi32, #gluon.auto_encoding>
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #gluon.auto_encoding>
    %1 = arith.cmpi slt, %0, %ten : tensor<16xi32, #gluon.auto_encoding>
    %2 = tt.expand_dims %1 {axis = 0 : i32} : tensor<16xi1, #gluon.auto_encoding> -> tensor<1x16xi1, #gluon.auto_encoding>
    %3 = gluon.set_auto_layout %2 : tensor<1x16xi1, #gluon.auto_encoding> -> tensor<1x16xi1, #blocked>
    %4 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #gluon.auto_encoding>
    %5 = arith.cmpi slt, %4, %ten : tensor<16xi32, #gluon.auto_encoding>
    %6 = tt.expand_dims %5 {axis = 1 : i32} : tensor<16xi1, #gluon.auto_encoding> -> tensor<16x1xi1, #gluon.auto_encoding>
    %7 = gluon.set_auto_layout %6 : tensor<16x1xi1, #gluon.auto_encoding> -> tensor<16x1xi1, #blocked>
    tt.return %3, %7 : tensor<1x16xi1, #blocked>, tensor<16x1xi1, #blocked>
  }
}

// -----

// Nothing follows for a value that nothing uses: it goes.

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @unused
  // CHECK-NEXT: tt.return
  tt.func @unused() {
    %0 = arith.constant dense<1> : tensor<16xi32, #gluon.auto_encoding>
    %1 = arith.addi %0, %0 : tensor<16xi32, #gluon.auto_encoding>
    tt.return
  }
}
