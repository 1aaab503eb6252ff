// RUN: tilewright-opt %s --tilewright-set-access-width --convert-scf-to-cf --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

// Tensors carried by a loop are as many block arguments as they have registers; functions take
// registers as arguments and return them in a struct.

// CHECK: #loop_licm = #llvm.loop_licm<disable = true>
// CHECK: #[[LICM:.*]] = #llvm.loop_annotation<licm = #loop_licm>
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: llvm.func @loop
  // CHECK: llvm.br ^[[HEAD:.*]](%{{.*}}, %[[Z:.*]], %[[Z]], %[[Z]], %[[Z]] : i32, f32, f32, f32, f32)
  // CHECK: ^[[HEAD]](%[[I:.*]]: i32, %[[A:.*]]: f32, %[[B:.*]]: f32, %{{.*}}: f32, %{{.*}}: f32):
  // CHECK-NEXT: %[[MORE:.*]] = llvm.icmp "slt" %[[I]], %arg1
  // CHECK-NEXT: llvm.cond_br %[[MORE]], ^[[BODY:.*]], ^[[EXIT:.*]]
  // CHECK-NEXT: ^[[BODY]]:
  // CHECK-NEXT: %[[CALL:.*]] = llvm.call @twice(%[[A]], %[[B]], {{.*}}) : (f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  // CHECK-NEXT: llvm.extractvalue %[[CALL]][0]
  // CHECK-COUNT-4: llvm.fadd
  // CHECK: llvm.br ^[[HEAD]]
  // CHECK-NEXT: ^[[EXIT]]:
  // CHECK: llvm.store
  tt.func public @loop(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<128xf32, #blocked>
    %one = arith.constant dense<1.0> : tensor<128xf32, #blocked>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128xf32, #blocked>) : i32 {
      %more = tt.call @twice(%acc) : (tensor<128xf32, #blocked>) -> tensor<128xf32, #blocked>
      %next = arith.addf %more, %one : tensor<128xf32, #blocked>
      scf.yield %next : tensor<128xf32, #blocked>
    }
    %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #blocked>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %pp = tt.addptr %ps, %r : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    tt.store %pp, %sum : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }

  // What the kernel says of a loop is on the branch to its head.
  // CHECK-LABEL: llvm.func @annotated
  // CHECK: llvm.br {{.*}} {loop_annotation = #[[LICM]]}
  tt.func public @annotated(%p: !tt.ptr<i32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      tt.store %p, %i : !tt.ptr<i32>
    } {llvm.loop_annotation = #llvm.loop_annotation<licm = <disable = true>>}
    tt.return
  }

  // CHECK-LABEL: llvm.func internal @twice(%arg0: f32 {llvm.noundef}, %arg1: f32
  // CHECK-SAME: -> !llvm.struct<(f32, f32, f32, f32)> attributes {no_inline, passthrough = ["norecurse"]}
  // CHECK: llvm.insertvalue
  // CHECK: llvm.return %{{.*}} : !llvm.struct<(f32, f32, f32, f32)>
  tt.func private @twice(%x: tensor<128xf32, #blocked>) -> tensor<128xf32, #blocked> attributes {noinline = true} {
    %y = arith.addf %x, %x : tensor<128xf32, #blocked>
    tt.return %y : tensor<128xf32, #blocked>
  }
}
