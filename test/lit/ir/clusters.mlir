// RUN: tilewright-opt %s | grep . > %t.printed
// RUN: grep -v '^//' %s | grep . > %t.text
// RUN: diff %t.text %t.printed

// The ops of programs that several blocks run: printed as they are written here.

module {
  tt.func @f(%arg0: tensor<16xf32>) -> (i32, tensor<32xf32>) {
    %0 = tw.cluster_rank : i32
    %1 = tw.cluster_convert %arg0 {from = array<i32: 0>, to = array<i32: -1>} : tensor<16xf32> -> tensor<32xf32>
    tw.cluster_barrier
    tt.return %0, %1 : i32, tensor<32xf32>
  }
}
