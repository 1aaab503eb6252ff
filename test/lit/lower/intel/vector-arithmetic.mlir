// RUN: tilewright-opt %s --split-input-file --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

// Other targets compute element by element.
// RUN: sed -e '/^\/\/ -----/,$d' -e "s/xpu:bmg/cuda:90/" -e "s/threads-per-warp\" = 16/threads-per-warp\" = 32/" -e "s/threadsPerWarp = \[16\]/threadsPerWarp = [32]/" -e "s/128/256/g" %s | tilewright-opt --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s --check-prefix=SINGLE

#rows = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [16], warpsPerCTA = [1], order = [0]}>

module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttg.target = "xpu:bmg"} {
  // What is loaded as a vector is computed and stored as one; a scalar is spread once for all.
  // CHECK-LABEL: @scale
  // CHECK: %[[X:.*]] = llvm.load {{.*}} -> vector<4xf32>
  // CHECK: %[[Y:.*]] = llvm.load {{.*}} -> vector<4xf32>
  // CHECK: %[[FIRST:.*]] = llvm.insertelement %{{.*}}, %{{.*}} : vector<4xf32>
  // CHECK-NEXT: %[[S:.*]] = llvm.shufflevector %[[FIRST]], %[[FIRST]] [0, 0, 0, 0]
  // CHECK: llvm.fmul %[[X]], %[[S]] {{.*}} : vector<4xf32>
  // CHECK: llvm.fmul %[[Y]], %[[S]] {{.*}} : vector<4xf32>
  // CHECK-NOT: llvm.insertelement
  // CHECK: %[[LOW:.*]] = llvm.fptrunc {{.*}} : vector<4xf32> to vector<4xf16>
  // CHECK: %[[HIGH:.*]] = llvm.fptrunc {{.*}} : vector<4xf32> to vector<4xf16>
  // CHECK: %[[ALL:.*]] = llvm.shufflevector %[[LOW]], %[[HIGH]] [0, 1, 2, 3, 4, 5, 6, 7]
  // CHECK-NEXT: llvm.store %[[ALL]]
  // SINGLE-LABEL: @scale
  // SINGLE-COUNT-8: llvm.fmul {{.*}} : f32
  tt.func public @scale(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %s: f32, %q: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #rows>
    %base = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #rows>
    %from = tt.addptr %base, %i : tensor<128x!tt.ptr<f32>, #rows>, tensor<128xi32, #rows>
    %x = tt.load %from : tensor<128x!tt.ptr<f32>, #rows>
    %ss = tt.splat %s : f32 -> tensor<128xf32, #rows>
    %y = arith.mulf %x, %ss : tensor<128xf32, #rows>
    %z = arith.truncf %y : tensor<128xf32, #rows> to tensor<128xf16, #rows>
    %qs = tt.splat %q : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>, #rows>
    %to = tt.addptr %qs, %i : tensor<128x!tt.ptr<f16>, #rows>, tensor<128xi32, #rows>
    tt.store %to, %z : tensor<128x!tt.ptr<f16>, #rows>
    tt.return
  }

  // Numbers that are computed one by one stay so: to put vectors together would take as many
  // operations.
  // CHECK-LABEL: @one_by_one
  // CHECK-NOT: vector<{{[248]}}xi32>
  // CHECK: llvm.return
  tt.func public @one_by_one(%s: i32, %q: !tt.ptr<i32>) {
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #rows>
    %ss = tt.splat %s : i32 -> tensor<128xi32, #rows>
    %y = arith.muli %i, %ss : tensor<128xi32, #rows>
    %qs = tt.splat %q : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #rows>
    %to = tt.addptr %qs, %y : tensor<128x!tt.ptr<i32>, #rows>, tensor<128xi32, #rows>
    tt.store %to, %i : tensor<128x!tt.ptr<i32>, #rows>
    tt.return
  }

  // Eight numbers of e4m3 become f16 by operations on four words.
  // CHECK-LABEL: @widen
  // CHECK: %[[BYTES:.*]] = llvm.load {{.*}} -> vector<8xi8>
  // CHECK: llvm.zext %[[BYTES]] : vector<8xi8> to vector<8xi16>
  // CHECK: llvm.bitcast {{.*}} : vector<8xi16> to vector<4xi32>
  // CHECK: llvm.fmul {{.*}} : vector<8xf16>
  // CHECK-NOT: llvm.insertelement
  // CHECK: llvm.store {{.*}} vector<8xf16>
  tt.func public @widen(%p: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #rows>
    %base = tt.splat %p : !tt.ptr<f8E4M3FN> -> tensor<128x!tt.ptr<f8E4M3FN>, #rows>
    %from = tt.addptr %base, %i : tensor<128x!tt.ptr<f8E4M3FN>, #rows>, tensor<128xi32, #rows>
    %x = tt.load %from : tensor<128x!tt.ptr<f8E4M3FN>, #rows>
    %y = tt.fp_to_fp %x : tensor<128xf8E4M3FN, #rows> -> tensor<128xf16, #rows>
    %qs = tt.splat %q : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>, #rows>
    %to = tt.addptr %qs, %i : tensor<128x!tt.ptr<f16>, #rows>, tensor<128xi32, #rows>
    tt.store %to, %y : tensor<128x!tt.ptr<f16>, #rows>
    tt.return
  }
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>

// Loops carry sums of products as the vectors that products take, and what is computed of them in
// between is computed of these.
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttg.target = "xpu:bmg"} {
  // CHECK-LABEL: @sums
  // CHECK: llvm.br ^[[HEADER:.*]](%{{.*}}, %{{.*}} : i32, vector<8xf32>)
  // CHECK: ^[[HEADER]](%{{.*}}: i32, %[[SUM:.*]]: vector<8xf32>):
  // CHECK-NOT: llvm.insertelement %{{.*}} : vector<8xf32>
  // CHECK: llvm.call spir_funccc @{{.*}}intel_sub_group_f16_f16_matrix_mad_k16{{.*}}(%{{.*}}, %{{.*}}, %[[SUM]])
  // CHECK: %[[NEXT:.*]] = llvm.fmul {{.*}} : vector<8xf32>
  // CHECK: llvm.br ^[[HEADER]](%{{.*}}, %[[NEXT]] : i32, vector<8xf32>)
  tt.func private @sums(%n: i32, %a: tensor<8x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>, %b: tensor<16x16xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>) -> tensor<8x16xf32, #mma> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %none = arith.constant dense<0.0> : tensor<8x16xf32, #mma>
    %half = arith.constant dense<0.5> : tensor<8x16xf32, #mma>
    cf.br ^header(%zero, %none : i32, tensor<8x16xf32, #mma>)
  ^header(%i: i32, %sum: tensor<8x16xf32, #mma>):
    %more = arith.cmpi slt, %i, %n : i32
    cf.cond_br %more, ^body, ^end
  ^body:
    %product = tt.dot %a, %b, %sum : tensor<8x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<16x16xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<8x16xf32, #mma>
    %scaled = arith.mulf %product, %half : tensor<8x16xf32, #mma>
    %next = arith.addi %i, %one : i32
    cf.br ^header(%next, %scaled : i32, tensor<8x16xf32, #mma>)
  ^end:
    tt.return %sum : tensor<8x16xf32, #mma>
  }
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>

// A branch passes on an operand of a product as the vector that the product takes.
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttg.target = "xpu:bmg"} {
  // CHECK-LABEL: @chosen
  // CHECK: llvm.cond_br %{{.*}}, ^[[END:.*]](%{{.*}} : vector<8xf16>), ^{{.*}}
  // CHECK: ^[[END]](%[[A:.*]]: vector<8xf16>):
  // CHECK-NOT: llvm.insertelement
  // CHECK: %[[BITS:.*]] = llvm.bitcast %[[A]] : vector<8xf16> to vector<8xi16>
  // CHECK: llvm.call spir_funccc @{{.*}}matrix_mad_k16{{.*}}(%[[BITS]],
  tt.func private @chosen(%which: i1, %a: tensor<8x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>, %b: tensor<16x16xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>) -> tensor<8x16xf32, #mma> {
    %none = arith.constant dense<0.0> : tensor<8x16xf32, #mma>
    %zero = arith.constant dense<0.0> : tensor<8x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
    cf.cond_br %which, ^end(%zero : tensor<8x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>), ^other
  ^other:
    cf.br ^end(%a : tensor<8x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>)
  ^end(%chosen: tensor<8x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>):
    %product = tt.dot %chosen, %b, %none : tensor<8x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<16x16xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<8x16xf32, #mma>
    tt.return %product : tensor<8x16xf32, #mma>
  }
}

// -----

#wide = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>

// A vector of a product's result has eight rows: four of them become one before the lanes exchange
// what they have of each row. What is computed of that is a vector again, in other blocks too.
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttg.target = "xpu:bmg"} {
  // CHECK-LABEL: @rows
  // CHECK-COUNT-4: llvm.call spir_funccc @{{.*}}matrix_mad_k16
  // CHECK-COUNT-3: llvm.intr.maxnum({{.*}}) : (vector<8xf32>, vector<8xf32>)
  // CHECK-NOT: llvm.intr.maxnum
  // CHECK-COUNT-8: llvm.call spir_funccc @_Z20sub_group_reduce_maxf
  // CHECK-COUNT-8: llvm.insertelement {{.*}} : vector<8xf32>
  // CHECK: %[[SQUARES:.*]] = llvm.fmul {{.*}} : vector<8xf32>
  // CHECK: llvm.br ^{{.*}}(%[[SQUARES]] : vector<8xf32>)
  tt.func private @rows(%a: tensor<8x16xf16, #ttg.dot_op<{opIdx = 0, parent = #wide, kWidth = 1}>>, %b: tensor<16x64xf16, #ttg.dot_op<{opIdx = 1, parent = #wide, kWidth = 2}>>) -> tensor<8xf32, #ttg.slice<{dim = 1, parent = #wide}>> {
    %none = arith.constant dense<0.0> : tensor<8x64xf32, #wide>
    %product = tt.dot %a, %b, %none : tensor<8x16xf16, #ttg.dot_op<{opIdx = 0, parent = #wide, kWidth = 1}>> * tensor<16x64xf16, #ttg.dot_op<{opIdx = 1, parent = #wide, kWidth = 2}>> -> tensor<8x64xf32, #wide>
    %most = "tt.reduce"(%product) <{axis = 1 : i32}> ({
    ^bb0(%x: f32, %y: f32):
      %more = arith.maxnumf %x, %y : f32
      tt.reduce.return %more : f32
    }) : (tensor<8x64xf32, #wide>) -> tensor<8xf32, #ttg.slice<{dim = 1, parent = #wide}>>
    %squares = arith.mulf %most, %most : tensor<8xf32, #ttg.slice<{dim = 1, parent = #wide}>>
    cf.br ^end(%squares : tensor<8xf32, #ttg.slice<{dim = 1, parent = #wide}>>)
  ^end(%result: tensor<8xf32, #ttg.slice<{dim = 1, parent = #wide}>>):
    tt.return %result : tensor<8xf32, #ttg.slice<{dim = 1, parent = #wide}>>
  }
}

// -----

#rows = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [4, 4], warpsPerCTA = [1, 1], order = [1, 0]}>
#columns = #ttg.linear<{register = [[1, 0], [2, 0], [0, 1], [0, 2]], lane = [[0, 4], [0, 8], [4, 0], [8, 0]], warp = [], block = []}>

// What is loaded along rows and stored along columns: two steps of four shuffles.
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttg.target = "xpu:bmg"} {
  // CHECK-LABEL: @transpose
  // CHECK-COUNT-4: llvm.load {{.*}} -> vector<4xf32>
  // CHECK: llvm.shufflevector %[[R0:.*]], %[[R1:.*]] [0, 4, 2, 6]
  // CHECK: llvm.shufflevector %[[R0]], %[[R1]] [1, 5, 3, 7]
  // CHECK: llvm.shufflevector %[[R2:.*]], %[[R3:.*]] [0, 4, 2, 6]
  // CHECK: llvm.shufflevector %[[R2]], %[[R3]] [1, 5, 3, 7]
  // CHECK: %[[C0:.*]] = llvm.shufflevector %{{.*}}, %{{.*}} [0, 1, 4, 5]
  // CHECK: %[[C2:.*]] = llvm.shufflevector %{{.*}}, %{{.*}} [2, 3, 6, 7]
  // CHECK: %[[C1:.*]] = llvm.shufflevector %{{.*}}, %{{.*}} [0, 1, 4, 5]
  // CHECK: %[[C3:.*]] = llvm.shufflevector %{{.*}}, %{{.*}} [2, 3, 6, 7]
  // CHECK-NOT: llvm.shufflevector
  // CHECK: llvm.store %[[C0]]
  // CHECK: llvm.store %[[C1]]
  // CHECK: llvm.store %[[C2]]
  // CHECK: llvm.store %[[C3]]
  tt.func public @transpose(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %stride = arith.constant dense<16> : tensor<16x1xi32, #rows>
    %strideOut = arith.constant dense<16> : tensor<1x16xi32, #columns>
    %y0 = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #rows}>>
    %x0 = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #rows}>>
    %y1 = tt.expand_dims %y0 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #rows}>> -> tensor<16x1xi32, #rows>
    %x1 = tt.expand_dims %x0 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #rows}>> -> tensor<1x16xi32, #rows>
    %y2 = arith.muli %y1, %stride : tensor<16x1xi32, #rows>
    %y3 = tt.broadcast %y2 : tensor<16x1xi32, #rows> -> tensor<16x16xi32, #rows>
    %x3 = tt.broadcast %x1 : tensor<1x16xi32, #rows> -> tensor<16x16xi32, #rows>
    %i = arith.addi %y3, %x3 : tensor<16x16xi32, #rows>
    %base = tt.splat %p : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #rows>
    %from = tt.addptr %base, %i : tensor<16x16x!tt.ptr<f32>, #rows>, tensor<16x16xi32, #rows>
    %v = tt.load %from : tensor<16x16x!tt.ptr<f32>, #rows>
    %w = ttg.convert_layout %v : tensor<16x16xf32, #rows> -> tensor<16x16xf32, #columns>
    %s0 = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #columns}>>
    %t0 = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #columns}>>
    %s1 = tt.expand_dims %s0 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #columns}>> -> tensor<16x1xi32, #columns>
    %t1 = tt.expand_dims %t0 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #columns}>> -> tensor<1x16xi32, #columns>
    %t2 = arith.muli %t1, %strideOut : tensor<1x16xi32, #columns>
    %s3 = tt.broadcast %s1 : tensor<16x1xi32, #columns> -> tensor<16x16xi32, #columns>
    %t3 = tt.broadcast %t2 : tensor<1x16xi32, #columns> -> tensor<16x16xi32, #columns>
    %j = arith.addi %s3, %t3 : tensor<16x16xi32, #columns>
    %out = tt.splat %q : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #columns>
    %to = tt.addptr %out, %j : tensor<16x16x!tt.ptr<f32>, #columns>, tensor<16x16xi32, #columns>
    tt.store %to, %w : tensor<16x16x!tt.ptr<f32>, #columns>
    tt.return
  }
}
