//===- InlineStraightCalls.cpp - Calls become what functions of one block do --===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's inliner splits the caller's block at each call and joins the parts again, for which it
// moves all that follows: a loop that is unrolled to 4,096 calls took 3 s of processor time. Most
// functions are one block, which is copied to the call's place here. The others are left to it.
//
//===--------------------------------------------------------------------------===//

#include "ir/tt/Dialect.h"
#include "transform/tile/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/InliningUtils.h"

#include "llvm/ADT/DenseMap.h"

using namespace mlir;

namespace tilewright::transform {
#define GEN_PASS_DEF_INLINESTRAIGHTCALLS
#include "transform/tile/Passes.h.inc"
} // namespace tilewright::transform

using namespace tilewright;

namespace {
class InlineStraightCalls final
    : public transform::impl::InlineStraightCallsBase<InlineStraightCalls> {
  using InlineStraightCallsBase::InlineStraightCallsBase;

  void runOnOperation() override {
    states.clear();
    SymbolTableCollection symbols;
    for (auto function : getOperation().getOps<tt::FuncOp>())
      expandCallsIn(function, symbols);
  }

  enum class State { Open, Done };

  /// Functions that are called come first: what is copied of them calls nothing that can be copied.
  void expandCallsIn(tt::FuncOp function, SymbolTableCollection &symbols) {
    if (!states.try_emplace(function, State::Open).second)
      return;
    SmallVector<tt::CallOp> calls;
    function.walk([&](tt::CallOp call) { calls.push_back(call); });
    for (tt::CallOp call : calls) {
      auto callee = symbols.lookupNearestSymbolFrom<tt::FuncOp>(call, call.getCalleeAttr());
      if (!callee || callee.isExternal() || !callee.getBody().hasOneBlock())
        continue;
      expandCallsIn(callee, symbols);
      // A function that calls itself is open still.
      if (states.lookup(callee) == State::Done && isLegal(call, callee))
        expand(call, callee);
    }
    states[function] = State::Done;
  }

  /// Whether the dialects say so.
  static bool isLegal(tt::CallOp call, tt::FuncOp callee) {
    InlinerInterface dialects(call.getContext());
    if (!dialects.isLegalToInline(call, callee, /*wouldBeCloned=*/true))
      return false;
    IRMapping mapping;
    WalkResult walk = callee.getBody().walk([&](Operation *op) {
      return dialects.isLegalToInline(op, call->getParentRegion(), /*wouldBeCloned=*/true, mapping)
                 ? WalkResult::advance()
                 : WalkResult::interrupt();
    });
    return !walk.wasInterrupted();
  }

  static void expand(tt::CallOp call, tt::FuncOp callee) {
    Block &body = callee.getBody().front();
    IRMapping mapping;
    mapping.map(body.getArguments(), call.getOperands());
    OpBuilder builder(call);
    DenseMap<Location, Location> places;
    auto placeOf = [&](Location inner) {
      auto found = places.find(inner);
      if (found == places.end())
        found = places.try_emplace(inner, CallSiteLoc::get(inner, call.getLoc())).first;
      return found->second;
    };
    for (Operation &op : body.without_terminator())
      builder.clone(op, mapping)->walk([&](Operation *copy) {
        copy->setLoc(placeOf(copy->getLoc()));
        for (Region &region : copy->getRegions())
          for (BlockArgument argument : region.getArguments())
            argument.setLoc(placeOf(argument.getLoc()));
      });
    for (auto [result, value] :
         llvm::zip_equal(call.getResults(), body.getTerminator()->getOperands()))
      result.replaceAllUsesWith(mapping.lookup(value));
    call.erase();
  }

  DenseMap<Operation *, State> states;
};
} // namespace
