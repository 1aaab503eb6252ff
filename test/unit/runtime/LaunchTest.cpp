//===- LaunchTest.cpp - Arguments checked against the description -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/launch/LaunchGrid.h"
#include "tilewright/Runtime.h"

#include <gmock/gmock.h>

#include <bit>

using namespace tilewright;
using namespace tilewright::runtime;
using ::testing::HasSubstr;

static KernelMetadata kernelOf(std::vector<KernelArgument> arguments) {
  KernelMetadata metadata;
  metadata.name = "k";
  metadata.arguments = std::move(arguments);
  return metadata;
}

static std::string errorOf(const KernelArgument &argument, LaunchArgument value) {
  auto packed = packArguments(kernelOf({argument}), {}, std::vector{value});
  return packed ? "no error" : render(packed.error());
}

TEST(PackArguments, Bits) {
  KernelMetadata metadata = kernelOf({{"p", "*fp32", 16, {}},
                                      {"B", "constexpr", 1, "64"},
                                      {"i", "i32", 1, {}},
                                      {"s", "i32", 1, "1"},
                                      {"f", "fp32", 1, {}},
                                      {"h", "fp16", 1, {}},
                                      {"d", "fp64", 1, {}},
                                      {"g", "fp32", 1, {}}});
  auto packed = packArguments(
      metadata, {},
      std::vector<LaunchArgument>{DevicePointer{4096}, int64_t(-2), 1.5, 1.0, 0.1, int64_t(3)});
  ASSERT_TRUE(packed) << render(packed.error());
  EXPECT_EQ(*packed,
            (std::vector<uint64_t>{4096, 0xfffffffe, std::bit_cast<uint32_t>(1.5f), 0x3c00,
                                   std::bit_cast<uint64_t>(0.1), std::bit_cast<uint32_t>(3.0f)}));
}

TEST(PackArguments, Errors) {
  EXPECT_THAT(errorOf({"x", "*fp32", 1, {}}, int64_t(3)),
              HasSubstr("the argument 'x' of type *fp32 got the integer 3"));
  EXPECT_THAT(errorOf({"x", "*fp32", 16, {}}, DevicePointer{8}),
              HasSubstr("an address that is no multiple of 16"));
  EXPECT_THAT(errorOf({"n", "i32", 1, {}}, DevicePointer{8}), HasSubstr("got an array"));
  EXPECT_THAT(errorOf({"n", "i32", 1, {}}, 2.0), HasSubstr("got a floating-point number"));
  EXPECT_THAT(errorOf({"n", "i32", 16, {}}, int64_t(40)),
              HasSubstr("the kernel was compiled for multiples of 16"));
  EXPECT_EQ(errorOf({"n", "i32", 16, {}}, int64_t(48)), "no error");
  for (int64_t value : {int64_t(INT32_MAX) + 1, int64_t(INT32_MIN) - 1})
    EXPECT_THAT(errorOf({"n", "i32", 1, {}}, value), HasSubstr("which does not fit"));
  EXPECT_EQ(errorOf({"n", "i32", 1, {}}, int64_t(INT32_MIN)), "no error");
  EXPECT_THAT(errorOf({"n", "u8", 1, {}}, int64_t(-1)), HasSubstr("which does not fit"));
  EXPECT_EQ(errorOf({"n", "u8", 1, {}}, int64_t(255)), "no error");
  EXPECT_EQ(errorOf({"n", "u64", 1, {}}, int64_t(-1)), "no error");
  EXPECT_THAT(errorOf({"n", "i1", 1, {}}, int64_t(2)), HasSubstr("which does not fit"));
  EXPECT_THAT(errorOf({"n", "what", 1, {}}, int64_t(2)), HasSubstr("cannot be passed"));
  EXPECT_THAT(render(packArguments(kernelOf({}), {}, std::vector<LaunchArgument>{1.0}).error()),
              HasSubstr("takes 0 arguments and got 1"));
  EXPECT_THAT(render(packArguments(kernelOf({}), {1, 0, 1}, {}).error()),
              HasSubstr("the grid of 'k' is empty"));
}

TEST(PackArguments, Tensors) {
  const KernelMetadata metadata =
      kernelOf({{"d", "tensordesc<fp16[64, 32]>", 16, {}}, {"n", "i32", 1, {}}});
  auto packed = packArguments(
      metadata, {}, std::vector<LaunchArgument>{TensorView{{256}, {7, 20}, {24, 1}}, int64_t(3)});
  ASSERT_TRUE(packed) << render(packed.error());
  EXPECT_EQ(*packed, (std::vector<uint64_t>{256, 7, 20, 24, 1, 3}));

  const KernelArgument &d = metadata.arguments[0];
  EXPECT_THAT(errorOf(d, DevicePointer{256}), HasSubstr("got an array"));
  EXPECT_THAT(errorOf(d, TensorView{{256}, {7}, {1}}),
              HasSubstr("the argument 'd' of type tensordesc<fp16[64, 32]> got a tensor of 1 "
                        "dimension"));
  EXPECT_THAT(errorOf(d, TensorView{{8}, {7, 20}, {24, 1}}),
              HasSubstr("an address that is no multiple of 16"));
  EXPECT_THAT(errorOf(d, TensorView{{256}, {7, 20}, {20, 1}}),
              HasSubstr("a stride of 20 elements in dimension 0, 40 bytes, which is no multiple"));
  EXPECT_THAT(errorOf(d, TensorView{{256}, {7, 20}, {1, 24}}), HasSubstr("a last stride of 24"));
  KernelArgument whole = d;
  whole.type += ":16";
  EXPECT_THAT(errorOf(whole, TensorView{{256}, {7, 20}, {24, 1}}),
              HasSubstr("rows of 40 bytes, which is no multiple of 16"));
  EXPECT_THAT(errorOf(d, TensorView{{256}, {7, -1}, {24, 1}}),
              HasSubstr("-1 elements in dimension 1"));
  EXPECT_THAT(errorOf({"n", "i32", 1, {}}, TensorView{{256}, {7}, {1}}),
              HasSubstr("got a tensor of 1 dimension"));
}

TEST(GridFor, ProgramsBecomeBlocks) {
  KernelMetadata metadata = kernelOf({});
  metadata.globalScratchBytes = 128;
  for (int cluster : {1, 2, 8})
    for (Grid programs : {Grid{1, 1, 1}, Grid{5, 3, 2}, Grid{1000, 1, 7}}) {
      metadata.numCtas = cluster;
      Expected<LaunchGrid> grid = gridFor(metadata, programs);
      ASSERT_TRUE(grid) << render(grid.error());
      EXPECT_EQ(grid->clusterBlocks, unsigned(cluster));
      EXPECT_EQ(grid->programs.x, programs.x);
      EXPECT_EQ(grid->blocks.x, programs.x * cluster);
      EXPECT_EQ(grid->blocks.y, programs.y);
      EXPECT_EQ(grid->blocks.z, programs.z);
      EXPECT_EQ(grid->scratchBytes, size_t(128) * programs.x * programs.y * programs.z * cluster);
    }
}

TEST(GridFor, LimitsAreTheDevices) {
  KernelMetadata metadata = kernelOf({});
  EXPECT_TRUE(gridFor(metadata, {0x7fffffff, 0xffff, 0xffff}));
  EXPECT_THAT(render(gridFor(metadata, {0x80000000, 1, 1}).error()),
              HasSubstr("x goes up to 2147483647, y and z up to 65535"));
  EXPECT_FALSE(gridFor(metadata, {1, 0x10000, 1}));
  EXPECT_FALSE(gridFor(metadata, {1, 1, 0x10000}));
  // A program takes a cluster of blocks, and these count.
  metadata.numCtas = 4;
  EXPECT_TRUE(gridFor(metadata, {0x1fffffff, 1, 1}));
  EXPECT_THAT(render(gridFor(metadata, {0x20000000, 1, 1}).error()),
              HasSubstr("x goes up to 536870911"));
  EXPECT_TRUE(gridFor(metadata, {2, 4, 6}, {.x = 8, .y = 4, .z = 6}));
  EXPECT_THAT(render(gridFor(metadata, {3, 4, 6}, {.x = 8, .y = 4, .z = 6}).error()),
              HasSubstr("x goes up to 2, y up to 4 and z up to 6"));
}
