// RUN: tilewright-opt %s --tritongpu-remove-layout-conversions | FileCheck %s

// Conversions that their neighbours make superfluous.

#a = #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#c = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
#line = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#other = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // What is gathered from may have any layout; the indices and the result may not.
  // CHECK-LABEL: tt.func public @gather
  // CHECK-SAME: %[[SRC:[^ ]*]]: tensor<128x256xf32, #[[B:[^ >]*]]>
  // CHECK-NEXT: %[[X:.*]] = tt.gather %[[SRC]][%{{.*}}]
  // CHECK-NEXT: tt.return %[[X]]
  tt.func public @gather(%indices: tensor<1024x256xi32, #a>, %src: tensor<128x256xf32, #b>) -> tensor<1024x256xf32, #a> {
    %0 = ttg.convert_layout %indices : tensor<1024x256xi32, #a> -> tensor<1024x256xi32, #c>
    %1 = ttg.convert_layout %src : tensor<128x256xf32, #b> -> tensor<128x256xf32, #c>
    %2 = tt.gather %1[%0] {axis = 0 : i32} : (tensor<128x256xf32, #c>, tensor<1024x256xi32, #c>) -> tensor<1024x256xf32, #c>
    %3 = ttg.convert_layout %2 : tensor<1024x256xf32, #c> -> tensor<1024x256xf32, #a>
    tt.return %3 : tensor<1024x256xf32, #a>
  }

  // Layouts that were chosen for a gather stay.
  // CHECK-LABEL: tt.func public @efficient
  // CHECK: ttg.convert_layout
  // CHECK: tt.gather {{.*}} efficient_layout
  tt.func public @efficient(%indices: tensor<128x256xi32, #c>, %src: tensor<128x256xf32, #b>) -> tensor<128x256xf32, #c> {
    %1 = ttg.convert_layout %src : tensor<128x256xf32, #b> -> tensor<128x256xf32, #c>
    %2 = tt.gather %1[%indices] {axis = 0 : i32, efficient_layout} : (tensor<128x256xf32, #c>, tensor<128x256xi32, #c>) -> tensor<128x256xf32, #c>
    tt.return %2 : tensor<128x256xf32, #c>
  }

  // A histogram takes and gives any layout, one for all that use it.
  // CHECK-LABEL: tt.func public @histogram
  // CHECK-NEXT: %[[X:.*]] = tt.histogram %arg0 : tensor<512xi32, #[[LINE:[^ >]*]]> -> tensor<512xi32, #[[LINE]]>
  // CHECK-NEXT: tt.return %[[X]]
  tt.func public @histogram(%x: tensor<512xi32, #line>) -> tensor<512xi32, #line> {
    %0 = ttg.convert_layout %x : tensor<512xi32, #line> -> tensor<512xi32, #other>
    %1 = tt.histogram %0 : tensor<512xi32, #other> -> tensor<512xi32, #other>
    %2 = ttg.convert_layout %1 : tensor<512xi32, #other> -> tensor<512xi32, #line>
    tt.return %2 : tensor<512xi32, #line>
  }

  // Any order will do, but the order that there is will not where it matters.
  // CHECK-LABEL: tt.func public @any_order
  // CHECK-NEXT: %[[X:.*]] = tt.reshape %arg0 allow_reorder : tensor<4096xf32, #{{.*}}> -> tensor<64x64xf32, #{{.*}}>
  // CHECK-NEXT: tt.return %[[X]]
  tt.func public @any_order(%x: tensor<4096xf32, #line>) -> tensor<64x64xf32, #a> {
    %0 = ttg.convert_layout %x : tensor<4096xf32, #line> -> tensor<4096xf32, #other>
    %1 = tt.reshape %0 allow_reorder : tensor<4096xf32, #other> -> tensor<64x64xf32, #c>
    %2 = ttg.convert_layout %1 : tensor<64x64xf32, #c> -> tensor<64x64xf32, #a>
    tt.return %2 : tensor<64x64xf32, #a>
  }

  // Threads that have elements twice cannot keep them.
  // CHECK-LABEL: tt.func public @copies
  // CHECK: ttg.convert_layout
  tt.func public @copies(%x: tensor<64xf32, #other>) -> tensor<8x8xf32, #c> {
    %1 = tt.reshape %x allow_reorder : tensor<64xf32, #other> -> tensor<8x8xf32, #a>
    %2 = ttg.convert_layout %1 : tensor<8x8xf32, #a> -> tensor<8x8xf32, #c>
    tt.return %2 : tensor<8x8xf32, #c>
  }

  // Shared memory is read as it is wanted, also if it is transposed on the way; not twice.
  // CHECK-LABEL: tt.func public @loaded
  // CHECK-NEXT: %[[X:.*]] = ttg.local_load
  // CHECK-NEXT: %[[Y:.*]] = tt.trans %[[X]] {{.*}} -> tensor<32x64xf32, #[[B]]>
  // CHECK-NEXT: tt.return %[[Y]]
  tt.func public @loaded(%m: !ttg.memdesc<64x32xf32, #shared, #smem, mutable>) -> tensor<32x64xf32, #b> {
    %0 = ttg.local_load %m : !ttg.memdesc<64x32xf32, #shared, #smem, mutable> -> tensor<64x32xf32, #c>
    %1 = ttg.convert_layout %0 : tensor<64x32xf32, #c> -> tensor<64x32xf32, #a>
    %2 = tt.trans %1 {order = array<i32: 1, 0>} : tensor<64x32xf32, #a> -> tensor<32x64xf32, #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>>
    %3 = ttg.convert_layout %2 : tensor<32x64xf32, #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>> -> tensor<32x64xf32, #b>
    tt.return %3 : tensor<32x64xf32, #b>
  }
  // CHECK-LABEL: tt.func public @loaded_for_two
  // CHECK-NEXT: ttg.local_load
  // CHECK-NEXT: ttg.convert_layout
  tt.func public @loaded_for_two(%m: !ttg.memdesc<64x32xf32, #shared, #smem, mutable>) -> (tensor<64x32xf32, #c>, tensor<64x32xf32, #b>) {
    %0 = ttg.local_load %m : !ttg.memdesc<64x32xf32, #shared, #smem, mutable> -> tensor<64x32xf32, #c>
    %1 = ttg.convert_layout %0 : tensor<64x32xf32, #c> -> tensor<64x32xf32, #b>
    tt.return %0, %1 : tensor<64x32xf32, #c>, tensor<64x32xf32, #b>
  }

  // What a wait passes on is converted behind it.
  // CHECK-LABEL: tt.func public @wait
  // CHECK-NEXT: %[[X:.*]]:2 = ttng.warp_group_dot_wait %arg0, %arg1
  // CHECK-NEXT: %[[Y:.*]] = ttg.convert_layout %[[X]]#1
  // CHECK-NEXT: tt.return %[[X]]#0, %[[Y]]
  tt.func public @wait(%x: tensor<64x64xf32, #mma>, %y: tensor<64x64xf32, #mma>) -> (tensor<64x64xf32, #mma>, tensor<64x64xf32, #b>) {
    %0 = ttg.convert_layout %x : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #b>
    %1 = ttg.convert_layout %y : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #b>
    %2:2 = ttng.warp_group_dot_wait %0, %1 {pendings = 0 : i32} : tensor<64x64xf32, #b>, tensor<64x64xf32, #b>
    %3 = ttg.convert_layout %2#0 : tensor<64x64xf32, #b> -> tensor<64x64xf32, #mma>
    tt.return %3, %2#1 : tensor<64x64xf32, #mma>, tensor<64x64xf32, #b>
  }
}
