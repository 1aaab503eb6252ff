// RUN: tilewright-opt %s --split-input-file --tritongpu-prefetch | FileCheck %s

// A product that reads registers is cut along K; each step is loaded while the one before it is
// multiplied, the first one of the next tile during the last.

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#s = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
!a = tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
!b = tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
!c = tensor<64x64xf32, #mma>
!tiles = !ttg.memdesc<3x64x64xf16, #s, #smem, mutable>
!tile = !ttg.memdesc<64x64xf16, #s, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @steps
  // The head of the first tile.
  // CHECK: %[[WAIT:.*]] = ttg.async_wait %{{.*}} {num = 0 : i32}
  // CHECK: ttg.memdesc_subslice %{{.*}}[0, 0] : {{.*}} -> !ttg.memdesc<64x16xf16, {{.*}}, 64x64>
  // CHECK: %[[A0:.*]] = ttg.local_load %{{.*}} token %[[WAIT]]
  // CHECK: ttg.memdesc_subslice %{{.*}}[0, 0] : {{.*}} -> !ttg.memdesc<16x64xf16, {{.*}}, 64x64>
  // CHECK: %[[B0:.*]] = ttg.local_load %{{.*}} token %[[WAIT]]
  // CHECK: scf.for {{.*}} iter_args({{.*}}, %[[ACC:[^ ]*]] = %arg2, %[[A:[^ ]*]] = %[[A0]], %[[TA:[^ ]*]] = %[[WAIT]], %[[B:[^ ]*]] = %[[B0]], %[[TB:[^ ]*]] = %[[WAIT]])
  // CHECK-NOT: ttg.async_wait
  // CHECK: ttg.memdesc_subslice %{{.*}}[0, 16]
  // CHECK: %[[A1:.*]] = ttg.local_load %{{.*}} token %[[TA]]
  // CHECK: ttg.memdesc_subslice %{{.*}}[16, 0]
  // CHECK: %[[B1:.*]] = ttg.local_load %{{.*}} token %[[TB]]
  // CHECK: %[[D0:.*]] = tt.dot %[[A]], %[[B]], %[[ACC]]
  // CHECK: ttg.memdesc_subslice %{{.*}}[0, 32]
  // CHECK: ttg.memdesc_subslice %{{.*}}[32, 0]
  // CHECK: %[[D1:.*]] = tt.dot %[[A1]], %[[B1]], %[[D0]]
  // CHECK: ttg.memdesc_subslice %{{.*}}[0, 48]
  // CHECK: %[[A3:.*]] = ttg.local_load
  // CHECK: ttg.memdesc_subslice %{{.*}}[48, 0]
  // CHECK: %[[B3:.*]] = ttg.local_load
  // CHECK: %[[D2:.*]] = tt.dot %{{.*}}, %{{.*}}, %[[D1]]
  // CHECK: %[[NEXT:.*]] = ttg.async_wait %{{.*}} {num = 1 : i32}
  // CHECK: ttg.memdesc_subslice %{{.*}}[0, 0]
  // CHECK: %[[NA:.*]] = ttg.local_load %{{.*}} token %[[NEXT]]
  // CHECK: ttg.memdesc_subslice %{{.*}}[0, 0]
  // CHECK: %[[NB:.*]] = ttg.local_load %{{.*}} token %[[NEXT]]
  // CHECK: %[[D3:.*]] = tt.dot %[[A3]], %[[B3]], %[[D2]]
  // CHECK: scf.yield %{{.*}}, %{{.*}}, %{{.*}}, %[[D3]], %[[NA]], %[[NEXT]], %[[NB]], %[[NEXT]]
  tt.func public @steps(%as: !tiles, %bs: !tiles, %zero: !c, %first: !ttg.async.token, %n: i32) -> !c {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %start = arith.constant -1 : i32
    %g:4 = scf.for %i = %c0 to %n step %c1 iter_args(%before = %start, %t0 = %first, %t1 = %first, %acc = %zero) -> (i32, !ttg.async.token, !ttg.async.token, !c) : i32 {
      %sum = arith.addi %before, %c1 : i32
      %isEnd = arith.cmpi sge, %sum, %c3 : i32
      %index = arith.select %isEnd, %c0, %sum : i32
      %w = ttg.async_wait %t0 {num = 1 : i32}
      %t2 = ttg.async_commit_group
      %am = ttg.memdesc_index %as[%index] : !tiles -> !tile
      %bm = ttg.memdesc_index %bs[%index] : !tiles -> !tile
      %a = ttg.local_load %am token %w : !tile -> !a
      %b = ttg.local_load %bm token %w : !tile -> !b
      %d = tt.dot %a, %b, %acc, inputPrecision = ieee : !a * !b -> !c
      scf.yield %index, %t1, %t2, %d : i32, !ttg.async.token, !ttg.async.token, !c
    }
    tt.return %g#3 : !c
  }

  // The tile of the next iteration is begun after the product: it is not known before.
  // CHECK-LABEL: @late
  // CHECK: ttg.async_wait
  // CHECK: tt.dot
  // CHECK-NOT: tt.dot
  // CHECK: tt.return
  tt.func public @late(%as: !tiles, %bs: !tiles, %zero: !c, %first: !ttg.async.token, %n: i32) -> !c {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %g:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %first, %acc = %zero) -> (!ttg.async.token, !c) : i32 {
      %w = ttg.async_wait %t {num = 0 : i32}
      %am = ttg.memdesc_index %as[%c0] : !tiles -> !tile
      %bm = ttg.memdesc_index %bs[%c0] : !tiles -> !tile
      %a = ttg.local_load %am token %w : !tile -> !a
      %b = ttg.local_load %bm token %w : !tile -> !b
      %d = tt.dot %a, %b, %acc, inputPrecision = ieee : !a * !b -> !c
      %t2 = ttg.async_commit_group
      scf.yield %t2, %d : !ttg.async.token, !c
    }
    tt.return %g#1 : !c
  }

  // Loads that do not say what they wait for: the wait in the body may be for anything.
  // CHECK-LABEL: @no_token
  // CHECK: scf.for
  // CHECK-NEXT: ttg.async_wait
  // CHECK: tt.dot
  // CHECK-NOT: tt.dot
  // CHECK: tt.return
  tt.func public @no_token(%as: !tiles, %bs: !tiles, %zero: !c, %n: i32) -> !c {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %g = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!c) : i32 {
      %w = ttg.async_wait {num = 0 : i32}
      %am = ttg.memdesc_index %as[%c0] : !tiles -> !tile
      %bm = ttg.memdesc_index %bs[%c0] : !tiles -> !tile
      %a = ttg.local_load %am : !tile -> !a
      %b = ttg.local_load %bm : !tile -> !b
      %d = tt.dot %a, %b, %acc, inputPrecision = ieee : !a * !b -> !c
      scf.yield %d : !c
    }
    tt.return %g : !c
  }
}

// -----

// What is done with each element on the way is done step by step. A thread has four elements side by
// side along K, so a step is two instructions.

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#s = #ttg.swizzled_shared<{vec = 16, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
#opa = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>
#opb = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>
!tile = !ttg.memdesc<64x64xf8E5M2, #s, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @converted
  // CHECK: scf.for {{.*}} -> (!ttg.async.token, tensor<64x64xf32, {{.*}}>, tensor<64x32xf8E5M2, {{.*}}>, !ttg.async.token, tensor<32x64xf8E5M2, {{.*}}>, !ttg.async.token)
  // CHECK: ttg.local_load {{.*}} -> tensor<64x32xf8E5M2
  // CHECK: ttg.local_load {{.*}} -> tensor<32x64xf8E5M2
  // CHECK: tt.fp_to_fp {{.*}} : tensor<64x32xf8E5M2, {{.*}}> -> tensor<64x32xf16
  // CHECK: tt.fp_to_fp {{.*}} : tensor<32x64xf8E5M2, {{.*}}> -> tensor<32x64xf16
  // CHECK: tt.dot
  // CHECK: ttg.async_wait
  // CHECK: tt.dot
  // CHECK-NOT: tt.dot
  // CHECK: scf.yield
  tt.func public @converted(%am: !tile, %bm: !tile, %zero: tensor<64x64xf32, #mma>, %first: !ttg.async.token, %n: i32) -> tensor<64x64xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %g:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %first, %acc = %zero) -> (!ttg.async.token, tensor<64x64xf32, #mma>) : i32 {
      %w = ttg.async_wait %t {num = 0 : i32}
      %t2 = ttg.async_commit_group
      %av = ttg.memdesc_subslice %am[0, 0] : !tile -> !tile
      %bv = ttg.memdesc_subslice %bm[0, 0] : !tile -> !tile
      %a8 = ttg.local_load %av token %w : !tile -> tensor<64x64xf8E5M2, #opa>
      %b8 = ttg.local_load %bv token %w : !tile -> tensor<64x64xf8E5M2, #opb>
      %a = tt.fp_to_fp %a8 : tensor<64x64xf8E5M2, #opa> -> tensor<64x64xf16, #opa>
      %b = tt.fp_to_fp %b8 : tensor<64x64xf8E5M2, #opb> -> tensor<64x64xf16, #opb>
      %d = tt.dot %a, %b, %acc, inputPrecision = ieee : tensor<64x64xf16, #opa> * tensor<64x64xf16, #opb> -> tensor<64x64xf32, #mma>
      scf.yield %t2, %d : !ttg.async.token, tensor<64x64xf32, #mma>
    }
    tt.return %g#1 : tensor<64x64xf32, #mma>
  }
}

// -----

// Two products: the heads of both come during the last step of the second one.

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#s = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
!a = tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
!b = tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
!c = tensor<64x64xf32, #mma>
!tiles = !ttg.memdesc<3x64x64xf16, #s, #smem, mutable>
!tile = !ttg.memdesc<64x64xf16, #s, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @two_products
  // CHECK: scf.for {{.*}} iter_args({{.*}}%[[A:[^ ]*]] = %{{.*}}, %{{.*}} = %{{.*}}, %[[B:[^ ]*]] = %{{.*}}, %{{.*}} = %{{.*}}, %[[E:[^ ]*]] = %{{.*}}, %{{.*}} = %{{.*}}, %[[F:[^ ]*]] = %{{.*}}, %{{.*}} = %{{[^ ]*}})
  // CHECK: tt.dot %[[A]], %[[B]]
  // CHECK: %[[D:.*]] = tt.dot %{{.*}}, %{{.*}}, %{{.*}}
  // CHECK: tt.dot %[[E]], %[[F]]
  // CHECK: ttg.async_wait
  // CHECK-COUNT-4: ttg.local_load
  // CHECK-NEXT: tt.dot
  // CHECK-NEXT: scf.yield
  tt.func public @two_products(%as: !tiles, %bs: !tiles, %zero: !c, %first: !ttg.async.token, %n: i32) -> !c {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %g:3 = scf.for %i = %c0 to %n step %c1 iter_args(%index = %c0, %t0 = %first, %acc = %zero) -> (i32, !ttg.async.token, !c) : i32 {
      %w = ttg.async_wait %t0 {num = 1 : i32}
      %t1 = ttg.async_commit_group
      %am = ttg.memdesc_index %as[%index] : !tiles -> !tile
      %bm = ttg.memdesc_index %bs[%index] : !tiles -> !tile
      %next = arith.addi %index, %c1 : i32
      %a = ttg.local_load %am token %w : !tile -> !a
      %b = ttg.local_load %bm token %w : !tile -> !b
      %d = tt.dot %a, %b, %acc, inputPrecision = ieee : !a * !b -> !c
      %e = ttg.local_load %bm token %w : !tile -> !a
      %f = ttg.local_load %am token %w : !tile -> !b
      %h = tt.dot %e, %f, %d, inputPrecision = ieee : !a * !b -> !c
      scf.yield %next, %t1, %h : i32, !ttg.async.token, !c
    }
    tt.return %g#2 : !c
  }
}
