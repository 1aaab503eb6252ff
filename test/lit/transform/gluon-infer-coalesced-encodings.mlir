// RUN: tilewright-opt %s --gluon-infer-coalesced-encodings --gluon-resolve-auto-encodings | FileCheck %s

// An access gets the layout in which a thread has neighbours, as many as an instruction takes and
// the tensor has for each; what belongs to it follows.

// CHECK: #[[WIDE:.*]] = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @copy
  // CHECK: tt.make_range {{.*}} : tensor<1024xi32, #[[WIDE]]>
  // CHECK: tt.load {{.*}} : tensor<1024x!tt.ptr<f32>, #[[WIDE]]>
  // CHECK: tt.store {{.*}} : tensor<1024x!tt.ptr<f32>, #[[WIDE]]>
  // CHECK-NOT: coalesced
  tt.func @copy(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %0 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #gluon.coalesced_encoding>
    %1 = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #gluon.coalesced_encoding>
    %2 = tt.addptr %1, %0 : tensor<1024x!tt.ptr<f32>, #gluon.coalesced_encoding>, tensor<1024xi32, #gluon.coalesced_encoding>
    %3 = tt.load %2 : tensor<1024x!tt.ptr<f32>, #gluon.coalesced_encoding>
    %4 = tt.splat %y : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #gluon.coalesced_encoding>
    %5 = tt.addptr %4, %0 : tensor<1024x!tt.ptr<f32>, #gluon.coalesced_encoding>, tensor<1024xi32, #gluon.coalesced_encoding>
    tt.store %5, %3 : tensor<1024x!tt.ptr<f32>, #gluon.coalesced_encoding>
    tt.return
  }
}
