//===- ExtensionInstructions.cpp - Instructions of Intel's extensions ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/emit/legalize/ExtensionInstructions.h"

#include "target/IntelAtoms.h"
#include "vendor/intel/emit/Builtins.h"
#include "vendor/intel/lower/MatrixProducts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"

using namespace tilewright;
using target::MmaAtom;
using target::MmaType;

namespace {

// SPV_INTEL_subgroup_matrix_multiply_accumulate, "Matrix Multiply Accumulate Operands". The flags
// of B are twice those of A, but that of signed components likewise.
enum MatrixOperand : uint32_t {
  ASignedComponents = 0x1,
  CBFloat16 = 0x4,
  ResultBFloat16 = 0x8,
  APackedInt8 = 0x10,
  ATF32 = 0x100,
  APackedFloat16 = 0x400,
  APackedBFloat16 = 0x1000,
};

uint32_t flagsOfA(MmaType type) {
  switch (type) {
  case MmaType::S8:
    return APackedInt8 | ASignedComponents;
  case MmaType::U8:
    return APackedInt8;
  case MmaType::Tf32:
    return ATF32;
  case MmaType::Bf16:
    return APackedBFloat16;
  default:
    return APackedFloat16;
  }
}

} // namespace

uint32_t emit::getMatrixOperandFlags(const MmaAtom &atom) {
  const uint32_t ofSums = atom.accumulator == MmaType::Bf16 ? CBFloat16 | ResultBFloat16 : 0;
  return ofSums | flagsOfA(atom.a) | flagsOfA(atom.b) << 1;
}

void emit::useExtensionInstructions(llvm::Module &module) {
  constexpr llvm::StringLiteral name = "__spirv_SubgroupMatrixMultiplyAccumulateINTEL";
  // Generations differ in their cycles alone.
  for (const MmaAtom &atom : target::intel::xeHpcProducts()) {
    const lower::intel::DpasFunction function = lower::intel::getDpasFunction(atom);
    llvm::Function *known = module.getFunction(function.mangled());
    if (!known)
      continue;
    const std::string instruction =
        lower::intel::DpasFunction{name.str(), "i" + function.parameters + "i"}.mangled();
    for (llvm::User *user : llvm::make_early_inc_range(known->users())) {
      auto *call = llvm::cast<llvm::CallInst>(user);
      llvm::IRBuilder<> builder(call);
      llvm::CallInst *made =
          callBuiltin(builder, instruction, call->getType(),
                      {builder.getInt32(atom.k), call->getArgOperand(0), call->getArgOperand(1),
                       call->getArgOperand(2), builder.getInt32(getMatrixOperandFlags(atom))});
      made->getCalledFunction()->setConvergent();
      made->getCalledFunction()->setDoesNotAccessMemory();
      made->setConvergent();
      call->replaceAllUsesWith(made);
      call->eraseFromParent();
    }
    known->eraseFromParent();
  }
}
