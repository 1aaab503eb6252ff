//===- LeastBlocks.cpp - Blocks that a kernel wants resident ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/emit/LeastBlocks.h"

#include "emit/LiveBytes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace tilewright;
using namespace tilewright::emit;

//===----------------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------------===//

static constexpr unsigned RegisterBytes = 4;

/// Whether `value` is there in parts only: a vector or structure that is made of its elements, or
/// taken apart into them.
static bool isInParts(const Value &value) {
  const bool isMade = isa<InsertElementInst, InsertValueInst>(value);
  return !value.use_empty() && all_of(value.users(), [&](const User *user) {
    return isMade ? isa<InsertElementInst, InsertValueInst>(user)
                  : isa<ExtractElementInst, ExtractValueInst>(user);
  });
}

static uint64_t getBytes(const Value &value, const DataLayout &layout) {
  constexpr unsigned sharedSpace = 3, sharedAddressBytes = 4;
  Type *type = value.getType();
  auto *address = dyn_cast<GetElementPtrInst>(&value);
  if (isa<Argument>(value) || !type->isSized() || type->isIntOrIntVectorTy(1) ||
      (address && address->hasAllConstantIndices()) || isInParts(value))
    return 0;
  if (type->isPointerTy() && type->getPointerAddressSpace() == sharedSpace)
    return sharedAddressBytes;
  return alignTo(layout.getTypeStoreSize(type).getFixedValue(), RegisterBytes);
}

unsigned emit::estimateLiveRegisters(const Function &function) {
  const DataLayout &layout = function.getParent()->getDataLayout();
  return getPeakLiveBytes(function, [&](const Value &value) { return getBytes(value, layout); }) /
         RegisterBytes;
}

//===----------------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------------===//

static StringRef getCalleeName(const Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee ? callee->getName() : StringRef();
}

static bool isProduct(const Instruction &instruction) {
  return getCalleeName(instruction).contains("mma");
}

static bool isGlobalLoad(const Instruction &instruction) {
  constexpr unsigned globalSpace = 1;
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return load->getPointerAddressSpace() == globalSpace;
  auto *masked = dyn_cast<IntrinsicInst>(&instruction);
  return masked && masked->getIntrinsicID() == Intrinsic::masked_load &&
         masked->getArgOperand(0)->getType()->getPointerAddressSpace() == globalSpace;
}

/// Whether threads wait for one another.
static bool isExchange(const Instruction &instruction) {
  constexpr StringLiteral prefixes[] = {"llvm.nvvm.shfl.", "llvm.nvvm.redux.", "llvm.nvvm.vote.",
                                        "llvm.nvvm.barrier"};
  const StringRef name = getCalleeName(instruction);
  return any_of(prefixes, [&](StringRef prefix) { return name.starts_with(prefix); });
}

namespace {
/// What a loop does in an iteration, for one thread.
struct LoopWork {
  unsigned loads = 0, exchanges = 0;
  uint64_t loadedBytes = 0;
  /// Cycles for which a warp's instructions keep the slots of a partition, or its unit of special
  /// functions.
  uint64_t cycles = 0;

  LoopWork(const Loop &loop, const target::Target &target) {
    for (const BasicBlock *block : loop.blocks())
      for (const Instruction &instruction : *block)
        add(instruction, target);
  }

private:
  void add(const Instruction &instruction, const target::Target &target) {
    if (isGlobalLoad(instruction)) {
      ++loads;
      loadedBytes +=
          instruction.getModule()->getDataLayout().getTypeStoreSize(instruction.getType());
    }
    exchanges += isExchange(instruction);
    auto *vector = dyn_cast<FixedVectorType>(instruction.getType());
    cycles += uint64_t(vector ? vector->getNumElements() : 1) *
              (isSpecial(instruction) ? target.execution.specialCycles : !isFree(instruction));
  }

  static bool isSpecial(const Instruction &instruction) {
    constexpr StringLiteral functions[] = {"ex2", "lg2",  "rcp",  "rsqrt", "sqrt", "sin",
                                           "cos", "tanh", "exp2", "log2",  "div"};
    const StringRef name = getCalleeName(instruction);
    return instruction.getOpcode() == Instruction::FDiv ||
           any_of(functions, [&](StringRef function) { return name.contains(function); });
  }

  /// Whether no instruction, or only a part of one, comes of it.
  static bool isFree(const Instruction &instruction) {
    return isa<PHINode, GetElementPtrInst, ExtractElementInst, InsertElementInst, ExtractValueInst,
               InsertValueInst, BitCastInst>(instruction) ||
           instruction.isDebugOrPseudoInst();
  }
};
} // namespace

/// Whether loads hold up an innermost loop of `function`, which has no products, of which `warps`
/// are resident: it has several loads under way, and its threads hardly wait for each other. A loop
/// that computes for longer than memory takes to bring what it loads needs warps as well.
static bool isBoundByLoads(Function &function, unsigned warps, const target::Target &target) {
  constexpr unsigned severalLoads = 2, exchangesPerLoad = 2, sharePercent = 75;
  for (const BasicBlock &block : function)
    if (any_of(block, isProduct))
      return false;
  const bool areMany = warps * 100 >= target.multiprocessor.busyWarps * sharePercent;
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  return any_of(loops.getLoopsInPreorder(), [&](const Loop *loop) {
    if (!loop->isInnermost())
      return false;
    const LoopWork work(*loop, target);
    // Each partition runs a warp of them.
    const uint64_t bytes =
        work.loadedBytes * target.execution.threadsPerWarp * target.multiprocessor.partitions;
    return work.loads >= severalLoads && work.exchanges <= exchangesPerLoad * work.loads &&
           (areMany || work.cycles <= bytes / target.global.bytesPerCycle);
  });
}

//===----------------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------------===//

/// "nvvm.reqntid"="128" or "16,8,1". 0: it is not said.
static unsigned countThreads(const Function &function) {
  StringRef rest = function.getFnAttribute("nvvm.reqntid").getValueAsString();
  unsigned threads = rest.empty() ? 0 : 1, size = 0;
  while (!rest.consumeInteger(10, size)) {
    threads *= size;
    rest.consume_front(",");
  }
  return threads;
}

void emit::chooseLeastBlocks(Function &function, const StepInput &input) {
  // ptxas takes the directive of kernels that say how many threads they have.
  const unsigned threads = countThreads(function);
  if (function.getCallingConv() != CallingConv::PTX_Kernel || threads == 0 ||
      function.hasFnAttribute("nvvm.maxnreg") || function.hasFnAttribute("nvvm.minctasm"))
    return;
  const target::Target &target = input.target;
  const unsigned registers = estimateLiveRegisters(function);
  const unsigned warps = divideCeil(threads, target.execution.threadsPerWarp);
  const unsigned fitting = std::max(
      1u, findResidency(target.multiprocessor, {.warps = warps, .registers = registers}).blocks);
  // ptxas finds orders of instructions in which somewhat less is alive.
  constexpr unsigned excessPercent = 125;
  const bool spills = registers * 100 > target.execution.maxRegistersPerThread * excessPercent;
  if (spills || isBoundByLoads(function, fitting * warps, target))
    function.addFnAttr("nvvm.minctasm", std::to_string(spills ? 1 : fitting));
}
