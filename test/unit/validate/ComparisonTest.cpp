//===- ComparisonTest.cpp - Tests of inputs and of what may differ --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "validate/Comparison.h"
#include "interpret/Codec.h"

#include "gtest/gtest.h"

#include "mlir/IR/MLIRContext.h"

#include <cmath>
#include <cstring>

using namespace tilewright;
using namespace tilewright::validate;

namespace {

class ComparisonTest : public testing::Test {
protected:
  /// An input with one buffer of numbers of 32 bits.
  Input input(mlir::Type type, Contents contents = Contents::Random) {
    Parameter parameter;
    parameter.name = "x";
    parameter.kind = Parameter::Kind::Pointer;
    parameter.type = type;
    return {{}, contents, {parameter}};
  }

  template <typename T> Execution memoryOf(const std::vector<T> &elements) {
    interpret::Buffer buffer;
    buffer.name = "x";
    buffer.elementBytes = sizeof(T);
    buffer.bytes.resize(elements.size() * sizeof(T));
    std::memcpy(buffer.bytes.data(), elements.data(), buffer.bytes.size());
    Execution execution;
    execution.memory.add(std::move(buffer));
    return execution;
  }

  mlir::MLIRContext context;
};

TEST_F(ComparisonTest, IntegersAreEqual) {
  const Input in = input(mlir::IntegerType::get(&context, 32));
  const Execution before = memoryOf<int32_t>({1, 2, 3}), after = memoryOf<int32_t>({1, 2, 4});
  const Tolerance tolerance = measureTolerance(in, before, {});
  EXPECT_FALSE(compare(in, before, before, tolerance));
  const auto found = compare(in, before, after, tolerance);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->argument, "x");
  EXPECT_EQ(found->index, 2U);
  EXPECT_EQ(found->before, "3");
  EXPECT_EQ(found->after, "4");
}

/// An integer that hangs on the choices of the source may be anything.
TEST_F(ComparisonTest, IntegersThatVariantsChangeAreNotCompared) {
  const Input in = input(mlir::IntegerType::get(&context, 32));
  const Execution before = memoryOf<int32_t>({1, 2}), variant = memoryOf<int32_t>({1, 7}),
                  after = memoryOf<int32_t>({1, 9});
  const Execution variants[] = {variant};
  EXPECT_FALSE(compare(in, before, after, measureTolerance(in, before, variants)));
}

/// A deviation of 1 allows 4 for itself and 8 for the usual one.
TEST_F(ComparisonTest, FloatsMayDifferAsVariantsDo) {
  const Input in = input(mlir::Float32Type::get(&context));
  const Execution before = memoryOf<float>({100, 5}), variant = memoryOf<float>({101, 5});
  const Execution variants[] = {variant};
  const Tolerance tolerance = measureTolerance(in, before, variants);
  EXPECT_FALSE(compare(in, before, memoryOf<float>({112, 13}), tolerance));
  EXPECT_TRUE(compare(in, before, memoryOf<float>({112.5, 5}), tolerance));
  EXPECT_TRUE(compare(in, before, memoryOf<float>({100, 13.5}), tolerance));
  // Without a deviation nothing may change.
  EXPECT_TRUE(
      compare(in, before, memoryOf<float>({100.00001F, 5}), measureTolerance(in, before, {})));
}

TEST_F(ComparisonTest, ZerosAndNaNsAreAlike) {
  const Input in = input(mlir::Float32Type::get(&context));
  const Execution before = memoryOf<uint32_t>({0, 0x7FC00000}),
                  after = memoryOf<uint32_t>({0x80000000, 0xFFC00001}),
                  number = memoryOf<uint32_t>({0, 0x3F800000});
  const Tolerance tolerance = measureTolerance(in, before, {});
  EXPECT_FALSE(compare(in, before, after, tolerance));
  EXPECT_TRUE(compare(in, before, number, tolerance));
}

/// A value that becomes undefined is lost; the reverse is allowed.
TEST_F(ComparisonTest, DefinedValuesStayDefined) {
  const Input in = input(mlir::IntegerType::get(&context, 32));
  const Execution defined = memoryOf<int32_t>({1});
  Execution undefined = memoryOf<int32_t>({1});
  undefined.memory.buffers[0].undefined[2] = 1;
  const Tolerance tolerance = measureTolerance(in, defined, {});
  EXPECT_TRUE(compare(in, defined, undefined, tolerance));
  EXPECT_FALSE(compare(in, undefined, defined, tolerance));
}

/// Small numbers are integers from -4 to 4, and the same element is the same each time.
TEST_F(ComparisonTest, MemoryIsAsItsContentsSay) {
  const mlir::Type f16 = mlir::Float16Type::get(&context);
  const Input small = input(f16, Contents::Small), wild = input(f16, Contents::Adversarial);
  const interpret::Codec codec(f16);
  bool hasNaN = false, hasInfinity = false;
  for (size_t i = 0; i < 2000; ++i) {
    const double number = codec.decode(Memory(small, 0)[i]);
    EXPECT_EQ(number, std::nearbyint(number));
    EXPECT_LE(std::abs(number), 4);
    EXPECT_EQ(Memory(wild, 0)[i], Memory(wild, 0)[i]);
    hasNaN |= std::isnan(codec.decode(Memory(wild, 0)[i]));
    hasInfinity |= std::isinf(codec.decode(Memory(wild, 0)[i]));
  }
  EXPECT_TRUE(hasNaN && hasInfinity);
}

/// Each simpler input keeps what the signature says, and none is the input itself.
TEST_F(ComparisonTest, SimplerInputsKeepTheirDivisibility) {
  Input in = input(mlir::Float32Type::get(&context));
  in.grid = {3, 2, 1};
  Parameter size;
  size.name = "n";
  size.type = mlir::IntegerType::get(&context, 32);
  size.integer = 96;
  size.divisibility = 16;
  size.least = 16;
  in.parameters.push_back(size);
  const std::vector<Input> simpler = simplify(in);
  EXPECT_GE(simpler.size(), 4U);
  for (const Input &each : simpler) {
    EXPECT_NE(each.text(), in.text());
    EXPECT_EQ(each.parameters[1].integer % 16, 0);
    EXPECT_GE(each.parameters[1].integer, 16);
    EXPECT_LE(each.grid.x * each.grid.y, 6U);
  }
}

} // namespace
