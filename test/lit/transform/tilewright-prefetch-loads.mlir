// RUN: tilewright-opt %s --tilewright-prefetch-loads --canonicalize --cse | FileCheck %s
// RUN: sed -e 's/cuda:90/hip:gfx1100/' %s | tilewright-opt - --tilewright-prefetch-loads | FileCheck %s --check-prefix=WARP
// RUN: tilewright-opt %s --tilewright-prefetch-loads=num-stages=1 | FileCheck %s --check-prefix=OFF

#square = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#line = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

// OFF-NOT: arith.select

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {

// 8 + 8 elements are loaded for 64 products: four iterations at once, and before their
// arithmetic the loads of the next four, or of the same if they are the last.
// CHECK-LABEL: @outer_product
// CHECK-DAG: %[[RUNS:.*]] = arith.cmpi slt, %arg2, %[[MIDDLE:.*]] : i32
// CHECK-DAG: tt.splat %[[RUNS]] : i1 -> tensor<128x1xi1
// CHECK: %[[FIRST:.*]] = tt.load %{{.*}}, %{{.*}} : tensor<128x1x!tt.ptr<f32>
// CHECK-COUNT-7: tt.load %{{.*}}, %{{.*}} :
// CHECK: %[[LOOP:.*]]:9 = scf.for %[[I:.*]] = %arg2 to %[[MIDDLE]] step %c4_i32 iter_args(%[[ACC:[^ ]*]] = %{{[^ ]*}}, %[[A:[^ ]*]] = %[[FIRST]], %[[B:[^ ]*]] = %{{.*}})
// CHECK-NEXT: %[[LEFT:.*]] = arith.subi %[[MIDDLE]], %[[I]] : i32
// CHECK-NEXT: %[[GOES_ON:.*]] = arith.cmpi ugt, %[[LEFT]], %c4_i32 : i32
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[I]], %c4_i32 : i32
// CHECK-NEXT: %[[NEXT:.*]] = arith.select %[[GOES_ON]], %[[SUM]], %[[I]] : i32
// CHECK-NEXT: tt.splat %[[NEXT]]
// CHECK-NOT: arith.mulf
// CHECK: %[[NEXT_A:.*]] = tt.load %{{[^,]*}} : tensor<128x1x!tt.ptr<f32>
// CHECK-COUNT-7: tt.load %{{[^,]*}} :
// CHECK-NEXT: %[[WIDE_A:.*]] = tt.broadcast %[[A]]
// CHECK-NEXT: %[[WIDE_B:.*]] = tt.broadcast %[[B]]
// CHECK-NEXT: arith.mulf %[[WIDE_A]], %[[WIDE_B]]
// CHECK-COUNT-3: arith.mulf
// CHECK-NOT: tt.load
// CHECK: scf.yield %{{.*}}, %[[NEXT_A]],
// The iterations that are left.
// CHECK: scf.for %{{.*}} = %[[MIDDLE]] to %arg3 step %c1_i32 iter_args(%{{.*}} = %[[LOOP]]#0)
// CHECK: tt.load %{{[^,]*}} :
// CHECK: } {tt.num_stages = 1 : i32}
tt.func @outer_product(%a: tensor<128x1x!tt.ptr<f32>, #square>, %b: tensor<1x64x!tt.ptr<f32>, #square>, %from: i32, %to: i32) -> tensor<128x64xf32, #square> {
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #square>
  %r = scf.for %i = %from to %to step %c1 iter_args(%acc = %zero) -> (tensor<128x64xf32, #square>) : i32 {
    %ai = tt.splat %i : i32 -> tensor<128x1xi32, #square>
    %ap = tt.addptr %a, %ai : tensor<128x1x!tt.ptr<f32>, #square>, tensor<128x1xi32, #square>
    %x = tt.load %ap : tensor<128x1x!tt.ptr<f32>, #square>
    %bi = tt.splat %i : i32 -> tensor<1x64xi32, #square>
    %bp = tt.addptr %b, %bi : tensor<1x64x!tt.ptr<f32>, #square>, tensor<1x64xi32, #square>
    %y = tt.load %bp : tensor<1x64x!tt.ptr<f32>, #square>
    %xx = tt.broadcast %x : tensor<128x1xf32, #square> -> tensor<128x64xf32, #square>
    %yy = tt.broadcast %y : tensor<1x64xf32, #square> -> tensor<128x64xf32, #square>
    %p = arith.mulf %xx, %yy : tensor<128x64xf32, #square>
    %s = arith.addf %acc, %p : tensor<128x64xf32, #square>
    scf.yield %s : tensor<128x64xf32, #square>
  }
  tt.return %r : tensor<128x64xf32, #square>
}

// Pointers that the loop carries: those of the next iteration, or the same.
// CHECK-LABEL: @carried_pointers
// CHECK: scf.for {{.*}} iter_args(%{{[^ ]*}} = %{{[^ ]*}}, %[[P:[^ ]*]] = %arg0, %[[Q:[^ ]*]] = %arg1, {{.*}}) -> {{.*}} {
// CHECK: %[[GOES_ON:.*]] = arith.cmpi ugt
// CHECK: %[[P4:.*]] = tt.addptr %[[P]], %{{.*}}
// CHECK: %[[MASK:.*]] = tt.splat %[[GOES_ON]] : i1 -> tensor<128x1xi1
// CHECK: %[[NEXT:.*]] = arith.select %[[MASK]], %{{.*}}, %[[P]] : tensor<128x1xi1, {{.*}}>, tensor<128x1x!tt.ptr<f32>
// CHECK: tt.load %[[NEXT]]
tt.func @carried_pointers(%a: tensor<128x1x!tt.ptr<f32>, #square>, %b: tensor<1x64x!tt.ptr<f32>, #square>, %to: i32, %d: tensor<128x1xi32, #square>, %e: tensor<1x64xi32, #square>) -> tensor<128x64xf32, #square> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #square>
  %r:3 = scf.for %i = %c0 to %to step %c1 iter_args(%acc = %zero, %p = %a, %q = %b) -> (tensor<128x64xf32, #square>, tensor<128x1x!tt.ptr<f32>, #square>, tensor<1x64x!tt.ptr<f32>, #square>) : i32 {
    %x = tt.load %p : tensor<128x1x!tt.ptr<f32>, #square>
    %y = tt.load %q : tensor<1x64x!tt.ptr<f32>, #square>
    %xx = tt.broadcast %x : tensor<128x1xf32, #square> -> tensor<128x64xf32, #square>
    %yy = tt.broadcast %y : tensor<1x64xf32, #square> -> tensor<128x64xf32, #square>
    %m = arith.mulf %xx, %yy : tensor<128x64xf32, #square>
    %s = arith.addf %acc, %m : tensor<128x64xf32, #square>
    %p1 = tt.addptr %p, %d : tensor<128x1x!tt.ptr<f32>, #square>, tensor<128x1xi32, #square>
    %q1 = tt.addptr %q, %e : tensor<1x64x!tt.ptr<f32>, #square>, tensor<1x64xi32, #square>
    scf.yield %s, %p1, %q1 : tensor<128x64xf32, #square>, tensor<128x1x!tt.ptr<f32>, #square>, tensor<1x64x!tt.ptr<f32>, #square>
  }
  tt.return %r#0 : tensor<128x64xf32, #square>
}

// An own mask stays, with what else is to be loaded; the first loads have both masks.
// CHECK-LABEL: @masked
// CHECK: %[[RUNS:.*]] = arith.cmpi ult
// CHECK: %[[GUARD:.*]] = tt.splat %[[RUNS]] : i1 -> tensor<128x1xi1
// CHECK: %[[BOTH:.*]] = arith.andi %arg2, %[[GUARD]]
// CHECK: tt.load %{{.*}}, %[[BOTH]], %arg3 :
// CHECK: scf.for unsigned
// CHECK: tt.load %{{.*}}, %arg2, %arg3 :
tt.func @masked(%a: tensor<128x1x!tt.ptr<f32>, #square>, %b: tensor<1x64x!tt.ptr<f32>, #square>, %mask: tensor<128x1xi1, #square>, %other: tensor<128x1xf32, #square>, %from: i32, %to: i32) -> tensor<128x64xf32, #square> {
  %c3 = arith.constant 3 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #square>
  %r = scf.for unsigned %i = %from to %to step %c3 iter_args(%acc = %zero) -> (tensor<128x64xf32, #square>) : i32 {
    %ai = tt.splat %i : i32 -> tensor<128x1xi32, #square>
    %ap = tt.addptr %a, %ai : tensor<128x1x!tt.ptr<f32>, #square>, tensor<128x1xi32, #square>
    %x = tt.load %ap, %mask, %other : tensor<128x1x!tt.ptr<f32>, #square>
    %xx = tt.broadcast %x : tensor<128x1xf32, #square> -> tensor<128x64xf32, #square>
    %s = arith.addf %acc, %xx : tensor<128x64xf32, #square>
    scf.yield %s : tensor<128x64xf32, #square>
  }
  tt.return %r : tensor<128x64xf32, #square>
}

// Memory changes in the loop.
// CHECK-LABEL: @store_in_loop
// CHECK-NOT: arith.select
// CHECK: step %c1_i32
// CHECK-NOT: scf.for
tt.func @store_in_loop(%a: tensor<128x1x!tt.ptr<f32>, #square>, %o: tensor<128x1x!tt.ptr<f32>, #square>, %to: i32) -> tensor<128x64xf32, #square> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #square>
  %r = scf.for %i = %c0 to %to step %c1 iter_args(%acc = %zero) -> (tensor<128x64xf32, #square>) : i32 {
    %ai = tt.splat %i : i32 -> tensor<128x1xi32, #square>
    %ap = tt.addptr %a, %ai : tensor<128x1x!tt.ptr<f32>, #square>, tensor<128x1xi32, #square>
    %x = tt.load %ap : tensor<128x1x!tt.ptr<f32>, #square>
    tt.store %o, %x : tensor<128x1x!tt.ptr<f32>, #square>
    %xx = tt.broadcast %x : tensor<128x1xf32, #square> -> tensor<128x64xf32, #square>
    %s = arith.addf %acc, %xx : tensor<128x64xf32, #square>
    scf.yield %s : tensor<128x64xf32, #square>
  }
  tt.return %r : tensor<128x64xf32, #square>
}

// A volatile load is made once an iteration, in its place.
// CHECK-LABEL: @volatile
// CHECK-NOT: arith.select
// CHECK: step %c1_i32
// CHECK-NOT: scf.for
tt.func @volatile(%a: tensor<128x1x!tt.ptr<f32>, #square>, %to: i32) -> tensor<128x64xf32, #square> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #square>
  %r = scf.for %i = %c0 to %to step %c1 iter_args(%acc = %zero) -> (tensor<128x64xf32, #square>) : i32 {
    %ai = tt.splat %i : i32 -> tensor<128x1xi32, #square>
    %ap = tt.addptr %a, %ai : tensor<128x1x!tt.ptr<f32>, #square>, tensor<128x1xi32, #square>
    %x = tt.load %ap {isVolatile = true} : tensor<128x1x!tt.ptr<f32>, #square>
    %xx = tt.broadcast %x : tensor<128x1xf32, #square> -> tensor<128x64xf32, #square>
    %s = arith.addf %acc, %xx : tensor<128x64xf32, #square>
    scf.yield %s : tensor<128x64xf32, #square>
  }
  tt.return %r : tensor<128x64xf32, #square>
}

// The address of one load is what another has loaded.
// CHECK-LABEL: @dependent_address
// CHECK-NOT: arith.select
// CHECK: step %c1_i32
// CHECK-NOT: scf.for
tt.func @dependent_address(%a: tensor<128x1x!tt.ptr<f32>, #square>, %index: !tt.ptr<i32>, %to: i32) -> tensor<128x64xf32, #square> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #square>
  %r = scf.for %i = %c0 to %to step %c1 iter_args(%acc = %zero) -> (tensor<128x64xf32, #square>) : i32 {
    %q = tt.addptr %index, %i : !tt.ptr<i32>, i32
    %at = tt.load %q : !tt.ptr<i32>
    %ai = tt.splat %at : i32 -> tensor<128x1xi32, #square>
    %ap = tt.addptr %a, %ai : tensor<128x1x!tt.ptr<f32>, #square>, tensor<128x1xi32, #square>
    %x = tt.load %ap : tensor<128x1x!tt.ptr<f32>, #square>
    %xx = tt.broadcast %x : tensor<128x1xf32, #square> -> tensor<128x64xf32, #square>
    %s = arith.addf %acc, %xx : tensor<128x64xf32, #square>
    scf.yield %s : tensor<128x64xf32, #square>
  }
  tt.return %r : tensor<128x64xf32, #square>
}

// A carried pointer that follows what is loaded.
// CHECK-LABEL: @dependent_pointer
// CHECK-NOT: arith.select
// CHECK: step %c1_i32
// CHECK-NOT: scf.for
tt.func @dependent_pointer(%a: tensor<128x1x!tt.ptr<i32>, #square>, %to: i32) -> tensor<128x64xf32, #square> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #square>
  %r:2 = scf.for %i = %c0 to %to step %c1 iter_args(%acc = %zero, %p = %a) -> (tensor<128x64xf32, #square>, tensor<128x1x!tt.ptr<i32>, #square>) : i32 {
    %x = tt.load %p : tensor<128x1x!tt.ptr<i32>, #square>
    %n = tt.addptr %p, %x : tensor<128x1x!tt.ptr<i32>, #square>, tensor<128x1xi32, #square>
    %f = arith.sitofp %x : tensor<128x1xi32, #square> to tensor<128x1xf32, #square>
    %xx = tt.broadcast %f : tensor<128x1xf32, #square> -> tensor<128x64xf32, #square>
    %s = arith.addf %acc, %xx : tensor<128x64xf32, #square>
    scf.yield %s, %n : tensor<128x64xf32, #square>, tensor<128x1x!tt.ptr<i32>, #square>
  }
  tt.return %r#0 : tensor<128x64xf32, #square>
}

// Two operations for each element: the loop waits for memory whatever is done.
// CHECK-LABEL: @streaming
// CHECK-NOT: arith.select
// CHECK: step %c1_i32
// CHECK-NOT: scf.for
tt.func @streaming(%a: tensor<512x!tt.ptr<f32>, #line>, %to: i32) -> tensor<512xf32, #line> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<512xf32, #line>
  %r = scf.for %i = %c0 to %to step %c1 iter_args(%acc = %zero) -> (tensor<512xf32, #line>) : i32 {
    %ai = tt.splat %i : i32 -> tensor<512xi32, #line>
    %ap = tt.addptr %a, %ai : tensor<512x!tt.ptr<f32>, #line>, tensor<512xi32, #line>
    %x = tt.load %ap : tensor<512x!tt.ptr<f32>, #line>
    %m = arith.mulf %x, %x : tensor<512xf32, #line>
    %s = arith.addf %acc, %m : tensor<512xf32, #line>
    scf.yield %s : tensor<512xf32, #line>
  }
  tt.return %r : tensor<512xf32, #line>
}

// Six operations for each element, which is loaded by one thread: 1.5 for each byte that memory
// brings. The loop waits for memory as well.
// CHECK-LABEL: @streaming_much
// CHECK-NOT: arith.select
// CHECK: step %c1_i32
// CHECK-NOT: scf.for
tt.func @streaming_much(%a: tensor<512x!tt.ptr<f32>, #line>, %to: i32) -> tensor<512xf32, #line> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<512xf32, #line>
  %r = scf.for %i = %c0 to %to step %c1 iter_args(%acc = %zero) -> (tensor<512xf32, #line>) : i32 {
    %ai = tt.splat %i : i32 -> tensor<512xi32, #line>
    %ap = tt.addptr %a, %ai : tensor<512x!tt.ptr<f32>, #line>, tensor<512xi32, #line>
    %x = tt.load %ap : tensor<512x!tt.ptr<f32>, #line>
    %d = arith.subf %x, %acc : tensor<512xf32, #line>
    %q = arith.divf %d, %x : tensor<512xf32, #line>
    %m = arith.addf %acc, %q : tensor<512xf32, #line>
    %e = arith.subf %x, %m : tensor<512xf32, #line>
    %f = arith.mulf %d, %e : tensor<512xf32, #line>
    %s = arith.addf %acc, %f : tensor<512xf32, #line>
    scf.yield %s : tensor<512xf32, #line>
  }
  tt.return %r : tensor<512xf32, #line>
}

// The loop says that it is one of a single stage.
// CHECK-LABEL: @single_stage
// CHECK-NOT: arith.select
// CHECK: step %c1_i32
// CHECK: {tt.num_stages = 1 : i32}
// CHECK-NOT: scf.for
tt.func @single_stage(%a: tensor<128x1x!tt.ptr<f32>, #square>, %to: i32) -> tensor<128x64xf32, #square> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #square>
  %r = scf.for %i = %c0 to %to step %c1 iter_args(%acc = %zero) -> (tensor<128x64xf32, #square>) : i32 {
    %ai = tt.splat %i : i32 -> tensor<128x1xi32, #square>
    %ap = tt.addptr %a, %ai : tensor<128x1x!tt.ptr<f32>, #square>, tensor<128x1xi32, #square>
    %x = tt.load %ap : tensor<128x1x!tt.ptr<f32>, #square>
    %xx = tt.broadcast %x : tensor<128x1xf32, #square> -> tensor<128x64xf32, #square>
    %s = arith.addf %acc, %xx : tensor<128x64xf32, #square>
    scf.yield %s : tensor<128x64xf32, #square>
  } {tt.num_stages = 1 : i32}
  tt.return %r : tensor<128x64xf32, #square>
}

// 256 registers of sums leave none for loads of two iterations more.
// CHECK-LABEL: @many_registers
// CHECK-NOT: arith.select
// CHECK: step %c1_i32
// CHECK-NOT: scf.for
tt.func @many_registers(%a: tensor<128x1x!tt.ptr<f32>, #square>, %b: tensor<1x256x!tt.ptr<f32>, #square>, %to: i32) -> tensor<128x256xf32, #square> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x256xf32, #square>
  %r = scf.for %i = %c0 to %to step %c1 iter_args(%acc = %zero) -> (tensor<128x256xf32, #square>) : i32 {
    %ai = tt.splat %i : i32 -> tensor<128x1xi32, #square>
    %ap = tt.addptr %a, %ai : tensor<128x1x!tt.ptr<f32>, #square>, tensor<128x1xi32, #square>
    %x = tt.load %ap : tensor<128x1x!tt.ptr<f32>, #square>
    %xx = tt.broadcast %x : tensor<128x1xf32, #square> -> tensor<128x256xf32, #square>
    %s = arith.addf %acc, %xx : tensor<128x256xf32, #square>
    scf.yield %s : tensor<128x256xf32, #square>
  }
  tt.return %r : tensor<128x256xf32, #square>
}

// All lanes have the same 16 elements of b. Registers of the warp have room for those of twice two
// iterations, registers of each lane for twice four.
// CHECK-LABEL: @same_in_all_lanes
// CHECK: scf.for {{.*}} step %c4_i32
// WARP-LABEL: @outer_product
// WARP: scf.for {{.*}} step %c4_i32
// WARP-LABEL: @same_in_all_lanes
// WARP: scf.for {{.*}} step %c2_i32
tt.func @same_in_all_lanes(%a: tensor<512x1x!tt.ptr<f32>, #rows>, %b: tensor<1x16x!tt.ptr<f32>, #rows>, %to: i32) -> tensor<512x16xf32, #rows> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<512x16xf32, #rows>
  %r = scf.for %i = %c0 to %to step %c1 iter_args(%acc = %zero) -> (tensor<512x16xf32, #rows>) : i32 {
    %x = tt.load %a : tensor<512x1x!tt.ptr<f32>, #rows>
    %y = tt.load %b : tensor<1x16x!tt.ptr<f32>, #rows>
    %xx = tt.broadcast %x : tensor<512x1xf32, #rows> -> tensor<512x16xf32, #rows>
    %yy = tt.broadcast %y : tensor<1x16xf32, #rows> -> tensor<512x16xf32, #rows>
    %p = arith.mulf %xx, %yy : tensor<512x16xf32, #rows>
    %s = arith.addf %acc, %p : tensor<512x16xf32, #rows>
    scf.yield %s : tensor<512x16xf32, #rows>
  }
  tt.return %r : tensor<512x16xf32, #rows>
}

}
