//===- SchedulerStrategy.cpp - Long functions and LLVM's scheduler ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/machine/SchedulerStrategy.h"

#include "vendor/amd/emit/SchedulerBarrier.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/RegisterClassInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"

#include <algorithm>
#include <utility>
#include <vector>

using namespace llvm;
using namespace tilewright::emit;

#define DEBUG_TYPE "scheduler-strategy"

ALWAYS_ENABLED_STATISTIC(numScheduledOnce, "Functions that are scheduled once");
ALWAYS_ENABLED_STATISTIC(numLeftInOrder, "Functions that are not scheduled");

namespace {

/// The registers of one kind, vector or scalar ones, that a function takes as it stands.
struct Pressure {
  /// Where a register becomes alive or dies, and how many words it takes or frees.
  std::vector<std::pair<SlotIndex, int>> changes;
  /// Registers of one word; 0 if the function has no value of one word.
  unsigned available = 0;

  bool isTooHigh() {
    llvm::sort(changes);
    int taken = 0;
    return available && llvm::any_of(changes, [&](const std::pair<SlotIndex, int> &change) {
             taken += change.second;
             return taken > int(available);
           });
  }
};

/// The kinds of registers of which a function needs more than there are.
struct Shortage {
  bool ofVectors = false;
  bool ofAny = false;
};

/// The attribute by which LLVM's passes are left out.
class SchedulerGate final : public OptPassGate {
public:
  bool leavesInOrder = false;

  bool isEnabled() const override { return leavesInOrder; }
  bool shouldRunPass(StringRef pass, StringRef) const override {
    if (pass != "machine-scheduler")
      return true;
    ++numLeftInOrder;
    return false;
  }
};

class SchedulerStrategy final : public MachineFunctionPass {
public:
  static char id;
  SchedulerStrategy() : MachineFunctionPass(id) {}

  StringRef getPassName() const override { return "Choose the scheduler's strategy"; }

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesAll();
    usage.addRequired<LiveIntervalsWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool doInitialization(Module &module) override {
    module.getContext().setOptPassGate(gate);
    return MachineFunctionPass::doInitialization(module);
  }

  bool doFinalization(Module &module) override {
    module.getContext().setOptPassGate(getGlobalPassGate());
    return MachineFunctionPass::doFinalization(module);
  }

  bool runOnMachineFunction(MachineFunction &function) override {
    gate.leavesInOrder = false;
    const unsigned count = function.getInstructionCount();
    if (count < longFunction)
      return false;
    const unsigned longest = std::max_element(function.begin(), function.end(), isShorter)->size();
    const Shortage shortage = findShortage(function);
    if (shortage.ofVectors && longest < longBlock) {
      gate.leavesInOrder = count >= veryLongFunction;
      return false;
    }
    if (longest < longFunction && !shortage.ofAny)
      return false;
    function.getFunction().addFnAttr("amdgpu-sched-strategy", "max-memory-clause");
    ++numScheduledOnce;
    return true;
  }

private:
  static bool isShorter(const MachineBasicBlock &a, const MachineBasicBlock &b) {
    return a.size() < b.size();
  }
  Shortage findShortage(const MachineFunction &function) const;

  SchedulerGate gate;
};

} // namespace

Shortage SchedulerStrategy::findShortage(const MachineFunction &function) const {
  const LiveIntervals &intervals = getAnalysis<LiveIntervalsWrapperPass>().getLIS();
  const MachineRegisterInfo &registers = function.getRegInfo();
  const TargetRegisterInfo &info = *function.getSubtarget().getRegisterInfo();
  RegisterClassInfo classes;
  classes.runOnMachineFunction(function);
  std::vector<Pressure> kinds(info.getNumRegPressureSets());
  for (unsigned index = 0; index < registers.getNumVirtRegs(); ++index) {
    const Register reg = Register::index2VirtReg(index);
    if (registers.reg_nodbg_empty(reg))
      continue;
    const TargetRegisterClass *registerClass = registers.getRegClass(reg);
    const bool isOneWord = info.getRegSizeInBits(*registerClass) == 32;
    for (PSetIterator set = registers.getPressureSets(VirtRegOrUnit(reg)); set.isValid(); ++set) {
      Pressure &kind = kinds[*set];
      if (isOneWord)
        kind.available = std::max(kind.available, classes.getNumAllocatableRegs(registerClass));
      for (const LiveRange::Segment &segment : intervals.getInterval(reg)) {
        kind.changes.emplace_back(segment.start, int(set.getWeight()));
        kind.changes.emplace_back(segment.end, -int(set.getWeight()));
      }
    }
  }
  Shortage shortage;
  for (unsigned set = 0; set < kinds.size(); ++set)
    if (kinds[set].isTooHigh()) {
      shortage.ofAny = true;
      // LLVM's interface has the names of kinds, not their numbers.
      shortage.ofVectors |= StringRef(info.getRegPressureSetName(set)).starts_with("VGPR");
    }
  return shortage;
}

char SchedulerStrategy::id = 0;

FunctionPass *tilewright::emit::createSchedulerStrategyPass() { return new SchedulerStrategy(); }
