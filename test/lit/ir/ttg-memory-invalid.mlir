// RUN: tilewright-opt %s -split-input-file -verify-diagnostics

// What is wrong with tensors in shared memory, views of them and copies is said.

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @below {{!ttg.memdesc needs at least one dimension}}
tt.func private @no_dimension(!ttg.memdesc<f16, #shared, #smem>)

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
// expected-error @below {{!ttg.memdesc needs a memory, #ttg.shared_memory or #ttng.tensor_memory, after its encoding, got #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>}}
tt.func private @no_space(!ttg.memdesc<16x64xf16, #shared, #shared>)

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @below {{!ttg.memdesc in #ttg.shared_memory needs an encoding of shared memory, got #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>}}
tt.func private @space_of_another(!ttg.memdesc<16x64xf16, #blocked, #smem>)

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @below {{!ttg.memdesc has 4 dimensions, but its encoding #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}> lays out 2; one more, the number of buffers, may come first}}
tt.func private @buffers_of_buffers(!ttg.memdesc<2x3x16x64xf16, #shared, #smem>)

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @below {{!ttg.memdesc needs sizes that are powers of two, got 48; only the number of buffers need not be one}}
tt.func private @odd_size(!ttg.memdesc<16x48xf16, #shared, #smem>)

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @below {{!ttg.memdesc has 32 elements along a dimension of which the memory has 16}}
tt.func private @larger_than_memory(!ttg.memdesc<32x64xf16, #shared, #smem, mutable, 16x64>)

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @below {{!ttg.memdesc of 2 dimensions is part of memory of fewer, 1}}
tt.func private @fewer_in_memory(!ttg.memdesc<16x64xf16, #shared, #smem, 64>)

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @below {{!ttg.memdesc needs sizes of 1 or more, and at most 1048576 elements in all}}
tt.func private @nothing(!ttg.memdesc<0x64xf16, #shared, #smem>)

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @below {{!ttg.memdesc needs sizes of 1 or more, and at most 1048576 elements in all}}
tt.func private @too_much(!ttg.memdesc<4096x4096xf16, #shared, #smem>)

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @below {{!ttg.memdesc holds numbers or pointers, not 'index'}}
tt.func private @elements(!ttg.memdesc<16x64xindex, #shared, #smem>)

// -----

#nvmma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
// expected-error @below {{#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}> cannot describe a tensor of shape 4x64: the swizzle takes 8 rows, but a block's part of the tensor has 4}}
tt.func private @rows_of_swizzle(!ttg.memdesc<4x64xf16, #nvmma, #smem>)

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @alloc_of_nothing() {
  // expected-error @below {{'ttg.local_alloc' op of memory that is not mutable needs the tensor that it holds}}
  %0 = ttg.local_alloc : () -> !ttg.memdesc<16x64xf16, #shared, #smem>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @alloc_part() {
  // expected-error @below {{'ttg.local_alloc' op gives a whole piece of memory, not a part of one: '!ttg.memdesc<16x32xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #ttg.shared_memory, mutable, 16x64>'}}
  %0 = ttg.local_alloc : () -> !ttg.memdesc<16x32xf16, #shared, #smem, mutable, 16x64>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @alloc_shape(%x: tensor<16x32xf16, #blocked>) {
  // expected-error @below {{'ttg.local_alloc' op needs one shape and one type of elements, but has 'tensor<16x32xf16, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>>' and '!ttg.memdesc<16x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #ttg.shared_memory, mutable>'}}
  %0 = ttg.local_alloc %x : (tensor<16x32xf16, #blocked>) -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @alloc_alignment() {
  // expected-error @below {{'ttg.local_alloc' op has `alignment` = 3, which must be a power of two}}
  %0 = ttg.local_alloc {alignment = 3 : i32} : () -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
  tt.return
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
tt.func @alloc_in_tensor_memory() {
  // expected-error @below {{'ttg.local_alloc' op gives shared memory, not '!ttg.memdesc<128x64xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>, #ttng.tensor_memory, mutable>'}}
  %0 = ttg.local_alloc : () -> !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @load_type(%m: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>) {
  // expected-error @below {{'ttg.local_load' op needs one shape and one type of elements, but has 'tensor<16x64xf32, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>>' and '!ttg.memdesc<16x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #ttg.shared_memory, mutable>'}}
  %0 = ttg.local_load %m : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> tensor<16x64xf32, #blocked>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @store_constant(%x: tensor<16x64xf16, #blocked>, %m: !ttg.memdesc<16x64xf16, #shared, #smem>) {
  // expected-error @below {{'ttg.local_store' op writes memory that is not mutable: '!ttg.memdesc<16x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #ttg.shared_memory>'}}
  ttg.local_store %x, %m : tensor<16x64xf16, #blocked> -> !ttg.memdesc<16x64xf16, #shared, #smem>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @gather_axis(%m: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>, %i: tensor<16x64xi32, #blocked>) {
  // expected-error @below {{'ttg.local_gather' op has axis 2, but the memory has dimensions 0 .. 1}}
  %0 = ttg.local_gather %m[%i] {axis = 2 : i32} : !ttg.memdesc<16x64xf16, #shared, #smem, mutable>, tensor<16x64xi32, #blocked> -> tensor<16x64xf16, #blocked>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @gather_reach(%m: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>, %i: tensor<32x64xi32, #blocked>) {
  // expected-error @below {{'ttg.local_gather' op reaches 32 elements along dimension 0, of which the memory has 16}}
  %0 = ttg.local_gather %m[%i] {axis = 1 : i32} : !ttg.memdesc<16x64xf16, #shared, #smem, mutable>, tensor<32x64xi32, #blocked> -> tensor<32x64xf16, #blocked>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#smem = #ttg.shared_memory
tt.func @gather_rank(%m: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>, %i: tensor<64xi32, #line>) {
  // expected-error @below {{'ttg.local_gather' op needs indices of the memory's rank, 2, got 'tensor<64xi32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>'}}
  %0 = ttg.local_gather %m[%i] {axis = 1 : i32} : !ttg.memdesc<16x64xf16, #shared, #smem, mutable>, tensor<64xi32, #line> -> tensor<64xf16, #line>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @scatter_shape(%m: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>, %i: tensor<16x64xi32, #blocked>, %x: tensor<16x32xf16, #blocked>) {
  // expected-error @below {{'ttg.local_scatter' op needs an index for each element, in the same layout, but has 'tensor<16x64xi32, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>>' for 'tensor<16x32xf16, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>>'}}
  ttg.local_scatter %m[%i], %x {axis = 1 : i32} : !ttg.memdesc<16x64xf16, #shared, #smem, mutable>, tensor<16x64xi32, #blocked>, tensor<16x32xf16, #blocked>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @atomic_result(%m: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>, %i: tensor<16x64xi32, #blocked>, %x: tensor<16x64xf16, #blocked>) {
  // expected-error @below {{'ttg.local_atomic_scatter_rmw' op gives what was in memory, of type 'tensor<16x64xf16, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>>', not 'tensor<16x64xf32, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>>'}}
  %0 = ttg.local_atomic_scatter_rmw fadd, %m[%i], %x {axis = 1 : i32} : (!ttg.memdesc<16x64xf16, #shared, #smem, mutable>, tensor<16x64xi32, #blocked>, tensor<16x64xf16, #blocked>) -> tensor<16x64xf32, #blocked>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @index_shape(%m: !ttg.memdesc<3x16x64xf16, #shared, #smem, mutable>, %i: i32) {
  // expected-error @below {{'ttg.memdesc_index' op takes one element of the first dimension: its result has the shape of the operand without that, but has '!ttg.memdesc<3x16x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #ttg.shared_memory, mutable>' and '!ttg.memdesc<16x32xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #ttg.shared_memory, mutable>'}}
  %0 = ttg.memdesc_index %m[%i] : !ttg.memdesc<3x16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x32xf16, #shared, #smem, mutable>
  tt.return
}

// -----

#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @index_rows(%m: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>, %i: i32) {
  // expected-error @below {{'ttg.memdesc_index' op picks a buffer, but the encoding of '!ttg.memdesc<16x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #ttg.shared_memory, mutable>' lays out its first dimension too}}
  %0 = ttg.memdesc_index %m[%i] : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64xf16, #flat, #smem, mutable>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @index_mutable(%m: !ttg.memdesc<3x16x64xf16, #shared, #smem, mutable>, %i: i32) {
  // expected-error @below {{'ttg.memdesc_index' op needs both mutable or neither, but has '!ttg.memdesc<3x16x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #ttg.shared_memory, mutable>' and '!ttg.memdesc<16x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #ttg.shared_memory>'}}
  %0 = ttg.memdesc_index %m[%i] : !ttg.memdesc<3x16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x64xf16, #shared, #smem>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#turned = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>
#smem = #ttg.shared_memory
tt.func @index_encoding(%m: !ttg.memdesc<3x16x64xf16, #shared, #smem, mutable>, %i: i32) {
  // expected-error @below {{'ttg.memdesc_index' op keeps the encoding, but has '!ttg.memdesc<3x16x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #ttg.shared_memory, mutable>' and '!ttg.memdesc<16x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>, #ttg.shared_memory, mutable>'}}
  %0 = ttg.memdesc_index %m[%i] : !ttg.memdesc<3x16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x64xf16, #turned, #smem, mutable>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @index_memory(%m: !ttg.memdesc<3x16x64xf16, #shared, #smem, mutable>, %i: i32) {
  // expected-error @below {{'ttg.memdesc_index' op keeps the shape of the buffers' memory, but has '!ttg.memdesc<3x16x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #ttg.shared_memory, mutable>' and '!ttg.memdesc<16x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #ttg.shared_memory, mutable, 32x64>'}}
  %0 = ttg.memdesc_index %m[%i] : !ttg.memdesc<3x16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable, 32x64>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @subslice_offsets(%m: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>) {
  // expected-error @below {{'ttg.memdesc_subslice' op needs an offset for each dimension, and keeps their number, but has 1 offsets for '!ttg.memdesc<16x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #ttg.shared_memory, mutable>' and '!ttg.memdesc<16x32xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #ttg.shared_memory, mutable, 16x64>'}}
  %0 = ttg.memdesc_subslice %m[0] : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x32xf16, #shared, #smem, mutable, 16x64>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @subslice_end(%m: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>) {
  // expected-error @below {{'ttg.memdesc_subslice' op takes [64, 96) of dimension 1, which has 64 elements}}
  %0 = ttg.memdesc_subslice %m[0, 64] : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x32xf16, #shared, #smem, mutable, 16x64>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @subslice_multiple(%m: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>) {
  // expected-error @below {{'ttg.memdesc_subslice' op has offset 16 along dimension 1, which must be a multiple of the size there, 32}}
  %0 = ttg.memdesc_subslice %m[0, 16] : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x32xf16, #shared, #smem, mutable, 16x64>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @subslice_memory(%m: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>) {
  // expected-error @below {{'ttg.memdesc_subslice' op keeps the alloc shape, which is that of the operand: '!ttg.memdesc<16x32xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #ttg.shared_memory, mutable, 16x64>'}}
  %0 = ttg.memdesc_subslice %m[0, 32] : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x32xf16, #shared, #smem, mutable>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @subslice_type(%m: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>) {
  // expected-error @below {{'ttg.memdesc_subslice' op keeps the type of the elements, but has '!ttg.memdesc<16x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #ttg.shared_memory, mutable>' and '!ttg.memdesc<16x32xbf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #ttg.shared_memory, mutable, 16x64>'}}
  %0 = ttg.memdesc_subslice %m[0, 32] : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x32xbf16, #shared, #smem, mutable, 16x64>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#turned = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>
#smem = #ttg.shared_memory
tt.func @trans_order(%m: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>) {
  // expected-error @below {{'ttg.memdesc_trans' op has `order` = 0, 0, which is no permutation of 0 .. 1}}
  %0 = ttg.memdesc_trans %m {order = array<i32: 0, 0>} : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf16, #turned, #smem, mutable>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#turned = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>
#smem = #ttg.shared_memory
tt.func @trans_shape(%m: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>) {
  // expected-error @below {{'ttg.memdesc_trans' op of '!ttg.memdesc<16x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #ttg.shared_memory, mutable>' has its shape and alloc shape permuted by `order`, not those of '!ttg.memdesc<16x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>, #ttg.shared_memory, mutable>'}}
  %0 = ttg.memdesc_trans %m {order = array<i32: 1, 0>} : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x64xf16, #turned, #smem, mutable>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @trans_moves(%m: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>) {
  // expected-error @below {{'ttg.memdesc_trans' op moves no data: the result's encoding must be the operand's, permuted}}
  %0 = ttg.memdesc_trans %m {order = array<i32: 1, 0>} : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf16, #shared, #smem, mutable>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @trans_buffers(%m: !ttg.memdesc<4x16x64xf16, #shared, #smem, mutable>) {
  // expected-error @below {{'ttg.memdesc_trans' op leaves the number of buffers, which the encoding does not know, in front, but has '!ttg.memdesc<4x16x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #ttg.shared_memory, mutable>' and '!ttg.memdesc<16x4x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #ttg.shared_memory, mutable>'}}
  %0 = ttg.memdesc_trans %m {order = array<i32: 1, 0, 2>} : !ttg.memdesc<4x16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x4x64xf16, #shared, #smem, mutable>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#parts = #ttg.partitioned_shared<{numPartitions = 2, numGroups = 2, partitionDim = 0, partitionLayout = #shared}>
#smem = #ttg.shared_memory
tt.func @trans_partitions(%m: !ttg.memdesc<16x64xf16, #parts, #smem, mutable>) {
  // expected-error @below {{'ttg.memdesc_trans' op cannot take '!ttg.memdesc<16x64xf16, #ttg.partitioned_shared<{numPartitions = 2, numGroups = 2, partitionDim = 0, partitionLayout = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>}>, #ttg.shared_memory, mutable>', which no map describes}}
  %0 = ttg.memdesc_trans %m {order = array<i32: 1, 0>} : !ttg.memdesc<16x64xf16, #parts, #smem, mutable> -> !ttg.memdesc<64x16xf16, #shared, #smem, mutable>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @reshape_count(%m: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>) {
  // expected-error @below {{'ttg.memdesc_reshape' op keeps the number of elements, but '!ttg.memdesc<16x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #ttg.shared_memory, mutable>' has 1024 and '!ttg.memdesc<16x32xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #ttg.shared_memory, mutable>' has 512}}
  %0 = ttg.memdesc_reshape %m : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x32xf16, #shared, #smem, mutable>
  tt.return
}

// -----

#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @reshape_moves(%m: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>) {
  // expected-error @below {{'ttg.memdesc_reshape' op moves no data: the encodings must put the elements, counted row by row, at the same places, but has '!ttg.memdesc<16x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #ttg.shared_memory, mutable>' and '!ttg.memdesc<1024xf16, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>, #ttg.shared_memory, mutable>'}}
  %0 = ttg.memdesc_reshape %m : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<1024xf16, #flat, #smem, mutable>
  tt.return
}

// -----

#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @reshape_part(%m: !ttg.memdesc<16x32xf16, #shared, #smem, mutable, 16x64>) {
  // expected-error @below {{'ttg.memdesc_reshape' op takes whole memory, not a part of it, but has '!ttg.memdesc<16x32xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #ttg.shared_memory, mutable, 16x64>' and '!ttg.memdesc<512xf16, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>, #ttg.shared_memory, mutable>'}}
  %0 = ttg.memdesc_reshape %m : !ttg.memdesc<16x32xf16, #shared, #smem, mutable, 16x64> -> !ttg.memdesc<512xf16, #flat, #smem, mutable>
  tt.return
}

// -----

#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @reinterpret_mutable(%m: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>) {
  // expected-error @below {{'ttg.memdesc_reinterpret' op needs both mutable or neither, but has '!ttg.memdesc<16x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #ttg.shared_memory, mutable>' and '!ttg.memdesc<512xi32, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>, #ttg.shared_memory>'}}
  %0 = ttg.memdesc_reinterpret %m : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<512xi32, #flat, #smem>
  tt.return
}

// -----

// What memdesc_reinterpret gives takes the bytes of its operand at most.

#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @reinterpret_larger(%m: !ttg.memdesc<8x16xf16, #plain, #smem>) {
  // expected-error @below {{takes 512 bytes, but '!ttg.memdesc<8x16xf16, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>, #ttg.shared_memory>' has 256}}
  %0 = ttg.memdesc_reinterpret %m : !ttg.memdesc<8x16xf16, #plain, #smem> -> !ttg.memdesc<8x16xf32, #plain, #smem>
  tt.return
}

// -----

#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @reinterpret_part(%m: !ttg.memdesc<8x16xf16, #plain, #smem, 8x32>, %first: !ttg.memdesc<4x32xf16, #plain, #smem, 8x32>, %two: !ttg.memdesc<2x8x32xf16, #plain, #smem, 5x8x32>) {
  // Rows follow each other in the first two cases, buffers in the third.
  %0 = ttg.memdesc_reinterpret %first : !ttg.memdesc<4x32xf16, #plain, #smem, 8x32> -> !ttg.memdesc<2x32xf32, #plain, #smem>
  %1 = ttg.memdesc_reinterpret %two : !ttg.memdesc<2x8x32xf16, #plain, #smem, 5x8x32> -> !ttg.memdesc<16x32xf16, #plain, #smem>
  // expected-error @below {{takes bytes between the elements of '!ttg.memdesc<8x16xf16, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>, #ttg.shared_memory, 8x32>', which are another view's}}
  %2 = ttg.memdesc_reinterpret %m : !ttg.memdesc<8x16xf16, #plain, #smem, 8x32> -> !ttg.memdesc<8x16xf16, #plain, #smem>
  tt.return
}

// -----

#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @reinterpret_buffers(%m: !ttg.memdesc<3x8x16xf16, #plain, #smem>, %i: i32) {
  // One of several buffers is taken for as many as follow it.
  %0 = ttg.memdesc_index %m[%i] : !ttg.memdesc<3x8x16xf16, #plain, #smem> -> !ttg.memdesc<8x16xf16, #plain, #smem>
  %1 = ttg.memdesc_reinterpret %0 : !ttg.memdesc<8x16xf16, #plain, #smem> -> !ttg.memdesc<16x16xf16, #plain, #smem>
  %c2 = arith.constant 2 : i32
  %2 = ttg.memdesc_index %m[%c2] : !ttg.memdesc<3x8x16xf16, #plain, #smem> -> !ttg.memdesc<8x16xf16, #plain, #smem>
  // expected-error @below {{takes 512 bytes from byte 512 on, but the buffers '!ttg.memdesc<3x8x16xf16, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>, #ttg.shared_memory>' have 768}}
  %3 = ttg.memdesc_reinterpret %2 : !ttg.memdesc<8x16xf16, #plain, #smem> -> !ttg.memdesc<16x16xf16, #plain, #smem>
  tt.return
}

// -----

#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @reinterpret_more_than_all_buffers(%m: !ttg.memdesc<3x8x16xf16, #plain, #smem>, %i: i32) {
  %0 = ttg.memdesc_index %m[%i] : !ttg.memdesc<3x8x16xf16, #plain, #smem> -> !ttg.memdesc<8x16xf16, #plain, #smem>
  // expected-error @below {{takes 1024 bytes from byte 0 on, but the buffers}}
  %1 = ttg.memdesc_reinterpret %0 : !ttg.memdesc<8x16xf16, #plain, #smem> -> !ttg.memdesc<32x16xf16, #plain, #smem>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @reinterpret_swizzled_part(%m: !ttg.memdesc<8x16xf16, #shared, #smem, 8x32>) {
  // expected-error @below {{its swizzle depends on which part of the memory it is}}
  %0 = ttg.memdesc_reinterpret %m : !ttg.memdesc<8x16xf16, #shared, #smem, 8x32> -> !ttg.memdesc<1x16xf16, #plain, #smem>
  tt.return
}

// -----

#padded16 = #ttg.padded_shared<[128:+8] {order = [1, 0], shape = [16, 128]}>
#padded8 = #ttg.padded_shared<[128:+8] {order = [1, 0], shape = [8, 128]}>
#smem = #ttg.shared_memory
tt.func @reinterpret_padded_part(%m: !ttg.memdesc<8x128xf16, #padded16, #smem, mutable, 16x128>) {
  // expected-error @below {{there are holes between its elements}}
  %0 = ttg.memdesc_reinterpret %m : !ttg.memdesc<8x128xf16, #padded16, #smem, mutable, 16x128> -> !ttg.memdesc<8x128xf16, #padded8, #smem, mutable>
  tt.return
}

// -----

#split = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0], CGALayout = [[1, 0]]}>
#same = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0], CGALayout = [[0, 0]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @reinterpret_part_of_cluster(%m: !ttg.memdesc<4x16xf16, #split, #smem, mutable, 8x16>) {
    // expected-error @below {{the blocks of the cluster hold different parts of the memory}}
    %0 = ttg.memdesc_reinterpret %m : !ttg.memdesc<4x16xf16, #split, #smem, mutable, 8x16> -> !ttg.memdesc<4x16xf16, #same, #smem, mutable>
    tt.return
  }
}

// -----

#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @reinterpret_as_part(%m: !ttg.memdesc<8x16xf16, #plain, #smem>) {
  // expected-error @below {{gives whole memory, not a part of it}}
  %0 = ttg.memdesc_reinterpret %m : !ttg.memdesc<8x16xf16, #plain, #smem> -> !ttg.memdesc<4x16xf16, #plain, #smem, 8x16>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @copy_to_constant(%p: tensor<16x64x!tt.ptr<f16>, #blocked>, %m: !ttg.memdesc<16x64xf16, #shared, #smem>) {
  // expected-error @below {{'ttg.async_copy_global_to_local' op writes memory that is not mutable: '!ttg.memdesc<16x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #ttg.shared_memory>'}}
  %0 = ttg.async_copy_global_to_local %p, %m : tensor<16x64x!tt.ptr<f16>, #blocked> -> <16x64xf16, #shared, #smem>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @copy_shape(%p: tensor<16x32x!tt.ptr<f16>, #blocked>, %m: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>) {
  // expected-error @below {{'ttg.async_copy_global_to_local' op needs memory of the shape and type of what it reads through 'tensor<16x32x!tt.ptr<f16>, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>>', got '!ttg.memdesc<16x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #ttg.shared_memory, mutable>'}}
  %0 = ttg.async_copy_global_to_local %p, %m : tensor<16x32x!tt.ptr<f16>, #blocked> -> <16x64xf16, #shared, #smem, mutable>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @copy_contiguity(%p: tensor<16x64x!tt.ptr<f16>, #blocked>, %m: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>) {
  // expected-error @below {{'ttg.async_copy_global_to_local' op has `contiguity` = 3, which must be a power of two}}
  %0 = ttg.async_copy_global_to_local %p, %m {contiguity = 3 : i32} : tensor<16x64x!tt.ptr<f16>, #blocked> -> <16x64xf16, #shared, #smem, mutable>
  tt.return
}

// -----

tt.func @wait_count() {
  // expected-error @below {{'ttg.async_wait' op has `num` = -1; the number of groups is not negative}}
  %0 = ttg.async_wait {num = -1 : i32}
  tt.return
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
tt.func @fp4_shape(%x: tensor<16x64xi8, #blocked>) {
  // expected-error @below {{'ttg.fp4_to_fp' op gives two numbers a byte along axis 1: of 'tensor<16x64xi8, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>>' it has shape 16, 128, not that of 'tensor<16x64xf16, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>>'}}
  %0 = ttg.fp4_to_fp %x {axis = 1 : i32} : tensor<16x64xi8, #blocked> -> tensor<16x64xf16, #blocked>
  tt.return
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
tt.func @fp4_axis(%x: tensor<16x64xi8, #blocked>) {
  // expected-error @below {{'ttg.fp4_to_fp' op has axis 2, but its operand has dimensions 0 .. 1}}
  %0 = ttg.fp4_to_fp %x {axis = 2 : i32} : tensor<16x64xi8, #blocked> -> tensor<16x128xf16, #blocked>
  tt.return
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
tt.func @fp4_threads(%x: tensor<16x64xi8, #blocked>) {
  // expected-error @below {{'ttg.fp4_to_fp' op leaves both numbers of a byte in the thread that has it, but #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}> puts them elsewhere than #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>}}
  %0 = ttg.fp4_to_fp %x {axis = 1 : i32} : tensor<16x64xi8, #blocked> -> tensor<16x128xf16, #blocked>
  tt.return
}

// -----

tt.func @scratch_bytes() {
  // expected-error @below {{'ttg.global_scratch_alloc' op has `nbytes` = 0, which must be positive}}
  %0 = ttg.global_scratch_alloc {alignment = 16 : i32, nbytes = 0 : i32} : !tt.ptr<i8>
  tt.return
}

// -----

tt.func @scratch_alignment() {
  // expected-error @below {{'ttg.global_scratch_alloc' op has `alignment` = 12, which must be a power of two}}
  %0 = ttg.global_scratch_alloc {alignment = 12 : i32, nbytes = 16 : i32} : !tt.ptr<i8>
  tt.return
}

// -----

tt.func @stage(%i: i32) {
  // expected-error @below {{'ttg.predicate_stage' op needs a stage of 0 .. `maxStage`, got stage 2 of 1}}
  %0 = ttg.predicate_stage %i, %i, %i maxStage 1 stage 2 : i32 -> i1
  tt.return
}

// -----

tt.func @partition_warps() {
  // expected-error @below {{'ttg.warp_specialize' op has a partition of 3 warps; their number must be a power of two}}
  ttg.warp_specialize() default { ttg.warp_yield } partition0() num_warps(3) { ttg.warp_return } : () -> ()
  tt.return
}

// -----

tt.func @partition_arguments(%i: i32) {
  // expected-error @below {{'ttg.warp_specialize' op has a partition 0 whose arguments do not match the operands}}
  ttg.warp_specialize(%i) default { ttg.warp_yield } partition0() num_warps(4) { ttg.warp_return } : (i32) -> ()
  tt.return
}

// -----

tt.func @partition_starts() {
  // expected-error @below {{'ttg.warp_specialize' op has 2 entries in `warpGroupStartIds`, not 1}}
  ttg.warp_specialize() attributes {warpGroupStartIds = array<i32: 4, 8>} default { ttg.warp_yield } partition0() num_warps(4) { ttg.warp_return } : () -> ()
  tt.return
}

// -----

tt.func @mask_region(%c: i1, %i: i32) {
  // expected-error @below {{'ttg.mask' op needs a region that ends in ttg.mask.return of the op's results}}
  %0 = "ttg.mask"(%c) ({ ttg.mask.return %c : i1 }) : (i1) -> i32
  tt.return
}
