// RUN: tilewright-opt %s --split-input-file --tilewright-nvidia-join-iterations=num-warps=8 | FileCheck %s

// Two iterations of a product of i8 become one; an iteration that there is not is masked off.

// CHECK-LABEL: @joined
// CHECK-SAME: %[[A:[^ :]*]]: tensor<128x1x!tt.ptr<i8>>, %[[B:[^ :]*]]: tensor<1x128x!tt.ptr<i8>>, %[[K:[^ :]*]]: i32
// CHECK-DAG: %[[STEP:.*]] = arith.constant 128 : i32
// CHECK-DAG: %[[ONE:.*]] = arith.constant 64 : i32
// CHECK-DAG: %[[LAST:.*]] = arith.subi %[[K]], %{{.*}} : i32
// CHECK-DAG: %[[COLUMNS:.*]] = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[K]] step %[[STEP]]{{.*}} iter_args(%[[C:.*]] =
// CHECK-DAG: tt.broadcast {{.*}} : tensor<1x128xi32> -> tensor<128x128xi32>
// CHECK-DAG: %[[MORE:.*]] = arith.cmpi slt, %[[I]], %[[LAST]] : i32
// CHECK: %[[END:.*]] = arith.select %[[MORE]], %{{.*}}, %{{.*}} : i32
// CHECK: %[[ENDS:.*]] = tt.splat %[[END]] : i32 -> tensor<128xi32>
// CHECK: %[[EXISTS:.*]] = arith.cmpi slt, %{{.*}}, %[[ENDS]] : tensor<128xi32>
// CHECK: tt.expand_dims %[[EXISTS]] {axis = 0 : i32}
// CHECK: %[[LEFT:.*]] = tt.load {{.*}} : tensor<128x128x!tt.ptr<i8>>
// CHECK: tt.expand_dims %[[EXISTS]] {axis = 1 : i32}
// CHECK: %[[RIGHT:.*]] = tt.load {{.*}} : tensor<128x128x!tt.ptr<i8>>
// CHECK: tt.dot %[[LEFT]], %[[RIGHT]], %[[C]], {{.*}} : tensor<128x128xi8> * tensor<128x128xi8> -> tensor<128x128xi32>
// CHECK: } {tt.num_stages = 3 : i32}
tt.func @joined(%a: tensor<128x1x!tt.ptr<i8>>, %b: tensor<1x128x!tt.ptr<i8>>, %K: i32) -> tensor<128x128xi32> {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0> : tensor<128x128xi32>
  %rk = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %as = tt.broadcast %a : tensor<128x1x!tt.ptr<i8>> -> tensor<128x64x!tt.ptr<i8>>
  %bs = tt.broadcast %b : tensor<1x128x!tt.ptr<i8>> -> tensor<64x128x!tt.ptr<i8>>
  %sum = scf.for %k = %c0 to %K step %c64 iter_args(%c = %zero) -> (tensor<128x128xi32>) : i32 {
    %ks = tt.splat %k : i32 -> tensor<64xi32>
    %at = arith.addi %ks, %rk : tensor<64xi32>
    %columns = tt.expand_dims %at {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %ao = tt.broadcast %columns : tensor<1x64xi32> -> tensor<128x64xi32>
    %ap = tt.addptr %as, %ao : tensor<128x64x!tt.ptr<i8>>, tensor<128x64xi32>
    %x = tt.load %ap : tensor<128x64x!tt.ptr<i8>>
    %rows = tt.expand_dims %at {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %bo = tt.broadcast %rows : tensor<64x1xi32> -> tensor<64x128xi32>
    %bp = tt.addptr %bs, %bo : tensor<64x128x!tt.ptr<i8>>, tensor<64x128xi32>
    %y = tt.load %bp : tensor<64x128x!tt.ptr<i8>>
    %d = tt.dot %x, %y, %c, inputPrecision = tf32 : tensor<128x64xi8> * tensor<64x128xi8> -> tensor<128x128xi32>
    scf.yield %d : tensor<128x128xi32>
  }
  tt.return %sum : tensor<128x128xi32>
}

// -----

// Rows of B across K: its elements of two iterations are no neighbours.

// CHECK-LABEL: @strided
// CHECK-NOT: tensor<128x128x!tt.ptr<i8>>
tt.func @strided(%a: tensor<128x1x!tt.ptr<i8>>, %b: tensor<1x128x!tt.ptr<i8>>, %K: i32, %stride: i32) -> tensor<128x128xi32> {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0> : tensor<128x128xi32>
  %rk = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %as = tt.broadcast %a : tensor<128x1x!tt.ptr<i8>> -> tensor<128x64x!tt.ptr<i8>>
  %bs = tt.broadcast %b : tensor<1x128x!tt.ptr<i8>> -> tensor<64x128x!tt.ptr<i8>>
  %sum = scf.for %k = %c0 to %K step %c64 iter_args(%c = %zero) -> (tensor<128x128xi32>) : i32 {
    %ks = tt.splat %k : i32 -> tensor<64xi32>
    %at = arith.addi %ks, %rk : tensor<64xi32>
    %columns = tt.expand_dims %at {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %ao = tt.broadcast %columns : tensor<1x64xi32> -> tensor<128x64xi32>
    %ap = tt.addptr %as, %ao : tensor<128x64x!tt.ptr<i8>>, tensor<128x64xi32>
    %x = tt.load %ap : tensor<128x64x!tt.ptr<i8>>
    %strides = tt.splat %stride : i32 -> tensor<64xi32>
    %far = arith.muli %at, %strides : tensor<64xi32>
    %rows = tt.expand_dims %far {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %bo = tt.broadcast %rows : tensor<64x1xi32> -> tensor<64x128xi32>
    %bp = tt.addptr %bs, %bo : tensor<64x128x!tt.ptr<i8>>, tensor<64x128xi32>
    %y = tt.load %bp : tensor<64x128x!tt.ptr<i8>>
    %d = tt.dot %x, %y, %c, inputPrecision = tf32 : tensor<128x64xi8> * tensor<64x128xi8> -> tensor<128x128xi32>
    scf.yield %d : tensor<128x128xi32>
  }
  tt.return %sum : tensor<128x128xi32>
}
