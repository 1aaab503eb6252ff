//===- BlockMessageTest.cpp - One block message and its limits ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "BlockMessageSupport.h"

using namespace tilewright;
using namespace tilewright::plan::block2d;
using target::Target;
using target::Vendor;

namespace {

constexpr BlockAccess Load = BlockAccess::Load, Store = BlockAccess::Store,
                      Prefetch = BlockAccess::Prefetch;

BlockMessage message(BlockAccess access, unsigned height, unsigned width, unsigned elementBits,
                     unsigned blocks = 1) {
  return {access, elementBits, width, height, blocks, false, false};
}
BlockMessage transposed(unsigned height, unsigned width, unsigned elementBits) {
  return {Load, elementBits, width, height, 1, true, false};
}
BlockMessage packed(unsigned height, unsigned width, unsigned elementBits, unsigned blocks = 1) {
  return {Load, elementBits, width, height, blocks, false, true};
}

std::string broken(const BlockMessage &message) {
  std::string text = verifyMessage(message, limitsOf("xpu:pvc")).error();
  EXPECT_EQ(text.empty(), isLegalMessage(message, limitsOf("xpu:pvc")));
  return text;
}

TEST(BlockMessage, TargetsWithMessages) {
  for (const Target &target : Target::all())
    EXPECT_EQ(blockMessageLimits(target) != nullptr, target.vendor == Vendor::Intel) << target.name;
}

TEST(BlockMessage, Sizes) {
  EXPECT_EQ(broken(message(Load, 32, 16, 16, 2)), "");
  EXPECT_EQ(broken(message(Load, 32, 16, 8, 4)), "");
  EXPECT_EQ(broken(message(Load, 32, 64, 8)), "");
  EXPECT_EQ(broken(message(Load, 1, 8, 64)), "");
  EXPECT_EQ(broken(message(Load, 8, 16, 12)),
            "load 8x16 d12: elements have 12 bits; there are 8, 16, 32 and 64");
  EXPECT_EQ(broken(message(Load, 3, 16, 16)),
            "load 3x16 d16: width, height and blocks must be powers of two");
  EXPECT_EQ(broken(message(Load, 8, 128, 8)),
            "load 8x128 d8: the width is 128 elements; at most 64");
  EXPECT_EQ(broken(message(Load, 64, 16, 16)), "load 64x16 d16: the height is 64 rows; at most 32");
  EXPECT_EQ(broken(message(Store, 16, 16, 16)),
            "store 16x16 d16: the height is 16 rows; at most 8");
  EXPECT_EQ(broken(message(Store, 8, 16, 16, 2)),
            "store 8x16 d16, 2 blocks: there are 2 blocks; at most 1");
  EXPECT_EQ(broken(message(Load, 8, 4, 32, 4)),
            "load 8x4 d32, 4 blocks: there are 4 blocks; at most 2");
  EXPECT_EQ(broken(message(Load, 8, 4, 64, 2)),
            "load 8x4 d64, 2 blocks: there are 2 blocks; at most 1");
  EXPECT_EQ(broken(message(Prefetch, 8, 2, 64, 4)), "");
  EXPECT_EQ(broken(message(Load, 8, 16, 16, 4)),
            "load 8x16 d16, 4 blocks: the blocks' rows have 128 bytes; at most 64");
  EXPECT_EQ(broken(message(Load, 8, 2, 8)), "load 8x2 d8: a block's row has 2 bytes; at least 4");
  EXPECT_EQ(broken(message(Load, 8, 1, 16)), "load 8x1 d16: a block's row has 2 bytes; at least 4");
}

TEST(BlockMessage, WidePrefetches) {
  BlockMessage wide = message(Prefetch, 32, 64, 32);
  EXPECT_EQ(broken(wide), "prefetch 32x64 d32: the blocks' rows have 256 bytes; at most 64");
  EXPECT_EQ(verifyMessage(wide, limitsOf("xpu:ptl").withWidePrefetch()).error(), "");
  EXPECT_EQ(
      verifyMessage(message(Load, 32, 64, 32), limitsOf("xpu:ptl").withWidePrefetch()).error(),
      "load 32x64 d32: the blocks' rows have 256 bytes; at most 64");
}

TEST(BlockMessage, Transposed) {
  EXPECT_EQ(broken(transposed(32, 8, 32)), "");
  EXPECT_EQ(broken(transposed(8, 4, 64)), "");
  EXPECT_EQ(broken(transposed(32, 16, 32)),
            "load 32x16 d32, transpose: the width is 16 elements; at most 8 of 32 bits are "
            "transposed");
  EXPECT_EQ(broken(transposed(8, 8, 64)),
            "load 8x8 d64, transpose: the width is 8 elements; at most 4 of 64 bits are "
            "transposed");
  EXPECT_EQ(broken(transposed(16, 4, 64)),
            "load 16x4 d64, transpose: the height is 16 rows; elements of 64 bits are transposed "
            "by exactly 8 rows");
  EXPECT_EQ(broken(transposed(8, 8, 16)),
            "load 8x8 d16, transpose: elements have 16 bits; transposed ones have 32 or 64");
  BlockMessage both = transposed(8, 8, 32);
  both.vnni = true;
  EXPECT_EQ(broken(both), "load 8x8 d32, transpose, vnni: a load either transposes or packs rows");
  BlockMessage two = transposed(8, 8, 32);
  two.blocks = 2;
  EXPECT_EQ(broken(two),
            "load 8x8 d32, 2 blocks, transpose: there are 2 blocks; a transposed load has 1");
  BlockMessage store = transposed(8, 8, 32);
  store.access = Store;
  EXPECT_EQ(broken(store), "store 8x8 d32, transpose: only loads transpose or pack rows");
}

TEST(BlockMessage, Packed) {
  EXPECT_EQ(broken(packed(32, 16, 16, 2)), "");
  EXPECT_EQ(broken(packed(4, 16, 8, 4)), "");
  EXPECT_EQ(broken(packed(2, 16, 16)), "");
  EXPECT_EQ(broken(packed(2, 16, 8)),
            "load 2x16 d8, vnni: the height is 2 rows; at least 4 are packed");
  EXPECT_EQ(broken(packed(1, 16, 16)),
            "load 1x16 d16, vnni: the height is 1 rows; at least 2 are packed");
  EXPECT_EQ(broken(packed(8, 16, 32)),
            "load 8x16 d32, vnni: elements have 32 bits; rows of 8 or 16 bits are packed");
}

TEST(BlockMessage, SpirvForms) {
  EXPECT_TRUE(hasSpirvForm(message(Load, 32, 16, 16, 2), 16));
  EXPECT_FALSE(hasSpirvForm(message(Load, 32, 16, 16, 2), 32));
  EXPECT_FALSE(hasSpirvForm(message(Load, 32, 8, 16), 16));
  EXPECT_TRUE(hasSpirvForm(message(Load, 8, 16, 8, 4), 16));
  EXPECT_FALSE(hasSpirvForm(message(Load, 8, 16, 8, 2), 16));
  EXPECT_TRUE(hasSpirvForm(message(Load, 2, 8, 32, 2), 16));
  EXPECT_FALSE(hasSpirvForm(message(Load, 8, 8, 64), 16));
  EXPECT_TRUE(hasSpirvForm(packed(32, 16, 8, 4), 16));
  EXPECT_FALSE(hasSpirvForm(packed(16, 16, 8), 16));
  EXPECT_TRUE(hasSpirvForm(packed(16, 16, 16), 16));
  EXPECT_FALSE(hasSpirvForm(packed(8, 16, 16), 16));
  EXPECT_TRUE(hasSpirvForm(transposed(32, 8, 32), 16));
  EXPECT_FALSE(hasSpirvForm(transposed(8, 8, 32), 16));
  EXPECT_TRUE(hasSpirvForm(message(Store, 8, 16, 16), 16));
  EXPECT_FALSE(hasSpirvForm(message(Store, 8, 32, 16), 16));
  EXPECT_TRUE(hasSpirvForm(message(Prefetch, 32, 16, 32), 16));
  EXPECT_TRUE(hasSpirvForm(message(Prefetch, 32, 32, 8, 2), 16));
}

//===----------------------------------------------------------------------------===//
// Delivery: the examples of SPV_INTEL_2d_block_io, with elements of 2 and 4 bytes
//===----------------------------------------------------------------------------===//

/// (row, column) of each slot of a lane, in 4 lanes.
using Positions = std::vector<std::pair<unsigned, unsigned>>;
Positions delivered(const BlockMessage &message, unsigned lane, unsigned part = 0) {
  constexpr unsigned Pitch = 1024;
  std::vector<ByteAddress> payload =
      payloadOf(message, {.base = 0, .width = Pitch, .height = 64, .pitch = Pitch}, 1);
  Positions places;
  unsigned elementBytes = message.elementBits / 8;
  for (unsigned slot = 0; slot * 4 * message.slotBits() / 8 < payload.size(); ++slot) {
    ByteAddress address = deliver(message, payload, 4, lane, slot, part * elementBytes);
    places.emplace_back(address / Pitch, address % Pitch / elementBytes);
  }
  return places;
}

TEST(BlockMessage, DeliversRows) {
  EXPECT_EQ(delivered(message(Load, 2, 4, 32), 1), (Positions{{0, 1}, {1, 1}}));
  // Two rows at a time where they are half as long as the sub-group.
  EXPECT_EQ(delivered(message(Load, 4, 2, 32), 1), (Positions{{0, 1}, {2, 1}}));
  EXPECT_EQ(delivered(message(Load, 4, 2, 32), 2), (Positions{{1, 0}, {3, 0}}));
}

TEST(BlockMessage, DeliversBlocks) {
  EXPECT_EQ(delivered(message(Load, 2, 4, 32, 2), 3), (Positions{{0, 3}, {1, 3}, {0, 7}, {1, 7}}));
}

TEST(BlockMessage, DeliversTransposed) {
  EXPECT_EQ(delivered(transposed(4, 2, 32), 0), (Positions{{0, 0}, {0, 1}}));
  EXPECT_EQ(delivered(transposed(4, 2, 32), 3), (Positions{{3, 0}, {3, 1}}));
}

TEST(BlockMessage, DeliversPackedRows) {
  EXPECT_EQ(delivered(packed(2, 4, 16), 1, 0), (Positions{{0, 1}}));
  EXPECT_EQ(delivered(packed(2, 4, 16), 1, 1), (Positions{{1, 1}}));
  EXPECT_EQ(delivered(packed(8, 4, 8), 2, 3), (Positions{{3, 2}, {7, 2}}));
}

TEST(BlockMessage, PadsBlocksToRegisters) {
  BlockMessage message{Load, 32, 8, 1, 2, false, false};
  std::vector<ByteAddress> payload =
      payloadOf(message, {.base = 0, .width = 64, .height = 1, .pitch = 64}, 64);
  ASSERT_EQ(payload.size(), 128u);
  EXPECT_EQ(payload[31], 31);
  EXPECT_EQ(payload[32], NoByte);
  EXPECT_EQ(payload[64], 32);
}

TEST(BlockMessage, OutOfBounds) {
  std::vector<ByteAddress> payload =
      payloadOf(message(Load, 2, 4, 32),
                {.base = 256, .width = 72, .height = 8, .pitch = 80, .x = 16, .y = 7}, 64);
  EXPECT_EQ(payload[0], 256 + 7 * 80 + 64);
  EXPECT_EQ(payload[7], 256 + 7 * 80 + 71);
  EXPECT_EQ(payload[8], OutOfBounds);
  EXPECT_EQ(payload[16], OutOfBounds);
}

//===----------------------------------------------------------------------------===//
// Surfaces
//===----------------------------------------------------------------------------===//

TEST(BlockMessage, Surfaces) {
  const BlockSurface good{
      .base = 4096, .width = 512, .height = 100, .pitch = 528, .x = 4, .y = 1000};
  auto check = [&](auto change, const BlockMessage &of = message(Load, 8, 16, 16)) {
    BlockSurface surface = good;
    change(surface);
    return verifySurface(surface, of, limitsOf("xpu:bmg")).error();
  };
  EXPECT_EQ(check([](BlockSurface &) {}), "");
  EXPECT_EQ(check([](BlockSurface &s) { s.base += 32; }),
            "load 8x16 d16: the base address is 4128; it must be a multiple of 64");
  EXPECT_EQ(check([](BlockSurface &s) { s.width = 60; }),
            "load 8x16 d16: the base width in bytes is 60; at least 64");
  EXPECT_EQ(check([](BlockSurface &s) { s.width = s.pitch = (1 << 24) + 16; }),
            "load 8x16 d16: the base width in bytes is 16777232; at most 16777216");
  EXPECT_EQ(check([](BlockSurface &s) { s.width = s.pitch = 1 << 24; }), "");
  EXPECT_EQ(check([](BlockSurface &s) { s.width = 510; }),
            "load 8x16 d16: the base width in bytes is 510; it must be a multiple of 4");
  EXPECT_EQ(check(
                [](BlockSurface &s) {
                  s.width = 508;
                  s.x = 1;
                },
                message(Load, 8, 8, 64)),
            "load 8x8 d64: the base width in bytes is 508; it must be a multiple of 8");
  EXPECT_EQ(check([](BlockSurface &s) { s.height = 0; }),
            "load 8x16 d16: the base height in rows is 0; at least 1");
  EXPECT_EQ(check([](BlockSurface &s) { s.height = (1 << 24) + 1; }),
            "load 8x16 d16: the base height in rows is 16777217; at most 16777216");
  EXPECT_EQ(check([](BlockSurface &s) {
              s.width = 64;
              s.pitch = 48;
            }),
            "load 8x16 d16: the base pitch in bytes is 48; at least 64");
  EXPECT_EQ(check([](BlockSurface &s) { s.pitch = (1 << 24) + 16; }),
            "load 8x16 d16: the base pitch in bytes is 16777232; at most 16777216");
  EXPECT_EQ(check([](BlockSurface &s) { s.pitch = 520; }),
            "load 8x16 d16: the base pitch in bytes is 520; it must be a multiple of 16");
  EXPECT_EQ(check([](BlockSurface &s) { s.width = 544; }),
            "load 8x16 d16: the base pitch in bytes is 528; it must not be below the base width, "
            "544");
  EXPECT_EQ(check([](BlockSurface &s) { s.x = 3; }),
            "load 8x16 d16: the x offset in elements is 3; it must be a multiple of 2");
  EXPECT_EQ(check([](BlockSurface &s) { s.x = 6; }, message(Store, 8, 16, 8)),
            "store 8x16 d8: the x offset in elements is 6; it must be a multiple of 4");
  EXPECT_EQ(check([](BlockSurface &s) { s.x = 3; }, message(Prefetch, 8, 16, 32)), "");
}

TEST(BlockMessage, SurfacesOfUnalignedTensors) {
  BlockMessagePlan plan;
  plan.limits = limitsOf("xpu:bmg");
  plan.message = message(Load, 8, 16, 16);
  plan.rowDim = 0;
  plan.origin = *tilewright::layout::LinearLayout::parse(
      "{message = [], warp = [[8, 0]], block = []} -> {dim0 = 16, dim1 = 16}");
  TensorMemory memory{
      .base = 4096 + 20, .strides = {1024, 2}, .sizes = {100, 256}, .starts = {8, 32}};
  // 20 bytes to the left: x grows by 10 elements, the width by 20 bytes.
  auto surface = surfaceOf(plan, memory, plan.originOf(0, 1, 0));
  ASSERT_TRUE(surface) << surface.error();
  EXPECT_EQ(*surface, (BlockSurface{4096, 532, 100, 1024, 42, 16}));
  // No room for them in a row.
  memory.sizes[1] = 512;
  EXPECT_EQ(surfaceOf(plan, memory, plan.originOf(0, 1, 0)).error(),
            "load 8x16 d16: the base pitch in bytes is 1024; it must not be below the base width, "
            "1044");
  memory.base = 4096 + 2;
  memory.sizes[1] = 255;
  EXPECT_EQ(surfaceOf(plan, memory, plan.originOf(0, 1, 0)).error(),
            "load 8x16 d16: the x offset in elements is 33; it must be a multiple of 2");
  memory.base = 4096 + 1;
  EXPECT_EQ(surfaceOf(plan, memory, plan.originOf(0, 1, 0)).error(),
            "load 8x16 d16: it would start 65 bytes into a row; that must be a multiple of 2");
  memory.strides[1] = 4;
  EXPECT_EQ(surfaceOf(plan, memory, plan.originOf(0, 1, 0)).error(),
            "the contiguous dimension's stride is 4 bytes, not 2");
  memory.strides.pop_back();
  EXPECT_EQ(surfaceOf(plan, memory, plan.originOf(0, 1, 0)).error(),
            "the memory must have 2 dimensions");
}

} // namespace
