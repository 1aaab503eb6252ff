//===- BlockMessage.cpp - A 2D block message and its limits -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "plan/block2d/BlockMessage.h"

#include <algorithm>
#include <bit>
#include <cstdio>

using namespace tilewright;
using namespace tilewright::target;
using namespace tilewright::plan::block2d;

//===----------------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------------===//

namespace {

// One entry serves Xe-HPC (pvc), Xe2 (bmg, lnl) and Xe3 (ptl): SPV_INTEL_2d_block_io makes
// no difference between them, and neither do the checks of Triton's Intel XPU back end, which
// knows a single property of devices here, prefetches of 256 bytes a row. Those begin after
// Xe3 (`withWidePrefetch` below).
//
// Base width, height and pitch: the extension allows up to 2^24 (the message has 24 bits for
// each value less one). The pitch is a multiple of 16 bytes by the OpenCL extension; the
// SPIR-V one says 8: the stricter rule holds on either way to the hardware.
constexpr BlockMessageLimits Xe = {
    .maxLoadHeight = 32,
    .maxStoreHeight = 8,
    .maxPrefetchHeight = 32,
    .maxWidth = 64,
    .maxPrefetchWidth = 64,
    .maxRowBytes = 64,
    .maxPrefetchRowBytes = 64,
    .minRowBytes = 4,
    .maxLoadBlocks = {4, 4, 2, 1},
    .maxStoreBlocks = 1,
    .maxPrefetchBlocks = 4,
    .registerBytes = 64,
    .maxTransposeWidth32 = 8,
    .maxTransposeWidth64 = 4,
    .transposeHeight64 = 8,
    .baseAlignment = 64,
    .minSurfaceBytes = 64,
    .maxSurfaceBytes = uint64_t(1) << 24,
    .maxSurfaceRows = uint64_t(1) << 24,
    .pitchMultiple = 16,
    .widthMultiple = 4,
};

struct Entry {
  std::string_view target;
  BlockMessageLimits limits;
};
constexpr Entry Table[] = {{"xpu:pvc", Xe}, {"xpu:bmg", Xe}, {"xpu:lnl", Xe}, {"xpu:ptl", Xe}};

/// A rule that was broken, with the numbers for its text: `format` has two %u.
struct Broken {
  const char *format = nullptr;
  unsigned is = 0;
  unsigned limit = 0;

  std::string text() const {
    char buffer[256];
    std::snprintf(buffer, sizeof buffer, format, is, limit);
    return buffer;
  }
};

Broken brokenRule(const BlockMessage &message, const BlockMessageLimits &limits) {
  const auto &[access, bits, width, height, blocks, transpose, vnni] = message;
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
    return {"elements have %u bits; there are 8, 16, 32 and 64", bits};
  if (!std::has_single_bit(width) || !std::has_single_bit(height) || !std::has_single_bit(blocks))
    return {"width, height and blocks must be powers of two"};
  if (width > limits.maxAccessWidth(access))
    return {"the width is %u elements; at most %u", width, limits.maxAccessWidth(access)};
  if (height > limits.maxHeight(access))
    return {"the height is %u rows; at most %u", height, limits.maxHeight(access)};
  if (blocks > limits.maxBlocks(access, bits))
    return {"there are %u blocks; at most %u", blocks, limits.maxBlocks(access, bits)};
  if (message.blockRowBytes() < limits.minRowBytes)
    return {"a block's row has %u bytes; at least %u", message.blockRowBytes(), limits.minRowBytes};
  if (message.rowBytes() > limits.maxAccessRowBytes(access))
    return {"the blocks' rows have %u bytes; at most %u", message.rowBytes(),
            limits.maxAccessRowBytes(access)};
  if ((transpose || vnni) && access != BlockAccess::Load)
    return {"only loads transpose or pack rows"};
  if (transpose && vnni)
    return {"a load either transposes or packs rows"};
  if (transpose && blocks != 1)
    return {"there are %u blocks; a transposed load has %u", blocks, 1};
  if (transpose && bits < 32)
    return {"elements have %u bits; transposed ones have 32 or 64", bits};
  if (transpose && bits == 32 && width > limits.maxTransposeWidth32)
    return {"the width is %u elements; at most %u of 32 bits are transposed", width,
            limits.maxTransposeWidth32};
  if (transpose && bits == 64 && width > limits.maxTransposeWidth64)
    return {"the width is %u elements; at most %u of 64 bits are transposed", width,
            limits.maxTransposeWidth64};
  if (transpose && bits == 64 && height != limits.transposeHeight64)
    return {"the height is %u rows; elements of 64 bits are transposed by exactly %u rows", height,
            limits.transposeHeight64};
  if (vnni && bits > 16)
    return {"elements have %u bits; rows of 8 or 16 bits are packed", bits};
  if (vnni && height * bits < 32)
    return {"the height is %u rows; at least %u are packed", height, 32 / bits};
  return {};
}

} // namespace

const BlockMessageLimits *plan::block2d::blockMessageLimits(const Target &target) {
  for (const Entry &entry : Table)
    if (entry.target == target.name)
      return &entry.limits;
  return nullptr;
}

BlockMessageLimits BlockMessageLimits::withWidePrefetch() const {
  BlockMessageLimits wide = *this;
  wide.maxPrefetchWidth = 256;
  wide.maxPrefetchRowBytes = 256;
  return wide;
}

unsigned BlockMessageLimits::maxHeight(BlockAccess access) const {
  return access == BlockAccess::Load    ? maxLoadHeight
         : access == BlockAccess::Store ? maxStoreHeight
                                        : maxPrefetchHeight;
}

unsigned BlockMessageLimits::maxBlocks(BlockAccess access, unsigned elementBits) const {
  return access == BlockAccess::Load    ? maxLoadBlocks[std::countr_zero(elementBits / 8)]
         : access == BlockAccess::Store ? maxStoreBlocks
                                        : maxPrefetchBlocks;
}

unsigned BlockMessageLimits::maxAccessWidth(BlockAccess access) const {
  return access == BlockAccess::Prefetch ? maxPrefetchWidth : maxWidth;
}

unsigned BlockMessageLimits::maxAccessRowBytes(BlockAccess access) const {
  return access == BlockAccess::Prefetch ? maxPrefetchRowBytes : maxRowBytes;
}

//===----------------------------------------------------------------------------===//
// One message
//===----------------------------------------------------------------------------===//

std::string_view plan::block2d::accessName(BlockAccess access) {
  return access == BlockAccess::Load ? "load" : access == BlockAccess::Store ? "store" : "prefetch";
}

std::string BlockMessage::toString() const {
  std::string text =
      std::to_string(height) + "x" + std::to_string(width) + " d" + std::to_string(elementBits);
  if (blocks > 1)
    text += ", " + std::to_string(blocks) + " blocks";
  if (transpose)
    text += ", transpose";
  if (vnni)
    text += ", vnni";
  return text;
}

Result<void> plan::block2d::verifyMessage(const BlockMessage &message,
                                          const BlockMessageLimits &limits) {
  Broken broken = brokenRule(message, limits);
  if (!broken.format)
    return {};
  return Failure(std::string(accessName(message.access)) + " " + message.toString() + ": " +
                 broken.text());
}

bool plan::block2d::isLegalMessage(const BlockMessage &message, const BlockMessageLimits &limits) {
  return !brokenRule(message, limits).format;
}

bool plan::block2d::hasSpirvForm(const BlockMessage &message, unsigned threadsPerWarp) {
  const auto &[access, bits, width, height, blocks, transpose, vnni] = message;
  if (threadsPerWarp != 16)
    return false;
  if (transpose)
    return bits == 32 && width == 8 && (height == 16 || height == 32);
  if (vnni)
    return width == 16 && ((bits == 8 && height == 32 && blocks <= 4) ||
                           (bits == 16 && (height == 16 || height == 32) && blocks <= 2));
  if (access == BlockAccess::Store)
    return height <= 8 && blocks == 1 && bits <= 32 && width == 16;
  // The instructions give a lane two neighbours of 32 elements of 8 bits: here that
  // is one element of 16 bits, 16 wide. Prefetches give nothing to lanes.
  bool isPrefetch = access == BlockAccess::Prefetch;
  switch (bits) {
  case 8:
    return (width == 16 && blocks == 4 && height >= 8) ||
           (isPrefetch &&
            ((width == 32 && blocks <= 2) || (width == 16 && blocks <= 2 && height == 32)));
  case 16:
    return width == 16 && blocks <= 2;
  case 32:
    return (width == 8 && blocks <= 2) || (width == 16 && blocks == 1);
  default:
    return false;
  }
}

//===----------------------------------------------------------------------------===//
// Its surface
//===----------------------------------------------------------------------------===//

Result<void> plan::block2d::verifySurface(const BlockSurface &surface, const BlockMessage &message,
                                          const BlockMessageLimits &limits) {
  auto fail = [&](const char *what, uint64_t is, const char *rule, uint64_t limit) {
    return Failure(std::string(accessName(message.access)) + " " + message.toString() + ": the " +
                   what + " is " + std::to_string(is) + "; " + rule + " " + std::to_string(limit));
  };
  const char *AtMost = "at most", *AtLeast = "at least", *MultipleOf = "it must be a multiple of";
  uint64_t elementBytes = message.elementBits / 8;
  uint64_t widthMultiple = std::max<uint64_t>(limits.widthMultiple, elementBytes);

  if (surface.base % limits.baseAlignment)
    return fail("base address", surface.base, MultipleOf, limits.baseAlignment);
  if (surface.width < limits.minSurfaceBytes)
    return fail("base width in bytes", surface.width, AtLeast, limits.minSurfaceBytes);
  if (surface.width > limits.maxSurfaceBytes)
    return fail("base width in bytes", surface.width, AtMost, limits.maxSurfaceBytes);
  if (surface.width % widthMultiple)
    return fail("base width in bytes", surface.width, MultipleOf, widthMultiple);
  if (surface.height < 1)
    return fail("base height in rows", surface.height, AtLeast, 1);
  if (surface.height > limits.maxSurfaceRows)
    return fail("base height in rows", surface.height, AtMost, limits.maxSurfaceRows);
  if (surface.pitch < limits.minSurfaceBytes)
    return fail("base pitch in bytes", surface.pitch, AtLeast, limits.minSurfaceBytes);
  if (surface.pitch > limits.maxSurfaceBytes)
    return fail("base pitch in bytes", surface.pitch, AtMost, limits.maxSurfaceBytes);
  if (surface.pitch % limits.pitchMultiple)
    return fail("base pitch in bytes", surface.pitch, MultipleOf, limits.pitchMultiple);
  if (surface.pitch < surface.width)
    return fail("base pitch in bytes", surface.pitch, "it must not be below the base width,",
                surface.width);
  if (surface.x * elementBytes % limits.widthMultiple)
    return fail("x offset in elements", surface.x, MultipleOf, limits.widthMultiple / elementBytes);
  return {};
}
