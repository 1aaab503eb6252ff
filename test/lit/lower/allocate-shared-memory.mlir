// RUN: tilewright-opt %s --split-input-file --allocate-shared-memory | FileCheck %s

// Reductions take consecutive bytes, so that none waits for the one before: each has a barrier of
// its own between its stores and its loads.

#v = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK: ttg.shared = 48 : i32
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @consecutive
  // CHECK: allocation.offset = 0 : i32
  // CHECK: allocation.offset = 16 : i32
  // CHECK: allocation.offset = 32 : i32
  // CHECK-NOT: ttg.barrier
  // CHECK-LABEL: tt.return
  tt.func public @consecutive(%p: !tt.ptr<i32>, %x: i32) {
    %t = tt.splat %x : i32 -> tensor<128xi32, #v>
    %a = "tt.reduce"(%t) <{axis = 0 : i32}> ({
    ^bb0(%l: i32, %r: i32):
      %s = arith.addi %l, %r : i32
      tt.reduce.return %s : i32
    }) {allocation.offset = 99 : i32} : (tensor<128xi32, #v>) -> i32
    %b = "tt.reduce"(%t) <{axis = 0 : i32}> ({
    ^bb0(%l: i32, %r: i32):
      %s = arith.maxsi %l, %r : i32
      tt.reduce.return %s : i32
    }) : (tensor<128xi32, #v>) -> i32
    %c = "tt.reduce"(%t) <{axis = 0 : i32}> ({
    ^bb0(%l: i32, %r: i32):
      %s = arith.minsi %l, %r : i32
      tt.reduce.return %s : i32
    }) : (tensor<128xi32, #v>) -> i32
    tt.return
  }
}

// -----

// Large scratches lie at the same bytes; the second has to wait for the first's loads, the
// third after a barrier of the user's does not.

#a = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#b = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
// CHECK: ttg.shared = [[SIZE:[0-9]+]] : i32
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @reuse
  // CHECK-NEXT: ttg.convert_layout %arg0 {allocation.offset = 0 : i32}
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.convert_layout {{.*}} {allocation.offset = 0 : i32}
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.convert_layout {{.*}} {allocation.offset = 0 : i32}
  // CHECK-NEXT: tt.return
  tt.func private @reuse(%x: tensor<64x64xf32, #a>) -> tensor<64x64xf32, #b> {
    %y = ttg.convert_layout %x : tensor<64x64xf32, #a> -> tensor<64x64xf32, #b>
    %z = ttg.convert_layout %y : tensor<64x64xf32, #b> -> tensor<64x64xf32, #a>
    ttg.barrier local
    %w = ttg.convert_layout %z : tensor<64x64xf32, #a> -> tensor<64x64xf32, #b>
    tt.return %w : tensor<64x64xf32, #b>
  }
}

// -----

// A loop comes back to its own scratch: one barrier in each iteration. With two ops in the body
// each one's barrier protects the other.

#v = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @loop
  // CHECK: ^bb1
  // CHECK: ttg.barrier local
  // CHECK-NEXT: "tt.reduce"
  // CHECK-NOT: ttg.barrier
  // CHECK: ^bb2
  tt.func public @loop(%c: i1, %x: i32) {
    cf.br ^bb1(%x : i32)
  ^bb1(%i: i32):
    %t = tt.splat %i : i32 -> tensor<128xi32, #v>
    %a = "tt.reduce"(%t) <{axis = 0 : i32}> ({
    ^bb0(%l: i32, %r: i32):
      %s = arith.addi %l, %r : i32
      tt.reduce.return %s : i32
    }) : (tensor<128xi32, #v>) -> i32
    cf.cond_br %c, ^bb1(%a : i32), ^bb2
  ^bb2:
    tt.return
  }

  // CHECK-LABEL: @two_in_a_loop
  // CHECK-NOT: ttg.barrier
  // CHECK: tt.return
  tt.func public @two_in_a_loop(%c: i1, %x: i32) {
    cf.br ^bb1(%x : i32)
  ^bb1(%i: i32):
    %t = tt.splat %i : i32 -> tensor<128xi32, #v>
    %a = "tt.reduce"(%t) <{axis = 0 : i32}> ({
    ^bb0(%l: i32, %r: i32):
      %s = arith.addi %l, %r : i32
      tt.reduce.return %s : i32
    }) : (tensor<128xi32, #v>) -> i32
    %u = tt.splat %a : i32 -> tensor<128xi32, #v>
    %b = "tt.reduce"(%u) <{axis = 0 : i32}> ({
    ^bb0(%l: i32, %r: i32):
      %s = arith.addi %l, %r : i32
      tt.reduce.return %s : i32
    }) : (tensor<128xi32, #v>) -> i32
    cf.cond_br %c, ^bb1(%b : i32), ^bb2
  ^bb2:
    tt.return
  }
}

// -----

// Two ways to one op. On the left the bytes were in use; on the right they were not: one barrier,
// before the op where the ways meet.

#a = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#b = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @branches
  // CHECK: ^bb1:
  // CHECK-NEXT: ttg.convert_layout
  // CHECK-NEXT: cf.br
  // CHECK: ^bb2:
  // CHECK-NEXT: cf.br
  // CHECK: ^bb3(%{{[0-9]+}}:
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.convert_layout
  tt.func private @branches(%c: i1, %x: tensor<64x64xf32, #a>, %z: tensor<64x64xf32, #b>) -> tensor<64x64xf32, #a> {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    %y = ttg.convert_layout %x : tensor<64x64xf32, #a> -> tensor<64x64xf32, #b>
    cf.br ^bb3(%y : tensor<64x64xf32, #b>)
  ^bb2:
    cf.br ^bb3(%z : tensor<64x64xf32, #b>)
  ^bb3(%w: tensor<64x64xf32, #b>):
    %v = ttg.convert_layout %w : tensor<64x64xf32, #b> -> tensor<64x64xf32, #a>
    tt.return %v : tensor<64x64xf32, #a>
  }

  // A call may use any scratch there is.
  // CHECK-LABEL: @calls
  // CHECK-NEXT: ttg.convert_layout
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: tt.call
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.convert_layout
  tt.func private @calls(%c: i1, %x: tensor<64x64xf32, #a>) -> tensor<64x64xf32, #b> {
    %y = ttg.convert_layout %x : tensor<64x64xf32, #a> -> tensor<64x64xf32, #b>
    %z = tt.call @branches(%c, %x, %y) : (i1, tensor<64x64xf32, #a>, tensor<64x64xf32, #b>) -> tensor<64x64xf32, #a>
    %w = ttg.convert_layout %z : tensor<64x64xf32, #a> -> tensor<64x64xf32, #b>
    tt.return %w : tensor<64x64xf32, #b>
  }
}

// -----

// What a caller has allocated may be any bytes.

#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#s = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @borrows
  // CHECK-NEXT: ttg.local_store
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.local_load
  // CHECK-NEXT: tt.return
  tt.func private @borrows(%m: !ttg.memdesc<64x64xf16, #s, #smem, mutable>, %x: tensor<64x64xf16, #b>) -> tensor<64x64xf16, #b> attributes {noinline = true} {
    ttg.local_store %x, %m : tensor<64x64xf16, #b> -> !ttg.memdesc<64x64xf16, #s, #smem, mutable>
    %y = ttg.local_load %m : !ttg.memdesc<64x64xf16, #s, #smem, mutable> -> tensor<64x64xf16, #b>
    tt.return %y : tensor<64x64xf16, #b>
  }
  tt.func private @lends(%x: tensor<64x64xf16, #b>) -> tensor<64x64xf16, #b> {
    %m = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #s, #smem, mutable>
    %y = tt.call @borrows(%m, %x) : (!ttg.memdesc<64x64xf16, #s, #smem, mutable>, tensor<64x64xf16, #b>) -> tensor<64x64xf16, #b>
    tt.return %y : tensor<64x64xf16, #b>
  }
}

// -----

// A conversion of 16 KB goes in two rounds through 8 KB, or at once where allocations that are not
// alive have as many bytes. While the first one lives there are 8 KB more.

#a = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#b = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
!m = !ttg.memdesc<64x64xf32, #s, #smem, mutable>
!h = !ttg.memdesc<32x64xf32, #s, #smem, mutable>
// CHECK: ttg.shared = 32768 : i32
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @dead_memory
  // CHECK: ttg.convert_layout %arg0 {allocation.offset = {{[0-9]+}} : i32}
  // CHECK: ttg.convert_layout %arg0 {allocation.offset = {{[0-9]+}} : i32}
  // CHECK: ttg.convert_layout %arg0 {allocation.offset = 0 : i32, allocation.room = 16384 : i64}
  tt.func public @dead_memory(%x: tensor<64x64xf32, #a>, %y: tensor<32x64xf32, #a>)
      -> (tensor<64x64xf32, #b>, tensor<64x64xf32, #b>, tensor<64x64xf32, #b>) {
    %m = ttg.local_alloc %x : (tensor<64x64xf32, #a>) -> !m
    %h = ttg.local_alloc %y : (tensor<32x64xf32, #a>) -> !h
    %u = ttg.convert_layout %x {allocation.room = 65536 : i64} : tensor<64x64xf32, #a> -> tensor<64x64xf32, #b>
    ttg.local_dealloc %h : !h
    %v = ttg.convert_layout %x : tensor<64x64xf32, #a> -> tensor<64x64xf32, #b>
    ttg.local_dealloc %m : !m
    %w = ttg.convert_layout %x : tensor<64x64xf32, #a> -> tensor<64x64xf32, #b>
    tt.return %u, %v, %w : tensor<64x64xf32, #b>, tensor<64x64xf32, #b>, tensor<64x64xf32, #b>
  }
}
