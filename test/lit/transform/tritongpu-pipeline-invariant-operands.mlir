// RUN: tilewright-opt %s --tritongpu-assign-latencies --tritongpu-schedule-loops --tritongpu-pipeline | FileCheck %s

#a = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.amd_wmma<{version = 2, isTranspose = true, ctaLayout = {warp = [[1, 0], [2, 0]]}}>
#oa = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 8}>
#ob = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 8}>
#line = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!q = tensor<128x128xf16, #a>
!sums = tensor<128x128xf32, #mma>
!scores = tensor<128x64xf32, #mma>
!ofQ = tensor<128x128xf16, #oa>
!k = tensor<128x64xf16, #a>
!ofK = tensor<128x64xf16, #ob>
!pairs = tensor<64x128xf16, #ob>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1201", "ttg.threads-per-warp" = 32 : i32} {

// The sums take 128 registers of 256, the scores and the operand that stays 64 each: that one lies in
// shared memory, from where the product loads it.
// CHECK-LABEL: @short
// CHECK: %[[M:.*]] = ttg.local_alloc : () -> !ttg.memdesc<128x128xf16
// CHECK-NEXT: ttg.local_store %{{.*}}, %[[M]]
// CHECK-NOT: ttg.convert_layout %{{.*}} : tensor<128x128xf16
// CHECK: scf.for
// CHECK: %[[Q:.*]] = ttg.local_load %[[M]]
// CHECK-NEXT: tt.dot %[[Q]]
// CHECK: scf.yield
// CHECK: ttg.local_dealloc %[[M]]
tt.func @short(%x: !q, %y: !k, %v: !pairs, %n: i32) -> !sums {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sums
  %none = arith.constant dense<0.0> : !scores
  %q = ttg.convert_layout %x : !q -> !ofQ
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!sums) : i32 {
    %k = ttg.convert_layout %y : !k -> !ofK
    %s = tt.dot %q, %k, %none : !ofQ * !ofK -> !scores
    %p = arith.truncf %s : !scores to tensor<128x64xf16, #mma>
    %po = ttg.convert_layout %p : tensor<128x64xf16, #mma> -> tensor<128x64xf16, #oa>
    %next = tt.dot %po, %v, %acc : tensor<128x64xf16, #oa> * !pairs -> !sums
    scf.yield %next : !sums
  }
  tt.return %r : !sums
}

// Two loops, as of the blocks before a mask matters and behind that: memory until the second ends.
// CHECK-LABEL: @twoLoops
// CHECK: %[[M:.*]] = ttg.local_alloc
// CHECK-NOT: {{ttg.local_alloc|ttg.convert_layout .* tensor<128x128xf16}}
// CHECK: scf.for
// CHECK: ttg.local_load %[[M]]
// CHECK-NOT: ttg.local_dealloc
// CHECK: scf.for
// CHECK: ttg.local_load %[[M]]
// CHECK: scf.yield
// CHECK: ttg.local_dealloc %[[M]]
tt.func @twoLoops(%x: !q, %y: !k, %v: !sums, %n: i32) -> (!sums, !scores) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : !scores
  %q = ttg.convert_layout %x : !q -> !ofQ
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %v, %last = %none) -> (!sums, !scores) : i32 {
    %k = ttg.convert_layout %y : !k -> !ofK
    %s = tt.dot %q, %k, %last : !ofQ * !ofK -> !scores
    %twice = arith.addf %acc, %acc : !sums
    scf.yield %twice, %s : !sums, !scores
  }
  %t:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %r#0, %last = %r#1) -> (!sums, !scores) : i32 {
    %k = ttg.convert_layout %y : !k -> !ofK
    %s = tt.dot %q, %k, %last : !ofQ * !ofK -> !scores
    %twice = arith.addf %acc, %acc : !sums
    scf.yield %twice, %s : !sums, !scores
  }
  tt.return %t#0, %t#1 : !sums, !scores
}

// Without the large sums registers suffice.
// CHECK-LABEL: @enough
// CHECK-NOT: ttg.local_alloc
// CHECK: ttg.convert_layout %{{.*}} : tensor<128x128xf16
// CHECK: scf.for
// CHECK-NOT: ttg.local_load
// CHECK: tt.return
tt.func @enough(%x: !q, %y: !k, %n: i32) -> !scores {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : !scores
  %q = ttg.convert_layout %x : !q -> !ofQ
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %none) -> (!scores) : i32 {
    %k = ttg.convert_layout %y : !k -> !ofK
    %s = tt.dot %q, %k, %acc : !ofQ * !ofK -> !scores
    scf.yield %s : !scores
  }
  tt.return %r : !scores
}

// Another use than by products of loops keeps the registers; a product in a branch is no better.
// CHECK-LABEL: @otherUse
// CHECK-NOT: ttg.local_alloc
// CHECK: tt.return
tt.func @otherUse(%x: !q, %y: !k, %v: !sums, %n: i32) -> (!sums, !scores, !ofQ) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : !scores
  %q = ttg.convert_layout %x : !q -> !ofQ
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %v, %last = %none) -> (!sums, !scores) : i32 {
    %k = ttg.convert_layout %y : !k -> !ofK
    %s = tt.dot %q, %k, %last : !ofQ * !ofK -> !scores
    %twice = arith.addf %acc, %acc : !sums
    scf.yield %twice, %s : !sums, !scores
  }
  tt.return %r#0, %r#1, %q : !sums, !scores, !ofQ
}

// 16 of 64 KiB are left, and the operand has 32.
// CHECK-LABEL: @noMemory
// CHECK-COUNT-2: ttg.local_alloc
// CHECK-NOT: ttg.local_alloc
// CHECK: tt.return
tt.func @noMemory(%x: !q, %y: !k, %v: !sums, %n: i32) -> (!sums, !scores, tensor<16384xf16, #line>, tensor<8192xf16, #line>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : !scores
  %held = ttg.local_alloc : () -> !ttg.memdesc<16384xf16, #plain, #smem, mutable>
  %more = ttg.local_alloc : () -> !ttg.memdesc<8192xf16, #plain, #smem, mutable>
  %q = ttg.convert_layout %x : !q -> !ofQ
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %v, %last = %none) -> (!sums, !scores) : i32 {
    %k = ttg.convert_layout %y : !k -> !ofK
    %s = tt.dot %q, %k, %last : !ofQ * !ofK -> !scores
    %twice = arith.addf %acc, %acc : !sums
    scf.yield %twice, %s : !sums, !scores
  }
  %x0 = ttg.local_load %held : !ttg.memdesc<16384xf16, #plain, #smem, mutable> -> tensor<16384xf16, #line>
  %x1 = ttg.local_load %more : !ttg.memdesc<8192xf16, #plain, #smem, mutable> -> tensor<8192xf16, #line>
  tt.return %r#0, %r#1, %x0, %x1 : !sums, !scores, tensor<16384xf16, #line>, tensor<8192xf16, #line>
}
}
