//===- Builtins.cpp - OpenCL and SPIR-V built-in functions --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/lower/Builtins.h"

#include "lower/core/builder/TextConstant.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace tilewright;
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
  using enum LLVM::ModRefInfo;
  auto setEffects = [&](LLVM::ModRefInfo ofArguments) {
    SmallVector<LLVM::ModRefInfo> effects(6, NoModRef);
    effects[1] = ofArguments;
    function.setMemoryEffectsAttr(LLVM::MemoryEffectsAttr::get(builder.getContext(), effects));
  };
  if (effect == intel::Effect::Exchange || effect == intel::Effect::Barrier ||
      effect == intel::Effect::Message)
    function.setConvergent(true);
  // A message that only reads would be a function without effects, which drivers may drop.
  if (effect == intel::Effect::Message)
    setEffects(ModRef);
  if (effect == intel::Effect::None || effect == intel::Effect::Exchange)
    setEffects(NoModRef);
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

/// A format of C's as OpenCL C has it ("The printf Function"): l, not ll, says that an integer has
/// 64 bits. Pointers are integers here.
static std::string toOpenCLFormat(StringRef format) {
  std::string result;
  while (!format.empty()) {
    // The text before the conversion: flags and a width.
    size_t begin = format.find('%');
    size_t end =
        format.find_first_not_of("0123456789.-+ #", begin == format.npos ? begin : begin + 1);
    result += format.take_front(end);
    format = format.drop_front(std::min(end, format.size()));
    if (format.consume_front("ll"))
      result += "l";
    else if (format.consume_front("p"))
      result.insert(result.rfind('%'), "0x"), result += "lx";
    else if (!format.empty())
      result += format.front(), format = format.drop_front();
  }
  return result;
}

void intel::callPrintf(OpBuilder &builder, Location loc, StringRef format, ValueRange values) {
  // OpenCL's address space of constants, in which formats have to be.
  constexpr unsigned constants = 2;
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext(), constants);
  auto type = LLVM::LLVMFunctionType::get(builder.getI32Type(), pointer, /*isVarArg=*/true);
  SmallVector<Value> operands = {getText(builder, loc, toOpenCLFormat(format), constants)};
  llvm::append_range(operands, values);
  // With the types that a caller in C would name: the back end makes the format's a pointer to
  // bytes by that.
  auto call = LLVM::CallOp::create(
      builder, loc, getBuiltin(builder, "_Z6printfPU3AS2Kcz", type, Effect::Output), operands);
  call.setCConv(LLVM::CConv::SPIR_FUNC);
}
