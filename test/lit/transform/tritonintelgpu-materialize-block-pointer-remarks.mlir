// RUN: tilewright-opt %s --split-input-file --verify-diagnostics --tritonintelgpu-materialize-block-pointer

// What no messages serve stays, with a reason and a remedy.

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [4, 2]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#l = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu:pvc", "ttg.threads-per-warp" = 16 : i32} {

// Every second column.
tt.func public @every_second(%p: !tt.ptr<f16> {tt.divisibility = 64 : i32}, %n: i32) -> tensor<128x32xf16, #a> {
  %r0 = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #a}>>
  %r1 = tt.expand_dims %r0 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #a}>> -> tensor<128x1xi32, #a>
  %c0 = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #a}>>
  %c1 = tt.expand_dims %c0 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #a}>> -> tensor<1x32xi32, #a>
  %ld = arith.constant dense<64> : tensor<128x1xi32, #a>
  %r = arith.muli %r1, %ld : tensor<128x1xi32, #a>
  %c = arith.addi %c1, %c1 : tensor<1x32xi32, #a>
  %rb = tt.broadcast %r : tensor<128x1xi32, #a> -> tensor<128x32xi32, #a>
  %cb = tt.broadcast %c : tensor<1x32xi32, #a> -> tensor<128x32xi32, #a>
  %o = arith.addi %rb, %cb : tensor<128x32xi32, #a>
  %b = tt.splat %p : !tt.ptr<f16> -> tensor<128x32x!tt.ptr<f16>, #a>
  %q = tt.addptr %b, %o : tensor<128x32x!tt.ptr<f16>, #a>, tensor<128x32xi32, #a>
  // expected-remark @+2 {{the load is not done by 2D block messages: neither its rows nor its columns are known to be contiguous}}
  // expected-note @+1 {{make their stride 1 in the source}}
  %v = tt.load %q : tensor<128x32x!tt.ptr<f16>, #a>
  tt.return %v : tensor<128x32xf16, #a>
}

// Rows that are 72 bytes apart.
tt.func public @pitch(%p: !tt.ptr<f16> {tt.divisibility = 64 : i32}, %n: i32) -> tensor<128x32xf16, #a> {
  %r0 = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #a}>>
  %r1 = tt.expand_dims %r0 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #a}>> -> tensor<128x1xi32, #a>
  %c0 = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #a}>>
  %c1 = tt.expand_dims %c0 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #a}>> -> tensor<1x32xi32, #a>
  %ld = arith.constant dense<36> : tensor<128x1xi32, #a>
  %r = arith.muli %r1, %ld : tensor<128x1xi32, #a>
  %one = arith.constant dense<0> : tensor<1x32xi32, #a>
  %c = arith.addi %c1, %one : tensor<1x32xi32, #a>
  %rb = tt.broadcast %r : tensor<128x1xi32, #a> -> tensor<128x32xi32, #a>
  %cb = tt.broadcast %c : tensor<1x32xi32, #a> -> tensor<128x32xi32, #a>
  %o = arith.addi %rb, %cb : tensor<128x32xi32, #a>
  %b = tt.splat %p : !tt.ptr<f16> -> tensor<128x32x!tt.ptr<f16>, #a>
  %q = tt.addptr %b, %o : tensor<128x32x!tt.ptr<f16>, #a>, tensor<128x32xi32, #a>
  // expected-remark @+2 {{the load is not done by 2D block messages: the distance of rows is no multiple of 16 bytes}}
  // expected-note @+1 {{say in the signature that the stride is divisible}}
  %v = tt.load %q : tensor<128x32x!tt.ptr<f16>, #a>
  tt.return %v : tensor<128x32xf16, #a>
}

// Rows that are 32 bytes apart overlap.
tt.func public @short(%p: !tt.ptr<f16> {tt.divisibility = 64 : i32}, %n: i32) -> tensor<128x32xf16, #a> {
  %r0 = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #a}>>
  %r1 = tt.expand_dims %r0 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #a}>> -> tensor<128x1xi32, #a>
  %c0 = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #a}>>
  %c1 = tt.expand_dims %c0 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #a}>> -> tensor<1x32xi32, #a>
  %ld = arith.constant dense<16> : tensor<128x1xi32, #a>
  %r = arith.muli %r1, %ld : tensor<128x1xi32, #a>
  %one = arith.constant dense<0> : tensor<1x32xi32, #a>
  %c = arith.addi %c1, %one : tensor<1x32xi32, #a>
  %rb = tt.broadcast %r : tensor<128x1xi32, #a> -> tensor<128x32xi32, #a>
  %cb = tt.broadcast %c : tensor<1x32xi32, #a> -> tensor<128x32xi32, #a>
  %o = arith.addi %rb, %cb : tensor<128x32xi32, #a>
  %b = tt.splat %p : !tt.ptr<f16> -> tensor<128x32x!tt.ptr<f16>, #a>
  %q = tt.addptr %b, %o : tensor<128x32x!tt.ptr<f16>, #a>, tensor<128x32xi32, #a>
  // expected-remark @+2 {{the load is not done by 2D block messages: rows of the matrix are longer than they are apart}}
  // expected-note @+1 {{mask the columns with the number that a row has}}
  %v = tt.load %q : tensor<128x32x!tt.ptr<f16>, #a>
  tt.return %v : tensor<128x32xf16, #a>
}

// Rows that repeat.
tt.func public @repeated(%p: !tt.ptr<f16> {tt.divisibility = 64 : i32}, %n: i32) -> tensor<128x32xf16, #a> {
  %r0 = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #a}>>
  %r1 = tt.expand_dims %r0 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #a}>> -> tensor<128x1xi32, #a>
  %c0 = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #a}>>
  %c1 = tt.expand_dims %c0 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #a}>> -> tensor<1x32xi32, #a>
  %m0 = tt.splat %n : i32 -> tensor<128x1xi32, #a>
  %r2 = arith.divsi %r1, %m0 : tensor<128x1xi32, #a>
  %ld = arith.constant dense<64> : tensor<128x1xi32, #a>
  %r = arith.muli %r2, %ld : tensor<128x1xi32, #a>
  %one = arith.constant dense<0> : tensor<1x32xi32, #a>
  %c = arith.addi %c1, %one : tensor<1x32xi32, #a>
  %rb = tt.broadcast %r : tensor<128x1xi32, #a> -> tensor<128x32xi32, #a>
  %cb = tt.broadcast %c : tensor<1x32xi32, #a> -> tensor<128x32xi32, #a>
  %o = arith.addi %rb, %cb : tensor<128x32xi32, #a>
  %b = tt.splat %p : !tt.ptr<f16> -> tensor<128x32x!tt.ptr<f16>, #a>
  %q = tt.addptr %b, %o : tensor<128x32x!tt.ptr<f16>, #a>, tensor<128x32xi32, #a>
  // expected-remark @+2 {{the load is not done by 2D block messages: its addresses are not those of a rectangle of a matrix: they come from 'arith.divsi'}}
  // expected-note @+1 {{compute them as base + rows}}
  %v = tt.load %q : tensor<128x32x!tt.ptr<f16>, #a>
  tt.return %v : tensor<128x32xf16, #a>
}

// A lane has eight neighbours of a row.
tt.func public @layout(%p: !tt.ptr<f16> {tt.divisibility = 64 : i32}, %n: i32) -> tensor<128x32xf16, #l> {
  %r0 = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #l}>>
  %r1 = tt.expand_dims %r0 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #l}>> -> tensor<128x1xi32, #l>
  %c0 = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #l}>>
  %c1 = tt.expand_dims %c0 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #l}>> -> tensor<1x32xi32, #l>
  %ld = arith.constant dense<64> : tensor<128x1xi32, #l>
  %r = arith.muli %r1, %ld : tensor<128x1xi32, #l>
  %one = arith.constant dense<0> : tensor<1x32xi32, #l>
  %c = arith.addi %c1, %one : tensor<1x32xi32, #l>
  %rb = tt.broadcast %r : tensor<128x1xi32, #l> -> tensor<128x32xi32, #l>
  %cb = tt.broadcast %c : tensor<1x32xi32, #l> -> tensor<128x32xi32, #l>
  %o = arith.addi %rb, %cb : tensor<128x32xi32, #l>
  %b = tt.splat %p : !tt.ptr<f16> -> tensor<128x32x!tt.ptr<f16>, #l>
  %q = tt.addptr %b, %o : tensor<128x32x!tt.ptr<f16>, #l>, tensor<128x32xi32, #l>
  // expected-remark @+2 {{the load is not done by 2D block messages: lane bit 0}}
  // expected-note @+1 {{messages are for what tl.dot takes and gives}}
  %v = tt.load %q : tensor<128x32x!tt.ptr<f16>, #l>
  tt.return %v : tensor<128x32xf16, #l>
}
}
