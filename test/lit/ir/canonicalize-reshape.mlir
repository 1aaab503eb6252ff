// RUN: tilewright-opt %s -canonicalize | FileCheck %s

// Of several changes of shape one is left, or none; not where an order may be any.

#a = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
#b = #ttg.blocked<{sizePerThread = [1, 1, 1], threadsPerWarp = [1, 1, 32], warpsPerCTA = [1, 1, 4], order = [2, 1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @back_and_forth
  // CHECK-NEXT: tt.return %arg0, %arg1
  tt.func @back_and_forth(%x: tensor<4x8xf16>, %y: tensor<1x128xf16, #a>) -> (tensor<4x8xf16>, tensor<1x128xf16, #a>) {
    %0 = tt.reshape %x : tensor<4x8xf16> -> tensor<1x4x8xf16>
    %1 = tt.reshape %0 : tensor<1x4x8xf16> -> tensor<32xf16>
    %2 = tt.reshape %1 : tensor<32xf16> -> tensor<4x8xf16>
    %3 = tt.reshape %y : tensor<1x128xf16, #a> -> tensor<1x1x128xf16, #b>
    %4 = tt.reshape %3 : tensor<1x1x128xf16, #b> -> tensor<1x128xf16, #a>
    tt.return %2, %4 : tensor<4x8xf16>, tensor<1x128xf16, #a>
  }

  // CHECK-LABEL: @twice
  // CHECK-NEXT: %[[X:.*]] = tt.reshape %arg0 : tensor<4x8xf16> -> tensor<16x2xf16>
  // CHECK-NEXT: tt.return %[[X]]
  tt.func @twice(%x: tensor<4x8xf16>) -> tensor<16x2xf16> {
    %0 = tt.reshape %x : tensor<4x8xf16> -> tensor<32xf16>
    %1 = tt.reshape %0 : tensor<32xf16> -> tensor<16x2xf16>
    tt.return %1 : tensor<16x2xf16>
  }

  // CHECK-LABEL: @any_order
  // CHECK-NEXT: tt.reshape %arg0 allow_reorder
  // CHECK-NEXT: tt.reshape
  tt.func @any_order(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
    %0 = tt.reshape %x allow_reorder : tensor<4x8xf16> -> tensor<32xf16>
    %1 = tt.reshape %0 : tensor<32xf16> -> tensor<4x8xf16>
    tt.return %1 : tensor<4x8xf16>
  }
}
