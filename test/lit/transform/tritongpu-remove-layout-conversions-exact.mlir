// RUN: tilewright-opt %s --tritongpu-remove-layout-conversions | FileCheck %s --check-prefix=GREEDY
// RUN: tilewright-opt %s --tritongpu-remove-layout-conversions=exact=1 | FileCheck %s --check-prefix=EXACT
// RUN: tilewright-opt %s --test-print-layout-problem=costs-only=1 -o /dev/null | FileCheck %s --check-prefix=COSTS
// RUN: tilewright-opt %s --test-print-layout-problem -o /dev/null | FileCheck %s --check-prefix=PROBLEM

// Nothing that is loaded says in which layout to compute the powers. The first store wants them in
// a layout in which each thread has 32 elements, and so they are computed in it, too. The second
// store's layout has four for each thread: it is cheaper to compute them there and to convert them.
// The greedy solver sees that where one op alone is dear.

#wide = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#tall = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [0, 1]}>
#of_wide = #ttg.slice<{dim = 1, parent = #wide}>
#of_tall = #ttg.slice<{dim = 1, parent = #tall}>

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  // GREEDY-LABEL: tt.func @powers
  // GREEDY: scf.for {{.*}} -> (tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>)
  // GREEDY-NOT: ttg.convert_layout
  // GREEDY: return

  // EXACT-LABEL: tt.func @powers
  // EXACT: scf.for {{.*}} iter_args(%[[ACC:.*]] = {{.*}}) -> (tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>)
  // EXACT: %[[WIDE:.*]] = ttg.convert_layout %[[ACC]]
  // EXACT: tt.store {{.*}}, %[[WIDE]]
  // EXACT: tt.store {{.*}}, %[[ACC]]
  // EXACT-COUNT-12: arith.mulf

  // COSTS: greedy costs: [[#ONE:]], computing {{.*}}, converting 0,
  // COSTS-NEXT: exact costs: [[#TWO:]],
  // COSTS-NEXT: bound: [[#TWO]] proved of 18 variables

  // PROBLEM: problem of powers
  // PROBLEM: layout 1: #ttg.slice
  // PROBLEM: variable 5: Forwards(4, 17) of form 3 in 1 x 8 carried // argument of scf.for
  // PROBLEM: user 0: Anchor(1 in 1, 5 in 1)
  // PROBLEM: convert form 3: 2 -> 1 costs
  // PROBLEM: greedy solution
  // PROBLEM: versions of 5: 1 from 1, 2 from 2
  // PROBLEM: exact solution
  // PROBLEM: versions of 5: 2 from 2{{$}}
  // PROBLEM: converted 5: 2 -> 1
  tt.func @powers(%n: i32, %p: tensor<128x128x!tt.ptr<f32>, #wide>, %q: tensor<128x!tt.ptr<f32>, #of_wide>, %r: tensor<128x!tt.ptr<f32>, #of_tall>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %range = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #of_wide>
    %first = arith.sitofp %range : tensor<128xi32, #of_wide> to tensor<128xf32, #of_wide>
    %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %first) -> (tensor<128xf32, #of_wide>) : i32 {
      tt.store %q, %acc : tensor<128x!tt.ptr<f32>, #of_wide>
      %tall = ttg.convert_layout %acc : tensor<128xf32, #of_wide> -> tensor<128xf32, #of_tall>
      tt.store %r, %tall : tensor<128x!tt.ptr<f32>, #of_tall>
      %f0 = arith.mulf %acc, %acc : tensor<128xf32, #of_wide>
      %f1 = arith.mulf %f0, %acc : tensor<128xf32, #of_wide>
      %f2 = arith.mulf %f1, %acc : tensor<128xf32, #of_wide>
      %f3 = arith.mulf %f2, %acc : tensor<128xf32, #of_wide>
      %f4 = arith.mulf %f3, %acc : tensor<128xf32, #of_wide>
      %f5 = arith.mulf %f4, %acc : tensor<128xf32, #of_wide>
      %f6 = arith.mulf %f5, %acc : tensor<128xf32, #of_wide>
      %f7 = arith.mulf %f6, %acc : tensor<128xf32, #of_wide>
      %f8 = arith.mulf %f7, %acc : tensor<128xf32, #of_wide>
      %f9 = arith.mulf %f8, %acc : tensor<128xf32, #of_wide>
      %f10 = arith.mulf %f9, %acc : tensor<128xf32, #of_wide>
      %f11 = arith.mulf %f10, %acc : tensor<128xf32, #of_wide>
      scf.yield %f11 : tensor<128xf32, #of_wide>
    }
    tt.return
  }

  // GREEDY-LABEL: tt.func @exponentials
  // GREEDY: scf.for {{.*}} iter_args(%[[ACC:.*]] = {{.*}}) -> (tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>)
  // GREEDY: %[[WIDE:.*]] = ttg.convert_layout %[[ACC]]
  // GREEDY: tt.store {{.*}}, %[[WIDE]]
  // GREEDY: tt.store {{.*}}, %[[ACC]]
  // GREEDY-COUNT-1: math.exp

  // COSTS: greedy costs: [[#EXP:]],
  // COSTS-NEXT: exact costs: [[#EXP]],
  tt.func @exponentials(%n: i32, %p: tensor<128x128x!tt.ptr<f32>, #wide>, %q: tensor<128x!tt.ptr<f32>, #of_wide>, %r: tensor<128x!tt.ptr<f32>, #of_tall>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %range = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #of_wide>
    %first = arith.sitofp %range : tensor<128xi32, #of_wide> to tensor<128xf32, #of_wide>
    %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %first) -> (tensor<128xf32, #of_wide>) : i32 {
      tt.store %q, %acc : tensor<128x!tt.ptr<f32>, #of_wide>
      %tall = ttg.convert_layout %acc : tensor<128xf32, #of_wide> -> tensor<128xf32, #of_tall>
      tt.store %r, %tall : tensor<128x!tt.ptr<f32>, #of_tall>
      %next = math.exp %acc : tensor<128xf32, #of_wide>
      scf.yield %next : tensor<128xf32, #of_wide>
    }
    tt.return
  }
}
