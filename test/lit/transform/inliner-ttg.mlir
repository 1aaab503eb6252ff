// RUN: tilewright-opt %s -split-input-file --inline --symbol-dce | FileCheck %s

// Ops of ttg and ttng are inlined like those of tt: memory, barriers, copies, tasks of warps.

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
  // CHECK-LABEL: tt.func public @memory
  // CHECK-NEXT: %[[M:.*]] = ttg.local_alloc %{{.*}} :
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: %[[V:.*]] = ttg.local_load %[[M]]
  // CHECK-NEXT: ttg.local_dealloc %[[M]]
  // CHECK-NEXT: tt.return %[[V]]
  tt.func public @memory(%x: tensor<128xf32, #blocked>) -> tensor<128xf32, #blocked> {
    %0 = tt.call @through_memory(%x) : (tensor<128xf32, #blocked>) -> tensor<128xf32, #blocked>
    tt.return %0 : tensor<128xf32, #blocked>
  }
  // CHECK-NOT: tt.func private
  tt.func private @through_memory(%x: tensor<128xf32, #blocked>) -> tensor<128xf32, #blocked> {
    %m = ttg.local_alloc %x : (tensor<128xf32, #blocked>) -> !ttg.memdesc<128xf32, #shared, #smem, mutable>
    ttg.barrier local
    %v = ttg.local_load %m : !ttg.memdesc<128xf32, #shared, #smem, mutable> -> tensor<128xf32, #blocked>
    ttg.local_dealloc %m : !ttg.memdesc<128xf32, #shared, #smem, mutable>
    tt.return %v : tensor<128xf32, #blocked>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
  // CHECK-LABEL: tt.func public @copies
  // CHECK: scf.for
  // CHECK-NEXT: %[[T:.*]] = ttg.async_copy_global_to_local
  // CHECK-NEXT: %[[G:.*]] = ttg.async_commit_group tokens %[[T]]
  // CHECK-NEXT: ttg.async_wait %[[G]] {num = 0 : i32}
  // CHECK-NEXT: ttng.fence_async_shared
  // CHECK-NOT: tt.call
  tt.func public @copies(%p: tensor<128x!tt.ptr<f32>, #blocked>, %m: !ttg.memdesc<128xf32, #shared, #smem, mutable>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      tt.call @copy(%p, %m) : (tensor<128x!tt.ptr<f32>, #blocked>, !ttg.memdesc<128xf32, #shared, #smem, mutable>) -> ()
    }
    tt.return
  }
  tt.func private @copy(%p: tensor<128x!tt.ptr<f32>, #blocked>, %m: !ttg.memdesc<128xf32, #shared, #smem, mutable>) {
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<128x!tt.ptr<f32>, #blocked> -> <128xf32, #shared, #smem, mutable>
    %1 = ttg.async_commit_group tokens %0
    %2 = ttg.async_wait %1 {num = 0 : i32}
    ttng.fence_async_shared {bCluster = false}
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
  // A call in a task, and tasks in a callee.
  // CHECK-LABEL: tt.func public @tasks
  // CHECK: ttg.warp_specialize(%{{.*}})
  // CHECK: default {
  // CHECK-NEXT: %[[D:.*]] = arith.addi
  // CHECK-NEXT: ttg.warp_yield %[[D]]
  // CHECK: partition0(%[[X:.*]]: i32, %[[P:.*]]: !tt.ptr<i32>) num_warps(4) {
  // CHECK-NEXT: %[[T:.*]] = arith.addi %[[X]], %[[X]]
  // CHECK-NEXT: tt.store %[[P]], %[[T]]
  // CHECK-NEXT: ttg.warp_return
  // CHECK-NOT: tt.call
  tt.func public @tasks(%x: i32, %p: !tt.ptr<i32>) -> i32 {
    %0 = tt.call @specialized(%x, %p) : (i32, !tt.ptr<i32>) -> i32
    tt.return %0 : i32
  }
  tt.func private @specialized(%x: i32, %p: !tt.ptr<i32>) -> i32 {
    %0 = ttg.warp_specialize(%x, %p)
    default {
      %1 = tt.call @twice(%x) : (i32) -> i32
      ttg.warp_yield %1 : i32
    }
    partition0(%y: i32, %q: !tt.ptr<i32>) num_warps(4) {
      %1 = tt.call @twice(%y) : (i32) -> i32
      tt.store %q, %1 : !tt.ptr<i32>
      ttg.warp_return
    } : (i32, !tt.ptr<i32>) -> i32
    tt.return %0 : i32
  }
  tt.func private @twice(%x: i32) -> i32 {
    %0 = arith.addi %x, %x : i32
    tt.return %0 : i32
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
  // Tasks are not inlined into a task: warps that have one get no other.
  // CHECK-LABEL: tt.func public @nested
  // CHECK: default {
  // CHECK-NEXT: tt.call @specialized
  tt.func public @nested() {
    ttg.warp_specialize()
    default {
      tt.call @specialized() : () -> ()
      ttg.warp_yield
    }
    partition0() num_warps(4) {
      ttg.warp_return
    } : () -> ()
    tt.return
  }
  // CHECK-LABEL: tt.func private @specialized
  tt.func private @specialized() {
    ttg.warp_specialize()
    default {
      ttg.barrier local
      ttg.warp_yield
    }
    partition0() num_warps(4) {
      ttg.barrier local
      ttg.warp_return
    } : () -> ()
    tt.return
  }
}
