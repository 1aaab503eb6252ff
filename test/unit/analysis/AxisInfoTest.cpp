//===- AxisInfoTest.cpp - The axis analysis against brute force ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Random index expressions are computed for many values of their arguments, and every claim
// of the analysis is checked on every element.
//
//===--------------------------------------------------------------------------===//

#include "analysis/AxisInfo.h"
#include "IndexInterpreter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"

#include <gtest/gtest.h>

#include <random>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;
using namespace tilewright::test;

namespace {

/// What is wrong with the claims of `info` about `elements`; empty if nothing.
std::string contradiction(const AxisInfo &info, const Elements &elements, Type type) {
  auto pointer = dyn_cast<tt::PointerType>(tt::getElementTypeOrSelf(type));
  int64_t bytes = pointer ? tt::getStorageBits(pointer.getPointeeType()) / 8 : 1;
  std::vector<int64_t> shape = shapeOf(type), steps = strides(shape);
  if (info.dims.size() != shape.size())
    return "the rank";
  for (const DimInfo &dim : info.dims)
    if (dim.contiguity < 1 || dim.divisibility < 1 || dim.constancy < 1)
      return "a claim below 1";
  for (int64_t flat = 0; flat < int64_t(elements.size()); ++flat) {
    int64_t value = elements[flat];
    if (info.constant && !pointer && value != *info.constant)
      return "the constant";
    if (info.nonNegative && !pointer && value < 0)
      return "the sign";
    if (value % info.divisorOfAll(bytes) != 0)
      return "the divisor of all";
    for (auto [dim, size, step] : llvm::zip_equal(info.dims, shape, steps)) {
      int64_t index = flat / step % size;
      auto groupStart = [&](int64_t group) { return flat - index % group * step; };
      int64_t run = index % dim.contiguity;
      if (value != elements[groupStart(dim.contiguity)] + run * bytes)
        return "contiguity";
      if (run == 0 && value % dim.divisibility != 0)
        return "divisibility";
      if (value != elements[groupStart(dim.constancy)])
        return "constancy";
    }
  }
  return "";
}

class AxisInfoTest : public testing::Test {
protected:
  AxisInfoTest() : builder(&context), random(20240607) {
    context.loadDialect<tt::TritonDialect, arith::ArithDialect, scf::SCFDialect>();
  }

  unsigned pick(unsigned count) { return random() % count; }

  /// A function of a pointer and some integers with random code in it. Gives all values.
  OwningOpRef<ModuleOp> build(unsigned length) {
    Location loc = builder.getUnknownLoc();
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    builder.setInsertionPointToEnd(module->getBody());
    Type i32 = builder.getI32Type();
    Type pointer =
        tt::PointerType::get(pick(2) ? Type(builder.getF32Type()) : builder.getF16Type());
    auto function = tt::FuncOp::create(builder, loc, "f",
                                       builder.getFunctionType({pointer, i32, i32, i32}, {}));
    Block *block = &function.getBody().emplaceBlock();
    for (Type type : function.getArgumentTypes())
      block->addArgument(type, loc);
    for (unsigned i = 0; i < 4; ++i) {
      divisors[i] = 1 << pick(6);
      function.setArgAttr(i, divisibilityAttrName, builder.getI32IntegerAttr(divisors[i]));
    }
    builder.setInsertionPointToEnd(block);

    Type line = RankedTensorType::get({32}, i32);
    auto tile = RankedTensorType::get({8, 32}, i32);
    std::vector<Value> lines, tiles, masks;
    for (unsigned i = 1; i < 4; ++i)
      lines.push_back(tt::SplatOp::create(builder, loc, line, block->getArgument(i)));
    for (int start : {0, 8, -4})
      lines.push_back(tt::MakeRangeOp::create(builder, loc, line, start, start + 32));
    for (int value : {1, 3, 4, 8, 24, 15, -16})
      lines.push_back(arith::ConstantOp::create(
          builder, loc, DenseElementsAttr::get(cast<ShapedType>(line), APInt(32, value, true))));
    for (unsigned i = 0; i < length; ++i)
      lines.push_back(arithmetic(lines));

    Type shortLine = RankedTensorType::get({8}, i32);
    Value rows = tt::MakeRangeOp::create(builder, loc, shortLine, 0, 8);
    rows = tt::ExpandDimsOp::create(builder, loc, RankedTensorType::get({8, 1}, i32), rows, 1);
    tiles.push_back(tt::BroadcastOp::create(builder, loc, tile, rows));
    for (unsigned i = 0; i < 4; ++i) {
      Value row = lines[lines.size() - 1 - pick(length)];
      row = tt::ExpandDimsOp::create(builder, loc, RankedTensorType::get({1, 32}, i32), row, 0);
      tiles.push_back(tt::BroadcastOp::create(builder, loc, tile, row));
    }
    for (unsigned i = 0; i < length; ++i)
      tiles.push_back(arithmetic(tiles));

    Value offsets = tiles.back();
    Value base = tt::SplatOp::create(builder, loc, RankedTensorType::get({8, 32}, pointer),
                                     block->getArgument(0));
    Value pointers = tt::AddPtrOp::create(builder, loc, base.getType(), base, offsets);
    tt::TransOp::create(builder, loc, RankedTensorType::get({32, 8}, pointer), pointers,
                        builder.getDenseI32ArrayAttr({1, 0}));
    for (std::vector<int64_t> shape : {std::vector<int64_t>{256}, {4, 64}, {16, 16}, {8, 32, 1}})
      tt::ReshapeOp::create(builder, loc, RankedTensorType::get(shape, pointer), pointers);
    arith::ExtUIOp::create(builder, loc, RankedTensorType::get({8, 32}, builder.getI64Type()),
                           offsets);
    arith::ExtSIOp::create(builder, loc, RankedTensorType::get({8, 32}, builder.getI64Type()),
                           offsets);
    tt::ReturnOp::create(builder, loc);
    EXPECT_TRUE(succeeded(verify(*module)));
    return module;
  }

  Value arithmetic(const std::vector<Value> &values) {
    Location loc = builder.getUnknownLoc();
    Value a = values[pick(values.size())], b = values[pick(values.size())];
    switch (pick(18)) {
    case 0:
    case 1:
      return arith::AddIOp::create(builder, loc, a, b);
    case 2:
      return arith::SubIOp::create(builder, loc, a, b);
    case 3:
      return arith::MulIOp::create(builder, loc, a, b);
    case 4:
      return arith::DivSIOp::create(builder, loc, a, b);
    case 5:
      return arith::DivUIOp::create(builder, loc, a, b);
    case 6:
      return arith::RemSIOp::create(builder, loc, a, b);
    case 7:
      return arith::RemUIOp::create(builder, loc, a, b);
    case 8:
      return arith::ShLIOp::create(builder, loc, a, b);
    case 9:
      return arith::ShRSIOp::create(builder, loc, a, b);
    case 10:
      return arith::ShRUIOp::create(builder, loc, a, b);
    case 11:
      return arith::AndIOp::create(builder, loc, a, b);
    case 12:
      return arith::OrIOp::create(builder, loc, a, b);
    case 13:
      return arith::XOrIOp::create(builder, loc, a, b);
    case 14:
      return pick(2) ? Value(arith::MinSIOp::create(builder, loc, a, b))
                     : Value(arith::MaxSIOp::create(builder, loc, a, b));
    case 15:
      return pick(2) ? Value(arith::MinUIOp::create(builder, loc, a, b))
                     : Value(arith::MaxUIOp::create(builder, loc, a, b));
    default: {
      auto predicate = static_cast<arith::CmpIPredicate>(pick(10));
      Value condition = arith::CmpIOp::create(builder, loc, predicate, a, b);
      return arith::SelectOp::create(builder, loc, condition, values[pick(values.size())],
                                     values[pick(values.size())]);
    }
    }
  }

  MLIRContext context;
  OpBuilder builder;
  std::mt19937 random;
  int64_t divisors[4] = {};
};

TEST_F(AxisInfoTest, ClaimsHoldOfRandomExpressions) {
  unsigned checkedValues = 0;
  for (unsigned program = 0; program < 1500; ++program) {
    OwningOpRef<ModuleOp> module = build(1 + program % 6);
    AxisInfoAnalysis analysis(*module);
    auto function = *module->getOps<tt::FuncOp>().begin();
    for (unsigned input = 0; input < 6; ++input) {
      IndexInterpreter interpreter;
      for (BlockArgument arg : function.getArguments()) {
        int64_t value = (int64_t(pick(200)) - 80) * divisors[arg.getArgNumber()];
        interpreter.values[arg] = {value};
      }
      for (Operation &op : function.getBody().front().without_terminator()) {
        interpreter.run(&op);
        if (!interpreter.valid)
          break;
        Value result = op.getResult(0);
        std::string wrong =
            contradiction(analysis.get(result), interpreter.values[result], result.getType());
        ++checkedValues;
        if (!wrong.empty()) {
          std::string text;
          llvm::raw_string_ostream(text) << *module << "\n" << op;
          FAIL() << wrong << " does not hold of the last op of\n" << text;
        }
      }
    }
  }
  EXPECT_GT(checkedValues, 50000u);
}

TEST_F(AxisInfoTest, VectorWidthIsLimitedByAlignmentAndMask) {
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  Type i32 = builder.getI32Type(), pointer = tt::PointerType::get(builder.getF16Type());
  auto function =
      tt::FuncOp::create(builder, loc, "f", builder.getFunctionType({pointer, i32}, {}));
  Block *block = &function.getBody().emplaceBlock();
  block->addArguments({pointer, i32}, {loc, loc});
  function.setArgAttr(0, divisibilityAttrName, builder.getI32IntegerAttr(16));
  function.setArgAttr(1, divisibilityAttrName, builder.getI32IntegerAttr(4));
  builder.setInsertionPointToEnd(block);
  Type line = RankedTensorType::get({64}, i32);
  Value range = tt::MakeRangeOp::create(builder, loc, line, 0, 64);
  Value limit = tt::SplatOp::create(builder, loc, line, block->getArgument(1));
  Value mask = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, range, limit);
  Value base = tt::SplatOp::create(builder, loc, RankedTensorType::get({64}, pointer),
                                   block->getArgument(0));
  Value pointers = tt::AddPtrOp::create(builder, loc, base.getType(), base, range);
  tt::ReturnOp::create(builder, loc);

  AxisInfoAnalysis analysis(*module);
  EXPECT_EQ(analysis.getVectorWidth(pointers, 0, 128), 8u);
  EXPECT_EQ(analysis.getVectorWidth(pointers, 0, 64), 4u);
  EXPECT_EQ(analysis.getVectorWidth(pointers, mask, 0, 128), 4u);
  EXPECT_EQ(analysis.getVectorWidth(pointers, Value(), 0, 128), 8u);
}

} // namespace
