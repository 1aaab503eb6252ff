// RUN: tilewright-opt %s --split-input-file --tilewright-set-access-width --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

// An operation that is not for the host is an instruction: it is on the device's own memory.

module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx1100"} {
  // CHECK-LABEL: @scopes
  // CHECK: llvm.atomicrmw fadd {{.*}} syncscope("agent") monotonic {alignment = 4 : i64, rocdl.no_fine_grained_memory, rocdl.no_remote_memory}
  // CHECK: llvm.atomicrmw max {{.*}} syncscope("workgroup") monotonic {{.*}}rocdl.no_fine_grained_memory
  // CHECK: llvm.atomicrmw fadd {{.*}} monotonic {alignment = 4 : i64} : !llvm.ptr<1>, f32
  // CHECK: llvm.cmpxchg {{.*}} syncscope("agent")
  tt.func public @scopes(%p: !tt.ptr<f32>, %q: !tt.ptr<i32>, %f: f32, %i: i32) {
    %m = arith.constant true
    %0 = tt.atomic_rmw fadd, relaxed, gpu, %p, %f, %m : (!tt.ptr<f32>, f32, i1) -> f32
    %1 = tt.atomic_rmw max, relaxed, cta, %q, %i, %m : (!tt.ptr<i32>, i32, i1) -> i32
    %2 = tt.atomic_rmw fadd, relaxed, sys, %p, %f, %m : (!tt.ptr<f32>, f32, i1) -> f32
    %3 = tt.atomic_cas relaxed, gpu, %q, %i, %i : (!tt.ptr<i32>, i32, i32) -> i32
    tt.return
  }
}

// -----

// Two floats of 16 bits are added at once, be it by a loop of compare-and-swap.

#w = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx1201"} {
  // CHECK-LABEL: @pairs
  // CHECK: llvm.atomicrmw fadd {{.*}} vector<2xbf16>
  // CHECK: llvm.atomicrmw fadd {{.*}} f32
  // CHECK: llvm.atomicrmw fadd {{.*}} f32
  tt.func public @pairs(%h: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %g: bf16, %f: f32) {
    %o = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #w>
    %y = tt.splat %g : bf16 -> tensor<64xbf16, #w>
    %hs = tt.splat %h : !tt.ptr<bf16> -> tensor<64x!tt.ptr<bf16>, #w>
    %hq = tt.addptr %hs, %o : tensor<64x!tt.ptr<bf16>, #w>, tensor<64xi32, #w>
    %hr = tt.atomic_rmw fadd, relaxed, gpu, %hq, %y : (tensor<64x!tt.ptr<bf16>, #w>, tensor<64xbf16, #w>) -> tensor<64xbf16, #w>
    %x = tt.splat %f : f32 -> tensor<64xf32, #w>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #w>
    %q = tt.addptr %ps, %o : tensor<64x!tt.ptr<f32>, #w>, tensor<64xi32, #w>
    %r = tt.atomic_rmw fadd, relaxed, gpu, %q, %x : (tensor<64x!tt.ptr<f32>, #w>, tensor<64xf32, #w>) -> tensor<64xf32, #w>
    tt.return
  }
}
