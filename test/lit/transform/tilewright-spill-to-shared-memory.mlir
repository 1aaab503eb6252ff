// RUN: tilewright-opt %s --tilewright-spill-to-shared-memory=max-registers=64 | FileCheck %s
// RUN: tilewright-opt %s --tilewright-spill-to-shared-memory | FileCheck %s --check-prefix=FITS

#mma = #ttg.amd_wmma<{version = 2, isTranspose = true, ctaLayout = {warp = []}}>
#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 8}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 8}>

// 256 registers are enough.
// FITS-NOT: ttg.local_alloc

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx1201", "ttg.threads-per-warp" = 32 : i32} {

// The conversion's stores stand before the second loop and its loads after it, in memory as the
// conversion would lay it out.
// CHECK-LABEL: @converted
// CHECK: %[[FIRST:.*]] = scf.for
// CHECK: %[[ROUNDED:.*]] = arith.truncf %[[FIRST]]
// CHECK-NEXT: %[[MEMORY:.*]] = ttg.local_alloc : () -> !ttg.memdesc<32x32xf16, #{{.*}}, #smem, mutable>
// CHECK-NEXT: ttg.local_store %[[ROUNDED]], %[[MEMORY]] : tensor<32x32xf16, #mma>
// CHECK-NEXT: %[[SECOND:.*]] = scf.for
// CHECK-NOT: local_
// CHECK: }
// CHECK: %[[OTHER:.*]] = ttg.convert_layout
// CHECK-NEXT: %[[LOADED:.*]] = ttg.local_load %[[MEMORY]] : {{.*}} -> tensor<32x32xf16, #blocked>
// CHECK-NEXT: ttg.local_dealloc %[[MEMORY]]
// CHECK-NEXT: tt.store %{{.*}}, %[[LOADED]]
// CHECK-NEXT: tt.store %{{.*}}, %[[OTHER]]
tt.func @converted(%x: tensor<32x16xf16, #a>, %y: tensor<16x32xf16, #b>, %to: tensor<32x32x!tt.ptr<f16>, #rows>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #mma>
  %first = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32x32xf32, #mma>) : i32 {
    %d = tt.dot %x, %y, %acc : tensor<32x16xf16, #a> * tensor<16x32xf16, #b> -> tensor<32x32xf32, #mma>
    scf.yield %d : tensor<32x32xf32, #mma>
  }
  %rounded = arith.truncf %first : tensor<32x32xf32, #mma> to tensor<32x32xf16, #mma>
  %converted = ttg.convert_layout %rounded : tensor<32x32xf16, #mma> -> tensor<32x32xf16, #rows>
  %second = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32x32xf32, #mma>) : i32 {
    %d = tt.dot %x, %y, %acc : tensor<32x16xf16, #a> * tensor<16x32xf16, #b> -> tensor<32x32xf32, #mma>
    scf.yield %d : tensor<32x32xf32, #mma>
  }
  %later = arith.truncf %second : tensor<32x32xf32, #mma> to tensor<32x32xf16, #mma>
  %other = ttg.convert_layout %later : tensor<32x32xf16, #mma> -> tensor<32x32xf16, #rows>
  tt.store %to, %converted : tensor<32x32x!tt.ptr<f16>, #rows>
  tt.store %to, %other : tensor<32x32x!tt.ptr<f16>, #rows>
  tt.return
}

// What is not converted lies as its threads have it: lanes next to each other, 16 bytes each.
// CHECK-LABEL: @as_it_is
// CHECK: %[[FIRST:.*]] = scf.for
// CHECK: %[[MEMORY:.*]] = ttg.local_alloc
// CHECK-NEXT: ttg.local_store %[[FIRST]], %[[MEMORY]]
// CHECK-NEXT: scf.for
// CHECK: }
// CHECK: %[[LOADED:.*]] = ttg.local_load %[[MEMORY]] : {{.*}} -> tensor<32x32xf32, #mma>
// CHECK-NEXT: ttg.local_dealloc
// CHECK-NEXT: arith.addf %[[LOADED]], %{{.*}}
tt.func @as_it_is(%x: tensor<32x16xf16, #a>, %y: tensor<16x32xf16, #b>, %n: i32) -> tensor<32x32xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #mma>
  %first = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32x32xf32, #mma>) : i32 {
    %d = tt.dot %x, %y, %acc : tensor<32x16xf16, #a> * tensor<16x32xf16, #b> -> tensor<32x32xf32, #mma>
    scf.yield %d : tensor<32x32xf32, #mma>
  }
  %second = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32x32xf32, #mma>) : i32 {
    %d = tt.dot %x, %y, %acc : tensor<32x16xf16, #a> * tensor<16x32xf16, #b> -> tensor<32x32xf32, #mma>
    scf.yield %d : tensor<32x32xf32, #mma>
  }
  %sum = arith.addf %first, %second : tensor<32x32xf32, #mma>
  tt.return %sum : tensor<32x32xf32, #mma>
}

// The second loop goes on with what the first has: it does not wait.
// CHECK-LABEL: @goes_on
// CHECK-NOT: ttg.local_alloc
tt.func @goes_on(%x: tensor<32x16xf16, #a>, %y: tensor<16x32xf16, #b>, %n: i32) -> tensor<32x32xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #mma>
  %first = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32x32xf32, #mma>) : i32 {
    %d = tt.dot %x, %y, %acc : tensor<32x16xf16, #a> * tensor<16x32xf16, #b> -> tensor<32x32xf32, #mma>
    scf.yield %d : tensor<32x32xf32, #mma>
  }
  %second = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %first) -> (tensor<32x32xf32, #mma>) : i32 {
    %d = tt.dot %x, %y, %acc : tensor<32x16xf16, #a> * tensor<16x32xf16, #b> -> tensor<32x32xf32, #mma>
    scf.yield %d : tensor<32x32xf32, #mma>
  }
  tt.return %second : tensor<32x32xf32, #mma>
}

// 128 KB have no room in the 64 KB of a block.
// CHECK-LABEL: @too_large
// CHECK-NOT: ttg.local_alloc
tt.func @too_large(%x: tensor<32x16xf16, #a>, %y: tensor<16x32xf16, #b>, %n: i32) -> (tensor<256x128xf32, #mma>, tensor<32x32xf32, #mma>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #mma>
  %zeros = arith.constant dense<0.0> : tensor<256x128xf32, #mma>
  %first = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zeros) -> (tensor<256x128xf32, #mma>) : i32 {
    %more = arith.addf %acc, %acc : tensor<256x128xf32, #mma>
    scf.yield %more : tensor<256x128xf32, #mma>
  }
  %second = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32x32xf32, #mma>) : i32 {
    %d = tt.dot %x, %y, %acc : tensor<32x16xf16, #a> * tensor<16x32xf16, #b> -> tensor<32x32xf32, #mma>
    scf.yield %d : tensor<32x32xf32, #mma>
  }
  tt.return %first, %second : tensor<256x128xf32, #mma>, tensor<32x32xf32, #mma>
}

}
