// RUN: tilewright-opt %s --triton-nvidia-optimize-descriptor-encoding | FileCheck %s

// As wide a swizzle as rows have bytes, 128 at most; none for fewer than eight rows, or for one
// dimension.
// CHECK-DAG: #[[WIDE:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK-DAG: #[[NARROW:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 8}>
// CHECK-DAG: #[[PLAIN:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 32}>
// CHECK-DAG: #[[LINE:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 32, rank = 1}>
// CHECK-DAG: #[[BATCH:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32, rank = 3}>

// CHECK-LABEL: @encodings
tt.func public @encodings(%h: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %f: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32, %s: i64 {tt.divisibility = 16 : i32}) {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  // CHECK: tt.make_tensor_descriptor {{.*}} <tensor<128x64xf16, #[[WIDE]]>>
  %d0 = tt.make_tensor_descriptor %h, [%n, %n], [%s, %c1] : !tt.ptr<f16>, !tt.tensordesc<tensor<128x64xf16>>
  // CHECK: tt.make_tensor_descriptor {{.*}} <tensor<16x32xsi8, #[[NARROW]]>>
  %d1 = tt.make_tensor_descriptor %b, [%n, %n], [%s, %c1] : !tt.ptr<i8>, !tt.tensordesc<tensor<16x32xsi8>>
  // CHECK: tt.make_tensor_descriptor {{.*}} <tensor<4x32xf32, #[[PLAIN]]>>
  %d2 = tt.make_tensor_descriptor %f, [%n, %n], [%s, %c1] : !tt.ptr<f32>, !tt.tensordesc<tensor<4x32xf32>>
  // CHECK: tt.make_tensor_descriptor {{.*}} <tensor<64xf32, #[[LINE]]>>
  %d3 = tt.make_tensor_descriptor %f, [%n], [%c1] : !tt.ptr<f32>, !tt.tensordesc<tensor<64xf32>>
  // CHECK: tt.make_tensor_descriptor {{.*}} <tensor<2x8x32xf32, #[[BATCH]]>>
  %d4 = tt.make_tensor_descriptor %f, [%n, %n, %n], [%s, %s, %c1] : !tt.ptr<f32>, !tt.tensordesc<tensor<2x8x32xf32>>
  // CHECK: tt.descriptor_load {{.*}} : !tt.tensordesc<tensor<128x64xf16, #[[WIDE]]>> -> tensor<128x64xf16>
  %x = tt.descriptor_load %d0[%c0, %c0] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
  tt.return
}

// What a function gets stays what its callers have.
// CHECK-LABEL: @argument(
// CHECK-SAME: !tt.tensordesc<tensor<128x64xf16>>
tt.func public @argument(%d: !tt.tensordesc<tensor<128x64xf16>>) {
  tt.return
}

// One type for all that may be one descriptor: a loop's, a branch's, a select's.
// CHECK-LABEL: @flows
// CHECK-COUNT-2: tt.make_tensor_descriptor {{.*}} <tensor<16x64xf16, #[[WIDE]]>>
// CHECK: arith.select {{.*}} !tt.tensordesc<tensor<16x64xf16, #[[WIDE]]>>
// CHECK: scf.for {{.*}} -> (!tt.tensordesc<tensor<16x64xf16, #[[WIDE]]>>)
// CHECK: scf.if {{.*}} -> (!tt.tensordesc<tensor<16x64xf16, #[[WIDE]]>>)
tt.func public @flows(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32, %s: i64 {tt.divisibility = 16 : i32}, %c: i1) {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %d = tt.make_tensor_descriptor %p, [%n, %n], [%s, %c1] : !tt.ptr<f16>, !tt.tensordesc<tensor<16x64xf16>>
  %e = tt.make_tensor_descriptor %p, [%n, %n], [%s, %c1] : !tt.ptr<f16>, !tt.tensordesc<tensor<16x64xf16>>
  %f = arith.select %c, %d, %e : !tt.tensordesc<tensor<16x64xf16>>
  %r = scf.for %i = %c0 to %n step %one iter_args(%g = %f) -> (!tt.tensordesc<tensor<16x64xf16>>) : i32 {
    %h = scf.if %c -> (!tt.tensordesc<tensor<16x64xf16>>) {
      scf.yield %g : !tt.tensordesc<tensor<16x64xf16>>
    } else {
      scf.yield %e : !tt.tensordesc<tensor<16x64xf16>>
    }
    scf.yield %h : !tt.tensordesc<tensor<16x64xf16>>
  }
  %x = tt.descriptor_load %r[%c0, %c0] : !tt.tensordesc<tensor<16x64xf16>> -> tensor<16x64xf16>
  tt.return
}

// One that is refused takes with it what it may be: %e's strides are unknown.
// CHECK-LABEL: @refused_together
// CHECK-COUNT-2: tt.make_tensor_descriptor {{.*}} <tensor<16x64xf16>>
// CHECK: tt.make_tensor_descriptor {{.*}} <tensor<16x64xf16, #[[WIDE]]>>
tt.func public @refused_together(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32, %s: i64 {tt.divisibility = 16 : i32}, %t: i64, %c: i1) {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %d = tt.make_tensor_descriptor %p, [%n, %n], [%s, %c1] : !tt.ptr<f16>, !tt.tensordesc<tensor<16x64xf16>>
  %e = tt.make_tensor_descriptor %p, [%n, %n], [%t, %c1] : !tt.ptr<f16>, !tt.tensordesc<tensor<16x64xf16>>
  %other = tt.make_tensor_descriptor %p, [%n, %n], [%s, %c1] : !tt.ptr<f16>, !tt.tensordesc<tensor<16x64xf16>>
  %f = arith.select %c, %d, %e : !tt.tensordesc<tensor<16x64xf16>>
  %x = tt.descriptor_load %f[%c0, %c0] : !tt.tensordesc<tensor<16x64xf16>> -> tensor<16x64xf16>
  tt.return
}

// A store may not begin below 0: a program's number does not, an argument may. It may not end within
// 16 bytes either, in which nothing is known of the rows' length.
// CHECK-LABEL: @stores
// CHECK: tt.make_tensor_descriptor {{.*}} <tensor<16x64xf16, #[[WIDE]]>>
// CHECK: tt.make_tensor_descriptor {{.*}} <tensor<16x64xf16>>
// CHECK: tt.make_tensor_descriptor {{.*}} <tensor<16x64xf16>>
tt.func public @stores(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %u: i32, %s: i64 {tt.divisibility = 16 : i32}, %x: tensor<16x64xf16>) {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %pid = tt.get_program_id x : i32
  %row = arith.muli %pid, %c16 : i32
  %d = tt.make_tensor_descriptor %p, [%n, %n], [%s, %c1] : !tt.ptr<f16>, !tt.tensordesc<tensor<16x64xf16>>
  %e = tt.make_tensor_descriptor %p, [%n, %n], [%s, %c1] : !tt.ptr<f16>, !tt.tensordesc<tensor<16x64xf16>>
  tt.descriptor_store %d[%row, %c0], %x : !tt.tensordesc<tensor<16x64xf16>>, tensor<16x64xf16>
  %f = tt.make_tensor_descriptor %p, [%n, %u], [%s, %c1] : !tt.ptr<f16>, !tt.tensordesc<tensor<16x64xf16>>
  tt.descriptor_store %e[%n, %c0], %x : !tt.tensordesc<tensor<16x64xf16>>, tensor<16x64xf16>
  tt.descriptor_store %f[%row, %c0], %x : !tt.tensordesc<tensor<16x64xf16>>, tensor<16x64xf16>
  tt.return
}

// Copies begin at multiples of 16 bytes of a row, on either side of 0; rows may begin anywhere.
// CHECK-LABEL: @loads
// CHECK: tt.make_tensor_descriptor {{.*}} <tensor<16x64xf16, #[[WIDE]]>>
// CHECK: tt.make_tensor_descriptor {{.*}} <tensor<16x64xf16>>
tt.func public @loads(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32, %s: i64 {tt.divisibility = 16 : i32}, %k: i32 {tt.divisibility = 8 : i32}) {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %d = tt.make_tensor_descriptor %p, [%n, %n], [%s, %c1] : !tt.ptr<f16>, !tt.tensordesc<tensor<16x64xf16>>
  %e = tt.make_tensor_descriptor %p, [%n, %n], [%s, %c1] : !tt.ptr<f16>, !tt.tensordesc<tensor<16x64xf16>>
  %below = arith.subi %c0, %k : i32
  %x = tt.descriptor_load %d[%n, %below] : !tt.tensordesc<tensor<16x64xf16>> -> tensor<16x64xf16>
  %y = tt.descriptor_load %e[%n, %n] : !tt.tensordesc<tensor<16x64xf16>> -> tensor<16x64xf16>
  tt.return
}

// A loop may make one for its iterations, and for loops in it.
// CHECK-LABEL: @made_in_a_loop
// CHECK: tt.make_tensor_descriptor {{.*}} <tensor<16x64xf16, #[[WIDE]]>>
// CHECK: tt.return
tt.func public @made_in_a_loop(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32, %s: i64 {tt.divisibility = 16 : i32}) {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %one : i32 {
    %d = tt.make_tensor_descriptor %p, [%i, %n], [%s, %c1] : !tt.ptr<f16>, !tt.tensordesc<tensor<16x64xf16>>
    scf.for %j = %c0 to %n step %one : i32 {
      %x = tt.descriptor_load %d[%j, %c0] : !tt.tensordesc<tensor<16x64xf16>> -> tensor<16x64xf16>
    }
  }
  tt.return
}

// Not one that a later iteration uses, which would need its map then.
// CHECK-LABEL: @carried_on
// CHECK-COUNT-2: tt.make_tensor_descriptor {{.*}} <tensor<16x64xf16>>
tt.func public @carried_on(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32, %s: i64 {tt.divisibility = 16 : i32}) {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %d = tt.make_tensor_descriptor %p, [%n, %n], [%s, %c1] : !tt.ptr<f16>, !tt.tensordesc<tensor<16x64xf16>>
  %r = scf.for %i = %c0 to %n step %one iter_args(%before = %d) -> (!tt.tensordesc<tensor<16x64xf16>>) : i32 {
    %e = tt.make_tensor_descriptor %p, [%i, %n], [%s, %c1] : !tt.ptr<f16>, !tt.tensordesc<tensor<16x64xf16>>
    %x = tt.descriptor_load %before[%c0, %c0] : !tt.tensordesc<tensor<16x64xf16>> -> tensor<16x64xf16>
    scf.yield %e : !tt.tensordesc<tensor<16x64xf16>>
  }
  tt.return
}

// Of what memory holds nothing is known. Who makes the map looks at the address and the strides. The
// kernel stores through pointers where rows are no multiples of 16 bytes, or a coordinate is
// negative.
// CHECK-LABEL: @loaded
// CHECK: %[[BASE:.*]] = tt.int_to_ptr
// CHECK: %[[THROUGH:.*]] = tt.make_tensor_descriptor %[[BASE]], {{.*}} <tensor<16x64xf16>>
// CHECK: %[[MAP:.*]] = tt.make_tensor_descriptor %[[BASE]], {{.*}} <tensor<16x64xf16, #[[WIDE]]>>
// CHECK: tt.descriptor_load %[[MAP]]
// CHECK: arith.andi %arg1, %c7_i32
// CHECK: %[[ROWS:.*]] = arith.cmpi eq
// CHECK: %[[INSIDE:.*]] = arith.cmpi sge, %arg1
// CHECK: %[[ALL:.*]] = arith.andi %[[ROWS]], %[[INSIDE]]
// CHECK: scf.if %[[ALL]] {
// CHECK-NEXT: tt.descriptor_store %[[MAP]][%arg1, %c0
// CHECK-NEXT: } else {
// CHECK-NEXT: tt.descriptor_store %[[THROUGH]][%arg1, %c0
// CHECK: scf.if
// CHECK-NEXT: tt.descriptor_store %[[MAP]][%c0
// CHECK: tt.return
tt.func public @loaded(%p: !tt.ptr<i64>, %n: i32) {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %address = tt.load %p : !tt.ptr<i64>
  %base = tt.int_to_ptr %address : i64 -> !tt.ptr<f16>
  %s = tt.load %p : !tt.ptr<i64>
  %d = tt.make_tensor_descriptor %base, [%n, %n], [%s, %c1] : !tt.ptr<f16>, !tt.tensordesc<tensor<16x64xf16>>
  %x = tt.descriptor_load %d[%n, %c64] : !tt.tensordesc<tensor<16x64xf16>> -> tensor<16x64xf16>
  tt.descriptor_store %d[%n, %c0], %x : !tt.tensordesc<tensor<16x64xf16>>, tensor<16x64xf16>
  tt.descriptor_store %d[%c0, %c0], %x : !tt.tensordesc<tensor<16x64xf16>>, tensor<16x64xf16>
  tt.return
}

// A stride that an argument gives, and no hint tells of, is none that the launch would have
// marked.
// CHECK-LABEL: @half_known
// CHECK: tt.make_tensor_descriptor {{.*}} <tensor<16x64xf16>>
tt.func public @half_known(%p: !tt.ptr<i64>, %n: i32, %s: i64) {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %address = tt.load %p : !tt.ptr<i64>
  %base = tt.int_to_ptr %address : i64 -> !tt.ptr<f16>
  %d = tt.make_tensor_descriptor %base, [%n, %n], [%s, %c1] : !tt.ptr<f16>, !tt.tensordesc<tensor<16x64xf16>>
  %x = tt.descriptor_load %d[%n, %c0] : !tt.tensordesc<tensor<16x64xf16>> -> tensor<16x64xf16>
  tt.return
}

// What another function takes is not followed there.
// CHECK-LABEL: @calls
// CHECK: tt.make_tensor_descriptor {{.*}} <tensor<16x64xf16>>
// CHECK: tt.func private @called(%{{.*}}: !tt.tensordesc<tensor<16x64xf16>>)
tt.func public @calls(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32, %s: i64 {tt.divisibility = 16 : i32}) {
  %c1 = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%n, %n], [%s, %c1] : !tt.ptr<f16>, !tt.tensordesc<tensor<16x64xf16>>
  tt.call @called(%d) : (!tt.tensordesc<tensor<16x64xf16>>) -> ()
  tt.return
}
tt.func private @called(%d: !tt.tensordesc<tensor<16x64xf16>>) {
  tt.return
}

// Reductions that there are, and one that there is not.
// CHECK-LABEL: @reductions
// CHECK: tt.make_tensor_descriptor {{.*}} <tensor<16x32xf32, #{{.*}}>>
// CHECK: tt.make_tensor_descriptor {{.*}} <tensor<16x16xf64>>
tt.func public @reductions(%f: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %g: !tt.ptr<f64> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %u: i32, %s: i64 {tt.divisibility = 16 : i32}, %x: tensor<16x32xf32>, %y: tensor<16x16xf64>) {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %d = tt.make_tensor_descriptor %f, [%n, %n], [%s, %c1] : !tt.ptr<f32>, !tt.tensordesc<tensor<16x32xf32>>
  %e = tt.make_tensor_descriptor %g, [%n, %n], [%s, %c1] : !tt.ptr<f64>, !tt.tensordesc<tensor<16x16xf64>>
  tt.descriptor_reduce add, %d[%c0, %c0], %x : !tt.tensordesc<tensor<16x32xf32>>, tensor<16x32xf32>
  tt.descriptor_reduce add, %e[%c0, %c0], %y : !tt.tensordesc<tensor<16x16xf64>>, tensor<16x16xf64>
  tt.return
}

// Rows of 128 bytes, and of 64.
// CHECK-LABEL: @gathers
// CHECK: tt.make_tensor_descriptor {{.*}} <tensor<1x32xf32, #[[PLAIN]]>>
// CHECK: tt.make_tensor_descriptor {{.*}} <tensor<1x16xf32>>
tt.func public @gathers(%f: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32, %s: i64 {tt.divisibility = 16 : i32}, %rows: tensor<8xi32>) {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %d = tt.make_tensor_descriptor %f, [%n, %n], [%s, %c1] : !tt.ptr<f32>, !tt.tensordesc<tensor<1x32xf32>>
  %e = tt.make_tensor_descriptor %f, [%n, %n], [%s, %c1] : !tt.ptr<f32>, !tt.tensordesc<tensor<1x16xf32>>
  %x = tt.descriptor_gather %d[%rows, %c0] : (!tt.tensordesc<tensor<1x32xf32>>, tensor<8xi32>, i32) -> tensor<8x32xf32>
  %y = tt.descriptor_gather %e[%rows, %c0] : (!tt.tensordesc<tensor<1x16xf32>>, tensor<8xi32>, i32) -> tensor<8x16xf32>
  tt.return
}

// Dimensions that are dropped behind a load, or added before a store, are left out by it; not those
// of a block that is wanted with them, too.
// CHECK-LABEL: @dropped
// CHECK: %[[X:.*]] = tt.descriptor_load {{.*}} : !tt.tensordesc<tensor<1x8x32xf32, #{{.*}}>> -> tensor<8x32xf32>
// CHECK: %[[Y:.*]] = tt.descriptor_load {{.*}} -> tensor<1x8x32xf32>
// CHECK: %[[Z:.*]] = tt.reshape %[[Y]]
// CHECK: %[[S:.*]] = arith.addf %[[X]], %[[Z]]
// CHECK: tt.descriptor_store %{{.*}}, %[[S]] : !tt.tensordesc<tensor<1x8x32xf32, #{{.*}}>>, tensor<8x32xf32>
// CHECK: tt.descriptor_store %{{.*}}, %[[Y]]
tt.func public @dropped(%f: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %u: i32, %s: i64 {tt.divisibility = 16 : i32}) {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %d = tt.make_tensor_descriptor %f, [%n, %n, %n], [%s, %s, %c1] : !tt.ptr<f32>, !tt.tensordesc<tensor<1x8x32xf32>>
  %a = tt.descriptor_load %d[%c0, %c0, %c0] : !tt.tensordesc<tensor<1x8x32xf32>> -> tensor<1x8x32xf32>
  %x = tt.reshape %a : tensor<1x8x32xf32> -> tensor<8x32xf32>
  %y = tt.descriptor_load %d[%c0, %c0, %n] : !tt.tensordesc<tensor<1x8x32xf32>> -> tensor<1x8x32xf32>
  %z = tt.reshape %y : tensor<1x8x32xf32> -> tensor<8x32xf32>
  %r = arith.addf %x, %z : tensor<8x32xf32>
  %t = tt.reshape %r : tensor<8x32xf32> -> tensor<1x8x32xf32>
  tt.descriptor_store %d[%c0, %c0, %c0], %t : !tt.tensordesc<tensor<1x8x32xf32>>, tensor<1x8x32xf32>
  tt.descriptor_store %d[%c0, %c0, %c0], %y : !tt.tensordesc<tensor<1x8x32xf32>>, tensor<1x8x32xf32>
  tt.return
}

// Other reshapes stay: those that add dimensions to what is loaded, drop them from what is stored,
// or have as many.
// CHECK-LABEL: @reshaped
// CHECK: %[[A:.*]] = tt.descriptor_load {{.*}} -> tensor<8x32xf32>
// CHECK: tt.reshape %[[A]] : tensor<8x32xf32> -> tensor<1x8x32xf32>
// CHECK: %[[B:.*]] = tt.descriptor_load {{.*}} -> tensor<8x32xf32>
// CHECK: tt.reshape %[[B]] : tensor<8x32xf32> -> tensor<4x64xf32>
// CHECK: %[[S:.*]] = tt.reshape %{{.*}} : tensor<1x8x32xf32> -> tensor<8x32xf32>
// CHECK: tt.descriptor_store %{{.*}}, %[[S]] :
tt.func public @reshaped(%f: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %s: i64 {tt.divisibility = 16 : i32}, %v: tensor<1x8x32xf32>) -> (tensor<1x8x32xf32>, tensor<4x64xf32>) {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %d = tt.make_tensor_descriptor %f, [%n, %n], [%s, %c1] : !tt.ptr<f32>, !tt.tensordesc<tensor<8x32xf32>>
  %a = tt.descriptor_load %d[%c0, %c0] : !tt.tensordesc<tensor<8x32xf32>> -> tensor<8x32xf32>
  %x = tt.reshape %a : tensor<8x32xf32> -> tensor<1x8x32xf32>
  %b = tt.descriptor_load %d[%c0, %n] : !tt.tensordesc<tensor<8x32xf32>> -> tensor<8x32xf32>
  %y = tt.reshape %b : tensor<8x32xf32> -> tensor<4x64xf32>
  %w = tt.reshape %v : tensor<1x8x32xf32> -> tensor<8x32xf32>
  tt.descriptor_store %d[%c0, %c0], %w : !tt.tensordesc<tensor<8x32xf32>>, tensor<8x32xf32>
  tt.return %x, %y : tensor<1x8x32xf32>, tensor<4x64xf32>
}

// A function that stays one has no memory for a map.
// CHECK-LABEL: @not_inlined
// CHECK: tt.descriptor_load {{.*}} : !tt.tensordesc<tensor<16x32xf32>> ->
tt.func private @not_inlined(%f: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32, %s: i64 {tt.divisibility = 16 : i32}) attributes {noinline = true} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %desc = tt.make_tensor_descriptor %f, [%n, %n], [%s, %c1] : !tt.ptr<f32>, !tt.tensordesc<tensor<16x32xf32>>
  %x = tt.descriptor_load %desc[%c0, %c0] : !tt.tensordesc<tensor<16x32xf32>> -> tensor<16x32xf32>
  tt.descriptor_store %desc[%c0, %c0], %x : !tt.tensordesc<tensor<16x32xf32>>, tensor<16x32xf32>
  tt.return
}
