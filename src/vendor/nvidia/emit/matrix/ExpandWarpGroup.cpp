//===- ExpandWarpGroup.cpp - wgmma as PTX -------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// PTX ISA, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate Operation": the operands are
// followed by scale-d, whether the accumulator counts; of floats by the signs of A and B; of 16
// bits by whether operands in memory are contiguous along M or N.
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/emit/matrix/ExpandWarpGroup.h"

#include "vendor/nvidia/emit/InlinePtx.h"
#include "vendor/nvidia/plan/WarpGroupFunctions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace tilewright;
using namespace tilewright::emit;
using namespace tilewright::vendor::nvidia;
using target::MmaAtom;
using target::MmaType;

/// Adds `values` as registers that are outputs as well; returns their names.
static SmallVector<std::string> addTiedRegisters(InlinePtx &ptx, ArrayRef<Value *> values) {
  for (Value *value : values)
    ptx.addOutput(value->getType(), /*isWrittenEarly=*/false);
  SmallVector<std::string> names;
  for (Value *value : values)
    names.push_back(ptx.addTied(value));
  return names;
}

/// The call's result is a struct even of one register, the assembly's then is not.
static void replaceCall(CallInst &call, InlinePtx &ptx, IRBuilderBase &builder) {
  CallInst *assembly = ptx.emit(/*hasSideEffects=*/true);
  assembly->setConvergent();
  Value *result = assembly;
  if (auto *type = dyn_cast<StructType>(call.getType()); type && type->getNumElements() == 1)
    result = builder.CreateInsertValue(PoisonValue::get(type), assembly, 0);
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

/// "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16", from the atom's name.
static std::string instructionName(const MmaAtom &atom) {
  return "wgmma.mma_async.sync.aligned." +
         target::mmaName("", atom.m, atom.n, atom.k, atom.accumulator, atom.a, atom.b).substr(1);
}

static void expandProduct(CallInst &call, const MmaAtom &atom) {
  IRBuilder<> builder(&call);
  InlinePtx ptx(builder);
  SmallVector<Value *> operands(call.args());
  const unsigned accumulators = accumulatorRegisters(atom);
  const unsigned aCount = hasOperandInRegisters(atom) ? operandRegisters : 1;
  ArrayRef<Value *> rest = ArrayRef(operands).drop_front(accumulators);

  const SmallVector<std::string> c =
      addTiedRegisters(ptx, ArrayRef(operands).take_front(accumulators));
  SmallVector<std::string> a;
  for (Value *value : rest.take_front(aCount))
    a.push_back(ptx.addInput(value));
  rest = rest.drop_front(aCount);
  const std::string b = ptx.addInput(rest[0]);
  auto flag = [](Value *value) { return cast<ConstantInt>(value)->isOne() ? ", 1" : ", 0"; };
  std::string text = instructionName(atom) + " {" + join(c, ", ") + "}, " +
                     (hasOperandInRegisters(atom) ? "{" + join(a, ", ") + "}" : a[0]) + ", " + b;
  // PTX takes the constant false as a number, and true in a predicate only.
  Value *useC = rest[1];
  auto *constant = dyn_cast<ConstantInt>(useC);
  text += constant && constant->isZero() ? ", 0" : ", " + ptx.addInput(useC);
  if (atom.accumulator != MmaType::S32)
    text += ", 1, 1";
  if (bitsOf(atom.a) == 16) {
    if (!hasOperandInRegisters(atom))
      text += flag(rest[2]);
    text += flag(rest[3]);
  }
  ptx.addLine(text + ";");
  replaceCall(call, ptx, builder);
}

static void expandWait(CallInst &call) {
  IRBuilder<> builder(&call);
  InlinePtx ptx(builder);
  SmallVector<Value *> operands(call.args());
  addTiedRegisters(ptx, ArrayRef(operands).drop_front());
  ptx.addLine("wgmma.wait_group.sync.aligned " +
              utostr(cast<ConstantInt>(operands[0])->getZExtValue()) + ";");
  replaceCall(call, ptx, builder);
}

void tilewright::emit::expandWarpGroupCalls(Module &module) {
  for (Function &function : make_early_inc_range(module)) {
    if (!function.isDeclaration() || !function.getName().starts_with(warpGroupPrefix))
      continue;
    const MmaAtom *atom = findProduct(function.getName());
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = cast<CallInst>(user);
      if (atom)
        expandProduct(*call, *atom);
      else
        expandWait(*call);
    }
    function.eraseFromParent();
  }
}
