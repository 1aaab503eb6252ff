// RUN: tilewright-opt %s -split-input-file -verify-diagnostics

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
  // expected-error @below {{'tt.splat' op has 'tensor<8xf32, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>>' as result #0, whose encoding is no linear layout of a tensor in registers}}
  %0 = tt.splat %x : f32 -> tensor<8xf32, #shared>
  tt.return
}

// -----

// Half of the lanes would hold padding.
#coopmatrix = #tw.coopmatrix<{use = matrix_acc, subgroupSize = 16}>
tt.func @padding(%x: f32) {
  // expected-error @below {{'tt.splat' op has 'tensor<4x2xf32, #tw.coopmatrix<{use = matrix_acc, subgroupSize = 16}>>' as result #0, whose encoding is no linear layout of a tensor in registers}}
  %0 = tt.splat %x : f32 -> tensor<4x2xf32, #coopmatrix>
  tt.return
}

// -----

#coopmatrix = #tw.coopmatrix<{use = matrix_b, subgroupSize = 16}>
tt.func @trans_of_coopmatrix(%x: tensor<64x8xi8, #coopmatrix>) {
  // expected-error @below {{'tt.trans' op moves no data: the result's layout must be the operand's, permuted}}
  %0 = tt.trans %x {order = array<i32: 1, 0>} : tensor<64x8xi8, #coopmatrix> -> tensor<8x64xi8, #coopmatrix>
  tt.return
}
