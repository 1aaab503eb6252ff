//===- Scratch.cpp - Scratch memory of ops ------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/core/builder/Scratch.h"

#include "lower/core/Patterns.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

std::optional<uint64_t> lower::getScratchOffset(Operation *op) {
  if (auto offset = op->getAttrOfType<IntegerAttr>(ttg::allocationOffsetAttrName))
    return offset.getInt();
  return std::nullopt;
}

void lower::registerScratch(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tt::TritonDialect *, ttg::TritonGPUDialect *) {
    attachReduceScratch(*context);
    attachScanScratch(*context);
    attachGatherScratch(*context);
    attachHistogramScratch(*context);
    attachAtomicScratch(*context);
    attachDotScratch(*context);
    attachConvertLayoutScratch(*context);
  });
}
