// RUN: tilewright-opt %s --split-input-file --tilewright-set-access-width | FileCheck %s
// RUN: tilewright-opt %s --split-input-file --tilewright-set-access-width --convert-scf-to-cf --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s --check-prefix=LLVM

// A pointer that a loop carries: known to be aligned while the loop is a loop, and lowered so
// after it has become branches.

#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @carried
  // CHECK: tt.load {{.*}} {ttg.access_width = array<i32: 1, 8>}
  // LLVM-LABEL: @carried
  // LLVM: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xf16>
  tt.func public @carried(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %o: !tt.ptr<f16>, %n: i32, %stride: i32 {tt.divisibility = 16 : i32}) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<8x32xf16, #b>
    %step = arith.constant dense<32> : tensor<8x32xi32, #b>
    %i = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32, #ttg.slice<{dim = 1, parent = #b}>>
    %i1 = tt.expand_dims %i {axis = 1 : i32} : tensor<8xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<8x1xi32, #b>
    %strides = tt.splat %stride : i32 -> tensor<8x1xi32, #b>
    %rows = arith.muli %i1, %strides : tensor<8x1xi32, #b>
    %rows1 = tt.broadcast %rows : tensor<8x1xi32, #b> -> tensor<8x32xi32, #b>
    %j = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>>
    %j1 = tt.expand_dims %j {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x32xi32, #b>
    %cols = tt.broadcast %j1 : tensor<1x32xi32, #b> -> tensor<8x32xi32, #b>
    %offs = arith.addi %rows1, %cols : tensor<8x32xi32, #b>
    %ps = tt.splat %p : !tt.ptr<f16> -> tensor<8x32x!tt.ptr<f16>, #b>
    %pp = tt.addptr %ps, %offs : tensor<8x32x!tt.ptr<f16>, #b>, tensor<8x32xi32, #b>
    %sum:2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %ptr = %pp) -> (tensor<8x32xf16, #b>, tensor<8x32x!tt.ptr<f16>, #b>) : i32 {
      %x = tt.load %ptr : tensor<8x32x!tt.ptr<f16>, #b>
      %next = arith.addf %acc, %x : tensor<8x32xf16, #b>
      %moved = tt.addptr %ptr, %step : tensor<8x32x!tt.ptr<f16>, #b>, tensor<8x32xi32, #b>
      scf.yield %next, %moved : tensor<8x32xf16, #b>, tensor<8x32x!tt.ptr<f16>, #b>
    }
    // The output is not known to be aligned.
    // CHECK: tt.store {{.*}} {ttg.access_width = array<i32: 0, 1>}
    %os = tt.splat %o : !tt.ptr<f16> -> tensor<8x32x!tt.ptr<f16>, #b>
    %op = tt.addptr %os, %offs : tensor<8x32x!tt.ptr<f16>, #b>, tensor<8x32xi32, #b>
    tt.store %op, %sum#0 : tensor<8x32x!tt.ptr<f16>, #b>
    tt.return
  }

  // One element a thread, each a row apart: aligned to the row's alignment, or not known to be
  // aligned to more than the element.
  // CHECK-LABEL: @aligned_rows
  // CHECK: tt.load {{.*}} {ttg.access_alignment = 16 : i32, ttg.access_width = array<i32: 0, 1>}
  // CHECK: tt.load {{.*}} {ttg.access_width = array<i32: 0, 1>}
  // LLVM-LABEL: @aligned_rows
  // LLVM: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<1xf32>
  // LLVM: llvm.load {{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> vector<1xf32>
  tt.func public @aligned_rows(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %stride: i32 {tt.divisibility = 16 : i32}, %other: i32) {
    %i = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32, #ttg.slice<{dim = 1, parent = #b}>>
    %i1 = tt.expand_dims %i {axis = 1 : i32} : tensor<8xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<8x1xi32, #b>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<8x1x!tt.ptr<f32>, #b>
    %strides = tt.splat %stride : i32 -> tensor<8x1xi32, #b>
    %rows = arith.muli %i1, %strides : tensor<8x1xi32, #b>
    %pp = tt.addptr %ps, %rows : tensor<8x1x!tt.ptr<f32>, #b>, tensor<8x1xi32, #b>
    %x = tt.load %pp : tensor<8x1x!tt.ptr<f32>, #b>
    %others = tt.splat %other : i32 -> tensor<8x1xi32, #b>
    %rows2 = arith.muli %i1, %others : tensor<8x1xi32, #b>
    %pp2 = tt.addptr %ps, %rows2 : tensor<8x1x!tt.ptr<f32>, #b>, tensor<8x1xi32, #b>
    %y = tt.load %pp2 : tensor<8x1x!tt.ptr<f32>, #b>
    %z = arith.addf %x, %y : tensor<8x1xf32, #b>
    tt.store %pp, %z : tensor<8x1x!tt.ptr<f32>, #b>
    tt.return
  }
}

// -----

// A mask that is one value for eight neighbours is computed once for them, not eight times.

#c = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @repeated
  // CHECK: arith.cmpi slt, {{.*}} {ttg.constancy = array<i32: 16>}
  // LLVM-LABEL: @repeated
  // LLVM-COUNT-1: llvm.icmp "slt"
  // LLVM-NOT: llvm.icmp
  // LLVM-COUNT-8: llvm.select
  tt.func public @repeated(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}) {
    %zero = arith.constant dense<0.0> : tensor<256xf16, #c>
    %i = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32, #c>
    %bound = tt.splat %n : i32 -> tensor<256xi32, #c>
    %mask = arith.cmpi slt, %i, %bound : tensor<256xi32, #c>
    %ps = tt.splat %p : !tt.ptr<f16> -> tensor<256x!tt.ptr<f16>, #c>
    %pp = tt.addptr %ps, %i : tensor<256x!tt.ptr<f16>, #c>, tensor<256xi32, #c>
    %x = tt.load %pp : tensor<256x!tt.ptr<f16>, #c>
    %y = arith.select %mask, %x, %zero : tensor<256xi1, #c>, tensor<256xf16, #c>
    tt.store %pp, %y : tensor<256x!tt.ptr<f16>, #c>
    tt.return
  }
}

// -----

// So is one for registers that are not neighbours, as long as they are in one group: the 32 lanes
// have rows 0 to 31, in the next register rows 32 to 63 of the same sixty-four.

#r = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @repeated_apart
  // CHECK: arith.cmpi slt, {{.*}} {ttg.constancy = array<i32: 64>}
  // LLVM-LABEL: @repeated_apart
  // LLVM-COUNT-2: llvm.icmp "slt"
  // LLVM-NOT: llvm.icmp
  // LLVM-COUNT-4: llvm.select
  tt.func public @repeated_apart(%p: !tt.ptr<f16>, %n: i32 {tt.divisibility = 64 : i32}) {
    %zero = arith.constant dense<0.0> : tensor<128xf16, #r>
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #r>
    %bound = tt.splat %n : i32 -> tensor<128xi32, #r>
    %mask = arith.cmpi slt, %i, %bound : tensor<128xi32, #r>
    %ps = tt.splat %p : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>, #r>
    %pp = tt.addptr %ps, %i : tensor<128x!tt.ptr<f16>, #r>, tensor<128xi32, #r>
    %x = tt.load %pp : tensor<128x!tt.ptr<f16>, #r>
    %y = arith.select %mask, %x, %zero : tensor<128xi1, #r>, tensor<128xf16, #r>
    tt.store %pp, %y : tensor<128x!tt.ptr<f16>, #r>
    tt.return
  }
}

// -----

// Columns that a remainder gives are neighbours in groups of 64: the eight of a thread lie 32 apart,
// of two in a group the second is the first plus 32.

#r = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @columns
  // CHECK: arith.remsi {{.*}} {ttg.contiguity = array<i32: 64>}
  // LLVM-LABEL: @columns
  // LLVM-COUNT-4: llvm.srem
  // LLVM-NOT: llvm.srem
  // LLVM-COUNT-4: llvm.add {{.*}} overflow<nsw>
  tt.func public @columns(%p: !tt.ptr<f16>, %n: i32 {tt.divisibility = 64 : i32}) {
    %i = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32, #r>
    %bound = tt.splat %n : i32 -> tensor<256xi32, #r>
    %column = arith.remsi %i, %bound : tensor<256xi32, #r>
    %ps = tt.splat %p : !tt.ptr<f16> -> tensor<256x!tt.ptr<f16>, #r>
    %pp = tt.addptr %ps, %column : tensor<256x!tt.ptr<f16>, #r>, tensor<256xi32, #r>
    %x = tt.load %pp : tensor<256x!tt.ptr<f16>, #r>
    tt.store %pp, %x : tensor<256x!tt.ptr<f16>, #r>
    tt.return
  }
}

// -----

// Of a cooperative matrix it is the alignment of its rows where columns are neighbours.
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @matrix
  tt.func public @matrix(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32) {
    %z = arith.constant 0 : i32
    %i = arith.constant 4 : i32
    %s = arith.constant 24 : i64
    %one = arith.constant 1 : i64
    // CHECK: tw.coopmatrix_load {{.*}} {transposed, ttg.access_alignment = 16 : i32}
    %a = tw.coopmatrix_load %p[%n, %z] strides(%one, %s) {transposed} : !tt.ptr<f16> -> !tw.coopmatrix<32x15xf16, matrix_acc>
    // CHECK: tw.coopmatrix_store {{.*}} {ttg.access_alignment = 8 : i32}
    tw.coopmatrix_store %a, %p[%n, %i] strides(%s, %one) : !tw.coopmatrix<32x15xf16, matrix_acc>, !tt.ptr<f16>
    // Column %n begins anywhere.
    // CHECK: tw.coopmatrix_store {{.*}} strides(%{{.*}}, %{{.*}}) : !tw
    tw.coopmatrix_store %a, %p[%i, %n] strides(%s, %one) : !tw.coopmatrix<32x15xf16, matrix_acc>, !tt.ptr<f16>
    tt.return
  }
}

// -----

// What a kernel's author claims of a remainder makes accesses wider, and no value: rows are said to be
// neighbours also where they wrap around.

#w = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @wrapped
  // CHECK: arith.remsi
  // CHECK-NOT: ttg.contiguity
  // CHECK: arith.divsi
  // CHECK-NOT: ttg.constancy
  // LLVM-LABEL: @wrapped
  // LLVM-COUNT-8: llvm.srem
  // LLVM-COUNT-8: llvm.sdiv
  tt.func public @wrapped(%p: !tt.ptr<i32>, %m: i32) {
    %i = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32, #w>
    %ms = tt.splat %m : i32 -> tensor<256xi32, #w>
    %row = arith.remsi %i, %ms {tt.contiguity = dense<256> : tensor<1xi32>, tt.divisibility = dense<256> : tensor<1xi32>} : tensor<256xi32, #w>
    %c64 = arith.constant dense<64> : tensor<256xi32, #w>
    %group = arith.divsi %row, %c64 : tensor<256xi32, #w>
    %base = tt.splat %p : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #w>
    %at = tt.addptr %base, %row : tensor<256x!tt.ptr<i32>, #w>, tensor<256xi32, #w>
    tt.store %at, %group : tensor<256x!tt.ptr<i32>, #w>
    tt.return
  }
}

// -----

// Nor does one follow where a loop carries what was claimed.

#v = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @carried
  // CHECK: arith.divsi
  // CHECK-NOT: ttg.constancy
  tt.func public @carried(%p: !tt.ptr<i32>, %m: i32, %n: i32) {
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %i = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32, #v>
    %ms = tt.splat %m : i32 -> tensor<256xi32, #v>
    %row = arith.remsi %i, %ms {tt.contiguity = dense<256> : tensor<1xi32>, tt.divisibility = dense<256> : tensor<1xi32>} : tensor<256xi32, #v>
    %c64 = arith.constant dense<64> : tensor<256xi32, #v>
    %base = tt.splat %p : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #v>
    %last = scf.for %k = %z to %n step %one iter_args(%rows = %row) -> (tensor<256xi32, #v>) : i32 {
      %group = arith.divsi %rows, %c64 : tensor<256xi32, #v>
      %at = tt.addptr %base, %rows : tensor<256x!tt.ptr<i32>, #v>, tensor<256xi32, #v>
      tt.store %at, %group : tensor<256x!tt.ptr<i32>, #v>
      %next = arith.addi %rows, %c64 : tensor<256xi32, #v>
      scf.yield %next : tensor<256xi32, #v>
    }
    tt.return
  }
}
