// RUN: tilewright-opt %s --split-input-file --convert-triton-gpu-to-llvm --verify-diagnostics

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1201"} {
  tt.func public @one_barrier() {
    // expected-note@+2 {{compile the kernel without warp specialization}}
    // expected-error@below {{'ttg.warp_specialize' op cannot be lowered for hip:gfx1201, whose blocks have one barrier, of all their warps}}
    ttg.warp_specialize()
    default {
      ttg.warp_yield
    }
    partition0() num_warps(4) {
      ttg.warp_return
    } : () -> ()
    tt.return
  }
}

// -----

#v = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func public @captured_tensor(%x: i32) {
    %t = tt.splat %x : i32 -> tensor<128xi32, #v>
    // expected-note@+2 {{store it in shared memory, and hand them that}}
    // expected-error@below {{hands its partitions a tensor, whose layout is for the warps of the default region}}
    ttg.warp_specialize(%t)
    default {
      ttg.warp_yield
    }
    partition0(%p: tensor<128xi32, #v>) num_warps(4) {
      ttg.warp_return
    } : (tensor<128xi32, #v>) -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func public @same_warps() {
    // expected-error@below {{gives warps 5 .. 5 to partition 1, of which others have some}}
    ttg.warp_specialize() attributes {warpGroupStartIds = array<i32: 4, 5>}
    default {
      ttg.warp_yield
    }
    partition0() num_warps(2) {
      ttg.warp_return
    }
    partition1() num_warps(1) {
      ttg.warp_return
    } : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 16 : i32, ttg.target = "cuda:90"} {
  tt.func public @too_many_warps() {
    // expected-error@below {{gives partition 1 the 1 warps from number 32 on, but a block has at most 32 warps on cuda:90}}
    ttg.warp_specialize()
    default {
      ttg.warp_yield
    }
    partition0() num_warps(16) {
      ttg.warp_return
    }
    partition1() num_warps(1) {
      ttg.warp_return
    } : () -> ()
    tt.return
  }
}

// -----

// expected-error@below {{ttg.total-num-warps is 64, which must be at most 32 for cuda:90}}
module attributes {"ttg.num-warps" = 4 : i32, "ttg.total-num-warps" = 64 : i32, ttg.target = "cuda:90"} {
}

// -----

#v = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func public @layout_for_others(%x: i32) {
    ttg.warp_specialize(%x)
    default {
      ttg.warp_yield
    }
    partition0(%y: i32) num_warps(2) {
      // expected-note@+2 {{give it a layout for as many}}
      // expected-error@below {{has a tensor whose layout is for 4 warps of 32 threads, but the partition has 2 of 32}}
      %t = tt.splat %y : i32 -> tensor<128xi32, #v>
      ttg.warp_return
    } : (i32) -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func private @callee() {
    // expected-error@below {{cannot be lowered in a function that is called: the kernel's warps are divided where it begins}}
    ttg.warp_specialize()
    default {
      ttg.warp_yield
    }
    partition0() num_warps(4) {
      ttg.warp_return
    } : () -> ()
    tt.return
  }
  tt.func public @calls() {
    ttg.warp_specialize()
    default {
      ttg.warp_yield
    }
    partition0() num_warps(4) {
      // expected-note@+2 {{inline the call}}
      // expected-error@below {{cannot be lowered in a partition: functions are compiled for the warps of the default region}}
      tt.call @callee() : () -> ()
      ttg.warp_return
    } : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:90"} {
  tt.func public @too_many_partitions() {
    // expected-note@+2 {{divide the work among fewer partitions}}
    // expected-error@below {{cannot be lowered for cuda:90, whose blocks have 16 barriers: 15 partitions need 17}}
    ttg.warp_specialize()
    default {
      ttg.warp_yield
    }
    partition0() num_warps(1) {
      ttg.warp_return
    }
    partition1() num_warps(1) {
      ttg.warp_return
    }
    partition2() num_warps(1) {
      ttg.warp_return
    }
    partition3() num_warps(1) {
      ttg.warp_return
    }
    partition4() num_warps(1) {
      ttg.warp_return
    }
    partition5() num_warps(1) {
      ttg.warp_return
    }
    partition6() num_warps(1) {
      ttg.warp_return
    }
    partition7() num_warps(1) {
      ttg.warp_return
    }
    partition8() num_warps(1) {
      ttg.warp_return
    }
    partition9() num_warps(1) {
      ttg.warp_return
    }
    partition10() num_warps(1) {
      ttg.warp_return
    }
    partition11() num_warps(1) {
      ttg.warp_return
    }
    partition12() num_warps(1) {
      ttg.warp_return
    }
    partition13() num_warps(1) {
      ttg.warp_return
    }
    partition14() num_warps(1) {
      ttg.warp_return
    } : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func public @not_placed() {
    // expected-note@+2 {{run allocate-shared-memory first}}
    // expected-error@below {{cannot be lowered for cuda:90 without shared memory to hand its partitions what they take}}
    ttg.warp_specialize()
    default {
      ttg.warp_yield
    }
    partition0() num_warps(4) {
      ttg.warp_return
    } : () -> ()
    tt.return
  }
}
