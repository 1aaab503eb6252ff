// RUN: tilewright-opt %s --tritongpu-reorder-instructions | FileCheck %s

// A product whose sum fills half of a thread's registers stays before the loads of the step behind
// the next: a third pair of operands has no room. Of smaller ones the loads come first. Before stores
// to shared memory all stay: threads wait for each other there, with the operands in registers.

#large = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #large, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #large, kWidth = 2}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @large_sums
  // CHECK: scf.for
  // CHECK: ttg.local_load
  // CHECK: ttg.local_load
  // CHECK: tt.dot
  // CHECK: ttg.local_load
  // CHECK: ttg.local_load
  // CHECK: tt.dot
  // CHECK: tt.dot
  tt.func @large_sums(%n: i32, %copied: !ttg.async.token, %zero: tensor<128x128xf32, #large>, %a0: tensor<128x16xf16, #a>, %b0: tensor<16x128xf16, #b>, %am: !ttg.memdesc<128x16xf16, #shared, #smem>, %bm: !ttg.memdesc<16x128xf16, #shared, #smem>) -> tensor<128x128xf32, #large> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero) -> (tensor<128x128xf32, #large>) : i32 {
      %a1 = ttg.local_load %am token %copied : !ttg.memdesc<128x16xf16, #shared, #smem> -> tensor<128x16xf16, #a>
      %b1 = ttg.local_load %bm token %copied : !ttg.memdesc<16x128xf16, #shared, #smem> -> tensor<16x128xf16, #b>
      %d0 = tt.dot %a0, %b0, %c : tensor<128x16xf16, #a> * tensor<16x128xf16, #b> -> tensor<128x128xf32, #large>
      %a2 = ttg.local_load %am token %copied : !ttg.memdesc<128x16xf16, #shared, #smem> -> tensor<128x16xf16, #a>
      %b2 = ttg.local_load %bm token %copied : !ttg.memdesc<16x128xf16, #shared, #smem> -> tensor<16x128xf16, #b>
      %d1 = tt.dot %a1, %b1, %d0 : tensor<128x16xf16, #a> * tensor<16x128xf16, #b> -> tensor<128x128xf32, #large>
      %d2 = tt.dot %a2, %b2, %d1 : tensor<128x16xf16, #a> * tensor<16x128xf16, #b> -> tensor<128x128xf32, #large>
      scf.yield %d2 : tensor<128x128xf32, #large>
    }
    tt.return %sum : tensor<128x128xf32, #large>
  }

  // CHECK-LABEL: @small_sums
  // CHECK: scf.for
  // CHECK-COUNT-4: ttg.local_load
  // CHECK-COUNT-3: tt.dot
  tt.func @small_sums(%n: i32, %copied: !ttg.async.token, %zero: tensor<128x64xf32, #large>, %a0: tensor<128x16xf16, #a>, %b0: tensor<16x64xf16, #b>, %am: !ttg.memdesc<128x16xf16, #shared, #smem>, %bm: !ttg.memdesc<16x64xf16, #shared, #smem>) -> tensor<128x64xf32, #large> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero) -> (tensor<128x64xf32, #large>) : i32 {
      %a1 = ttg.local_load %am token %copied : !ttg.memdesc<128x16xf16, #shared, #smem> -> tensor<128x16xf16, #a>
      %b1 = ttg.local_load %bm token %copied : !ttg.memdesc<16x64xf16, #shared, #smem> -> tensor<16x64xf16, #b>
      %d0 = tt.dot %a0, %b0, %c : tensor<128x16xf16, #a> * tensor<16x64xf16, #b> -> tensor<128x64xf32, #large>
      %a2 = ttg.local_load %am token %copied : !ttg.memdesc<128x16xf16, #shared, #smem> -> tensor<128x16xf16, #a>
      %b2 = ttg.local_load %bm token %copied : !ttg.memdesc<16x64xf16, #shared, #smem> -> tensor<16x64xf16, #b>
      %d1 = tt.dot %a1, %b1, %d0 : tensor<128x16xf16, #a> * tensor<16x64xf16, #b> -> tensor<128x64xf32, #large>
      %d2 = tt.dot %a2, %b2, %d1 : tensor<128x16xf16, #a> * tensor<16x64xf16, #b> -> tensor<128x64xf32, #large>
      scf.yield %d2 : tensor<128x64xf32, #large>
    }
    tt.return %sum : tensor<128x64xf32, #large>
  }

  // CHECK-LABEL: @before_stores
  // CHECK: scf.for
  // CHECK-COUNT-2: ttg.local_load
  // CHECK-NEXT: tt.dot
  // CHECK-NEXT: ttg.local_store
  tt.func @before_stores(%n: i32, %zero: tensor<128x64xf32, #large>, %x: tensor<128x64xf16, #a>, %am: !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, %bm: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) -> tensor<128x64xf32, #large> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero) -> (tensor<128x64xf32, #large>) : i32 {
      %a = ttg.local_load %am : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> -> tensor<128x64xf16, #a>
      %b = ttg.local_load %bm : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #b>
      %d = tt.dot %a, %b, %c : tensor<128x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<128x64xf32, #large>
      ttg.local_store %x, %am : tensor<128x64xf16, #a> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      scf.yield %d : tensor<128x64xf32, #large>
    }
    tt.return %sum : tensor<128x64xf32, #large>
  }
}
