//===- Interfaces.td - What every layout encoding answers ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TT_INTERFACES
#define TILEWRIGHT_IR_TT_INTERFACES

include "mlir/IR/OpBase.td"

def TT_LayoutEncoding : AttrInterface<"LayoutEncoding"> {
  let cppNamespace = "::tilewright::tt";
  let description = [{
    The encoding of a distributed tensor: where its elements live. The ops of `tt` know
    encodings only through these questions; which encodings there are is `ttg`'s business.
  }];
  let methods = [
    InterfaceMethod<[{
      The map from hardware locations (register, lane, warp, block) to the coordinates
      (dim0, dim1, ..) of a tensor of `shape`, for which the encoding has been verified and is
      linear. The elements of the tensor have at least 16 bits where that matters, see below.
    }], "::tilewright::layout::LinearLayout", "toLinearLayout",
      (ins "::llvm::ArrayRef<int64_t>":$shape)>,
    InterfaceMethod<[{
      The same for elements of `elementBits`. Cooperative matrices put bytes elsewhere than
      larger elements; all other encodings look at the shape only.
    }], "::tilewright::layout::LinearLayout", "toLinearLayoutOf",
      (ins "::llvm::ArrayRef<int64_t>":$shape, "unsigned":$elementBits), "",
      [{ return $_attr.toLinearLayout(shape); }]>,
    InterfaceMethod<[{
      Whether a linear map describes a tensor of `shape`, for which the encoding has been
      verified. Cooperative matrices with padding have none.
    }], "bool", "isLinear", (ins "::llvm::ArrayRef<int64_t>":$shape), "",
      [{ return true; }]>,
    InterfaceMethod<"The number of dimensions of the tensors it can describe.",
      "unsigned", "getRank">,
    InterfaceMethod<[{
      The encoding of the result when dimension `axis` is reduced away: a thread keeps what
      it has of the other dimensions.
    }], "::mlir::Attribute", "inferReduce", (ins "unsigned":$axis)>,
    InterfaceMethod<[{
      The encoding of the result when a dimension of size 1 is inserted at `axis`, or null
      where this encoding alone does not determine it.
    }], "::mlir::Attribute", "inferExpandDims", (ins "unsigned":$axis)>,
    InterfaceMethod<[{
      The encoding of the result of a transposition of a tensor of `shape`, whose result
      dimension i is the operand's dimension `order[i]`; null where there is none.
    }], "::mlir::Attribute", "inferTrans",
      (ins "::llvm::ArrayRef<int64_t>":$shape, "::llvm::ArrayRef<int32_t>":$order)>
  ];
}

def TT_UndecidedEncoding : AttrInterface<"UndecidedEncoding"> {
  let cppNamespace = "::tilewright::tt";
  let description = [{
    The encoding of a tensor whose layout is still to be chosen. Ops take it for any layout.
  }];
}

#endif // TILEWRIGHT_IR_TT_INTERFACES
