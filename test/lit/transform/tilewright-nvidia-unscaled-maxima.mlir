// RUN: tilewright-opt %s --tilewright-nvidia-unscaled-maxima | FileCheck %s

#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#of_rows = #ttg.slice<{dim = 1, parent = #mma}>
#left = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#right = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The left operand takes the scale's sign over, before the loop; the maxima its size.

  // CHECK-LABEL: @scores
  // CHECK-SAME: %[[Q:[^ :]*]]: tensor<64x64xf16, {{.*}}>, %[[S:[^ :]*]]: f32
  // CHECK: %[[BITS:.*]] = arith.bitcast %[[S]] : f32 to i32
  // CHECK: %[[NEGATIVE:.*]] = arith.cmpi slt, %[[BITS]], %{{.*}} : i32
  // CHECK: %[[SIGN:.*]] = arith.select %[[NEGATIVE]]
  // CHECK: %[[SIZE:.*]] = math.absf %[[S]] : f32
  // CHECK: %[[NARROW:.*]] = arith.truncf %[[SIGN]] : f32 to f16
  // CHECK: %[[SIGNS:.*]] = tt.splat %[[NARROW]]
  // CHECK: %[[SIGNED:.*]] = arith.mulf %[[Q]], %[[SIGNS]] : tensor<64x64xf16,
  // CHECK: %[[MEMORY:.*]] = ttg.local_alloc %[[SIGNED]]
  // CHECK: scf.for
  // CHECK: %[[X:.*]] = ttng.warp_group_dot %[[MEMORY]]
  // CHECK: %[[SIZES:.*]] = tt.splat %[[SIZE]]
  // CHECK: %[[T:.*]] = arith.mulf %[[X]], %[[SIZES]]
  // CHECK: %[[MAX:.*]] = "tt.reduce"(%[[X]])
  // CHECK: %[[OF_ROWS:.*]] = tt.splat %[[SIZE]]
  // CHECK: %[[SCALED:.*]] = arith.mulf %[[MAX]], %[[OF_ROWS]]
  // CHECK: arith.maxnumf %{{.*}}, %[[SCALED]]
  // CHECK: arith.subf %[[T]]
  tt.func @scores(%q: tensor<64x64xf16, #rows>, %s: f32, %k: !ttg.memdesc<64x64xf16, #right, #smem>, %n: i32, %m0: tensor<64xf32, #of_rows>) -> tensor<64xf32, #of_rows> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %qm = ttg.local_alloc %q : (tensor<64x64xf16, #rows>) -> !ttg.memdesc<64x64xf16, #left, #smem>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %m0, %l = %m0) -> (tensor<64xf32, #of_rows>, tensor<64xf32, #of_rows>) : i32 {
      %x = ttng.warp_group_dot %qm, %k, %zero {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xf16, #left, #smem> * !ttg.memdesc<64x64xf16, #right, #smem> -> tensor<64x64xf32, #mma>
      %ss = tt.splat %s : f32 -> tensor<64x64xf32, #mma>
      %t = arith.mulf %x, %ss : tensor<64x64xf32, #mma>
      %max = "tt.reduce"(%t) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.maxnumf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<64x64xf32, #mma>) -> tensor<64xf32, #of_rows>
      %m1 = arith.maxnumf %m, %max : tensor<64xf32, #of_rows>
      %m1c = tt.expand_dims %m1 {axis = 1 : i32} : tensor<64xf32, #of_rows> -> tensor<64x1xf32, #mma>
      %m1b = tt.broadcast %m1c : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
      %d = arith.subf %t, %m1b : tensor<64x64xf32, #mma>
      %p = math.exp2 %d : tensor<64x64xf32, #mma>
      %sum = "tt.reduce"(%p) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<64x64xf32, #mma>) -> tensor<64xf32, #of_rows>
      %dm = arith.subf %m, %m1 : tensor<64xf32, #of_rows>
      %alpha = math.exp2 %dm : tensor<64xf32, #of_rows>
      %l0 = arith.mulf %l, %alpha : tensor<64xf32, #of_rows>
      %l1 = arith.addf %l0, %sum : tensor<64xf32, #of_rows>
      scf.yield %m1, %l1 : tensor<64xf32, #of_rows>, tensor<64xf32, #of_rows>
    }
    %log = math.log2 %r#1 : tensor<64xf32, #of_rows>
    %lse = arith.addf %r#0, %log : tensor<64xf32, #of_rows>
    tt.return %lse : tensor<64xf32, #of_rows>
  }

  // The maximum itself is seen, or through sums that forget a NaN, or in other rows' results: those
  // of scaled products would be others for a scale of 0.

  // CHECK-LABEL: @stored
  // CHECK-NOT: math.absf
  tt.func @stored(%q: tensor<64x64xf16, #rows>, %s: f32, %k: !ttg.memdesc<64x64xf16, #right, #smem>, %n: i32, %m0: tensor<64xf32, #of_rows>) -> tensor<64xf32, #of_rows> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %qm = ttg.local_alloc %q : (tensor<64x64xf16, #rows>) -> !ttg.memdesc<64x64xf16, #left, #smem>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %m0, %l = %m0) -> (tensor<64xf32, #of_rows>, tensor<64xf32, #of_rows>) : i32 {
      %x = ttng.warp_group_dot %qm, %k, %zero {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xf16, #left, #smem> * !ttg.memdesc<64x64xf16, #right, #smem> -> tensor<64x64xf32, #mma>
      %ss = tt.splat %s : f32 -> tensor<64x64xf32, #mma>
      %t = arith.mulf %x, %ss : tensor<64x64xf32, #mma>
      %max = "tt.reduce"(%t) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.maxnumf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<64x64xf32, #mma>) -> tensor<64xf32, #of_rows>
      %m1 = arith.maxnumf %m, %max : tensor<64xf32, #of_rows>
      %m1c = tt.expand_dims %m1 {axis = 1 : i32} : tensor<64xf32, #of_rows> -> tensor<64x1xf32, #mma>
      %m1b = tt.broadcast %m1c : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
      %d = arith.subf %t, %m1b : tensor<64x64xf32, #mma>
      %p = math.exp2 %d : tensor<64x64xf32, #mma>
      %sum = "tt.reduce"(%p) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<64x64xf32, #mma>) -> tensor<64xf32, #of_rows>
      %dm = arith.subf %m, %m1 : tensor<64xf32, #of_rows>
      %alpha = math.exp2 %dm : tensor<64xf32, #of_rows>
      %l0 = arith.mulf %l, %alpha : tensor<64xf32, #of_rows>
      %l1 = arith.addf %l0, %sum : tensor<64xf32, #of_rows>
      scf.yield %m1, %l1 : tensor<64xf32, #of_rows>, tensor<64xf32, #of_rows>
    }
    tt.return %r#0 : tensor<64xf32, #of_rows>
  }

  // CHECK-LABEL: @forgets
  // CHECK-NOT: math.absf
  tt.func @forgets(%q: tensor<64x64xf16, #rows>, %s: f32, %k: !ttg.memdesc<64x64xf16, #right, #smem>, %n: i32, %m0: tensor<64xf32, #of_rows>) -> tensor<64xf32, #of_rows> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %qm = ttg.local_alloc %q : (tensor<64x64xf16, #rows>) -> !ttg.memdesc<64x64xf16, #left, #smem>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %m0, %l = %m0) -> (tensor<64xf32, #of_rows>, tensor<64xf32, #of_rows>) : i32 {
      %x = ttng.warp_group_dot %qm, %k, %zero {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xf16, #left, #smem> * !ttg.memdesc<64x64xf16, #right, #smem> -> tensor<64x64xf32, #mma>
      %ss = tt.splat %s : f32 -> tensor<64x64xf32, #mma>
      %t = arith.mulf %x, %ss : tensor<64x64xf32, #mma>
      %max = "tt.reduce"(%t) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.maxnumf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<64x64xf32, #mma>) -> tensor<64xf32, #of_rows>
      %m1 = arith.maxnumf %m, %max : tensor<64xf32, #of_rows>
      %m1c = tt.expand_dims %m1 {axis = 1 : i32} : tensor<64xf32, #of_rows> -> tensor<64x1xf32, #mma>
      %m1b = tt.broadcast %m1c : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
      %d = arith.subf %t, %m1b : tensor<64x64xf32, #mma>
      %p = math.exp2 %d : tensor<64x64xf32, #mma>
      %sum = "tt.reduce"(%p) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<64x64xf32, #mma>) -> tensor<64xf32, #of_rows>
      %dm = arith.subf %m, %m1 : tensor<64xf32, #of_rows>
      %alpha = math.exp2 %dm : tensor<64xf32, #of_rows>
      %l0 = arith.mulf %l, %alpha : tensor<64xf32, #of_rows>
      %l1 = arith.maxnumf %l0, %sum : tensor<64xf32, #of_rows>
      scf.yield %m1, %l1 : tensor<64xf32, #of_rows>, tensor<64xf32, #of_rows>
    }
    %log = math.log2 %r#1 : tensor<64xf32, #of_rows>
    %lse = arith.addf %r#0, %log : tensor<64xf32, #of_rows>
    tt.return %lse : tensor<64xf32, #of_rows>
  }

  // CHECK-LABEL: @other_rows
  // CHECK-NOT: math.absf
  tt.func @other_rows(%q: tensor<64x64xf16, #rows>, %s: f32, %k: !ttg.memdesc<64x64xf16, #right, #smem>, %n: i32, %m0: tensor<64xf32, #of_rows>) -> tensor<64xf32, #of_rows> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %qm = ttg.local_alloc %q : (tensor<64x64xf16, #rows>) -> !ttg.memdesc<64x64xf16, #left, #smem>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %m0, %l = %m0) -> (tensor<64xf32, #of_rows>, tensor<64xf32, #of_rows>) : i32 {
      %x = ttng.warp_group_dot %qm, %k, %zero {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xf16, #left, #smem> * !ttg.memdesc<64x64xf16, #right, #smem> -> tensor<64x64xf32, #mma>
      %ss = tt.splat %s : f32 -> tensor<64x64xf32, #mma>
      %t = arith.mulf %x, %ss : tensor<64x64xf32, #mma>
      %max = "tt.reduce"(%t) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.maxnumf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<64x64xf32, #mma>) -> tensor<64xf32, #of_rows>
      %m1 = arith.maxnumf %m, %max : tensor<64xf32, #of_rows>
      %m1c = tt.expand_dims %m1 {axis = 1 : i32} : tensor<64xf32, #of_rows> -> tensor<64x1xf32, #mma>
      %m1b = tt.broadcast %m1c : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
      %d = arith.subf %t, %m1b : tensor<64x64xf32, #mma>
      %p = math.exp2 %d : tensor<64x64xf32, #mma>
      %sum = "tt.reduce"(%p) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<64x64xf32, #mma>) -> tensor<64xf32, #of_rows>
      %dm = arith.subf %m, %m1 : tensor<64xf32, #of_rows>
      %alpha = math.exp2 %dm : tensor<64xf32, #of_rows>
      %l0 = arith.mulf %l, %alpha : tensor<64xf32, #of_rows>
      %l1 = arith.addf %l0, %sum : tensor<64xf32, #of_rows>
      scf.yield %m1, %l1 : tensor<64xf32, #of_rows>, tensor<64xf32, #of_rows>
    }
    %log = math.log2 %r#1 : tensor<64xf32, #of_rows>
    %all = "tt.reduce"(%r#0) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.maxnumf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<64xf32, #of_rows>) -> f32
    %any = tt.splat %all : f32 -> tensor<64xf32, #of_rows>
    %lse = arith.addf %any, %log : tensor<64xf32, #of_rows>
    tt.return %lse : tensor<64xf32, #of_rows>
  }

  // A scale that iterations compute stays where it is.

  // CHECK-LABEL: @changing
  // CHECK-NOT: math.absf
  tt.func @changing(%q: tensor<64x64xf16, #rows>, %s0: f32, %k: !ttg.memdesc<64x64xf16, #right, #smem>, %n: i32, %m0: tensor<64xf32, #of_rows>) -> tensor<64xf32, #of_rows> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %qm = ttg.local_alloc %q : (tensor<64x64xf16, #rows>) -> !ttg.memdesc<64x64xf16, #left, #smem>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %m0, %s = %s0) -> (tensor<64xf32, #of_rows>, f32) : i32 {
      %x = ttng.warp_group_dot %qm, %k, %zero {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xf16, #left, #smem> * !ttg.memdesc<64x64xf16, #right, #smem> -> tensor<64x64xf32, #mma>
      %ss = tt.splat %s : f32 -> tensor<64x64xf32, #mma>
      %t = arith.mulf %x, %ss : tensor<64x64xf32, #mma>
      %max = "tt.reduce"(%t) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.maxnumf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<64x64xf32, #mma>) -> tensor<64xf32, #of_rows>
      %m1 = arith.maxnumf %m, %max : tensor<64xf32, #of_rows>
      %s1 = arith.addf %s, %s : f32
      scf.yield %m1, %s1 : tensor<64xf32, #of_rows>, f32
    }
    tt.return %r#0 : tensor<64xf32, #of_rows>
  }
}
