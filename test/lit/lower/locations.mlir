// RUN: tilewright-opt %s --allocate-shared-memory --convert-triton-gpu-to-llvm --mlir-print-debuginfo | FileCheck %s

// Each op has the location of the op it comes from, names and call sites included; what the region
// of a reduction gives, that of the region's ops.

#v = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  // CHECK: nvvm.read.ptx.sreg.tid.x {{.*}} loc(#[[RANGE:.*]])
  // CHECK: llvm.add {{.*}} loc(#[[ADD:.*]])
  // CHECK: nvvm.shfl.sync {{.*}} loc(#[[REDUCE:.*]])
  // CHECK: llvm.intr.umax{{.*}} loc(#[[MAX:.*]])
  // CHECK-DAG: #[[RANGE]] = loc("k.py":1:2)
  // CHECK-DAG: #[[ADD]] = loc("sum"(#{{.*}}))
  // CHECK-DAG: #[[REDUCE]] = loc(callsite(
  // CHECK-DAG: #[[MAX]] = loc("k.py":6:7)
  tt.func private @k(%x: i32) -> i64 {
    %r = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #v> loc("k.py":1:2)
    %xs = tt.splat %x : i32 -> tensor<32xi32, #v>
    %s = arith.addi %r, %xs : tensor<32xi32, #v> loc("sum"("k.py":2:3))
    %wide = arith.extui %s : tensor<32xi32, #v> to tensor<32xi64, #v>
    %m = "tt.reduce"(%wide) <{axis = 0 : i32}> ({
    ^bb0(%a: i64, %b: i64):
      %c = arith.maxui %a, %b : i64 loc("k.py":6:7)
      tt.reduce.return %c : i64
    }) : (tensor<32xi64, #v>) -> i64 loc(callsite("lib.py":9:1 at "k.py":5:1))
    tt.return %m : i64
  }
}
