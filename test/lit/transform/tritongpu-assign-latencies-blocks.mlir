// RUN: tilewright-opt %s --tritongpu-assign-latencies=num-stages=4 | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#c = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#s = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#f = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#tiny = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!desc = !tt.tensordesc<tensor<64x64xf16, #s>>
!large = !tt.tensordesc<tensor<256x64xf32, #f>>
!sum = tensor<64x64xf32, #mma>
!tile = !ttg.memdesc<64x64xf16, #s, #smem>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {

// Blocks of descriptors that hardware copies: whatever their layout, and the address is no pointer.
// CHECK-LABEL: @product
// CHECK-COUNT-2: tt.descriptor_load {{.*}} {tt.latency = 3 : i32}
tt.func @product(%d: !desc, %e: !desc, %n: i32) -> !sum {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!sum) : i32 {
    %a = tt.descriptor_load %d[%c0, %i] : !desc -> tensor<64x64xf16, #b>
    %b = tt.descriptor_load %e[%i, %c0] : !desc -> tensor<64x64xf16, #b>
    %ma = ttg.local_alloc %a : (tensor<64x64xf16, #b>) -> !tile
    %mb = ttg.local_alloc %b : (tensor<64x64xf16, #b>) -> !tile
    %x = ttng.warp_group_dot %ma, %mb, %acc {inputPrecision = 0 : i32} : !tile * !tile -> !sum
    scf.yield %x : !sum
  }
  tt.return %r : !sum
}

// Buffers of 64 KB each, and 64 KB that the store of the loop around goes through: two of the former
// are left of 227 KB. What converts the value that is stored takes nothing.
// CHECK-LABEL: @beside_a_store
// CHECK: tt.descriptor_load {{.*}} {tt.latency = 1 : i32}
tt.func @beside_a_store(%d: !large, %n: i32, %value: tensor<256x64xf32, #b>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<256x64xf32, #b>
  scf.for %j = %c0 to %n step %c1 : i32 {
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<256x64xf32, #b>) : i32 {
      %a = tt.descriptor_load %d[%i, %j] : !large -> tensor<256x64xf32, #b>
      %x = arith.addf %a, %acc : tensor<256x64xf32, #b>
      scf.yield %x : tensor<256x64xf32, #b>
    } {tt.num_stages = 5 : i32}
    %y = ttg.convert_layout %r : tensor<256x64xf32, #b> -> tensor<256x64xf32, #c>
    tt.descriptor_store %d[%j, %c0], %y : !large, tensor<256x64xf32, #c>
  }
  tt.return
}

// The second of several buffers would not begin at a multiple of 128 bytes.
// CHECK-LABEL: @too_small
// CHECK-NOT: tt.latency
tt.func @too_small(%d: !tt.tensordesc<tensor<2x16xf16, #tiny>>, %n: i32) -> tensor<2x16xf16, #b> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<2x16xf16, #b>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<2x16xf16, #b>) : i32 {
    %a = tt.descriptor_load %d[%i, %c0] : !tt.tensordesc<tensor<2x16xf16, #tiny>> -> tensor<2x16xf16, #b>
    %x = arith.addf %a, %acc : tensor<2x16xf16, #b>
    scf.yield %x : tensor<2x16xf16, #b>
  } {tt.num_stages = 3 : i32}
  tt.return %r : tensor<2x16xf16, #b>
}

}
