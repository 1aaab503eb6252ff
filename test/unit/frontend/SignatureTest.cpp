//===- SignatureTest.cpp - Signature strings ----------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/value/Signature.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::frontend;

namespace {

TEST(Signature, EveryKindOfEntry) {
  Diagnostic error;
  auto entries = parseSignature("*fp32:16, i32:16,u8 ,fp64, *i1, i32:1, 1024, -2.5, True, None, "
                                "'a, b', tl.float16, 0x10, 1e-3, *fp8e4nv",
                                error);
  ASSERT_TRUE(entries) << error.message;
  ASSERT_EQ(entries->size(), 15u);
  const std::vector<SignatureEntry> &all = *entries;
  EXPECT_EQ(all[0].type, (DType{ScalarKind::FP32, true}));
  EXPECT_EQ(all[0].divisibility, 16);
  EXPECT_EQ(all[1].type, DType{ScalarKind::Int32});
  EXPECT_EQ(all[1].divisibility, 16);
  EXPECT_EQ(all[2].type, DType{ScalarKind::UInt8});
  EXPECT_EQ(all[2].divisibility, 1);
  EXPECT_EQ(all[3].type, DType{ScalarKind::FP64});
  EXPECT_EQ(all[4].type, (DType{ScalarKind::Int1, true}));
  EXPECT_EQ(all[5].constant->repr(), "1");
  EXPECT_EQ(all[6].constant->repr(), "1024");
  EXPECT_EQ(all[7].constant->repr(), "-2.5");
  EXPECT_EQ(all[8].constant->repr(), "True");
  EXPECT_EQ(all[9].constant->repr(), "None");
  EXPECT_EQ(all[10].constant->repr(), "'a, b'");
  EXPECT_EQ(all[11].constant->repr(), "fp16");
  EXPECT_EQ(all[12].constant->repr(), "16");
  EXPECT_EQ(all[13].constant->repr(), "0.001");
  EXPECT_EQ(all[14].type, (DType{ScalarKind::FP8E4NV, true}));
  EXPECT_EQ(all[1].offset, 10u);
  EXPECT_EQ(all[1].length, 6u);
}

TEST(Signature, BooleansHaveTwoNames) {
  Diagnostic error;
  auto entries = parseSignature("u1, *u1, i1, *ku1", error);
  ASSERT_TRUE(entries) << error.message;
  EXPECT_EQ((*entries)[0].type, DType{ScalarKind::Int1});
  EXPECT_EQ((*entries)[1].type, (DType{ScalarKind::Int1, true}));
  EXPECT_EQ((*entries)[0].type, (*entries)[2].type);
  EXPECT_EQ((*entries)[3].type, (DType{ScalarKind::Int1, true, true}));
}

TEST(Signature, Descriptors) {
  Diagnostic error;
  auto entries = parseSignature("i32, tensordesc<f16[64, 32]>, tensordesc< i8 [16] >", error);
  ASSERT_TRUE(entries) << error.message;
  ASSERT_EQ(entries->size(), 3u);
  EXPECT_EQ((*entries)[1].type, DType{ScalarKind::FP16});
  EXPECT_EQ((*entries)[1].block, (llvm::SmallVector<int64_t>{64, 32}));
  EXPECT_EQ((*entries)[2].block, (llvm::SmallVector<int64_t>{16}));
  EXPECT_TRUE((*entries)[0].block.empty());
}

TEST(Signature, DescriptorsOfWholeRows) {
  Diagnostic error;
  auto entries = parseSignature(
      "tensordesc<f16[64, 32]>:16, tensordesc<bf16[8], nan>: 16, tensordesc<i8[16]>", error);
  ASSERT_TRUE(entries) << error.message;
  ASSERT_EQ(entries->size(), 3u);
  EXPECT_EQ((*entries)[0].divisibility, 16);
  EXPECT_EQ((*entries)[0].block, (llvm::SmallVector<int64_t>{64, 32}));
  EXPECT_EQ((*entries)[1].divisibility, 16);
  EXPECT_TRUE((*entries)[1].padsWithNan);
  EXPECT_EQ((*entries)[2].divisibility, 1);
}

TEST(Signature, DescriptorsThatPadWithNan) {
  Diagnostic error;
  auto entries = parseSignature("tensordesc<bf16[64, 32], nan>, tensordesc<bf16[8]>", error);
  ASSERT_TRUE(entries) << error.message;
  EXPECT_TRUE((*entries)[0].padsWithNan);
  EXPECT_EQ((*entries)[0].block, (llvm::SmallVector<int64_t>{64, 32}));
  EXPECT_FALSE((*entries)[1].padsWithNan);
}

TEST(Signature, Tuples) {
  Diagnostic error;
  auto entries = parseSignature("i32, (*fp32:16, ('a, )', (i32:1,), ()), @scale), "
                                "View(data=*fp16, sizes=(i32, 2)), tensordesc<fp16[8]>",
                                error);
  ASSERT_TRUE(entries) << error.message;
  ASSERT_EQ(entries->size(), 4u);
  const std::vector<SignatureEntry> &outer = *(*entries)[1].elements;
  ASSERT_EQ(outer.size(), 3u);
  EXPECT_EQ(outer[0].divisibility, 16);
  EXPECT_EQ(outer[0].offset, 6u);
  EXPECT_EQ(outer[2].function, "scale");
  const std::vector<SignatureEntry> &inner = *outer[1].elements;
  ASSERT_EQ(inner.size(), 3u);
  EXPECT_EQ(inner[0].constant->repr(), "'a, )'");
  EXPECT_EQ((*inner[1].elements)[0].constant->repr(), "1");
  EXPECT_TRUE(inner[2].elements && inner[2].elements->empty());
  const SignatureEntry &view = (*entries)[2];
  EXPECT_EQ(view.tupleClass.name, "View");
  EXPECT_EQ(view.tupleClass.fields, (std::vector<std::string>{"data", "sizes"}));
  EXPECT_TRUE((*view.elements)[1].tupleClass.fields.empty());
  EXPECT_FALSE((*entries)[0].elements || (*entries)[3].elements);
}

TEST(Signature, TuplesHaveADepth) {
  Diagnostic error;
  EXPECT_TRUE(parseSignature(std::string(32, '(') + std::string(32, ')'), error)) << error.message;
  EXPECT_FALSE(parseSignature(std::string(33, '(') + std::string(33, ')'), error));
  EXPECT_EQ(error.message, "tuples are nested more than 32 deep");
}

TEST(Signature, EmptyHasNoEntries) {
  Diagnostic error;
  auto entries = parseSignature("  ", error);
  ASSERT_TRUE(entries);
  EXPECT_TRUE(entries->empty());
}

struct Bad {
  const char *text;
  int column;
  const char *message;
};

class BadSignature : public testing::TestWithParam<Bad> {};

TEST_P(BadSignature, IsRefusedWithItsPlace) {
  Diagnostic error;
  EXPECT_FALSE(parseSignature(GetParam().text, error));
  EXPECT_NE(error.message.find(GetParam().message), std::string::npos) << error.message;
  EXPECT_EQ(error.where.column, GetParam().column);
  EXPECT_EQ(error.where.file, "<signature>");
  EXPECT_FALSE(error.remedy.empty());
}

INSTANTIATE_TEST_SUITE_P(Signature, BadSignature,
                         testing::Values(Bad{"*fp32, float32", 8, "no type 'float32'"},
                                         Bad{"i32,,i32", 5, "entry 2 of the signature is empty"},
                                         Bad{"i32,", 5, "entry 2 of the signature is empty"},
                                         Bad{"**fp32", 1, "no type '*fp32'"},
                                         Bad{"i32:3", 1, "divisibility '3' is no power of two"},
                                         Bad{"i32:", 1, "divisibility '' is no power of two"},
                                         Bad{"i32, fp32:16", 6, "a float has no divisibility"},
                                         Bad{"*fp32:1", 1, "no scalar integer"},
                                         Bad{"i32, 'abc", 6, "is not closed"},
                                         Bad{"tl.float", 1, "no type tl.float"},
                                         Bad{"12ab", 1, "no type '"},
                                         Bad{"i32, tensordesc<fp16[8, 8]", 6, "not complete"},
                                         Bad{"tensordesc<fp17[8]>", 1, "no type 'fp17'"},
                                         Bad{"tensordesc<f8[8]>", 1, "no type 'f8'"},
                                         Bad{"tensordesc<fp16>", 1, "shape of this tensor"},
                                         Bad{"tensordesc<i8[16], nan>", 1, "i8 has no NaN"},
                                         Bad{"i32, (i32, fp33)", 12, "no type 'fp33'"},
                                         Bad{"(i32, , i32)", 6, "entry 2 of the tuple is empty"},
                                         Bad{"(i32, i32", 1, "is not closed"},
                                         Bad{"V(a=i32, fp32)", 10, "needs its name"},
                                         Bad{"@a.b", 1, "'a.b' is no name of a function"},
                                         Bad{"tensordesc<fp16[8, 12]>", 1, "'12' is no size"},
                                         Bad{"tensordesc<fp16[]>", 1, "'' is no size"},
                                         Bad{"tensordesc<fp16[8]>:8", 1, "hint ':8' is none"},
                                         Bad{"tensordesc<fp16[8, 4]>", 1, "less than 16 bytes"}));

} // namespace
