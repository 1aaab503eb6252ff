// RUN: tilewright-opt --tilewright-nvidia-partition-registers --split-input-file %s | FileCheck %s

// One warp and four ask for registers: the four begin a group, the one shares its own with three
// that have nothing to do. 12 warps begin with 128 registers; the default group has what is left of
// them, as far as instructions can name it.

// CHECK: "ttg.total-num-warps" = 12 : i32
// CHECK-LABEL: @two_partitions
// CHECK: ttg.warp_specialize(%{{.*}}) attributes {warpGroupStartIds = array<i32: 8, 4, 9, 10>}
// CHECK: default {
// CHECK-NEXT: ttng.set_registers 248 {isMore}
// CHECK: partition0(%{{.*}}: i32) num_warps(1) {
// CHECK-NEXT: ttng.set_registers 24
// CHECK: partition1(%{{.*}}: i32) num_warps(4) {
// CHECK-NEXT: ttng.set_registers 40
// CHECK: partition2(%{{.*}}: i32) num_warps(1) {
// CHECK-NEXT: ttng.set_registers 24
// CHECK-NEXT: ttg.warp_return
// CHECK: partition3(%{{.*}}: i32) num_warps(2) {
// CHECK-NEXT: ttng.set_registers 24
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90", ttg.maxnreg = 128 : i32} {
  tt.func @two_partitions(%a: i32) {
    ttg.warp_specialize(%a) attributes {requestedRegisters = array<i32: 24, 36>}
    default {
      ttg.warp_yield
    }
    partition0(%x: i32) num_warps(1) {
      ttg.warp_return
    }
    partition1(%x: i32) num_warps(4) {
      ttg.warp_return
    } : (i32) -> ()
    tt.return
  }
}

// -----

// What the block has is not enough for what the partition asks for: nothing is changed.

// CHECK-LABEL: @too_many
// CHECK: requestedRegisters = array<i32: 240>
// CHECK-NOT: ttng.set_registers
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90", ttg.maxnreg = 128 : i32} {
  tt.func @too_many(%a: i32) {
    ttg.warp_specialize(%a) attributes {requestedRegisters = array<i32: 240>}
    default {
      ttg.warp_yield
    }
    partition0(%x: i32) num_warps(4) {
      ttg.warp_return
    } : (i32) -> ()
    tt.return
  }
}

// -----

// A group of two warps cannot hand registers on, and other machines cannot at all.

// CHECK-LABEL: @two_warps
// CHECK-NOT: ttng.set_registers
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  tt.func @two_warps(%a: i32) {
    ttg.warp_specialize(%a) attributes {requestedRegisters = array<i32: 24>}
    default {
      ttg.warp_yield
    }
    partition0(%x: i32) num_warps(2) {
      ttg.warp_return
    } : (i32) -> ()
    tt.return
  }
}
