// RUN: tilewright-opt %s -split-input-file -verify-diagnostics

// amd_wmma with its operands and amd_rotating_shared: keys, values, tensors that they cannot describe.

// expected-error @below {{#ttg.amd_wmma needs the key 'version'}}
tt.func private @wmma_version_missing() attributes {a = #ttg.amd_wmma<{isTranspose = false, ctaLayout = {warp = []}}>}

// -----

// expected-error @below {{#ttg.amd_wmma needs the key 'ctaLayout'}}
tt.func private @wmma_tiles_missing() attributes {a = #ttg.amd_wmma<{version = 1, isTranspose = false}>}

// -----

// expected-error @below {{#ttg.amd_wmma: WMMA has the versions 1 (gfx11), 2 (gfx12) and 3 (gfx1250), not 4}}
tt.func private @wmma_version() attributes {a = #ttg.amd_wmma<{version = 4, isTranspose = false, ctaLayout = {warp = [[0, 1], [1, 0]]}}>}

// -----

// expected-error @below {{#ttg.amd_wmma: instrShape of WMMA version 3 is [16, 16, K] with K = 4, 32, 64 or 128, not [16, 16, 16]}}
tt.func private @wmma_shape3() attributes {a = #ttg.amd_wmma<{version = 3, isTranspose = false, ctaLayout = {warp = [[0, 1], [1, 0]]}, instrShape = [16, 16, 16]}>}

// -----

// expected-error @below {{kWidth of an operand of WMMA version 3 is 2, 8 or 16, not 4}}
tt.func private @wmma_width3() attributes {a = #ttg.dot_op<{opIdx = 0, parent = #ttg.amd_wmma<{version = 3, isTranspose = false, ctaLayout = {warp = [[0, 1], [1, 0]]}, instrShape = [16, 16, 32]}>, kWidth = 4}>}

// -----

// expected-error @below {{'isTranspose' of #ttg.amd_wmma must be true or false}}
tt.func private @wmma_no_bool() attributes {a = #ttg.amd_wmma<{version = 1, isTranspose = 1, ctaLayout = {warp = []}}>}

// -----

// expected-error @below {{'ctaLayout' of #ttg.amd_wmma must be keys and values in braces}}
tt.func private @wmma_no_dictionary() attributes {a = #ttg.amd_wmma<{version = 1, isTranspose = false, ctaLayout = [[1, 0]]}>}

// -----

// expected-error @below {{'ctaLayout' of #ttg.amd_wmma needs the key 'warp'}}
tt.func private @wmma_warps_missing() attributes {a = #ttg.amd_wmma<{version = 1, isTranspose = false, ctaLayout = {register = [[1, 0]]}}>}

// -----

// expected-error @below {{'ctaLayout' of #ttg.amd_wmma has no key 'lane'}}
tt.func private @wmma_lanes() attributes {a = #ttg.amd_wmma<{version = 1, isTranspose = false, ctaLayout = {warp = [[1, 0]], lane = []}}>}

// -----

// expected-error @below {{the bases of 'warp' of 'ctaLayout' of #ttg.amd_wmma must all have one coordinate a dimension}}
tt.func private @wmma_lengths() attributes {a = #ttg.amd_wmma<{version = 1, isTranspose = false, ctaLayout = {register = [[1, 0]], warp = [[0, 1, 0]]}}>}

// -----

// expected-error @below {{#ttg.amd_wmma: a WMMA layout has 2 or 3 dimensions, not 4}}
tt.func private @wmma_rank() attributes {a = #ttg.amd_wmma<{version = 1, isTranspose = false, ctaLayout = {warp = [[1, 0, 0, 0]]}}>}

// -----

// expected-error @below {{the bases of 'warp' of 'ctaLayout' of #ttg.amd_wmma must all have one coordinate a dimension}}
tt.func private @wmma_ranks() attributes {a = #ttg.amd_wmma<{version = 1, isTranspose = false, ctaLayout = {warp = [[0, 1], [1, 0]]}, rank = 3}>}

// -----

// expected-error @below {{#ttg.amd_wmma: the basis [0, 3] of ctaLayout has the value 3, which is not a power of two}}
tt.func private @wmma_power() attributes {a = #ttg.amd_wmma<{version = 1, isTranspose = false, ctaLayout = {warp = [[0, 3]]}}>}

// -----

// expected-error @below {{#ttg.amd_wmma: the basis [1, 1] of ctaLayout points along two dimensions}}
tt.func private @wmma_diagonal() attributes {a = #ttg.amd_wmma<{version = 1, isTranspose = false, ctaLayout = {warp = [[1, 1]]}}>}

// -----

// expected-error @below {{#ttg.amd_wmma: ctaLayout has the basis [0, 1] twice}}
tt.func private @wmma_twice() attributes {a = #ttg.amd_wmma<{version = 1, isTranspose = false, ctaLayout = {register = [[0, 1]], warp = [[0, 1]]}}>}

// -----

// expected-error @below {{#ttg.amd_wmma: the bases of ctaLayout leave a gap in dimension 1}}
tt.func private @wmma_gap() attributes {a = #ttg.amd_wmma<{version = 1, isTranspose = false, ctaLayout = {warp = [[0, 2]]}}>}

// -----

// expected-error @below {{#ttg.amd_wmma: instrShape of WMMA version 1 is [16, 16, 16], not [16, 16, 32]}}
tt.func private @wmma_shape() attributes {a = #ttg.amd_wmma<{version = 1, isTranspose = false, ctaLayout = {warp = [[0, 1], [1, 0]]}, instrShape = [16, 16, 32]}>}

// -----

// expected-error @below {{#ttg.amd_wmma: instrShape of WMMA version 2 is [16, 16, 16] or [16, 16, 32], not [16, 16, 4]}}
tt.func private @wmma_shape_2() attributes {a = #ttg.amd_wmma<{version = 2, isTranspose = false, ctaLayout = {warp = [[0, 1], [1, 0]]}, instrShape = [16, 16, 4]}>}

// -----

// expected-error @below {{#ttg.amd_wmma: a basis of the cluster has the value 3, which is not a power of two}}
tt.func private @wmma_cluster() attributes {a = #ttg.amd_wmma<{version = 2, isTranspose = false, ctaLayout = {warp = [[0, 1], [1, 0]]}, CGALayout = [[0, 3]]}>}

// -----

// expected-error @below {{'warpsPerCTA' of #ttg.amd_wmma must hold powers of two}}
tt.func private @wmma_counts() attributes {a = #ttg.amd_wmma<{version = 1, isTranspose = false, warpsPerCTA = [2, 3]}>}

// -----

// expected-error @below {{'warpsPerCTA' of #ttg.amd_wmma must have one entry a dimension}}
tt.func private @wmma_counts_empty() attributes {a = #ttg.amd_wmma<{version = 1, isTranspose = false, warpsPerCTA = []}>}

// -----

// expected-error @below {{'warpsPerCTA' of #ttg.amd_wmma must have one entry a dimension}}
tt.func private @wmma_counts_of_tiles() attributes {a = #ttg.amd_wmma<{version = 1, isTranspose = false, warpsPerCTA = [2, 2], tilesPerWarp = [2]}>}

// -----

// expected-error @below {{#ttg.amd_wmma: ctaLayout has at most 16 bases}}
tt.func private @wmma_counts_large() attributes {a = #ttg.amd_wmma<{version = 1, isTranspose = false, warpsPerCTA = [1073741824, 1073741824], tilesPerWarp = [1073741824, 1]}>}

// -----

#mma = #ttg.amd_wmma<{version = 1, isTranspose = false, ctaLayout = {warp = [[0, 1], [1, 0]]}}>
// expected-error @below {{#ttg.amd_wmma<{version = 1, isTranspose = false, ctaLayout = {warp = [[0, 1], [1, 0]]}}> describes tensors of rank 2, not of rank 1}}
tt.func private @wmma_tensor_rank(tensor<16xf32, #mma>)

// -----

#mma = #ttg.amd_wmma<{version = 1, isTranspose = false, ctaLayout = {warp = [[0, 1], [1, 0]]}}>
// expected-error @below {{#ttg.amd_wmma<{version = 1, isTranspose = false, ctaLayout = {warp = [[0, 1], [1, 0]]}}> cannot describe a tensor of shape 16x48: the size 48 of a tensor is not a power of two}}
tt.func private @wmma_tensor_shape(tensor<16x48xf32, #mma>)

// -----

#mma = #ttg.amd_wmma<{version = 1, isTranspose = false, ctaLayout = {warp = [[0, 1], [1, 0]]}}>
// expected-error @below {{#ttg.dot_op: kWidth of an operand of WMMA version 1 is 8 or 16, not 4}}
tt.func private @operand_of_gfx11() attributes {a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>}

// -----

#mma = #ttg.amd_wmma<{version = 2, isTranspose = false, ctaLayout = {warp = [[0, 1], [1, 0]]}}>
// expected-error @below {{#ttg.dot_op: kWidth of an operand of WMMA version 2 is 4, 8 or 16, not 2}}
tt.func private @operand_of_gfx12() attributes {a = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>}

// -----

#mma = #ttg.amd_wmma<{version = 2, isTranspose = false, ctaLayout = {warp = [[0, 1], [1, 0]]}}>
// expected-error @below {{#ttg.dot_op: kWidth of an operand of WMMA version 2 is 4, 8 or 16, not 0}}
tt.func private @operand_width_missing() attributes {a = #ttg.dot_op<{opIdx = 1, parent = #mma}>}

// -----

// expected-error @below {{#ttg.amd_rotating_shared needs the key 'maxPhase'}}
tt.func private @rotating_key_missing() attributes {a = #ttg.amd_rotating_shared<{vec = 1, perPhase = 1, order = [1, 0]}>}

// -----

// expected-error @below {{#ttg.amd_rotating_shared has no key 'rotate'}}
tt.func private @rotating_key_unknown() attributes {a = #ttg.amd_rotating_shared<{vec = 1, perPhase = 1, maxPhase = 4, order = [1, 0], rotate = true}>}

// -----

// expected-error @below {{#ttg.amd_rotating_shared: maxPhase is 6, which is not a power of two}}
tt.func private @rotating_power() attributes {a = #ttg.amd_rotating_shared<{vec = 1, perPhase = 1, maxPhase = 6, order = [1, 0]}>}

// -----

// expected-error @below {{#ttg.amd_rotating_shared: order is not a permutation of the dimensions}}
tt.func private @rotating_order() attributes {a = #ttg.amd_rotating_shared<{vec = 1, perPhase = 1, maxPhase = 4, order = [1, 1]}>}

// -----

// expected-error @below {{#ttg.amd_rotating_shared needs at least one dimension}}
tt.func private @rotating_no_dimension() attributes {a = #ttg.amd_rotating_shared<{vec = 1, perPhase = 1, maxPhase = 4, order = []}>}

// -----

// expected-error @below {{#ttg.amd_rotating_shared<{vec = 1, perPhase = 1, maxPhase = 4, order = [1, 0]}> describes tensors of rank 2, not of rank 1}}
tt.func private @rotating_rank(tensor<16xf32, #ttg.amd_rotating_shared<{vec = 1, perPhase = 1, maxPhase = 4, order = [1, 0]}>>)

// -----

// expected-error @below {{#ttg.amd_rotating_shared<{vec = 1, perPhase = 1, maxPhase = 4, order = [1, 0]}> cannot describe a tensor of shape 16x20: the size 20 of a tensor is not a power of two}}
tt.func private @rotating_shape(tensor<16x20xf32, #ttg.amd_rotating_shared<{vec = 1, perPhase = 1, maxPhase = 4, order = [1, 0]}>>)
