//===- Interfaces.td - What encodings of ttg answer ---------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_INTERFACES
#define TILEWRIGHT_IR_TTG_INTERFACES

include "mlir/IR/OpBase.td"

def TTG_SharedLayoutEncoding : AttrInterface<"SharedLayoutEncoding"> {
  let cppNamespace = "::tilewright::ttg";
  let description = [{
    The encoding of a tensor in shared memory: at which offset each element lies.
  }];
  let methods = [
    InterfaceMethod<[{
      The map from (offset, block) to the coordinates (dim0, dim1, ..) of a tensor of `shape`,
      for which the encoding has been verified and is linear. Offsets count elements, holes
      left out.
    }], "::tilewright::layout::LinearLayout", "toLinearLayout",
      (ins "::llvm::ArrayRef<int64_t>":$shape)>,
    InterfaceMethod<"The number of dimensions of the tensors it can describe.",
      "unsigned", "getRank">,
    InterfaceMethod<[{
      Whether a linear map describes it. Memory in several partitions has none.
    }], "bool", "isLinear", (ins), "", [{ return true; }]>,
    InterfaceMethod<[{
      What the memory's first byte must be a multiple of, in bytes; 0 where the encoding does
      not care.
    }], "unsigned", "getAlignment", (ins), "", [{ return 0; }]>,
    InterfaceMethod<"Whether there are holes between the elements.",
      "bool", "hasPadding", (ins), "", [{ return false; }]>,
    InterfaceMethod<[{
      Where the element with `offset` in the map lies, in elements: `offset` and the holes
      before it.
    }], "uint64_t", "paddedOffset", (ins "uint64_t":$offset), "", [{ return offset; }]>,
    InterfaceMethod<[{
      The encoding of the same memory seen with its dimensions permuted: dimension i is this
      one's `order[i]`. Null where no encoding of this kind is.
    }], "::mlir::Attribute", "inferTrans", (ins "::llvm::ArrayRef<int32_t>":$order), "",
      [{ return {}; }]>
  ];
}

def TTG_MemorySpace : AttrInterface<"MemorySpace"> {
  let cppNamespace = "::tilewright::ttg";
  let description = "A memory that `!ttg.memdesc` can speak of.";
  let methods = [
    InterfaceMethod<[{
      How many dimensions a tensor in this memory has that `encoding` lays out; nothing where
      it is no encoding of this memory.
    }], "std::optional<unsigned>", "getLayoutRank", (ins "::mlir::Attribute":$encoding)>,
    InterfaceMethod<"What an encoding of this memory is called, for errors.",
      "::llvm::StringRef", "getEncodingKind", (ins)>,
    InterfaceMethod<[{
      Reports what is wrong with a tensor of `shape` and `elementType` in this memory, laid out
      by `encoding`, which is one of it and has the rank of the shape.
    }], "::llvm::LogicalResult", "verifyTensor", (ins "::mlir::Attribute":$encoding,
      "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$elementType,
      "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError)>
  ];
}

def TTG_DotOperandParent : AttrInterface<"DotOperandParent"> {
  let cppNamespace = "::tilewright::ttg";
  let description = [{
    The encoding of the result of a matrix product that also says how the product's operands
    lie. `opIdx` 0 is A (M x K), 1 is B (K x N); a third dimension, the first one, is a batch.
    `kWidth` is the number of elements along K that a thread has next to each other, 0 where
    the encoding leaves no choice.
  }];
  let methods = [
    InterfaceMethod<[{
      Whether there is such an operand.
    }], "::tilewright::Result<void>", "verifyOperand", (ins "unsigned":$opIdx, "unsigned":$kWidth)>,
    InterfaceMethod<[{
      The map from (register, lane, warp, block) to the coordinates of an operand of `shape`.
      verifyOperand has succeeded for it.
    }], "::tilewright::layout::LinearLayout", "operandLayout",
      (ins "unsigned":$opIdx, "unsigned":$kWidth, "::llvm::ArrayRef<int64_t>":$shape)>
  ];
}

#endif // TILEWRIGHT_IR_TTG_INTERFACES
