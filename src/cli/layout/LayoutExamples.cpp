//===- LayoutExamples.cpp - An example of each encoding's syntax --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/layout/LayoutExamples.h"

#include "llvm/ADT/StringExtras.h"

using namespace tilewright;
using llvm::StringLiteral;
using llvm::StringRef;

// clang-format off
static constexpr StringLiteral examples[] = {
    "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>",
    "#ttg.slice<{dim = 1, parent = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>}>",
    "#ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>, kWidth = 2}>",
    "#ttg.linear<{register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[8, 0]], block = []}>",
    "#ttg.generic_linear<{register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[8, 4], [8, 0]], block = []}>",
    "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>",
    "#ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 32, 8], isTransposed = true}>",
    "#ttg.amd_wmma<{version = 1, isTranspose = false, ctaLayout = {warp = [[0, 1], [1, 0]]}}>",
    "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>",
    "#ttg.amd_rotating_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>",
    "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>",
    "#ttg.padded_shared<[32:+4] {order = [1, 0], shape = [64, 64]}>",
    "#ttg.shared_linear<{offset = [[0, 1], [1, 0], [2, 0]], block = []}, alignment = 16>",
    "#ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 2], repCluster = [1, 1]}>",
    "#ttig.subgroup_2d_block<{warpsPerCTA = [8, 4], instrShape = [32, 16], numBlocks = 2, order = [1, 0], kWidth = 2, threadsPerWarp = 16}>",
    "#ttig.warp<{sizePerThread = [1, 2], threadsPerWarp = [8, 2], order = [1, 0]}>",
    "#tw.coopmatrix<{use = matrix_a, subgroupSize = 16}>",
};
// clang-format on

llvm::ArrayRef<StringLiteral> cli::layoutExamples() { return examples; }

static bool isNameByte(char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; }

/// The name after the `#` of the attribute that `offset` is in; empty where it is in none.
static StringRef nameAround(StringRef text, size_t offset) {
  unsigned depth = 0;
  bool isClosed = false; // whether the attribute whose `#` comes next ends before `offset`
  for (size_t i = std::min(offset + 1, text.size()); i-- > 0;) {
    if (text[i] == '#' && depth == 0 && !isClosed)
      return text.drop_front(i + 1).take_while(isNameByte);
    if (text[i] == '#' && depth == 0)
      isClosed = false;
    if (StringRef(")]}>").contains(text[i]) && i < offset)
      ++depth;
    if (StringRef("([{<").contains(text[i]) && depth > 0 && --depth == 0)
      isClosed = text[i] == '<';
  }
  return {};
}

std::string cli::layoutRemedyAt(StringRef text, size_t offset) {
  StringRef name = nameAround(text, offset);
  StringRef dialect = name.split('.').first;
  std::string names; // of the dialect
  for (StringRef example : examples) {
    StringRef known = example.drop_front().split('<').first;
    if (known == name)
      return "#" + known.str() + " is written as in " + example.str();
    if (known.split('.').first == dialect)
      names += (names.empty() ? "#" : ", #") + known.str();
  }
  if (!names.empty())
    return "the layouts of " + dialect.str() + " are " + names;
  return "a layout is written as in " + examples[0].str();
}
