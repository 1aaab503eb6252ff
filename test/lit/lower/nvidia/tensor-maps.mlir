// A map is made in shared memory by the first warp: zeros, its fields by one lane, and a copy to its
// place that the whole warp makes. All threads meet that warp before they say that they see the map.
// There is none of a tensor whose address or strides are no multiples of 16 bytes.

// RUN: tilewright-opt %s --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-DAG: llvm.func @tilewright.tensormap.publish(!llvm.ptr<1>, !llvm.ptr<3>) attributes {convergent, no_unwind}
  // CHECK-DAG: llvm.func @tilewright.tensormap.require(i1) attributes {convergent, no_unwind}
  // CHECK-LABEL: @make(
  // CHECK: llvm.cond_br
  // CHECK: llvm.store %{{.*}} : i32, !llvm.ptr<3>
  // CHECK: nvvm.bar.warp.sync
  // CHECK: nvvm.elect.sync
  // CHECK-NEXT: llvm.cond_br
  // CHECK: %[[ADDRESS:.*]] = llvm.ptrtoint %arg1
  // CHECK-NEXT: %[[ALL:.*]] = llvm.or %[[ADDRESS]], %arg3
  // CHECK: %[[REST:.*]] = llvm.and %[[ALL]],
  // CHECK: %[[ALIGNED:.*]] = llvm.icmp "eq" %[[REST]],
  // CHECK-NEXT: llvm.call @tilewright.tensormap.require(%[[ALIGNED]])
  // CHECK: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.global.address.p3"(%[[MAP:.*]], %
  // CHECK: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.rank.p3"(%[[MAP]]
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.box.dim.p3"(%[[MAP]]
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.global.dim.p3"(%[[MAP]]
  // CHECK: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.global.stride.p3"(%[[MAP]]
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.element.stride.p3"(%[[MAP]]
  // CHECK: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.elemtype.p3"(%[[MAP]]
  // CHECK: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.interleave.layout.p3"(%[[MAP]]
  // CHECK: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.swizzle.mode.p3"(%[[MAP]]
  // CHECK: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.fill.mode.p3"(%[[MAP]]
  // CHECK: nvvm.bar.warp.sync
  // CHECK-NEXT: llvm.call @tilewright.tensormap.publish(%arg0, %[[MAP]])
  // CHECK: nvvm.barrier0
  // CHECK: llvm.call_intrinsic "llvm.nvvm.fence.proxy.tensormap_generic.acquire.gpu"
  tt.func public @make(%map: !tt.ptr<i8>, %base: !tt.ptr<f16>, %n: i32, %s: i64) {
    %c64 = arith.constant 64 : i32
    %c1 = arith.constant 1 : i32
    ttng.tensormap_create %map, %base, [%c64, %c64], [%n, %n], [%s], [%c1, %c1] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ttng.tensormap_fenceproxy_acquire %map : !tt.ptr<i8>
    tt.return
  }
}
