//===- Builtins.cpp - OpenCL's and SPIR-V's functions -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/intel/Builtins.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace tilewright::lower;

/// The function of this name, declared if it is not there.
static LLVM::LLVMFuncOp getBuiltin(OpBuilder &builder, StringRef name, LLVM::LLVMFunctionType type,
                                   intel::Effect effect) {
  auto module = builder.getBlock()->getParentOp()->getParentOfType<ModuleOp>();
  if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return function;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  auto function = LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, type);
  function.setCConv(LLVM::CConv::SPIR_FUNC);
  function.setNoUnwind(true);
  function.setWillReturn(true);
  if (effect != intel::Effect::None)
    function.setConvergent(true);
  if (effect != intel::Effect::Barrier)
    function.setMemoryEffectsAttr(LLVM::MemoryEffectsAttr::get(
        builder.getContext(), SmallVector<LLVM::ModRefInfo>(6, LLVM::ModRefInfo::NoModRef)));
  return function;
}

LLVM::CallOp intel::callBuiltin(OpBuilder &builder, Location loc, StringRef name, StringRef letters,
                                Type result, ValueRange operands, Effect effect) {
  std::string mangled = ("_Z" + Twine(name.size()) + name + letters).str();
  if (!result)
    result = LLVM::LLVMVoidType::get(builder.getContext());
  auto type = LLVM::LLVMFunctionType::get(result, llvm::to_vector(operands.getTypes()));
  auto call =
      LLVM::CallOp::create(builder, loc, getBuiltin(builder, mangled, type, effect), operands);
  call.setCConv(LLVM::CConv::SPIR_FUNC);
  return call;
}
