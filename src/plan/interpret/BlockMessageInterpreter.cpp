//===- BlockMessageInterpreter.cpp - An interpreter of block messages ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "plan/interpret/BlockMessageInterpreter.h"

using namespace tilewright;
using namespace tilewright::target;
using namespace tilewright::plan::block2d;
namespace dims = tilewright::layout::dims;

std::vector<ByteAddress> plan::block2d::payloadOf(const BlockMessage &message,
                                                  const BlockSurface &surface,
                                                  unsigned registerBytes) {
  unsigned elementBytes = message.elementBits / 8;
  unsigned packedRows = message.vnni ? 32 / message.elementBits : 1;
  std::vector<ByteAddress> payload;

  auto pushElement = [&](unsigned block, unsigned row, unsigned column) {
    uint64_t y = surface.y + row;
    uint64_t x = (surface.x + uint64_t(block) * message.width + column) * elementBytes;
    for (unsigned byte = 0; byte < elementBytes; ++byte) {
      bool isInside = y < surface.height && x + byte < surface.width;
      payload.push_back(isInside
                            ? static_cast<ByteAddress>(surface.base + y * surface.pitch + x + byte)
                            : OutOfBounds);
    }
  };
  for (unsigned block = 0; block < message.blocks; ++block) {
    if (message.transpose) {
      for (unsigned column = 0; column < message.width; ++column)
        for (unsigned row = 0; row < message.height; ++row)
          pushElement(block, row, column);
    } else {
      for (unsigned row = 0; row < message.height; row += packedRows)
        for (unsigned column = 0; column < message.width; ++column)
          for (unsigned packed = 0; packed < packedRows; ++packed)
            pushElement(block, row + packed, column);
    }
    while (payload.size() % registerBytes)
      payload.push_back(NoByte);
  }
  return payload;
}

ByteAddress plan::block2d::deliver(const BlockMessage &message,
                                   const std::vector<ByteAddress> &payload, unsigned threadsPerWarp,
                                   unsigned lane, unsigned slot, unsigned byte) {
  size_t value = size_t(slot) * threadsPerWarp + lane;
  size_t at = value * (message.slotBits() / 8) + byte;
  return at < payload.size() ? payload[at] : NoByte;
}

Result<DeliveredWarp> plan::block2d::deliverWarp(const BlockMessagePlan &plan,
                                                 const TensorMemory &memory, unsigned warp,
                                                 unsigned block) {
  DeliveredWarp result;
  unsigned unitBytes = plan.elementBits / 8 / plan.unitsPerElement;
  auto units = static_cast<unsigned>(plan.slots.inSize(dims::Register));
  bool isPrefetch = plan.access == BlockAccess::Prefetch;
  if (!isPrefetch)
    result.bytes.assign(size_t(plan.threadsPerWarp) * units * unitBytes, NoByte);
  if ((warp & plan.idleWarps) || (block & plan.idleBlocks))
    return result;

  for (unsigned index = 0; index < plan.messageCount(); ++index) {
    Result<BlockSurface> surface = surfaceOf(plan, memory, plan.originOf(index, warp, block));
    if (!surface)
      return Failure(surface.error());
    std::vector<ByteAddress> payload = payloadOf(plan.message, *surface, plan.limits.registerBytes);
    for (ByteAddress address : payload)
      if (address >= 0)
        result.touched.push_back(address);
    if (isPrefetch)
      continue;
    unsigned slotBytes = plan.message.slotBits() / 8;
    for (unsigned unit = 0; unit < units; ++unit) {
      auto place = plan.slots.apply({{dims::Register, unit}});
      auto slot = static_cast<unsigned>(place[0].value);
      if (place[1].value != index)
        continue;
      // A store takes an element from one register, a load brings it to all that want it.
      if (plan.access == BlockAccess::Store &&
          plan.registers.apply({{slotDim(), slot}, {messageDim(), index}})[0].value != unit)
        continue;
      for (unsigned lane = 0; lane < plan.threadsPerWarp; ++lane)
        for (unsigned byte = 0; byte < unitBytes; ++byte) {
          unsigned at = slot * unitBytes + byte;
          result.bytes[(size_t(lane) * units + unit) * unitBytes + byte] = deliver(
              plan.message, payload, plan.threadsPerWarp, lane, at / slotBytes, at % slotBytes);
        }
    }
  }
  return result;
}
