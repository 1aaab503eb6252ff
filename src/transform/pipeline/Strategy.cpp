//===- Strategy.cpp - How a loop loads and multiplies -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/Strategy.h"

#include "ir/ttg/Attributes.h"
#include "ir/ttg/query/OpKinds.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

LoadPath transform::getPointerPath(const target::Target &target) {
  using target::Space;
  if (!target::copiesBetween(target.copies(), Space::Global, Space::Shared).empty())
    return LoadPath::AsyncCopy;
  return target.products().empty() ? LoadPath::Direct : LoadPath::Registers;
}

/// Whether warps of `target` load blocks of matrices by messages: they need no memory between.
static bool hasBlockMessages(const target::Target &target) {
  using target::Space;
  const auto loads = target::copiesBetween(target.copies(), Space::Global, Space::Registers);
  return llvm::any_of(target::warpCopiesOf(loads), [](const target::CopyAtom &atom) {
    return atom.source.map.hasIn(target::pitchDim());
  });
}

/// The warps that issue a product of `target` together, if one that completes later has several.
static unsigned getWarpsOfGroup(const target::Target &target) {
  return llvm::any_of(target.products(),
                      [](const target::MmaAtom &atom) {
                        return atom.isAsync && atom.issuer == target::Issuer::WarpGroup;
                      })
             ? target::warpsOfGroup
             : 0;
}

static bool isProductOfMemory(Operation *op) {
  return ttg::isProduct(op) && isa<ttg::SharedMemoryUser>(op);
}

/// Whether `use` is what a product adds to.
static bool isAddend(OpOperand &use) {
  constexpr unsigned addend = 2;
  return ttg::isProduct(use.getOwner()) && use.getOperandNumber() == addend;
}

/// Whether an op of the body reads `value`, which one of its products gives.
static bool isReadInBody(Value value, scf::ForOp loop) {
  return llvm::any_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    return user->getBlock() == loop.getBody() && user != loop.getBody()->getTerminator() &&
           !isAddend(use);
  });
}

SmallVector<Operation *> transform::findAwaitedProducts(scf::ForOp loop) {
  SmallVector<Operation *> products;
  for (Operation &op : *loop.getBody())
    if (isProductOfMemory(&op))
      products.push_back(&op);
  // A sum of one of several products is read after the wait for another one.
  const bool isAlone = products.size() == 1;
  llvm::erase_if(products, [&](Operation *product) {
    Value result = product->getResult(0);
    const bool isCarriedToReader =
        isAlone && llvm::any_of(llvm::enumerate(loop.getYieldedValues()), [&](auto yielded) {
          BlockArgument carried = loop.getRegionIterArg(yielded.index());
          return yielded.value() == result && isReadInBody(carried, loop);
        });
    return !isCarriedToReader && !isReadInBody(result, loop);
  });
  return products;
}

/// Whether the iteration makes `value` of the result of a product of memory.
static bool isMadeOfProduct(Value value, scf::ForOp loop) {
  SmallVector<Operation *> open;
  llvm::SmallPtrSet<Operation *, 16> seen;
  auto follow = [&](Value operand) {
    Operation *op = operand.getDefiningOp();
    Operation *inBody = op ? loop.getBody()->findAncestorOpInBlock(*op) : nullptr;
    if (inBody && seen.insert(inBody).second)
      open.push_back(inBody);
  };
  follow(value);
  while (!open.empty()) {
    Operation *op = open.pop_back_val();
    if (isProductOfMemory(op))
      return true;
    op->walk([&](Operation *inside) { llvm::for_each(inside->getOperands(), follow); });
  }
  return false;
}

void transform::setSelfLatency(Operation *product, unsigned iterations) {
  product->setAttr(ttg::selfLatencyAttrName,
                   IntegerAttr::get(IntegerType::get(product->getContext(), 32), iterations));
}

bool transform::mayRunOn(Operation *product) {
  auto iterations = product->getAttrOfType<IntegerAttr>(ttg::selfLatencyAttrName);
  return !iterations || iterations.getInt() != 0;
}

LoopNeeds transform::findNeeds(scf::ForOp loop) {
  LoopNeeds needs;
  needs.warps = ttg::getNumWarps(loop);
  needs.awaited = findAwaitedProducts(loop).size();
  for (Operation &op : *loop.getBody()) {
    needs.hasHardwareBlocks |= ttg::isBufferedBlock(&op);
    if (!ttg::isProduct(&op))
      continue;
    ++needs.products;
    needs.asynchronous += isProductOfMemory(&op);
    Value a = op.getOperand(0), b = op.getOperand(1);
    needs.ofMemory += isa<ttg::MemDescType>(a.getType());
    const bool isOfWrittenRegisters = isa<RankedTensorType>(a.getType()) &&
                                      isa<ttg::MemDescType>(b.getType()) &&
                                      !loop.isDefinedOutsideOfLoop(a);
    needs.ofWrittenRegisters += isOfWrittenRegisters;
    needs.chained += isOfWrittenRegisters && isMadeOfProduct(a, loop);
    if (auto dot = dyn_cast<tt::DotOp>(op)) {
      Attribute layout = cast<RankedTensorType>(dot.getType()).getEncoding();
      needs.ofFragments += layout && !isa<ttg::BlockedEncodingAttr>(layout);
    }
  }
  return needs;
}

LoopStrategy transform::decideStrategy(const target::Target &target, const LoopNeeds &needs) {
  LoopStrategy strategy;
  strategy.pointers = getPointerPath(target);
  strategy.blocks = needs.hasHardwareBlocks    ? LoadPath::BulkCopy
                    : hasBlockMessages(target) ? LoadPath::BlockMessage
                                               : strategy.pointers;
  if (needs.products != 0)
    strategy.products = needs.asynchronous ? Completion::GroupWait : Completion::InOrder;
  if (const unsigned warps = getWarpsOfGroup(target))
    strategy.groups = llvm::divideCeil(needs.warps, warps);
  strategy.multipliesFragments = needs.ofFragments != 0;
  strategy.isPlainSum = needs.products == 1 && needs.ofMemory == 1 && needs.awaited == 0;
  strategy.waitsInIteration =
      needs.products != 0 && needs.ofWrittenRegisters == needs.products && needs.awaited == 0;
  strategy.isChainOfGroups = strategy.groups > 1 && needs.products == 2 &&
                             needs.asynchronous == 2 && needs.awaited == 1 && needs.chained == 1;
  return strategy;
}

static StringRef describe(LoadPath path) {
  switch (path) {
  case LoadPath::Direct:
    return "into registers";
  case LoadPath::Registers:
    return "through registers to shared memory";
  case LoadPath::AsyncCopy:
    return "by asynchronous copies";
  case LoadPath::BulkCopy:
    return "by bulk copies";
  case LoadPath::BlockMessage:
    return "by block messages";
  }
  llvm_unreachable("no path");
}

std::string LoopStrategy::describe() const {
  std::string text = ("loads come " + ::describe(pointers)).str();
  if (blocks != pointers)
    text += (", blocks of descriptors " + ::describe(blocks)).str();
  if (products != Completion::None)
    text += products == Completion::InOrder ? "; products complete in order"
            : waitsInIteration              ? "; each iteration waits for its products"
                                            : "; products run on until a wait for their group";
  if (groups > 1)
    text += "; " + std::to_string(groups) + " groups of warps take part";
  if (products != Completion::None)
    text += "; sums are in " + std::string(target::spaceName(accumulators));
  return text;
}
