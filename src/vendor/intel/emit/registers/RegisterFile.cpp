//===- RegisterFile.cpp - Choice of the register file size --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/emit/registers/RegisterFile.h"

#include "emit/LiveBytes.h"
#include "target/IntelProcessor.h"
#include "vendor/intel/emit/registers/UniformValues.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace tilewright;
using namespace tilewright::emit;

static uint64_t getSubGroupSize(const Function &kernel) {
  MDNode *size = kernel.getMetadata("intel_reqd_sub_group_size");
  return size ? mdconst::extract<ConstantInt>(size->getOperand(0))->getZExtValue() : 1;
}

/// Whether `value` is a product that its only user, a sum, may be fused with: it is never there by
/// itself.
static bool isFused(const Value &value) {
  auto *product = dyn_cast<Instruction>(&value);
  if (!product || product->getOpcode() != Instruction::FMul || !product->hasAllowContract() ||
      !product->hasOneUse())
    return false;
  auto *sum = cast<Instruction>(product->user_back());
  return (sum->getOpcode() == Instruction::FAdd || sum->getOpcode() == Instruction::FSub) &&
         sum->hasAllowContract();
}

uint64_t tilewright::emit::estimateRegisterBytes(const Function &function, uint64_t enough) {
  const uint64_t lanes = getSubGroupSize(function);
  const DataLayout &layout = function.getParent()->getDataLayout();
  const UniformValues uniform(function);
  auto bytesOf = [&](const Value &value) -> uint64_t {
    if (isFused(value))
      return 0;
    // Flags: a bit for each lane.
    Type *type = value.getType();
    if (type->isIntOrIntVectorTy(1))
      return uniform.contains(value) ? 1 : lanes / 8;
    // A cooperative matrix: scope, rows, columns, use; all lanes together.
    if (auto *matrix = dyn_cast<TargetExtType>(type); matrix && matrix->getNumIntParameters() == 4)
      return matrix->getTypeParameter(0)->getScalarSizeInBits() / 8 * matrix->getIntParameter(1) *
             matrix->getIntParameter(2);
    // Addresses of shared memory have 32 bits.
    uint64_t bytes = type->isPointerTy() && type->getPointerAddressSpace() == 3
                         ? 4
                         : layout.getTypeStoreSize(type).getFixedValue();
    return uniform.contains(value) ? bytes : bytes * lanes;
  };
  return getPeakLiveBytes(function, bytesOf, enough);
}

bool tilewright::emit::needsLargeRegisterFile(const Function &function,
                                              const target::Target &target) {
  const target::intel::RegisterFile &file = target::intel::processorOf(target).file;
  const uint64_t bytes = uint64_t(file.registers) * file.registerBytes;
  return !function.isDeclaration() && estimateRegisterBytes(function, bytes) > bytes;
}
