//===- Dialect.td - What Triton has no name for -------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TW_DIALECT
#define TILEWRIGHT_IR_TW_DIALECT

include "ir/ttg/encoding/EncodingBase.td"

def Tilewright_Dialect : Dialect {
  let name = "tw";
  let cppNamespace = "::tilewright::tw";
  let summary = "Cooperative matrices: their layouts, their values and what computes with them";
  let dependentDialects = ["::tilewright::ttg::TritonGPUDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

def TW_CoopMatrixEncoding
    : TTG_Distributed<Tilewright_Dialect, "CoopMatrixEncoding", "coopmatrix", [],
                      ["isLinear", "toLinearLayoutOf"]> {
  let summary = "A matrix shared out to a sub-group";
  let description = [{
    A matrix of any number of columns, whose elements the `subgroupSize` lanes of a warp hold in
    equal shares, filled up with padding where they do not divide. `use` is `matrix_a`,
    `matrix_b` or `matrix_acc`. Only without padding is it a linear map; the ops of `tt` take
    such tensors only.

    ```mlir
    #tw.coopmatrix<{use = matrix_b, subgroupSize = 16}>
    ```
  }];
  let parameters = (ins "::tilewright::layout::MatrixUse":$use, "unsigned":$subgroupSize);
  let extraClassDeclaration = [{
    /// The map of a matrix of `shape`, for which the encoding has been verified, with
    /// elements of `elementBits`: 8, 16, 32, 64 or 128.
    ::tilewright::layout::CooperativeMatrix getMatrix(::llvm::ArrayRef<int64_t> shape,
                                                      unsigned elementBits) const;
  }];
}

#endif // TILEWRIGHT_IR_TW_DIALECT
