//===- EncodingTextTest.cpp - Texts and errors of encodings -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------===//
//
// An encoding's text is Triton's, to the byte; attributes are the same exactly if their texts are;
// what the layout library says against an encoding reaches its user word for word, at the
// attribute.
//
//===------------------------------------------------------------------------===//

#include "Parsing.h"

#include "ir/ttg/Dialect.h"
#include "layout/encoding/IntelDpas.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::test;

namespace {

std::string printed(mlir::Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  attribute.print(stream);
  return text;
}

/// The error of parsing `text`, as "column: message"; empty if there is none.
std::string errorOf(const std::string &text) {
  std::string error;
  mlir::ScopedDiagnosticHandler handler(&context(), [&](mlir::Diagnostic &diagnostic) {
    auto at = llvm::cast<mlir::FileLineColLoc>(diagnostic.getLocation());
    error = std::to_string(at.getColumn()) + ": " + diagnostic.str();
    return mlir::success();
  });
  mlir::parseAttribute(text, &context());
  return error;
}

/// Texts as Triton prints them. Neighbours differ in one key each, optional keys are there and are
/// not.
const char *const texts[] = {
    "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [2, 2], "
    "order = [1, 0]}>",
    "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [2, 2], "
    "order = [0, 1]}>",
    "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [2, 2], "
    "order = [0, 1], CGALayout = [[0, 1], [0, 0]]}>",
    "#ttg.linear<{register = [[1]], lane = [[2], [4]], warp = [[8]], block = []}>",
    "#ttg.linear<{register = [[1]], lane = [[2], [4]], warp = [[8]], block = [[0]]}>",
    "#ttg.generic_linear<{register = [[0, 1]], lane = [[0, 2], [1, 0]], warp = [[2, 6], [0, 4]], "
    "block = []}>",
    "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], "
    "instrShape = [16, 8]}>",
    "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 1, warpsPerCTA = [2, 2], "
    "instrShape = [16, 8]}>",
    "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], "
    "CGALayout = [[1, 0]], instrShape = [16, 8]}>",
    "#ttg.amd_wmma<{version = 1, isTranspose = false, ctaLayout = {warp = [[0, 1], [1, 0]]}}>",
    "#ttg.amd_wmma<{version = 2, isTranspose = true, ctaLayout = {register = [[0, 1]], "
    "warp = [[0, 2], [1, 0]]}, CGALayout = [[1, 0]], instrShape = [16, 16, 32]}>",
    "#ttg.amd_wmma<{version = 2, isTranspose = false, ctaLayout = {warp = []}, rank = 3}>",
    "#ttg.amd_mfma<{version = 4, warpsPerCTA = [4, 1], instrShape = [32, 32, 16], "
    "isTransposed = true}>",
    "#ttg.amd_mfma<{version = 4, warpsPerCTA = [4, 1], instrShape = [16, 16, 4], "
    "isTransposed = false, CGALayout = [[0, 1]], tilesPerWarp = [2, 1], elementBitWidth = 64}>",
    "#ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, "
    "threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [2, 1], A = [16, 16], B = [16, 16], "
    "C = [16, 16]}>",
    "#ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 4, "
    "fp4KPack = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [2, 1], A = [16, 32], "
    "B = [32, 16], C = [16, 16]}>",
    "#ttig.subgroup_2d_block<{warpsPerCTA = [8, 4], instrShape = [32, 16], numBlocks=2, "
    "order=[0, 1], kWidth=2, threadsPerWarp=16}>",
    "#ttig.subgroup_2d_block<{warpsPerCTA = [8, 4], CTAsPerCGA = [2, 1], CTASplitNum = [1, 1], "
    "CTAOrder = [1, 0], instrShape = [32, 16], numBlocks=2, order=[0, 1], kWidth=2, "
    "threadsPerWarp=16}>",
    "#ttig.warp<{sizePerThread = [16, 64], threadsPerWarp = [1, 1], order = [1, 0]}>",
    "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>",
    "#ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 8, order = [1, 0]}>",
    "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0], "
    "CGALayout = [[1, 0]]}>",
    "#ttg.amd_rotating_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>",
    "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>",
    "#ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = true, elementBitWidth = 8, "
    "fp4Padded = true, rank = 3}>",
    "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, "
    "CGALayout = [[1, 0]]}>",
    "#ttg.padded_shared<[32:+4, 128:+8] {order = [1, 0], shape = [64, 64]}>",
    "#ttg.padded_shared<[32:+4] {offset = [[1, 0], [0, 1]], block = [[0, 2]]}>",
    "#ttg.shared_linear<{offset = [[0, 1], [1, 1]]}, alignment = 16>",
    "#ttg.shared_linear<{offset = [[0, 1], [1, 1]], block = [[0, 0]]}, alignment = 32>",
    "#ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>",
    "#ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CTASplitM = 2, "
    "twoCTAs = true>",
    "#ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, "
    "CGALayout = [[1, 0]], fp4Padded = true>",
    "#ttng.tensor_memory_scales_encoding<>",
    "#ttng.tensor_memory_scales_encoding<CTASplitN = 2, blockRepOrder = kThenMn>",
};

} // namespace

TEST(EncodingText, PrintsWhatItReads) {
  for (const char *text : texts)
    EXPECT_EQ(printed(parse(text)), text);
}

TEST(EncodingText, SameAttributeExactlyIfSameText) {
  for (const char *a : texts)
    for (const char *b : texts)
      EXPECT_EQ(parse(a) == parse(b), a == b) << a << "\n" << b;
}

TEST(EncodingText, ErrorsOfTheLayoutLibraryAreKept) {
  EXPECT_EQ(errorOf("#ttg.blocked<{sizePerThread = [1, 3], threadsPerWarp = [4, 8], "
                    "warpsPerCTA = [2, 2], order = [1, 0]}>"),
            "6: #ttg.blocked: " +
                layout::verify(layout::Blocked{{1, 3}, {4, 8}, {2, 2}, {1, 0}}, 2).error());
  EXPECT_EQ(errorOf("#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], "
                    "instrShape = [8, 8]}>"),
            "6: #ttg.nvidia_mma: " +
                layout::nvidia::verify(layout::nvidia::Mma{2, 0, {2, 2}, {8, 8}}).error());
  EXPECT_EQ(errorOf("#ttg.padded_shared<[24:+4] {order = [0], shape = [64]}>"),
            "6: #ttg.padded_shared: the interval 24 is not a power of two");
  EXPECT_EQ(errorOf("#ttg.dot_op<{opIdx = 1, parent = #ttg.nvidia_mma<{versionMajor = 3, "
                    "warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>, kWidth = 2}>"),
            "6: #ttg.dot_op: wgmma reads operand 1 from shared memory, so there is no layout of "
            "registers for it");
  EXPECT_EQ(errorOf("#ttig.subgroup_2d_block<{warpsPerCTA = [8, 4], CTAsPerCGA = [2, 1], "
                    "CTASplitNum = [4, 1], CTAOrder = [1, 0], instrShape = [32, 16], "
                    "numBlocks=2, order=[0, 1], kWidth=2, threadsPerWarp=16}>"),
            "7: #ttig.subgroup_2d_block: CTASplitNum is at most CTAsPerCGA in each dimension");
  EXPECT_EQ(errorOf("#ttig.warp<{sizePerThread = [], threadsPerWarp = [], order = []}>"),
            "7: #ttig.warp needs at least one dimension");
}
