//===- JoinableLoads.cpp - Loads that may become one -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "emit/JoinableLoads.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

bool tilewright::emit::hasJoinableLoads(const llvm::Module &module) {
  const llvm::DataLayout &layout = module.getDataLayout();
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
          load && load->isSimple() &&
          load->getAlign().value() > layout.getTypeStoreSize(load->getType()))
        return true;
  return false;
}
