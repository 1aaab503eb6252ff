//===- Builtins.cpp - Calls of functions known to the SPIR-V back end ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/emit/Builtins.h"

#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/IR/Module.h"

using namespace llvm;

CallInst *tilewright::emit::callBuiltin(IRBuilderBase &builder, StringRef name, Type *result,
                                        ArrayRef<Value *> operands) {
  auto types = map_to_vector(operands, [](Value *operand) { return operand->getType(); });
  FunctionCallee callee = builder.GetInsertBlock()->getModule()->getOrInsertFunction(
      name, FunctionType::get(result, types, /*isVarArg=*/false));
  auto *function = cast<Function>(callee.getCallee());
  function->setCallingConv(CallingConv::SPIR_FUNC);
  function->setDoesNotThrow();
  CallInst *call = builder.CreateCall(callee, operands);
  call->setCallingConv(CallingConv::SPIR_FUNC);
  return call;
}
