// RUN: tilewright-opt %s --triton-rewrite-tensor-pointer --canonicalize --cse | FileCheck %s

// Pointers are the base and a sum of one product a dimension; only what is to be checked has a
// mask, and only what is masked a padding.

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-LABEL: tt.func public @checked(
// CHECK-SAME: %[[BASE:[^ ]*]]: !tt.ptr<f16>, %[[ROWS:[^ ]*]]: i64, %[[STRIDE:[^ ]*]]: i64, %[[I:[^ ]*]]: i32
// CHECK-DAG: %[[NAN:.*]] = arith.constant dense<0x7E00> : tensor<16x32xf16>
// CHECK: %[[FROM:.*]] = arith.extsi %[[I]] : i32 to i64
// CHECK: %[[FROMS:.*]] = tt.splat %[[FROM]] : i64 -> tensor<16xi64>
// CHECK: %[[AT:.*]] = arith.addi %{{.*}} : tensor<16xi64>
// CHECK: %[[NOT:.*]] = arith.cmpi sge, %[[AT]]
// CHECK: %[[SIZE:.*]] = tt.splat %[[ROWS]] : i64 -> tensor<16xi64>
// CHECK: %[[BELOW:.*]] = arith.cmpi slt, %[[AT]], %[[SIZE]]
// CHECK: %[[IN:.*]] = arith.andi %[[NOT]], %[[BELOW]]
// CHECK: %[[LINE:.*]] = tt.expand_dims %[[IN]] {axis = 1 : i32}
// CHECK: %[[MASK:.*]] = tt.broadcast %[[LINE]]
// CHECK-NOT: arith.cmpi
// CHECK: tt.load %[[P:.*]], %[[MASK]], %[[NAN]] cacheModifier = ca evictionPolicy = evict_first {isVolatile = true} : tensor<16x32x!tt.ptr<f16>>
// CHECK: tt.store %[[P]], %{{.*}} cacheModifier = cs : tensor<16x32x!tt.ptr<f16>>
tt.func public @checked(%base: !tt.ptr<f16>, %rows: i64, %stride: i64, %i: i32) {
  %c1 = arith.constant 1 : i64
  %p = tt.make_tensor_ptr %base, [%rows, %rows], [%stride, %c1], [%i, %i] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
  %x = tt.load %p cacheModifier = ca evictionPolicy = evict_first {boundaryCheck = array<i32: 0>, isVolatile = true, padding = 2 : i32} : !tt.ptr<tensor<16x32xf16>>
  tt.store %p, %x cacheModifier = cs : !tt.ptr<tensor<16x32xf16>>
  tt.return
}

// A layout is kept: lines have slices of it.
// CHECK-LABEL: tt.func public @layout(
// CHECK: tt.make_range {{.*}} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
// CHECK: tt.make_range {{.*}} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
// CHECK: tt.load %{{.*}} : tensor<16x32x!tt.ptr<f16>, #blocked>
tt.func public @layout(%base: !tt.ptr<f16>, %n: i64, %i: i32) -> tensor<16x32xf16, #blocked> {
  %p = tt.make_tensor_ptr %base, [%n, %n], [%n, %n], [%i, %i] {order = array<i32: 1, 0>} : <tensor<16x32xf16, #blocked>>
  %x = tt.load %p : !tt.ptr<tensor<16x32xf16, #blocked>>
  tt.return %x : tensor<16x32xf16, #blocked>
}

// Through loops, branches, selects and calls; what a loop does not change it does not carry.
// CHECK-LABEL: tt.func public @carried(
// CHECK: scf.for {{.*}} iter_args(%[[O:[^ ]*]] = %{{[^ ]*}}) -> (i32) : i32 {
// CHECK: arith.addi %[[O]], %{{.*}} : i32
// CHECK: arith.select %{{.*}} : i32
// CHECK: tt.call @load({{.*}}) : (!tt.ptr<f16>, i64, i64, i32) -> tensor<16xf16>
// CHECK: tt.func private @load(%{{.*}}: !tt.ptr<f16>, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i32)
tt.func public @carried(%base: !tt.ptr<f16>, %n: i64, %i: i32, %b: i1) -> tensor<16xf16> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %p = tt.make_tensor_ptr %base, [%n], [%n], [%i] {order = array<i32: 0>} : <tensor<16xf16>>
  %q = scf.for %k = %c0 to %i step %c1 iter_args(%r = %p) -> (!tt.ptr<tensor<16xf16>>) : i32 {
    %s = tt.advance %r, [%k] : <tensor<16xf16>>
    scf.yield %s : !tt.ptr<tensor<16xf16>>
  }
  %t = arith.select %b, %p, %q : !tt.ptr<tensor<16xf16>>
  %x = tt.call @load(%t) : (!tt.ptr<tensor<16xf16>>) -> tensor<16xf16>
  tt.return %x : tensor<16xf16>
}
tt.func private @load(%p: !tt.ptr<tensor<16xf16>>) -> tensor<16xf16> {
  %x = tt.load %p {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<16xf16>>
  tt.return %x : tensor<16xf16>
}
