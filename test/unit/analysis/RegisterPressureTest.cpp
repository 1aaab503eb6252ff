//===- RegisterPressureTest.cpp - Registers that values take ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "analysis/RegisterPressure.h"
#include "ir/Dialects.h"
#include "ir/ttg/Dialect.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

#include <set>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

namespace {

class RegisterPressure : public testing::Test {
protected:
  RegisterPressure() : context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    ir::registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }
  Type parse(const std::string &text) {
    Type type = parseType(text, &context);
    EXPECT_TRUE(type) << text;
    return type;
  }

  MLIRContext context;
};

const std::string blocked = "#ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], "
                            "warpsPerCTA = [4], order = [0]}>";

TEST_F(RegisterPressure, CountsWordsOfAThread) {
  EXPECT_EQ(getRegisterCount(parse("i1")), 1u);
  EXPECT_EQ(getRegisterCount(parse("f64")), 2u);
  EXPECT_EQ(getRegisterCount(parse("index")), 2u);
  EXPECT_EQ(getRegisterCount(parse("!tt.ptr<f32>")), 2u);
  EXPECT_EQ(getRegisterCount(parse("!ttg.async.token")), 0u);
  EXPECT_EQ(getRegisterCount(parse("tensor<1024xf32, " + blocked + ">")), 8u);
  EXPECT_EQ(getRegisterCount(parse("tensor<1024xf16, " + blocked + ">")), 4u);
  EXPECT_EQ(getRegisterCount(parse("tensor<1024x!tt.ptr<f16>, " + blocked + ">")), 16u);
}

/// Against a count of the elements that a thread's registers really hold.
TEST_F(RegisterPressure, CopiesCountOnce) {
  for (int64_t size : {1, 2, 64, 128, 512, 1024}) {
    auto type =
        cast<RankedTensorType>(parse("tensor<" + std::to_string(size) + "xf32, " + blocked + ">"));
    const layout::LinearLayout map = ttg::toLinearLayout(type);
    std::set<uint64_t> elements;
    for (uint64_t r = 0; r < map.inSize(layout::dims::Register); ++r) {
      uint64_t element = 0;
      for (auto [bit, basis] : llvm::enumerate(map.bases(layout::dims::Register)))
        element ^= r >> bit & 1 ? basis : 0;
      elements.insert(element);
    }
    EXPECT_EQ(getDistinctElements(type), elements.size()) << size;
    EXPECT_EQ(getDistinctRegisters(type), elements.size()) << size;
  }
}

} // namespace
