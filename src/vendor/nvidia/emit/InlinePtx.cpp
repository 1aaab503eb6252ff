//===- InlinePtx.cpp - Inline PTX in LLVM IR ----------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/emit/InlinePtx.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;
using namespace tilewright;
using namespace tilewright::emit;

std::optional<StringRef> tilewright::emit::stateSpaceSuffix(unsigned addressSpace) {
  switch (addressSpace) {
  case 0:
    return StringRef();
  case 1:
    return StringRef(".global");
  case 3:
    return StringRef(".shared");
  default:
    return std::nullopt;
  }
}

/// The constraint for a register that holds an integer of `bits` bits.
static StringRef integerConstraint(unsigned bits) {
  switch (bits) {
  case 1:
    return "b";
  case 16:
    return "h";
  case 32:
    return "r";
  default:
    return "l";
  }
}

static StringRef registerConstraint(const DataLayout &layout, Type *type) {
  if (type->isFloatTy())
    return "f";
  if (type->isDoubleTy())
    return "d";
  // Pointers to shared memory may have 32 bits.
  return integerConstraint(type->isPointerTy() ? layout.getPointerTypeSizeInBits(type)
                                               : type->getIntegerBitWidth());
}

std::string InlinePtx::addOperand(StringRef prefix, Type *type) {
  if (!constraints.empty())
    constraints += ",";
  constraints += prefix;
  constraints += registerConstraint(builder.GetInsertBlock()->getDataLayout(), type);
  return "$" + utostr(outputs.size() + inputs.size());
}

std::string InlinePtx::addOutput(Type *type, bool isWrittenEarly) {
  std::string name = addOperand(isWrittenEarly ? "=&" : "=", type);
  outputs.push_back(type);
  return name;
}

std::string InlinePtx::addInput(Value *value) {
  std::string name = addOperand("", value->getType());
  inputs.push_back(value);
  return name;
}

std::string InlinePtx::addTied(Value *value) {
  // A number in place of a kind of register: the output of that number.
  constraints += "," + utostr(tied);
  inputs.push_back(value);
  return "$" + utostr(tied++);
}

std::string InlinePtx::addPredicate(Value *predicate) {
  return predicate ? "@" + addInput(predicate) + " " : std::string();
}

void InlinePtx::addLine(const Twine &line) {
  if (!text.empty())
    text += "\n\t";
  text += line.str();
}

CallInst *InlinePtx::emit(bool hasSideEffects) {
  Type *result = builder.getVoidTy();
  if (outputs.size() == 1)
    result = outputs.front();
  else if (!outputs.empty())
    result = StructType::get(builder.getContext(), outputs);
  SmallVector<Type *> types(map_range(inputs, [](Value *input) { return input->getType(); }));
  CallInst *call =
      builder.CreateCall(InlineAsm::get(FunctionType::get(result, types, /*isVarArg=*/false), text,
                                        constraints + ",~{memory}", hasSideEffects),
                         inputs);
  call->setDoesNotThrow();
  return call;
}

SmallVector<Value *> InlinePtx::getOutputs(CallInst *call) {
  if (outputs.size() == 1)
    return {call};
  SmallVector<Value *> values;
  for (unsigned index = 0; index < outputs.size(); ++index)
    values.push_back(builder.CreateExtractValue(call, index));
  return values;
}

std::string tilewright::emit::registerList(ArrayRef<std::string> registers) {
  std::string list = join(registers, ", ");
  return registers.size() == 1 ? list : "{" + list + "}";
}
