// RUN: tilewright-opt %s --tilewright-split-loops --canonicalize --cse | FileCheck %s

#a = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.amd_wmma<{version = 2, isTranspose = true, ctaLayout = {warp = [[1, 0], [2, 0]]}}>
#oa = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 8}>
#ob = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 8}>
#row = #ttg.slice<{dim = 1, parent = #a}>
#column = #ttg.slice<{dim = 0, parent = #a}>
!p = tensor<64x64x!tt.ptr<f16>, #a>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1201", "ttg.threads-per-warp" = 32 : i32} {

// Pointers that the loop moves on: where rows * stride is small and not negative, a loop carries the
// address of the tile, and offsets stay. It has no mask, which holds up to the last iteration. What
// is left goes the old way.
// CHECK-LABEL: @carried
// CHECK-SAME: %[[BASE:[^ ]*]]: !tt.ptr<f16>
// CHECK: %[[POINTERS:.*]] = tt.addptr %{{.*}} : tensor<64x64x!tt.ptr<f16>
// CHECK: %[[SUM:.*]] = arith.addi %{{.*}} : tensor<64x64xi32
// CHECK: arith.muli %{{.*}}, %c63_i64
// CHECK: arith.cmpi slt, %{{.*}}, %c536870912_i64
// CHECK: %[[OFFSETS:.*]] = arith.andi %[[SUM]], %{{.*}} : tensor<64x64xi32
// CHECK: %[[FIRST:.*]]:2 = scf.if %[[HOLDS:.*]] ->
// CHECK: %[[R:.*]]:2 = scf.for %{{.*}} = %c0_i32 to %[[MIDDLE:.*]] step %c1_i32 iter_args(%{{.*}}, %[[B:.*]] = %[[BASE]]) -> ({{.*}}, !tt.ptr<f16>)
// CHECK: %[[T:.*]] = tt.splat %[[B]]
// CHECK: %[[P:.*]] = tt.addptr %[[T]], %[[OFFSETS]]
// CHECK: tt.load %[[P]] : tensor
// CHECK: %[[NEXT:.*]] = tt.addptr %[[B]], %c64_i32 : !tt.ptr<f16>
// CHECK: scf.yield %{{.*}}, %[[NEXT]]
// CHECK: %[[T:.*]] = tt.splat %[[R]]#1
// CHECK: %[[AFTER:.*]] = tt.addptr %[[T]], %[[OFFSETS]]
// CHECK: scf.yield %[[R]]#0, %[[AFTER]]
// CHECK: } else {
// CHECK: scf.yield %{{.*}}, %[[POINTERS]]
// CHECK: %[[LOWER:.*]] = arith.select %[[HOLDS]], %[[MIDDLE]], %c0_i32
// CHECK: scf.for %{{.*}} = %[[LOWER]] to %{{.*}} iter_args(%{{.*}} = %[[FIRST]]#0, %[[Q:.*]] = %[[FIRST]]#1)
// CHECK: tt.load %[[Q]], %{{.*}}, %{{.*}}
tt.func @carried(%base: !tt.ptr<f16>, %stride: i32, %k: i32, %n: i32, %y: tensor<64x64xf16, #ob>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %step = arith.constant dense<64> : tensor<64x64xi32, #a>
  %other = arith.constant dense<0.0> : tensor<64x64xf16, #a>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %rows = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #row>
  %rows1 = tt.expand_dims %rows {axis = 1 : i32} : tensor<64xi32, #row> -> tensor<64x1xi32, #a>
  %strides = tt.splat %stride : i32 -> tensor<64x1xi32, #a>
  %offset = arith.muli %rows1, %strides : tensor<64x1xi32, #a>
  %bases = tt.splat %base : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #a>
  %p0 = tt.addptr %bases, %offset : tensor<64x1x!tt.ptr<f16>, #a>, tensor<64x1xi32, #a>
  %p1 = tt.broadcast %p0 : tensor<64x1x!tt.ptr<f16>, #a> -> !p
  %columns = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #column>
  %columns1 = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #column> -> tensor<1x64xi32, #a>
  %columns2 = tt.broadcast %columns1 : tensor<1x64xi32, #a> -> tensor<64x64xi32, #a>
  %p2 = tt.addptr %p1, %columns2 : !p, tensor<64x64xi32, #a>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %p2) -> (tensor<64x64xf32, #mma>, !p) : i32 {
    %done = arith.muli %i, %c64 : i32
    %left = arith.subi %k, %done : i32
    %limit = tt.splat %left : i32 -> tensor<64x64xi32, #a>
    %mask = arith.cmpi slt, %columns2, %limit : tensor<64x64xi32, #a>
    %x = tt.load %p, %mask, %other : !p
    %xo = ttg.convert_layout %x : tensor<64x64xf16, #a> -> tensor<64x64xf16, #oa>
    %s = tt.dot %xo, %y, %acc : tensor<64x64xf16, #oa> * tensor<64x64xf16, #ob> -> tensor<64x64xf32, #mma>
    %next = tt.addptr %p, %step : !p, tensor<64x64xi32, #a>
    scf.yield %s, %next : tensor<64x64xf32, #mma>, !p
  }
  tt.return %r#0 : tensor<64x64xf32, #mma>
}

// Sums and a tile that leave no registers for pointers: what is left goes on with the base as well,
// without what the sum of 32 bits adds for all threads (8 here), and offsets as the source has them.
// CHECK-LABEL: @short_of_registers
// CHECK-SAME: %[[BASE:[^ ]*]]: !tt.ptr<f16>
// CHECK-DAG: %[[EIGHT:.*]] = arith.constant {{.*}}-8 : i32
// CHECK: %[[ROWS:.*]] = arith.addi %{{.*}} : tensor<128x1xi32
// CHECK: %[[FIRST:.*]]:2 = scf.if %[[HOLDS:.*]] -> (tensor<128x256xf32, #{{.*}}>, !tt.ptr<f16>)
// CHECK: %[[B:.*]] = tt.addptr %[[BASE]], %c8_i32
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} = %[[B]])
// CHECK: %[[PLAIN:.*]] = tt.addptr %[[R]]#1, %[[EIGHT]] : !tt.ptr<f16>, i32
// CHECK: scf.yield %[[R]]#0, %[[PLAIN]]
// CHECK: scf.yield %{{.*}}, %[[BASE]]
// CHECK: %[[WIDE:.*]] = tt.broadcast %[[ROWS]]
// CHECK: %[[LAST:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[FIRST]]#0, %[[Q:.*]] = %[[FIRST]]#1) -> ({{.*}}, !tt.ptr<f16>)
// CHECK: %[[T:.*]] = tt.splat %[[Q]]
// CHECK: %[[C:.*]] = tt.addptr %[[T]], %{{.*}}
// CHECK: %[[P:.*]] = tt.addptr %[[C]], %[[WIDE]]
// CHECK: tt.load %[[P]], %{{.*}}, %{{.*}}
// CHECK: %[[NEXT:.*]] = tt.addptr %[[Q]], %c64_i32 : !tt.ptr<f16>
// CHECK: scf.yield %{{.*}}, %[[NEXT]]
// CHECK: %[[T:.*]] = tt.splat %[[LAST]]#1
// CHECK: %[[C:.*]] = tt.addptr %[[T]], %{{.*}}
// CHECK: %[[P:.*]] = tt.addptr %[[C]], %[[WIDE]]
// CHECK: tt.return %[[LAST]]#0, %[[P]]
tt.func @short_of_registers(%base: !tt.ptr<f16>, %stride: i32, %k: i32, %n: i32, %y: tensor<64x256xf16, #ob>) -> (tensor<128x256xf32, #mma>, tensor<128x64x!tt.ptr<f16>, #a>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %eight = arith.constant dense<8> : tensor<128x1xi32, #a>
  %step = arith.constant dense<64> : tensor<128x64xi32, #a>
  %other = arith.constant dense<0.0> : tensor<128x64xf16, #a>
  %zero = arith.constant dense<0.0> : tensor<128x256xf32, #mma>
  %rows = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #row>
  %rows1 = tt.expand_dims %rows {axis = 1 : i32} : tensor<128xi32, #row> -> tensor<128x1xi32, #a>
  %strides = tt.splat %stride : i32 -> tensor<128x1xi32, #a>
  %product = arith.muli %rows1, %strides : tensor<128x1xi32, #a>
  %offset = arith.addi %product, %eight : tensor<128x1xi32, #a>
  %bases = tt.splat %base : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #a>
  %p0 = tt.addptr %bases, %offset : tensor<128x1x!tt.ptr<f16>, #a>, tensor<128x1xi32, #a>
  %p1 = tt.broadcast %p0 : tensor<128x1x!tt.ptr<f16>, #a> -> tensor<128x64x!tt.ptr<f16>, #a>
  %columns = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #column>
  %columns1 = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #column> -> tensor<1x64xi32, #a>
  %columns2 = tt.broadcast %columns1 : tensor<1x64xi32, #a> -> tensor<128x64xi32, #a>
  %p2 = tt.addptr %p1, %columns2 : tensor<128x64x!tt.ptr<f16>, #a>, tensor<128x64xi32, #a>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %p2) -> (tensor<128x256xf32, #mma>, tensor<128x64x!tt.ptr<f16>, #a>) : i32 {
    %done = arith.muli %i, %c64 : i32
    %left = arith.subi %k, %done : i32
    %limit = tt.splat %left : i32 -> tensor<128x64xi32, #a>
    %mask = arith.cmpi slt, %columns2, %limit : tensor<128x64xi32, #a>
    %x = tt.load %p, %mask, %other : tensor<128x64x!tt.ptr<f16>, #a>
    %xo = ttg.convert_layout %x : tensor<128x64xf16, #a> -> tensor<128x64xf16, #oa>
    %s = tt.dot %xo, %y, %acc : tensor<128x64xf16, #oa> * tensor<64x256xf16, #ob> -> tensor<128x256xf32, #mma>
    %next = tt.addptr %p, %step : tensor<128x64x!tt.ptr<f16>, #a>, tensor<128x64xi32, #a>
    scf.yield %s, %next : tensor<128x256xf32, #mma>, tensor<128x64x!tt.ptr<f16>, #a>
  }
  tt.return %r#0, %r#1 : tensor<128x256xf32, #mma>, tensor<128x64x!tt.ptr<f16>, #a>
}

// Addresses of the index: (i + row) * stride + column is i * stride, the same in all threads, and
// offsets.
// CHECK-LABEL: @indexed
// CHECK: scf.if
// CHECK: scf.for %[[I:.*]] = %c0_i32 to
// CHECK: %[[M:.*]] = arith.muli %[[I]], %arg1
// CHECK: %[[B:.*]] = tt.addptr %arg0, %[[M]] : !tt.ptr<f16>, i32
// CHECK: %[[T:.*]] = tt.splat %[[B]]
// CHECK: tt.addptr %[[T]], %{{.*}}
// CHECK: scf.for
tt.func @indexed(%base: !tt.ptr<f16>, %stride: i32, %n: i32, %y: tensor<64x64xf16, #ob>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %width = tt.splat %stride : i32 -> tensor<64x1xi32, #a>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %rows = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #row>
  %columns = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #column>
  %columns1 = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #column> -> tensor<1x64xi32, #a>
  %columns2 = tt.broadcast %columns1 : tensor<1x64xi32, #a> -> tensor<64x64xi32, #a>
  %bases = tt.splat %base : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #a>
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %first = tt.splat %i : i32 -> tensor<64xi32, #row>
    %row = arith.addi %first, %rows : tensor<64xi32, #row>
    %row1 = tt.expand_dims %row {axis = 1 : i32} : tensor<64xi32, #row> -> tensor<64x1xi32, #a>
    %offset = arith.muli %row1, %width : tensor<64x1xi32, #a>
    %p0 = tt.addptr %bases, %offset : tensor<64x1x!tt.ptr<f16>, #a>, tensor<64x1xi32, #a>
    %p1 = tt.broadcast %p0 : tensor<64x1x!tt.ptr<f16>, #a> -> !p
    %p2 = tt.addptr %p1, %columns2 : !p, tensor<64x64xi32, #a>
    %x = tt.load %p2 : !p
    %xo = ttg.convert_layout %x : tensor<64x64xf16, #a> -> tensor<64x64xf16, #oa>
    %s = tt.dot %xo, %y, %acc : tensor<64x64xf16, #oa> * tensor<64x64xf16, #ob> -> tensor<64x64xf32, #mma>
    scf.yield %s : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}

// A loop that gives nothing: the branches end as they are.
// CHECK-LABEL: @stored
// CHECK: scf.if
// CHECK-NEXT: scf.for %[[I:.*]] = %c0_i32 to
// CHECK: tt.addptr %arg0, %{{.*}} : !tt.ptr<f16>, i32
// CHECK: tt.store
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK: scf.for
tt.func @stored(%base: !tt.ptr<f16>, %stride: i32, %n: i32, %y: tensor<64x64xf16, #ob>, %out: tensor<64x64x!tt.ptr<f32>, #mma>) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %width = tt.splat %stride : i32 -> tensor<64x1xi32, #a>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %rows = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #row>
  %bases = tt.splat %base : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #a>
  scf.for %i = %c0 to %n step %c64 : i32 {
    %first = tt.splat %i : i32 -> tensor<64xi32, #row>
    %row = arith.addi %first, %rows : tensor<64xi32, #row>
    %row1 = tt.expand_dims %row {axis = 1 : i32} : tensor<64xi32, #row> -> tensor<64x1xi32, #a>
    %offset = arith.muli %row1, %width : tensor<64x1xi32, #a>
    %p0 = tt.addptr %bases, %offset : tensor<64x1x!tt.ptr<f16>, #a>, tensor<64x1xi32, #a>
    %p1 = tt.broadcast %p0 : tensor<64x1x!tt.ptr<f16>, #a> -> !p
    %x = tt.load %p1 : !p
    %xo = ttg.convert_layout %x : tensor<64x64xf16, #a> -> tensor<64x64xf16, #oa>
    %s = tt.dot %xo, %y, %zero : tensor<64x64xf16, #oa> * tensor<64x64xf16, #ob> -> tensor<64x64xf32, #mma>
    tt.store %out, %s : tensor<64x64x!tt.ptr<f32>, #mma>
  }
  tt.return
}

// Offsets that are known to be small: the back end takes addresses apart as well.
// CHECK-LABEL: @small
// CHECK-NOT: scf.if
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: tt.return
tt.func @small(%base: !tt.ptr<f16>, %n: i32, %y: tensor<64x64xf16, #ob>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %columns = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #column>
  %columns1 = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #column> -> tensor<1x64xi32, #a>
  %columns2 = tt.broadcast %columns1 : tensor<1x64xi32, #a> -> tensor<64x64xi32, #a>
  %bases = tt.splat %base : !tt.ptr<f16> -> !p
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %first = tt.splat %i : i32 -> tensor<64x64xi32, #a>
    %column = arith.addi %first, %columns2 : tensor<64x64xi32, #a>
    %p = tt.addptr %bases, %column : !p, tensor<64x64xi32, #a>
    %x = tt.load %p : !p
    %xo = ttg.convert_layout %x : tensor<64x64xf16, #a> -> tensor<64x64xf16, #oa>
    %s = tt.dot %xo, %y, %acc : tensor<64x64xf16, #oa> * tensor<64x64xf16, #ob> -> tensor<64x64xf32, #mma>
    scf.yield %s : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}

// Pointers that were loaded, and pointers that each thread moves on by its own number: left alone.
// CHECK-LABEL: @left_alone
// CHECK-NOT: scf.if
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: tt.return
tt.func @left_alone(%p: !p, %q: !p, %own: tensor<64x64xi32, #a>, %n: i32, %y: tensor<64x64xf16, #ob>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %pi = %p, %qi = %q) -> (tensor<64x64xf32, #mma>, !p, !p) : i32 {
    %x = tt.load %pi : !p
    %z = tt.load %qi : !p
    %sum = arith.addf %x, %z : tensor<64x64xf16, #a>
    %xo = ttg.convert_layout %sum : tensor<64x64xf16, #a> -> tensor<64x64xf16, #oa>
    %s = tt.dot %xo, %y, %acc : tensor<64x64xf16, #oa> * tensor<64x64xf16, #ob> -> tensor<64x64xf32, #mma>
    %pn = tt.addptr %pi, %own : !p, tensor<64x64xi32, #a>
    %qn = tt.addptr %qi, %own : !p, tensor<64x64xi32, #a>
    scf.yield %s, %pn, %qn : tensor<64x64xf32, #mma>, !p, !p
  }
  tt.return %r#0 : tensor<64x64xf32, #mma>
}
}
