// RUN: tilewright-opt %s --tritongpu-pipeline --canonicalize --cse | FileCheck %s
// RUN: tilewright-opt %s --tritongpu-pipeline --canonicalize --cse --convert-scf-to-cf --allocate-shared-memory | FileCheck %s --check-prefix=BARRIERS

#a = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#at = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#l = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#oa = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#ob = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
!pa = tensor<128x32x!tt.ptr<f16>, #a>
!pl = tensor<512x!tt.ptr<f32>, #l>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// Rows of 64 bytes: two share the 128 bytes of all banks.
// CHECK-DAG: #[[SHARED:.*]] = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>

// Two copies are under way, into three buffers; the third is the one that is read. Where there may
// be no iterations copies are masked, before the loop and in its last two iterations. In the loop:
// the wait leaves the copy of the next iteration, then the copy of the one after it begins, then
// the present one is read.
// CHECK-LABEL: @product
// CHECK: %[[M:.*]] = ttg.local_alloc : () -> !ttg.memdesc<3x128x32xf16, #[[SHARED]], #smem, mutable>
// CHECK: arith.cmpi sgt, %arg2, %c0_i32
// CHECK: ttg.async_copy_global_to_local %{{.*}}, %{{.*}} mask %{{.*}} {contiguity = 8 : i32}
// CHECK: %[[G0:.*]] = ttg.async_commit_group
// CHECK: ttg.async_copy_global_to_local %{{.*}}, %{{.*}} mask %{{.*}} {contiguity = 8 : i32}
// CHECK: %[[G1:.*]] = ttg.async_commit_group
// CHECK: scf.for {{.*}} iter_args({{.*}}%[[T0:[^ ]*]] = %[[G0]], %[[T1:[^ ]*]] = %[[G1]])
// CHECK: %[[W:.*]] = ttg.async_wait %[[T0]] {num = 1 : i32}
// CHECK: %[[V:.*]] = ttg.memdesc_index %[[M]]
// CHECK: ttg.async_copy_global_to_local %{{.*}}, %{{.*}} mask
// CHECK: %[[G2:.*]] = ttg.async_commit_group
// CHECK: %[[X:.*]] = ttg.local_load %[[V]] token %[[W]] {{.*}} -> tensor<128x32xf16, #ttg.dot_op
// CHECK: tt.dot %[[X]]
// CHECK: scf.yield {{.*}}, %[[T1]], %[[G2]] :
// CHECK: ttg.async_wait {num = 0 : i32}
// CHECK-NEXT: ttg.local_dealloc %[[M]]

// One barrier an iteration.
// BARRIERS-LABEL: @product
// BARRIERS: ttg.async_wait {{.*}} {num = 1 : i32}
// BARRIERS: ttg.barrier local
// BARRIERS-NOT: ttg.barrier
// BARRIERS: ttg.async_copy_global_to_local
// BARRIERS-NOT: ttg.barrier
// BARRIERS: tt.dot
// BARRIERS-NOT: ttg.barrier
// BARRIERS: cf.br
tt.func public @product(%p: !pa {tt.divisibility = 16 : i32, tt.contiguity = 32 : i32},
                 %y: tensor<32x128xf16, #ob>, %n: i32) -> tensor<128x128xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %d = arith.constant dense<32> : tensor<128x32xi32, #a>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #mma>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %q = %p) -> (tensor<128x128xf32, #mma>, !pa) : i32 {
    %x = tt.load %q {loop.cluster = 2 : i32, loop.stage = 0 : i32} : !pa
    %xo = ttg.convert_layout %x {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<128x32xf16, #a> -> tensor<128x32xf16, #oa>
    %s = tt.dot %xo, %y, %acc {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<128x32xf16, #oa> * tensor<32x128xf16, #ob> -> tensor<128x128xf32, #mma>
    %t = tt.addptr %q, %d {loop.cluster = 1 : i32, loop.stage = 1 : i32} : !pa, tensor<128x32xi32, #a>
    scf.yield %s, %t : tensor<128x128xf32, #mma>, !pa
  } {tt.scheduled_max_stage = 2 : i32}
  tt.return %r#0 : tensor<128x128xf32, #mma>
}

// As many iterations as there are: nothing is masked before the loop. What is masked by the source
// and not zero is selected once more.
// CHECK-LABEL: @other
// CHECK: ttg.async_copy_global_to_local %arg0, %{{.*}} mask %arg1 {contiguity = 4 : i32}
// CHECK: scf.for
// CHECK: %[[L:.*]] = ttg.local_load
// CHECK: arith.select %arg1, %[[L]], %{{.*}}
tt.func @other(%p: !pl {tt.divisibility = 16 : i32, tt.contiguity = 512 : i32}, %m: tensor<512xi1, #l> {tt.constancy = 512 : i32}) -> tensor<512xf32, #l> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c9 = arith.constant 9 : i32
  %one = arith.constant dense<1.0> : tensor<512xf32, #l>
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%acc = %one) -> (tensor<512xf32, #l>) : i32 {
    %x = tt.load %p, %m, %one {loop.cluster = 1 : i32, loop.stage = 0 : i32} : !pl
    %s = arith.mulf %acc, %x {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<512xf32, #l>
    scf.yield %s : tensor<512xf32, #l>
  } {tt.scheduled_max_stage = 1 : i32}
  tt.return %r : tensor<512xf32, #l>
}

// Quotients, atomic operations and stores of early stages are for iterations that there are.
// CHECK-LABEL: @effects
// CHECK: scf.if
// CHECK: arith.divsi
// CHECK: tt.store %{{.*}}, %{{.*}}, %{{.*}} :
// CHECK: scf.for
// CHECK: scf.if
// CHECK: arith.divsi
// CHECK: tt.store %{{.*}}, %{{.*}}, %{{.*}} :
tt.func @effects(%p: !tt.ptr<i32>, %a: i32, %n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c0) -> (i32) : i32 {
    %x = arith.divsi %a, %i {loop.cluster = 1 : i32, loop.stage = 0 : i32} : i32
    tt.store %p, %x {loop.cluster = 1 : i32, loop.stage = 0 : i32} : !tt.ptr<i32>
    %s = arith.addi %acc, %x {loop.cluster = 0 : i32, loop.stage = 1 : i32} : i32
    scf.yield %s : i32
  } {tt.scheduled_max_stage = 1 : i32}
  tt.return %r : i32
}

// A branch of an early stage that computes something only where it is taken is taken for iterations
// that there are.
// CHECK-LABEL: @branch
// CHECK: scf.for
// CHECK: %[[EXISTS:.*]] = arith.cmpi slt
// CHECK: %[[FIRST:.*]] = arith.cmpi eq
// CHECK: %[[BOTH:.*]] = arith.andi %[[EXISTS]], %[[FIRST]]
// CHECK: scf.if %[[BOTH]] -> (i32) {
// CHECK-NEXT: arith.divsi
// CHECK-NEXT: scf.yield
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield
tt.func @branch(%a: i32, %n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c0) -> (i32) : i32 {
    %first = arith.cmpi eq, %i, %c4 {loop.cluster = 1 : i32, loop.stage = 0 : i32} : i32
    %x = scf.if %first -> (i32) {
      %q = arith.divsi %a, %i : i32
      scf.yield %q : i32
    } else {
      scf.yield %a : i32
    } {loop.cluster = 1 : i32, loop.stage = 0 : i32}
    %s = arith.addi %acc, %x {loop.cluster = 0 : i32, loop.stage = 1 : i32} : i32
    scf.yield %s : i32
  } {tt.scheduled_max_stage = 1 : i32}
  tt.return %r : i32
}

// An operand of a product that something else uses later.
// CHECK-LABEL: @operand_and_more
// CHECK: scf.for
// CHECK: %[[V:.*]] = ttg.memdesc_index
// CHECK: %[[L:.*]] = ttg.local_load %[[V]] {{.*}} -> tensor<128x32xf16, #blocked
// CHECK: %[[X:.*]] = ttg.local_load %[[V]] {{.*}} -> tensor<128x32xf16, #ttg.dot_op
// CHECK: tt.dot %[[X]]
// CHECK: tt.store %{{.*}}, %[[L]]
tt.func @operand_and_more(%p: !pa {tt.divisibility = 16 : i32, tt.contiguity = 32 : i32}, %o: !pa,
                          %y: tensor<32x128xf16, #ob>, %n: i32) -> tensor<128x128xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32, #mma>) : i32 {
    %x = tt.load %p {loop.cluster = 1 : i32, loop.stage = 0 : i32} : !pa
    %xo = ttg.convert_layout %x {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<128x32xf16, #a> -> tensor<128x32xf16, #oa>
    %s = tt.dot %xo, %y, %acc {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<128x32xf16, #oa> * tensor<32x128xf16, #ob> -> tensor<128x128xf32, #mma>
    tt.store %o, %x {loop.cluster = 0 : i32, loop.stage = 1 : i32} : !pa
    scf.yield %s : tensor<128x128xf32, #mma>
  } {tt.scheduled_max_stage = 1 : i32}
  tt.return %r : tensor<128x128xf32, #mma>
}

// A tile that is transposed for the product: the memory is, and its rows are swizzled for that.
// CHECK-LABEL: @transposed
// CHECK: ttg.local_alloc : () -> !ttg.memdesc<2x128x32xf16, #[[SHARED]], #smem, mutable>
// CHECK: scf.for
// CHECK: %[[V:.*]] = ttg.memdesc_index
// CHECK: %[[T:.*]] = ttg.memdesc_trans %[[V]] {order = array<i32: 1, 0>}
// CHECK: %[[X:.*]] = ttg.local_load %[[T]] {{.*}} -> tensor<32x128xf16, #ttg.dot_op<{opIdx = 1
// CHECK-NOT: tt.trans
// CHECK-NOT: ttg.convert_layout
// CHECK: tt.dot %{{.*}}, %[[X]]
tt.func @transposed(%p: !pa {tt.divisibility = 16 : i32, tt.contiguity = 32 : i32},
                    %y: tensor<128x32xf16, #oa>, %n: i32) -> tensor<128x128xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32, #mma>) : i32 {
    %x = tt.load %p {loop.cluster = 1 : i32, loop.stage = 0 : i32} : !pa
    %t = tt.trans %x {order = array<i32: 1, 0>, loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<128x32xf16, #a> -> tensor<32x128xf16, #at>
    %xo = ttg.convert_layout %t {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<32x128xf16, #at> -> tensor<32x128xf16, #ob>
    %s = tt.dot %y, %xo, %acc {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<128x32xf16, #oa> * tensor<32x128xf16, #ob> -> tensor<128x128xf32, #mma>
    scf.yield %s : tensor<128x128xf32, #mma>
  } {tt.scheduled_max_stage = 1 : i32}
  tt.return %r : tensor<128x128xf32, #mma>
}
}
