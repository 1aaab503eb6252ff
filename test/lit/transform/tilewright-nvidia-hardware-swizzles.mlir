// RUN: tilewright-opt %s --split-input-file --tilewright-nvidia-hardware-swizzles | FileCheck %s

// The swizzle of wgmma in another encoding's words: rows of 128 and of 64 bytes, in both orders and
// in views.

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#rows = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#columns = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>
#smem = #ttg.shared_memory
// CHECK-DAG: #[[ROWS:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK-DAG: #[[COLUMNS:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @views
  // CHECK: ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #[[ROWS]], #smem, mutable>
  // CHECK: ttg.memdesc_index {{.*}} -> !ttg.memdesc<64x64xf16, #[[ROWS]], #smem, mutable>
  // CHECK: ttg.memdesc_trans {{.*}} -> !ttg.memdesc<64x64xf16, #[[COLUMNS]], #smem, mutable>
  // CHECK: ttng.warp_group_dot {{.*}} : !ttg.memdesc<64x64xf16, #[[ROWS]], #smem, mutable> * !ttg.memdesc<64x64xf16, #[[COLUMNS]], #smem, mutable>
  tt.func @views(%i: i32, %c: tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma> {
    %all = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #rows, #smem, mutable>
    %a = ttg.memdesc_index %all[%i] : !ttg.memdesc<3x64x64xf16, #rows, #smem, mutable> -> !ttg.memdesc<64x64xf16, #rows, #smem, mutable>
    %b = ttg.memdesc_trans %a {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #rows, #smem, mutable> -> !ttg.memdesc<64x64xf16, #columns, #smem, mutable>
    %d = ttng.warp_group_dot %a, %b, %c : !ttg.memdesc<64x64xf16, #rows, #smem, mutable> * !ttg.memdesc<64x64xf16, #columns, #smem, mutable> -> tensor<64x64xf32, #mma>
    tt.return %d : tensor<64x64xf32, #mma>
  }
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 32]}>
#rows = #ttg.swizzled_shared<{vec = 16, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#columns = #ttg.swizzled_shared<{vec = 16, perPhase = 2, maxPhase = 4, order = [0, 1]}>
#smem = #ttg.shared_memory
// CHECK-DAG: #[[ROWS:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8}>
// CHECK-DAG: #[[COLUMNS:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 8}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @bytes
  // CHECK: ttng.warp_group_dot {{.*}} : !ttg.memdesc<64x64xi8, #[[ROWS]], #smem> * !ttg.memdesc<64x64xi8, #[[COLUMNS]], #smem>
  tt.func @bytes(%a: !ttg.memdesc<64x64xi8, #rows, #smem>, %b: !ttg.memdesc<64x64xi8, #columns, #smem>, %c: tensor<64x64xi32, #mma>) -> tensor<64x64xi32, #mma> {
    %d = ttng.warp_group_dot %a, %b, %c : !ttg.memdesc<64x64xi8, #rows, #smem> * !ttg.memdesc<64x64xi8, #columns, #smem> -> tensor<64x64xi32, #mma>
    tt.return %d : tensor<64x64xi32, #mma>
  }
}

// -----

// Another swizzle, or rows longer than the widest: all stay, and lowering says what is wrong.

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#rows = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
// CHECK-NOT: nvmma_shared
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @long(%a: !ttg.memdesc<64x64xf16, #rows, #smem>, %b: !ttg.memdesc<64x128xf16, #rows, #smem>, %c: tensor<64x128xf32, #mma>) -> tensor<64x128xf32, #mma> {
    %d = ttng.warp_group_dot %a, %b, %c : !ttg.memdesc<64x64xf16, #rows, #smem> * !ttg.memdesc<64x128xf16, #rows, #smem> -> tensor<64x128xf32, #mma>
    tt.return %d : tensor<64x128xf32, #mma>
  }
}

// -----

// Nobody but warps reads it.

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
// CHECK-NOT: nvmma_shared
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warps() {
    %a = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttg.local_dealloc %a : !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.return
  }
}
