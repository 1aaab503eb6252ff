// RUN: tilewright-opt %s -split-input-file -verify-diagnostics --tilewright-distribute-tiles=num-ctas=2

tt.func @table() {
  // expected-error @below {{is a table, which cannot be divided among the blocks of a cluster}}
  // expected-note @below {{compile the kernel with --num-ctas 1}}
  %c = arith.constant dense<[1, 2]> : tensor<2xi32>
  tt.return
}

// -----

tt.func private @called(%x: i32)
tt.func @call(%x: i32) {
  // expected-error @below {{calls a function that writes memory or has tensors as arguments}}
  // expected-note @below {{compile the kernel with --num-ctas 1}}
  tt.call @called(%x) : (i32) -> ()
  tt.return
}

// -----

tt.func private @write(%p: !tt.ptr<i32>, %x: i32) {
  tt.store %p, %x : !tt.ptr<i32>
  tt.return
}
tt.func @call_of_write(%p: !tt.ptr<i32>, %x: i32) {
  // expected-error @below {{calls a function that writes memory or has tensors as arguments}}
  // expected-note @below {{compile the kernel with --num-ctas 1}}
  tt.call @write(%p, %x) : (!tt.ptr<i32>, i32) -> ()
  tt.return
}

// -----

// expected-error @below {{takes a tensor, which cannot be divided among the blocks of a cluster}}
tt.func @argument(%x: tensor<4xi32>) {
  tt.return
}

// -----

tt.func @poll(%x: !tt.ptr<i32>, %e: i32, %t: i64) {
  // expected-error @below {{waits for a time that is over for one block of a cluster and not for another}}
  // expected-note @below {{compile the kernel with --num-ctas 1}}
  %0 = tt.atomic_poll acquire, gpu, %x, %e timeout %t : !tt.ptr<i32>, i32 -> i1
  tt.return
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
module attributes {"ttg.num-ctas" = 2 : i32} {
  tt.func @divided_axis() {
    %v = arith.constant dense<1> : tensor<256xi32, #blocked>
    // expected-error @below {{reduces tensors along a dimension that their layout divides among blocks}}
    // expected-note @below {{compile the kernel with --num-ctas 1}}
    %s = "tt.reduce"(%v) <{axis = 0 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %c = arith.addi %a, %b : i32
      tt.reduce.return %c : i32
    }) : (tensor<256xi32, #blocked>) -> i32
    tt.return
  }
}
