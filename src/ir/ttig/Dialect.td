//===- Dialect.td - Encodings of Intel's matrix units -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTIG_DIALECT
#define TILEWRIGHT_IR_TTIG_DIALECT

include "ir/ttg/encoding/EncodingBase.td"

def TritonIntelGPU_Dialect : Dialect {
  let name = "ttig";
  let cppNamespace = "::tilewright::ttig";
  let summary = "Layouts of Intel's matrix units, and 2D block messages";
  let description = [{
    The encodings that Triton's Intel back end adds to `ttg`, and ops of our own for what its GPUs
    move by 2D block messages. Files of older versions call the dialect `triton_intel_gpu`; that is
    read as well.
  }];
  let dependentDialects = ["::tilewright::ttg::TritonGPUDialect"];
  let useDefaultAttributePrinterParser = 1;
}

def TTIG_DpasEncoding
    : TTG_MatrixResult<TritonIntelGPU_Dialect, "DpasEncoding", "dpas", "intel::Dpas"> {
  let summary = "The accumulator of the DPAS instruction";
  let description = [{
    One instruction multiplies `repeatCount` rows of `systolicDepth` * `opsPerChan` by
    `executionSize` columns; a warp does `repCluster` of them side by side. `fp4KPack` is 2
    where bytes hold two 4-bit elements. `A`, `B` and `C` are printed for the reader, the
    shapes of a cluster's operands, and not read; nor are keys that are not known.

    ```mlir
    #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 2], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
    ```
  }];
}

def TTIG_Subgroup2DBlockEncoding
    : TTG_Fragment<TritonIntelGPU_Dialect, "Subgroup2DBlockEncoding", "subgroup_2d_block", [],
                   TTG_toLinearLayout> {
  let summary = "What a 2D block message brings to a sub-group";
  let description = [{
    `numBlocks` tiles of `instrShape` (height, width) side by side. `order[0]` is the dimension
    that a product sums over. `CTAsPerCGA`, `CTASplitNum` and `CTAOrder` say how a cluster of
    blocks shares the tensor: blocks along each dimension, how many of them hold different
    parts, the dimension counted first; all three or none.

    ```mlir
    #ttig.subgroup_2d_block<{warpsPerCTA = [8, 4], instrShape = [32, 16], numBlocks=2, order=[0, 1], kWidth=2, threadsPerWarp=16}>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"unsigned">:$warpsPerCTA,
    ArrayRefParameter<"unsigned">:$CTAsPerCGA, ArrayRefParameter<"unsigned">:$CTASplitNum,
    ArrayRefParameter<"unsigned">:$CTAOrder, ArrayRefParameter<"unsigned">:$instrShape,
    "unsigned":$numBlocks, ArrayRefParameter<"unsigned">:$order, "unsigned":$kWidth,
    "unsigned":$threadsPerWarp);
  let extraClassDeclaration = "::tilewright::layout::intel::Subgroup2DBlock getLayout() const;";
}

def TTIG_WarpEncoding
    : TTG_Fragment<TritonIntelGPU_Dialect, "WarpEncoding", "warp", [], TTG_toLinearLayout> {
  let summary = "Tiles of elements a thread and threads a warp, for one warp";
  let description = [{
    As `ttg.blocked` with a single warp.

    ```mlir
    #ttig.warp<{sizePerThread = [16, 64], threadsPerWarp = [1, 1], order = [1, 0]}>
    ```
  }];
  let parameters = (ins TTG_Layout<"Blocked">:$layout);
}

#endif // TILEWRIGHT_IR_TTIG_DIALECT
