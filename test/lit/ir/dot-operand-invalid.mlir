// RUN: tilewright-opt %s -split-input-file -verify-diagnostics

// dot_op and generic_linear: keys, values, parents; tensors that they cannot describe.

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
// expected-error @below {{#ttg.dot_op needs the key 'opIdx'}}
tt.func private @dot_without_index() attributes {a = #ttg.dot_op<{parent = #mma, kWidth = 2}>}

// -----

// expected-error @below {{#ttg.dot_op needs the key 'parent'}}
tt.func private @dot_without_parent() attributes {a = #ttg.dot_op<{opIdx = 0, kWidth = 2}>}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
// expected-error @below {{#ttg.dot_op has no key 'width'}}
tt.func private @dot_key_unknown() attributes {a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2, width = 1}>}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
// expected-error @below {{'opIdx' of #ttg.dot_op is 0 or 1, not 2}}
tt.func private @dot_index() attributes {a = #ttg.dot_op<{opIdx = 2, parent = #mma, kWidth = 2}>}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
// expected-error @below {{'opIdx' of #ttg.dot_op must be a number that is not negative}}
tt.func private @dot_index_bool() attributes {a = #ttg.dot_op<{opIdx = true, parent = #mma, kWidth = 2}>}

// -----

// expected-error @below {{'parent' of #ttg.dot_op must be a layout of the result of a matrix product, got 4 : i64}}
tt.func private @dot_of_number() attributes {a = #ttg.dot_op<{opIdx = 0, parent = 4}>}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
// expected-error @below {{'parent' of #ttg.dot_op must be a layout of the result of a matrix product, got #ttg.slice<{dim = 0, parent = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>}>}}
tt.func private @dot_of_slice() attributes {a = #ttg.dot_op<{opIdx = 0, parent = #ttg.slice<{dim = 0, parent = #mma}>, kWidth = 2}>}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
// expected-error @below {{'parent' of #ttg.dot_op must be a layout of the result of a matrix product, got #ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>, kWidth = 2}>}}
tt.func private @dot_of_dot() attributes {a = #ttg.dot_op<{opIdx = 0, parent = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>, kWidth = 2}>}

// -----

// expected-error @below {{'parent' of #ttg.dot_op must be a layout of the result of a matrix product, got #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>}}
tt.func private @dot_of_shared() attributes {a = #ttg.dot_op<{opIdx = 0, parent = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>}>}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
// expected-error @below {{#ttg.dot_op: kWidth is 2, but an operand whose parent is a blocked layout has none}}
tt.func private @dot_width_of_blocked() attributes {a = #ttg.dot_op<{opIdx = 0, parent = #blocked, kWidth = 2}>}

// -----

// expected-error @below {{#ttg.dot_op: the operand of a product has 2 or 3 dimensions, not 1}}
tt.func private @dot_of_line() attributes {a = #ttg.dot_op<{opIdx = 0, parent = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>}>}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
// expected-error @below {{#ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>, kWidth = 2}> describes tensors of rank 2, not of rank 1}}
tt.func private @dot_rank(tensor<16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>)

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
// expected-error @below {{#ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>, kWidth = 2}> cannot describe a tensor of shape 16x24: the size 24 of a tensor is not a power of two}}
tt.func private @dot_shape(tensor<16x24xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>)

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
// expected-error @below {{#ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>, kWidth = 2}> cannot describe a tensor of shape 16x?: all sizes must be known}}
tt.func private @dot_dynamic(tensor<16x?xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>)

// -----

// expected-error @below {{#ttg.generic_linear needs the key 'block'}}
tt.func private @generic_missing() attributes {a = #ttg.generic_linear<{register = [[1]], lane = [[2]], warp = []}>}

// -----

// expected-error @below {{#ttg.generic_linear has no key 'cluster'}}
tt.func private @generic_unknown() attributes {a = #ttg.generic_linear<{register = [[1]], lane = [[2]], warp = [], block = [], cluster = []}>}

// -----

// expected-error @below {{#ttg.generic_linear needs a basis: a layout without any is not supported}}
tt.func private @generic_empty() attributes {a = #ttg.generic_linear<{register = [], lane = [], warp = [], block = []}>}

// -----

// expected-error @below {{#ttg.generic_linear: the bases of a linear layout do not reach every element}}
tt.func private @generic_gap() attributes {a = #ttg.generic_linear<{register = [[1]], lane = [[4]], warp = [], block = []}>}

// -----

// expected-error @below {{#ttg.generic_linear: a basis of register in a generic linear layout has more than one value that is not zero; only those of warp may have}}
tt.func private @generic_register() attributes {a = #ttg.generic_linear<{register = [[1, 1]], lane = [[0, 1]], warp = [], block = []}>}

// -----

// expected-error @below {{#ttg.generic_linear: a basis of lane in a generic linear layout has more than one value that is not zero; only those of warp may have}}
tt.func private @generic_lane() attributes {a = #ttg.generic_linear<{register = [[0, 1]], lane = [[1, 1]], warp = [], block = []}>}

// -----

// expected-error @below {{#ttg.generic_linear: a basis of block in a generic linear layout has more than one value that is not zero; only those of warp may have}}
tt.func private @generic_block() attributes {a = #ttg.generic_linear<{register = [[0, 1]], lane = [], warp = [], block = [[1, 1]]}>}

// -----

// expected-error @below {{'register' of #ttg.generic_linear has a negative entry}}
tt.func private @generic_negative() attributes {a = #ttg.generic_linear<{register = [[0, -1]], lane = [], warp = [], block = []}>}

// -----

// expected-error @below {{#ttg.generic_linear<{register = [[1]], lane = [[2]], warp = [], block = []}> describes tensors of rank 1, not of rank 2}}
tt.func private @generic_rank(tensor<8x8xf32, #ttg.generic_linear<{register = [[1]], lane = [[2]], warp = [], block = []}>>)

// -----

// expected-error @below {{#ttg.generic_linear<{register = [[1]], lane = [[2]], warp = [], block = []}> cannot describe a tensor of shape 6: the size 6 of a tensor is not a power of two}}
tt.func private @generic_shape(tensor<6xf32, #ttg.generic_linear<{register = [[1]], lane = [[2]], warp = [], block = []}>>)

// -----

// Operands and the result are fragments of one matrix unit's instruction.

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
tt.func private @widths(%a: tensor<16x16xf16, #a>, %b: tensor<16x16xf16, #b>, %c: tensor<16x16xf32, #mma>) {
  // expected-error @below {{'tt.dot' op needs one kWidth for a and b: with 1 and 2 a thread would multiply elements of different places along K}}
  %d = tt.dot %a, %b, %c : tensor<16x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<16x16xf32, #mma>
  tt.return
}

// -----

#wmma = #ttg.amd_wmma<{version = 2, isTranspose = true, warpsPerCTA = [2, 2]}>
#other = #ttg.amd_wmma<{version = 1, isTranspose = true, warpsPerCTA = [2, 2]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #wmma, kWidth = 8}>
#b = #ttg.dot_op<{opIdx = 1, parent = #other, kWidth = 16}>
tt.func private @versions(%a: tensor<32x32xf16, #a>, %b: tensor<32x32xf16, #b>, %c: tensor<32x32xf32, #wmma>) {
  // expected-error @below {{'tt.dot' op needs b in #ttg.dot_op of its result's layout, #ttg.amd_wmma<{version = 2}}
  %d = tt.dot %a, %b, %c : tensor<32x32xf16, #a> * tensor<32x32xf16, #b> -> tensor<32x32xf32, #wmma>
  tt.return
}

// -----

#dpas = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [1, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #dpas, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #dpas, kWidth = 2}>
tt.func private @channels(%a: tensor<32x16xf32, #a>, %b: tensor<16x32xf32, #b>, %c: tensor<32x32xf32, #dpas>) {
  // expected-error @below {{'tt.dot' op has opsPerChan = 2, but a word of 32 bits has 1 elements of 'f32'}}
  %d = tt.dot %a, %b, %c : tensor<32x16xf32, #a> * tensor<16x32xf32, #b> -> tensor<32x32xf32, #dpas>
  tt.return
}
