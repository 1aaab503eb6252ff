//===- Passes.td - Passes over programs that clusters of blocks run -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_CLUSTER_PASSES
#define TILEWRIGHT_TRANSFORM_CLUSTER_PASSES

include "mlir/Pass/PassBase.td"

def DistributeTiles : Pass<"tilewright-distribute-tiles", "::mlir::ModuleOp"> {
  let summary = "Each block of a cluster gets its part of the program's tiles";
  let description = [{
    What is left is the program of one block, which asks for its number in the cluster
    (`tw.cluster_rank`): tiles have the sizes of a block's part, and no later pass has to do with
    clusters. A value is computed in the parts in which it is wanted, also twice, as loads and
    indices are; products, reductions and scans are computed in the parts that suit them, and what
    then is missing is fetched from other blocks (`tw.cluster_convert`). Stores and atomic
    operations are divided, so that each element is one block's.

    Tensors with layouts have the parts that these say (CGALayout), others those that Triton
    chooses: along the slowest dimension first; a product's columns or rows so that 128 rows and at
    least 64 columns are left.
  }];
  let options = [Option<"numCTAs", "num-ctas", "int32_t", /*default=*/"1",
                        "blocks of a cluster, where no ttg.num-ctas of the module says so">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::tilewright::tt::TritonDialect",
                           "::tilewright::ttg::TritonGPUDialect",
                           "::tilewright::tw::TilewrightDialect"];
}

#endif // TILEWRIGHT_TRANSFORM_CLUSTER_PASSES
