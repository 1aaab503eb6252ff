//===- Resources.cpp - Registers and memory of a loop -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "analysis/Resources.h"

#include "analysis/RegisterPressure.h"
#include "analysis/WaitingValues.h"
#include "ir/ttg/query/Conversion.h"
#include "ir/ttg/query/MatrixUnits.h"
#include "ir/ttg/query/OpKinds.h"
#include "plan/shared/Access.h"

using namespace mlir;
using namespace tilewright;
using transform::AxisInfoAnalysis;
using ttg::getBlockEncoding;

//===----------------------------------------------------------------------------===//
// Carried values
//===----------------------------------------------------------------------------===//

static bool isAddress(Type type) { return isa<tt::PointerType>(tt::getElementTypeOrSelf(type)); }

unsigned transform::countCarriedRegisters(scf::ForOp loop) {
  unsigned registers = 0;
  for (Type type : loop.getResultTypes())
    if (!isAddress(type))
      registers += getDistinctRegisters(type);
  return registers;
}

/// How many addresses a thread has for accesses through `pointer`: one may take elements that are
/// neighbors in the thread and in memory.
static unsigned countAddresses(Value pointer, const AxisInfoAnalysis &axes, unsigned maxBits) {
  auto type = cast<RankedTensorType>(pointer.getType());
  const layout::LinearLayout map = ttg::toLinearLayout(type);
  const auto dims = llvm::seq<unsigned>(0, type.getRank());
  unsigned together = 1;
  for (unsigned dim : dims) {
    SmallVector<unsigned> order = {dim};
    llvm::copy_if(dims, std::back_inserter(order), [&](unsigned other) { return other != dim; });
    const unsigned inThread = plan::contiguousPerThread(map, order);
    together = std::max(together, std::min(inThread, axes.getVectorWidth(pointer, dim, maxBits)));
  }
  return std::max(transform::getDistinctElements(type) / together, 1U);
}

unsigned transform::countAddressRegisters(scf::ForOp loop, const AxisInfoAnalysis &axes) {
  constexpr unsigned registersOfAddress = 2;
  const unsigned maxBits = ttg::getMaxAccessBits(loop);
  unsigned registers = 0;
  for (Value init : loop.getInitArgs())
    if (isAddress(init.getType()))
      registers += isa<RankedTensorType>(init.getType())
                       ? registersOfAddress * countAddresses(init, axes, maxBits)
                       : registersOfAddress;
  return registers;
}

//===----------------------------------------------------------------------------===//
// Values of the body
//===----------------------------------------------------------------------------===//

/// The most elements along K that an instruction takes of a product of `types`.
static unsigned getStepOfK(const ttg::MmaTypes &types, const target::Target &target) {
  unsigned step = 0;
  for (const target::MmaAtom &atom : target.products())
    if (ttg::isWarpProduct(atom, types))
      step = std::max(step, atom.k);
  return step;
}

/// Registers of `operand` of `dot` while a step of K is multiplied.
static unsigned getOperandRegisters(tt::DotOp dot, Value operand, scf::ForOp loop,
                                    const target::Target &target,
                                    llvm::function_ref<bool(ttg::ConvertLayoutOp)> isInMemory) {
  const unsigned registers = transform::getDistinctRegisters(operand.getType());
  const std::optional<ttg::MmaTypes> types = ttg::getMmaTypes(dot);
  auto convert = operand.getDefiningOp<ttg::ConvertLayoutOp>();
  if (!convert || !types || (loop.isDefinedOutsideOfLoop(operand) && !isInMemory(convert)))
    return registers;
  const unsigned k = dot.getA().getType().getShape().back();
  return registers * std::min(k, getStepOfK(*types, target)) / k;
}

unsigned
transform::countProductRegisters(scf::ForOp loop, const target::Target &target,
                                 llvm::function_ref<bool(ttg::ConvertLayoutOp)> isInMemory) {
  unsigned most = 0;
  for (tt::DotOp dot : loop.getBody()->getOps<tt::DotOp>()) {
    // A sum that begins anew is beside those that are carried.
    const bool isCarried = isa<BlockArgument>(dot.getC());
    most = std::max(most, getOperandRegisters(dot, dot.getA(), loop, target, isInMemory) +
                              getOperandRegisters(dot, dot.getB(), loop, target, isInMemory) +
                              (isCarried ? 0 : getDistinctRegisters(dot.getType())));
  }
  return most;
}

unsigned transform::countLoadRegisters(scf::ForOp loop) {
  unsigned registers = 0;
  for (tt::LoadOp load : loop.getBody()->getOps<tt::LoadOp>())
    registers += getDistinctRegisters(load.getType());
  return registers;
}

unsigned transform::countWaitingRegisters(scf::ForOp loop) {
  unsigned registers = 0;
  for (Value value : findWaitingValues(loop))
    registers += getDistinctRegisters(value.getType());
  return registers;
}

//===----------------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------------===//

/// Whether `alloc` is made before the end of `loop`, and a view of it used in `loop` or after it.
static bool isUsedFrom(ttg::LocalAllocOp alloc, scf::ForOp loop) {
  if (Operation *made = loop->getBlock()->findAncestorOpInBlock(*alloc);
      made && loop->isBeforeInBlock(made))
    return false;
  SmallVector<Value> views = {alloc.getResult()};
  while (!views.empty()) {
    for (Operation *user : views.pop_back_val().getUsers()) {
      Operation *ancestor = loop->getBlock()->findAncestorOpInBlock(*user);
      if (!ancestor || !ancestor->isBeforeInBlock(loop))
        return true;
      for (Value result : user->getResults())
        if (isa<ttg::MemDescType>(result.getType()))
          views.push_back(result);
    }
  }
  return false;
}

/// The outermost loop around `op`, or `op`.
static Operation *getOutermostLoop(Operation *op) {
  for (auto loop = op->getParentOfType<LoopLikeOpInterface>(); loop;
       loop = loop->getParentOfType<LoopLikeOpInterface>())
    op = loop;
  return op;
}

/// The bytes of the tiles, one of each type, that blocks of descriptors are stored through while
/// the loops around `loop` go on.
static uint64_t getStoredTileBytes(scf::ForOp loop) {
  llvm::SmallDenseMap<Type, uint64_t> tiles;
  getOutermostLoop(loop)->walk([&](Operation *op) {
    Value source;
    if (auto store = dyn_cast<tt::DescriptorStoreOp>(op))
      source = store.getSrc();
    else if (auto reduce = dyn_cast<tt::DescriptorReduceOp>(op))
      source = reduce.getSrc();
    if (source && getBlockEncoding(op->getOperand(0))) {
      auto type = cast<RankedTensorType>(source.getType());
      tiles[op->getOperand(0).getType()] =
          type.getNumElements() * tt::getStorageBits(type.getElementType()) / 8;
    }
  });
  uint64_t bytes = 0;
  for (auto [type, size] : tiles)
    bytes += size;
  return bytes;
}

/// Whether `op` moves nothing in the end: it converts what a block of a descriptor is loaded as, or
/// stored from, which goes between shared memory and any layout.
static bool isPartOfBlockAccess(Operation *op) {
  auto convert = dyn_cast<ttg::ConvertLayoutOp>(op);
  if (!convert)
    return false;
  if (Operation *load = convert.getSrc().getDefiningOp(); load && ttg::isBufferedBlock(load))
    return true;
  return llvm::all_of(convert->getUsers(), [](Operation *user) {
    return isa<tt::DescriptorStoreOp, tt::DescriptorReduceOp>(user) &&
           getBlockEncoding(user->getOperand(0));
  });
}

uint64_t transform::getFreeSharedBytes(scf::ForOp loop, const target::Target &target,
                                       const llvm::SmallPtrSetImpl<Operation *> &replaced) {
  uint64_t used = 0, scratch = 0;
  loop->getParentOfType<tt::FuncOp>().walk([&](ttg::LocalAllocOp alloc) {
    if (!replaced.contains(alloc) && alloc.getType().inSharedMemory() && isUsedFrom(alloc, loop))
      used += alloc.getType().getAllocBytes();
  });
  plan::PlanCache &plans = ttg::getPlanCache(loop);
  loop.getBody()->walk([&](ttg::ScratchUser op) {
    if (!replaced.contains(op) && !isPartOfBlockAccess(op))
      scratch = std::max(scratch, op.getScratch(plans).bytes);
  });
  used += scratch + getStoredTileBytes(loop);
  return target.shared.maxBytes - std::min<uint64_t>(used, target.shared.maxBytes);
}
