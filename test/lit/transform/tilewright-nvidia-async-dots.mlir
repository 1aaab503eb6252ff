// RUN: tilewright-opt %s --tilewright-nvidia-async-dots | FileCheck %s

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#operand = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#i32 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 32]}>
#s = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#s8 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8}>
#smem = #ttg.shared_memory
!as = !ttg.memdesc<3x64x64xf16, #s, #smem, mutable>
!a = !ttg.memdesc<64x64xf16, #s, #smem, mutable>
!bs = !ttg.memdesc<3x64x64xi8, #s8, #smem, mutable>
!b = !ttg.memdesc<64x64xi8, #s8, #smem, mutable>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {

// One of several buffers, a sum that nothing else uses: the wait leaves the product of the present
// iteration. After the loop there is a wait for all.
// CHECK-LABEL: @runs_on
// CHECK: %[[R:.*]] = scf.for
// CHECK: %[[A:.*]] = ttg.memdesc_index
// CHECK: %[[D:.*]] = ttng.warp_group_dot %[[A]], %{{.*}}, %{{.*}} {inputPrecision = 0 : i32, isAsync = true}
// CHECK: %[[W:.*]]:3 = ttng.warp_group_dot_wait %[[D]], %[[A]], %{{.*}} {pendings = 1 : i32}
// CHECK: scf.yield %[[W]]#0
// CHECK: %[[E:.*]] = ttng.warp_group_dot_wait %[[R]] {pendings = 0 : i32}
// CHECK: tt.return %[[E]]
tt.func @runs_on(%as: !as, %b: !a, %n: i32) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %a = ttg.memdesc_index %as[%i] : !as -> !a
    %d = ttng.warp_group_dot %a, %b, %acc {inputPrecision = 0 : i32} : !a * !a -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}

// The sum is read in the iteration: the wait is right behind the product.
// CHECK-LABEL: @read
// CHECK: %[[D:.*]] = ttng.warp_group_dot
// CHECK-NEXT: %[[W:.*]] = ttng.warp_group_dot_wait %[[D]] {pendings = 0 : i32}
// CHECK-NEXT: arith.addf %[[W]], %[[W]]
// CHECK-NOT: ttng.warp_group_dot_wait
tt.func @read(%as: !as, %b: !a, %n: i32) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %a = ttg.memdesc_index %as[%i] : !as -> !a
    %d = ttng.warp_group_dot %a, %b, %acc {inputPrecision = 0 : i32} : !a * !a -> tensor<64x64xf32, #mma>
    %e = arith.addf %d, %d : tensor<64x64xf32, #mma>
    scf.yield %e : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}

// A branch that reads the sum waits for it, and gives another one to go on with.
// CHECK-LABEL: @read_in_branch
// CHECK: %[[R:.*]] = scf.for
// CHECK: %[[D:.*]] = ttng.warp_group_dot {{.*}}isAsync = true
// CHECK-NEXT: %[[W:.*]]:3 = ttng.warp_group_dot_wait %[[D]], {{.*}} {pendings = 1 : i32}
// CHECK: %[[I:.*]] = scf.if
// CHECK-NEXT: %[[E:.*]] = ttng.warp_group_dot_wait %[[W]]#0 {pendings = 0 : i32}
// CHECK-NEXT: tt.store %{{.*}}, %[[E]]
// CHECK-NEXT: scf.yield %cst
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[W]]#0
// CHECK: scf.yield %[[I]]
// CHECK: ttng.warp_group_dot_wait %[[R]] {pendings = 0 : i32}
tt.func @read_in_branch(%as: !as, %b: !a, %n: i32, %p: tensor<64x64x!tt.ptr<f32>, #mma>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %a = ttg.memdesc_index %as[%i] : !as -> !a
    %d = ttng.warp_group_dot %a, %b, %acc {inputPrecision = 0 : i32} : !a * !a -> tensor<64x64xf32, #mma>
    %last = arith.cmpi eq, %i, %c4 : i32
    %next = scf.if %last -> (tensor<64x64xf32, #mma>) {
      tt.store %p, %d : tensor<64x64x!tt.ptr<f32>, #mma>
      scf.yield %zero : tensor<64x64xf32, #mma>
    } else {
      scf.yield %d : tensor<64x64xf32, #mma>
    }
    scf.yield %next : tensor<64x64xf32, #mma>
  }
  tt.return
}

// The sum that the branch reads is that which goes on: the branch gives what its wait has given, as
// the registers would be copied before the wait otherwise.
// CHECK-LABEL: @goes_on_after_branch
// CHECK: %[[W:.*]]:3 = ttng.warp_group_dot_wait {{.*}} {pendings = 1 : i32}
// CHECK: %[[I:.*]] = scf.if
// CHECK-NEXT: %[[E:.*]] = ttng.warp_group_dot_wait %[[W]]#0 {pendings = 0 : i32}
// CHECK-NEXT: tt.store %{{.*}}, %[[E]]
// CHECK-NEXT: scf.yield %[[E]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[W]]#0
// CHECK: %[[J:.*]] = scf.if
// CHECK-NEXT: scf.yield %[[I]]
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[F:.*]] = ttng.warp_group_dot_wait %[[I]] {pendings = 0 : i32}
// CHECK-NEXT: tt.store %{{.*}}, %[[F]]
// CHECK-NEXT: scf.yield %[[F]]
// CHECK: scf.yield %[[J]]
tt.func @goes_on_after_branch(%as: !as, %b: !a, %n: i32, %p: tensor<64x64x!tt.ptr<f32>, #mma>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %a = ttg.memdesc_index %as[%i] : !as -> !a
    %d = ttng.warp_group_dot %a, %b, %acc {inputPrecision = 0 : i32} : !a * !a -> tensor<64x64xf32, #mma>
    %last = arith.cmpi eq, %i, %c4 : i32
    scf.if %last {
      tt.store %p, %d : tensor<64x64x!tt.ptr<f32>, #mma>
    }
    scf.if %last {
    } else {
      tt.store %p, %d : tensor<64x64x!tt.ptr<f32>, #mma>
    }
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return
}

// What such a branch gives is read in the iteration: the wait is right behind the product.
// CHECK-LABEL: @read_after_branch
// CHECK: %[[D:.*]] = ttng.warp_group_dot
// CHECK-NEXT: ttng.warp_group_dot_wait %[[D]] {pendings = 0 : i32}
// CHECK-NOT: ttng.warp_group_dot_wait
tt.func @read_after_branch(%as: !as, %b: !a, %n: i32, %p: tensor<64x64x!tt.ptr<f32>, #mma>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %a = ttg.memdesc_index %as[%i] : !as -> !a
    %d = ttng.warp_group_dot %a, %b, %acc {inputPrecision = 0 : i32} : !a * !a -> tensor<64x64xf32, #mma>
    %last = arith.cmpi eq, %i, %c4 : i32
    %next = scf.if %last -> (tensor<64x64xf32, #mma>) {
      scf.yield %zero : tensor<64x64xf32, #mma>
    } else {
      scf.yield %d : tensor<64x64xf32, #mma>
    }
    tt.store %p, %next : tensor<64x64x!tt.ptr<f32>, #mma>
    scf.yield %next : tensor<64x64xf32, #mma>
  }
  tt.return
}

// Sums of integers are plain registers as well; two of f16 are one, taken apart behind the product.
// CHECK-LABEL: @integers
// CHECK: ttng.warp_group_dot %{{.*}} {inputPrecision = 0 : i32, isAsync = true}
// CHECK: ttng.warp_group_dot_wait {{.*}} {pendings = 1 : i32}
tt.func @integers(%as: !bs, %b: !b, %n: i32) -> tensor<64x64xi32, #i32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0> : tensor<64x64xi32, #i32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xi32, #i32>) : i32 {
    %a = ttg.memdesc_index %as[%i] : !bs -> !b
    %d = ttng.warp_group_dot %a, %b, %acc {inputPrecision = 0 : i32} : !b * !b -> tensor<64x64xi32, #i32>
    scf.yield %d : tensor<64x64xi32, #i32>
  }
  tt.return %r : tensor<64x64xi32, #i32>
}

// CHECK-LABEL: @halves
// CHECK: ttng.warp_group_dot_wait {{.*}} {pendings = 0 : i32}
tt.func @halves(%as: !as, %b: !a, %n: i32) -> tensor<64x64xf16, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf16, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf16, #mma>) : i32 {
    %a = ttg.memdesc_index %as[%i] : !as -> !a
    %d = ttng.warp_group_dot %a, %b, %acc {inputPrecision = 0 : i32} : !a * !a -> tensor<64x64xf16, #mma>
    scf.yield %d : tensor<64x64xf16, #mma>
  }
  tt.return %r : tensor<64x64xf16, #mma>
}

// An operand that the iteration puts into memory would be written over by the next one.
// CHECK-LABEL: @one_buffer
// CHECK: %[[D:.*]] = ttng.warp_group_dot
// CHECK-NEXT: ttng.warp_group_dot_wait %[[D]] {pendings = 0 : i32}
tt.func @one_buffer(%x: tensor<64x64xf16>, %b: !a, %n: i32) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %a = ttg.local_alloc : () -> !a
    %d = ttng.warp_group_dot %a, %b, %acc {inputPrecision = 0 : i32} : !a * !a -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}

// Two products, of which the first is waited for at once. So the sum of the second, which the next
// iteration scales behind that wait, may run on; the wait gives it back.
// CHECK-LABEL: @chained
// CHECK: scf.for {{.*}} iter_args(%[[ACC:[^ ]*]] =
// CHECK: %[[QK:.*]] = ttng.warp_group_dot
// CHECK-NEXT: %[[W:.*]]:2 = ttng.warp_group_dot_wait %[[QK]], %[[ACC]] {pendings = 0 : i32}
// CHECK-NEXT: %[[SCALED:.*]] = arith.mulf %[[W]]#1, %[[W]]#0
// CHECK: %[[PV:.*]] = ttng.warp_group_dot %{{.*}}, %{{.*}}, %[[SCALED]]
// CHECK-NEXT: scf.yield %[[PV]]
// CHECK: ttng.warp_group_dot_wait %{{.*}} {pendings = 0 : i32}
tt.func @chained(%as: !as, %b: !a, %n: i32) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %a = ttg.memdesc_index %as[%i] : !as -> !a
    %qk = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32} : !a * !a -> tensor<64x64xf32, #mma>
    %scaled = arith.mulf %acc, %qk : tensor<64x64xf32, #mma>
    %d = ttng.warp_group_dot %a, %b, %scaled {inputPrecision = 0 : i32} : !a * !a -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}

// A sum that one product adds to stays out of the wait for another product.
// CHECK-LABEL: @chained_sum
// CHECK: scf.for {{.*}} iter_args(%[[ACC:[^ ]*]] =
// CHECK: %[[QK:.*]] = ttng.warp_group_dot
// CHECK-NEXT: %[[W:.*]] = ttng.warp_group_dot_wait %[[QK]] {pendings = 0 : i32}
// CHECK-NEXT: arith.truncf %[[W]]
// CHECK: %[[PV:.*]] = ttng.warp_group_dot %{{.*}}, %{{.*}}, %[[ACC]]
// CHECK-NEXT: scf.yield %[[PV]]
// CHECK: ttng.warp_group_dot_wait %{{.*}} {pendings = 0 : i32}
tt.func @chained_sum(%as: !as, %b: !a, %n: i32) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %a = ttg.memdesc_index %as[%i] : !as -> !a
    %qk = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32} : !a * !a -> tensor<64x64xf32, #mma>
    %half = arith.truncf %qk : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    %p = ttg.convert_layout %half : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #operand>
    %d = ttng.warp_group_dot %p, %b, %acc {inputPrecision = 0 : i32} : tensor<64x64xf16, #operand> * !a -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}

// One that two products add to is in registers of both after the wait.
// CHECK-LABEL: @sum_of_two
// CHECK: scf.for {{.*}} iter_args(%[[ACC:[^ ]*]] =
// CHECK: %[[D:.*]] = ttng.warp_group_dot
// CHECK-NEXT: %[[W:.*]]:2 = ttng.warp_group_dot_wait %[[D]], %[[ACC]] {pendings = 0 : i32}
// CHECK: ttng.warp_group_dot %{{.*}}, %{{.*}}, %[[W]]#1
tt.func @sum_of_two(%as: !as, %b: !a, %n: i32) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %a = ttg.memdesc_index %as[%i] : !as -> !a
    %ahead = ttng.warp_group_dot %a, %b, %acc {inputPrecision = 0 : i32} : !a * !a -> tensor<64x64xf32, #mma>
    %half = arith.truncf %ahead : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    %p = ttg.convert_layout %half : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #operand>
    %d = ttng.warp_group_dot %p, %b, %acc {inputPrecision = 0 : i32} : tensor<64x64xf16, #operand> * !a -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}

// Outside of loops there is nothing to run on into.
// CHECK-LABEL: @alone
// CHECK-NOT: isAsync
tt.func @alone(%a: !a, %b: !a) -> tensor<64x64xf32, #mma> {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %d = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32} : !a * !a -> tensor<64x64xf32, #mma>
  tt.return %d : tensor<64x64xf32, #mma>
}

// An operand in registers, which the next iteration writes: none is left under way at the end of the
// iteration, and what stands behind the product is done meanwhile.
// CHECK-LABEL: @registers
// CHECK: scf.for
// CHECK: %[[D:.*]] = ttng.warp_group_dot
// CHECK-NEXT: tt.store
// CHECK-NEXT: %[[W:.*]]:2 = ttng.warp_group_dot_wait %[[D]], %{{.*}} {pendings = 0 : i32}
// CHECK-NEXT: scf.yield %[[W]]#0
// CHECK-NOT: ttng.warp_group_dot
// CHECK: tt.return
tt.func @registers(%as: !as, %b: !a, %n: i32, %p: !tt.ptr<i32>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %a = ttg.memdesc_index %as[%i] : !as -> !a
    %x = ttg.local_load %a : !a -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %d = ttng.warp_group_dot %x, %b, %acc {inputPrecision = 0 : i32} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !a -> tensor<64x64xf32, #mma>
    tt.store %p, %i : !tt.ptr<i32>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}

// A branch reads the sum: it is complete in front of that.
// CHECK-LABEL: @registers_and_branch
// CHECK: %[[D:.*]] = ttng.warp_group_dot
// CHECK: %[[W:.*]]:2 = ttng.warp_group_dot_wait %[[D]], %{{.*}} {pendings = 0 : i32}
// CHECK-NEXT: %[[E:.*]] = scf.if
// CHECK-NEXT: tt.store %{{.*}}, %[[W]]#0
// CHECK-NOT: ttng.warp_group_dot_wait
// CHECK: else
// CHECK-NEXT: scf.yield %[[W]]#0
// CHECK: scf.yield %[[E]]
// CHECK-NOT: ttng.warp_group_dot
// CHECK: tt.return
tt.func @registers_and_branch(%as: !as, %b: !a, %n: i32, %p: tensor<64x64x!tt.ptr<f32>, #mma>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %a = ttg.memdesc_index %as[%i] : !as -> !a
    %x = ttg.local_load %a : !a -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %d = ttng.warp_group_dot %x, %b, %acc {inputPrecision = 0 : i32} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !a -> tensor<64x64xf32, #mma>
    %last = arith.cmpi eq, %i, %c1 : i32
    %e = scf.if %last -> tensor<64x64xf32, #mma> {
      tt.store %p, %d : tensor<64x64x!tt.ptr<f32>, #mma>
      scf.yield %zero : tensor<64x64xf32, #mma>
    } else {
      scf.yield %d : tensor<64x64xf32, #mma>
    }
    scf.yield %e : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}
}
