//===- LegalizeParameters.cpp - Parameter types of OpenCL kernels -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/emit/legalize/LegalizeParameters.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

static bool isBoolean(const Argument &argument) { return argument.getType()->isIntegerTy(1); }

/// The kernel with other parameters in place of `kernel`, which is erased.
static void replaceBooleans(Function &kernel) {
  LLVMContext &context = kernel.getContext();
  SmallVector<Type *> types;
  for (const Argument &argument : kernel.args())
    types.push_back(isBoolean(argument) ? Type::getInt8Ty(context) : argument.getType());
  auto *type = FunctionType::get(kernel.getReturnType(), types, kernel.isVarArg());
  Function *replacement = Function::Create(type, kernel.getLinkage(), kernel.getAddressSpace(), "");
  kernel.getParent()->getFunctionList().insert(kernel.getIterator(), replacement);
  replacement->takeName(&kernel);
  replacement->copyAttributesFrom(&kernel);
  replacement->copyMetadata(&kernel, /*Offset=*/0);
  replacement->splice(replacement->begin(), &kernel);

  BasicBlock &entry = replacement->getEntryBlock();
  IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  for (auto [before, after] : zip_equal(kernel.args(), replacement->args())) {
    after.takeName(&before);
    if (before.use_empty())
      continue;
    before.replaceAllUsesWith(isBoolean(before) ? builder.CreateTrunc(&after, before.getType())
                                                : &after);
  }
  kernel.eraseFromParent();
}

void tilewright::emit::legalizeParameters(Module &module) {
  for (Function &function : make_early_inc_range(module))
    if (!function.isDeclaration() && function.getCallingConv() == CallingConv::SPIR_KERNEL &&
        function.use_empty() && any_of(function.args(), isBoolean))
      replaceBooleans(function);
}
