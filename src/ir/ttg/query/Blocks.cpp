//===- Blocks.cpp - Encodings and the blocks of a cluster ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/query/Blocks.h"

#include "ir/ttg/Dialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttg;

Attribute ttg::withoutBlocks(Attribute encoding) {
  auto own = [](auto attr) -> Attribute {
    auto layout = attr.getLayout();
    layout.cluster.clear();
    return decltype(attr)::get(attr.getContext(), layout);
  };
  // The blocks' bases are the highest of dimensions: the others cover the part.
  auto byBases = [](auto attr) -> Attribute {
    auto layout = attr.getLayout();
    layout.blocks.clear();
    return decltype(attr)::get(attr.getContext(), attr.getRank(), layout);
  };
  return llvm::TypeSwitch<Attribute, Attribute>(encoding)
      .Case<BlockedEncodingAttr, NvidiaMmaEncodingAttr, SwizzledSharedEncodingAttr,
            NvmmaSharedEncodingAttr>(own)
      .Case<LinearEncodingAttr, SharedLinearEncodingAttr, PaddedSharedEncodingAttr>(byBases)
      .Case([](SliceEncodingAttr slice) -> Attribute {
        return SliceEncodingAttr::get(slice.getDim(),
                                      cast<tt::LayoutEncoding>(withoutBlocks(slice.getParent())));
      })
      .Case([](DotOperandEncodingAttr operand) -> Attribute {
        return DotOperandEncodingAttr::get(
            operand.getContext(), operand.getOpIdx(),
            cast<DotOperandParent>(withoutBlocks(operand.getParent())), operand.getKWidth());
      })
      .Default([](Attribute other) { return other; });
}
