// RUN: tilewright-opt %s --tritongpu-assign-latencies --tritongpu-schedule-loops --tritongpu-pipeline --tilewright-nvidia-async-dots --canonicalize --cse | FileCheck %s
// RUN: tilewright-opt %s --tritongpu-assign-latencies --tritongpu-schedule-loops --tritongpu-pipeline --tilewright-nvidia-async-dots --canonicalize --cse --convert-scf-to-cf --allocate-shared-memory | FileCheck %s --check-prefix=BARRIERS

// CHECK-DAG: #[[ROWS:.*]] = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
// CHECK-DAG: #[[BYTES:.*]] = #ttg.swizzled_shared<{vec = 16, perPhase = 2, maxPhase = 8, order = [1, 0]}>

// Products that read shared memory themselves and run on into the next iteration: two copies are
// under way, one buffer is read by the present product and one by that of the iteration before. Views
// of the buffers say that their memory changes.
// CHECK-LABEL: @product
// CHECK-COUNT-2: ttg.local_alloc : () -> !ttg.memdesc<4x64x64xf16,
// CHECK: scf.for
// CHECK: ttg.async_wait %{{.*}}, %{{.*}} {num = 2 : i32}
// CHECK-COUNT-2: ttg.async_copy_global_to_local
// CHECK: ttg.memdesc_trans {{.*}} -> !ttg.memdesc<64x64xf16, #{{.*}}, #smem, mutable>
// CHECK: ttng.warp_group_dot {{.*}}isAsync = true
// CHECK-NEXT: ttng.warp_group_dot_wait {{.*}}pendings = 1 : i32
// CHECK-NEXT: scf.yield
// CHECK: ttng.warp_group_dot_wait {{.*}}pendings = 0 : i32
// CHECK-NEXT: ttg.async_wait {num = 0 : i32}
// CHECK-COUNT-2: ttg.local_dealloc

// BARRIERS: ttg.async_wait {{.*}} {num = 2 : i32}
// BARRIERS: ttg.barrier local
// BARRIERS-NOT: ttg.barrier
// BARRIERS: cf.br

#a = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#s = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#st = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!pa = tensor<64x64x!tt.ptr<f16>, #a>
#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma32 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 8]}>
#wanted = #ttg.linear<{register = [[0, 8], [4, 0], [8, 0], [16, 0], [0, 64]], lane = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 16], [0, 32]], block = []}>
#ft = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 32}>
!pb = tensor<32x128x!tt.ptr<f32>, #b>
#b8 = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma8 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 32]}>
#pairs = #ttg.blocked<{sizePerThread = [4, 2], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#v4 = #ttg.linear<{register = [[1, 0, 0, 0], [2, 0, 0, 0], [0, 0, 0, 1], [16, 0, 0, 0], [32, 0, 0, 0], [0, 4, 0, 0]], lane = [[4, 0, 0, 0], [8, 0, 0, 0], [0, 0, 1, 0], [0, 0, 2, 0], [0, 0, 4, 0]], warp = [[0, 1, 0, 0], [0, 2, 0, 0]], block = []}>
#w4 = #ttg.linear<{register = [[0, 0, 0, 1], [0, 0, 0, 2], [0, 1, 0, 0], [0, 0, 0, 16], [0, 0, 0, 32], [4, 0, 0, 0]], lane = [[0, 0, 0, 4], [0, 0, 0, 8], [0, 0, 1, 0], [0, 0, 2, 0], [0, 0, 4, 0]], warp = [[1, 0, 0, 0], [2, 0, 0, 0]], block = []}>
#bt = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 8}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @product(%p: !pa {tt.divisibility = 16 : i32, tt.contiguity = 64 : i32}, %q: !pa {tt.divisibility = 16 : i32, tt.contiguity = 64 : i32}, %n: i32) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %d = arith.constant dense<64> : tensor<64x64xi32, #a>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %u = %p, %v = %q) -> (tensor<64x64xf32, #mma>, !pa, !pa) : i32 {
    %x = tt.load %u : !pa
    %y = tt.load %v : !pa
    %xs = ttg.local_alloc %x : (tensor<64x64xf16, #a>) -> !ttg.memdesc<64x64xf16, #s, #smem>
    %ys = ttg.local_alloc %y : (tensor<64x64xf16, #a>) -> !ttg.memdesc<64x64xf16, #s, #smem>
    %yt = ttg.memdesc_trans %ys {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #s, #smem> -> !ttg.memdesc<64x64xf16, #st, #smem>
    %t = ttng.warp_group_dot %xs, %yt, %acc {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xf16, #s, #smem> * !ttg.memdesc<64x64xf16, #st, #smem> -> tensor<64x64xf32, #mma>
    %un = tt.addptr %u, %d : !pa, tensor<64x64xi32, #a>
    %vn = tt.addptr %v, %d : !pa, tensor<64x64xi32, #a>
    scf.yield %t, %un, %vn : tensor<64x64xf32, #mma>, !pa, !pa
  } {tt.num_stages = 3 : i32}
  tt.return %r#0 : tensor<64x64xf32, #mma>
}

// An operand that goes through registers: it is loaded in the layout that it is wanted in, from rows
// whose parts of 32 bytes change places, so that the eight neighbours along N and the four along K
// that a warp loads at once are in banks of their own. The next iteration writes its registers, so
// the product is waited for, and the copies for iterations to come are begun while it runs.
// CHECK-LABEL: @operand_in_registers
// CHECK: ttg.local_alloc : () -> !ttg.memdesc<4x32x128xf32, #[[ROWS]], #smem, mutable>
// CHECK: scf.for
// CHECK: ttg.async_wait
// CHECK: %[[X:.*]] = ttg.local_load {{.*}} : !ttg.memdesc<32x128xf32, #[[ROWS]], #smem, mutable> -> tensor<32x128xf32, #[[WANTED:.*]]>
// CHECK: %[[T:.*]] = tt.trans %[[X]]
// CHECK: %[[D:.*]] = ttng.warp_group_dot %[[T]], %{{.*}} {{.*}}isAsync = true
// CHECK: ttg.async_copy_global_to_local
// CHECK-NEXT: ttg.async_commit_group
// CHECK-NEXT: %[[W:.*]]:2 = ttng.warp_group_dot_wait %[[D]], %{{.*}} {pendings = 0 : i32}
// CHECK-NEXT: scf.yield %[[W]]#0
// CHECK-NOT: scf.for
// CHECK: tt.return
tt.func public @operand_in_registers(%p: !pb {tt.divisibility = 16 : i32, tt.contiguity = 128 : i32}, %y: !ttg.memdesc<32x64xf32, #ft, #smem>, %n: i32) -> tensor<128x64xf32, #mma32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %d = arith.constant dense<128> : tensor<32x128xi32, #b>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #mma32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %u = %p) -> (tensor<128x64xf32, #mma32>, !pb) : i32 {
    %x = tt.load %u : !pb
    %c = ttg.convert_layout %x : tensor<32x128xf32, #b> -> tensor<32x128xf32, #wanted>
    %t = tt.trans %c {order = array<i32: 1, 0>} : tensor<32x128xf32, #wanted> -> tensor<128x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma32, kWidth = 1}>>
    %z = ttng.warp_group_dot %t, %y, %acc {inputPrecision = 0 : i32} : tensor<128x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma32, kWidth = 1}>> * !ttg.memdesc<32x64xf32, #ft, #smem> -> tensor<128x64xf32, #mma32>
    %un = tt.addptr %u, %d : !pb, tensor<32x128xi32, #b>
    scf.yield %z, %un : tensor<128x64xf32, #mma32>, !pb
  }
  tt.return %r#0 : tensor<128x64xf32, #mma32>
}

// Bytes: a warp loads pairs of 16 along N in four rows at once that are four rows apart. The copies
// behind the product go to a buffer that nothing reads any more: one barrier is enough.
// CHECK-LABEL: @bytes_in_registers
// CHECK: ttg.local_alloc : () -> !ttg.memdesc<4x64x128xi8, #[[BYTES]], #smem, mutable>
// CHECK: ttg.local_load {{.*}} : !ttg.memdesc<64x128xi8, #[[BYTES]], #smem, mutable> ->
// BARRIERS-LABEL: @bytes_in_registers
// BARRIERS: ttg.async_wait {{.*}} {num = 2 : i32}
// BARRIERS: ttg.barrier local
// BARRIERS-NOT: ttg.barrier
// BARRIERS: cf.br
tt.func public @bytes_in_registers(%p: tensor<64x128x!tt.ptr<i8>, #b8> {tt.divisibility = 16 : i32, tt.contiguity = 128 : i32}, %n: i32) -> tensor<128x64xi32, #mma8> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0> : tensor<128x64xi32, #mma8>
  %y = ttg.local_alloc : () -> !ttg.memdesc<64x64xi8, #bt, #smem, mutable>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x64xi32, #mma8>) : i32 {
    %x = tt.load %p : tensor<64x128x!tt.ptr<i8>, #b8>
    %c = ttg.convert_layout %x : tensor<64x128xi8, #b8> -> tensor<64x128xi8, #pairs>
    %v = tt.reshape %c : tensor<64x128xi8, #pairs> -> tensor<64x8x8x2xi8, #v4>
    %w = tt.trans %v {order = array<i32: 1, 3, 2, 0>} : tensor<64x8x8x2xi8, #v4> -> tensor<8x2x8x64xi8, #w4>
    %t = tt.reshape %w : tensor<8x2x8x64xi8, #w4> -> tensor<128x64xi8, #ttg.dot_op<{opIdx = 0, parent = #mma8, kWidth = 4}>>
    %z = ttng.warp_group_dot %t, %y, %acc {inputPrecision = 0 : i32} : tensor<128x64xi8, #ttg.dot_op<{opIdx = 0, parent = #mma8, kWidth = 4}>> * !ttg.memdesc<64x64xi8, #bt, #smem, mutable> -> tensor<128x64xi32, #mma8>
    scf.yield %z : tensor<128x64xi32, #mma8>
  }
  tt.return %r : tensor<128x64xi32, #mma8>
}
}
