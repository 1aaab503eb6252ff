// RUN: tilewright-opt %s --split-input-file --tilewright-set-access-width --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

// Each thread has elements of its own: a branch around each that is masked. One fence orders them
// all; nobody looks at the result, which is data, so nothing is acquired.

#v = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @masked
  // CHECK-NOT: nvvm.barrier0
  // CHECK: llvm.fence syncscope("device") release
  // CHECK: llvm.cond_br
  // CHECK: llvm.atomicrmw add {{.*}} syncscope("device") monotonic
  // CHECK: llvm.cond_br
  // CHECK: llvm.atomicrmw add {{.*}} syncscope("device") monotonic
  // CHECK-NOT: llvm.fence
  // CHECK: llvm.return
  tt.func public @masked(%p: !tt.ptr<i32>, %n: i32) {
    %o = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32, #v>
    %ns = tt.splat %n : i32 -> tensor<256xi32, #v>
    %m = arith.cmpi slt, %o, %ns : tensor<256xi32, #v>
    %ps = tt.splat %p : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #v>
    %q = tt.addptr %ps, %o : tensor<256x!tt.ptr<i32>, #v>, tensor<256xi32, #v>
    %r = tt.atomic_rmw add, acq_rel, gpu, %q, %o, %m : (tensor<256x!tt.ptr<i32>, #v>, tensor<256xi32, #v>, tensor<256xi1, #v>) -> tensor<256xi32, #v>
    tt.return
  }
}

// -----

// Neighbours are added at once where the target can: four floats of 32 bits, eight of 16.

#w = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @vectors
  // CHECK-COUNT-2: llvm.atomicrmw fadd {{.*}} monotonic {alignment = 16 : i64} : !llvm.ptr<1>, vector<4xf32>
  // CHECK: llvm.atomicrmw fadd {{.*}} monotonic {alignment = 16 : i64} : !llvm.ptr<1>, vector<8xf16>
  // CHECK-COUNT-8: llvm.atomicrmw add {{.*}} : !llvm.ptr<1>, i32
  // CHECK: llvm.return
  tt.func public @vectors(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %h: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %i: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %f: f32, %g: f16) {
    %o = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32, #w>
    %x = tt.splat %f : f32 -> tensor<1024xf32, #w>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #w>
    %q = tt.addptr %ps, %o : tensor<1024x!tt.ptr<f32>, #w>, tensor<1024xi32, #w>
    %r = tt.atomic_rmw fadd, relaxed, gpu, %q, %x : (tensor<1024x!tt.ptr<f32>, #w>, tensor<1024xf32, #w>) -> tensor<1024xf32, #w>
    %y = tt.splat %g : f16 -> tensor<1024xf16, #w>
    %hs = tt.splat %h : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #w>
    %hq = tt.addptr %hs, %o : tensor<1024x!tt.ptr<f16>, #w>, tensor<1024xi32, #w>
    %hr = tt.atomic_rmw fadd, relaxed, gpu, %hq, %y : (tensor<1024x!tt.ptr<f16>, #w>, tensor<1024xf16, #w>) -> tensor<1024xf16, #w>
    %is = tt.splat %i : !tt.ptr<i32> -> tensor<1024x!tt.ptr<i32>, #w>
    %iq = tt.addptr %is, %o : tensor<1024x!tt.ptr<i32>, #w>, tensor<1024xi32, #w>
    %ir = tt.atomic_rmw add, relaxed, gpu, %iq, %o : (tensor<1024x!tt.ptr<i32>, #w>, tensor<1024xi32, #w>) -> tensor<1024xi32, #w>
    tt.return
  }
}

// -----

// One thread does what is a scalar's: after all others have done what it releases, and the others
// get the result through shared memory.

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @scalar
  // CHECK: nvvm.barrier0
  // CHECK: [[FIRST:%.*]] = llvm.icmp "eq"
  // CHECK: llvm.cond_br [[FIRST]]
  // CHECK: llvm.cmpxchg {{.*}} acq_rel acquire
  // CHECK: llvm.intr.masked.store
  // CHECK-NEXT: nvvm.barrier0
  // CHECK: llvm.load {{.*}} !llvm.ptr<3>
  tt.func public @scalar(%p: !tt.ptr<i32>, %x: i32) {
    %c0 = arith.constant 0 : i32
    %r = tt.atomic_cas acq_rel, sys, %p, %c0, %x : (!tt.ptr<i32>, i32, i32) -> i32
    tt.store %p, %r : !tt.ptr<i32>
    tt.return
  }

  // A lock is let go: what it acquires holds even where nobody looks at the result.
  // CHECK-LABEL: @unlock
  // CHECK: llvm.atomicrmw xchg {{.*}} acq_rel
  tt.func public @unlock(%lock: !tt.ptr<i32>) {
    %c0 = arith.constant 0 : i32
    %r = tt.atomic_rmw exch, acq_rel, gpu, %lock, %c0 : (!tt.ptr<i32>, i32) -> i32
    tt.return
  }
}

// -----

// Lanes that hold the same element get its result by a shuffle.

#c = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @copies
  // CHECK: llvm.cond_br
  // CHECK: llvm.atomicrmw umax {{.*}} syncscope("block") monotonic
  // CHECK-NOT: nvvm.barrier0
  // CHECK: nvvm.shfl.sync idx
  tt.func public @copies(%p: !tt.ptr<i32>) {
    %o = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32, #c>
    %ps = tt.splat %p : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>, #c>
    %q = tt.addptr %ps, %o : tensor<8x!tt.ptr<i32>, #c>, tensor<8xi32, #c>
    %r = tt.atomic_rmw umax, relaxed, cta, %q, %o : (tensor<8x!tt.ptr<i32>, #c>, tensor<8xi32, #c>) -> tensor<8xi32, #c>
    tt.store %q, %r : tensor<8x!tt.ptr<i32>, #c>
    tt.return
  }
}
