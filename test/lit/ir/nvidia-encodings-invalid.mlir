// RUN: tilewright-opt %s -split-input-file -verify-diagnostics

// nvidia_mma with its operands and nvmma_shared: keys, values, tensors that they cannot describe.

// expected-error @below {{#ttg.nvidia_mma needs the key 'instrShape'}}
tt.func private @mma_key_missing() attributes {a = #ttg.nvidia_mma<{versionMajor = 2, warpsPerCTA = [2, 2]}>}

// -----

// expected-error @below {{#ttg.nvidia_mma needs the key 'versionMajor'}}
tt.func private @mma_version_missing() attributes {a = #ttg.nvidia_mma<{warpsPerCTA = [2, 2], instrShape = [16, 8]}>}

// -----

// expected-error @below {{#ttg.nvidia_mma: versionMajor is 5, but layouts of registers are those of 2 (mma.sync) and 3 (wgmma)}}
tt.func private @mma_version() attributes {a = #ttg.nvidia_mma<{versionMajor = 5, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [128, 128, 16]}>}

// -----

// expected-error @below {{#ttg.nvidia_mma needs at least one dimension}}
tt.func private @mma_no_dimension() attributes {a = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [], instrShape = [16, 8]}>}

// -----

// expected-error @below {{#ttg.nvidia_mma: warpsPerCTA has 1 entries, but the result of a matrix product has 2 or 3 dimensions}}
tt.func private @mma_line() attributes {a = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4], instrShape = [16, 8]}>}

// -----

// expected-error @below {{#ttg.nvidia_mma: instrShape is [16, 16], but of mma.sync it is [16, 8]}}
tt.func private @mma_of_two() attributes {a = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 16]}>}

// -----

// expected-error @below {{#ttg.nvidia_mma: instrShape is [16, 8], but of mma.sync it is [1, 16, 8]}}
tt.func private @mma_of_three() attributes {a = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4, 1], instrShape = [16, 8]}>}

// -----

// expected-error @below {{#ttg.nvidia_mma: warpsPerCTA has the entry 3, which is not a power of two}}
tt.func private @mma_warps() attributes {a = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [3, 1], instrShape = [16, 8]}>}

// -----

// expected-error @below {{#ttg.nvidia_mma: warpsPerCTA has the entry 0, which is not a power of two}}
tt.func private @mma_warps_zero() attributes {a = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [0, 1], instrShape = [16, 8]}>}

// -----

// expected-error @below {{#ttg.nvidia_mma: warpsPerCTA is too large}}
tt.func private @mma_warps_many() attributes {a = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [65536, 65536], instrShape = [16, 8]}>}

// -----

// expected-error @below {{#ttg.nvidia_mma: the bases of the cluster leave a gap}}
tt.func private @mma_cluster() attributes {a = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], CGALayout = [[2, 0]], instrShape = [16, 8]}>}

// -----

// expected-error @below {{#ttg.nvidia_mma: instrShape is [16, 64], but of wgmma it is [16, N, K]}}
tt.func private @wgmma_shape() attributes {a = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64]}>}

// -----

// expected-error @below {{#ttg.nvidia_mma: N in instrShape is 512, but it is a power of two from 8 to 256}}
tt.func private @wgmma_columns() attributes {a = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 512, 16]}>}

// -----

// expected-error @below {{#ttg.nvidia_mma: K in instrShape is 12, but it is a power of two from 8 to 256}}
tt.func private @wgmma_depth() attributes {a = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 12]}>}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
// expected-error @below {{#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}> describes tensors of rank 2, not of rank 1}}
tt.func private @mma_tensor_rank(tensor<16xf32, #mma>)

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
// expected-error @below {{#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}> cannot describe a tensor of shape 16x24: the size 24 of a tensor is not a power of two}}
tt.func private @mma_tensor_shape(tensor<16x24xf32, #mma>)

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
// expected-error @below {{#ttg.dot_op: kWidth is 0, but it is a power of two from 1 to 32}}
tt.func private @operand_width_missing() attributes {a = #ttg.dot_op<{opIdx = 0, parent = #mma}>}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
// expected-error @below {{#ttg.dot_op: kWidth is 3, but it is a power of two from 1 to 32}}
tt.func private @operand_width() attributes {a = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 3}>}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
// expected-error @below {{#ttg.dot_op: kWidth is 64, but it is a power of two from 1 to 32}}
tt.func private @operand_width_large() attributes {a = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 64}>}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
// expected-error @below {{#ttg.dot_op: wgmma reads operand 1 from shared memory, so there is no layout of registers for it}}
tt.func private @operand_in_shared_memory() attributes {a = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>}

// -----

// expected-error @below {{#ttg.nvmma_shared needs the key 'elementBitWidth'}}
tt.func private @shared_key_missing() attributes {a = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false}>}

// -----

// expected-error @below {{#ttg.nvmma_shared has no key 'CTAOrder'}}
tt.func private @shared_key_unknown() attributes {a = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CTAOrder = [1, 0]}>}

// -----

// expected-error @below {{'transposed' of #ttg.nvmma_shared must be true or false}}
tt.func private @shared_no_bool() attributes {a = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = 0, elementBitWidth = 16}>}

// -----

// expected-error @below {{#ttg.nvmma_shared: swizzlingByteWidth is 16, but it is 0, 32, 64 or 128}}
tt.func private @shared_width() attributes {a = #ttg.nvmma_shared<{swizzlingByteWidth = 16, transposed = false, elementBitWidth = 16}>}

// -----

// expected-error @below {{#ttg.nvmma_shared: elementBitWidth is 12, but it is 8, 16, 32 or 64}}
tt.func private @shared_element() attributes {a = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 12}>}

// -----

// expected-error @below {{'rank' of #ttg.nvmma_shared must not be 0}}
tt.func private @shared_rank_zero() attributes {a = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 16, rank = 0}>}

// -----

// expected-error @below {{#ttg.nvmma_shared: rank is 6, but the tensor memory accelerator has 1 to 5 dimensions}}
tt.func private @shared_rank_large() attributes {a = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 16, rank = 6}>}

// -----

// expected-error @below {{#ttg.nvmma_shared: a tensor of one dimension has no rows to be swizzled}}
tt.func private @shared_rank_one() attributes {a = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16, rank = 1}>}

// -----

// expected-error @below {{the bases of 'CGALayout' of #ttg.nvmma_shared must all have one coordinate a dimension}}
tt.func private @shared_ranks() attributes {a = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16, rank = 3, CGALayout = [[1, 0]]}>}

// -----

// expected-error @below {{#ttg.nvmma_shared: fp4Padded is for pairs of 4-bit elements in bytes, but elementBitWidth is 16}}
tt.func private @shared_fp4() attributes {a = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16, fp4Padded = true}>}

// -----

// expected-error @below {{#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}> describes tensors of rank 2, not of rank 1}}
tt.func private @shared_tensor_rank(tensor<64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>>)

// -----

// expected-error @below {{#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}> cannot describe a tensor of shape 64x32: a swizzled row of 128 bytes has 64 elements, but dimension 1 of a block's part of the tensor has 32}}
tt.func private @shared_tensor_row(tensor<64x32xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>>)

// -----

// expected-error @below {{#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}> cannot describe a tensor of shape 4x64: the swizzle takes 8 rows, but a block's part of the tensor has 4}}
tt.func private @shared_tensor_rows(tensor<4x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>>)
