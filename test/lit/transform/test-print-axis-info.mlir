// RUN: tilewright-opt %s --test-print-axis-info --verify-diagnostics -o /dev/null

tt.func @basic(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %m: i32) {
  // expected-remark @+1 {{contiguity = [1], divisibility = [64], constancy = [1], constant = 64, not negative}}
  %c64 = arith.constant 64 : i32
  // expected-remark @+1 {{contiguity = [1], divisibility = [1], constancy = [1], not negative}}
  %pid = tt.get_program_id x : i32
  // expected-remark @+1 {{contiguity = [1], divisibility = [64], constancy = [1], not negative}}
  %start = arith.muli %pid, %c64 : i32
  // expected-remark @+1 {{contiguity = [64], divisibility = [2147483648], constancy = [1], not negative}}
  %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [64], constancy = [64], not negative}}
  %starts = tt.splat %start : i32 -> tensor<64xi32>
  // expected-remark @+1 {{contiguity = [64], divisibility = [64], constancy = [1], not negative}}
  %offsets = arith.addi %starts, %range : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [16], constancy = [64]}}
  %limit = tt.splat %n : i32 -> tensor<64xi32>
  // A mask that ends at a multiple of 16 is the same for 16 neighbours,
  // expected-remark @+1 {{contiguity = [1], divisibility = [1], constancy = [16]}}
  %mask = arith.cmpi slt, %offsets, %limit : tensor<64xi32>
  // but <= reaches one further.
  // expected-remark @+1 {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %le = arith.cmpi sle, %offsets, %limit : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [16], divisibility = [16], constancy = [1], not negative}}
  %wrapped = arith.remsi %offsets, %limit : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [16], constancy = [64]}}
  %base = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  // expected-remark @+1 {{contiguity = [64], divisibility = [16], constancy = [1]}}
  %pointers = tt.addptr %base, %offsets : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.return
}

// What a loop begins with counts for nothing if it is poison.
tt.func @poison(%n: i32, %m: i32 {tt.divisibility = 16 : i32}) {
  // expected-remark @+1 {{constant = 0}}
  %c0 = arith.constant 0 : i32
  // expected-remark @+1 {{constant = 1}}
  %c1 = arith.constant 1 : i32
  // expected-remark @+1 {{divisibility = [2147483648]}}
  %poison = ub.poison : i32
  // expected-remark @+1 {{divisibility = [16]}}
  scf.for %i = %c0 to %n step %c1 iter_args(%x = %poison) -> i32 : i32 {
    // expected-remark @+1 {{divisibility = [16]}}
    %y = arith.muli %x, %c1 : i32
    scf.yield %m : i32
  }
  tt.return
}

tt.func @shapes(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %stride: i32 {tt.divisibility = 8 : i32}) {
  // expected-remark @+1 {{contiguity = [32]}}
  %range = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  // expected-remark @+1 {{contiguity = [32, 1], divisibility = [2147483648, 1], constancy = [1, 1], not negative}}
  %rows = tt.expand_dims %range {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  // expected-remark @+1 {{contiguity = [1, 32], divisibility = [1, 2147483648], constancy = [1, 1], not negative}}
  %columns = tt.expand_dims %range {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  // expected-remark @+1 {{constancy = [32, 1]}}
  %s = tt.splat %stride : i32 -> tensor<32x1xi32>
  // expected-remark @+1 {{contiguity = [1, 1], divisibility = [8, 8], constancy = [1, 1]}}
  %scaled = arith.muli %rows, %s : tensor<32x1xi32>
  // expected-remark @+1 {{constancy = [1, 32]}}
  %rowsWide = tt.broadcast %scaled : tensor<32x1xi32> -> tensor<32x32xi32>
  // expected-remark @+1 {{contiguity = [1, 32], divisibility = [1, 2147483648], constancy = [32, 1], not negative}}
  %columnsWide = tt.broadcast %columns : tensor<1x32xi32> -> tensor<32x32xi32>
  // expected-remark @+1 {{contiguity = [1, 32], divisibility = [1, 8], constancy = [1, 1]}}
  %offsets = arith.addi %rowsWide, %columnsWide : tensor<32x32xi32>
  // expected-remark @+1 {{contiguity = [1, 1], divisibility = [16, 16], constancy = [32, 32]}}
  %base = tt.splat %p : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>>
  // expected-remark @+1 {{contiguity = [1, 32], divisibility = [2, 16], constancy = [1, 1]}}
  %pointers = tt.addptr %base, %offsets : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
  // expected-remark @+1 {{contiguity = [32, 1], divisibility = [16, 2], constancy = [1, 1]}}
  %turned = tt.trans %pointers {order = array<i32: 1, 0>} : tensor<32x32x!tt.ptr<f16>> -> tensor<32x32x!tt.ptr<f16>>
  // expected-remark @+1 {{contiguity = [32], divisibility = [16], constancy = [1]}}
  %flat = tt.reshape %pointers : tensor<32x32x!tt.ptr<f16>> -> tensor<1024x!tt.ptr<f16>>
  tt.return
}

// A pointer that a loop advances by 4 of 16 bytes' worth is 16-byte aligned all the time; one that
// it advances by 2 is not. What a loop counts is divisible by what it starts at and steps by.
tt.func @loop(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
  // expected-remark @+1 {{constant = 8}}
  %c8 = arith.constant 8 : i32
  // expected-remark @+1 {{constant = 4}}
  %c4 = arith.constant 4 : i32
  // expected-remark @+1 {{constant = 2}}
  %c2 = arith.constant 2 : i32
  // expected-remark @+2 {{contiguity = [1], divisibility = [16], constancy = [1]}}
  // expected-remark @+1 {{contiguity = [1], divisibility = [8], constancy = [1]}}
  %ends:2 = scf.for %i = %c8 to %n step %c4 iter_args(%a = %p, %b = %p) -> (!tt.ptr<f32>, !tt.ptr<f32>) : i32 {
    // expected-remark @+1 {{contiguity = [1], divisibility = [8], constancy = [1], not negative}}
    %twice = arith.muli %i, %c2 : i32
    // expected-remark @+1 {{divisibility = [16]}}
    %a1 = tt.addptr %a, %c4 : !tt.ptr<f32>, i32
    // expected-remark @+1 {{divisibility = [8]}}
    %b1 = tt.addptr %b, %c2 : !tt.ptr<f32>, i32
    scf.yield %a1, %b1 : !tt.ptr<f32>, !tt.ptr<f32>
  }
  tt.return
}

// Division rounds toward zero, so a group may straddle it; what a hint says is believed.
tt.func @signs(%n: i32 {tt.divisibility = 16 : i32}) {
  // expected-remark @+1 {{contiguity = [64]}}
  %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  // expected-remark @+1 {{constancy = [64]}}
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  // expected-remark @+1 {{contiguity = [64], divisibility = [16], constancy = [1]}}
  %x = arith.addi %range, %ns : tensor<64xi32>
  // expected-remark @+1 {{constant = 16}}
  %c16 = arith.constant dense<16> : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [1], constancy = [16], not negative}}
  %floor = arith.divsi %range, %c16 : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %trunc = arith.divsi %x, %c16 : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %rem = arith.remsi %x, %c16 : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [32], divisibility = [8], constancy = [4]}}
  %hinted = arith.muli %x, %rem {tt.contiguity = dense<32> : tensor<1xi32>, tt.divisibility = 8 : i32, tt.constancy = dense<4> : tensor<1xi32>} : tensor<64xi32>
  tt.return
}

// A tensor without dimensions counts as one of shape [1], but is not a dimension of what is
// made of it.
tt.func @no_dimensions(%x: tensor<i32> {tt.divisibility = 8 : i32}) {
  // expected-remark @+1 {{contiguity = [1], divisibility = [8], constancy = [2]}}
  %pair = tt.join %x, %x : tensor<i32> -> tensor<2xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [8], constancy = [1]}}
  %one = tt.expand_dims %x {axis = 0 : i32} : tensor<i32> -> tensor<1xi32>
  // expected-remark @+1 {{contiguity = [2]}}
  %range = tt.make_range {start = 16 : i32, end = 18 : i32} : tensor<2xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [1], constancy = [1], not negative}}
  %first, %second = tt.split %range : tensor<2xi32> -> tensor<i32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %sum = arith.addi %x, %first : tensor<i32>
  tt.return
}

// What the number of a block is divided by is taken to be positive; what a constant is, is not.
tt.func @counts(%n: i32) {
  // expected-remark @+1 {{not negative}}
  %block = tt.get_program_id x : i32
  // expected-remark @+1 {{constancy = [1], not negative}}
  %group = arith.divsi %block, %n : i32
  // expected-remark @+1 {{constant = 64}}
  %c64 = arith.constant 64 : i32
  // expected-remark @+1 {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %quotient = arith.divsi %c64, %n : i32
  tt.return
}

// What is cut off makes numbers wrap around: runs end there at the latest.
tt.func @narrowed(%n: i32) {
  // expected-remark @+1 {{contiguity = [1024]}}
  %range = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32>
  // expected-remark @+1 {{contiguity = [128], divisibility = [128], constancy = [1]}}
  %narrow = arith.trunci %range : tensor<1024xi32> to tensor<1024xi8>
  // expected-remark @+1 {{contiguity = [128], divisibility = [128], constancy = [1]}}
  %wide = arith.extsi %narrow : tensor<1024xi8> to tensor<1024xi32>
  // expected-remark @+1 {{constancy = [1024]}}
  %ns = tt.splat %n : i32 -> tensor<1024xi32>
  // expected-remark @+1 {{contiguity = [1024], divisibility = [1], constancy = [1]}}
  %unaligned = arith.addi %range, %ns : tensor<1024xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %cut = arith.trunci %unaligned : tensor<1024xi32> to tensor<1024xi16>
  tt.return
}

// An unsigned counter may be any number.
tt.func @unsigned_counter(%n: i32) {
  // expected-remark @+1 {{constant = 0}}
  %c0 = arith.constant 0 : i32
  // expected-remark @+1 {{constant = 2}}
  %c2 = arith.constant 2 : i32
  scf.for unsigned %i = %c0 to %n step %c2 : i32 {
    // expected-remark @+1 {{contiguity = [1], divisibility = [4], constancy = [1]}}
    %twice = arith.muli %i, %c2 : i32
  }
  tt.return
}

// A partition sees what its op captures.
tt.func @captured(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
  ttg.warp_specialize(%n, %p)
  default {
    ttg.warp_yield
  }
  partition0(%m: i32, %q: !tt.ptr<f32>) num_warps(4) {
    // expected-remark @+1 {{contiguity = [1], divisibility = [16], constancy = [64]}}
    %base = tt.splat %q : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    // expected-remark @+1 {{contiguity = [1], divisibility = [1], constancy = [64]}}
    %limit = tt.splat %m : i32 -> tensor<64xi32>
    ttg.warp_return
  } : (i32, !tt.ptr<f32>) -> ()
  tt.return
}

// Poison may be whatever the other branch, or the other side of a select, gives.
tt.func @poison_beside(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b: i1, %t: tensor<64xi1>) {
  // expected-remark @+1 {{contiguity = [64], divisibility = [}}
  %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  // expected-remark @+1 {{constancy = [64]}}
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  // expected-remark @+1 {{contiguity = [64], divisibility = [16], constancy = [1]}}
  %pointers = tt.addptr %ps, %range : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [2147483648], constancy = [64]}}
  %none = ub.poison : tensor<64x!tt.ptr<f32>>
  // expected-remark @+1 {{contiguity = [64], divisibility = [16], constancy = [1]}}
  %branch = scf.if %b -> tensor<64x!tt.ptr<f32>> {
    scf.yield %none : tensor<64x!tt.ptr<f32>>
  } else {
    scf.yield %pointers : tensor<64x!tt.ptr<f32>>
  }
  // expected-remark @+1 {{contiguity = [64], divisibility = [16], constancy = [1]}}
  %select = arith.select %t, %pointers, %none : tensor<64xi1>, tensor<64x!tt.ptr<f32>>
  tt.return
}

// A private function knows what all its callers pass, wherever it stands; one that calls itself, or
// whose calls are not all known, does not.
tt.func private @called(%p: !tt.ptr<f32>, %n: i32) {
  // expected-remark @+1 {{contiguity = [1], divisibility = [16], constancy = [8]}}
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  // expected-remark @+1 {{contiguity = [1], divisibility = [4], constancy = [8]}}
  %ns = tt.splat %n : i32 -> tensor<8xi32>
  tt.return
}
tt.func private @recursive(%n: i32) {
  // expected-remark @+1 {{contiguity = [1], divisibility = [1], constancy = [8]}}
  %ns = tt.splat %n : i32 -> tensor<8xi32>
  tt.call @recursive(%n) : (i32) -> ()
  tt.return
}
tt.func public @open(%n: i32) {
  // expected-remark @+1 {{contiguity = [1], divisibility = [1], constancy = [8]}}
  %ns = tt.splat %n : i32 -> tensor<8xi32>
  tt.return
}
tt.func public @caller(%p: !tt.ptr<f32> {tt.divisibility = 32 : i32}, %q: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  // expected-remark @+1 {{constant = 12}}
  %c12 = arith.constant 12 : i32
  // expected-remark @+1 {{constant = 16}}
  %c16 = arith.constant 16 : i32
  tt.call @called(%p, %c12) : (!tt.ptr<f32>, i32) -> ()
  tt.call @called(%q, %c16) : (!tt.ptr<f32>, i32) -> ()
  tt.call @recursive(%c16) : (i32) -> ()
  tt.call @open(%c16) : (i32) -> ()
  tt.return
}
