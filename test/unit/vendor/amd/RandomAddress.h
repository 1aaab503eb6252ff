//===- RandomAddress.h - Random addresses, and what they are --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_UNIT_VENDOR_AMD_RANDOMADDRESS_H
#define TILEWRIGHT_TEST_UNIT_VENDOR_AMD_RANDOMADDRESS_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

#include <map>
#include <random>

namespace tilewright::emit {

using namespace llvm;

/// Computes the instructions of a straight-line function, as 64-bit numbers modulo their width.
class Evaluator {
public:
  std::map<const Value *, uint64_t> values;

  uint64_t valueOf(const Value *value) {
    if (auto *constant = dyn_cast<ConstantInt>(value))
      return constant->getZExtValue();
    if (auto found = values.find(value); found != values.end())
      return found->second;
    uint64_t result = compute(cast<Instruction>(value));
    if (value->getType()->isIntegerTy(32))
      result = uint32_t(result);
    values[value] = result;
    return result;
  }

private:
  static uint64_t signExtended(uint64_t number, const Type *type) {
    return type->isIntegerTy(32) ? uint64_t(int64_t(int32_t(number))) : number;
  }

  uint64_t compute(const Instruction *instruction) {
    if (auto *pointer = dyn_cast<GetElementPtrInst>(instruction)) {
      const Value *index = pointer->getOperand(1);
      const uint64_t bytes =
          pointer->getDataLayout().getTypeAllocSize(pointer->getSourceElementType());
      return valueOf(pointer->getPointerOperand()) +
             signExtended(valueOf(index), index->getType()) * bytes;
    }
    const uint64_t a = valueOf(instruction->getOperand(0));
    switch (instruction->getOpcode()) {
    case Instruction::SExt:
      return signExtended(a, instruction->getOperand(0)->getType());
    case Instruction::ZExt:
    case Instruction::Trunc:
      return a;
    default:
      break;
    }
    const uint64_t b = valueOf(instruction->getOperand(1));
    switch (instruction->getOpcode()) {
    case Instruction::Add:
      return a + b;
    case Instruction::Sub:
      return a - b;
    case Instruction::Mul:
      return a * b;
    case Instruction::Shl:
      return a << b;
    case Instruction::Or:
      return a | b;
    default:
      ADD_FAILURE() << "no rule for " << instruction->getOpcodeName();
      return 0;
    }
  }
};

/// A kernel (ptr %x, i32 %n) with one random address.
class RandomAddress {
public:
  RandomAddress(std::mt19937 &random, TargetMachine &machine)
      : random(random), module("random", context) {
    module.setDataLayout(machine.createDataLayout());
    module.setTargetTriple(machine.getTargetTriple());
    IRBuilder<> builder(context);
    auto *type =
        FunctionType::get(builder.getVoidTy(), {builder.getPtrTy(1), builder.getInt32Ty()}, false);
    function = Function::Create(type, Function::ExternalLinkage, "kernel", module);
    function->setCallingConv(CallingConv::AMDGPU_KERNEL);
    builder.SetInsertPoint(BasicBlock::Create(context, "", function));
    lane = builder.CreateIntrinsic(Intrinsic::amdgcn_workitem_id_x, {});
    cast<CallInst>(lane)->addRangeRetAttr(ConstantRange(APInt(32, 0), APInt(32, 256)));
    program = builder.CreateIntrinsic(Intrinsic::amdgcn_workgroup_id_x, {});
    address = function->getArg(0);
    for (unsigned steps = 1 + pick(3); steps; --steps) {
      Value *index = createInteger(builder, 4);
      if (pick(2))
        index = builder.CreateSExt(index, builder.getInt64Ty());
      if (index->getType()->isIntegerTy(64) && pick(2))
        index = builder.CreateAdd(index, builder.getInt64(pick(4096) - 2048));
      Type *elements[] = {builder.getInt8Ty(), builder.getInt16Ty(), builder.getInt32Ty(),
                          ArrayType::get(builder.getInt32Ty(), 3)};
      address = builder.CreateGEP(elements[pick(4)], address, index);
    }
    builder.CreateLoad(builder.getInt8Ty(), address);
    builder.CreateRetVoid();
  }

  int pick(int choices) { return std::uniform_int_distribution(0, choices - 1)(random); }

  std::mt19937 &random;
  LLVMContext context;
  Module module;
  Function *function;
  Value *lane, *program, *address;

private:
  Value *createInteger(IRBuilder<> &builder, unsigned depth) {
    if (!depth || !pick(4)) {
      Value *leaves[] = {lane, lane, program, function->getArg(1),
                         builder.getInt32(pick(2000) - 1000)};
      return leaves[pick(5)];
    }
    Value *a = createInteger(builder, depth - 1);
    switch (pick(6)) {
    case 0:
      return builder.CreateMul(a, builder.getInt32(pick(40)));
    case 1:
      return builder.CreateShl(a, pick(6));
    case 2:
      return builder.CreateSub(a, createInteger(builder, depth - 1));
    case 3:
      return builder.CreateOr(builder.CreateShl(a, 6), builder.getInt32(pick(64)), "",
                              /*IsDisjoint=*/true);
    default:
      return builder.CreateAdd(a, createInteger(builder, depth - 1));
    }
  }
};

} // namespace tilewright::emit

#endif // TILEWRIGHT_TEST_UNIT_VENDOR_AMD_RANDOMADDRESS_H
