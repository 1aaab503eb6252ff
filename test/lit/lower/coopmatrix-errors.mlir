// RUN: tilewright-opt %s --split-input-file --verify-diagnostics --convert-triton-gpu-to-llvm

// What a cooperative matrix cannot be lowered with.

#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  tt.func public @extract(%p: !tt.ptr<f32>) {
    %v = arith.constant 0.0 : f32
    %a = tw.coopmatrix_splat %v : !tw.coopmatrix<4x15xf32, matrix_acc>
    // expected-error @below {{cannot be lowered for cuda:90 with a tensor that does not have element p in lane p}}
    // expected-note @below {{give the tensor as many elements as a warp has lanes, in the layout #ttg.blocked with one element a thread}}
    %t = tw.coopmatrix_extract %a[0] : !tw.coopmatrix<4x15xf32, matrix_acc> -> tensor<32xf32, #blocked>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  tt.func public @apply(%p: !tt.ptr<f32>) {
    %v = arith.constant 0.0 : f32
    %a = tw.coopmatrix_splat %v : !tw.coopmatrix<4x15xf32, matrix_acc>
    // expected-error @below {{cannot be lowered for cuda:90 with tt.store in its function}}
    // expected-note @below {{the function may compute with its arguments, with scalars and with what it loads through pointers}}
    %b = tw.coopmatrix_apply %a : !tw.coopmatrix<4x15xf32, matrix_acc> -> !tw.coopmatrix<4x15xf32, matrix_acc> {
    ^bb0(%row: i32, %col: i32, %x: f32):
      tt.store %p, %x : !tt.ptr<f32>
      tw.coopmatrix_apply.return %x : f32
    }
    tt.return
  }
}

// -----

// expected-error @below {{xpu:pvc has 16 or 32 threads in a warp, but ttg.threads-per-warp is 8}}
// expected-note @below {{compile the kernel's Python source or TTIR for xpu:pvc, or set the attribute}}
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 8 : i32, ttg.target = "xpu:pvc"} {
  tt.func public @sub_group_of_8(%v: f32) {
    %a = tw.coopmatrix_splat %v : !tw.coopmatrix<4x15xf32, matrix_acc>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  tt.func public @registers(%v: f32) {
    // expected-error @below {{has a matrix of 4128 registers in each of 32 lanes, more than 4096: '!tw.coopmatrix<256x516xf32, matrix_acc>'}}
    // expected-note @below {{cut it into smaller matrices}}
    %a = tw.coopmatrix_splat %v : !tw.coopmatrix<256x516xf32, matrix_acc>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  tt.func public @products(%v: f32) {
    %a = tw.coopmatrix_splat %v : !tw.coopmatrix<64x256xf32, matrix_a>
    %b = tw.coopmatrix_splat %v : !tw.coopmatrix<256x65xf32, matrix_b>
    %c = tw.coopmatrix_splat %v : !tw.coopmatrix<64x65xf32, matrix_acc>
    // expected-error @below {{cannot be lowered for cuda:90 by 33280 multiply-adds in each lane, more than 8192}}
    // expected-note @below {{cut the matrices into smaller ones, or use types that a matrix unit takes}}
    %d = tw.coopmatrix_mul_add %a, %b, %c : !tw.coopmatrix<64x256xf32, matrix_a>, !tw.coopmatrix<256x65xf32, matrix_b> -> !tw.coopmatrix<64x65xf32, matrix_acc>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  // expected-error @below {{is a kernel and cannot take a matrix as an argument}}
  tt.func public @argument(%a: !tw.coopmatrix<4x4xf32, matrix_a>) {
    tt.return
  }
}
