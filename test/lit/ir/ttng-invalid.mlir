// RUN: tilewright-opt %s -split-input-file -verify-diagnostics

// What is wrong with barriers, tensor copies, warp groups and tensor memory is said.

#tm = #ttng.tensor_memory
// expected-error @below {{#ttng.tensor_memory_encoding: blockM is 64 or 128, not 32}}
tt.func private @block_rows(!ttg.memdesc<128x64xf32, #ttng.tensor_memory_encoding<blockM = 32, blockN = 64, colStride = 1>, #tm>)

// -----

#tm = #ttng.tensor_memory
// expected-error @below {{#ttng.tensor_memory_encoding: blockN is a power of two and at most 512, not 48}}
tt.func private @block_columns(!ttg.memdesc<128x64xf32, #ttng.tensor_memory_encoding<blockM = 64, blockN = 48, colStride = 1>, #tm>)

// -----

#tm = #ttng.tensor_memory
// expected-error @below {{#ttng.tensor_memory_encoding: colStride is 1, 2 or 4, not 3}}
tt.func private @column_stride(!ttg.memdesc<128x64xf32, #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 3>, #tm>)

// -----

#tm = #ttng.tensor_memory
// expected-error @below {{#ttng.tensor_memory_encoding has no key 'stride'}}
tt.func private @unknown_key(!ttg.memdesc<128x64xf32, #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, stride = 1>, #tm>)

// -----

#tm = #ttng.tensor_memory
// expected-error @below {{#ttng.tensor_memory_encoding needs the key 'colStride'}}
tt.func private @missing_key(!ttg.memdesc<128x64xf32, #ttng.tensor_memory_encoding<blockM = 64, blockN = 64>, #tm>)

// -----

#tm = #ttng.tensor_memory
// expected-error @below {{#ttng.tensor_memory_encoding has the key 'blockM' twice}}
tt.func private @repeated_key(!ttg.memdesc<128x64xf32, #ttng.tensor_memory_encoding<blockM = 64, blockM = 64, blockN = 64, colStride = 1>, #tm>)

// -----

#tm = #ttng.tensor_memory
// expected-error @below {{#ttng.tensor_memory_encoding: CGALayout says what CTASplitM and CTASplitN do: one of them must go}}
tt.func private @two_clusters(!ttg.memdesc<128x64xf32, #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1, CGALayout = [[1, 0]], CTASplitM = 2>, #tm>)

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
// expected-error @below {{words of tensor memory have 32 bits, but an element of 'f64' with colStride 1 takes 64}}
tt.func private @word(!ttg.memdesc<128x64xf64, #tmem, #tm>)

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
// expected-error @below {{#ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1> needs memory of at least 128x64 elements, got 64x64}}
tt.func private @too_small(!ttg.memdesc<64x64xf32, #tmem, #tm>)

// -----

#scales = #ttng.tensor_memory_scales_encoding<>
#tm = #ttng.tensor_memory
// expected-error @below {{#ttng.tensor_memory_scales_encoding<> is for scales, of 8 bits, not for 'f32'}}
tt.func private @scales_of_floats(!ttg.memdesc<128x4xf32, #scales, #tm>)

// -----

#tm = #ttng.tensor_memory
// expected-error @below {{#ttng.tensor_memory_scales_encoding: blockRepOrder is kThenMn or mnThenK, not kFirst}}
tt.func private @scales_order(!ttg.memdesc<128x4xi8, #ttng.tensor_memory_scales_encoding<blockRepOrder = kFirst>, #tm>)

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#tm = #ttng.tensor_memory
// expected-error @below {{!ttg.memdesc in #ttng.tensor_memory needs an encoding of tensor memory, got #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>}}
tt.func private @shared_in_tensor_memory(!ttg.memdesc<128x64xf32, #shared, #tm>)

// -----

// expected-error @below {{!ttng.tensordesc_im2col needs a block of two dimensions, pixels by channels, got 'tensor<64xf16>'}}
tt.func private @image_rank(!ttng.tensordesc_im2col<64xf16>)

// -----

// expected-error @below {{!ttng.tensordesc_im2col has a block of 'tensor<48x64xf16>'; every size must be a power of two}}
tt.func private @image_size(!ttng.tensordesc_im2col<48x64xf16>)

// -----

#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
tt.func @barrier_type(%m: !ttg.memdesc<1xi32, #flat, #smem, mutable>) {
  // expected-error @below {{'ttng.init_barrier' op needs a barrier, one dimension of i64 in shared memory, got '!ttg.memdesc<1xi32, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>, #ttg.shared_memory, mutable>'}}
  ttng.init_barrier %m, 1 : !ttg.memdesc<1xi32, #flat, #smem, mutable>
  tt.return
}

// -----

#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
tt.func @barrier_count(%m: !ttg.memdesc<1xi64, #flat, #smem, mutable>) {
  // expected-error @below {{'ttng.init_barrier' op has `count` = 0, which must be positive}}
  ttng.init_barrier %m, 0 : !ttg.memdesc<1xi64, #flat, #smem, mutable>
  tt.return
}

// -----

#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
tt.func @expect_bytes(%m: !ttg.memdesc<1xi64, #flat, #smem, mutable>, %c: i1) {
  // expected-error @below {{'ttng.barrier_expect' op has `size` = -1; bytes are not negative}}
  ttng.barrier_expect %m, -1, %c : !ttg.memdesc<1xi64, #flat, #smem, mutable>
  tt.return
}

// -----

#nvmma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#smem = #ttg.shared_memory
tt.func @group_product(%a: !ttg.memdesc<64x64xf16, #nvmma, #smem>, %c: tensor<64x128xf32, #mma>) {
  // expected-error @below {{'ttng.warp_group_dot' op needs M x K, K x N and M x N elements, but has '!ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>, #ttg.shared_memory>', '!ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>, #ttg.shared_memory>' and 'tensor<64x128xf32, #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>>'}}
  %0 = ttng.warp_group_dot %a, %a, %c : !ttg.memdesc<64x64xf16, #nvmma, #smem> * !ttg.memdesc<64x64xf16, #nvmma, #smem> -> tensor<64x128xf32, #mma>
  tt.return
}

// -----

#nvmma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#mma2 = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#smem = #ttg.shared_memory
tt.func @group_layout(%a: !ttg.memdesc<64x64xf16, #nvmma, #smem>, %c: tensor<64x64xf32, #mma2>) {
  // expected-error @below {{'ttng.warp_group_dot' op gives #ttg.nvidia_mma with versionMajor = 3, not #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>}}
  %0 = ttng.warp_group_dot %a, %a, %c : !ttg.memdesc<64x64xf16, #nvmma, #smem> * !ttg.memdesc<64x64xf16, #nvmma, #smem> -> tensor<64x64xf32, #mma2>
  tt.return
}

// -----

#nvmma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#smem = #ttg.shared_memory
tt.func @group_operand(%a: !ttg.memdesc<64x64xf16, #nvmma, #smem>, %x: tensor<64x64xf16, #blocked>, %c: tensor<64x64xf32, #mma>) {
  // expected-error @below {{'ttng.warp_group_dot' op needs its left operand in shared memory or where #ttg.dot_op of the result's layout has it, got 'tensor<64x64xf16, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>>'}}
  %0 = ttng.warp_group_dot %x, %a, %c : tensor<64x64xf16, #blocked> * !ttg.memdesc<64x64xf16, #nvmma, #smem> -> tensor<64x64xf32, #mma>
  tt.return
}

// -----

#nvmma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#smem = #ttg.shared_memory
tt.func @group_of_pointers(%x: tensor<64x64x!tt.ptr<f32>>, %b: !ttg.memdesc<64x64x!tt.ptr<f32>, #nvmma, #smem>, %c: tensor<64x64xf32>) {
  // expected-error @below {{'ttng.warp_group_dot' op needs operands of one width, but has 'tensor<64x64x!tt.ptr<f32>>' and}}
  %0 = ttng.warp_group_dot %x, %b, %c : tensor<64x64x!tt.ptr<f32>> * !ttg.memdesc<64x64x!tt.ptr<f32>, #nvmma, #smem> -> tensor<64x64xf32>
  tt.return
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
tt.func @group_wait(%c: tensor<64x64xf32, #mma>) {
  // expected-error @below {{'ttng.warp_group_dot_wait' op has `pendings` = -1; the number of products is not negative}}
  %0 = ttng.warp_group_dot_wait %c {pendings = -1 : i32} : tensor<64x64xf32, #mma>
  tt.return
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
tt.func @packed_count(%c: tensor<64x64xf32, #mma>) {
  // expected-error @below {{'ttng.packed_arith' op fma takes 3 operands, got 2}}
  %0 = ttng.packed_arith fma %c, %c : (tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma>
  tt.return
}

// -----

#nvmma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
tt.func @copy_coordinates(%d: !tt.tensordesc<tensor<64x64xf16, #nvmma>>, %i: i32, %m: !ttg.memdesc<64x64xf16, #nvmma, #smem, mutable>) {
  // expected-error @below {{'ttng.async_tma_copy_local_to_global' op needs a coordinate for each dimension of '!tt.tensordesc<tensor<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>>>', 2, got 1}}
  ttng.async_tma_copy_local_to_global %d[%i] %m : !tt.tensordesc<tensor<64x64xf16, #nvmma>>, !ttg.memdesc<64x64xf16, #nvmma, #smem, mutable>
  tt.return
}

// -----

#nvmma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
tt.func @copy_block(%d: !tt.tensordesc<tensor<64x64xf16, #nvmma>>, %i: i32, %m: !ttg.memdesc<128x64xf16, #nvmma, #smem, mutable>) {
  // expected-error @below {{'ttng.async_tma_copy_local_to_global' op copies whole blocks, but has '!tt.tensordesc<tensor<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>>>' and '!ttg.memdesc<128x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>, #ttg.shared_memory, mutable>'}}
  ttng.async_tma_copy_local_to_global %d[%i, %i] %m : !tt.tensordesc<tensor<64x64xf16, #nvmma>>, !ttg.memdesc<128x64xf16, #nvmma, #smem, mutable>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#nvmma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
tt.func @copy_layout(%d: !tt.tensordesc<tensor<64x64xf16, #nvmma>>, %i: i32, %m: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) {
  // expected-error @below {{'ttng.async_tma_copy_local_to_global' op needs memory in the layout of its descriptor, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>, got '!ttg.memdesc<64x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #ttg.shared_memory, mutable>'}}
  ttng.async_tma_copy_local_to_global %d[%i, %i] %m : !tt.tensordesc<tensor<64x64xf16, #nvmma>>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  tt.return
}

// -----

#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#nvmma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
tt.func @image_coordinates(%d: !ttng.tensordesc_im2col<64x64xf16, #nvmma>, %i: i32, %c: i1, %b: !ttg.memdesc<1xi64, #flat, #smem, mutable>, %m: !ttg.memdesc<64x64xf16, #nvmma, #smem, mutable>) {
  // expected-error @below {{'ttng.async_tma_copy_global_to_local' op of an image needs 3 to 5 coordinates and an offset for each but the first and the last, got 2 and 0}}
  ttng.async_tma_copy_global_to_local %d[%i, %i] %m, %b, %c : !ttng.tensordesc_im2col<64x64xf16, #nvmma>, !ttg.memdesc<1xi64, #flat, #smem, mutable> -> !ttg.memdesc<64x64xf16, #nvmma, #smem, mutable>
  tt.return
}

// -----

#nvmma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#smem = #ttg.shared_memory
tt.func @scatter_rows(%d: !tt.tensordesc<tensor<64x64xf16, #nvmma>>, %i: i32, %x: tensor<64xi32, #line>, %m: !ttg.memdesc<64x64xf16, #nvmma, #smem, mutable>) {
  // expected-error @below {{'ttng.async_tma_scatter' op needs a descriptor of one row, got '!tt.tensordesc<tensor<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>>>'}}
  ttng.async_tma_scatter %d[%x, %i] %m : !tt.tensordesc<tensor<64x64xf16, #nvmma>>, tensor<64xi32, #line>, i32, !ttg.memdesc<64x64xf16, #nvmma, #smem, mutable>
  tt.return
}

// -----

tt.func @map_strides(%p: !tt.ptr<i8>, %i: i32) {
  // expected-error @below {{'ttng.tensormap_create' op needs 2 sizes of the block, of the tensor and strides of elements, and one stride in bytes less; got 2 sizes, 2 strides of elements and 0 in bytes}}
  ttng.tensormap_create %p, %p, [%i, %i], [%i, %i], [], [%i, %i] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<i8>, i32, i32, i32, i32, i32, i32) -> ()
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @tensor_memory_load(%m: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>) {
  // expected-error @below {{'ttng.tmem_load' op is about tensor memory, not '!ttg.memdesc<16x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #ttg.shared_memory, mutable>'}}
  %0 = ttng.tmem_load %m : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> tensor<16x64xf16, #blocked>
  tt.return
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
tt.func @tensor_memory_reduction(%m: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) {
  // expected-error @below {{'ttng.tmem_load' op gives a reduction of each row exactly when it has `redOp`}}
  %0 = ttng.tmem_load %m {redOp = #ttng.redOp<min>} : !ttg.memdesc<128x64xf32, #tmem, #tm, mutable> -> tensor<128x64xf32, #blocked>
  tt.return
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
tt.func @columns(%m: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) {
  // expected-error @below {{'ttng.tmem_subslice' op takes columns [48, 80) of 64}}
  %0 = ttng.tmem_subslice %m {offset = 48 : i32} : !ttg.memdesc<128x64xf32, #tmem, #tm, mutable> -> !ttg.memdesc<128x32xf32, #tmem, #tm, mutable, 128x64>
  tt.return
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
tt.func @rows(%m: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) {
  // expected-error @below {{'ttng.tmem_subslice' op takes rows [96, 160) of 128}}
  %0 = ttng.tmem_subslice %m {dim = 0 : i32, offset = 96 : i32} : !ttg.memdesc<128x64xf32, #tmem, #tm, mutable> -> !ttg.memdesc<64x64xf32, #tmem, #tm, mutable, 128x64>
  tt.return
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
tt.func @dimension(%m: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) {
  // expected-error @below {{'ttng.tmem_subslice' op has the rows (dim = 0) or the columns (dim = 1) of a matrix, and no dim = 2}}
  %0 = ttng.tmem_subslice %m {dim = 2 : i32, offset = 0 : i32} : !ttg.memdesc<128x64xf32, #tmem, #tm, mutable> -> !ttg.memdesc<64x64xf32, #tmem, #tm, mutable, 128x64>
  tt.return
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
tt.func @columns_twice(%m: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) {
  // expected-error @below {{'ttng.tmem_subslice' op needs the first column as `offset`, or as `N`, and not both}}
  %0 = ttng.tmem_subslice %m {offset = 0 : i32, N = 0 : i32} : !ttg.memdesc<128x64xf32, #tmem, #tm, mutable> -> !ttg.memdesc<128x32xf32, #tmem, #tm, mutable, 128x64>
  tt.return
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
tt.func @copy_from_tensor_memory(%m: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) {
  // expected-error @below {{'ttng.tmem_copy' op copies from shared memory, not from '!ttg.memdesc<128x64xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>, #ttng.tensor_memory, mutable>'}}
  ttng.tmem_copy %m, %m : !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
  tt.return
}

// -----

#nvmma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
tt.func @product_in_shared_memory(%a: !ttg.memdesc<64x64xf16, #nvmma, #smem, mutable>, %c: i1) {
  // expected-error @below {{'ttng.tc_gen5_mma' op is about tensor memory, not '!ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>, #ttg.shared_memory, mutable>'}}
  ttng.tc_gen5_mma %a, %a, %a, %c, %c : !ttg.memdesc<64x64xf16, #nvmma, #smem, mutable>, !ttg.memdesc<64x64xf16, #nvmma, #smem, mutable>, !ttg.memdesc<64x64xf16, #nvmma, #smem, mutable>
  tt.return
}

// -----

#nvmma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
tt.func @product_shapes(%a: !ttg.memdesc<64x64xf16, #nvmma, #smem, mutable>, %d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, %c: i1) {
  // expected-error @below {{'ttng.tc_gen5_mma' op needs M x K, K x N and M x N elements, but has '!ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>, #ttg.shared_memory, mutable>', '!ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>, #ttg.shared_memory, mutable>' and '!ttg.memdesc<128x64xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>, #ttng.tensor_memory, mutable>'}}
  ttng.tc_gen5_mma %a, %a, %d, %c, %c : !ttg.memdesc<64x64xf16, #nvmma, #smem, mutable>, !ttg.memdesc<64x64xf16, #nvmma, #smem, mutable>, !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
  tt.return
}

// -----

#nvmma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
tt.func @commit_type(%a: !ttg.memdesc<64x64xf16, #nvmma, #smem, mutable>) {
  // expected-error @below {{'ttng.tc_gen5_commit' op needs a barrier, one dimension of i64 in shared memory, got '!ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>, #ttg.shared_memory, mutable>'}}
  ttng.tc_gen5_commit %a : !ttg.memdesc<64x64xf16, #nvmma, #smem, mutable>
  tt.return
}

// -----

// Memory may lack the block's first dimensions; it has no more of them, and is as wide otherwise.
#nvmma = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#batch = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16, rank = 3}>
#smem = #ttg.shared_memory
tt.func @copy_fewer(%d: !tt.tensordesc<tensor<1x64x32xf16, #batch>>, %i: i32, %m: !ttg.memdesc<64x32xf16, #nvmma, #smem, mutable>) {
  ttng.async_tma_copy_local_to_global %d[%i, %i, %i] %m : !tt.tensordesc<tensor<1x64x32xf16, #batch>>, !ttg.memdesc<64x32xf16, #nvmma, #smem, mutable>
  tt.return
}
tt.func @copy_more(%d: !tt.tensordesc<tensor<64x32xf16, #nvmma>>, %i: i32, %m: !ttg.memdesc<1x64x32xf16, #batch, #smem, mutable>) {
  // expected-error @below {{needs memory in the layout of its descriptor}}
  ttng.async_tma_copy_local_to_global %d[%i, %i] %m : !tt.tensordesc<tensor<64x32xf16, #nvmma>>, !ttg.memdesc<1x64x32xf16, #batch, #smem, mutable>
  tt.return
}

// -----

#nvmma = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>
#batch = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16, rank = 3}>
#smem = #ttg.shared_memory
tt.func @copy_width(%d: !tt.tensordesc<tensor<1x64x32xf16, #batch>>, %i: i32, %m: !ttg.memdesc<64x32xf16, #nvmma, #smem, mutable>) {
  // expected-error @below {{needs memory in the layout of its descriptor}}
  ttng.async_tma_copy_local_to_global %d[%i, %i, %i] %m : !tt.tensordesc<tensor<1x64x32xf16, #batch>>, !ttg.memdesc<64x32xf16, #nvmma, #smem, mutable>
  tt.return
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @registers() {
  // expected-error @below {{has `count` = 20, which must be a multiple of 8 from 24 to 256}}
  ttng.set_registers 20
  tt.return
}
}

// -----

module attributes {"ttg.num-warps" = 2 : i32} {
tt.func @part_of_a_warp_group() {
  // expected-error @below {{is run by 2 warps, which must be whole groups of 4}}
  ttng.set_registers 40
  tt.return
}
}
