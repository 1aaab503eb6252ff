// RUN: split-file %s %t
// RUN: tilewright-opt %t/two.mlir --tritongpu-global-scratch-memory-allocation | FileCheck %t/two.mlir
// RUN: not tilewright-opt %t/called.mlir --tritongpu-global-scratch-memory-allocation 2>&1 | FileCheck %t/called.mlir

//--- two.mlir

// The second piece is behind the first one, at a multiple of 128; a program's is a multiple of 128.
// CHECK: module attributes {{{.*}}ttg.global_scratch_memory_size = 384 : i32
module {
  // CHECK-LABEL: tt.func public @kernel(
  // CHECK-SAME: %[[X:.*]]: !tt.ptr<i8>, %[[SCRATCH:.*]]: !tt.ptr<i8> {tt.divisibility = 128 : i32})
  // CHECK-DAG: %[[XID:.*]] = tt.get_program_id x
  // CHECK-DAG: %[[YID:.*]] = tt.get_program_id y
  // CHECK-DAG: %[[ZID:.*]] = tt.get_program_id z
  // CHECK-DAG: %[[BYTES:.*]] = arith.constant 384 : i64
  // CHECK: %[[BEGIN:.*]] = arith.muli %{{.*}}, %[[BYTES]] : i64
  // CHECK: %[[FIRST:.*]] = tt.addptr %[[SCRATCH]], %{{.*}} : !tt.ptr<i8>, i64
  // CHECK: %[[OFFSET:.*]] = arith.constant 256 : i64
  // CHECK: %[[AT:.*]] = arith.addi %[[BEGIN]], %[[OFFSET]]
  // CHECK: %[[SECOND:.*]] = tt.addptr %[[SCRATCH]], %[[AT]] : !tt.ptr<i8>, i64
  // CHECK-NOT: ttg.global_scratch_alloc
  // CHECK: tt.store %[[FIRST]]
  // CHECK: tt.store %[[SECOND]]
  tt.func public @kernel(%x: !tt.ptr<i8>) {
    %a = ttg.global_scratch_alloc {alignment = 16 : i32, nbytes = 130 : i32} : !tt.ptr<i8>
    %b = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 100 : i32} : !tt.ptr<i8>
    %v = tt.load %x : !tt.ptr<i8>
    tt.store %a, %v : !tt.ptr<i8>
    tt.store %b, %v : !tt.ptr<i8>
    tt.return
  }
}

//--- called.mlir

// CHECK: error: 'ttg.global_scratch_alloc' op stands in a function that is called
tt.func private @helper() -> !tt.ptr<i8> {
  %a = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
  tt.return %a : !tt.ptr<i8>
}
