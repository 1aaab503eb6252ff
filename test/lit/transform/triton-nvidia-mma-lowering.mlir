// RUN: tilewright-opt %s --triton-nvidia-mma-lowering | FileCheck %s

// A product that tells no barrier gets one and is waited for; one that is asynchronous stays.

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>
#bars = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 16, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  // CHECK-LABEL: tt.func @waits
  // CHECK-SAME:  (%[[A:[a-z0-9]+]]: !ttg.memdesc<128x16xf16, {{.*}}, %[[P:[a-z0-9]+]]: i1)
  // CHECK:       %[[BARRIER:.*]] = ttg.local_alloc
  // CHECK:       ttng.init_barrier %[[BARRIER]], 1
  // CHECK:       %[[TRUE:.*]] = arith.constant true
  // CHECK:       ttng.tc_gen5_mma %[[A]], %{{.*}}, %{{.*}}, %{{.*}}, %[[P]], %[[BARRIER]][%[[TRUE]]] {is_async}
  // CHECK:       %[[PHASE:.*]] = arith.constant 0 : i32
  // CHECK:       ttng.wait_barrier %[[BARRIER]], %[[PHASE]], %[[P]]
  // CHECK:       ttng.inval_barrier %[[BARRIER]]
  tt.func @waits(%a: !ttg.memdesc<128x16xf16, #shared, #smem>, %b: !ttg.memdesc<16x16xf16, #shared, #smem>, %d: !ttg.memdesc<128x16xf32, #tmem, #ttng.tensor_memory, mutable>, %p: i1) {
    %true = arith.constant true
    ttng.tc_gen5_mma %a, %b, %d, %true, %p : !ttg.memdesc<128x16xf16, #shared, #smem>, !ttg.memdesc<16x16xf16, #shared, #smem>, !ttg.memdesc<128x16xf32, #tmem, #ttng.tensor_memory, mutable>
    tt.return
  }

  // CHECK-LABEL: tt.func @asynchronous
  // CHECK-NOT:   ttg.local_alloc
  // CHECK-NOT:   ttng.wait_barrier
  tt.func @asynchronous(%a: !ttg.memdesc<128x16xf16, #shared, #smem>, %b: !ttg.memdesc<16x16xf16, #shared, #smem>, %d: !ttg.memdesc<128x16xf32, #tmem, #ttng.tensor_memory, mutable>) {
    %true = arith.constant true
    ttng.tc_gen5_mma %a, %b, %d, %true, %true {is_async} : !ttg.memdesc<128x16xf16, #shared, #smem>, !ttg.memdesc<16x16xf16, #shared, #smem>, !ttg.memdesc<128x16xf32, #tmem, #ttng.tensor_memory, mutable>
    tt.return
  }

  // A function that commits says itself who waits for its products.
  // CHECK-LABEL: tt.func @commits
  // CHECK-NOT:   ttg.local_alloc
  // CHECK:       ttng.tc_gen5_mma %{{.*}} {is_async}
  // CHECK-NOT:   ttng.wait_barrier
  tt.func @commits(%a: !ttg.memdesc<128x16xf16, #shared, #smem>, %b: !ttg.memdesc<16x16xf16, #shared, #smem>, %d: !ttg.memdesc<128x16xf32, #tmem, #ttng.tensor_memory, mutable>, %bar: !ttg.memdesc<1xi64, #bars, #smem, mutable>) {
    %true = arith.constant true
    ttng.tc_gen5_mma %a, %b, %d, %true, %true : !ttg.memdesc<128x16xf16, #shared, #smem>, !ttg.memdesc<16x16xf16, #shared, #smem>, !ttg.memdesc<128x16xf32, #tmem, #ttng.tensor_memory, mutable>
    ttng.tc_gen5_commit %bar : !ttg.memdesc<1xi64, #bars, #smem, mutable>
    tt.return
  }
}
