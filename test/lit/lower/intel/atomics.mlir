// RUN: tilewright-opt %s --tilewright-set-access-width --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttg.target = "xpu:pvc"} {
  // Of 32 and 64 bits there are instructions.
  // CHECK-LABEL: @words
  // CHECK: llvm.atomicrmw fadd {{.*}} syncscope("device") monotonic {{.*}} f32
  // CHECK: llvm.atomicrmw fadd {{.*}} syncscope("workgroup") monotonic {{.*}} f64
  // CHECK: llvm.atomicrmw umax {{.*}} monotonic {{.*}} i64
  // CHECK: llvm.cmpxchg {{.*}} syncscope("device")
  tt.func public @words(%p: !tt.ptr<f32>, %q: !tt.ptr<f64>, %r: !tt.ptr<i64>, %x: f32, %y: f64, %z: i64) {
    %m = arith.constant true
    %0 = tt.atomic_rmw fadd, relaxed, gpu, %p, %x, %m : (!tt.ptr<f32>, f32, i1) -> f32
    %1 = tt.atomic_rmw fadd, relaxed, cta, %q, %y, %m : (!tt.ptr<f64>, f64, i1) -> f64
    %2 = tt.atomic_rmw umax, relaxed, sys, %r, %z, %m : (!tt.ptr<i64>, i64, i1) -> i64
    %3 = tt.atomic_cas relaxed, gpu, %r, %z, %z : (!tt.ptr<i64>, i64, i64) -> i64
    tt.return
  }

  // An element of 16 bits is changed with the word around it, until nobody came in between.
  // CHECK-LABEL: @halves
  // CHECK: %[[ADDRESS:.*]] = llvm.ptrtoint %arg0 : !llvm.ptr<1> to i64
  // CHECK: %[[PLACE:.*]] = llvm.and %[[ADDRESS]]
  // CHECK: %[[BACK:.*]] = llvm.sub %{{.*}}, %[[PLACE]]
  // CHECK: %[[WORD:.*]] = llvm.getelementptr inbounds %arg0[%[[BACK]]]
  // CHECK: llvm.br ^[[LOOP:bb[0-9]+]](
  // CHECK: ^[[LOOP]](%[[GUESS:.*]]: i32):
  // CHECK: llvm.lshr %[[GUESS]]
  // CHECK: llvm.fadd {{.*}} : f32
  // CHECK: %[[PAIR:.*]] = llvm.cmpxchg %[[WORD]], %[[GUESS]], %{{.*}} syncscope("device") acq_rel acquire
  // CHECK: %[[FOUND:.*]] = llvm.extractvalue %[[PAIR]][0]
  // CHECK: %[[DONE:.*]] = llvm.extractvalue %[[PAIR]][1]
  // CHECK: llvm.cond_br %[[DONE]], ^{{.*}}, ^[[LOOP]](%[[FOUND]] : i32)
  // The other way: bf16 are bits.
  // CHECK: llvm.fadd {{.*}} : f32
  // CHECK: llvm.cmpxchg
  tt.func public @halves(%p: !tt.ptr<f16>, %x: f16, %q: !tt.ptr<bf16>, %y: bf16) {
    %m = arith.constant true
    %0 = tt.atomic_rmw fadd, acq_rel, gpu, %p, %x, %m : (!tt.ptr<f16>, f16, i1) -> f16
    %1 = tt.atomic_rmw fadd, acq_rel, gpu, %q, %y, %m : (!tt.ptr<bf16>, bf16, i1) -> bf16
    tt.store %p, %0 : !tt.ptr<f16>
    tt.store %q, %1 : !tt.ptr<bf16>
    tt.return
  }
}
