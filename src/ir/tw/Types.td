//===- Types.td - The types of the tw dialect ---------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TW_TYPES
#define TILEWRIGHT_IR_TW_TYPES

include "ir/tw/Dialect.td"

def TW_CoopMatrixType : TypeDef<Tilewright_Dialect, "CoopMatrix"> {
  let mnemonic = "coopmatrix";
  let summary = "A matrix that the lanes of a warp hold together";
  let description = [{
    `rows` is a power of two, `columns` any number of at least 1. Elements are integers of 8, 16,
    32 or 64 bits, f16, bf16, f32 or f64. Which lane holds which element follows from the use and
    from the number of lanes (`::tilewright::layout::CooperativeMatrix`). A value of a program is
    the same in all its warps: each holds the whole matrix.

    ```mlir
    !tw.coopmatrix<4x15xf32, matrix_acc>
    ```
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$columns, "::mlir::Type":$elementType,
                        "::tilewright::layout::MatrixUse":$use);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The matrix as `lanes` lanes hold it: 16 or 32, for which every type is valid.
    ::tilewright::layout::CooperativeMatrix getMatrix(unsigned lanes) const;
    /// "4x15xf32".
    std::string getShapeText() const;
  }];
}

/// The elements of a matrix, as scalars.
def TW_Element : AnyTypeOf<[I8, I16, I32, I64, F16, BF16, F32, F64]>;

#endif // TILEWRIGHT_IR_TW_TYPES
