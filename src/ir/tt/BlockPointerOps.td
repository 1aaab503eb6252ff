//===- BlockPointerOps.td - Tensors in memory and places in them --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TT_BLOCKPOINTEROPS
#define TILEWRIGHT_IR_TT_BLOCKPOINTEROPS

include "ir/tt/OpBase.td"

def TT_NumberPtr : ConfinedType<TT_Ptr, [CPred<"!::tilewright::tt::isBlockPointer($_self)">],
                                "pointer to a number", "::tilewright::tt::PointerType">;
def TT_BlockPtr : ConfinedType<TT_Ptr, [CPred<"::tilewright::tt::isBlockPointer($_self)">],
                               "block pointer", "::tilewright::tt::PointerType">;

def TT_MakeTensorPtrOp : TT_Op<"make_tensor_ptr", [Pure, SameVariadicOperandSize,
    TypesMatchWith<"the base points to the block's elements", "result", "base",
                   "::tilewright::tt::getBlockBaseType($_self)">]> {
  let summary = "A block pointer: a tensor in memory and the place of a block in it";
  let description = [{
    Sizes, strides and offsets are counted in elements, one a dimension of the block. `order`, the
    dimensions from the fastest to the slowest, is a hint.
  }];
  let arguments = (ins TT_NumberPtr:$base, Variadic<I64>:$shape, Variadic<I64>:$strides,
                       Variadic<I32>:$offsets, DenseI32ArrayAttr:$order);
  let results = (outs TT_BlockPtr:$result);
  let assemblyFormat = [{
    $base `,` `[` $shape `]` `,` `[` $strides `]` `,` `[` $offsets `]` attr-dict
    `:` custom<BlockPointer>(type($result))
  }];
  let hasVerifier = 1;
}

def TT_AdvanceOp : TT_Op<"advance", [Pure,
    TypesMatchWith<"the result has the pointer's type", "result", "ptr", "$_self">]> {
  let summary = "A block pointer with its offsets moved on, in elements";
  let arguments = (ins TT_BlockPtr:$ptr, Variadic<I32>:$offsets);
  let results = (outs TT_BlockPtr:$result);
  let assemblyFormat = "$ptr `,` `[` $offsets `]` attr-dict `:` custom<BlockPointer>(type($result))";
  let hasVerifier = 1;
}

#endif // TILEWRIGHT_IR_TT_BLOCKPOINTEROPS
