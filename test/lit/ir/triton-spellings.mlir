// RUN: tilewright-opt %s | FileCheck %s
// RUN: tilewright-opt %s | tilewright-opt | FileCheck %s

// What Triton's own texts have and no front end makes.

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#padded = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1, fp4Padded = true>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // An op's own attributes stand before the rounding.
  // CHECK-LABEL: @narrowed
  // CHECK: tt.fp_to_fp %{{.*}} {ttg.partition = array<i32: 0>}, rounding = rtne : tensor<8xf32> -> tensor<8xf16>
  tt.func @narrowed(%x: tensor<8xf32>) {
    %0 = tt.fp_to_fp %x {ttg.partition = array<i32: 0>}, rounding = rtne : tensor<8xf32> -> tensor<8xf16>
    tt.return
  }

  // CHECK-LABEL: @shapes
  // CHECK: tt.reshape %{{.*}} efficient_layout
  // CHECK: ttg.convert_layout %{{.*}} : tensor<8xf32> -> tensor<8xf32>
  // CHECK: tt.print "text" {hex = false, isSigned = array<i32: 0>}
  tt.func @shapes(%x: tensor<8xf32>) {
    %0 = tt.reshape %x efficient_layout : tensor<8xf32> -> tensor<2x4xf32>
    %1 = ttg.convert_layout %x : tensor<8xf32> -> tensor<8xf32>
    tt.print "text" {hex = false, isSigned = array<i32: 0>}
    tt.return
  }

  // CHECK-LABEL: @undecided
  // CHECK: gluon.set_auto_layout {{.*}} -> tensor<8xf32, #gluon.coalesced_encoding>
  tt.func @undecided(%x: tensor<8xf32, #gluon.auto_encoding>) {
    %0 = gluon.set_auto_layout %x : tensor<8xf32, #gluon.auto_encoding> -> tensor<8xf32, #gluon.coalesced_encoding>
    tt.return
  }

  // CHECK-LABEL: @tensor_memory
  // CHECK: ttng.tc_gen5_mma
  tt.func @tensor_memory(%m: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, %t: !ttg.memdesc<256x64xf32, #tmem, #tm>, %p: !ttg.memdesc<128x64xi8, #padded, #tm>,
                         %a: !ttg.memdesc<256x64xf16, #shared, #smem>, %b: !ttg.memdesc<64x64xf16, #shared, #smem>) {
    %true = arith.constant true
    ttng.tc_gen5_mma %a, %b, %t, %true, %true : !ttg.memdesc<256x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<256x64xf32, #tmem, #tm>
    tt.return
  }
}
