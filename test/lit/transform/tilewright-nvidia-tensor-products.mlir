// RUN: tilewright-opt %s --tilewright-nvidia-tensor-products | FileCheck %s

#l = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
// CHECK: #[[TMEM:.*]] = #ttng.tensor_memory_encoding<blockM = 128, blockN = 16, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  // The sum of a loop stays in tensor memory, and the product runs on into the next iteration.
  // CHECK-LABEL: tt.func @sum
  // CHECK:       %[[ACC:.*]] = ttng.tmem_alloc %arg2
  // CHECK:       %[[BARS:.*]] = ttg.local_alloc : () -> !ttg.memdesc<2x1xi64
  // CHECK-COUNT-2: ttng.init_barrier
  // CHECK:       scf.for
  // CHECK:       %[[BAR:.*]] = ttg.memdesc_index %[[BARS]]
  // CHECK:       ttng.tc_gen5_mma %arg0, %arg1, %[[ACC]], %{{.*}}, %{{.*}}, %[[BAR]][%{{.*}}] {is_async}
  // CHECK:       ttng.wait_barrier
  // CHECK:       scf.yield
  // CHECK:       ttng.wait_barrier
  // CHECK-COUNT-2: ttng.inval_barrier
  // CHECK:       %[[SUM:.*]] = ttng.tmem_load %[[ACC]]
  // CHECK:       tt.return %[[SUM]]
  tt.func @sum(%a: !ttg.memdesc<128x16xf16, #shared, #smem>, %b: !ttg.memdesc<16x16xf16, #shared, #smem>, %init: tensor<128x16xf32, #l>, %n: i32) -> tensor<128x16xf32, #l> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%c = %init) -> tensor<128x16xf32, #l> : i32 {
      %d = tw.memory_dot %a, %b, %c {blockM = 128 : i32, blockN = 16 : i32} : !ttg.memdesc<128x16xf16, #shared, #smem> * !ttg.memdesc<16x16xf16, #shared, #smem> -> tensor<128x16xf32, #l>
      scf.yield %d : tensor<128x16xf32, #l>
    }
    tt.return %sum : tensor<128x16xf32, #l>
  }

  // Not where the loop makes the operand anew.
  // CHECK-LABEL: tt.func @made_in_loop
  // CHECK:       ttng.tmem_alloc %arg2
  // CHECK-NOT:   ttng.init_barrier
  // CHECK:       scf.for
  // CHECK:       ttng.tc_gen5_mma
  // CHECK-NOT:   is_async
  // CHECK:       scf.yield
  // CHECK:       ttng.tmem_load
  tt.func @made_in_loop(%a: tensor<128x16xf16, #l>, %b: !ttg.memdesc<16x16xf16, #shared, #smem>, %init: tensor<128x16xf32, #l>, %n: i32) -> tensor<128x16xf32, #l> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%c = %init) -> tensor<128x16xf32, #l> : i32 {
      %m = ttg.local_alloc %a : (tensor<128x16xf16, #l>) -> !ttg.memdesc<128x16xf16, #shared, #smem>
      %d = tw.memory_dot %m, %b, %c {blockM = 128 : i32, blockN = 16 : i32} : !ttg.memdesc<128x16xf16, #shared, #smem> * !ttg.memdesc<16x16xf16, #shared, #smem> -> tensor<128x16xf32, #l>
      scf.yield %d : tensor<128x16xf32, #l>
    }
    tt.return %sum : tensor<128x16xf32, #l>
  }

  // One that the loop scales does not: it is stored and loaded.
  // CHECK-LABEL: tt.func @scaled
  // CHECK:       scf.for
  // CHECK:       arith.mulf
  // CHECK:       ttng.tmem_alloc %
  // CHECK:       ttng.tc_gen5_mma
  // CHECK:       ttng.tmem_load
  // CHECK:       scf.yield
  tt.func @scaled(%a: !ttg.memdesc<128x16xf16, #shared, #smem>, %b: !ttg.memdesc<16x16xf16, #shared, #smem>, %init: tensor<128x16xf32, #l>, %n: i32) -> tensor<128x16xf32, #l> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%c = %init) -> tensor<128x16xf32, #l> : i32 {
      %s = arith.mulf %c, %c : tensor<128x16xf32, #l>
      %d = tw.memory_dot %a, %b, %s {blockM = 128 : i32, blockN = 16 : i32} : !ttg.memdesc<128x16xf16, #shared, #smem> * !ttg.memdesc<16x16xf16, #shared, #smem> -> tensor<128x16xf32, #l>
      scf.yield %d : tensor<128x16xf32, #l>
    }
    tt.return %sum : tensor<128x16xf32, #l>
  }

  // To zero nothing is added: nothing is stored.
  // CHECK-LABEL: tt.func @once
  // CHECK:       %[[ACC:.*]] = ttng.tmem_alloc : ()
  // CHECK:       %[[FALSE:.*]] = arith.constant false
  // CHECK:       ttng.tc_gen5_mma %arg0, %arg1, %[[ACC]], %[[FALSE]], %
  // CHECK:       ttng.tmem_load %[[ACC]]
  tt.func @once(%a: !ttg.memdesc<128x16xf16, #shared, #smem>, %b: !ttg.memdesc<16x16xf16, #shared, #smem>) -> tensor<128x16xf32, #l> {
    %zero = arith.constant dense<0.0> : tensor<128x16xf32, #l>
    %d = tw.memory_dot %a, %b, %zero {blockM = 128 : i32, blockN = 16 : i32} : !ttg.memdesc<128x16xf16, #shared, #smem> * !ttg.memdesc<16x16xf16, #shared, #smem> -> tensor<128x16xf32, #l>
    tt.return %d : tensor<128x16xf32, #l>
  }
}
