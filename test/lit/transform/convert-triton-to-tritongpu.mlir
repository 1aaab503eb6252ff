// RUN: tilewright-opt %S/Inputs/outer-product-unit-strides.ttir --convert-triton-to-tritongpu=target=cuda:100 | FileCheck %s --check-prefix=MATMUL
// RUN: tilewright-opt %s -split-input-file "--convert-triton-to-tritongpu=target=cuda:90 num-warps=8" | FileCheck %s
// RUN: not tilewright-opt %s "--convert-triton-to-tritongpu=num-warps=3" 2>&1 | FileCheck %s --check-prefix=WARPS
// RUN: not tilewright-opt %s "--convert-triton-to-tritongpu=num-ctas=3" 2>&1 | FileCheck %s --check-prefix=CTAS

// WARPS: error: num-warps must be a power of two up to 1024, got 3
// CTAS: error: a program cannot be run by a cluster of 3 blocks: cuda:90 has clusters of 1, 2, 4 and 8 blocks

// MATMUL:      #blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
// MATMUL-NEXT: #blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// MATMUL-NEXT: #blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
// MATMUL-NEXT: #blocked3 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
// MATMUL-NEXT: #blocked4 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [0, 1]}>
// MATMUL-NEXT: module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32}
// MATMUL:      arith.constant dense<0.000000e+00> : tensor<128x64xf32, #blocked>
// MATMUL:      %[[ROWS:.*]] = arith.addi {{.*}} : tensor<128xi32, #blocked1>
// MATMUL:      %[[SLICE:.*]] = ttg.convert_layout %[[ROWS]] : tensor<128xi32, #blocked1> -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
// MATMUL:      expand_dims %[[SLICE]] {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<128x1xi32, #blocked2>
// MATMUL:      ttg.convert_layout {{.*}} : tensor<128x1xi32, #blocked2> -> tensor<128x1xi32, #blocked3>
// MATMUL:      scf.for {{.*}} -> (tensor<128x64xf32, #blocked>)
// MATMUL:        tt.load {{.*}} : tensor<128x1x!tt.ptr<f32>, #blocked3>
// MATMUL:        tt.load {{.*}} : tensor<1x64x!tt.ptr<f32>, #blocked>
// MATMUL:        tt.broadcast {{.*}} : tensor<128x1xf32, #blocked3> -> tensor<128x64xf32, #blocked3>
// MATMUL:      store {{.*}} : tensor<128x64x!tt.ptr<f32>, #blocked>

// Control flow, tensors as arguments and results, constants that are no splats.

// CHECK-DAG: #[[V:.*]] = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
// CHECK: tt.func private @callee(%{{.*}}: tensor<512xi32, #[[V]]>) -> tensor<512xi32, #[[V]]>
tt.func private @callee(%x: tensor<512xi32>) -> tensor<512xi32> {
  tt.return %x : tensor<512xi32>
}
// CHECK-LABEL: tt.func @control
tt.func @control(%x: tensor<512xi32>, %n: i32, %flag: i1) -> tensor<512xi32> {
  // CHECK: tt.call @callee(%{{.*}}) : (tensor<512xi32, #[[V]]>) -> tensor<512xi32, #[[V]]>
  %called = tt.call @callee(%x) : (tensor<512xi32>) -> tensor<512xi32>
  // CHECK: scf.if %{{.*}} -> (tensor<512xi32, #[[V]]>)
  %chosen = scf.if %flag -> (tensor<512xi32>) {
    scf.yield %called : tensor<512xi32>
  } else {
    %one = arith.constant dense<1> : tensor<512xi32>
    scf.yield %one : tensor<512xi32>
  }
  // CHECK: scf.while (%{{.*}} = %{{.*}}) : (tensor<512xi32, #[[V]]>) -> tensor<512xi32, #[[V]]>
  %last = scf.while (%v = %chosen) : (tensor<512xi32>) -> tensor<512xi32> {
    scf.condition(%flag) %v : tensor<512xi32>
  } do {
  // CHECK: ^bb0(%{{.*}}: tensor<512xi32, #[[V]]>):
  ^bb0(%v: tensor<512xi32>):
    %twice = arith.addi %v, %v : tensor<512xi32>
    scf.yield %twice : tensor<512xi32>
  }
  // CHECK: cf.br ^bb1(%{{.*}} : tensor<512xi32, #[[V]]>)
  // CHECK: ^bb1(%{{.*}}: tensor<512xi32, #[[V]]>):
  cf.br ^end(%last : tensor<512xi32>)
^end(%result: tensor<512xi32>):
  tt.return %result : tensor<512xi32>
}

// -----

// Ops whose result's layout follows from the operand's.

// CHECK-DAG: #[[B:.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 2], order = [1, 0]}>
// CHECK-DAG: #[[T:.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [2, 4], order = [0, 1]}>
// CHECK-LABEL: tt.func @shapes
tt.func @shapes(%x: tensor<16x64xf32>) {
  // CHECK: }) : (tensor<16x64xf32, #[[B]]>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #[[B]]}>>
  // CHECK-NEXT: ttg.convert_layout {{.*}} -> tensor<16xf32, #{{.*}}>
  %sum = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<16x64xf32>) -> tensor<16xf32>
  // CHECK: trans {{.*}} : tensor<16x64xf32, #[[B]]> -> tensor<64x16xf32, #[[T]]>
  // CHECK-NEXT: ttg.convert_layout
  %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<16x64xf32> -> tensor<64x16xf32>
  // Blocked layouts stay blocked where they can.
  // CHECK: reshape {{.*}} : tensor<16x64xf32, #[[B]]> -> tensor<1024xf32, #[[V:.*]]>
  // CHECK-NOT: ttg.convert_layout
  %r = tt.reshape %x : tensor<16x64xf32> -> tensor<1024xf32>
  // CHECK: arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32, #{{.*}}>
  %list = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  tt.return
}

// -----

// Pairs: a thread has both elements of one. The halves of a tensor follow one another.

// CHECK-DAG: #[[V:.*]] = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
// CHECK-DAG: #[[P:.*]] = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [32, 1], warpsPerCTA = [8, 1], order = [1, 0]}>
// CHECK-DAG: #[[D:.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [8, 1], order = [1, 0]}>
// CHECK-LABEL: tt.func @pairs
tt.func @pairs(%x: tensor<512xf32>, %y: tensor<512xf32>, %z: tensor<512x2xf32>) {
  // CHECK: tt.join %{{.*}}, %{{.*}} : tensor<512xf32, #[[V]]> -> tensor<512x2xf32, #[[P]]>
  // CHECK-NEXT: ttg.convert_layout %{{.*}} : tensor<512x2xf32, #[[P]]> -> tensor<512x2xf32, #[[D]]>
  %j = tt.join %x, %y : tensor<512xf32> -> tensor<512x2xf32>
  // CHECK-NEXT: %[[C:.*]] = ttg.convert_layout %{{.*}} : tensor<512x2xf32, #[[D]]> -> tensor<512x2xf32, #[[P]]>
  // CHECK-NEXT: tt.split %[[C]] : tensor<512x2xf32, #[[P]]> -> tensor<512xf32, #[[V]]>
  %l, %r = tt.split %z : tensor<512x2xf32> -> tensor<512xf32>
  // CHECK-NEXT: tt.cat %{{.*}}, %{{.*}} : tensor<512xf32, #[[V]]> -> tensor<1024xf32, #[[V]]>
  %c = tt.cat %l, %r : tensor<512xf32> -> tensor<1024xf32>
  tt.return
}

// -----

// The operands of a product are in layouts that their result's implies.

// CHECK-DAG: #[[R:.*]] = #ttg.blocked<{sizePerThread = [{{[24]}}, {{[24]}}]{{.*}}, order = [1, 0]}>
// CHECK-LABEL: tt.func @product
tt.func @product(%x: tensor<64x32xf16>, %y: tensor<32x64xf16>, %z: tensor<64x64xf32>) -> tensor<64x64xf32> {
  // CHECK-DAG: %[[A:.*]] = ttg.convert_layout %arg0 : {{.*}} -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #[[R]]}>>
  // CHECK-DAG: %[[B:.*]] = ttg.convert_layout %arg1 : {{.*}} -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #[[R]]}>>
  // CHECK-DAG: %[[C:.*]] = ttg.convert_layout %arg2 : {{.*}} -> tensor<64x64xf32, #[[R]]>
  // CHECK: tt.dot %[[A]], %[[B]], %[[C]] : {{.*}} -> tensor<64x64xf32, #[[R]]>
  // CHECK-NEXT: ttg.convert_layout
  %d = tt.dot %x, %y, %z : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
  tt.return %d : tensor<64x64xf32>
}

// -----

// Layouts that depend on the shape alone: scans keep it, indices decide for gathers.

// CHECK-DAG: #[[M:.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [8, 1], order = [1, 0]}>
// CHECK-DAG: #[[I:.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [8, 1], order = [1, 0]}>
// CHECK-LABEL: tt.func @collective
tt.func @collective(%x: tensor<32x32xf32>, %i: tensor<32x16xi32>, %n: tensor<512xi32>) {
  // CHECK: }) : (tensor<32x32xf32, #[[M]]>, tensor<32x32xf32, #[[M]]>) -> (tensor<32x32xf32, #[[M]]>, tensor<32x32xf32, #[[M]]>)
  %s:2 = "tt.scan"(%x, %x) <{axis = 1 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    %e = arith.addf %a, %c : f32
    %f = arith.mulf %b, %d : f32
    tt.scan.return %e, %f : f32, f32
  }) : (tensor<32x32xf32>, tensor<32x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>)
  // CHECK: tt.gather %{{.*}}[%{{.*}}] {axis = 1 : i32} : (tensor<32x32xf32, #[[M]]>, tensor<32x16xi32, #[[I]]>) -> tensor<32x16xf32, #[[I]]>
  %g = tt.gather %x[%i] {axis = 1 : i32} : (tensor<32x32xf32>, tensor<32x16xi32>) -> tensor<32x16xf32>
  // CHECK: tt.histogram %{{.*}} : tensor<512xi32, #{{.*}}> -> tensor<16xi32, #{{.*}}>
  %h = tt.histogram %n : tensor<512xi32> -> tensor<16xi32>
  tt.return
}
