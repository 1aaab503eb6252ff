//===- ForeignLayoutRules.cpp - Layout rules of arith, math, scf, ub ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The one place where ops of MLIR's own dialects get their LayoutOp. To add an op, attach one of
// the models below to it; without one it is an anchor.
//
//===--------------------------------------------------------------------------===//

#include "ir/tt/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tt;

namespace {

/// A value that every thread knows.
template <typename Op> struct ConstantModel : LayoutOp::ExternalModel<ConstantModel<Op>, Op> {
  LayoutRule getLayoutRule(Operation *) const { return LayoutRule::AnyResult; }
  unsigned getInstructionsPerElement(Operation *) const { return 0; }
};

/// A value that may be anything: as a result it costs what one instruction does.
struct PoisonModel : LayoutOp::ExternalModel<PoisonModel, ub::PoisonOp> {
  LayoutRule getLayoutRule(Operation *) const { return LayoutRule::AnyResult; }
};

/// Elementwise, of about so many instructions.
template <unsigned instructions> struct Elementwise {
  template <typename Op> struct Model : LayoutOp::ExternalModel<Model<Op>, Op> {
    static_assert(Op::template hasTrait<OpTrait::Elementwise>());
    LayoutRule getLayoutRule(Operation *) const { return LayoutRule::SameLayout; }
    unsigned getInstructionsPerElement(Operation *) const { return instructions; }
  };
};

/// Structured control flow and the ends of its regions.
template <typename Op> struct ForwardsModel : LayoutOp::ExternalModel<ForwardsModel<Op>, Op> {
  LayoutRule getLayoutRule(Operation *) const { return LayoutRule::Forwards; }
};

/// scf.yield ends regions of other ops, too: it forwards where what it ends does.
struct YieldModel : LayoutOp::ExternalModel<YieldModel, scf::YieldOp> {
  LayoutRule getLayoutRule(Operation *op) const {
    return tt::getLayoutRule(op->getParentOp()) == LayoutRule::Forwards ? LayoutRule::Forwards
                                                                        : LayoutRule::Anchor;
  }
};

template <template <typename> typename Model, typename... Ops> void attach(MLIRContext &context) {
  (Ops::template attachInterface<Model<Ops>>(context), ...);
}

} // namespace

void tt::attachForeignLayoutRules(MLIRContext &context) {
  attach<ConstantModel, arith::ConstantOp>(context);
  ub::PoisonOp::attachInterface<PoisonModel>(context);
  attach<Elementwise<16>::Model, arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemFOp,
         arith::RemSIOp, arith::RemUIOp>(context);
  attach<Elementwise<1>::Model, arith::AddFOp, arith::AddIOp, arith::AddUIExtendedOp, arith::AndIOp,
         arith::BitcastOp, arith::CeilDivSIOp, arith::CeilDivUIOp, arith::CmpFOp, arith::CmpIOp,
         arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp, arith::FPToSIOp, arith::FPToUIOp,
         arith::FloorDivSIOp, arith::IndexCastOp, arith::IndexCastUIOp, arith::MaxNumFOp,
         arith::MaxSIOp, arith::MaxUIOp, arith::MaximumFOp, arith::MinNumFOp, arith::MinSIOp,
         arith::MinUIOp, arith::MinimumFOp, arith::MulFOp, arith::MulIOp, arith::MulSIExtendedOp,
         arith::MulUIExtendedOp, arith::NegFOp, arith::OrIOp, arith::SIToFPOp, arith::SelectOp,
         arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp, arith::SubFOp, arith::SubIOp,
         arith::TruncFOp, arith::TruncIOp, arith::UIToFPOp, arith::XOrIOp>(context);
  attach<Elementwise<16>::Model,
#define GET_OP_LIST
#include "mlir/Dialect/Math/IR/MathOps.cpp.inc"
         >(context);
  attach<ForwardsModel, scf::ForOp, scf::WhileOp, scf::IfOp, scf::ConditionOp>(context);
  scf::YieldOp::attachInterface<YieldModel>(context);
}
