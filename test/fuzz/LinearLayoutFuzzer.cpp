//===- LinearLayoutFuzzer.cpp - Fuzz target: text of linear layouts -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// What LinearLayout::parse accepts, it prints and reads back as the same layout; all that one
// may ask of any layout has an answer.
//
//===--------------------------------------------------------------------------===//

#include "tilewright/layout/LinearLayout.h"

#include <cstdlib>

using namespace tilewright;
using namespace tilewright::layout;

static void require(bool holds) {
  if (!holds)
    std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(data), size);
  Result<LinearLayout> layout = LinearLayout::parse(text);
  if (!layout) {
    require(!layout.error().empty());
    return 0;
  }
  Result<LinearLayout> again = LinearLayout::parse(layout->toString());
  require(again && *again == *layout);
  require(!layout->toJson().empty());

  LinearLayout inverse = layout->pseudoInvert();
  require(inverse.compose(*layout).compose(inverse).sameMapAs(inverse));
  require(layout->rank() + layout->kernelBasis().size() == layout->totalInBits());
  if (layout->isInvertible())
    require(layout->invert().invert().sameMapAs(*layout));
  return 0;
}
