// RUN: tilewright-opt %s -split-input-file -verify-diagnostics

// swizzled_shared, padded_shared, shared_linear: keys, values, tensors that they cannot describe.

// expected-error @below {{#ttg.swizzled_shared needs the key 'maxPhase'}}
tt.func private @swizzled_key_missing() attributes {a = #ttg.swizzled_shared<{vec = 1, perPhase = 1, order = [0]}>}

// -----

// expected-error @below {{#ttg.swizzled_shared has no key 'hasLeadingOffset'}}
tt.func private @swizzled_key_unknown() attributes {a = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], hasLeadingOffset = true}>}

// -----

// expected-error @below {{'vec' of #ttg.swizzled_shared must be a number that is not negative}}
tt.func private @swizzled_number() attributes {a = #ttg.swizzled_shared<{vec = [1], perPhase = 1, maxPhase = 1, order = [0]}>}

// -----

// expected-error @below {{#ttg.swizzled_shared: vec is 3, which is not a power of two}}
tt.func private @swizzled_power() attributes {a = #ttg.swizzled_shared<{vec = 3, perPhase = 1, maxPhase = 1, order = [0]}>}

// -----

// expected-error @below {{#ttg.swizzled_shared: perPhase is 0, which is not a power of two}}
tt.func private @swizzled_zero() attributes {a = #ttg.swizzled_shared<{vec = 1, perPhase = 0, maxPhase = 1, order = [0]}>}

// -----

// expected-error @below {{'maxPhase' of #ttg.swizzled_shared must be a number that is not negative}}
tt.func private @swizzled_negative() attributes {a = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = -8, order = [0]}>}

// -----

// expected-error @below {{#ttg.swizzled_shared needs at least one dimension}}
tt.func private @swizzled_no_dimension() attributes {a = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = []}>}

// -----

// expected-error @below {{#ttg.swizzled_shared: order is not a permutation of the dimensions}}
tt.func private @swizzled_order() attributes {a = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 2]}>}

// -----

// expected-error @below {{the bases of 'CGALayout' of #ttg.swizzled_shared must all have one coordinate a dimension}}
tt.func private @swizzled_cluster() attributes {a = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0], CGALayout = [[1]]}>}

// -----

// expected-error @below {{#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}> describes tensors of rank 2, not of rank 1}}
tt.func private @swizzled_rank(tensor<8xf32, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>>)

// -----

// expected-error @below {{#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}> cannot describe a tensor of shape 8x12: the size 12 of a tensor is not a power of two}}
tt.func private @swizzled_shape(tensor<8x12xf32, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>>)

// -----

// expected-error @below {{#ttg.padded_shared needs an interval and its padding, such as [32:+4]}}
tt.func private @padded_no_interval() attributes {a = #ttg.padded_shared<[] {order = [1, 0], shape = [64, 64]}>}

// -----

// expected-error @below {{expected ':'}}
tt.func private @padded_interval_text() attributes {a = #ttg.padded_shared<[32+4] {order = [1, 0], shape = [64, 64]}>}

// -----

// expected-error @below {{expected '+'}}
tt.func private @padded_interval_sign() attributes {a = #ttg.padded_shared<[32:4] {order = [1, 0], shape = [64, 64]}>}

// -----

// expected-error @below {{an interval of #ttg.padded_shared must be a 32-bit number that is not negative}}
tt.func private @padded_interval_negative() attributes {a = #ttg.padded_shared<[-32:+4] {order = [1, 0], shape = [64, 64]}>}

// -----

// expected-error @below {{a padding of #ttg.padded_shared must be a 32-bit number that is not negative}}
tt.func private @padded_padding_large() attributes {a = #ttg.padded_shared<[32:+4294967296] {order = [1, 0], shape = [64, 64]}>}

// -----

// expected-error @below {{#ttg.padded_shared: the interval 33 is not a power of two}}
tt.func private @padded_interval_power() attributes {a = #ttg.padded_shared<[33:+4] {order = [1, 0], shape = [64, 64]}>}

// -----

// expected-error @below {{#ttg.padded_shared: the padding 0 is not a power of two}}
tt.func private @padded_padding_power() attributes {a = #ttg.padded_shared<[32:+0] {order = [1, 0], shape = [64, 64]}>}

// -----

// expected-error @below {{#ttg.padded_shared: the interval 32 is there twice}}
tt.func private @padded_twice() attributes {a = #ttg.padded_shared<[32:+4, 32:+8] {order = [1, 0], shape = [64, 64]}>}

// -----

// expected-error @below {{#ttg.padded_shared needs the key 'offset'}}
tt.func private @padded_nothing() attributes {a = #ttg.padded_shared<[32:+4] {}>}

// -----

// expected-error @below {{#ttg.padded_shared needs the key 'shape'}}
tt.func private @padded_no_shape() attributes {a = #ttg.padded_shared<[32:+4] {order = [1, 0]}>}

// -----

// expected-error @below {{#ttg.padded_shared has no key 'offset'}}
tt.func private @padded_both() attributes {a = #ttg.padded_shared<[32:+4] {order = [1, 0], shape = [2, 2], offset = [[0, 1], [1, 0]]}>}

// -----

// expected-error @below {{#ttg.padded_shared: order is not a permutation of the dimensions}}
tt.func private @padded_order() attributes {a = #ttg.padded_shared<[32:+4] {order = [1, 1], shape = [64, 64]}>}

// -----

// expected-error @below {{#ttg.padded_shared: order has 1 entries, but there are 2 dimensions}}
tt.func private @padded_order_length() attributes {a = #ttg.padded_shared<[32:+4] {order = [0], shape = [64, 64]}>}

// -----

// expected-error @below {{#ttg.padded_shared: a layout needs a tensor of at least one dimension}}
tt.func private @padded_no_dimension() attributes {a = #ttg.padded_shared<[32:+4] {order = [], shape = []}>}

// -----

// expected-error @below {{#ttg.padded_shared: the size 48 of a tensor is not a power of two}}
tt.func private @padded_size() attributes {a = #ttg.padded_shared<[32:+4] {order = [1, 0], shape = [64, 48]}>}

// -----

// expected-error @below {{#ttg.padded_shared: a tensor has at most 2^30 elements, not 2^60}}
tt.func private @padded_sizes() attributes {a = #ttg.padded_shared<[32:+4] {order = [1, 0], shape = [1073741824, 1073741824]}>}

// -----

// expected-error @below {{the bases of 'offset' of #ttg.padded_shared must all have one coordinate a dimension}}
tt.func private @padded_basis_lengths() attributes {a = #ttg.padded_shared<[32:+4] {offset = [[0, 1], [1]], block = []}>}

// -----

// expected-error @below {{#ttg.padded_shared: each basis of a padded layout has one value that is not zero, and that is a power of two}}
tt.func private @padded_diagonal() attributes {a = #ttg.padded_shared<[32:+4] {offset = [[0, 1], [1, 1]], block = []}>}

// -----

// expected-error @below {{#ttg.padded_shared: the bases of a layout of shared memory do not reach every element}}
tt.func private @padded_gap() attributes {a = #ttg.padded_shared<[32:+4] {offset = [[0, 1], [0, 4]], block = []}>}

// -----

// expected-error @below {{#ttg.padded_shared: two bases of a padded layout are the same}}
tt.func private @padded_same() attributes {a = #ttg.padded_shared<[32:+4] {offset = [[0, 1], [1, 0], [0, 1]], block = []}>}

// -----

// expected-error @below {{#ttg.padded_shared: a basis of a padded layout is zero, but each element has one place only}}
tt.func private @padded_zero() attributes {a = #ttg.padded_shared<[32:+4] {offset = [[0, 1], [0, 0]], block = []}>}

// -----

// expected-error @below {{#ttg.padded_shared<[32:+4] {order = [1, 0], shape = [64, 64]}> describes tensors of rank 2, not of rank 1}}
tt.func private @padded_rank(tensor<64xf32, #ttg.padded_shared<[32:+4] {order = [1, 0], shape = [64, 64]}>>)

// -----

// expected-error @below {{#ttg.padded_shared<[32:+4] {order = [1, 0], shape = [64, 64]}> cannot describe a tensor of shape 64x32: the bases span 64 elements of dimension 1, but the tensor has 32}}
tt.func private @padded_shape(tensor<64x32xf32, #ttg.padded_shared<[32:+4] {order = [1, 0], shape = [64, 64]}>>)

// -----

// expected-error @below {{#ttg.shared_linear needs the key 'offset'}}
tt.func private @linear_key_missing() attributes {a = #ttg.shared_linear<{block = []}, alignment = 16>}

// -----

// expected-error @below {{#ttg.shared_linear has no key 'warp'}}
tt.func private @linear_key_unknown() attributes {a = #ttg.shared_linear<{offset = [[1]], warp = []}, alignment = 16>}

// -----

// expected-error @below {{expected ','}}
tt.func private @linear_no_alignment() attributes {a = #ttg.shared_linear<{offset = [[1]]}>}

// -----

// expected-error @below {{#ttg.shared_linear: alignment is 12, which is not a power of two}}
tt.func private @linear_alignment() attributes {a = #ttg.shared_linear<{offset = [[1]]}, alignment = 12>}

// -----

// expected-error @below {{'alignment' of #ttg.shared_linear must be a 32-bit number that is not negative}}
tt.func private @linear_alignment_negative() attributes {a = #ttg.shared_linear<{offset = [[1]]}, alignment = -16>}

// -----

// expected-error @below {{#ttg.shared_linear needs a basis: a layout without any is not supported}}
tt.func private @linear_empty() attributes {a = #ttg.shared_linear<{offset = [], block = []}, alignment = 16>}

// -----

// expected-error @below {{#ttg.shared_linear: the bases of a layout of shared memory do not reach every element}}
tt.func private @linear_gap() attributes {a = #ttg.shared_linear<{offset = [[0, 1], [2, 0]]}, alignment = 16>}

// -----

// expected-error @below {{'offset' of #ttg.shared_linear must be a list of bases such as [[0, 1], [1, 0]]}}
tt.func private @linear_no_list() attributes {a = #ttg.shared_linear<{offset = 1}, alignment = 16>}

// -----

// expected-error @below {{#ttg.shared_linear<{offset = [[0, 1], [1, 1]]}, alignment = 16> describes tensors of rank 2, not of rank 1}}
tt.func private @linear_rank(tensor<4xf32, #ttg.shared_linear<{offset = [[0, 1], [1, 1]]}, alignment = 16>>)

// -----

// expected-error @below {{#ttg.shared_linear<{offset = [[0, 1], [1, 1]]}, alignment = 16> cannot describe a tensor of shape 2x4: the bases span 2 elements of dimension 1, but the tensor has 4}}
tt.func private @linear_shape(tensor<2x4xf32, #ttg.shared_linear<{offset = [[0, 1], [1, 1]]}, alignment = 16>>)

// -----

// expected-error @below {{#ttg.padded_shared needs the key 'block'}}
tt.func private @padded_without_blocks() attributes {a = #ttg.padded_shared<[2:+1, 4:+2] {offset = [[0, 1]]}>}
