//===- TileFormTest.cpp - Affine forms against every element ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Random index arithmetic with nested loops is executed, and every form and every bound is compared
// with each element of each value in each iteration.
//
//===--------------------------------------------------------------------------===//

#include "analysis/TileForm.h"

#include "IndexInterpreter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"

#include <gtest/gtest.h>

#include <random>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;
using namespace tilewright::test;

namespace {

constexpr int64_t rows = 4, columns = 8, elementBytes = 4;

/// A function of a pointer and three integers, in which values of these kinds are made at random:
/// scalars, lines of `columns` integers, tiles of rows x columns integers or pointers, masks.
class RandomProgram {
public:
  RandomProgram(MLIRContext *context, unsigned seed)
      : random(seed), builder(context), loc(builder.getUnknownLoc()),
        module(ModuleOp::create(loc)) {
    builder.setInsertionPointToEnd(module->getBody());
    i32 = builder.getI32Type();
    pointer = tt::PointerType::get(builder.getF32Type());
    line = RankedTensorType::get({columns}, i32);
    tile = RankedTensorType::get({rows, columns}, i32);
    pointers = RankedTensorType::get({rows, columns}, pointer);
    auto function = tt::FuncOp::create(builder, loc, "f",
                                       builder.getFunctionType({pointer, i32, i32, i32}, {}));
    Block *block = &function.getBody().emplaceBlock();
    for (Type type : function.getArgumentTypes())
      block->addArgument(type, loc);
    builder.setInsertionPointToEnd(block);
    Values values;
    values.scalars = {block->getArgument(1), block->getArgument(2), block->getArgument(3),
                      constant(pick(5)), constant(-3)};
    values.lines = {splat(line, values.scalars[pick(5)])};
    values.tiles = {splat(tile, values.scalars[pick(5)])};
    Value base = block->getArgument(0);
    values.pointers = {splat(pointers, base)};
    fill(values, 2);
    tt::ReturnOp::create(builder, loc);
    EXPECT_TRUE(succeeded(verify(*module)));
  }

  tt::FuncOp function() { return *module->getOps<tt::FuncOp>().begin(); }

  unsigned pick(unsigned count) { return random() % count; }

private:
  struct Values {
    std::vector<Value> scalars, lines, tiles, pointers, masks;
  };

  Value constant(int64_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
  }
  Value splat(Type type, Value value) { return tt::SplatOp::create(builder, loc, type, value); }
  Value any(const std::vector<Value> &values) { return values[pick(values.size())]; }

  Value arithmetic(const std::vector<Value> &values) {
    Value a = any(values), b = any(values);
    switch (pick(8)) {
    case 0:
    case 1:
    case 2:
      return arith::AddIOp::create(builder, loc, a, b);
    case 3:
      return arith::SubIOp::create(builder, loc, a, b);
    case 4:
    case 5:
      return arith::MulIOp::create(builder, loc, a, b);
    case 6:
      return arith::RemSIOp::create(builder, loc, a, b);
    default:
      return arith::MaxSIOp::create(builder, loc, a, b);
    }
  }

  Value makeLine(const Values &values) {
    if (pick(3) == 0)
      return splat(line, any(values.scalars));
    if (pick(8) == 0) {
      Value one = tt::MakeRangeOp::create(builder, loc, RankedTensorType::get({1}, i32), 3, 4);
      return tt::BroadcastOp::create(builder, loc, line, one);
    }
    if (pick(2)) {
      const int start = static_cast<int>(pick(5)) - 2;
      return tt::MakeRangeOp::create(builder, loc, line, start, start + columns);
    }
    return arithmetic(values.lines);
  }

  Value makeTile(const Values &values) {
    switch (pick(5)) {
    case 0:
      return splat(tile, any(values.scalars));
    case 1: {
      Value row = tt::ExpandDimsOp::create(builder, loc, RankedTensorType::get({1, columns}, i32),
                                           any(values.lines), 0);
      return tt::BroadcastOp::create(builder, loc, tile, row);
    }
    case 2: {
      Value range =
          tt::MakeRangeOp::create(builder, loc, RankedTensorType::get({rows}, i32), 0, rows);
      Value column =
          tt::ExpandDimsOp::create(builder, loc, RankedTensorType::get({rows, 1}, i32), range, 1);
      return tt::BroadcastOp::create(builder, loc, tile, column);
    }
    case 3: {
      auto order = builder.getDenseI32ArrayAttr({1, 0});
      Type turned = RankedTensorType::get({columns, rows}, i32);
      Value value = tt::TransOp::create(builder, loc, turned, any(values.tiles), order);
      return tt::TransOp::create(builder, loc, tile, value, order);
    }
    default:
      return arithmetic(values.tiles);
    }
  }

  Value makeMask(const Values &values) {
    auto type = RankedTensorType::get({rows, columns}, builder.getI1Type());
    if (values.masks.size() > 1 && pick(2))
      return arith::AndIOp::create(builder, loc, any(values.masks), any(values.masks));
    if (pick(3) == 0) {
      Type bit = builder.getI1Type();
      Value ofLine;
      if (pick(3)) {
        ofLine =
            arith::CmpIOp::create(builder, loc, predicate(), any(values.lines), any(values.lines));
      } else {
        Type one = RankedTensorType::get({1}, i32);
        Value range = tt::MakeRangeOp::create(builder, loc, one, 3, 4);
        Value ofOne = arith::CmpIOp::create(builder, loc, predicate(), range,
                                            splat(one, any(values.scalars)));
        ofLine =
            tt::BroadcastOp::create(builder, loc, RankedTensorType::get({columns}, bit), ofOne);
      }
      Value row = tt::ExpandDimsOp::create(builder, loc, RankedTensorType::get({1, columns}, bit),
                                           ofLine, 0);
      return tt::BroadcastOp::create(builder, loc, type, row);
    }
    return arith::CmpIOp::create(builder, loc, predicate(), any(values.tiles), any(values.tiles));
  }
  arith::CmpIPredicate predicate() { return static_cast<arith::CmpIPredicate>(pick(10)); }

  void fill(Values &values, unsigned depth) {
    for (unsigned i = 0; i < 5; ++i) {
      values.scalars.push_back(arithmetic(values.scalars));
      values.lines.push_back(makeLine(values));
      values.tiles.push_back(makeTile(values));
      values.tiles.push_back(makeTile(values));
      values.pointers.push_back(
          tt::AddPtrOp::create(builder, loc, pointers, any(values.pointers), any(values.tiles)));
      values.masks.push_back(makeMask(values));
    }
    if (depth > 0)
      fillLoop(values, depth - 1);
  }

  void fillLoop(Values &values, unsigned depth) {
    Value begin = constant(pick(3)), end = constant(3 + pick(6)), step = constant(1 + pick(3));
    const std::vector<Value> inits = {any(values.scalars), any(values.lines), any(values.tiles),
                                      any(values.pointers)};
    auto loop = scf::ForOp::create(builder, loc, begin, end, step, inits);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      Values inside = values;
      // What moves is met often.
      for (unsigned times = 0; times < 4; ++times) {
        inside.scalars.push_back(loop.getInductionVar());
        inside.scalars.push_back(loop.getRegionIterArg(0));
        inside.lines.push_back(loop.getRegionIterArg(1));
        inside.tiles.push_back(loop.getRegionIterArg(2));
        inside.pointers.push_back(loop.getRegionIterArg(3));
      }
      inside.scalars.push_back(
          arith::DivSIOp::create(builder, loc, loop.getInductionVar(), constant(1 + pick(2))));
      fill(inside, depth);
      const Values &moves = pick(4) ? values : inside;
      auto next = [&](unsigned number, const std::vector<Value> &distances) -> Value {
        return arith::AddIOp::create(builder, loc, loop.getRegionIterArg(number), any(distances));
      };
      const std::vector<Value> lineSteps = {any(moves.lines), splat(line, any(moves.scalars))};
      const std::vector<Value> tileSteps = {any(moves.tiles), splat(tile, any(moves.scalars))};
      std::vector<Value> yielded = {
          pick(4) ? next(0, moves.scalars) : any(inside.scalars),
          pick(4) ? next(1, lineSteps) : any(inside.lines),
          pick(4) ? next(2, tileSteps) : any(inside.tiles),
          pick(4) ? Value(tt::AddPtrOp::create(builder, loc, pointers, loop.getRegionIterArg(3),
                                               any(tileSteps)))
                  : any(inside.pointers)};
      scf::YieldOp::create(builder, loc, yielded);
    }
    values.scalars.push_back(loop.getResult(0));
    values.tiles.push_back(loop.getResult(2));
    values.tiles.push_back(makeTile(values));
  }

  std::mt19937 random;
  OpBuilder builder;
  Location loc;
  OwningOpRef<ModuleOp> module;
  Type i32, pointer, line, tile, pointers;
};

/// What is claimed of a value.
struct Claims {
  std::optional<TileForm> form;
  std::optional<SmallVector<TileBound, 4>> bounds;
  SmallVector<Polynomial> conditions;
  /// Whether the conditions were true in all iterations so far: a form of what a loop carries
  /// builds on those before.
  bool apply = true;
};

std::string textOf(Operation *op) {
  std::string text;
  llvm::raw_string_ostream(text) << *op << " in\n" << *op->getParentOfType<tt::FuncOp>();
  return text;
}

class TileFormTest : public testing::Test {
protected:
  TileFormTest() { context.loadDialect<tt::TritonDialect, arith::ArithDialect, scf::SCFDialect>(); }

  MLIRContext context;
};

int64_t valueOf(const Polynomial &polynomial, const ScalarSymbols &symbols,
                const IndexInterpreter &state) {
  int64_t sum = 0;
  for (const auto &[product, coefficient] : polynomial.getTerms()) {
    int64_t term = coefficient;
    for (unsigned symbol : product) {
      int64_t value = state.values.lookup(symbols.getValue(symbol)).at(0);
      if (scf::ForOp loop = symbols.getLoop(symbol))
        value = (value - state.values.lookup(loop.getLowerBound())[0]) /
                state.values.lookup(loop.getStep())[0];
      term *= value;
    }
    sum += term;
  }
  return sum;
}

TEST_F(TileFormTest, FormsAndBoundsHoldOfEveryElement) {
  unsigned forms = 0, carried = 0, withConditions = 0, bounds = 0, uniformBounds = 0;
  for (unsigned seed = 0; seed < 250; ++seed) {
    RandomProgram program(&context, seed);
    tt::FuncOp function = program.function();
    AxisInfoAnalysis axes(function->getParentOfType<ModuleOp>());
    ScalarSymbols symbols(axes);
    DenseMap<Value, Claims> claims;
    function.walk([&](Operation *op) {
      if (op->getNumResults() != 1 || isa<scf::ForOp>(op))
        return;
      Value value = op->getResult(0);
      TileForms found(symbols);
      Claims &claim = claims[value];
      if (tt::getElementTypeOrSelf(value.getType()).isInteger(1))
        claim.bounds = found.getBounds(value);
      else
        claim.form = found.get(value);
      claim.conditions.assign(found.getConditions().begin(), found.getConditions().end());
    });
    for (int64_t input = 0; input < 3; ++input) {
      IndexInterpreter state;
      for (BlockArgument argument : function.getArguments())
        state.values[argument] = {
            argument.getArgNumber() == 0 ? 4096 : static_cast<int64_t>(program.pick(9)) - 2};
      for (auto &[value, claim] : claims)
        claim.apply = true;
      state.run(function.getBody().front(), [&](Operation *op) {
        Value value = op->getResult(0);
        Claims &claim = claims[value];
        claim.apply &= llvm::all_of(claim.conditions, [&](const Polynomial &condition) {
          return valueOf(condition, symbols, state) >= 0;
        });
        if (!claim.apply || (!claim.form && !claim.bounds))
          return;
        const std::vector<int64_t> shape = shapeOf(value.getType()), steps = strides(shape);
        const Elements &elements = state.values[value];
        for (int64_t flat = 0; flat < static_cast<int64_t>(elements.size()); ++flat) {
          int64_t claimed = 0;
          if (claim.form) {
            claimed = valueOf(claim.form->start, symbols, state);
            for (auto [step, size, stride] : llvm::zip(claim.form->steps, shape, steps))
              claimed += flat / stride % size * valueOf(step, symbols, state);
            if (claim.form->base)
              claimed = state.values[claim.form->base].at(0) + claimed * elementBytes;
          } else {
            claimed = llvm::all_of(*claim.bounds, [&](const TileBound &bound) {
              const int64_t limit = valueOf(bound.value, symbols, state);
              if (!bound.dim)
                return limit >= 0;
              const int64_t i = flat / steps[*bound.dim] % shape[*bound.dim];
              return bound.isUpper ? i < limit : i >= limit;
            });
          }
          ASSERT_EQ(claimed, elements[flat])
              << "seed " << seed << ", element " << flat << " of " << textOf(op);
        }
        const bool isScalar = !isa<RankedTensorType>(value.getType());
        bounds += claim.bounds.has_value();
        uniformBounds += claim.bounds && !isScalar &&
                         llvm::any_of(*claim.bounds, [](auto &bound) { return !bound.dim; });
        forms += claim.form && !isScalar;
        withConditions += !claim.conditions.empty();
        carried +=
            claim.form && !isScalar && llvm::any_of(claim.form->start.getTerms(), [&](auto &term) {
              return llvm::any_of(term.first,
                                  [&](unsigned symbol) { return symbols.getLoop(symbol); });
            });
      });
      if (HasFatalFailure())
        return;
    }
  }
  EXPECT_GT(forms, 20000u);
  EXPECT_GT(carried, 5000u);
  EXPECT_GT(withConditions, 200u);
  EXPECT_GT(bounds, 500u);
  EXPECT_GT(uniformBounds, 100u);
}

} // namespace
