//===- MutationTest.cpp - Encodings parsed from damaged text ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Texts of encodings with numbers, words and signs exchanged, left out and put in twice are either
// refused with an error or are encodings like any other: they print and parse to themselves, and
// have a map for every shape that they do not refuse.
//
//===--------------------------------------------------------------------------===//

#include "Parsing.h"

#include "ir/ttg/Dialect.h"

#include "mlir/IR/Diagnostics.h"
#include "gtest/gtest.h"

#include <numeric>
#include <random>

using namespace tilewright;
using namespace tilewright::test;
using layout::LinearLayout;
namespace dims = layout::dims;

namespace {

const char *const texts[] = {
    "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [2, 2], order = "
    "[1, 0], CGALayout = [[1, 0], [0, 1]]}>",
    "#ttg.slice<{dim = 1, parent = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], "
    "warpsPerCTA = [2, 2], order = [1, 0]}>}>",
    "#ttg.linear<{register = [[0, 1]], lane = [[0, 2], [1, 0]], warp = [[2, 0]], block = []}>",
    "#ttg.generic_linear<{register = [[0, 1]], lane = [[0, 2], [1, 0]], warp = [[2, 6], [0, 4]], "
    "block = []}>",
    "#ttg.dot_op<{opIdx = 1, parent = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, "
    "8], warpsPerCTA = [2, 2], order = [1, 0], CGALayout = [[1, 0]]}>}>",
    "#ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, "
    "warpsPerCTA = [1, 2, 2], CGALayout = [[0, 1, 0]], instrShape = [1, 16, 8]}>, kWidth = 2}>",
    "#ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, "
    "warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>, kWidth = 2}>",
    "#ttg.dot_op<{opIdx = 0, parent = #ttg.amd_wmma<{version = 2, isTranspose = true, ctaLayout = "
    "{register = [[0, 1]], warp = [[1, 0]]}, CGALayout = [[1, 0]], instrShape = [16, 16, 32]}>, "
    "kWidth = 8}>",
    "#ttg.amd_wmma<{version = 1, isTranspose = false, warpsPerCTA = [2, 4], tilesPerWarp = [1, 2], "
    "rank = 2}>",
    "#ttg.dot_op<{opIdx = 1, parent = #ttg.amd_mfma<{version = 4, warpsPerCTA = [2, 2], instrShape "
    "= [32, 32, 16], isTransposed = true, CGALayout = [[1, 0]], tilesPerWarp = [1, 2]}>, kWidth = "
    "8}>",
    "#ttg.amd_mfma<{version = 2, warpsPerCTA = [4, 1], instrShape = [16, 16, 4], isTransposed = "
    "false, elementBitWidth = 64}>",
    "#ttig.warp<{sizePerThread = [2, 1], threadsPerWarp = [2, 8], order = [1, 0]}>",
    "#ttg.dot_op<{opIdx = 1, parent = #triton_intel_gpu.dpas<{repeatCount = 8, systolicDepth = 8, "
    "executionSize = 16, opsPerChan = 4, fp4KPack = 2, threadsPerWarp = 32, warpsPerCTA = [2, 2], "
    "repCluster = [2, 1]}>, kWidth = 4}>",
    "#ttig.subgroup_2d_block<{warpsPerCTA = [4, 2], CTAsPerCGA = [2, 2], CTASplitNum = [2, 1], "
    "CTAOrder = [1, 0], instrShape = [8, 16], numBlocks=2, order=[1, 0], kWidth=2, "
    "threadsPerWarp=16}>",
    "#ttg.slice<{dim = 0, parent = #tw.coopmatrix<{use = matrix_b, subgroupSize = 16}>}>",
    "#ttg.swizzled_shared<{vec = 4, perPhase = 2, maxPhase = 4, order = [0, 1], CGALayout = [[0, "
    "1]]}>",
    "#ttg.amd_rotating_shared<{vec = 2, perPhase = 1, maxPhase = 4, order = [1, 0]}>",
    "#ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 8, fp4Padded "
    "= true, rank = 2, CGALayout = [[1, 0]]}>",
    "#ttg.padded_shared<[8:+2, 32:+4] {order = [1, 0], shape = [16, 8]}>",
    "#ttg.padded_shared<[8:+2] {offset = [[0, 1], [1, 0], [0, 2]], block = [[2, 0]]}>",
    "#ttg.shared_linear<{offset = [[0, 1], [1, 1]], block = [[2, 0]]}, alignment = 64>",
};

/// Words, numbers and single signs; blanks are left out.
std::vector<std::string> tokens(const std::string &text) {
  std::vector<std::string> result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ')
      continue;
    size_t end = i + 1;
    auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    if (isWord(text[i]) || text[i] == '#')
      while (end < text.size() && (isWord(text[end]) || (text[i] == '#' && text[end] == '.')))
        ++end;
    result.push_back(text.substr(i, end - i));
    i = end - 1;
  }
  return result;
}

/// No blank comes before '<': it would end the attribute's name.
std::string joined(const std::vector<std::string> &tokens) {
  std::string result;
  for (const std::string &token : tokens)
    result += (token == "<" || result.empty() ? "" : " ") + token;
  return result;
}

class Mutator {
public:
  std::string mutate(std::vector<std::string> list, const std::vector<std::string> &donor) {
    for (unsigned count = 1 + below(3); count > 0 && !list.empty(); --count) {
      size_t at = below(list.size());
      switch (below(6)) {
      case 0:
        list.erase(list.begin() + at);
        break;
      case 1:
        list.insert(list.begin() + at, list[below(list.size())]);
        break;
      case 2:
        list[at] = donor[below(donor.size())];
        break;
      case 3:
        std::swap(list[at], list[below(list.size())]);
        break;
      default:
        changeNumber(list);
      }
    }
    return joined(list);
  }

private:
  size_t below(size_t bound) { return random() % bound; }

  void changeNumber(std::vector<std::string> &list) {
    static const char *const numbers[] = {
        "0",          "1",          "2",          "3",     "4",   "7",
        "8",          "16",         "32",         "64",    "128", "4096",
        "65536",      "1073741824", "2147483647", "-1",    "-64", "2147483648",
        "4294967296", "true",       "false",      "[[1]]", "{}",  "9223372036854775808"};
    std::vector<size_t> places;
    for (size_t i = 0; i < list.size(); ++i)
      if (std::isdigit(static_cast<unsigned char>(list[i][0])))
        places.push_back(i);
    if (!places.empty())
      list[places[below(places.size())]] = numbers[below(std::size(numbers))];
  }

  // Other texts with --gtest_shuffle.
  std::mt19937 random{12345u + testing::UnitTest::GetInstance()->random_seed()};
};

/// A map has the shape that it was asked for, from these inputs, and reaches every element.
void checkMap(const LinearLayout &map, std::initializer_list<layout::Dim> ins,
              llvm::ArrayRef<int64_t> shape, const std::string &text) {
  ASSERT_EQ(map.ins().size(), ins.size()) << text;
  for (layout::Dim in : ins)
    ASSERT_TRUE(map.hasIn(in)) << text;
  ASSERT_EQ(map.outs().size(), shape.size()) << text;
  for (auto [i, size] : llvm::enumerate(shape))
    ASSERT_EQ(map.outSize(layout::Dim::tensor(i)), static_cast<uint64_t>(size)) << text;
  ASSERT_TRUE(map.isSurjective()) << text;
}

void checkOnShape(mlir::Attribute encoding, llvm::ArrayRef<int64_t> shape,
                  const std::string &text) {
  auto emitError = [] { return mlir::emitError(mlir::UnknownLoc::get(&context())); };
  auto verifiable = llvm::cast<mlir::VerifiableTensorEncoding>(encoding);
  if (failed(verifiable.verifyEncoding(shape, mlir::Float16Type::get(&context()), emitError)))
    return;
  if (auto shared = llvm::dyn_cast<ttg::SharedLayoutEncoding>(encoding)) {
    checkMap(shared.toLinearLayout(shape), {dims::Offset, dims::Block}, shape, text);
    return;
  }
  auto layout = llvm::cast<tt::LayoutEncoding>(encoding);
  if (!layout.isLinear(shape))
    return;
  checkMap(layout.toLinearLayoutOf(shape, 16),
           {dims::Register, dims::Lane, dims::Warp, dims::Block}, shape, text);
  llvm::SmallVector<int32_t> order(shape.size());
  std::iota(order.rbegin(), order.rend(), 0);
  if (auto moved = llvm::dyn_cast_or_null<tt::LayoutEncoding>(layout.inferTrans(shape, order))) {
    llvm::SmallVector<int64_t> reversed(llvm::reverse(shape));
    checkMap(moved.toLinearLayout(reversed), {dims::Register, dims::Lane, dims::Warp, dims::Block},
             reversed, text);
  }
}

void check(mlir::Attribute encoding, const std::string &text) {
  std::string printed;
  llvm::raw_string_ostream(printed) << encoding;
  ASSERT_EQ(mlir::parseAttribute(printed, &context()), encoding) << text << "\n" << printed;

  unsigned rank = 0;
  if (auto layout = llvm::dyn_cast<tt::LayoutEncoding>(encoding))
    rank = layout.getRank();
  else if (auto shared = llvm::dyn_cast<ttg::SharedLayoutEncoding>(encoding))
    rank = shared.getRank();
  else
    return; // some other attribute
  for (int64_t size : {0, 1, 4, 12, 64}) {
    llvm::SmallVector<int64_t> shape(rank, size);
    checkOnShape(encoding, shape, text);
    shape.back() = 16;
    checkOnShape(encoding, shape, text);
  }
}

} // namespace

TEST(Mutation, RefusedOrSound) {
  size_t errors = 0, accepted = 0;
  mlir::ScopedDiagnosticHandler handler(&context(), [&](mlir::Diagnostic &) {
    ++errors;
    return mlir::success();
  });
  Mutator mutator;
  std::vector<std::vector<std::string>> originals;
  for (const char *text : texts)
    originals.push_back(tokens(text));
  for (size_t round = 0; round < 2000; ++round)
    for (size_t i = 0; i < originals.size(); ++i) {
      const std::vector<std::string> &donor = originals[(i + round) % originals.size()];
      std::string text = round == 0 ? joined(originals[i]) : mutator.mutate(originals[i], donor);
      size_t before = errors;
      mlir::Attribute encoding = mlir::parseAttribute(text, &context());
      if (round == 0) {
        ASSERT_TRUE(encoding) << text;
      }
      if (encoding) {
        ++accepted;
        check(encoding, text);
      } else {
        ASSERT_GT(errors, before) << "refused without a word: " << text;
      }
      ASSERT_FALSE(HasFatalFailure()) << text;
    }
  // Some of both, or the test shows nothing.
  EXPECT_GT(accepted, 100u);
  EXPECT_GT(errors, 1000u);
}
