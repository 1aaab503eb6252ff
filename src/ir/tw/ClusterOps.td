//===- ClusterOps.td - The blocks of a cluster --------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TW_CLUSTEROPS
#define TILEWRIGHT_IR_TW_CLUSTEROPS

include "ir/tt/OpBase.td"
include "ir/tw/Dialect.td"

def TW_ClusterRankOp : Op<Tilewright_Dialect, "cluster_rank", [Pure, TT_LayoutOp]> {
  let summary = "The number of the block in its cluster";
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def TW_ClusterConvertOp : Op<Tilewright_Dialect, "cluster_convert", [Pure, TT_LayoutOp]> {
  let summary = "A tile shared out to the blocks of a cluster in another way";
  let description = [{
    Each block of the cluster has a part of a tile, `src`, and gets another part of it, `result`.
    `from` and `to` say which (ClusterSplit.h): for each bit of a block's rank the dimension that it
    divides, or -1 where blocks that differ in it have the same part. An element that several blocks
    have is taken of the first of them. All threads of the cluster's blocks take part: like a
    conversion it is pure, since all of them run one program with the same scalars.

    ```mlir
    // 16 rows in each of two blocks; all 32 in both.
    %all = tw.cluster_convert %own {from = array<i32: 0>, to = array<i32: -1>}
        : tensor<16xf32> -> tensor<32xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$src, DenseI32ArrayAttr:$from, DenseI32ArrayAttr:$to);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = TT_LayoutRule<"AnyLayout">.decl;
}

def TW_ClusterBarrierOp : Op<Tilewright_Dialect, "cluster_barrier",
                             [MemoryEffects<[MemRead, MemWrite]>, TT_LayoutOp]> {
  let summary = "All threads of the cluster's blocks meet";
  let description = "What they did in memory before comes before what others do after it.";
  let assemblyFormat = "attr-dict";
}

#endif // TILEWRIGHT_IR_TW_CLUSTEROPS
