// RUN: tilewright-opt %s --tilewright-transpose-loads | FileCheck %s
// RUN: tilewright-opt %s --tilewright-transpose-loads --allocate-shared-memory --convert-triton-gpu-to-llvm | FileCheck %s --check-prefix=LLVM

// What is loaded by rows and stored by columns is transposed by the load.

#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [0, 1]}>
#byColumns = #ttg.shared_linear<{offset = [[1, 0], [2, 0], [4, 0], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]}, alignment = 16>
#byRows = #ttg.shared_linear<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0]]}, alignment = 16>
#smem = #ttg.shared_memory

// CHECK: #[[COLUMNS:.*]] = #ttg.linear<{register = {{\[\[}}1, 0], [2, 0], [4, 0]], lane = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [], block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx1201", "ttg.threads-per-warp" = 32 : i32} {

// CHECK-LABEL: @transposed
// CHECK: %[[X:.*]] = tt.load %{{.*}} {{{.*}}ttg.transposing
// CHECK: %[[Y:.*]] = ttg.convert_layout %[[X]] {ttg.transposing} : {{.*}} -> tensor<8x32xf16, #[[COLUMNS]]>
// CHECK: ttg.local_store %[[Y]]
// LLVM-LABEL: @transposed
// LLVM: llvm.call_intrinsic "llvm.amdgcn.global.load.tr.b128"(%{{.*}}) : (!llvm.ptr<1>) -> vector<8xi16>
// LLVM-NOT: llvm.load
// LLVM: llvm.store %{{.*}} : vector<8xf16>, !llvm.ptr<3>
tt.func private @transposed(%p: tensor<8x32x!tt.ptr<f16>, #rows>) attributes {noinline = true} {
  %m = ttg.local_alloc : () -> !ttg.memdesc<8x32xf16, #byColumns, #smem, mutable>
  %x = tt.load %p {ttg.access_width = array<i32: 1, 8>} : tensor<8x32x!tt.ptr<f16>, #rows>
  ttg.local_store %x, %m : tensor<8x32xf16, #rows> -> !ttg.memdesc<8x32xf16, #byColumns, #smem, mutable>
  tt.return
}

// Lanes that a mask turns off load zeros.
// LLVM-LABEL: @masked
// LLVM: %[[ZEROS:.*]] = llvm.mlir.addressof @zeros : !llvm.ptr<1>
// LLVM: %[[POINTER:.*]] = llvm.select %{{.*}}, %{{.*}}, %[[ZEROS]] : i1, !llvm.ptr<1>
// LLVM: llvm.call_intrinsic "llvm.amdgcn.global.load.tr.b128"(%[[POINTER]])
tt.func private @masked(%p: tensor<8x32x!tt.ptr<f16>, #rows>, %mask: tensor<8x32xi1, #rows>) attributes {noinline = true} {
  %m = ttg.local_alloc : () -> !ttg.memdesc<8x32xf16, #byColumns, #smem, mutable>
  %x = tt.load %p, %mask {ttg.access_width = array<i32: 1, 8>} : tensor<8x32x!tt.ptr<f16>, #rows>
  ttg.local_store %x, %m : tensor<8x32xf16, #rows> -> !ttg.memdesc<8x32xf16, #byColumns, #smem, mutable>
  tt.return
}

// Not what is stored by rows, what one access does not take, what has another value where it is
// masked off, or is used again.
// CHECK-LABEL: @others
// CHECK-NOT: transposing
// CHECK: tt.return
tt.func private @others(%p: tensor<8x32x!tt.ptr<f16>, #rows>, %mask: tensor<8x32xi1, #rows>, %other: tensor<8x32xf16, #rows>) -> tensor<8x32xf16, #rows> attributes {noinline = true} {
  %m = ttg.local_alloc : () -> !ttg.memdesc<8x32xf16, #byColumns, #smem, mutable>
  %r = ttg.local_alloc : () -> !ttg.memdesc<8x32xf16, #byRows, #smem, mutable>
  %x = tt.load %p {ttg.access_width = array<i32: 1, 8>} : tensor<8x32x!tt.ptr<f16>, #rows>
  ttg.local_store %x, %r : tensor<8x32xf16, #rows> -> !ttg.memdesc<8x32xf16, #byRows, #smem, mutable>
  %y = tt.load %p {ttg.access_width = array<i32: 1, 4>} : tensor<8x32x!tt.ptr<f16>, #rows>
  ttg.local_store %y, %m : tensor<8x32xf16, #rows> -> !ttg.memdesc<8x32xf16, #byColumns, #smem, mutable>
  %z = tt.load %p, %mask, %other {ttg.access_width = array<i32: 1, 8>} : tensor<8x32x!tt.ptr<f16>, #rows>
  ttg.local_store %z, %m : tensor<8x32xf16, #rows> -> !ttg.memdesc<8x32xf16, #byColumns, #smem, mutable>
  %u = tt.load %p {ttg.access_width = array<i32: 1, 8>} : tensor<8x32x!tt.ptr<f16>, #rows>
  ttg.local_store %u, %m : tensor<8x32xf16, #rows> -> !ttg.memdesc<8x32xf16, #byColumns, #smem, mutable>
  tt.return %u : tensor<8x32xf16, #rows>
}
}
