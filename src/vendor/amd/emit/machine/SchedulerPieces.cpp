//===- SchedulerPieces.cpp - Long blocks after register allocation ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/machine/SchedulerPieces.h"

#include "vendor/amd/emit/SchedulerBarrier.h"
#include "vendor/amd/emit/machine/SchedulerStrategy.h"

#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;
using namespace tilewright::emit;

static constexpr unsigned pieceLength = longBlock / 8;

/// The instruction that llvm.amdgcn.sched.barrier becomes. Its number is not in LLVM's interface,
/// its name is.
static const MCInstrDesc *findSchedulerBarrier(const MCInstrInfo &instructions) {
  for (unsigned opcode = 0; opcode < instructions.getNumOpcodes(); ++opcode)
    if (instructions.getName(opcode) == "SCHED_BARRIER")
      return &instructions.get(opcode);
  return nullptr;
}

namespace {
class SchedulerPieces final : public MachineFunctionPass {
public:
  static char id;
  SchedulerPieces() : MachineFunctionPass(id) {}

  StringRef getPassName() const override { return "Cut long blocks into pieces"; }

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(MachineFunction &function) override {
    const TargetInstrInfo &instructions = *function.getSubtarget().getInstrInfo();
    const unsigned shortest =
        function.getInstructionCount() < longFunction ? longBlock : pieceLength + 1;
    const MCInstrDesc *barrier = nullptr;
    for (MachineBasicBlock &block : function) {
      if (block.size() < shortest)
        continue;
      if (!barrier && !(barrier = findSchedulerBarrier(instructions)))
        return false;
      cut(block, *barrier);
    }
    return barrier;
  }

private:
  static void cut(MachineBasicBlock &block, const MCInstrDesc &barrier) {
    unsigned length = 0;
    for (MachineInstr &instruction : block) {
      if (instruction.isTerminator())
        return;
      if (++length % pieceLength == 0)
        BuildMI(block, instruction, instruction.getDebugLoc(), barrier).addImm(0);
    }
  }
};
} // namespace

char SchedulerPieces::id = 0;

FunctionPass *tilewright::emit::createSchedulerPiecesPass() { return new SchedulerPieces(); }
