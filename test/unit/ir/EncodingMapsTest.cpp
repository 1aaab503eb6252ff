//===- EncodingMapsTest.cpp - The map of each attribute -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "Parsing.h"

#include "ir/ttg/Dialect.h"
#include "ir/ttig/Dialect.h"
#include "ir/tw/Dialect.h"

#include "gtest/gtest.h"

using namespace tilewright;
using namespace tilewright::test;
using layout::LinearLayout;
namespace dims = layout::dims;

namespace {

using Shape = std::vector<int64_t>;

const char *const mma2 = "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = "
                         "[2, 2], CGALayout = [[1, 0]], instrShape = [16, 8]}>";
const char *const mma3 = "#ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = "
                         "[4, 1], instrShape = [16, 64, 16]}>";
const char *const wmma = "#ttg.amd_wmma<{version = 2, isTranspose = true, ctaLayout = {register = "
                         "[[0, 1]], warp = [[0, 2], [1, 0]]}}>";
const char *const dpas = "#ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, "
                         "opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = "
                         "[2, 1]}>";

std::string operand(int opIdx, const std::string &parent, int kWidth) {
  return "#ttg.dot_op<{opIdx = " + std::to_string(opIdx) + ", parent = " + parent +
         (kWidth ? ", kWidth = " + std::to_string(kWidth) : "") + "}>";
}

} // namespace

//===--------------------------------------------------------------------------===//
// Tensors in registers: what the text says is what the library is asked for
//===--------------------------------------------------------------------------===//

TEST(EncodingMaps, OperandsOfBlocked) {
  layout::Blocked parent{{1, 4}, {4, 8}, {2, 2}, {1, 0}, {{0, 1}}};
  std::string text = "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = "
                     "[2, 2], order = [1, 0], CGALayout = [[0, 1]]}>";
  Shape shape{32, 128};
  EXPECT_EQ(parseLayout(text).toLinearLayout(shape), layout::toLinearLayout(parent, shape));
  for (unsigned opIdx : {0u, 1u})
    EXPECT_EQ(parseLayout(operand(opIdx, text, 0)).toLinearLayout(shape),
              layout::operandLayout(parent, opIdx, 0, shape));
}

TEST(EncodingMaps, NvidiaMma) {
  layout::nvidia::Mma ampere{2, 0, {2, 2}, {16, 8}, {{1, 0}}}, hopper{3, 0, {4, 1}, {16, 64, 16}};
  Shape shape{128, 64};
  EXPECT_EQ(parseLayout(mma2).toLinearLayout(shape), layout::nvidia::toLinearLayout(ampere, shape));
  EXPECT_EQ(parseLayout(mma3).toLinearLayout(shape), layout::nvidia::toLinearLayout(hopper, shape));
  EXPECT_EQ(parseLayout(operand(0, mma2, 2)).toLinearLayout(shape),
            layout::nvidia::operandLayout(ampere, 0, 2, shape));
  EXPECT_EQ(parseLayout(operand(1, mma2, 4)).toLinearLayout(shape),
            layout::nvidia::operandLayout(ampere, 1, 4, shape));
  EXPECT_EQ(parseLayout(operand(0, mma3, 2)).toLinearLayout(shape),
            layout::nvidia::operandLayout(hopper, 0, 2, shape));
}

TEST(EncodingMaps, AmdWmma) {
  layout::amd::Wmma gfx12{2, true, {{0, 1}}, {{0, 2}, {1, 0}}};
  Shape shape{64, 128};
  EXPECT_EQ(parseLayout(wmma).toLinearLayout(shape), layout::amd::toLinearLayout(gfx12, shape));
  for (unsigned opIdx : {0u, 1u})
    EXPECT_EQ(parseLayout(operand(opIdx, wmma, 8)).toLinearLayout(shape),
              layout::amd::operandLayout(gfx12, opIdx, 8, shape));
}

TEST(EncodingMaps, OlderSpellingOfAmdWmma) {
  auto tiles = [](const std::string &keys) {
    return parse("#ttg.amd_wmma<{version = 1, isTranspose = false, " + keys + "}>");
  };
  EXPECT_EQ(tiles("warpsPerCTA = [2, 4]"), tiles("ctaLayout = {warp = [[0, 1], [0, 2], [1, 0]]}"));
  EXPECT_EQ(tiles("warpsPerCTA = [2, 4], tilesPerWarp = [1, 2]"),
            tiles("ctaLayout = {register = [[0, 1]], warp = [[0, 2], [0, 4], [1, 0]]}"));
  EXPECT_EQ(tiles("warpsPerCTA = [2, 1, 2]"), tiles("ctaLayout = {warp = [[0, 0, 1], [1, 0, 0]]}"));
  EXPECT_EQ(tiles("warpsPerCTA = [1, 1]"), tiles("ctaLayout = {warp = []}"));
}

TEST(EncodingMaps, Dpas) {
  layout::intel::Dpas parent;
  parent.warpsPerCTA = {2, 2};
  parent.repCluster = {2, 1};
  Shape shape{64, 64};
  EXPECT_EQ(parseLayout(dpas).toLinearLayout(shape), layout::intel::toLinearLayout(parent, shape));
  EXPECT_EQ(parseLayout(operand(0, dpas, 1)).toLinearLayout(shape),
            layout::intel::operandLayout(parent, 0, 1, shape));
  EXPECT_EQ(parseLayout(operand(1, dpas, 2)).toLinearLayout(shape),
            layout::intel::operandLayout(parent, 1, 2, shape));
  std::string older = dpas;
  older.replace(1, 4, "triton_intel_gpu");
  EXPECT_EQ(parse(older), parse(dpas));
}

TEST(EncodingMaps, Subgroup2DBlock) {
  layout::intel::Subgroup2DBlock block{{4, 2}, {}, {8, 16}, 2, {1, 0}, 2, 16};
  Shape shape{64, 64};
  auto text = [](const std::string &cluster) {
    return "#ttig.subgroup_2d_block<{warpsPerCTA = [4, 2], " + cluster +
           "instrShape = [8, 16], numBlocks=2, order=[1, 0], kWidth=2, threadsPerWarp=16}>";
  };
  EXPECT_EQ(parseLayout(text("")).toLinearLayout(shape),
            layout::intel::toLinearLayout(block, shape));
  // Along dim1 four blocks, of which pairs hold the same; then two along dim0.
  block.cluster = {{0, 1}, {0, 0}, {1, 0}};
  EXPECT_EQ(parseLayout(text("CTAsPerCGA = [2, 4], CTASplitNum = [2, 2], CTAOrder = [1, 0], "))
                .toLinearLayout(shape),
            layout::intel::toLinearLayout(block, shape));
}

TEST(EncodingMaps, GenericLinear) {
  layout::Linear bases{{{0, 1}}, {{0, 2}, {1, 0}}, {{2, 6}, {0, 4}}, {}};
  ASSERT_EQ(layout::verify(bases, 2, /*generic=*/true).error(), "");
  Shape shape{8, 16};
  EXPECT_EQ(parseLayout("#ttg.generic_linear<{register = [[0, 1]], lane = [[0, 2], [1, 0]], warp = "
                        "[[2, 6], [0, 4]], block = []}>")
                .toLinearLayout(shape),
            layout::toLinearLayout(bases, shape));
}

TEST(EncodingMaps, SlicesOfFragments) {
  for (const std::string &parent : {std::string(mma2), std::string(mma3), std::string(wmma),
                                    std::string(dpas), operand(1, mma2, 2)})
    for (unsigned dim : {0u, 1u}) {
      auto slice =
          parseLayout("#ttg.slice<{dim = " + std::to_string(dim) + ", parent = " + parent + "}>");
      Shape whole{64, 64};
      whole[dim] = 1;
      EXPECT_EQ(slice.toLinearLayout({64}),
                layout::slice(parseLayout(parent).toLinearLayout(whole), dim))
          << parent << " " << dim;
      EXPECT_EQ(slice.getRank(), 1u);
    }
}

TEST(EncodingMaps, Ranks) {
  EXPECT_EQ(parseLayout(mma3).getRank(), 2u);
  EXPECT_EQ(parseLayout(operand(0, wmma, 8)).getRank(), 2u);
  EXPECT_EQ(parseLayout("#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = "
                        "[1, 2, 2], instrShape = [1, 16, 8]}>")
                .getRank(),
            3u);
  EXPECT_EQ(parseLayout("#ttg.amd_wmma<{version = 1, isTranspose = false, ctaLayout = {warp = []}, "
                        "rank = 3}>")
                .getRank(),
            3u);
}

//===--------------------------------------------------------------------------===//
// Cooperative matrices
//===--------------------------------------------------------------------------===//

namespace {

tw::CoopMatrixEncodingAttr coopmatrix(const std::string &use, unsigned subgroupSize) {
  return parse<tw::CoopMatrixEncodingAttr>(
      "#tw.coopmatrix<{use = " + use + ", subgroupSize = " + std::to_string(subgroupSize) + "}>");
}

} // namespace

TEST(CoopMatrix, MapHoldsWhatTheMatrixSays) {
  for (const char *use : {"matrix_a", "matrix_b", "matrix_acc"})
    for (unsigned bits : {8u, 16u, 32u}) {
      Shape shape{64, 8};
      auto encoding = coopmatrix(use, 16);
      ASSERT_TRUE(encoding.isLinear(shape));
      LinearLayout map = encoding.toLinearLayoutOf(shape, bits);
      layout::CooperativeMatrix matrix = encoding.getMatrix(shape, bits);
      ASSERT_EQ(map.inSize(dims::Lane), 16u);
      ASSERT_EQ(map.inSize(dims::Register), static_cast<uint64_t>(matrix.componentCount()));
      for (int64_t lane = 0; lane < 16; ++lane)
        for (int64_t component = 0; component < matrix.componentCount(); ++component) {
          auto element = matrix.element(layout::CooperativeMatrix::Location{lane, component});
          ASSERT_TRUE(element.has_value());
          auto at = map.apply({{dims::Register, static_cast<uint64_t>(component)},
                               {dims::Lane, static_cast<uint64_t>(lane)}});
          EXPECT_EQ(static_cast<int64_t>(at[0].value), element->row);
          EXPECT_EQ(static_cast<int64_t>(at[1].value), element->column);
        }
    }
}

TEST(CoopMatrix, OnlyBytesOfBLieElsewhere) {
  Shape shape{64, 8};
  for (const char *use : {"matrix_a", "matrix_b", "matrix_acc"}) {
    auto encoding = coopmatrix(use, 16);
    EXPECT_EQ(encoding.toLinearLayout(shape), encoding.toLinearLayoutOf(shape, 32));
    EXPECT_EQ(encoding.toLinearLayout(shape) == encoding.toLinearLayoutOf(shape, 8),
              std::string(use) != "matrix_b");
  }
}

TEST(CoopMatrix, PaddingIsNotLinear) {
  auto encoding = coopmatrix("matrix_acc", 16);
  EXPECT_TRUE(encoding.isLinear({4, 16}));
  EXPECT_FALSE(encoding.isLinear({4, 15})) << "a number of columns that is no power of two";
  EXPECT_FALSE(encoding.isLinear({4, 2})) << "half of the lanes have nothing";
  EXPECT_EQ(encoding.getMatrix({4, 15}, 32).componentCount(), 4);

  auto element = mlir::Float32Type::get(&context());
  auto tensor = [&](Shape shape) { return mlir::RankedTensorType::get(shape, element, encoding); };
  EXPECT_EQ(tt::getLayoutEncoding(tensor({4, 16})), encoding);
  EXPECT_FALSE(tt::getLayoutEncoding(tensor({4, 15})));
}

TEST(CoopMatrix, TypedTensorsAskForTheirElements) {
  auto encoding = coopmatrix("matrix_b", 16);
  auto bytes =
      mlir::RankedTensorType::get({64, 8}, mlir::IntegerType::get(&context(), 8), encoding);
  EXPECT_EQ(ttg::toLinearLayout(bytes), encoding.toLinearLayoutOf({64, 8}, 8));
}

//===--------------------------------------------------------------------------===//
// Shared memory
//===--------------------------------------------------------------------------===//

namespace {

ttg::SharedLayoutEncoding parseShared(const std::string &text) {
  return parse<ttg::SharedLayoutEncoding>(text);
}

} // namespace

TEST(SharedEncodings, Swizzled) {
  auto attr = parseShared("#ttg.swizzled_shared<{vec = 4, perPhase = 2, maxPhase = 4, order = "
                          "[0, 1], CGALayout = [[0, 1]]}>");
  layout::SwizzledShared swizzled{4, 2, 4, {0, 1}, {{0, 1}}};
  EXPECT_EQ(attr.toLinearLayout({32, 64}), layout::toLinearLayout(swizzled, Shape{32, 64}));
  EXPECT_EQ(attr.getRank(), 2u);
  EXPECT_EQ(attr.getAlignment(), 0u);
  EXPECT_FALSE(attr.hasPadding());
  EXPECT_EQ(attr.paddedOffset(77), 77u);
}

TEST(SharedEncodings, Rotating) {
  layout::amd::RotatingShared rotating{2, 1, 4, {1, 0}};
  EXPECT_EQ(parseShared("#ttg.amd_rotating_shared<{vec = 2, perPhase = 1, maxPhase = 4, order = "
                        "[1, 0]}>")
                .toLinearLayout({32, 64}),
            layout::amd::toLinearLayout(rotating, Shape{32, 64}));
}

TEST(SharedEncodings, Nvmma) {
  auto attr = parseShared("#ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, "
                          "elementBitWidth = 16}>");
  layout::nvidia::NvmmaShared nvmma{64, true, 16};
  EXPECT_EQ(attr.toLinearLayout({64, 32}), layout::nvidia::toLinearLayout(nvmma, Shape{64, 32}));
  EXPECT_EQ(attr.getRank(), 2u);

  auto alignment = [](const std::string &width) {
    return parseShared("#ttg.nvmma_shared<{swizzlingByteWidth = " + width +
                       ", transposed = false, elementBitWidth = 8}>")
        .getAlignment();
  };
  EXPECT_EQ(alignment("0"), 128u);
  EXPECT_EQ(alignment("32"), 256u);
  EXPECT_EQ(alignment("64"), 512u);
  EXPECT_EQ(alignment("128"), 1024u);
}

TEST(SharedEncodings, Padded) {
  auto attr = parseShared("#ttg.padded_shared<[8:+2, 32:+4] {order = [1, 0], shape = [16, 8]}>");
  LinearLayout map = attr.toLinearLayout({16, 8});
  EXPECT_TRUE(attr.hasPadding());
  for (uint64_t offset = 0; offset < 128; ++offset) {
    auto at = map.apply({{dims::Offset, offset}});
    EXPECT_EQ(at[0].value, offset / 8);
    EXPECT_EQ(at[1].value, offset % 8);
    EXPECT_EQ(attr.paddedOffset(offset), offset + offset / 8 * 2 + offset / 32 * 4);
  }
  EXPECT_EQ(parse("#ttg.padded_shared<[8:+2, 32:+4] {offset = [[0, 1], [0, 2], [0, 4], [1, 0], "
                  "[2, 0], [4, 0], [8, 0]], block = []}>"),
            attr);
}

TEST(SharedEncodings, Linear) {
  auto attr = parseShared("#ttg.shared_linear<{offset = [[0, 1], [1, 1]], block = [[2, 0]]}, "
                          "alignment = 64>");
  layout::SharedLinear linear{{{0, 1}, {1, 1}}, {{2, 0}}, 64};
  EXPECT_EQ(attr.toLinearLayout({4, 2}), layout::toLinearLayout(linear, Shape{4, 2}));
  EXPECT_EQ(attr.getAlignment(), 64u);
}
