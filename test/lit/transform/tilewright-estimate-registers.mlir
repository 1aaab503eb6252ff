// RUN: tilewright-opt %s --tilewright-estimate-registers -o /dev/null 2>&1 | FileCheck %s
// RUN: tilewright-opt %s --tilewright-estimate-registers 2>/dev/null | FileCheck %s --check-prefix=SAME

// What a back end is expected to allocate, for each function.

#row = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Two tensors of 8 elements a thread, alive until they are added, and one address for each.
  // CHECK: :[[@LINE+2]]:3: remark: {{[0-9]+}} registers of a thread are expected: values 16, products 0, addresses 4, indices 0, masks 0, scalars 0, operations {{[0-9]+}}
  // CHECK: note: the most are taken here
  tt.func @add(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {
    %range = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32, #row>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #row>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #row>
    %px = tt.addptr %xs, %range : tensor<1024x!tt.ptr<f32>, #row>, tensor<1024xi32, #row>
    %py = tt.addptr %ys, %range : tensor<1024x!tt.ptr<f32>, #row>, tensor<1024xi32, #row>
    %a = tt.load %px : tensor<1024x!tt.ptr<f32>, #row>
    %b = tt.load %py : tensor<1024x!tt.ptr<f32>, #row>
    // The sum is computed as it is stored: it has no registers of its own while both are there.
    %sum = arith.addf %a, %b : tensor<1024xf32, #row>
    tt.store %px, %sum : tensor<1024x!tt.ptr<f32>, #row>
    tt.store %py, %sum : tensor<1024x!tt.ptr<f32>, #row>
    tt.return
  }

  // SAME-NOT: tt.remark
  // SAME: tt.func @nothing
  // CHECK: :[[@LINE+1]]:3: remark: {{[0-9]+}} registers of a thread are expected: values 0, products 0, addresses 0, indices 0, masks 0, scalars 0, operations {{[0-9]+}}
  tt.func @nothing() {
    tt.return
  }
}
