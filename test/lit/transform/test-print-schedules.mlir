// RUN: tilewright-opt %s --test-print-schedules -o /dev/null | FileCheck %s
// RUN: tilewright-opt %s --tritongpu-schedule-loops=exact=true | FileCheck %s --check-prefix=EXACT

#a = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#l = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#oa = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#ob = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
!pa = tensor<128x32x!tt.ptr<f16>, #a>
!pl = tensor<512x!tt.ptr<f32>, #l>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// The list is as quick as can be: the unit is busy all the time.
// CHECK: op tt.load load early 2 latency 500 issue 1 copy 68
// CHECK-NEXT: op ttg.convert_layout latency 264 shared 264
// CHECK-NEXT: op tt.dot latency 528 sum 512 matrix 512
// CHECK-NEXT: op tt.addptr latency 36 issue 32
// CHECK-NEXT: uses 3 -> 0 distance 1
// CHECK-NEXT: uses 0 -> 1
// CHECK-NEXT: uses 1 -> 2
// CHECK-NEXT: sums 2 -> 2 distance 1
// CHECK-NEXT: uses 3 -> 3 distance 1
// CHECK-NEXT: list: interval 512.0, length 1516, stages 3, buffers 3
// CHECK-NEXT: slots 0:2 2:0 2:0 1:1
// CHECK-NEXT: exact: interval 512.0,
// EXACT-LABEL: @product
// EXACT: tt.load {{.*}}loop.cluster = 2 : i32, loop.stage = 0
// EXACT: tt.addptr {{.*}}loop.cluster = 1 : i32, loop.stage = 1
tt.func @product(%p: !pa, %y: tensor<32x128xf16, #ob>, %n: i32) -> tensor<128x128xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %d = arith.constant dense<32> : tensor<128x32xi32, #a>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #mma>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %q = %p) -> (tensor<128x128xf32, #mma>, !pa) : i32 {
    %x = tt.load %q {tt.latency = 2 : i32} : !pa
    %xo = ttg.convert_layout %x : tensor<128x32xf16, #a> -> tensor<128x32xf16, #oa>
    %s = tt.dot %xo, %y, %acc : tensor<128x32xf16, #oa> * tensor<32x128xf16, #ob> -> tensor<128x128xf32, #mma>
    %t = tt.addptr %q, %d : !pa, tensor<128x32xi32, #a>
    scf.yield %s, %t : tensor<128x128xf32, #mma>, !pa
  }
  tt.return %r#0 : tensor<128x128xf32, #mma>
}

// A branch stores to what a load after it reads: they keep their order, also from one iteration to
// the next. The exponential comes first, and the store and the load of the iteration wait for it
// while the next one's load is under way.
// CHECK-NEXT: slots
// CHECK-NEXT: op tt.load load early 1 latency 500 issue 1 copy 20
// CHECK-NEXT: op math.exp2 latency 516 issue 64 special 512
// CHECK-NEXT: op scf.if branch issue 1 copy 20
// CHECK-NEXT: op tt.load load latency 500 issue 1 copy 20
// CHECK-NEXT: op arith.addf latency 8 issue 4
// CHECK-NEXT: uses 0 -> 1
// CHECK-NEXT: uses 1 -> 2
// CHECK-NEXT: memory 3 -> 2 distance 1
// CHECK-NEXT: memory 2 -> 3
// CHECK-NEXT: uses 4 -> 4 distance 1
// CHECK-NEXT: uses 3 -> 4
// CHECK-NEXT: list: interval 1540.0, length 1544, stages 2, buffers 2
// CHECK-NEXT: slots 0:1 1:0 1:0 1:0 1:0
// CHECK-NEXT: exact: interval 1040.0, length 2020, stages 2, buffers 2
// CHECK-NEXT: slots 0:1 1:0 1:1 1:1 1:1
// EXACT-LABEL: @units
// EXACT: tt.load {{.*}}loop.cluster = 1 : i32, loop.stage = 0
// EXACT: math.exp2 {{.*}}loop.cluster = 0 : i32, loop.stage = 1
// EXACT: tt.load {{.*}}loop.cluster = 1 : i32, loop.stage = 1
tt.func @units(%p: !pl, %base: !tt.ptr<f32>, %c: i1, %n: i32) -> tensor<512xf32, #l> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<512xf32, #l>
  %q = tt.splat %base : !tt.ptr<f32> -> !pl
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<512xf32, #l>) : i32 {
    %x = tt.load %p {tt.latency = 1 : i32} : !pl
    %e = math.exp2 %x : tensor<512xf32, #l>
    scf.if %c {
      tt.store %q, %e : !pl
    }
    %y = tt.load %q : !pl
    %s = arith.addf %acc, %y : tensor<512xf32, #l>
    scf.yield %s : tensor<512xf32, #l>
  }
  tt.return %r : tensor<512xf32, #l>
}

// A warp has two sums, each of which waits for the instruction before: 2 of 8 cycles a step of K,
// and a latency of 24. What reads the sum waits for the last one.
// CHECK-NEXT: op tt.load load early 1
// CHECK-NEXT: op ttg.convert_layout
// CHECK-NEXT: op tt.dot latency 56 sum 48 matrix 32
// CHECK-NEXT: op math.exp2
// CHECK-NEXT: uses 0 -> 1
// CHECK-NEXT: uses 1 -> 2
// CHECK-NEXT: sums 2 -> 2 distance 1
// CHECK-NEXT: uses 2 -> 3
tt.func @few_sums(%p: tensor<32x32x!tt.ptr<f16>, #a>, %y: tensor<32x32xf16, #ob>, %n: i32) -> tensor<32x32xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #mma>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %e = %zero) -> (tensor<32x32xf32, #mma>, tensor<32x32xf32, #mma>) : i32 {
    %x = tt.load %p {tt.latency = 1 : i32} : tensor<32x32x!tt.ptr<f16>, #a>
    %xo = ttg.convert_layout %x : tensor<32x32xf16, #a> -> tensor<32x32xf16, #oa>
    %s = tt.dot %xo, %y, %acc : tensor<32x32xf16, #oa> * tensor<32x32xf16, #ob> -> tensor<32x32xf32, #mma>
    %t = math.exp2 %s : tensor<32x32xf32, #mma>
    scf.yield %s, %t : tensor<32x32xf32, #mma>, tensor<32x32xf32, #mma>
  }
  tt.return %r#1 : tensor<32x32xf32, #mma>
}
}
