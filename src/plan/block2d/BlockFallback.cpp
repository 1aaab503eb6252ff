//===- BlockFallback.cpp - Reasons for the absence of block messages ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "plan/block2d/BlockFallback.h"

using namespace tilewright;
using namespace tilewright::target;
using namespace tilewright::plan::block2d;

namespace {

/// "dim1 by 4" for a bit; "dim0 by 1 and dim1 by 4" for several.
std::string movement(const LayoutParts &parts, uint64_t bits) {
  std::string text;
  for (unsigned d = 0; d < parts.dims.size(); ++d)
    if (uint64_t value = bits >> parts.dims[d].shift & ((uint64_t(1) << parts.dims[d].bits) - 1))
      text += (text.empty() ? "" : " and ") + parts.nameOf(d) + " by " + std::to_string(value);
  return text;
}

/// "a transposed load of 32-bit elements".
std::string nameOf(const TileObstacle &obstacle) {
  std::string text = obstacle.form == BlockForm::Transpose ? "a transposed "
                     : obstacle.form == BlockForm::Vnni    ? "a packed "
                                                           : "a ";
  return text + std::string(accessName(obstacle.message.access)) + " of " +
         std::to_string(obstacle.message.elementBits) + "-bit elements";
}

} // namespace

bool plan::block2d::lanesForbid(const LayoutParts &parts, BlockMessagePlan &plan) {
  auto forbid = [&](MessageRejection obstacle, std::string text) {
    plan.obstacle = obstacle;
    plan.fallback = std::move(text);
    return true;
  };
  auto laneText = [](size_t lane) { return "lane bit " + std::to_string(lane); };
  for (size_t i = 0; i < parts.lanes.size(); ++i) {
    uint64_t basis = parts.lanes[i];
    if (!basis)
      return forbid(MessageRejection::LaneCopy,
                    laneText(i) + " moves nothing; a message has an element for each lane");
    if (!std::has_single_bit(basis))
      return forbid(MessageRejection::LaneSum,
                    laneText(i) + " moves " + movement(parts, basis) +
                        "; a lane bit of a message moves one coordinate by a power of two");
    for (size_t j = 0; j < i; ++j)
      if (parts.lanes[j] == basis)
        return forbid(MessageRejection::LaneTwice, laneText(i) + " moves the same as " +
                                                       laneText(j) +
                                                       "; a message has an element for each lane");
  }
  auto movesLanes = [&](std::span<const uint64_t> bases, uint64_t idle, const char *what) {
    for (size_t i = 0; i < bases.size(); ++i)
      if (uint64_t both = bases[i] & parts.laneSupport; both && !(idle >> i & 1))
        return forbid(MessageRejection::LaneMoved,
                      std::string(what) + " bit " + std::to_string(i) + " moves " +
                          movement(parts, both & -both) +
                          ", as a lane bit does; the lanes of a message do not change places");
    return false;
  };
  if (movesLanes(parts.registers, 0, "register") ||
      movesLanes(parts.warps, parts.idleWarps, "warp") ||
      movesLanes(parts.blocks, parts.idleBlocks, "block"))
    return true;
  for (size_t i = 0; i < parts.lanes.size(); ++i)
    if (!(parts.lanes[i] & parts.sameMask))
      return forbid(MessageRejection::Mask,
                    laneText(i) + " moves " + movement(parts, parts.lanes[i]) +
                        ", and the mask may change in between; a message has one mask");
  return false;
}

std::string plan::block2d::explain(const TileObstacle &obstacle, const LayoutParts &parts,
                                   const BlockMessageRequest &request) {
  bool alongRows = parts.lanes[0] & parts.unitsOf(parts.contiguous);
  if (request.access == BlockAccess::Store && !alongRows)
    return "lane bit 0 moves " + movement(parts, parts.lanes[0]) + ", but " +
           parts.nameOf(parts.contiguous) + " is contiguous in memory; only loads transpose";
  // Between a slot of 64 bits and the pitch of a surface there is no such step.
  uint64_t stepBits = (parts.lanes[0] >> parts.dims[parts.contiguous].shift) * request.elementBits;
  if (alongRows && stepBits > 64 && stepBits / 8 < request.limits.minSurfaceBytes)
    return "lane bit 0 moves " + movement(parts, parts.lanes[0]) + ", " +
           std::to_string(stepBits / 8) +
           " bytes; an element of a message has at most 8, a row at least " +
           std::to_string(request.limits.minSurfaceBytes);
  switch (obstacle.kind) {
  case TileObstacle::Kind::None:
    break;
  case TileObstacle::Kind::Held: {
    std::string text = nameOf(obstacle) + " gives a lane elements ";
    if (obstacle.bit == TileObstacle::BeyondTensor)
      return text + "beyond the tensor's size";
    text += "that differ in " + movement(parts, obstacle.bit);
    if (obstacle.bit & parts.laneSupport)
      return text + ", which are in different lanes";
    if (obstacle.bit & parts.locationSupport)
      return text + ", which are in different warps or blocks";
    if (!(obstacle.bit & parts.sameMask))
      return text + ", and the mask may change in between";
    return text + ", which the lane's registers do not hold";
  }
  case TileObstacle::Kind::Lane:
    return "lane bit " + std::to_string(obstacle.bit) + " moves " +
           movement(parts, parts.lanes[obstacle.bit]) +
           ", which is not the next column or row of " + nameOf(obstacle);
  case TileObstacle::Kind::Message: {
    Result<void> legal = verifyMessage(obstacle.message, request.limits);
    return legal ? obstacle.message.toString() + ": a block does not fill a register"
                 : legal.error();
  }
  case TileObstacle::Kind::Spirv:
    return "there is no SPIR-V instruction for " + obstacle.message.toString();
  case TileObstacle::Kind::Fold:
    return "the lanes go on along " + parts.nameOf(parts.contiguous) + " after a row of " +
           std::to_string(obstacle.message.rowBytes()) +
           " bytes, and rows that are pieces of it are not allowed here";
  }
  return "no message begins with these lanes";
}
