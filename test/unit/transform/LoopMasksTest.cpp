//===- LoopMasksTest.cpp - Masks that hold up to an iteration -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Masks of random loops, whose numbers are small or at the ends of 32 bits: the iteration up to
// which a mask is said to hold is compared with the mask itself, of each iteration and element, in
// the arithmetic of 32 bits.
//
//===--------------------------------------------------------------------------===//

#include "transform/masks/LoopMasks.h"

#include "ir/Dialects.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <random>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

namespace {

constexpr int64_t elements = 64;

/// for i in [lower, upper) by step: i * scale + x + range < y, or range < y - i * scale + x.
struct Loop {
  int32_t lower, upper, step, scale, x, y;
  bool isAlongRight, isStrict;

  int32_t at(int64_t index) const { return static_cast<int32_t>(static_cast<uint32_t>(index)); }
  int32_t left(int32_t i, int64_t element) const {
    return isAlongRight ? at(element) : at(int64_t(i) * scale + x + element);
  }
  int32_t right(int32_t i) const {
    return isAlongRight ? at(int64_t(y) - int64_t(i) * scale + x) : y;
  }
  bool holds(int32_t i) const {
    for (int64_t element = 0; element < elements; ++element)
      if (left(i, element) > right(i) - int64_t(isStrict))
        return false;
    return true;
  }
  /// Whether an element of iteration `i` wraps around in the end.
  bool wraps(int64_t i) const {
    auto fits = [](int64_t value) { return value == static_cast<int32_t>(value); };
    return isAlongRight ? !fits(y - i * scale + x)
                        : !fits(i * scale + x) || !fits(i * scale + x + elements - 1);
  }
};

std::string textOf(const Loop &loop) {
  const std::string scale = std::to_string(loop.scale), type = " : i32\n";
  std::string text = R"(
#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.num-ctas" = 1 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:80"} {
tt.func @f(%p: tensor<64x!tt.ptr<f32>, #b>, %lower: i32, %upper: i32, %step: i32, %x: i32, %y: i32) {
  %scale = arith.constant )" +
                     scale + type + R"(
  %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #b>
  scf.for %i = %lower to %upper step %step : i32 {
    %scaled = arith.muli %i, %scale : i32
)";
  text += loop.isAlongRight ? R"(
    %difference = arith.subi %y, %scaled : i32
    %sum = arith.addi %difference, %x : i32
    %right = tt.splat %sum : i32 -> tensor<64xi32, #b>
    %mask = arith.cmpi PREDICATE, %range, %right : tensor<64xi32, #b>)"
                            : R"(
    %sum = arith.addi %scaled, %x : i32
    %splat = tt.splat %sum : i32 -> tensor<64xi32, #b>
    %left = arith.addi %splat, %range : tensor<64xi32, #b>
    %right = tt.splat %y : i32 -> tensor<64xi32, #b>
    %mask = arith.cmpi PREDICATE, %left, %right : tensor<64xi32, #b>)";
  text.replace(text.find("PREDICATE"), 9, loop.isStrict ? "slt" : "sle");
  return text + R"(
    %v = tt.load %p, %mask : tensor<64x!tt.ptr<f32>, #b>
    tt.store %p, %v : tensor<64x!tt.ptr<f32>, #b>
  }
  tt.return
}
}
)";
}

/// The value of what BoundBuilder emits, in two's complement.
class Evaluator {
public:
  llvm::DenseMap<Value, int64_t> known;

  int64_t get(Value value) {
    auto [entry, isNew] = known.try_emplace(value, 0);
    if (!isNew)
      return entry->second;
    return known[value] = compute(value.getDefiningOp());
  }

private:
  static int64_t add(int64_t a, int64_t b) { return int64_t(uint64_t(a) + uint64_t(b)); }
  static int64_t times(int64_t a, int64_t b) { return int64_t(uint64_t(a) * uint64_t(b)); }

  int64_t compute(Operation *op) {
    if (APInt constant; matchPattern(op, m_ConstantInt(&constant)))
      return constant.getSExtValue();
    auto operand = [&](unsigned number) { return get(op->getOperand(number)); };
    if (isa<arith::AddIOp>(op))
      return add(operand(0), operand(1));
    if (isa<arith::SubIOp>(op))
      return add(operand(0), times(operand(1), -1));
    if (isa<arith::MulIOp>(op))
      return times(operand(0), operand(1));
    if (isa<arith::DivUIOp>(op))
      return int64_t(uint64_t(operand(0)) / uint64_t(operand(1)));
    if (isa<arith::MaxSIOp>(op))
      return std::max(operand(0), operand(1));
    if (isa<arith::MinSIOp>(op))
      return std::min(operand(0), operand(1));
    if (isa<arith::AndIOp>(op))
      return operand(0) & operand(1);
    if (isa<arith::ExtSIOp>(op))
      return operand(0);
    if (isa<arith::TruncIOp>(op))
      return static_cast<int32_t>(operand(0));
    if (isa<arith::SelectOp>(op))
      return operand(0) & 1 ? operand(1) : operand(2);
    return compare(cast<arith::CmpIOp>(op).getPredicate(), operand(0), operand(1));
  }

  static int64_t compare(arith::CmpIPredicate predicate, int64_t a, int64_t b) {
    EXPECT_TRUE(predicate == arith::CmpIPredicate::sge || predicate == arith::CmpIPredicate::sle);
    return predicate == arith::CmpIPredicate::sge ? a >= b : a <= b;
  }
};

class LoopMasksTest : public testing::Test {
protected:
  LoopMasksTest() : context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    ir::registerDialects(registry);
    registry.insert<arith::ArithDialect, scf::SCFDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// The index up to which the mask of `loop` holds; nothing if it is none that does.
  std::optional<int32_t> findMiddle(const Loop &loop) {
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(textOf(loop), ParserConfig(&context));
    EXPECT_TRUE(module) << textOf(loop);
    std::optional<int32_t> middle;
    module->walk([&](scf::ForOp op) {
      const LoopMasks masks = findLoadMasks(op);
      if (masks.empty())
        return;
      BoundBuilder bounds(op);
      Value value = createMiddle(bounds, masks);
      Evaluator evaluator;
      Block *entry = op->getBlock();
      const int32_t arguments[] = {loop.lower, loop.upper, loop.step, loop.x, loop.y};
      for (auto [number, known] : llvm::enumerate(arguments))
        evaluator.known[entry->getArgument(number + 1)] = known;
      middle = static_cast<int32_t>(evaluator.get(value));
    });
    return middle;
  }

  MLIRContext context;
};

TEST_F(LoopMasksTest, HoldUpToTheMiddleAndNotThere) {
  std::mt19937 random(1);
  auto draw = [&](int64_t end) { return int64_t(random() % uint64_t(end)); };
  auto drawNumber = [&] {
    const int64_t ends[] = {0, 0, INT32_MAX, INT32_MIN};
    return static_cast<int32_t>(
        std::clamp<int64_t>(ends[draw(4)] + draw(1000) - 500, INT32_MIN, INT32_MAX));
  };
  unsigned whole = 0, partial = 0, wrapped = 0;
  for (int i = 0; i < 3000; ++i) {
    const int32_t scales[] = {1, 2, 32, 100000};
    Loop loop;
    loop.step = static_cast<int32_t>(1 + draw(70));
    loop.lower = drawNumber();
    loop.upper = static_cast<int32_t>(
        std::min<int64_t>(int64_t(loop.lower) + draw(20) * loop.step + draw(70), INT32_MAX));
    loop.scale = scales[draw(4)];
    loop.x = drawNumber();
    loop.y = drawNumber();
    loop.isAlongRight = draw(2);
    loop.isStrict = draw(2);
    const std::optional<int32_t> middle = findMiddle(loop);
    ASSERT_TRUE(middle) << textOf(loop);
    SCOPED_TRACE(testing::Message()
                 << loop.lower << " to " << loop.upper << " by " << loop.step << ", scale "
                 << loop.scale << ", x " << loop.x << ", y " << loop.y << ", right "
                 << loop.isAlongRight << ", strict " << loop.isStrict << ", middle " << *middle);
    ASSERT_LE(*middle, loop.upper);
    bool mayWrap = false;
    int64_t index = loop.lower;
    for (; index < *middle; index += loop.step) {
      ASSERT_TRUE(loop.holds(static_cast<int32_t>(index))) << index;
      mayWrap |= loop.wraps(index);
    }
    // The loop of the iterations that are left begins there.
    ASSERT_TRUE(index == *middle || *middle == loop.upper);
    EXPECT_FALSE(mayWrap);
    for (int64_t at = loop.lower; at <= *middle + int64_t(loop.step) && at < loop.upper;
         at += loop.step)
      mayWrap |= loop.wraps(at);
    wrapped += mayWrap;
    partial += *middle > loop.lower && *middle < loop.upper;
    whole += *middle == loop.upper && loop.lower < loop.upper;
    if (!mayWrap && index < loop.upper && !loop.wraps(loop.upper))
      EXPECT_FALSE(loop.holds(static_cast<int32_t>(index))) << index;
  }
  EXPECT_GT(whole, 100u);
  EXPECT_GT(partial, 30u);
  EXPECT_GT(wrapped, 100u);
}

} // namespace
