// RUN: tilewright-opt %s --allocate-shared-memory | FileCheck %s

// Of barriers with nothing between them that accesses memory the last is left, for the memory of
// all of them.

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @barriers
  // CHECK-NEXT: arith.addi
  // CHECK-NEXT: ttg.barrier local|global_write
  // CHECK-NEXT: tt.store
  // CHECK-NEXT: ttg.barrier global_read
  // CHECK-NEXT: tt.store
  // CHECK-NEXT: cf.cond_br
  // CHECK: ttg.barrier all
  // CHECK-NEXT: cf.br
  // CHECK: ttg.barrier all
  // CHECK-NEXT: tt.return
  tt.func @barriers(%p: !tt.ptr<i32>, %n: i32, %c: i1) {
    ttg.barrier local
    %m = arith.addi %n, %n : i32
    ttg.barrier global_write
    tt.store %p, %m : !tt.ptr<i32>
    ttg.barrier global_read
    tt.store %p, %n : !tt.ptr<i32>
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    ttg.barrier all
    ttg.barrier local
    cf.br ^bb2
  ^bb2:
    ttg.barrier all
    tt.return
  }
}
