//===- RegisterCalls.cpp - Calls of functions that give registers back --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/lower/RegisterCalls.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

SmallVector<Value> nvidia::callWithRegisters(LoweringBuilder &e, StringRef name,
                                             ArrayRef<Type> types, ValueRange operands) {
  Type result = LLVM::LLVMStructType::getLiteral(e.builder.getContext(), types);
  auto module = e.builder.getBlock()->getParentOp()->getParentOfType<ModuleOp>();
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(e.builder);
    e.builder.setInsertionPointToStart(module.getBody());
    auto function = LLVM::LLVMFuncOp::create(
        e.builder, module.getLoc(), name,
        LLVM::LLVMFunctionType::get(result, llvm::to_vector(operands.getTypes())));
    function.setConvergent(true);
    function.setNoUnwind(true);
  }
  auto call = LLVM::CallOp::create(e.builder, e.loc, TypeRange(result), name, operands);
  SmallVector<Value> registers;
  for (unsigned i = 0; i < types.size(); ++i)
    registers.push_back(e.create<LLVM::ExtractValueOp>(call.getResult(), i));
  return registers;
}
