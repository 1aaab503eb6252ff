//===- PressureSpills.cpp - Spills ahead of the register allocator ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/machine/PressureSpills.h"

#include "vendor/amd/emit/machine/SpillChoice.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/LiveStacks.h"
#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/SlotIndexes.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/CodeGen/VirtRegMap.h"

using namespace llvm;
using namespace tilewright::emit;

#define DEBUG_TYPE "pressure-spills"

ALWAYS_ENABLED_STATISTIC(numSpilledAhead, "Values spilled ahead of the register allocator");

/// How many times the registers that there are a kernel takes for the pass to run. Below that the
/// allocator finds room by moving values from one register to another.
static constexpr double shortage = 4.0 / 3;
/// Registers left free, as those of a tuple must lie next to each other.
static constexpr unsigned margin = 8;

namespace {

/// A virtual register that may be spilled, and the instructions with it in order.
struct Candidate {
  Register reg;
  std::vector<MachineInstr *> accesses;
};

class PressureSpills final : public MachineFunctionPass {
public:
  static char id;
  PressureSpills() : MachineFunctionPass(id) {}

  StringRef getPassName() const override { return "Spill ahead of the register allocator"; }

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesAll();
    usage.addRequired<SlotIndexesWrapperPass>();
    usage.addRequired<LiveIntervalsWrapperPass>();
    usage.addRequired<LiveStacksWrapperLegacy>();
    usage.addRequired<MachineBlockFrequencyInfoWrapperPass>();
    usage.addRequired<VirtRegMapWrapperLegacy>();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(MachineFunction &function) override;

private:
  unsigned countAvailable(const TargetRegisterClass &registerClass) const;
  void collectPoints();
  void addValue(Register reg);
  unsigned pointOf(SlotIndex index) const { return lower_bound(points, index) - points.begin(); }
  const MachineInstr *getSource(Register reg) const;
  void rewrite(unsigned index);
  void rewriteCluster(unsigned index, unsigned from, unsigned to, int slot,
                      const MachineInstr *source);

  MachineFunction *function = nullptr;
  MachineRegisterInfo *registers = nullptr;
  const TargetRegisterInfo *info = nullptr;
  const TargetInstrInfo *instructions = nullptr;
  LiveIntervals *intervals = nullptr;
  MachineBlockFrequencyInfo *frequencies = nullptr;
  /// For each instruction where it reads, and where it has written.
  std::vector<SlotIndex> points;
  std::vector<Candidate> values;
  /// Other than those that the function remembers, of the last allocation.
  BitVector reserved;
  SpillChoice choice;
};
} // namespace

unsigned PressureSpills::countAvailable(const TargetRegisterClass &registerClass) const {
  return count_if(registerClass.getRawAllocationOrder(*function),
                  [&](MCPhysReg reg) { return !reserved[reg]; });
}

void PressureSpills::collectPoints() {
  points.clear();
  for (const MachineBasicBlock &block : *function) {
    const size_t begin = points.size();
    for (const MachineInstr &instruction : block) {
      if (instruction.isDebugInstr())
        continue;
      SlotIndex index = intervals->getInstructionIndex(instruction);
      points.push_back(index.getBaseIndex());
      points.push_back(index.getRegSlot());
    }
    choice.addBlock(points.size() - begin,
                    float(frequencies->getBlockFreqRelativeToEntryBlock(&block)));
  }
}

/// The instruction whose clones give `reg` again wherever they stand; null if there is none.
const MachineInstr *PressureSpills::getSource(Register reg) const {
  if (!registers->hasOneDef(reg))
    return nullptr;
  const MachineInstr &source = *registers->def_instr_begin(reg);
  return instructions->isTriviallyReMaterializable(source) && source.getOperand(0).isReg() &&
                 !source.getOperand(0).getSubReg() &&
                 none_of(source.explicit_uses(),
                         [](const MachineOperand &operand) { return operand.isReg(); })
             ? &source
             : nullptr;
}

void PressureSpills::addValue(Register reg) {
  const LiveInterval &interval = intervals->getInterval(reg);
  SpillChoice::Value value;
  const unsigned size = divideCeil(info->getRegSizeInBits(*registers->getRegClass(reg)), 32);
  auto add = [&](const LiveRange &range, unsigned count) {
    for (const LiveRange::Segment &segment : range) {
      SpillChoice::Piece piece{pointOf(segment.start), pointOf(segment.end), count};
      if (piece.from != piece.to)
        value.pieces.push_back(piece);
    }
  };
  const unsigned lanes = registers->getMaxLaneMaskForVReg(reg).getNumLanes();
  if (interval.hasSubRanges())
    for (const LiveInterval::SubRange &range : interval.subranges())
      add(range, std::max(1u, size * range.LaneMask.getNumLanes() / lanes));
  else
    add(interval, size);

  Candidate entry{reg, {}};
  bool canSpill = interval.isSpillable();
  for (MachineInstr &instruction : registers->reg_nodbg_instructions(reg)) {
    auto [reads, writes] = instruction.readsWritesVirtualRegister(reg);
    canSpill &= !instruction.isBundled() && !(writes && instruction.isTerminator());
    entry.accesses.push_back(&instruction);
  }
  if (!canSpill) {
    choice.addFixed(value.pieces);
    return;
  }
  auto indexOf = [&](const MachineInstr *instruction) {
    return intervals->getInstructionIndex(*instruction);
  };
  llvm::sort(entry.accesses,
             [&](const MachineInstr *a, const MachineInstr *b) { return indexOf(a) < indexOf(b); });
  value.size = size;
  value.canRepeat = getSource(reg);
  for (MachineInstr *instruction : entry.accesses) {
    const MachineBasicBlock *block = instruction->getParent();
    auto [reads, writes] = instruction->readsWritesVirtualRegister(reg);
    SlotIndex index = indexOf(instruction);
    value.accesses.push_back({pointOf(index.getBaseIndex()), unsigned(block->getNumber()),
                              float(frequencies->getBlockFreqRelativeToEntryBlock(block)), reads,
                              writes, interval.liveAt(index.getDeadSlot())});
    value.crossesBlocks |=
        intervals->isLiveInToMBB(interval, block) || intervals->isLiveOutOfMBB(interval, block);
  }
  choice.addValue(std::move(value));
  values.push_back(std::move(entry));
}

/// Gives accesses `from` to `to` (excluded) of a value registers of their own.
void PressureSpills::rewriteCluster(unsigned index, unsigned from, unsigned to, int slot,
                                    const MachineInstr *source) {
  const Candidate &value = values[index];
  const SpillChoice::Value &chosen = choice.getValue(index);
  MachineInstr *first = value.accesses[from];
  const TargetRegisterClass *registerClass = registers->getRegClass(value.reg);
  Register part = registers->cloneVirtualRegister(value.reg);
  MachineInstr *lastWrite = nullptr;
  for (unsigned i = from; i < to; ++i) {
    for (MachineOperand &operand : value.accesses[i]->operands())
      if (operand.isReg() && operand.getReg() == value.reg) {
        operand.setReg(part);
        if (operand.isUse())
          operand.setIsKill(false);
      }
    if (chosen.accesses[i].writes)
      lastWrite = value.accesses[i];
  }
  MachineBasicBlock &block = *first->getParent();
  if (chosen.accesses[from].reads) {
    if (source)
      instructions->reMaterialize(block, first, part, 0, *source);
    else
      instructions->loadRegFromStackSlot(block, first, part, slot, registerClass, Register());
    intervals->InsertMachineInstrInMaps(*std::prev(first->getIterator()));
  }
  if (lastWrite && !source && chosen.accesses[to - 1].isAliveBehind) {
    instructions->storeRegToStackSlot(block, std::next(lastWrite->getIterator()), part,
                                      /*isKill=*/false, slot, registerClass, Register());
    intervals->InsertMachineInstrInMaps(*std::next(lastWrite->getIterator()));
  }
  intervals->createAndComputeVirtRegInterval(part);
}

void PressureSpills::rewrite(unsigned index) {
  Candidate &value = values[index];
  const TargetRegisterClass *registerClass = registers->getRegClass(value.reg);
  MachineInstr *original = const_cast<MachineInstr *>(getSource(value.reg));
  MachineInstr *source = original ? function->CloneMachineInstr(original) : nullptr;
  int slot = 0;
  if (!source) {
    slot = function->getFrameInfo().CreateSpillStackObject(info->getSpillSize(*registerClass),
                                                           info->getSpillAlign(*registerClass));
    LiveStacks &stacks = getAnalysis<LiveStacksWrapperLegacy>().getLS();
    LiveInterval &stack = stacks.getOrCreateInterval(slot, registerClass);
    VNInfo *number = stack.getNextValue(SlotIndex(), stacks.getVNInfoAllocator());
    stack.MergeSegmentsInAsValue(intervals->getInterval(value.reg), number);
  }
  for (unsigned from = 0, end = value.accesses.size(); from < end;) {
    unsigned to = from + 1;
    while (to < end && !choice.isApart(index, to))
      ++to;
    if (original && value.accesses[from] == original && from + 1 == to) {
      intervals->RemoveMachineInstrFromMaps(*original);
      original->eraseFromParent();
    } else {
      rewriteCluster(index, from, to, slot, source);
    }
    from = to;
  }
  if (source)
    function->deleteMachineInstr(source);
  intervals->removeInterval(value.reg);
}

bool PressureSpills::runOnMachineFunction(MachineFunction &machineFunction) {
  function = &machineFunction;
  registers = &function->getRegInfo();
  info = function->getSubtarget().getRegisterInfo();
  instructions = function->getSubtarget().getInstrInfo();
  intervals = &getAnalysis<LiveIntervalsWrapperPass>().getLIS();
  frequencies = &getAnalysis<MachineBlockFrequencyInfoWrapperPass>().getMBFI();

  choice.reset();
  collectPoints();
  values.clear();
  reserved = info->getReservedRegs(*function);
  unsigned available = 0;
  DenseMap<const TargetRegisterClass *, unsigned> known;
  for (unsigned index = 0; index < registers->getNumVirtRegs(); ++index) {
    Register reg = Register::index2VirtReg(index);
    if (registers->reg_nodbg_empty(reg) || intervals->getInterval(reg).empty())
      continue;
    auto [entry, isNew] = known.try_emplace(registers->getRegClass(reg));
    if (isNew)
      entry->second = countAvailable(*entry->first);
    if (!entry->second)
      continue;
    if (info->getRegSizeInBits(*registers->getRegClass(reg)) == 32)
      available = std::max(available, entry->second);
    addValue(reg);
  }
  if (choice.getPeak() <= shortage * available)
    return false;
  choice.run(available - margin);
  for (unsigned index = 0; index < values.size(); ++index)
    if (choice.isSpilled(index)) {
      rewrite(index);
      ++numSpilledAhead;
    }
  getAnalysis<VirtRegMapWrapperLegacy>().getVRM().grow();
  return true;
}

char PressureSpills::id = 0;

FunctionPass *tilewright::emit::createPressureSpillsPass() { return new PressureSpills(); }
