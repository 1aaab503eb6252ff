//===- ViewAssumptions.cpp - Views that end within their memory ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/core/ViewAssumptions.h"

#include "ir/ttg/Footprint.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tilewright;

void lower::assumeViewsEndInMemory(tt::FuncOp func) {
  func.walk([](ttg::MemDescReinterpretOp op) {
    std::optional<ttg::EnclosingBuffers> all = ttg::findEnclosingBuffers(op.getSrc());
    if (!all)
      return;
    const uint64_t taken = ttg::getFootprint(op.getType())->size();
    if (taken <= all->choices.back().second)
      return;
    OpBuilder builder(op);
    const Location loc = op.getLoc();
    auto number = [&](uint64_t value) -> Value {
      return arith::ConstantIntOp::create(builder, loc, static_cast<int64_t>(value), 32);
    };
    Value begin = number(0);
    for (auto [index, bytes] : all->choices)
      begin = arith::AddIOp::create(
          builder, loc, begin,
          arith::MulIOp::create(builder, loc, index.getIndex(), number(bytes)));
    LLVM::AssumeOp::create(builder, loc,
                           arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule, begin,
                                                 number(all->bytes - taken)));
  });
}
