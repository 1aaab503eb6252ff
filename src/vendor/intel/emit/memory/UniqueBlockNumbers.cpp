//===- UniqueBlockNumbers.cpp - Block labels unique in a module ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/emit/memory/UniqueBlockNumbers.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Pass.h"

#include <utility>
#include <vector>

using namespace llvm;

namespace {
class UniqueBlockNumbers : public ModulePass {
public:
  static char ID;
  UniqueBlockNumbers() : ModulePass(ID) {}

  StringRef getPassName() const override { return "Block numbers unlike all before"; }

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.addRequired<MachineModuleInfoWrapperPass>();
    usage.setPreservesAll();
  }

  bool runOnModule(Module &module) override {
    // Where it ends is far from the first number when it begins anew.
    static unsigned next = 0;
    constexpr unsigned end = 1u << 30;
    MachineModuleInfo &info = getAnalysis<MachineModuleInfoWrapperPass>().getMMI();
    for (Function &function : module)
      if (MachineFunction *machine = info.getMachineFunction(function))
        for (MachineBasicBlock &block : *machine) {
          numbers.emplace_back(&block, block.getNumber());
          block.setNumber(static_cast<int>(next));
          next = (next + 1) % end;
        }
    return false;
  }

  /// A function finds its blocks by their own numbers when it removes them.
  bool doFinalization(Module &) override {
    for (auto [block, number] : numbers)
      block->setNumber(number);
    numbers.clear();
    return false;
  }

private:
  std::vector<std::pair<MachineBasicBlock *, int>> numbers;
};
} // namespace

char UniqueBlockNumbers::ID = 0;

ModulePass *tilewright::emit::createUniqueBlockNumbersPass() { return new UniqueBlockNumbers(); }

std::unique_lock<std::mutex> tilewright::emit::lockSpirvGenerator() {
  static std::mutex mutex;
  return std::unique_lock(mutex);
}
