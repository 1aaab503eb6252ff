//===- Strategy.cpp - How a loop loads and multiplies -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/Strategy.h"

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
  constexpr unsigned warpsOfWarpGroup = 4;
  return llvm::any_of(target.products(),
                      [](const target::MmaAtom &atom) {
                        return atom.isAsync && atom.issuer == target::Issuer::WarpGroup;
                      })
             ? warpsOfWarpGroup
             : 0;
}

LoopNeeds transform::findNeeds(scf::ForOp loop) {
  LoopNeeds needs;
  needs.warps = ttg::getNumWarps(loop);
  for (Operation &op : *loop.getBody()) {
    needs.hasHardwareBlocks |= ttg::isBufferedBlock(&op);
    if (!ttg::isProduct(&op))
      continue;
    ++needs.products;
    needs.asynchronous += isa<ttg::SharedMemoryUser>(op);
    Value a = op.getOperand(0), b = op.getOperand(1);
    needs.ofMemory += isa<ttg::MemDescType>(a.getType());
    needs.ofWrittenRegisters += isa<RankedTensorType>(a.getType()) &&
                                isa<ttg::MemDescType>(b.getType()) &&
                                !loop.isDefinedOutsideOfLoop(a);
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
  strategy.isPlainSum = needs.products == 1 && needs.ofMemory == 1;
  strategy.waitsInIteration = needs.products != 0 && needs.ofWrittenRegisters == needs.products;
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
