//===- InstrumentControl.cpp - Instrumented loops, arithmetic and calls -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/VendorOperations.h"
#include "simulate/instrument/Instrument.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace tilewright;
using namespace tilewright::simulate;

/// Each way back to a loop's beginning takes one of the thread's iterations; when none
/// are left, the machine is called.
void Instrumenter::instrumentBackEdge(llvm::Instruction &terminator) {
  llvm::IRBuilder<> builder(&terminator);
  llvm::Constant *counter = hostPointer(&machine.registers.iterationsLeft);
  llvm::Value *left =
      builder.CreateSub(builder.CreateLoad(builder.getInt64Ty(), counter), builder.getInt64(1));
  builder.CreateStore(left, counter);
  llvm::Value *used = builder.CreateICmpSLE(left, builder.getInt64(0));
  llvm::Instruction *then = llvm::SplitBlockAndInsertIfThen(
      used, &terminator, false, llvm::MDBuilder(module.getContext()).createUnlikelyBranchWeights());
  builder.SetInsertPoint(then);
  llvm::FunctionCallee tick =
      module.getOrInsertFunction(runtime_call::tick, builder.getVoidTy(), builder.getPtrTy());
  llvm::CallInst *call = builder.CreateCall(tick, {hostPointer(&machine)});
  call->setConvergent();
  call->setDoesNotThrow();
}

/// GPUs divide by zero in silence, and give the smallest integer divided by -1 as itself;
/// most hosts trap at both. The first is reported, the second gets the GPU's result.
void Instrumenter::instrumentDivision(llvm::BinaryOperator &division) {
  llvm::Value *divisor = division.getOperand(1);
  if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(divisor);
      constant && !constant->isZero() && !constant->isMinusOne())
    return;
  llvm::Type *type = divisor->getType();
  auto any = [](llvm::IRBuilderBase &builder, llvm::Value *condition) {
    return condition->getType()->isVectorTy() ? builder.CreateOrReduce(condition) : condition;
  };

  llvm::IRBuilder<> builder(&division);
  llvm::Value *zero = any(builder, builder.CreateICmpEQ(divisor, llvm::ConstantInt::get(type, 0)));
  llvm::Instruction *then = llvm::SplitBlockAndInsertIfThen(
      zero, &division, false, llvm::MDBuilder(module.getContext()).createUnlikelyBranchWeights());
  builder.SetInsertPoint(then);
  callMachine(builder, runtime_call::divisionByZero, builder.getVoidTy(),
              addSite(division, division.getOpcodeName()));

  bool isSigned = division.getOpcode() == llvm::Instruction::SDiv ||
                  division.getOpcode() == llvm::Instruction::SRem;
  if (!isSigned)
    return;
  builder.SetInsertPoint(&division);
  unsigned bits = type->getScalarSizeInBits();
  llvm::Value *overflows = builder.CreateAnd(
      builder.CreateICmpEQ(divisor, llvm::Constant::getAllOnesValue(type)),
      builder.CreateICmpEQ(division.getOperand(0),
                           llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(bits))));
  division.setOperand(1, builder.CreateSelect(overflows, llvm::ConstantInt::get(type, 1), divisor));
}

/// LLVM gives such a shift no value, most hosts take the distance modulo the width. What is
/// computed for the distances that are too large stays free of LLVM's poison.
void Instrumenter::clampShift(llvm::BinaryOperator &shift) {
  llvm::Value *distance = shift.getOperand(1);
  if (llvm::isa<llvm::Constant>(distance))
    return;
  llvm::Type *type = shift.getType();
  llvm::Constant *largest = llvm::ConstantInt::get(type, type->getScalarSizeInBits() - 1);
  llvm::IRBuilder<> builder(&shift);
  llvm::Value *isWithin = builder.CreateICmpULE(distance, largest);
  shift.setOperand(1, builder.CreateSelect(isWithin, distance, largest));
  if (shift.getOpcode() == llvm::Instruction::AShr)
    return;
  builder.SetInsertPoint(shift.getNextNode());
  auto *result = llvm::cast<llvm::Instruction>(
      builder.CreateSelect(isWithin, &shift, llvm::Constant::getNullValue(type)));
  shift.replaceUsesWithIf(result, [&](llvm::Use &use) { return use.getUser() != result; });
}

/// Intrinsics that every back end of LLVM knows, and that touch no memory of the kernel.
static bool isPortable(const llvm::IntrinsicInst &call) {
  if (llvm::Intrinsic::isTargetIntrinsic(call.getIntrinsicID()))
    return false;
  // What takes an address could reach memory past the checks.
  if (llvm::isa<llvm::AnyMemIntrinsic>(call))
    return false;
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::lifetime_start:
  case llvm::Intrinsic::lifetime_end:
  case llvm::Intrinsic::prefetch:
  case llvm::Intrinsic::ptrmask:
    return true;
  default:
    return llvm::none_of(call.args(), [](const llvm::Use &argument) {
      return argument->getType()->isPtrOrPtrVectorTy();
    });
  }
}

Expected<void> Instrumenter::instrumentCall(llvm::CallBase &call) {
  if (auto *own = llvm::dyn_cast<llvm::CallInst>(&call);
      own && call.isInlineAsm() && vendor.replaceAssembly && vendor.replaceAssembly(*this, *own))
    return {};
  if (call.isInlineAsm())
    return errorAt(call,
                   std::string("the simulator cannot run inline assembly: \"") +
                       llvm::cast<llvm::InlineAsm>(call.getCalledOperand())->getAsmString().str() +
                       "\"",
                   "compile with intrinsics in its place");
  llvm::Function *callee = call.getCalledFunction();
  auto *plain = llvm::dyn_cast<llvm::CallInst>(&call);
  if (!callee || !plain)
    return errorAt(call, "the simulator knows no indirect calls");

  std::string name = callee->getName().str();
  switch (callee->getIntrinsicID()) {
  case llvm::Intrinsic::trap:
  case llvm::Intrinsic::debugtrap: {
    llvm::IRBuilder<> builder(plain);
    callMachine(builder, runtime_call::trap, builder.getVoidTy(), addSite(call, name));
    plain->eraseFromParent();
    return {};
  }
  case llvm::Intrinsic::fmuladd: {
    // GPUs fuse; the host would do as it likes.
    llvm::IRBuilder<> builder(plain);
    builder.setFastMathFlags(plain->getFastMathFlags());
    plain->replaceAllUsesWith(builder.CreateIntrinsic(
        llvm::Intrinsic::fma, {plain->getType()},
        {plain->getArgOperand(0), plain->getArgOperand(1), plain->getArgOperand(2)}));
    plain->eraseFromParent();
    return {};
  }
  case llvm::Intrinsic::assume: {
    llvm::IRBuilder<> builder(plain);
    llvm::Instruction *then = llvm::SplitBlockAndInsertIfThen(
        builder.CreateNot(plain->getArgOperand(0)), plain, false,
        llvm::MDBuilder(module.getContext()).createUnlikelyBranchWeights());
    builder.SetInsertPoint(then);
    callMachine(builder, runtime_call::falseAssumption, builder.getVoidTy(), addSite(call, name));
    plain->eraseFromParent();
    return {};
  }
  case llvm::Intrinsic::prefetch:
    plain->eraseFromParent();
    return {};
  default:
    break;
  }
  if (!callee->isDeclaration()) {
    plain->setCallingConv(llvm::CallingConv::C);
    plain->setAttributes({});
    return {};
  }
  if (std::optional<size_t> block = launchBlockOf(callee)) {
    plain->replaceAllUsesWith(llvm::ConstantExpr::getPointerBitCastOrAddrSpaceCast(
        hostPointer(machine.launchBlock(*block).data()), plain->getType()));
    plain->eraseFromParent();
    return {};
  }
  for (std::string_view prefix : vendor.prefixes)
    if (llvm::StringRef(name).starts_with(prefix) && vendor.replace(*this, *plain))
      return {};
  if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(plain);
      intrinsic && isPortable(*intrinsic))
    return {};
  return errorAt(call, "the simulator does not know the function '" + name + "'",
                 "run the kernel on a device, or avoid the operation that needs it");
}
