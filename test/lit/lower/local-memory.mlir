// RUN: tilewright-opt %s --split-input-file --tilewright-set-access-width --allocate-shared-memory | FileCheck %s --check-prefix=ALLOC
// RUN: tilewright-opt %s --split-input-file --tilewright-set-access-width --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

// What holds something at the same time has bytes of its own, what comes later shares; a barrier
// stands between a store and a load, and before bytes are used again.

#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#s = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#t = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>
#smem = #ttg.shared_memory
// ALLOC: ttg.shared = 16384 : i32
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // ALLOC-LABEL: @lives
  // ALLOC: ttg.local_alloc %arg0 {allocation.offset = 0 : i32}
  // ALLOC: ttg.local_alloc %arg1 {allocation.offset = 8192 : i32}
  // ALLOC-NEXT: ttg.barrier local
  // ALLOC-NEXT: ttg.local_load
  // ALLOC-NEXT: ttg.local_load
  // ALLOC-NEXT: ttg.barrier local
  // ALLOC-NEXT: ttg.local_alloc %arg0 {allocation.offset = 0 : i32}
  // ALLOC-NEXT: ttg.barrier local
  // ALLOC-NEXT: ttg.local_load

  // Vectors of eight, without a predicate.
  // CHECK-LABEL: @lives
  // CHECK-COUNT-4: llvm.store {{.*}} {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<3>
  // CHECK: nvvm.barrier0
  // CHECK-COUNT-4: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<8xf16>
  tt.func private @lives(%x: tensor<64x64xf16, #b>, %y: tensor<64x64xf16, #b>) -> (tensor<64x64xf16, #b>, tensor<64x64xf16, #b>, tensor<64x64xf16, #b>) {
    %a = ttg.local_alloc %x : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #s, #smem>
    %c = ttg.local_alloc %y : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #s, #smem>
    %u = ttg.local_load %a : !ttg.memdesc<64x64xf16, #s, #smem> -> tensor<64x64xf16, #b>
    %v = ttg.local_load %c : !ttg.memdesc<64x64xf16, #s, #smem> -> tensor<64x64xf16, #b>
    %d = ttg.local_alloc %x : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #s, #smem>
    %w = ttg.local_load %d : !ttg.memdesc<64x64xf16, #s, #smem> -> tensor<64x64xf16, #b>
    tt.return %u, %v, %w : tensor<64x64xf16, #b>, tensor<64x64xf16, #b>, tensor<64x64xf16, #b>
  }
}

// -----

// Fragments of a matrix instruction come in by matrices, from rows and from columns.

#f = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#s = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#t = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @fragments
  // CHECK: nvvm.ldmatrix {{.*}} {{.*}}layout = #nvvm.mma_layout<row>{{.*}}num = 4
  // CHECK: nvvm.ldmatrix {{.*}} {{.*}}layout = #nvvm.mma_layout<col>{{.*}}num = 4
  tt.func private @fragments(%m: !ttg.memdesc<64x64xf16, #s, #smem>) -> (tensor<64x64xf16, #f>, tensor<64x64xf16, #f>) {
    %u = ttg.local_load %m : !ttg.memdesc<64x64xf16, #s, #smem> -> tensor<64x64xf16, #f>
    %t = ttg.memdesc_trans %m {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #s, #smem> -> !ttg.memdesc<64x64xf16, #t, #smem>
    %v = ttg.local_load %t : !ttg.memdesc<64x64xf16, #t, #smem> -> tensor<64x64xf16, #f>
    tt.return %u, %v : tensor<64x64xf16, #f>, tensor<64x64xf16, #f>
  }
}

// -----

// Asynchronous copies: 16 bytes at a time, zeros where the mask is false; after the wait a barrier,
// since other threads' copies are waited for by them.

#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#s = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // ALLOC-LABEL: @copies
  // ALLOC: ttg.async_wait
  // ALLOC-NEXT: ttg.barrier local
  // ALLOC-NEXT: ttg.local_load

  // CHECK-LABEL: @copies
  // CHECK: llvm.select {{.*}} : i1, i32
  // CHECK-COUNT-4: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg
  // CHECK: nvvm.cp.async.commit.group
  // CHECK: nvvm.cp.async.wait.group 0
  tt.func public @copies(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %on: i1) {
    %c = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>>
    %c1 = tt.expand_dims %c {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x64xi32, #b>
    %cb = tt.broadcast %c1 : tensor<1x64xi32, #b> -> tensor<64x64xi32, #b>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #b>
    %xp = tt.addptr %xs, %cb : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
    %mask = tt.splat %on : i1 -> tensor<64x64xi1, #b>
    %m = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #s, #smem, mutable>
    %k = ttg.async_copy_global_to_local %xp, %m mask %mask : tensor<64x64x!tt.ptr<f16>, #b> -> <64x64xf16, #s, #smem, mutable>
    %g = ttg.async_commit_group tokens %k
    %w = ttg.async_wait %g {num = 0 : i32}
    %v = ttg.local_load %m token %w : !ttg.memdesc<64x64xf16, #s, #smem, mutable> -> tensor<64x64xf16, #b>
    tt.store %xp, %v : tensor<64x64x!tt.ptr<f16>, #b>
    tt.return
  }
}
