//===- ProductLayouts.h - Shares of warps of products of matrix units *- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The result of a product on a matrix unit is cut into the tiles of the unit's instruction, and the
// warps share its rows and columns. The operands in registers have the layouts that go with that.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_LAYOUT_CANDIDATES_PRODUCTLAYOUTS_H
#define TILEWRIGHT_TRANSFORM_LAYOUT_CANDIDATES_PRODUCTLAYOUTS_H

#include "target/Target.h"
#include "transform/layout/candidates/LayoutProvider.h"

namespace tilewright::transform {

/// Proposes for products of warps and of groups of warps the other ways to share the result, with
/// the instruction that the product has, or one as deep and as high. A product costs the cycles of
/// the unit, and those in which shared memory brings it the operands that it reads itself;
/// operands in registers are converted to their layouts, which is what they cost.
class ProductLayouts final : public LayoutProvider {
public:
  explicit ProductLayouts(const target::Target &target) : target(target) {}
  void propose(mlir::Operation *op, llvm::SmallVectorImpl<LayoutProposal> &proposals) override;

private:
  const target::Target &target;
};

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_LAYOUT_CANDIDATES_PRODUCTLAYOUTS_H
