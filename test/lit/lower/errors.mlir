// RUN: tilewright-opt %s --split-input-file --verify-diagnostics --allocate-shared-memory --convert-triton-gpu-to-llvm

// Each error says which op, which target and why.

// expected-error@below {{there is no target "cuda:12", which the module names in ttg.target}}
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:12"} {
}

// -----

// expected-error@below {{cuda:90 has 32 threads in a warp, but ttg.threads-per-warp is 64}}
// expected-note@below {{compile the kernel's Python source or TTIR for cuda:90, or set the attribute}}
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32, ttg.target = "cuda:90"} {
}

// -----

// expected-error@below {{ttg.num-warps is 64, which must be a power of two and at most 32 for cuda:90}}
module attributes {"ttg.num-warps" = 64 : i32, ttg.target = "cuda:90"} {
}

// -----

// expected-error@below {{the tiles of a program that a cluster of 2 blocks runs are whole yet}}
// expected-note@below {{run tilewright-distribute-tiles first}}
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 2 : i32, ttg.target = "cuda:90"} {
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func private @clz(%x: i32) -> i32 {
    // expected-error@below {{'math.ctlz' op cannot be lowered for cuda:90}}
    %y = math.ctlz %x : i32
    tt.return %y : i32
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func private @extern(%x: f32) -> (f32, f32) {
    // expected-error@below {{'tt.extern_elementwise' op cannot be lowered for cuda:90 because of '__nv_tahnf', which is no known function}}
    %a = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_tahnf"} : (f32) -> f32
    // expected-error@below {{because of '__nv_tanh', which is a function of other types}}
    %b = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_tanh"} : (f32) -> f32
    tt.return %a, %b : f32, f32
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // expected-note@+2 {{set it on the module alone}}
  // expected-error@below {{ttg.num-warps of the function is 8, but that of the module is 4}}
  tt.func public @own_warps() attributes {"ttg.num-warps" = 8 : i32} {
    tt.return
  }
}

// -----

#v = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func public @blocks(%x: i32) {
    // expected-note@+2 {{say in CGALayout which part of the tensor each block of the cluster has}}
    // expected-error@below {{has a tensor whose layout is for 1 blocks, but ttg.num-ctas is 2}}
    %t = tt.splat %x : i32 -> tensor<128xi32, #v>
    tt.return
  }
}

// -----

#v = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 8 : i32, ttg.target = "cuda:90"} {
  tt.func public @warps(%x: i32) {
    // expected-note@+2 {{give it a layout for as many, or set ttg.num-warps and ttg.threads-per-warp}}
    // expected-error@below {{has a tensor whose layout is for 4 warps of 32 threads, but the module has 8 of 32}}
    %t = tt.splat %x : i32 -> tensor<128xi32, #v>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func public @plain(%x: i32) {
    // expected-error@below {{has a tensor without a layout: 'tensor<128xi32>'}}
    %t = tt.splat %x : i32 -> tensor<128xi32>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func public @structured(%c: i1) {
    // expected-error@below {{'scf.if' op must be lowered by convert-scf-to-cf before shared memory is allocated}}
    scf.if %c {
    }
    tt.return
  }
}
