// RUN: tilewright-opt %s -split-input-file -verify-diagnostics

// dpas with its operands and subgroup_2d_block: keys, values, tensors that they cannot describe.

// expected-error @below {{#ttig.dpas needs the key 'repCluster'}}
tt.func private @dpas_key_missing() attributes {a = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 2]}>}

// -----

// expected-error @below {{'repCluster' of #ttig.dpas must be a list of numbers}}
tt.func private @dpas_no_list() attributes {a = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 2], repCluster = 1}>}

// -----

// expected-error @below {{#ttig.dpas: repeatCount is 9, not 1, 2, 4 or 8}}
tt.func private @dpas_repeat() attributes {a = #ttig.dpas<{repeatCount = 9, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 2], repCluster = [1, 1]}>}

// -----

// expected-error @below {{#ttig.dpas: repeatCount is 3, not 1, 2, 4 or 8}}
tt.func private @dpas_repeat_3() attributes {a = #ttig.dpas<{repeatCount = 3, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 2], repCluster = [1, 1]}>}

// -----

// expected-error @below {{#ttig.dpas: systolicDepth is 4, not 8}}
tt.func private @dpas_depth() attributes {a = #ttig.dpas<{repeatCount = 8, systolicDepth = 4, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 2], repCluster = [1, 1]}>}

// -----

// expected-error @below {{#ttig.dpas: executionSize is 32, not 8 or 16}}
tt.func private @dpas_execution() attributes {a = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 32, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 2], repCluster = [1, 1]}>}

// -----

// expected-error @below {{#ttig.dpas: opsPerChan is 3, not 1, 2 or 4}}
tt.func private @dpas_ops() attributes {a = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 3, threadsPerWarp = 16, warpsPerCTA = [4, 2], repCluster = [1, 1]}>}

// -----

// expected-error @below {{#ttig.dpas: fp4KPack is 3, not 2}}
tt.func private @dpas_pack() attributes {a = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 4, threadsPerWarp = 16, warpsPerCTA = [4, 2], repCluster = [1, 1], fp4KPack = 3}>}

// -----

// expected-error @below {{#ttig.dpas: fp4KPack is 2, which needs opsPerChan 4, not 2}}
tt.func private @dpas_pack_ops() attributes {a = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 2], repCluster = [1, 1], fp4KPack = 2}>}

// -----

// expected-error @below {{#ttig.dpas: threadsPerWarp is 8, not 16 or 32}}
tt.func private @dpas_threads() attributes {a = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 8, warpsPerCTA = [4, 2], repCluster = [1, 1]}>}

// -----

// expected-error @below {{#ttig.dpas: repeatCount is 1, but the 32 lanes of a warp hold 2 rows}}
tt.func private @dpas_rows() attributes {a = #ttig.dpas<{repeatCount = 1, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 32, warpsPerCTA = [4, 2], repCluster = [1, 1]}>}

// -----

// expected-error @below {{#ttig.dpas: warpsPerCTA has the entry 3, which is not a power of two}}
tt.func private @dpas_warps() attributes {a = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [3, 2], repCluster = [1, 1]}>}

// -----

// expected-error @below {{#ttig.dpas: warpsPerCTA has 1 entries, but the operands of DPAS have 2 or 3 dimensions}}
tt.func private @dpas_rank() attributes {a = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4], repCluster = [1]}>}

// -----

// expected-error @below {{#ttig.dpas: repCluster has 3 entries, but there are 2 dimensions}}
tt.func private @dpas_cluster() attributes {a = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 2], repCluster = [1, 1, 1]}>}

// -----

// expected-error @below {{#ttig.dpas: repCluster has the entry 3, which is not a power of two}}
tt.func private @dpas_cluster_power() attributes {a = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 2], repCluster = [1, 3]}>}

// -----

// expected-error @below {{#ttig.dpas: repCluster is 2 along the batch, where it is always 1}}
tt.func private @dpas_batch() attributes {a = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 4, 2], repCluster = [2, 1, 1]}>}

// -----

// expected-error @below {{#ttig.dpas: warpsPerCTA and repCluster make a tile of 2^32 instructions, more than 2^17}}
tt.func private @dpas_large() attributes {a = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [65536, 65536], repCluster = [1, 1]}>}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 2], repCluster = [1, 1]}>
// expected-error @below {{#ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 2], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}> describes tensors of rank 2, not of rank 1}}
tt.func private @dpas_tensor_rank(tensor<16xf32, #mma>)

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 2], repCluster = [1, 1]}>
// expected-error @below {{#ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 2], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}> cannot describe a tensor of shape 16x24: the size 24 of a tensor is not a power of two}}
tt.func private @dpas_tensor_shape(tensor<16x24xf32, #mma>)

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 2], repCluster = [1, 1]}>
// expected-error @below {{#ttg.dot_op: kWidth is 2, but operand A of DPAS with opsPerChan 2 has kWidth 1}}
tt.func private @operand_a_width() attributes {a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 2], repCluster = [1, 1]}>
// expected-error @below {{#ttg.dot_op: kWidth is 1, but operand B of DPAS with opsPerChan 2 has kWidth 2}}
tt.func private @operand_b_width() attributes {a = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>}

// -----

// expected-error @below {{#ttg.dot_op: kWidth is 1, but operand B of DPAS with opsPerChan 2 has kWidth 2}}
tt.func private @older_name() attributes {a = #ttg.dot_op<{opIdx = 1, parent = #triton_intel_gpu.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 2], repCluster = [1, 1]}>, kWidth = 1}>}

// -----

// expected-error @below {{unknown attribute `mma` in dialect `ttig`}}
tt.func private @older_name_unknown() attributes {a = #triton_intel_gpu.mma<{}>}

// -----

// expected-error @below {{#ttig.subgroup_2d_block needs the key 'numBlocks'}}
tt.func private @block_key_missing() attributes {a = #ttig.subgroup_2d_block<{warpsPerCTA = [8, 4], instrShape = [32, 16], order=[0, 1], kWidth=2, threadsPerWarp=16}>}

// -----

// expected-error @below {{#ttig.subgroup_2d_block has no key 'transposed'}}
tt.func private @block_key_unknown() attributes {a = #ttig.subgroup_2d_block<{warpsPerCTA = [8, 4], transposed = true, instrShape = [32, 16], numBlocks=2, order=[0, 1], kWidth=2, threadsPerWarp=16}>}

// -----

// expected-error @below {{#ttig.subgroup_2d_block: warpsPerCTA has 3 entries, but a 2D block has 2 dimensions}}
tt.func private @block_rank() attributes {a = #ttig.subgroup_2d_block<{warpsPerCTA = [1, 8, 4], instrShape = [32, 16], numBlocks=2, order=[0, 1], kWidth=2, threadsPerWarp=16}>}

// -----

// expected-error @below {{#ttig.subgroup_2d_block: warpsPerCTA has the entry 6, which is not a power of two}}
tt.func private @block_warps() attributes {a = #ttig.subgroup_2d_block<{warpsPerCTA = [6, 4], instrShape = [32, 16], numBlocks=2, order=[0, 1], kWidth=2, threadsPerWarp=16}>}

// -----

// expected-error @below {{#ttig.subgroup_2d_block: instrShape has the entry 12, which is not a power of two}}
tt.func private @block_shape() attributes {a = #ttig.subgroup_2d_block<{warpsPerCTA = [8, 4], instrShape = [32, 12], numBlocks=2, order=[0, 1], kWidth=2, threadsPerWarp=16}>}

// -----

// expected-error @below {{#ttig.subgroup_2d_block: instrShape has 1 entries, but there are 2 dimensions}}
tt.func private @block_shape_rank() attributes {a = #ttig.subgroup_2d_block<{warpsPerCTA = [8, 4], instrShape = [32], numBlocks=2, order=[0, 1], kWidth=2, threadsPerWarp=16}>}

// -----

// expected-error @below {{#ttig.subgroup_2d_block: numBlocks is 3, which is not a power of two}}
tt.func private @block_count() attributes {a = #ttig.subgroup_2d_block<{warpsPerCTA = [8, 4], instrShape = [32, 16], numBlocks=3, order=[0, 1], kWidth=2, threadsPerWarp=16}>}

// -----

// expected-error @below {{#ttig.subgroup_2d_block: order is not a permutation of the dimensions}}
tt.func private @block_order() attributes {a = #ttig.subgroup_2d_block<{warpsPerCTA = [8, 4], instrShape = [32, 16], numBlocks=2, order=[1, 1], kWidth=2, threadsPerWarp=16}>}

// -----

// expected-error @below {{#ttig.subgroup_2d_block: kWidth is 8, not 1, 2 or 4}}
tt.func private @block_width() attributes {a = #ttig.subgroup_2d_block<{warpsPerCTA = [8, 4], instrShape = [32, 16], numBlocks=2, order=[0, 1], kWidth=8, threadsPerWarp=16}>}

// -----

// expected-error @below {{#ttig.subgroup_2d_block: threadsPerWarp is 32, not 16}}
tt.func private @block_threads() attributes {a = #ttig.subgroup_2d_block<{warpsPerCTA = [8, 4], instrShape = [32, 16], numBlocks=2, order=[0, 1], kWidth=2, threadsPerWarp=32}>}

// -----

// expected-error @below {{#ttig.subgroup_2d_block: warpsPerCTA, instrShape and numBlocks make a tile of 2^37 elements, more than 2^17}}
tt.func private @block_large() attributes {a = #ttig.subgroup_2d_block<{warpsPerCTA = [8, 4], instrShape = [32768, 65536], numBlocks=2, order=[0, 1], kWidth=2, threadsPerWarp=16}>}

// -----

// expected-error @below {{#ttig.subgroup_2d_block: CTAsPerCGA and CTASplitNum need one entry a dimension}}
tt.func private @block_cluster_alone() attributes {a = #ttig.subgroup_2d_block<{warpsPerCTA = [8, 4], CTAsPerCGA = [2, 1], instrShape = [32, 16], numBlocks=2, order=[0, 1], kWidth=2, threadsPerWarp=16}>}

// -----

// expected-error @below {{#ttig.subgroup_2d_block: CTAsPerCGA and CTASplitNum need one entry a dimension}}
tt.func private @block_cluster_rank() attributes {a = #ttig.subgroup_2d_block<{warpsPerCTA = [8, 4], CTAsPerCGA = [2], CTASplitNum = [2], CTAOrder = [0], instrShape = [32, 16], numBlocks=2, order=[0, 1], kWidth=2, threadsPerWarp=16}>}

// -----

// expected-error @below {{#ttig.subgroup_2d_block: CTAsPerCGA and CTASplitNum hold powers of two}}
tt.func private @block_cluster_power() attributes {a = #ttig.subgroup_2d_block<{warpsPerCTA = [8, 4], CTAsPerCGA = [3, 1], CTASplitNum = [3, 1], CTAOrder = [0, 1], instrShape = [32, 16], numBlocks=2, order=[0, 1], kWidth=2, threadsPerWarp=16}>}

// -----

// expected-error @below {{#ttig.subgroup_2d_block: CTASplitNum is at most CTAsPerCGA in each dimension}}
tt.func private @block_cluster_split() attributes {a = #ttig.subgroup_2d_block<{warpsPerCTA = [8, 4], CTAsPerCGA = [1, 1], CTASplitNum = [2, 1], CTAOrder = [0, 1], instrShape = [32, 16], numBlocks=2, order=[0, 1], kWidth=2, threadsPerWarp=16}>}

// -----

// expected-error @below {{#ttig.subgroup_2d_block: CTAOrder is not a permutation of the dimensions}}
tt.func private @block_cluster_order() attributes {a = #ttig.subgroup_2d_block<{warpsPerCTA = [8, 4], CTAsPerCGA = [2, 1], CTASplitNum = [2, 1], CTAOrder = [0, 0], instrShape = [32, 16], numBlocks=2, order=[0, 1], kWidth=2, threadsPerWarp=16}>}

// -----

// expected-error @below {{#ttig.subgroup_2d_block: a cluster has at most 64 blocks}}
tt.func private @block_cluster_large() attributes {a = #ttig.subgroup_2d_block<{warpsPerCTA = [8, 4], CTAsPerCGA = [1024, 1], CTASplitNum = [1024, 1], CTAOrder = [1, 0], instrShape = [32, 16], numBlocks=2, order=[0, 1], kWidth=2, threadsPerWarp=16}>}

// -----

// expected-error @below {{#ttig.subgroup_2d_block<{warpsPerCTA = [8, 4], instrShape = [32, 16], numBlocks=2, order=[0, 1], kWidth=2, threadsPerWarp=16}> describes tensors of rank 2, not of rank 3}}
tt.func private @block_tensor_rank(tensor<2x32x32xf16, #ttig.subgroup_2d_block<{warpsPerCTA = [8, 4], instrShape = [32, 16], numBlocks=2, order=[0, 1], kWidth=2, threadsPerWarp=16}>>)

// -----

// expected-error @below {{#ttig.subgroup_2d_block<{warpsPerCTA = [8, 4], instrShape = [32, 16], numBlocks=2, order=[0, 1], kWidth=2, threadsPerWarp=16}> cannot describe a tensor of shape 32x96: the size 96 of a tensor is not a power of two}}
tt.func private @block_tensor_shape(tensor<32x96xf16, #ttig.subgroup_2d_block<{warpsPerCTA = [8, 4], instrShape = [32, 16], numBlocks=2, order=[0, 1], kWidth=2, threadsPerWarp=16}>>)
