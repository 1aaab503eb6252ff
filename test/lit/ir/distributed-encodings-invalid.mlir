// RUN: tilewright-opt %s -split-input-file -verify-diagnostics

// blocked, slice, linear: keys, values, what the layout library has to say; tensors that they
// cannot describe.

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

// expected-error @below {{'register' of #ttg.linear has a negative entry}}
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

// expected-error @below {{unknown attribute `diagonal` in dialect `ttg`}}
tt.func private @unknown_encoding(tensor<8xf32, #ttg.diagonal<{}>>)

// -----

// expected-error @below {{#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}> cannot describe a tensor of shape 12: the size 12 of a tensor is not a power of two}}
tt.func private @shape(tensor<12xf32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>)

// -----

// expected-error @below {{#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}> cannot describe a tensor of shape ?: all sizes must be known}}
tt.func private @dynamic(tensor<?xf32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>)

// -----

// expected-error @below {{#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}> cannot describe a tensor of shape 2147483648: a tensor has at most 2^30 elements, not 2^31}}
tt.func private @too_many_elements(tensor<2147483648xf32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>)
