//===- VendorLowering.cpp - The vendors, as the lowering sees them ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/core/VendorLowering.h"

#include "ir/ttg/Dialect.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

const VendorLowering *lower::findVendorLowering(ModuleOp module) {
  const target::Target *target = ttg::getTarget(module);
  auto *dialect = module.getContext()->getLoadedDialect<ttg::TritonGPUDialect>();
  if (!target || !dialect)
    return nullptr;
  auto *vendors = dialect->getRegisteredInterface<VendorsInterface>();
  return vendors ? vendors->find(*target) : nullptr;
}

std::unique_ptr<TargetLowering> lower::createTargetLowering(ModuleOp module) {
  const VendorLowering *vendor = findVendorLowering(module);
  return vendor ? vendor->createLowering(*ttg::getTarget(module)) : nullptr;
}
