//===- BlockFunctions.h - The functions of 2D block messages --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// OpenCL's function for a message says all of it in its name:
//
//     intel_sub_group_2d_block_read_transform_16b_32r16x2c
//         (global void *base, int width, int height, int pitch, int2 xy, private uint *values)
//
// loads 2 blocks of 32 rows by 16 columns of 16 bits, two rows in each value (VNNI). Width and
// pitch are bytes, x counts the message's elements. A load writes a lane's values, a store reads
// them; a prefetch has none. The lowering calls these, the simulator carries them out.
//
// Source: the OpenCL extension cl_intel_subgroup_2d_block_io.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_PLAN_BLOCKFUNCTIONS_H
#define TILEWRIGHT_VENDOR_INTEL_PLAN_BLOCKFUNCTIONS_H

#include "plan/block2d/BlockMessage.h"

#include <optional>
#include <string>
#include <string_view>

namespace tilewright::vendor::intel {

/// The name of the function, and the types of its parameters as the Itanium C++ ABI writes them.
struct BlockFunction {
  std::string name;
  std::string parameters;
};
BlockFunction getBlockFunction(const plan::block2d::BlockMessage &message);

/// The message of a function of this name; nothing if it is none of a block message. What the name
/// says may be more than the hardware can do (plan::block2d::verifyMessage).
std::optional<plan::block2d::BlockMessage> parseBlockFunction(std::string_view name);

/// The values that a lane of so many has of a message, those of padded blocks included.
unsigned countLaneValues(const plan::block2d::BlockMessage &message, unsigned registerBytes,
                         unsigned threadsPerWarp);

} // namespace tilewright::vendor::intel

#endif // TILEWRIGHT_VENDOR_INTEL_PLAN_BLOCKFUNCTIONS_H
