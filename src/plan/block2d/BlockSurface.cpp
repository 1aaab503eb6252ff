//===- BlockSurface.cpp - The memory surface of a block message ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "plan/block2d/BlockMessages.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::target;
using namespace tilewright::plan::block2d;

namespace {

/// A surface whose base is not yet aligned.
struct Location {
  BlockSurface surface;
  /// Where in a row the message starts, in bytes.
  uint64_t xBytes = 0;
  /// No row of the message is in bounds.
  bool isOutside = false;
};

Location locate(const BlockMessagePlan &plan, const TensorMemory &memory,
                std::span<const uint64_t> origin) {
  Location result;
  BlockSurface &surface = result.surface;
  uint64_t elementBytes = plan.elementBits / 8, step = uint64_t(1) << plan.rowShift;
  surface.base = memory.base;
  for (unsigned d = 0; d < origin.size(); ++d) {
    uint64_t coordinate = memory.starts[d] + origin[d];
    if (d == plan.rowDim && plan.foldsRows()) {
      // Pieces of the contiguous dimension, from the tensor's start on.
      surface.base += memory.starts[d] * elementBytes;
      surface.width = surface.pitch = step * elementBytes;
      surface.height = (memory.sizes[d] - memory.starts[d]) >> plan.rowShift;
      surface.y = origin[d] >> plan.rowShift;
      result.xBytes = (origin[d] & (step - 1)) * elementBytes;
    } else if (d == plan.rowDim) {
      // Every step-th row, from one of the first `step` rows on.
      uint64_t first = coordinate & (step - 1);
      surface.base += first * memory.strides[d];
      surface.pitch = memory.strides[d] << plan.rowShift;
      surface.height = (std::max(memory.sizes[d], first) - first + step - 1) >> plan.rowShift;
      surface.y = coordinate >> plan.rowShift;
      result.isOutside |= first >= memory.sizes[d];
    } else if (d == plan.contiguousDim) {
      surface.width = memory.sizes[d] * elementBytes;
      result.xBytes = coordinate * elementBytes;
    } else {
      surface.base += coordinate * memory.strides[d];
      result.isOutside |= coordinate >= memory.sizes[d];
    }
  }
  return result;
}

uint64_t roundUp(uint64_t value, uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

Result<void> verifyMemory(const BlockMessagePlan &plan, const TensorMemory &memory,
                          std::span<const uint64_t> origin) {
  size_t rank = plan.origin.outs().size();
  if (memory.strides.size() != rank || memory.sizes.size() != rank ||
      memory.starts.size() != rank || origin.size() != rank)
    return Failure("the memory must have " + std::to_string(rank) + " dimensions");
  uint64_t stride = memory.strides[plan.contiguousDim], elementBytes = plan.elementBits / 8;
  if (stride != elementBytes)
    return Failure("the contiguous dimension's stride is " + std::to_string(stride) +
                   " bytes, not " + std::to_string(elementBytes));
  return {};
}

} // namespace

Result<BlockSurface> plan::block2d::surfaceOf(const BlockMessagePlan &plan,
                                              const TensorMemory &memory,
                                              std::span<const uint64_t> origin) {
  if (Result<void> valid = verifyMemory(plan, memory, origin); !valid)
    return Failure(valid.error());
  auto [surface, xBytes, isOutside] = locate(plan, memory, origin);

  // The base is aligned down; what it gains on the left is skipped by x.
  uint64_t gained = surface.base % plan.limits.baseAlignment;
  if (gained && plan.foldsRows())
    return Failure("rows that are pieces of one dimension need a start aligned to " +
                   std::to_string(plan.limits.baseAlignment) + " bytes");
  surface.base -= gained;
  surface.width += gained;
  xBytes += gained;
  if (!plan.rowDim) {
    surface.height = 1;
    surface.pitch = std::max<uint64_t>(roundUp(surface.width, plan.limits.pitchMultiple),
                                       plan.limits.minSurfaceBytes);
  }
  // Where no row is in bounds, the message is put below a surface of one.
  if (isOutside)
    surface.height = surface.y = 1;

  uint64_t messageBytes = plan.message.elementBits / 8;
  if (xBytes % messageBytes)
    return Failure(std::string(accessName(plan.access)) + " " + plan.message.toString() +
                   ": it would start " + std::to_string(xBytes) +
                   " bytes into a row; that must be a multiple of " + std::to_string(messageBytes));
  surface.x = xBytes / messageBytes;
  if (Result<void> valid = verifySurface(surface, plan.message, plan.limits); !valid)
    return Failure(valid.error());
  return surface;
}
