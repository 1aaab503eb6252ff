//===- SplitRulesTest.cpp - Parts of operands that give parts of results ------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Of each op it is said which elements of its operands an element of its result comes from. Where
// a block computes a part of the result from parts of the operands, these have to be the elements
// that the op on the smaller tiles takes, for each block, split and element.
//
//===--------------------------------------------------------------------------===//

#include "transform/cluster/SplitRules.h"

#include "ir/Dialects.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

namespace {

using Index = std::vector<int64_t>;
/// An operand by its number, and an element of it.
using Source = std::pair<unsigned, Index>;

struct Case {
  /// The op, of operands %0, %1.
  const char *op;
  std::vector<Index> operands;
  Index result;
  /// What an element of the result comes from, for tiles of these shapes.
  std::vector<Source> (*sources)(const std::vector<Index> &operands, const Index &result,
                                 const Index &element);
};

int64_t numberOf(const Index &shape, const Index &element) {
  int64_t number = 0;
  for (size_t d = 0; d < shape.size(); ++d)
    number = number * shape[d] + element[d];
  return number;
}

Index elementOf(const Index &shape, int64_t number) {
  Index element(shape.size());
  for (size_t d = shape.size(); d-- > 0; number /= shape[d])
    element[d] = number % shape[d];
  return element;
}

std::vector<Source> sameElements(const std::vector<Index> &operands, const Index &,
                                 const Index &element) {
  std::vector<Source> sources;
  for (unsigned operand = 0; operand < operands.size(); ++operand)
    sources.push_back({operand, element});
  return sources;
}

const Case cases[] = {
    {"arith.addf %0, %1 : tensor<8x16xf32>", {{8, 16}, {8, 16}}, {8, 16}, sameElements},
    {"tt.broadcast %0 : tensor<8x1xf32> -> tensor<8x16xf32>",
     {{8, 1}},
     {8, 16},
     [](const std::vector<Index> &, const Index &, const Index &element) {
       return std::vector<Source>{{0, {element[0], 0}}};
     }},
    {"tt.expand_dims %0 {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>",
     {{8}},
     {8, 1},
     [](const std::vector<Index> &, const Index &, const Index &element) {
       return std::vector<Source>{{0, {element[0]}}};
     }},
    {"tt.trans %0 {order = array<i32: 2, 0, 1>} : tensor<4x8x16xf32> -> tensor<16x4x8xf32>",
     {{4, 8, 16}},
     {16, 4, 8},
     [](const std::vector<Index> &, const Index &, const Index &element) {
       return std::vector<Source>{{0, {element[1], element[2], element[0]}}};
     }},
    {"tt.reshape %0 : tensor<8x16xf32> -> tensor<4x2x16xf32>",
     {{8, 16}},
     {4, 2, 16},
     [](const std::vector<Index> &operands, const Index &result, const Index &element) {
       return std::vector<Source>{{0, elementOf(operands[0], numberOf(result, element))}};
     }},
    {"tt.reshape %0 : tensor<4x2x16xf32> -> tensor<8x16xf32>",
     {{4, 2, 16}},
     {8, 16},
     [](const std::vector<Index> &operands, const Index &result, const Index &element) {
       return std::vector<Source>{{0, elementOf(operands[0], numberOf(result, element))}};
     }},
    {"tt.join %0, %1 : tensor<8x4xf32> -> tensor<8x4x2xf32>",
     {{8, 4}, {8, 4}},
     {8, 4, 2},
     [](const std::vector<Index> &, const Index &, const Index &element) {
       return std::vector<Source>{{unsigned(element[2]), {element[0], element[1]}}};
     }},
    {"tt.dot %0, %1, %2 : tensor<16x8xf32> * tensor<8x32xf32> -> tensor<16x32xf32>",
     {{16, 8}, {8, 32}, {16, 32}},
     {16, 32},
     [](const std::vector<Index> &operands, const Index &, const Index &element) {
       std::vector<Source> sources = {{2, element}};
       for (int64_t k = 0; k < operands[0][1]; ++k) {
         sources.push_back({0, {element[0], k}});
         sources.push_back({1, {k, element[1]}});
       }
       return sources;
     }},
};

std::string typeOf(const Index &shape) {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + "f32>";
}

/// Where the part of block `rank` begins.
Index offsetOf(const ClusterSplit &split, const Index &part, unsigned rank) {
  Index number(part.size(), 0), taken(part.size(), 0);
  for (unsigned bit = 0; bit < split.numBits(); ++bit)
    if (const int32_t dim = split[bit]; dim != ClusterSplit::Nothing)
      number[dim] |= int64_t(rank >> bit & 1) << taken[dim]++;
  for (size_t d = 0; d < part.size(); ++d)
    number[d] *= part[d];
  return number;
}

Index sum(const Index &a, const Index &b) {
  Index result(a);
  for (size_t d = 0; d < a.size(); ++d)
    result[d] += b[d];
  return result;
}

Index partOf(const ClusterSplit &split, const Index &shape) {
  const SmallVector<int64_t> part = split.shapePerBlock(shape);
  return Index(part.begin(), part.end());
}

/// All splits of tiles of `rank` dimensions for a cluster of 2^bits blocks.
std::vector<ClusterSplit> allSplits(unsigned bits, int32_t rank) {
  std::vector<ClusterSplit> splits;
  SmallVector<int32_t> dims(bits, ClusterSplit::Nothing);
  while (true) {
    splits.push_back(ClusterSplit(dims));
    unsigned bit = 0;
    while (bit < bits && ++dims[bit] == rank)
      dims[bit++] = ClusterSplit::Nothing;
    if (bit == bits)
      return splits;
  }
}

void checkElements(const Case &one, const ClusterSplit &result,
                   ArrayRef<ClusterSplit> operandSplits, unsigned rank) {
  const Index part = partOf(result, one.result), offset = offsetOf(result, part, rank);
  std::vector<Index> operandParts, operandOffsets;
  for (size_t i = 0; i < one.operands.size(); ++i) {
    operandParts.push_back(partOf(operandSplits[i], one.operands[i]));
    operandOffsets.push_back(offsetOf(operandSplits[i], operandParts[i], rank));
  }
  int64_t elements = 1;
  for (int64_t size : part)
    elements *= size;
  for (int64_t number = 0; number < elements; ++number) {
    const Index element = elementOf(part, number);
    std::vector<Source> ofPart = one.sources(operandParts, part, element);
    for (auto &[operand, source] : ofPart)
      source = sum(source, operandOffsets[operand]);
    ASSERT_EQ(ofPart, one.sources(one.operands, one.result, sum(element, offset)));
  }
}

class SplitRules : public testing::TestWithParam<Case> {};

TEST_P(SplitRules, GiveThePartsThatElementsComeFrom) {
  const Case &one = GetParam();
  MLIRContext context(MLIRContext::Threading::DISABLED);
  DialectRegistry registry;
  ir::registerDialects(registry);
  registry.insert<arith::ArithDialect>();
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  std::string text = "tt.func @f(";
  for (size_t i = 0; i < one.operands.size(); ++i)
    text += (i ? ", %" : "%") + std::to_string(i) + ": " + typeOf(one.operands[i]);
  text += ") {\n %r = " + std::string(one.op) + "\n tt.return\n}";
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
  ASSERT_TRUE(module) << text;
  Operation *op = nullptr;
  module->walk([&](Operation *each) { op = each->getNumResults() && !op ? each : op; });
  ASSERT_TRUE(op && canDistribute(op));
  unsigned divided = 0;
  for (unsigned bits : {1u, 2u})
    for (const ClusterSplit &result : allSplits(bits, int32_t(one.result.size()))) {
      if (!canDivide(one.result, result))
        continue;
      const auto splits = getOperandSplits(op, result);
      if (!splits) {
        EXPECT_NE(result, ClusterSplit::replicated(bits)) << one.op;
        continue;
      }
      ASSERT_EQ(splits->size(), one.operands.size());
      divided += result != ClusterSplit::replicated(bits);
      for (unsigned rank = 0; rank < 1u << bits; ++rank)
        checkElements(one, result, *splits, rank);
    }
  EXPECT_GT(divided, 0u) << one.op;
}

INSTANTIATE_TEST_SUITE_P(Ops, SplitRules, testing::ValuesIn(cases));

} // namespace
