//===- AmdMatrixTest.cpp - WMMA against the tables of its fragments -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The places of elements are written here as the instruction set documents' tables have them, and
// not by the maps of the encodings.
//
//===--------------------------------------------------------------------------===//

#include "TestKernels.h"

#include <gmock/gmock.h>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::test;
using runtime::HostArray;
using ::testing::HasSubstr;

namespace {

constexpr int lanes = 32, size = 16;

/// The lower and the upper part of the number of a lane.
constexpr char partsOfLane[] = "%low = and i32 %t, 15\n%high = lshr i32 %t, 4\n";

/// Calls `%d = llvm.amdgcn.<name>` and gives the i-th element of it as %ri, converted by `convert`.
std::string callAndTake(const std::string &type, const std::string &name,
                        const std::string &operands, const std::vector<int> &elements,
                        const std::string &convert) {
  const std::string element = type.substr(type.find("x ") + 2, type.size() - type.find("x ") - 3);
  std::string text = "%d = call " + type + " @llvm.amdgcn." + name + "(" + operands + ")\n";
  for (size_t i = 0; i < elements.size(); ++i) {
    const std::string n = std::to_string(i);
    text += "%e" + n + " = extractelement " + type + " %d, i32 " + std::to_string(elements[i]) +
            "\n%r" + n + " = " + convert + " " + element + " %e" + n +
            (convert == "add" ? ", 0\n" : " to i32\n");
  }
  return text;
}

const std::vector<int> firstEight = {0, 1, 2, 3, 4, 5, 6, 7};

/// A and B as halves, `perLane` to a lane, of which the first is k = `firstK` (i32): A is the unit
/// matrix, and B has 16 k + column.
std::string unitTimesNumbers(int perLane, const std::string &firstK) {
  const std::string type = "<" + std::to_string(perLane) + " x half>";
  std::string text = std::string(partsOfLane) + "%first = " + firstK +
                     "\n%at = sub i32 %low, %first\n%in = icmp ult i32 %at, " +
                     std::to_string(perLane) + "\n%place = and i32 %at, " +
                     std::to_string(perLane - 1) + "\n%unit = insertelement " + type +
                     " zeroinitializer, half 1.0, i32 %place\n%a = select i1 %in, " + type +
                     " %unit, " + type + " zeroinitializer\n";
  std::string last = "zeroinitializer";
  for (int i = 0; i < perLane; ++i) {
    const std::string n = std::to_string(i);
    text += "%k" + n + " = add i32 %first, " + n + "\n%s" + n + " = shl i32 %k" + n + ", 4\n%v" +
            n + " = or i32 %s" + n + ", %low\n%h" + n + " = uitofp i32 %v" + n + " to half\n%b" +
            n + " = insertelement " + type + " " + last + ", half %h" + n + ", i32 " + n + "\n";
    last = "%b" + n;
  }
  return text + "%b = select i1 true, " + type + " " + last + ", " + type + " zeroinitializer\n";
}

/// Unit matrix times numbers, by the instruction whose operands have `perLane` elements a lane, of
/// K from `first` on.
HostArray multiplyUnit(int perLane, const std::string &first) {
  const std::string n = std::to_string(perLane), type = "<" + n + " x half>";
  const std::string name = "wmma.f32.16x16x16.f16.v8f32.v" + n + "f16";
  return amdLanes.run("declare <8 x float> @llvm.amdgcn." + name + "(" + type + ", " + type +
                          ", <8 x float>)\n",
                      unitTimesNumbers(perLane, first) +
                          callAndTake("<8 x float>", name,
                                      type + " %a, " + type + " %b, <8 x float> zeroinitializer",
                                      firstEight, "fptosi"),
                      8);
}

TEST(AmdMatrix, PlacesOnGfx11) {
  const HostArray out = multiplyUnit(16, "and i32 %t, 0");
  for (int reg = 0; reg < 8; ++reg)
    for (int lane = 0; lane < lanes; ++lane)
      EXPECT_EQ(out.at(reg * lanes + lane), size * (2 * reg + lane / size) + lane % size);
}

TEST(AmdMatrix, PlacesOnGfx12) {
  const HostArray out = multiplyUnit(8, "shl i32 %high, 3");
  for (int reg = 0; reg < 8; ++reg)
    for (int lane = 0; lane < lanes; ++lane)
      EXPECT_EQ(out.at(reg * lanes + lane), size * (reg + lane / size * 8) + lane % size);
}

/// The product of matrices whose bytes are all ones and all 1, plus the largest i32 or nothing.
int64_t productOfBytes(bool isSigned, int32_t added, bool clamps) {
  auto flag = [](bool value) { return value ? std::string("i1 true") : std::string("i1 false"); };
  auto splat = [](int32_t value, int count) {
    std::string text = "<";
    for (int i = 0; i < count; ++i)
      text += (i ? ", i32 " : "i32 ") + std::to_string(value);
    return text + ">";
  };
  const std::string declaration =
      "declare <8 x i32> @llvm.amdgcn.wmma.i32.16x16x16.iu8.v8i32.v4i32(i1 immarg, <4 x i32>, i1 "
      "immarg, <4 x i32>, <8 x i32>, i1 immarg)\n";
  const HostArray out = amdLanes.run(
      declaration, callAndTake("<8 x i32>", "wmma.i32.16x16x16.iu8.v8i32.v4i32",
                               flag(isSigned) + ", <4 x i32> " + splat(-1, 4) + ", " + flag(true) +
                                   ", <4 x i32> " + splat(0x01010101, 4) + ", <8 x i32> " +
                                   splat(added, 8) + ", " + flag(clamps),
                               {0}, "add"));
  return static_cast<int64_t>(out.at(0));
}

TEST(AmdMatrix, SignsAndLimitsOfIntegers) {
  EXPECT_EQ(productOfBytes(true, 0, false), -16);
  EXPECT_EQ(productOfBytes(false, 0, false), 16 * 255);
  EXPECT_EQ(productOfBytes(false, INT32_MAX, true), INT32_MAX);
  EXPECT_EQ(productOfBytes(false, INT32_MAX, false), INT32_MIN + 16 * 255 - 1);
  EXPECT_EQ(productOfBytes(true, INT32_MIN, true), INT32_MIN);
}

/// What both halves of the first register of an accumulator of f16 are on gfx11, after a product of
/// ones is added to the half that op_sel names of one with 3 in all lower and 5 in all upper
/// halves.
std::pair<int, int> addToHalf(bool upper, bool tied) {
  const std::string name =
      std::string("wmma.f16.16x16x16.f16") + (tied ? ".tied" : "") + ".v16f16.v16f16";
  auto vector = [](const char *even, const char *odd) {
    std::string text = "<16 x half> <";
    for (int i = 0; i < 16; ++i)
      text += std::string(i ? ", half " : "half ") + (i % 2 ? odd : even);
    return text + ">";
  };
  const HostArray out =
      amdLanes.run("declare <16 x half> @llvm.amdgcn." + name +
                       "(<16 x half>, <16 x half>, <16 x half>, i1 immarg)\n",
                   callAndTake("<16 x half>", name,
                               vector("1.0", "1.0") + ", " + vector("1.0", "1.0") + ", " +
                                   vector("3.0", "5.0") + (upper ? ", i1 true" : ", i1 false"),
                               {0, 1}, "fptosi"),
                   2);
  return {static_cast<int>(out.at(0)), static_cast<int>(out.at(lanes))};
}

TEST(AmdMatrix, HalvesOfAccumulators) {
  EXPECT_EQ(addToHalf(false, true), std::pair(19, 5));
  EXPECT_EQ(addToHalf(true, true), std::pair(3, 21));
  // Without .tied nothing is said of the other half.
  EXPECT_EQ(addToHalf(false, false).first, 19);
  EXPECT_EQ(addToHalf(true, false).second, 21);
}

TEST(AmdMatrix, CopiesOfOperandsHaveToAgree) {
  const std::string declaration = "declare <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32."
                                  "v16f16(<16 x half>, <16 x half>, <8 x float>)\n";
  EXPECT_THAT(
      amdLanes.error(declaration,
                     "%n = uitofp i32 %t to half\n%a = insertelement <16 x half> zeroinitializer, "
                     "half %n, i32 3\n" +
                         callAndTake("<8 x float>", "wmma.f32.16x16x16.f16.v8f32.v16f16",
                                     "<16 x half> zeroinitializer, <16 x half> %a, <8 x float> "
                                     "zeroinitializer",
                                     {0}, "fptosi")),
      HasSubstr("lanes 16 to 31 hold other elements than lanes 0 to 15"));
}

} // namespace
