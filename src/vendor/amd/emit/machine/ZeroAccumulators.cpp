//===- ZeroAccumulators.cpp - Products that begin a sum -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// LLVM selects a form of WMMA for gfx11 whose sum is in the registers of its result. A constant
// takes the form of three addresses, which LLVM makes of the other itself where the sum lives on.
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/machine/ZeroAccumulators.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;
using namespace tilewright::emit;

namespace {
class ZeroAccumulators final : public MachineFunctionPass {
public:
  static char id;
  ZeroAccumulators() : MachineFunctionPass(id) {}

  StringRef getPassName() const override { return "Products that add to zero"; }

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(MachineFunction &function) override;

private:
  bool isZero(const MachineOperand &operand) const;
  /// The operand of `product` that it adds to, if that is its result's register.
  MachineOperand *findTiedSum(MachineInstr &product) const;

  const MachineRegisterInfo *registers = nullptr;
  const TargetInstrInfo *instructions = nullptr;
};
} // namespace

/// Whether all registers of `operand` hold zero.
bool ZeroAccumulators::isZero(const MachineOperand &operand) const {
  if (!operand.isReg() || !operand.getReg().isVirtual() || operand.getSubReg())
    return false;
  const MachineInstr *made = registers->getUniqueVRegDef(operand.getReg());
  if (!made)
    return false;
  if (made->isCopy())
    return isZero(made->getOperand(1));
  if (made->isMoveImmediate())
    return made->getOperand(1).isImm() && made->getOperand(1).getImm() == 0;
  if (!made->isRegSequence())
    return false;
  // Pairs of a register and its place.
  for (unsigned i = 1; i < made->getNumOperands(); i += 2)
    if (!isZero(made->getOperand(i)))
      return false;
  return true;
}

MachineOperand *ZeroAccumulators::findTiedSum(MachineInstr &product) const {
  if (!product.isConvertibleTo3Addr() ||
      !instructions->getName(product.getOpcode()).starts_with("V_WMMA_"))
    return nullptr;
  for (MachineOperand &operand : product.explicit_uses())
    if (operand.isReg() && operand.isTied())
      return &operand;
  return nullptr;
}

bool ZeroAccumulators::runOnMachineFunction(MachineFunction &function) {
  registers = &function.getRegInfo();
  instructions = function.getSubtarget().getInstrInfo();
  bool hasChanged = false;
  for (MachineBasicBlock &block : function)
    for (MachineInstr &product : make_early_inc_range(block)) {
      MachineOperand *sum = findTiedSum(product);
      if (!sum || !isZero(*sum))
        continue;
      const Register zero = sum->getReg();
      MachineInstr *apart = instructions->convertToThreeAddress(product, nullptr, nullptr);
      if (!apart)
        continue;
      for (MachineOperand &operand : apart->explicit_uses())
        if (operand.isReg() && operand.getReg() == zero)
          operand.ChangeToImmediate(0);
      product.eraseFromParent();
      hasChanged = true;
    }
  return hasChanged;
}

char ZeroAccumulators::id = 0;

FunctionPass *tilewright::emit::createZeroAccumulatorsPass() { return new ZeroAccumulators(); }
