// RUN: tilewright-opt %s --tilewright-replace-index | FileCheck %s

// Types, constants and casts: none of them is of type index any more.

// CHECK-LABEL: tt.func public @numbers(
// CHECK-SAME: %[[N:[^ ]*]]: i32, %[[W:[^ ]*]]: i64, %[[S:[^ ]*]]: i8)
// CHECK-DAG: %[[MINUS:.*]] = arith.constant -1 : i64
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK: %[[TO:.*]] = arith.extsi %[[N]] : i32 to i64
// CHECK: scf.for %[[I:.*]] = %[[MINUS]] to %[[TO]] step %[[ONE]] : i64 {
// CHECK: arith.trunci %[[I]] : i64 to i32
// CHECK: arith.extui %[[S]] : i8 to i64
// CHECK: arith.addi %[[I]], %[[W]] : i64
// CHECK-NOT: index
// CHECK: tt.return
tt.func public @numbers(%n: i32, %w: i64, %s: i8) {
  %minus = arith.constant -1 : index
  %one = arith.constant 1 : index
  %to = arith.index_cast %n : i32 to index
  scf.for %i = %minus to %to step %one {
    %j = arith.index_cast %i : index to i32
    %k = arith.index_castui %s : i8 to index
    %same = arith.index_cast %w : i64 to index
    %sum = arith.addi %i, %same : index
  }
  tt.return
}

// CHECK-LABEL: tt.func private @tensors(
// CHECK-SAME: %[[X:[^ ]*]]: tensor<8xi64>) -> tensor<8xi64>
// CHECK: %[[C:.*]] = arith.constant dense<-3> : tensor<8xi64>
// CHECK: %[[D:.*]] = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, -7]> : tensor<8xi64>
// CHECK: arith.muli %[[X]], %[[C]] : tensor<8xi64>
// CHECK: arith.extui %{{.*}} : tensor<8xi1> to tensor<8xi64>
tt.func private @tensors(%x: tensor<8xindex>) -> tensor<8xindex> {
  %c = arith.constant dense<-3> : tensor<8xindex>
  %d = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, -7]> : tensor<8xindex>
  %y = arith.muli %x, %c : tensor<8xindex>
  %b = arith.cmpi slt, %y, %d : tensor<8xindex>
  %z = arith.index_castui %b : tensor<8xi1> to tensor<8xindex>
  tt.return %z : tensor<8xindex>
}
