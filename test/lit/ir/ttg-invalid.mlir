// RUN: tilewright-opt %s -split-input-file -verify-diagnostics

// Encodings: keys, values, what the layout library has to say.

// expected-error @below {{#ttg.blocked needs the key 'order'}}
tt.func private @key_missing(tensor<8xf32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4]}>>)

// -----

// expected-error @below {{#ttg.blocked has no key 'CTASplitNum'}}
tt.func private @key_unknown(tensor<8xf32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CTASplitNum = [1]}>>)

// -----

// expected-error @below {{invalid kind of attribute specified}}
tt.func private @no_dictionary(tensor<8xf32, #ttg.blocked<[1]>>)

// -----

// expected-error @below {{'sizePerThread' of #ttg.blocked must be a list of numbers}}
tt.func private @no_list(tensor<8xf32, #ttg.blocked<{sizePerThread = 1, threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>)

// -----

// expected-error @below {{'sizePerThread' of #ttg.blocked must hold 32-bit numbers}}
tt.func private @no_number(tensor<8xf32, #ttg.blocked<{sizePerThread = ["one"], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>)

// -----

// expected-error @below {{'sizePerThread' of #ttg.blocked must hold 32-bit numbers}}
tt.func private @large_number(tensor<8xf32, #ttg.blocked<{sizePerThread = [8589934592], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>)

// -----

// expected-error @below {{'sizePerThread' of #ttg.blocked has a negative entry}}
tt.func private @negative(tensor<8xf32, #ttg.blocked<{sizePerThread = [-1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>)

// -----

// expected-error @below {{#ttg.blocked needs at least one dimension}}
tt.func private @no_dimension(tensor<8xf32, #ttg.blocked<{sizePerThread = [], threadsPerWarp = [], warpsPerCTA = [], order = []}>>)

// -----

// expected-error @below {{#ttg.blocked: sizePerThread has the entry 3, which is not a power of two}}
tt.func private @not_a_power_of_two(tensor<8xf32, #ttg.blocked<{sizePerThread = [3], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>)

// -----

// expected-error @below {{#ttg.blocked: sizePerThread has the entry 0, which is not a power of two}}
tt.func private @zero(tensor<8xf32, #ttg.blocked<{sizePerThread = [0], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>)

// -----

// expected-error @below {{#ttg.blocked: sizePerThread has 1 entries, but there are 2 dimensions}}
tt.func private @lengths(tensor<8x8xf32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>>)

// -----

// expected-error @below {{#ttg.blocked: order is not a permutation of the dimensions}}
tt.func private @order(tensor<8x8xf32, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 1]}>>)

// -----

// expected-error @below {{'CGALayout' of #ttg.blocked must be a list of bases such as [[0, 1], [1, 0]]}}
tt.func private @cluster_no_list(tensor<8xf32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = 1}>>)

// -----

// expected-error @below {{the bases of 'CGALayout' of #ttg.blocked must all have one coordinate a dimension}}
tt.func private @cluster_rank(tensor<8xf32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1, 0]]}>>)

// -----

// expected-error @below {{#ttg.blocked: a basis of the cluster has the value 3, which is not a power of two}}
tt.func private @cluster_basis(tensor<8xf32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[3]]}>>)

// -----

// expected-error @below {{#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}> describes tensors of rank 1, not of rank 2}}
tt.func private @rank(tensor<8x8xf32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>)

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
// expected-error @below {{#ttg.slice needs the key 'dim'}}
tt.func private @slice_without_dim(tensor<8xf32, #ttg.slice<{parent = #blocked}>>)

// -----

// expected-error @below {{#ttg.slice needs the key 'parent'}}
tt.func private @slice_without_parent(tensor<8xf32, #ttg.slice<{dim = 0}>>)

// -----

// expected-error @below {{'parent' of #ttg.slice must be a layout of tensors, got 1 : i64}}
tt.func private @slice_of_number(tensor<8xf32, #ttg.slice<{dim = 0, parent = 1}>>)

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
// expected-error @below {{'parent' of #ttg.slice must be a layout of tensors, got #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>}}
tt.func private @slice_of_shared(tensor<8xf32, #ttg.slice<{dim = 0, parent = #shared}>>)

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
// expected-error @below {{#ttg.slice has no key 'size'}}
tt.func private @slice_key_unknown(tensor<8xf32, #ttg.slice<{dim = 0, parent = #blocked, size = 4}>>)

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
// expected-error @below {{'dim' of #ttg.slice is 2, but its parent has dimensions 0 .. 1}}
tt.func private @slice_dim(tensor<8xf32, #ttg.slice<{dim = 2, parent = #blocked}>>)

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
// expected-error @below {{'dim' of #ttg.slice must be a number that is not negative}}
tt.func private @slice_dim_negative(tensor<8xf32, #ttg.slice<{dim = -1, parent = #blocked}>>)

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// expected-error @below {{#ttg.slice needs a parent of rank 2 or more}}
tt.func private @slice_of_a_line(tensor<8xf32, #ttg.slice<{dim = 0, parent = #blocked}>>)

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
// expected-error @below {{#ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>}> describes tensors of rank 1, not of rank 2}}
tt.func private @slice_rank(tensor<8x8xf32, #ttg.slice<{dim = 0, parent = #blocked}>>)

// -----

// expected-error @below {{#ttg.linear needs a basis: a layout without any is not supported}}
tt.func private @linear_empty(tensor<8xf32, #ttg.linear<{register = [], lane = [], warp = [], block = []}>>)

// -----

// expected-error @below {{#ttg.linear needs the key 'block'}}
tt.func private @linear_key_missing(tensor<8xf32, #ttg.linear<{register = [[1]], lane = [], warp = []}>>)

// -----

// expected-error @below {{the bases of 'lane' of #ttg.linear must all have one coordinate a dimension}}
tt.func private @linear_ranks(tensor<8xf32, #ttg.linear<{register = [[1]], lane = [[2, 0]], warp = [], block = []}>>)

// -----

// expected-error @below {{the bases of 'register' of #ttg.linear must all have one coordinate a dimension}}
tt.func private @linear_empty_basis(tensor<8xf32, #ttg.linear<{register = [[]], lane = [], warp = [], block = []}>>)

// -----

// expected-error @below {{#ttg.linear: a basis has a negative coordinate}}
tt.func private @linear_negative(tensor<8xf32, #ttg.linear<{register = [[-1]], lane = [], warp = [], block = []}>>)

// -----

// expected-error @below {{#ttg.linear: two bases of a linear layout are the same}}
tt.func private @linear_not_a_bijection(tensor<8xf32, #ttg.linear<{register = [[1]], lane = [[1]], warp = [], block = []}>>)

// -----

// expected-error @below {{#ttg.linear: the bases of a linear layout do not reach every element}}
tt.func private @linear_gap(tensor<8xf32, #ttg.linear<{register = [[1]], lane = [[4]], warp = [], block = []}>>)

// -----

// expected-error @below {{#ttg.linear: each basis of a linear layout has at most one value that is not zero, and that is a power of two}}
tt.func private @linear_diagonal(tensor<8x8xf32, #ttg.linear<{register = [[1, 1]], lane = [[0, 1]], warp = [], block = []}>>)

// -----

// expected-error @below {{#ttg.linear<{register = [[1]], lane = [[2]], warp = [], block = []}> describes tensors of rank 1, not of rank 2}}
tt.func private @linear_rank(tensor<8x8xf32, #ttg.linear<{register = [[1]], lane = [[2]], warp = [], block = []}>>)

// -----

// expected-error @below {{#ttg.blocked: the tile of a blocked layout has at most 2^26 elements, not 2^67}}
tt.func private @blocked_too_large(tensor<8x8xf32, #ttg.blocked<{sizePerThread = [1073741824, 1073741824], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>>)

// -----

// expected-error @below {{#ttg.linear: the bases of a linear layout span more than 2^30 elements}}
tt.func private @linear_too_large(tensor<8x8xf32, #ttg.linear<{register = [[1, 0], [0, 1073741824]], lane = [[2, 0]], warp = [], block = []}>>)

// -----

// expected-error @below {{#ttg.swizzled_shared needs the key 'maxPhase'}}
tt.func private @shared_key_missing() attributes {a = #ttg.swizzled_shared<{vec = 1, perPhase = 1, order = [0]}>}

// -----

// expected-error @below {{'vec' of #ttg.swizzled_shared must be a number that is not negative}}
tt.func private @shared_number() attributes {a = #ttg.swizzled_shared<{vec = [1], perPhase = 1, maxPhase = 1, order = [0]}>}

// -----

// expected-error @below {{#ttg.swizzled_shared: vec is 3, which is not a power of two}}
tt.func private @shared_power() attributes {a = #ttg.swizzled_shared<{vec = 3, perPhase = 1, maxPhase = 1, order = [0]}>}

// -----

// expected-error @below {{#ttg.swizzled_shared needs at least one dimension}}
tt.func private @shared_no_dimension() attributes {a = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = []}>}

// -----

// expected-error @below {{unknown attribute `diagonal` in dialect `ttg`}}
tt.func private @unknown_encoding(tensor<8xf32, #ttg.diagonal<{}>>)

// -----

// Ops between layouts.

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
tt.func @convert_from_no_layout(%x: tensor<8xf32>) {
  // expected-error @below {{'ttg.convert_layout' op converts between layouts, but one of its tensors has none}}
  %0 = ttg.convert_layout %x : tensor<8xf32> -> tensor<8xf32, #blocked>
  tt.return
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
tt.func @convert_to_another_type(%x: tensor<8xf32, #blocked>) {
  // expected-error @below {{'ttg.convert_layout' op requires the same element type for all operands and results}}
  %0 = ttg.convert_layout %x : tensor<8xf32, #blocked> -> tensor<8xf16, #blocked>
  tt.return
}

// -----

tt.func @barrier_memory() {
  // expected-error @below {{custom op 'ttg.barrier' unknown memory 'texture'; there are local, global_read, global_write, tensor, all}}
  ttg.barrier texture
  tt.return
}

// -----

#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
tt.func @two_layouts(%p: tensor<256x!tt.ptr<f32>, #a>, %i: tensor<256xi32, #b>) {
  // expected-error @below {{'tt.addptr' op needs one layout for all its tensors; convert with ttg.convert_layout where they differ}}
  %0 = tt.addptr %p, %i : tensor<256x!tt.ptr<f32>, #a>, tensor<256xi32, #b>
  tt.return
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
tt.func @expand_dims_one_layout(%x: tensor<8xf32>) {
  // expected-error @below {{'tt.expand_dims' op needs a layout on both its tensors or on neither}}
  %0 = tt.expand_dims %x {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32, #blocked>
  tt.return
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#line = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
tt.func @expand_dims_layout(%x: tensor<512xf32, #line>) {
  // expected-error @below {{'tt.expand_dims' op needs its operand in the layout of the result without dimension 1, #ttg.slice<{dim = 1, parent = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>}>, but has #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>}}
  %0 = tt.expand_dims %x {axis = 1 : i32} : tensor<512xf32, #line> -> tensor<512x1xf32, #blocked>
  tt.return
}

// -----

#line = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
tt.func @reshape_one_layout(%x: tensor<512xf32, #line>) {
  // expected-error @below {{'tt.reshape' op needs a layout on both its tensors or on neither}}
  %0 = tt.reshape %x : tensor<512xf32, #line> -> tensor<16x32xf32>
  tt.return
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
tt.func @trans_one_layout(%x: tensor<8x16xf32, #blocked>) {
  // expected-error @below {{'tt.trans' op needs a layout on both its tensors or on neither}}
  %0 = tt.trans %x {order = array<i32: 1, 0>} : tensor<8x16xf32, #blocked> -> tensor<16x8xf32>
  tt.return
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
tt.func @trans_moves(%x: tensor<128x16xf32, #blocked>) {
  // expected-error @below {{'tt.trans' op moves no data: the result's layout must be the operand's, permuted}}
  %0 = tt.trans %x {order = array<i32: 1, 0>} : tensor<128x16xf32, #blocked> -> tensor<16x128xf32, #blocked>
  tt.return
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#line = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
tt.func @reduce_layout(%x: tensor<512x4xf32, #blocked>) {
  // expected-error @below {{'tt.reduce' op of 'tensor<512x4xf32, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>>' along axis 1 has layout #ttg.slice<{dim = 1, parent = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>}>, not that of 'tensor<512xf32, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>'}}
  %0 = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tt.reduce.return %s : f32
  }) : (tensor<512x4xf32, #blocked>) -> tensor<512xf32, #line>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
tt.func @shared_memory_in_registers(%x: f32) {
  // expected-error @below {{'tt.splat' op has 'tensor<8xf32, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>>' as result #0, whose encoding is no layout of a tensor in registers}}
  %0 = tt.splat %x : f32 -> tensor<8xf32, #shared>
  tt.return
}
