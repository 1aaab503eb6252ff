//===- LayoutProvider.cpp - Layouts that ops could be in ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/candidates/LayoutProvider.h"

#include "transform/layout/LayoutTypes.h"
#include "transform/layout/candidates/CoalescedLayouts.h"
#include "transform/layout/candidates/OuterProducts.h"
#include "transform/layout/candidates/ProductLayouts.h"
#include "transform/layout/candidates/SquareLayouts.h"

using namespace mlir;

namespace tilewright::transform {

/// The layouts of the tensors among `values`.
template <unsigned N> static SmallVector<Attribute, N> layoutsOf(ValueRange values) {
  SmallVector<Attribute, N> layouts;
  for (Value value : values)
    if (Attribute layout = getLayout(value.getType()))
      layouts.push_back(layout);
  return layouts;
}

LayoutProposal LayoutProposal::inOne(Operation *op, Attribute layout, Cost cost, std::string why) {
  LayoutProposal proposal{layoutsOf<3>(op->getOperands()), layoutsOf<1>(op->getResults()), cost,
                          std::move(why)};
  llvm::fill(proposal.operands, layout);
  llvm::fill(proposal.results, layout);
  return proposal;
}

bool LayoutProposal::isOf(Operation *op) const {
  return operands == layoutsOf<3>(op->getOperands()) && results == layoutsOf<1>(op->getResults());
}

namespace {

/// The providers of accesses, with the facts about addresses that they share.
class AccessProviders final : public LayoutProvider {
public:
  AccessProviders(tt::FuncOp function, const target::Target &target)
      : axes(function), coalesced(function, axes, target), squares(function, axes, target),
        tiles(function, axes, target) {}

  void propose(Operation *op, SmallVectorImpl<LayoutProposal> &proposals) override {
    coalesced.propose(op, proposals);
    squares.propose(op, proposals);
    tiles.propose(op, proposals);
  }

private:
  AxisInfoAnalysis axes;
  AccessLayouts coalesced;
  SquareLayouts squares;
  TileLayouts tiles;
};

} // namespace

std::vector<std::unique_ptr<LayoutProvider>> createLayoutProviders(tt::FuncOp function) {
  std::vector<std::unique_ptr<LayoutProvider>> providers;
  const target::Target *target = ttg::getTarget(function);
  if (!target)
    return providers;
  providers.push_back(std::make_unique<AccessProviders>(function, *target));
  providers.push_back(std::make_unique<ProductLayouts>(*target));
  return providers;
}

} // namespace tilewright::transform
