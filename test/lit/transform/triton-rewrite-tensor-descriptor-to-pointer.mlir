// RUN: tilewright-opt %s -split-input-file --triton-rewrite-tensor-descriptor-to-pointer --canonicalize | FileCheck %s

// A block of rows and columns: positions, offsets and bounds of each dimension by itself, in
// 64 bits; the last stride is 1, so that columns are not multiplied.

// CHECK-LABEL: tt.func public @load_store
// CHECK-SAME: %[[P:.*]]: !tt.ptr<f16>, %[[M:.*]]: i32, %[[N:.*]]: i32, %[[I:.*]]: i32)
tt.func public @load_store(%p: !tt.ptr<f16>, %m: i32, %n: i32, %i: i32) {
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i32
  %stride = arith.extsi %n : i32 to i64
  // CHECK-DAG: %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : tensor<4x8xf16>
  // CHECK-DAG: %[[M64:.*]] = arith.extsi %[[M]] : i32 to i64
  // CHECK-DAG: %[[N64:.*]] = arith.extsi %[[N]] : i32 to i64
  // CHECK-NOT: tt.make_tensor_descriptor
  %d = tt.make_tensor_descriptor %p, [%m, %n], [%stride, %c1] : <f16>, <4x8xf16>
  // CHECK: %[[STEPS:.*]] = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  // CHECK: %[[FIRST:.*]] = arith.extsi %[[I]] : i32 to i64
  // CHECK: %[[SPLAT:.*]] = tt.splat %[[FIRST]] : i64 -> tensor<4xi64>
  // CHECK: %[[WIDE:.*]] = arith.extsi %[[STEPS]] : tensor<4xi32> to tensor<4xi64>
  // CHECK: %[[ROWS:.*]] = arith.addi %[[SPLAT]], %[[WIDE]] : tensor<4xi64>
  // CHECK: %[[GE:.*]] = arith.cmpi sge, %[[ROWS]], %{{.*}} : tensor<4xi64>
  // CHECK: %[[LIMIT:.*]] = tt.splat %[[M64]] : i64 -> tensor<4xi64>
  // CHECK: %[[LT:.*]] = arith.cmpi slt, %[[ROWS]], %[[LIMIT]] : tensor<4xi64>
  // CHECK: %[[IN:.*]] = arith.andi %[[GE]], %[[LT]] : tensor<4xi1>
  // CHECK: %[[STRIDE:.*]] = tt.splat %[[N64]] : i64 -> tensor<4xi64>
  // CHECK: arith.muli %[[ROWS]], %[[STRIDE]] : tensor<4xi64>
  // CHECK: tt.expand_dims %{{.*}} {axis = 1 : i32}
  // CHECK: tt.broadcast %{{.*}} : tensor<4x1xi64> -> tensor<4x8xi64>
  // CHECK: tt.expand_dims %[[IN]] {axis = 1 : i32}
  // CHECK: %[[INROWS:.*]] = tt.broadcast %{{.*}} : tensor<4x1xi1> -> tensor<4x8xi1>
  // CHECK: tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  // CHECK-NOT: arith.muli
  // CHECK: %[[INCOLS:.*]] = tt.broadcast %{{.*}} : tensor<1x8xi1> -> tensor<4x8xi1>
  // CHECK: %[[OFFSETS:.*]] = arith.addi %{{.*}} : tensor<4x8xi64>
  // CHECK: %[[MASK:.*]] = arith.andi %[[INROWS]], %[[INCOLS]] : tensor<4x8xi1>
  // CHECK: %[[BASE:.*]] = tt.splat %[[P]] : !tt.ptr<f16> -> tensor<4x8x!tt.ptr<f16>>
  // CHECK: %[[PTRS:.*]] = tt.addptr %[[BASE]], %[[OFFSETS]]
  // CHECK: %[[X:.*]] = tt.load %[[PTRS]], %[[MASK]], %[[ZEROS]] cacheModifier = cg
  %x = tt.descriptor_load %d[%i, %c8] cacheModifier = cg : !tt.tensordesc<4x8xf16> -> tensor<4x8xf16>
  // CHECK: tt.store %{{.*}}, %[[X]], %{{.*}} : tensor<4x8x!tt.ptr<f16>>
  tt.descriptor_store %d[%c8, %i], %x : !tt.tensordesc<4x8xf16>, tensor<4x8xf16>
  tt.return
}

// -----

// Elements outside are NaN where the descriptor says so; of which descriptor, may depend.

// CHECK-LABEL: tt.func public @padding
// CHECK-SAME: %[[C:[a-z0-9]+]]: i1)
tt.func public @padding(%p: !tt.ptr<f32>, %n: i32, %c: i1) -> (tensor<4xf32>, tensor<4xf32>) {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  // CHECK-DAG: %[[NANS:.*]] = arith.constant dense<0x7FC00000> : tensor<4xf32>
  // CHECK-DAG: %[[NAN:.*]] = arith.constant 0x7FC00000 : f32
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
  %a = tt.make_tensor_descriptor %p, [%n], [%c1] {padding = 2 : i32} : <f32>, <4xf32>
  %b = tt.make_tensor_descriptor %p, [%n], [%c1] : <f32>, <4xf32>
  // CHECK: %[[OTHER:.*]] = arith.select %[[C]], %[[NAN]], %[[ZERO]] : f32
  // CHECK: %[[OTHERS:.*]] = tt.splat %[[OTHER]] : f32 -> tensor<4xf32>
  // CHECK: tt.load %{{.*}}, %{{.*}}, %[[OTHERS]]
  %d = arith.select %c, %a, %b : !tt.tensordesc<4xf32>
  %x = tt.descriptor_load %d[%c0] : !tt.tensordesc<4xf32> -> tensor<4xf32>
  // CHECK: tt.load %{{.*}}, %{{.*}}, %[[NANS]]
  %y = tt.descriptor_load %a[%c0] : !tt.tensordesc<4xf32> -> tensor<4xf32>
  tt.return %x, %y : tensor<4xf32>, tensor<4xf32>
}

// -----

// Rows by their indices.

// CHECK-LABEL: tt.func public @gather_scatter
// CHECK-SAME: %[[ROWS:[a-z0-9]+]]: tensor<8xi32>)
tt.func public @gather_scatter(%p: !tt.ptr<i32>, %m: i32, %n: i64, %rows: tensor<8xi32>) {
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i32
  %d = tt.make_tensor_descriptor %p, [%m, %m], [%n, %c1] : <i32>, <1x16xsi32>
  // CHECK: %[[WIDE:.*]] = arith.extsi %[[ROWS]] : tensor<8xi32> to tensor<8xi64>
  // CHECK: arith.cmpi slt, %[[WIDE]]
  // CHECK: arith.muli %[[WIDE]]
  // CHECK: tt.make_range {end = 16 : i32, start = 0 : i32}
  // CHECK: tt.load %{{.*}} : tensor<8x16x!tt.ptr<i32>>
  %x = tt.descriptor_gather %d[%rows, %c3] : (!tt.tensordesc<1x16xsi32>, tensor<8xi32>, i32) -> tensor<8x16xi32>
  // CHECK: tt.store %{{.*}} : tensor<8x16x!tt.ptr<i32>>
  tt.descriptor_scatter %d[%rows, %c3], %x : !tt.tensordesc<1x16xsi32>, tensor<8xi32>, i32, tensor<8x16xi32>
  tt.return
}

// -----

// Combining is an atomic operation; signs matter to the minimum and maximum only.

// CHECK-LABEL: tt.func public @reduce
tt.func public @reduce(%p: !tt.ptr<i32>, %f: !tt.ptr<f32>, %n: i32, %x: tensor<8xi32>, %y: tensor<8xf32>) {
  %c1 = arith.constant 1 : i64
  %s = tt.make_tensor_descriptor %p, [%n], [%c1] : <i32>, <8xsi32>
  %u = tt.make_tensor_descriptor %p, [%n], [%c1] : <i32>, <8xui32>
  %d = tt.make_tensor_descriptor %f, [%n], [%c1] : <f32>, <8xf32>
  // CHECK: tt.atomic_rmw min, relaxed, gpu
  tt.descriptor_reduce min, %s[%n], %x : !tt.tensordesc<8xsi32>, tensor<8xi32>
  // CHECK: tt.atomic_rmw umax, relaxed, gpu
  tt.descriptor_reduce max, %u[%n], %x : !tt.tensordesc<8xui32>, tensor<8xi32>
  // CHECK: tt.atomic_rmw add, relaxed, gpu
  tt.descriptor_reduce add, %u[%n], %x : !tt.tensordesc<8xui32>, tensor<8xi32>
  // CHECK: tt.atomic_rmw xor, relaxed, gpu
  tt.descriptor_reduce xor, %s[%n], %x : !tt.tensordesc<8xsi32>, tensor<8xi32>
  // CHECK: tt.atomic_rmw fadd, relaxed, gpu
  tt.descriptor_reduce add, %d[%n], %y : !tt.tensordesc<8xf32>, tensor<8xf32>
  tt.return
}

// -----

// Through loops, branches and calls go the pointer, the sizes, the strides and the padding.

// CHECK-LABEL: tt.func public @control_flow
tt.func public @control_flow(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %n: i32, %c: i1) {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = tt.make_tensor_descriptor %p, [%n], [%c1] : <f32>, <4xf32>
  // CHECK: scf.for {{.*}} -> (!tt.ptr<f32>, i64, i64, i1)
  %d = scf.for %i = %c0 to %n step %one iter_args(%e = %a) -> (!tt.tensordesc<4xf32>) : i32 {
    %b = tt.make_tensor_descriptor %q, [%n], [%c1] : <f32>, <4xf32>
    %x = tt.descriptor_load %e[%i] : !tt.tensordesc<4xf32> -> tensor<4xf32>
    // CHECK: scf.if
    %f = scf.if %c -> (!tt.tensordesc<4xf32>) {
      tt.descriptor_store %b[%c0], %x : !tt.tensordesc<4xf32>, tensor<4xf32>
      scf.yield %b : !tt.tensordesc<4xf32>
    } else {
      scf.yield %e : !tt.tensordesc<4xf32>
    }
    scf.yield %f : !tt.tensordesc<4xf32>
  } {tt.num_stages = 2 : i32}
  // CHECK: {tt.num_stages = 2 : i32}
  // CHECK: scf.while
  %w = scf.while (%e = %d) : (!tt.tensordesc<4xf32>) -> !tt.tensordesc<4xf32> {
    scf.condition(%c) %e : !tt.tensordesc<4xf32>
  } do {
  ^bb0(%e: !tt.tensordesc<4xf32>):
    %x = tt.descriptor_load %e[%c0] : !tt.tensordesc<4xf32> -> tensor<4xf32>
    tt.descriptor_store %a[%c0], %x : !tt.tensordesc<4xf32>, tensor<4xf32>
    scf.yield %e : !tt.tensordesc<4xf32>
  }
  // CHECK: tt.call @callee(%{{.*}}) : (i32, !tt.ptr<f32>, i64, i64, i1) -> (!tt.ptr<f32>, i64, i64, i1)
  %r = tt.call @callee(%c0, %w) : (i32, !tt.tensordesc<4xf32>) -> !tt.tensordesc<4xf32>
  // CHECK: tt.load
  %y = tt.descriptor_load %r[%c0] : !tt.tensordesc<4xf32> -> tensor<4xf32>
  tt.descriptor_store %r[%c0], %y : !tt.tensordesc<4xf32>, tensor<4xf32>
  tt.return
}
// CHECK: tt.func private @callee(%{{.*}}: i32 {tt.divisibility = 16 : i32}, %{{.*}}: !tt.ptr<f32>, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i1) -> (!tt.ptr<f32>, i64, i64, i1)
tt.func private @callee(%i: i32 {tt.divisibility = 16 : i32}, %d: !tt.tensordesc<4xf32>) -> !tt.tensordesc<4xf32> attributes {noinline = true} {
  %x = tt.descriptor_load %d[%i] : !tt.tensordesc<4xf32> -> tensor<4xf32>
  tt.descriptor_store %d[%i], %x : !tt.tensordesc<4xf32>, tensor<4xf32>
  tt.return %d : !tt.tensordesc<4xf32>
}
