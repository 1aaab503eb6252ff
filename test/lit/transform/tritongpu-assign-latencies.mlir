// RUN: tilewright-opt %s --tritongpu-assign-latencies=num-stages=4 | FileCheck %s
// RUN: tilewright-opt %s --tritongpu-assign-latencies=num-stages=1 | FileCheck %s --check-prefix=ONE
// RUN: sed -e 's/cuda:80/xpu:bmg/' %s | tilewright-opt - --tritongpu-assign-latencies | FileCheck %s --check-prefix=NONE
// RUN: tilewright-opt %s --tritongpu-assign-latencies=num-stages=4 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// REMARK: remark: iterations of the loop overlap in 4 stages: loads come by asynchronous copies; products complete in order; sums are in registers
// REMARK-NEXT: scf.for

#a = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#oa = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#ob = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#wide = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
!wide = tensor<512x64x!tt.ptr<f16>, #wide>
!pa = tensor<128x32x!tt.ptr<f16>, #a>
!pb = tensor<32x128x!tt.ptr<f16>, #b>

// One stage, and targets that have no asynchronous copies: only what the source marks.
// ONE-COUNT-3: tt.latency
// ONE-NOT: tt.latency
// NONE-NOT: tt.latency

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// What a product waits for begins three iterations before; what is added to it does not.
// CHECK-LABEL: @product
// CHECK-COUNT-2: tt.load {{.*}}tt.latency = 3 : i32
// CHECK: tt.load %{{.*}} : tensor<128x128x!tt.ptr<f32>
tt.func @product(%p: !pa {tt.divisibility = 16 : i32, tt.contiguity = 32 : i32},
                 %q: !pb {tt.divisibility = 16 : i32, tt.contiguity = 128 : i32},
                 %bias: tensor<128x128x!tt.ptr<f32>, #mma>, %n: i32) -> tensor<128x128xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32, #mma>) : i32 {
    %x = tt.load %p : !pa
    %y = tt.load %q : !pb
    %z = tt.load %bias : tensor<128x128x!tt.ptr<f32>, #mma>
    %xo = ttg.convert_layout %x : tensor<128x32xf16, #a> -> tensor<128x32xf16, #oa>
    %yo = ttg.convert_layout %y : tensor<32x128xf16, #b> -> tensor<32x128xf16, #ob>
    %c = arith.addf %acc, %z : tensor<128x128xf32, #mma>
    %s = tt.dot %xo, %yo, %c : tensor<128x32xf16, #oa> * tensor<32x128xf16, #ob> -> tensor<128x128xf32, #mma>
    scf.yield %s : tensor<128x128xf32, #mma>
  }
  tt.return %r : tensor<128x128xf32, #mma>
}

// A load that gives addresses to another has half of the iterations, and so has the other.
// CHECK-LABEL: @indirect
// CHECK: tt.load %{{.*}}tt.latency = 1 : i32{{.*}} : tensor<32x!tt.ptr<i32>
// CHECK: tt.load %{{.*}}tt.latency = 1 : i32{{.*}} : tensor<32x128x!tt.ptr<f16>
tt.func @indirect(%rows: tensor<32x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #b}>> {tt.divisibility = 16 : i32, tt.contiguity = 32 : i32},
                  %base: tensor<1x128x!tt.ptr<f16>, #b> {tt.divisibility = 16 : i32, tt.contiguity = 128 : i32},
                  %x: tensor<128x32xf16, #oa>, %n: i32) -> tensor<128x128xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pitch = arith.constant dense<1024> : tensor<32x1xi32, #b>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32, #mma>) : i32 {
    %row = tt.load %rows : tensor<32x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #b}>>
    %column = tt.expand_dims %row {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<32x1xi32, #b>
    %offset = arith.muli %column, %pitch : tensor<32x1xi32, #b>
    %offsets = tt.broadcast %offset : tensor<32x1xi32, #b> -> tensor<32x128xi32, #b>
    %bases = tt.broadcast %base : tensor<1x128x!tt.ptr<f16>, #b> -> !pb
    %q = tt.addptr %bases, %offsets : !pb, tensor<32x128xi32, #b>
    %y = tt.load %q : !pb
    %yo = ttg.convert_layout %y : tensor<32x128xf16, #b> -> tensor<32x128xf16, #ob>
    %s = tt.dot %x, %yo, %acc : tensor<128x32xf16, #oa> * tensor<32x128xf16, #ob> -> tensor<128x128xf32, #mma>
    scf.yield %s : tensor<128x128xf32, #mma>
  }
  tt.return %r : tensor<128x128xf32, #mma>
}

// 2 bytes at a time are not copied asynchronously.
// CHECK-LABEL: @narrow
// CHECK-NOT: tt.latency
tt.func @narrow(%p: !pa, %y: tensor<32x128xf16, #ob>, %n: i32) -> tensor<128x128xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32, #mma>) : i32 {
    %x = tt.load %p : !pa
    %xo = ttg.convert_layout %x : tensor<128x32xf16, #a> -> tensor<128x32xf16, #oa>
    %s = tt.dot %xo, %y, %acc : tensor<128x32xf16, #oa> * tensor<32x128xf16, #ob> -> tensor<128x128xf32, #mma>
    scf.yield %s : tensor<128x128xf32, #mma>
  }
  tt.return %r : tensor<128x128xf32, #mma>
}

// 163 KB hold two tiles of 64 KB and no third one.
// CHECK-LABEL: @large
// CHECK: tt.load {{.*}}tt.latency = 1 : i32
tt.func @large(%p: tensor<128x256x!tt.ptr<f16>, #b> {tt.divisibility = 16 : i32, tt.contiguity = 256 : i32}, %n: i32) -> tensor<128x256xf16, #b> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x256xf16, #b>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x256xf16, #b>) : i32 {
    %x = tt.load %p : tensor<128x256x!tt.ptr<f16>, #b>
    %s = arith.addf %acc, %x : tensor<128x256xf16, #b>
    scf.yield %s : tensor<128x256xf16, #b>
  } {tt.num_stages = 4 : i32}
  tt.return %r : tensor<128x256xf16, #b>
}

// 163 KB hold five tiles of 32 KB, as what transposed operands are converted through goes.
// CHECK-LABEL: @transposed
// CHECK: tt.load {{.*}}tt.latency = 4 : i32
tt.func @transposed(%p: tensor<256x64x!tt.ptr<f16>, #rows> {tt.divisibility = 16 : i32, tt.contiguity = 64 : i32},
                    %x: tensor<128x64xf16, #oa>, %n: i32) -> tensor<128x256xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x256xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x256xf32, #mma>) : i32 {
    %y = tt.load %p : tensor<256x64x!tt.ptr<f16>, #rows>
    %t = tt.trans %y {order = array<i32: 1, 0>} : tensor<256x64xf16, #rows> -> tensor<64x256xf16, #columns>
    %yo = ttg.convert_layout %t : tensor<64x256xf16, #columns> -> tensor<64x256xf16, #ob>
    %s = tt.dot %x, %yo, %acc : tensor<128x64xf16, #oa> * tensor<64x256xf16, #ob> -> tensor<128x256xf32, #mma>
    scf.yield %s : tensor<128x256xf32, #mma>
  } {tt.num_stages = 5 : i32}
  tt.return %r : tensor<128x256xf32, #mma>
}

// Pairs of value and index of 512 x 64 elements: 65,536 bytes an iteration. Two buffers would leave
// one block on a multiprocessor, whose four warps compute longer than the tile takes to come.
// CHECK-LABEL: @column_maxima
// CHECK: tt.load
// CHECK-NOT: tt.latency
// CHECK: tt.return
tt.func @column_maxima(%p: !wide {tt.divisibility = 16 : i32, tt.contiguity = 64 : i32}, %n: i32) -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #wide}>> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %step = arith.constant dense<32768> : tensor<512x64xi32, #wide>
  %zero = arith.constant dense<0> : tensor<64xi32, #ttg.slice<{dim = 0, parent = #wide}>>
  %line = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #ttg.slice<{dim = 1, parent = #wide}>>
  %column = tt.expand_dims %line {axis = 1 : i32} : tensor<512xi32, #ttg.slice<{dim = 1, parent = #wide}>> -> tensor<512x1xi32, #wide>
  %rows = tt.broadcast %column : tensor<512x1xi32, #wide> -> tensor<512x64xi32, #wide>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%best = %zero, %q = %p) -> (tensor<64xi32, #ttg.slice<{dim = 0, parent = #wide}>>, !wide) : i32 {
    %x = tt.load %q : !wide
    %m:2 = "tt.reduce"(%x, %rows) <{axis = 0 : i32}> ({
    ^bb0(%a: f16, %ai: i32, %b: f16, %bi: i32):
      %same = arith.cmpf oeq, %a, %b : f16
      %first = arith.cmpi slt, %ai, %bi : i32
      %tie = arith.andi %same, %first : i1
      %greater = arith.cmpf ogt, %a, %b : f16
      %keep = arith.ori %greater, %tie : i1
      %v = arith.select %keep, %a, %b : f16
      %k = arith.select %keep, %ai, %bi : i32
      tt.reduce.return %v, %k : f16, i32
    }) : (tensor<512x64xf16, #wide>, tensor<512x64xi32, #wide>) -> (tensor<64xf16, #ttg.slice<{dim = 0, parent = #wide}>>, tensor<64xi32, #ttg.slice<{dim = 0, parent = #wide}>>)
    %next = arith.addi %best, %m#1 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #wide}>>
    %q1 = tt.addptr %q, %step : !wide, tensor<512x64xi32, #wide>
    scf.yield %next, %q1 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #wide}>>, !wide
  }
  tt.return %r#0 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #wide}>>
}

// Without a product: where all threads wait for each other in every iteration,
// CHECK-LABEL: @row_sums
// CHECK: tt.load {{.*}}tt.latency = 3 : i32
tt.func @row_sums(%p: !pb {tt.divisibility = 16 : i32, tt.contiguity = 128 : i32}, %n: i32) -> f32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) : i32 {
    %x = tt.load %p : !pb
    %wide = arith.extf %x : tensor<32x128xf16, #b> to tensor<32x128xf32, #b>
    %rows = "tt.reduce"(%wide) <{axis = 1 : i32}> ({
    ^bb0(%u: f32, %v: f32):
      %w = arith.addf %u, %v : f32
      tt.reduce.return %w : f32
    }) : (tensor<32x128xf32, #b>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #b}>>
    %all = "tt.reduce"(%rows) <{axis = 0 : i32}> ({
    ^bb0(%u: f32, %v: f32):
      %w = arith.maxnumf %u, %v : f32
      tt.reduce.return %w : f32
    }) : (tensor<32xf32, #ttg.slice<{dim = 1, parent = #b}>>) -> f32
    %s = arith.addf %acc, %all : f32
    scf.yield %s : f32
  }
  tt.return %r : f32
}

// and where the source asks for it, with the number of stages that it asks for;
// CHECK-LABEL: @asked
// CHECK: tt.load {{.*}}tt.latency = 1 : i32
// CHECK-LABEL: @not_asked
// CHECK-NOT: tt.latency
tt.func @asked(%p: !pb {tt.divisibility = 16 : i32, tt.contiguity = 128 : i32}, %n: i32) -> tensor<32x128xf16, #b> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<32x128xf16, #b>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32x128xf16, #b>) : i32 {
    %x = tt.load %p : !pb
    %s = arith.addf %acc, %x : tensor<32x128xf16, #b>
    scf.yield %s : tensor<32x128xf16, #b>
  } {tt.num_stages = 2 : i32}
  tt.return %r : tensor<32x128xf16, #b>
}
tt.func @not_asked(%p: !pb {tt.divisibility = 16 : i32, tt.contiguity = 128 : i32}, %n: i32) -> tensor<32x128xf16, #b> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<32x128xf16, #b>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32x128xf16, #b>) : i32 {
    %x = tt.load %p : !pb
    %s = arith.addf %acc, %x : tensor<32x128xf16, #b>
    scf.yield %s : tensor<32x128xf16, #b>
  }
  tt.return %r : tensor<32x128xf16, #b>
}

// but not across a barrier of the source.
// CHECK-LABEL: @barrier
// CHECK-NOT: tt.latency
tt.func @barrier(%p: !pb {tt.divisibility = 16 : i32, tt.contiguity = 128 : i32}, %n: i32) -> tensor<32x128xf16, #b> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<32x128xf16, #b>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32x128xf16, #b>) : i32 {
    %x = tt.load %p : !pb
    ttg.barrier local
    %s = arith.addf %acc, %x : tensor<32x128xf16, #b>
    scf.yield %s : tensor<32x128xf16, #b>
  } {tt.num_stages = 2 : i32}
  tt.return %r : tensor<32x128xf16, #b>
}
}
