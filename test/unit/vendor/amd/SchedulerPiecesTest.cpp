//===- SchedulerPiecesTest.cpp - Machine code cut into pieces -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/machine/SchedulerPieces.h"

#include "emit/Emit.h"
#include "target/Target.h"
#include "vendor/amd/emit/AmdgpuMachine.h"

#include "llvm/CodeGen/MIRParser/MIRParser.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Pass.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace tilewright;
using namespace tilewright::emit;

/// The lengths of the pieces of a block of `count` instructions and its end, in a function that has
/// `others` in a second block.
static std::vector<unsigned> piecesOf(unsigned count, unsigned others = 0) {
  std::string text = "---\nname: long\nbody: |\n  bb.0:\n";
  for (unsigned i = 0; i < count; ++i)
    text += "    S_NOP 0\n";
  text += "    S_ENDPGM 0\n";
  if (others)
    text += "  bb.1:\n";
  for (unsigned i = 0; i < others; ++i)
    text += "    S_NOP 0\n";
  text += "...\n";

  auto target = target::Target::parse("hip:gfx1201");
  EXPECT_TRUE(target);
  std::shared_ptr<TargetMachine> machine = createAmdgpuMachine(**target, {});
  LLVMContext context;
  std::unique_ptr<MIRParser> parser =
      createMIRParser(MemoryBuffer::getMemBuffer(text, "long"), context);
  std::unique_ptr<Module> module =
      parser->parseIRModule([&](StringRef, StringRef) -> std::optional<std::string> {
        return machine->createDataLayout().getStringRepresentation();
      });
  auto *information = new MachineModuleInfoWrapperPass(machine.get());
  EXPECT_FALSE(parser->parseMachineFunctions(*module, information->getMMI()));
  legacy::PassManager passes;
  passes.add(information);
  passes.add(createSchedulerPiecesPass());
  passes.run(*module);

  const MachineFunction &function =
      *information->getMMI().getMachineFunction(*module->getFunction("long"));
  const TargetInstrInfo &names = *function.getSubtarget().getInstrInfo();
  std::vector<unsigned> lengths = {0};
  for (const MachineInstr &instruction : function.front()) {
    if (names.getName(instruction.getOpcode()) == "SCHED_BARRIER")
      lengths.push_back(0);
    else
      ++lengths.back();
  }
  return lengths;
}

TEST(SchedulerPieces, LongBlocksAreCut) {
  EXPECT_EQ(piecesOf(2046), std::vector<unsigned>({2047}));
  EXPECT_EQ(piecesOf(2047), std::vector<unsigned>({255, 256, 256, 256, 256, 256, 256, 257}));
}

TEST(SchedulerPieces, ShortBlocksOfLongFunctionsAreCut) {
  EXPECT_EQ(piecesOf(600, 7000), std::vector<unsigned>({601}));
  EXPECT_EQ(piecesOf(600, 8000), std::vector<unsigned>({255, 256, 90}));
  EXPECT_EQ(piecesOf(255, 8000), std::vector<unsigned>({256}));
}
