// RUN: tilewright-opt %s -split-input-file -verify-diagnostics

// coopmatrix: keys, values, tensors that it cannot describe.

// expected-error @below {{#tw.coopmatrix needs the key 'use'}}
tt.func private @no_use() attributes {a = #tw.coopmatrix<{subgroupSize = 16}>}

// -----

// expected-error @below {{#tw.coopmatrix needs the key 'subgroupSize'}}
tt.func private @no_size() attributes {a = #tw.coopmatrix<{use = matrix_a}>}

// -----

// expected-error @below {{'use' of #tw.coopmatrix is matrix_a, matrix_b or matrix_acc, not matrix_c}}
tt.func private @use() attributes {a = #tw.coopmatrix<{use = matrix_c, subgroupSize = 16}>}

// -----

// expected-error @below {{expected valid keyword}}
tt.func private @use_number() attributes {a = #tw.coopmatrix<{use = 1, subgroupSize = 16}>}

// -----

// expected-error @below {{#tw.coopmatrix has the key 'use' twice}}
tt.func private @use_twice() attributes {a = #tw.coopmatrix<{use = matrix_a, use = matrix_a, subgroupSize = 16}>}

// -----

// expected-error @below {{#tw.coopmatrix has the key 'subgroupSize' twice}}
tt.func private @size_twice() attributes {a = #tw.coopmatrix<{use = matrix_a, subgroupSize = 16, subgroupSize = 16}>}

// -----

// expected-error @below {{#tw.coopmatrix has no key 'columns'}}
tt.func private @key_unknown() attributes {a = #tw.coopmatrix<{use = matrix_a, subgroupSize = 16, columns = 16}>}

// -----

// expected-error @below {{expected integer value}}
tt.func private @size_word() attributes {a = #tw.coopmatrix<{use = matrix_a, subgroupSize = many}>}

// -----

// expected-error @below {{#tw.coopmatrix: the size of a sub-group is a power of two, not 12}}
tt.func private @size() attributes {a = #tw.coopmatrix<{use = matrix_a, subgroupSize = 12}>}

// -----

// expected-error @below {{#tw.coopmatrix: the size of a sub-group is a power of two, not 0}}
tt.func private @size_zero() attributes {a = #tw.coopmatrix<{use = matrix_a, subgroupSize = 0}>}

// -----

// expected-error @below {{'subgroupSize' of #tw.coopmatrix must be a 32-bit number that is not negative}}
tt.func private @size_negative() attributes {a = #tw.coopmatrix<{use = matrix_a, subgroupSize = -16}>}

// -----

// expected-error @below {{'subgroupSize' of #tw.coopmatrix must be a 32-bit number that is not negative}}
tt.func private @size_large() attributes {a = #tw.coopmatrix<{use = matrix_a, subgroupSize = 4294967312}>}

// -----

// expected-error @below {{integer value too large}}
tt.func private @size_huge() attributes {a = #tw.coopmatrix<{use = matrix_a, subgroupSize = 99999999999999999999}>}

// -----

// expected-error @below {{expected '<'}}
tt.func private @nothing() attributes {a = #tw.coopmatrix}

// -----

// expected-error @below {{#tw.coopmatrix<{use = matrix_a, subgroupSize = 16}> describes tensors of rank 2, not of rank 1}}
tt.func private @rank(tensor<16xf16, #tw.coopmatrix<{use = matrix_a, subgroupSize = 16}>>)

// -----

// expected-error @below {{#tw.coopmatrix<{use = matrix_a, subgroupSize = 16}> cannot describe a tensor of shape 12x16: the rows of a cooperative matrix are a power of two, not 12}}
tt.func private @rows(tensor<12x16xf16, #tw.coopmatrix<{use = matrix_a, subgroupSize = 16}>>)

// -----

// expected-error @below {{#tw.coopmatrix<{use = matrix_a, subgroupSize = 16}> cannot describe a tensor of shape 16x0: a cooperative matrix has at least one column, not 0}}
tt.func private @columns(tensor<16x0xf16, #tw.coopmatrix<{use = matrix_a, subgroupSize = 16}>>)

// -----

// expected-error @below {{#tw.coopmatrix<{use = matrix_a, subgroupSize = 16}> cannot describe a tensor of shape 16x?: all sizes must be known}}
tt.func private @dynamic(tensor<16x?xf16, #tw.coopmatrix<{use = matrix_a, subgroupSize = 16}>>)

// -----

// expected-error @below {{#tw.coopmatrix<{use = matrix_a, subgroupSize = 16}> cannot describe a tensor of shape 16777216x16777216: a cooperative matrix has at most 2^30 elements together with its padding}}
tt.func private @large(tensor<16777216x16777216xf16, #tw.coopmatrix<{use = matrix_a, subgroupSize = 16}>>)

// -----

// expected-error @below {{#ttg.slice<{dim = 0, parent = #tw.coopmatrix<{use = matrix_a, subgroupSize = 16}>}> describes tensors of rank 1, not of rank 2}}
tt.func private @slice_rank(tensor<16x16xf16, #ttg.slice<{dim = 0, parent = #tw.coopmatrix<{use = matrix_a, subgroupSize = 16}>}>>)
