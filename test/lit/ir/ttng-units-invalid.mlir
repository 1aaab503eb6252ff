// RUN: tilewright-opt %s -split-input-file -verify-diagnostics

// What the units of Hopper and Blackwell do not do is refused: sums, layouts of operands, reductions
// in memory, and views of tensor memory that take more than they are made of.

#tm = #ttng.tensor_memory
// expected-error @below {{#ttng.tensor_memory_encoding: fp4Padded pads bytes itself: colStride is 1, not 2}}
tt.func private @padded_twice(!ttg.memdesc<128x64xi8, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 2, fp4Padded = true>, #tm>)

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#tm = #ttng.tensor_memory
// expected-error @below {{tensor memory holds elements of 8 bits and more, not 'i1'}}
tt.func private @bits(!ttg.memdesc<128x128xi1, #tmem, #tm>)

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#tm = #ttng.tensor_memory
// expected-error @below {{tensor memory needs sizes that are powers of two, got 192}}
tt.func private @sizes(!ttg.memdesc<128x128xf32, #tmem, #tm, mutable, 192x128>)

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
tt.func private @width_along_k(%a: tensor<64x64xf16, #a>, %b: !ttg.memdesc<64x64xf16, #shared, #ttg.shared_memory>, %c: tensor<64x64xf32, #mma>) {
  // expected-error @below {{needs its left operand with kWidth = 2, as 'f16' has it, not 1}}
  %d = ttng.warp_group_dot %a, %b, %c : tensor<64x64xf16, #a> * !ttg.memdesc<64x64xf16, #shared, #ttg.shared_memory> -> tensor<64x64xf32, #mma>
  tt.return
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
tt.func private @synchronous(%a: !ttg.memdesc<128x64xf16, #shared, #smem>, %b: !ttg.memdesc<64x64xf16, #shared, #smem>, %d: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %true: i1, %bar: !ttg.memdesc<1xi64, #bar, #smem, mutable>) {
  // expected-error @below {{tells a barrier when it is done, and so must be `is_async`}}
  ttng.tc_gen5_mma %a, %b, %d, %true, %true, %bar[%true] : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #bar, #smem, mutable>
  tt.return
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 2>
#smem = #ttg.shared_memory
tt.func private @sums(%a: !ttg.memdesc<128x64xbf16, #shared, #smem>, %b: !ttg.memdesc<64x64xbf16, #shared, #smem>, %d: !ttg.memdesc<128x64xf16, #tmem, #ttng.tensor_memory, mutable>, %true: i1) {
  // expected-error @below {{cannot sum products of 'bf16' in 'f16'}}
  ttng.tc_gen5_mma %a, %b, %d, %true, %true : !ttg.memdesc<128x64xbf16, #shared, #smem>, !ttg.memdesc<64x64xbf16, #shared, #smem>, !ttg.memdesc<128x64xf16, #tmem, #ttng.tensor_memory, mutable>
  tt.return
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#scales = #ttng.tensor_memory_scales_encoding<>
#others = #ttng.tensor_memory_scales_encoding<blockRepOrder = kThenMn>
#smem = #ttg.shared_memory
tt.func private @scales(%a: !ttg.memdesc<128x128xf8E4M3FN, #shared, #smem>, %b: !ttg.memdesc<128x128xf8E4M3FN, #shared, #smem>, %d: !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, %as: !ttg.memdesc<128x4xi8, #scales, #ttng.tensor_memory>, %bs: !ttg.memdesc<128x4xi8, #others, #ttng.tensor_memory>, %true: i1) {
  // expected-error @below {{reads the scales of B with blockRepOrder = mnThenK, not kThenMn}}
  ttng.tc_gen5_mma_scaled %a, %b, %d, %as, %bs, %true, %true lhs = e4m3 rhs = e4m3 : !ttg.memdesc<128x128xf8E4M3FN, #shared, #smem>, !ttg.memdesc<128x128xf8E4M3FN, #shared, #smem>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<128x4xi8, #scales, #ttng.tensor_memory>, !ttg.memdesc<128x4xi8, #others, #ttng.tensor_memory>
  tt.return
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
tt.func private @packed_maximum(%a: tensor<256xf32, #blocked>) {
  // expected-error @below {{has no max of 'f32'}}
  %0 = ttng.packed_arith max %a, %a : (tensor<256xf32, #blocked>, tensor<256xf32, #blocked>) -> tensor<256xf32, #blocked>
  tt.return
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
tt.func private @packed_alone(%a: tensor<128xf32, #blocked>) {
  // expected-error @below {{takes 2 elements of a thread at once, of which 'tensor<128xf32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>' gives it 1}}
  %0 = ttng.packed_arith add %a, %a : (tensor<128xf32, #blocked>, tensor<128xf32, #blocked>) -> tensor<128xf32, #blocked>
  tt.return
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
tt.func private @reduction(%desc: !tt.tensordesc<32x32xf32, #shared>, %src: !ttg.memdesc<32x32xf32, #shared, #ttg.shared_memory, mutable>, %x: i32) {
  // expected-error @below {{has no inc of 'f32' in memory}}
  // expected-note @below {{use atomic operations on pointers}}
  ttng.async_tma_reduce inc, %desc[%x, %x] %src : !tt.tensordesc<32x32xf32, #shared>, !ttg.memdesc<32x32xf32, #shared, #ttg.shared_memory, mutable>
  tt.return
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 64}>
tt.func private @signed_sum(%desc: !tt.tensordesc<32x16xsi64, #shared>, %src: !ttg.memdesc<32x16xi64, #shared, #ttg.shared_memory, mutable>, %x: i32) {
  // expected-error @below {{has no add of 'si64' in memory}}
  // expected-note @below {{use atomic operations on pointers}}
  ttng.async_tma_reduce add, %desc[%x, %x] %src : !tt.tensordesc<32x16xsi64, #shared>, !ttg.memdesc<32x16xi64, #shared, #ttg.shared_memory, mutable>
  tt.return
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32, CGALayout = [[1, 0]]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32} {
  tt.func private @other_block(%desc: !tt.tensordesc<128x64xi32, #shared>, %src: !ttg.memdesc<128x64xi32, #shared, #ttg.shared_memory, mutable, 256x64>, %x: i32) {
    // expected-error @below {{reads a part of memory that the blocks of a cluster share out, which may begin in another block}}
    ttng.async_tma_copy_local_to_global %desc[%x, %x] %src : !tt.tensordesc<128x64xi32, #shared>, !ttg.memdesc<128x64xi32, #shared, #ttg.shared_memory, mutable, 256x64>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
tt.func private @alone(%src: tensor<128xi32, #blocked>, %dst: !ttg.memdesc<128xi32, #flat, #smem, mutable>, %bar: !ttg.memdesc<1xi64, #flat, #smem, mutable>) {
  // expected-error @below {{stores in another block of the cluster, which has one}}
  // expected-note @below {{use ttg.local_store}}
  ttng.async_shared_store %src, %dst, %bar : tensor<128xi32, #blocked> -> !ttg.memdesc<128xi32, #flat, #smem, mutable>, !ttg.memdesc<1xi64, #flat, #smem, mutable>
  tt.return
}

// -----

#answer = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32} {
  tt.func private @answer(%result: !ttg.memdesc<2xi64, #answer, #ttg.shared_memory>, %bar: !ttg.memdesc<1xi64, #answer, #ttg.shared_memory>) {
    // expected-error @below {{gives its answer to each block of the cluster, whole, which share the memory out in}}
    ttng.clc_try_cancel %result, %bar : !ttg.memdesc<2xi64, #answer, #ttg.shared_memory>, !ttg.memdesc<1xi64, #answer, #ttg.shared_memory>
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
tt.func private @rows(%all: !ttg.memdesc<256x128xf32, #tmem, #ttng.tensor_memory, mutable>) {
  // expected-error @below {{takes 64 rows of blocks of 128}}
  %0 = ttng.tmem_subslice %all {dim = 0 : i32, offset = 0 : i32} : !ttg.memdesc<256x128xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<64x128xf32, #tmem, #ttng.tensor_memory, mutable, 256x128>
  tt.return
}

// -----

// A view takes no memory that is not the operand's: columns, of a part those of the part, and rows.

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
tt.func private @columns(%half: !ttg.memdesc<128x128xf16, #tmem, #ttng.tensor_memory>) {
  // expected-error @below {{takes memory that is not the operand's: column 64 of row 0, for}}
  // expected-note @below {{give the result a smaller shape or narrower elements}}
  %0 = ttg.memdesc_reinterpret %half : !ttg.memdesc<128x128xf16, #tmem, #ttng.tensor_memory> -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory>
  tt.return
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
tt.func private @part(%rows: !ttg.memdesc<128x256xf32, #tmem, #ttng.tensor_memory, mutable, 256x256>) {
  // expected-error @below {{takes memory that is not the operand's: column 64 of row 0, for}}
  // expected-note @below {{give the result a smaller shape or narrower elements}}
  %0 = ttg.memdesc_reinterpret %rows : !ttg.memdesc<128x256xf32, #tmem, #ttng.tensor_memory, mutable, 256x256> -> !ttg.memdesc<128x256xf32, #tmem, #ttng.tensor_memory, mutable>
  tt.return
}

// -----

#tmem64 = #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1>
#tmem128 = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
tt.func private @halves(%rows: !ttg.memdesc<64x64xf32, #tmem64, #ttng.tensor_memory, mutable>) {
  // expected-error @below {{takes memory that is not the operand's: column 0 of row 16, for}}
  // expected-note @below {{give the result a smaller shape or narrower elements}}
  %0 = ttg.memdesc_reinterpret %rows : !ttg.memdesc<64x64xf32, #tmem64, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x64xf32, #tmem128, #ttng.tensor_memory, mutable>
  tt.return
}

// -----

#split = #ttng.tensor_memory_encoding<blockM = 128, blockN = 16, colStride = 1, CGALayout = [[0, 1]]>
#whole = #ttng.tensor_memory_encoding<blockM = 128, blockN = 16, colStride = 1, CGALayout = [[0, 0]]>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32} {
  tt.func private @shared_out(%part: !ttg.memdesc<128x32xf32, #split, #ttng.tensor_memory, mutable, 128x128>) {
    // expected-error @below {{cannot take a part of memory that the blocks of a cluster share out}}
    %0 = ttg.memdesc_reinterpret %part : !ttg.memdesc<128x32xf32, #split, #ttng.tensor_memory, mutable, 128x128> -> !ttg.memdesc<128x32xf32, #whole, #ttng.tensor_memory, mutable>
    tt.return
  }
}

// -----

// An attribute that the op does not have may ask for something.

#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
tt.func private @unknown_attribute(%bar: !ttg.memdesc<1xi64, #bar, #ttg.shared_memory, mutable>) {
  // expected-error @below {{'ttng.arrive_barrier' op has no attribute 'fromCTA'}}
  // expected-note @below {{leave it out, if the op means the same without it}}
  ttng.arrive_barrier %bar, 1 {fromCTA = 4 : i32} : !ttg.memdesc<1xi64, #bar, #ttg.shared_memory, mutable>
  tt.return
}
