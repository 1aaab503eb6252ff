// RUN: tilewright-opt %s -split-input-file -verify-diagnostics

// What is wrong with atomics, descriptors, elements that meet and code of others is said.

tt.func @fadd_integers(%p: !tt.ptr<i32>, %i: i32) {
  // expected-error @below {{'tt.atomic_rmw' op fadd adds floating-point numbers, not 'i32'; use add}}
  %0 = tt.atomic_rmw fadd, acq_rel, gpu, %p, %i : (!tt.ptr<i32>, i32) -> i32
  tt.return
}

// -----

tt.func @add_floats(%p: !tt.ptr<f32>, %x: f32) {
  // expected-error @below {{'tt.atomic_rmw' op add adds integers, not 'f32'; use fadd}}
  %0 = tt.atomic_rmw add, acq_rel, gpu, %p, %x : (!tt.ptr<f32>, f32) -> f32
  tt.return
}

// -----

tt.func @xor_floats(%p: !tt.ptr<f32>, %x: f32) {
  // expected-error @below {{'tt.atomic_rmw' op xor is about integers, not 'f32'}}
  %0 = tt.atomic_rmw xor, acq_rel, gpu, %p, %x : (!tt.ptr<f32>, f32) -> f32
  tt.return
}

// -----

tt.func @atomic_bytes(%p: !tt.ptr<i8>, %x: i8) {
  // expected-error @below {{'tt.atomic_rmw' op needs elements of 16, 32 or 64 bits, got 'i8'}}
  %0 = tt.atomic_rmw add, acq_rel, gpu, %p, %x : (!tt.ptr<i8>, i8) -> i8
  tt.return
}

// -----

tt.func @atomic_value(%p: !tt.ptr<i32>, %x: i64) {
  // expected-error @below {{'tt.atomic_rmw' op failed to verify that the value has the pointee's type}}
  %0 = tt.atomic_rmw add, acq_rel, gpu, %p, %x : (!tt.ptr<i32>, i64) -> i32
  tt.return
}

// -----

tt.func @compare_bytes(%p: !tt.ptr<i8>, %x: i8) {
  // expected-error @below {{'tt.atomic_cas' op needs elements of 16, 32 or 64 bits, got 'i8'}}
  %0 = tt.atomic_cas acq_rel, gpu, %p, %x, %x : (!tt.ptr<i8>, i8, i8) -> i8
  tt.return
}

// -----

tt.func @poll_type(%p: !tt.ptr<i32>, %x: i64) {
  // expected-error @below {{'tt.atomic_poll' op waits for a 'i64' at a pointer to 'i32'}}
  %0 = tt.atomic_poll acquire, gpu, %p, %x : !tt.ptr<i32>, i64 -> i1
  tt.return
}

// -----

// expected-error @below {{!tt.tensordesc describes integers or floating-point numbers, not '!tt.ptr<f16>'}}
tt.func private @descriptor_element(!tt.tensordesc<16x!tt.ptr<f16>>)

// -----

tt.func @descriptor_rank(%p: !tt.ptr<f16>, %n: i32, %s: i64) {
  // expected-error @below {{'tt.make_tensor_descriptor' op needs a size and a stride for each dimension of '!tt.tensordesc<tensor<16x64xf16>>', 2 of each, got 1}}
  %0 = tt.make_tensor_descriptor %p, [%n], [%s] : <f16>, <16x64xf16>
  tt.return
}

// -----

tt.func @descriptor_base(%p: !tt.ptr<f32>, %n: i32, %s: i64) {
  // expected-error @below {{'tt.make_tensor_descriptor' op of a pointer to 'f32' cannot give '!tt.tensordesc<tensor<64xf16>>'}}
  %0 = tt.make_tensor_descriptor %p, [%n], [%s] : <f32>, <64xf16>
  tt.return
}

// -----

tt.func @descriptor_padding(%p: !tt.ptr<i32>, %n: i32, %s: i64) {
  // expected-error @below {{'tt.make_tensor_descriptor' op pads with NaN, which 'i32' does not have}}
  %0 = tt.make_tensor_descriptor %p, [%n], [%s] {padding = 2 : i32} : <i32>, <64xi32>
  tt.return
}

// -----

tt.func @load_indices(%d: !tt.tensordesc<tensor<16x64xf16>>, %i: i32) {
  // expected-error @below {{'tt.descriptor_load' op needs an index for each dimension of '!tt.tensordesc<tensor<16x64xf16>>', 2, got 1}}
  %0 = tt.descriptor_load %d[%i] : !tt.tensordesc<tensor<16x64xf16>> -> tensor<16x64xf16>
  tt.return
}

// -----

tt.func @load_block(%d: !tt.tensordesc<tensor<16x64xf16>>, %i: i32) {
  // expected-error @below {{'tt.descriptor_load' op needs a tensor of the descriptor's block, 'tensor<16x64xf16>', got 'tensor<64x16xf16>'}}
  %0 = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<16x64xf16>> -> tensor<64x16xf16>
  tt.return
}

// -----

tt.func @store_block(%d: !tt.tensordesc<tensor<16x64xf16>>, %i: i32, %x: tensor<16x64xf32>) {
  // expected-error @below {{'tt.descriptor_store' op needs a tensor of the descriptor's block, 'tensor<16x64xf16>', got 'tensor<16x64xf32>'}}
  tt.descriptor_store %d[%i, %i], %x : !tt.tensordesc<tensor<16x64xf16>>, tensor<16x64xf32>
  tt.return
}

// -----

tt.func @reduce_floats(%d: !tt.tensordesc<tensor<16x64xf16>>, %i: i32, %x: tensor<16x64xf16>) {
  // expected-error @below {{'tt.descriptor_reduce' op xor is about integers, not 'f16'}}
  tt.descriptor_reduce xor, %d[%i, %i], %x : !tt.tensordesc<tensor<16x64xf16>>, tensor<16x64xf16>
  tt.return
}

// -----

tt.func @gather_block(%d: !tt.tensordesc<tensor<16x64xf16>>, %i: i32, %x: tensor<32xi32>) {
  // expected-error @below {{'tt.descriptor_gather' op needs a descriptor whose block is one row, such as 1x64xf16, got '!tt.tensordesc<tensor<16x64xf16>>'}}
  %0 = tt.descriptor_gather %d[%x, %i] : (!tt.tensordesc<tensor<16x64xf16>>, tensor<32xi32>, i32) -> tensor<32x64xf16>
  tt.return
}

// -----

tt.func @gather_rows(%d: !tt.tensordesc<1x64xf16>, %i: i32, %x: tensor<32xi32>) {
  // expected-error @below {{'tt.descriptor_gather' op moves 32 rows of '!tt.tensordesc<tensor<1x64xf16>>', which are not 'tensor<16x64xf16>'}}
  %0 = tt.descriptor_gather %d[%x, %i] : (!tt.tensordesc<1x64xf16>, tensor<32xi32>, i32) -> tensor<16x64xf16>
  tt.return
}

// -----

tt.func @scatter_indices(%d: !tt.tensordesc<1x64xf16>, %i: i32, %x: tensor<32x1xi32>, %y: tensor<32x64xf16>) {
  // expected-error @below {{'tt.descriptor_scatter' op needs its row indices in one dimension, got 'tensor<32x1xi32>'}}
  tt.descriptor_scatter %d[%x, %i], %y : !tt.tensordesc<1x64xf16>, tensor<32x1xi32>, i32, tensor<32x64xf16>
  tt.return
}

// -----

tt.func @join_shape(%x: tensor<8x4xf32>) {
  // expected-error @below {{'tt.join' op needs 8, 4, 2 as the shape of both halves of 'tensor<8x4xf32>', not that of 'tensor<8x4x4xf32>'}}
  %0 = tt.join %x, %x : tensor<8x4xf32> -> tensor<8x4x4xf32>
  tt.return
}

// -----

tt.func @split_shape(%x: tensor<8x4xf32>) {
  // expected-error @below {{'tt.split' op needs 8, 2 as the shape of both halves of 'tensor<8xf32>', not that of 'tensor<8x4xf32>'}}
  %0, %1 = tt.split %x : tensor<8x4xf32> -> tensor<8xf32>
  tt.return
}

// -----

tt.func @cat_shape(%x: tensor<8x4xf32>) {
  // expected-error @below {{'tt.cat' op of two 'tensor<8x4xf32>' has shape 16, 4, not that of 'tensor<8x8xf32>'}}
  %0 = tt.cat %x, %x : tensor<8x4xf32> -> tensor<8x8xf32>
  tt.return
}

// -----

tt.func @extern_name(%x: f32) {
  // expected-error @below {{'tt.extern_elementwise' op needs the name of a function as `symbol`}}
  %0 = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = ""} : (f32) -> f32
  tt.return
}

// -----

tt.func @extern_shapes(%x: tensor<8xf32>, %y: tensor<16xf32>) {
  // expected-error @below {{'tt.extern_elementwise' op all non-scalar operands/results must have the same shape and base type}}
  %0 = tt.extern_elementwise %x, %y {libname = "", libpath = "", pure = true, symbol = "f"} : (tensor<8xf32>, tensor<16xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @asm_pack(%x: tensor<8xf32>) {
  // expected-error @below {{'tt.elementwise_inline_asm' op has `packed_element` = 0, which must be positive}}
  %0 = tt.elementwise_inline_asm "op" {constraints = "=r,r", packed_element = 0 : i32, pure = true} %x : tensor<8xf32> -> tensor<8xf32>
  tt.return
}

// -----

tt.func @asm_shapes(%x: tensor<8xf32>) {
  // expected-error @below {{'tt.elementwise_inline_asm' op all non-scalar operands/results must have the same shape and base type}}
  %0 = tt.elementwise_inline_asm "op" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x : tensor<8xf32> -> tensor<16xf32>
  tt.return
}

// -----

tt.func @map_arguments(%x: tensor<8xf32>) {
  // expected-error @below {{'tt.map_elementwise' op needs a region that takes 2 elements of each operand, those of the first one first}}
  %0 = "tt.map_elementwise"(%x) <{pack = 2 : i32}> ({ ^bb0(%a: f32): tt.map_elementwise.return %a, %a : f32, f32 }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @map_result(%x: tensor<8xf32>) {
  // expected-error @below {{'tt.map_elementwise' op needs a region that ends in tt.map_elementwise.return of 1 elements of each result, those of the first one first}}
  %0 = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({ ^bb0(%a: f32): tt.map_elementwise.return }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @print_signs(%x: tensor<8xf32>) {
  // expected-error @below {{'tt.print' op needs an entry of `isSigned` for each operand, 1, got 0}}
  tt.print "x" {hex = false, isSigned = array<i32>} : %x : tensor<8xf32>
  tt.return
}

// -----

#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
tt.func @undecided(%x: tensor<8xf32, #line>) {
  // expected-error @below {{'gluon.set_auto_layout' op decides a layout that is #gluon.auto_encoding, not that of 'tensor<8xf32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>'}}
  %0 = gluon.set_auto_layout %x : tensor<8xf32, #line> -> tensor<8xf32, #line>
  tt.return
}

// -----

// expected-error @below {{#ttg.amd_mfma: MFMA gives 32 x 32, 16 x 16, 64 x 4 or 4 x 64 elements, not 32 x 16}}
tt.func private @mfma(tensor<64x64xf32, #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 16, 8], isTransposed = true}>>)

// -----

// expected-error @below {{#ttig.warp: sizePerThread has the entry 3, which is not a power of two}}
tt.func private @warp(tensor<64x64xf32, #ttig.warp<{sizePerThread = [3, 1], threadsPerWarp = [1, 16], order = [1, 0]}>>)

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @below {{#ttg.partitioned_shared: numPartitions is a power of two and at most 1048576, not 3}}
tt.func private @partitions(!ttg.memdesc<16x64xf16, #ttg.partitioned_shared<{numPartitions = 3, numGroups = 2, partitionDim = 0, partitionLayout = #shared}>, #smem>)

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @below {{#ttg.partitioned_shared: partitionDim is 2, but partitionLayout has 2 dimensions}}
tt.func private @partition_dimension(!ttg.memdesc<16x64xf16, #ttg.partitioned_shared<{numPartitions = 2, numGroups = 2, partitionDim = 2, partitionLayout = #shared}>, #smem>)

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @below {{'partitionLayout' of #ttg.partitioned_shared must be an encoding of shared memory, not #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>}}
tt.func private @partition_layout(!ttg.memdesc<16x64xf16, #ttg.partitioned_shared<{numPartitions = 2, numGroups = 2, partitionDim = 0, partitionLayout = #blocked}>, #smem>)

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#parts = #ttg.partitioned_shared<{numPartitions = 2, numGroups = 2, partitionDim = 0, partitionLayout = #shared}>
#smem = #ttg.shared_memory
// expected-error @below {{#ttg.partitioned_shared<{numPartitions = 2, numGroups = 2, partitionDim = 0, partitionLayout = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>}> cannot describe a tensor of shape 2x64: dimension 0 is cut into 4 pieces}}
tt.func private @partition_size(!ttg.memdesc<2x64xf16, #parts, #smem>)

// -----

tt.func @pack(%x: tensor<128xf32>) {
  // expected-error @below {{takes 3 elements at once (`packed_element`), which do not divide 'tensor<128xf32>'}}
  %0 = tt.elementwise_inline_asm "" {constraints = "=r,r", packed_element = 3 : i32, pure = true} %x : tensor<128xf32> -> tensor<128xf32>
  tt.return
}

// -----

tt.func @store_in_region(%p: tensor<256x!tt.ptr<i32>>, %x: tensor<256xi32>) {
  %0 = "tt.map_elementwise"(%p, %x) <{pack = 1 : i32}> ({
  ^bb0(%q: !tt.ptr<i32>, %v: i32):
    // expected-error @below {{'tt.store' op cannot be in the region of tt.map_elementwise}}
    // expected-note @below {{return the value, and store the tensor}}
    tt.store %q, %v : !tt.ptr<i32>
    tt.map_elementwise.return %v : i32
  }) : (tensor<256x!tt.ptr<i32>>, tensor<256xi32>) -> tensor<256xi32>
  tt.return
}
