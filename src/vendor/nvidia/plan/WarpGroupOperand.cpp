//===- WarpGroupOperand.cpp - Operands of wgmma in shared memory --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/plan/WarpGroupOperand.h"

#include "support/Bits.h"

#include <algorithm>
#include <optional>
#include <string>

using namespace tilewright;
using namespace tilewright::vendor::nvidia;
using layout::Dim;
namespace dims = layout::dims;

namespace {

/// The stride of the bits from `from` to `to` of a dimension, each twice the one before; nothing if
/// they are not so. 0 for no bits.
template <typename AddressOf>
std::optional<uint64_t> strideOf(AddressOf addressOf, unsigned from, unsigned to) {
  if (from >= to)
    return 0;
  const uint64_t stride = addressOf(from);
  for (unsigned bit = from; bit < to; ++bit)
    if (addressOf(bit) != stride << (bit - from))
      return std::nullopt;
  return stride;
}

/// The bits of all addresses, each of which has one of its own; nothing if one has not.
template <typename AddressOf>
std::optional<uint64_t> addBits(uint64_t mask, AddressOf addressOf, unsigned from, unsigned to) {
  for (unsigned bit = from; bit < to; ++bit) {
    const uint64_t address = addressOf(bit);
    if (!isPowerOfTwo(address) || mask & address)
      return std::nullopt;
    mask |= address;
  }
  return mask;
}

/// The operand with this dimension contiguous and this swizzle, if it is so.
std::optional<WarpGroupOperand> match(const OperandInMemory &operand, bool alongRows,
                                      unsigned swizzleBytes) {
  const unsigned elementBytes = operand.elementBits / 8;
  const unsigned width = swizzleBytes ? swizzleBytes : descriptorUnitBytes;
  auto addressesOf = [&](Dim dim) {
    return [&, dim](unsigned bit) {
      return swizzle(operand.offsets.basis(dim, bit, dims::Offset) * elementBytes, swizzleBytes);
    };
  };
  auto row = addressesOf(operand.rowDim), depth = addressesOf(operand.depthDim);
  const unsigned rowBits = log2Of(operand.tileRows), depthBits = log2Of(operand.tileDepth);
  auto along = alongRows ? row : depth, across = alongRows ? depth : row;
  const unsigned alongBits = alongRows ? rowBits : depthBits;
  const unsigned acrossBits = alongRows ? depthBits : rowBits;

  const unsigned inWidth = std::min(alongBits, log2Of(width / elementBytes));
  const unsigned inCore = std::min(acrossBits, 3u);
  if (inWidth == 0 || inCore < 3 || strideOf(along, 0, inWidth) != elementBytes ||
      strideOf(across, 0, inCore) != width)
    return std::nullopt;
  const std::optional<uint64_t> alongStride = strideOf(along, inWidth, alongBits);
  const std::optional<uint64_t> acrossStride = strideOf(across, inCore, acrossBits);
  if (!alongStride || !acrossStride)
    return std::nullopt;

  WarpGroupOperand result;
  result.alongRows = alongRows;
  result.form.swizzleBytes = swizzleBytes;
  const bool isExchanged = alongRows && !swizzleBytes;
  auto strideField = [](uint64_t stride) {
    return static_cast<uint32_t>(stride ? stride : descriptorUnitBytes);
  };
  result.form.leading = strideField(isExchanged ? *acrossStride : *alongStride);
  result.form.stride = strideField(isExchanged ? *alongStride : *acrossStride);
  // The sum of the start and the strides is their XOR only if they share no bits: within a tile,
  // and with the starts of all tiles.
  std::optional<uint64_t> mask = addBits(0, row, 0, rowBits);
  if (mask)
    mask = addBits(*mask, depth, 0, depthBits);
  if (!mask)
    return std::nullopt;
  result.tileMask = *mask;
  if (mask = addBits(*mask, row, rowBits, operand.offsets.inBits(operand.rowDim)); !mask)
    return std::nullopt;
  if (!addBits(*mask, depth, depthBits, operand.offsets.inBits(operand.depthDim)))
    return std::nullopt;
  return result;
}

} // namespace

Result<WarpGroupOperand> vendor::nvidia::planOperand(const OperandInMemory &operand) {
  if (operand.offsets.inSize(operand.rowDim) < operand.tileRows ||
      operand.offsets.inSize(operand.depthDim) < operand.tileDepth)
    return Failure("an instruction takes " + std::to_string(operand.tileRows) + " x " +
                   std::to_string(operand.tileDepth) + " elements of it, but it has " +
                   std::to_string(operand.offsets.inSize(operand.rowDim)) + " x " +
                   std::to_string(operand.offsets.inSize(operand.depthDim)));
  for (unsigned swizzleBytes : {128, 64, 32, 0})
    for (bool alongRows : {false, true}) {
      std::optional<WarpGroupOperand> matched = match(operand, alongRows, swizzleBytes);
      if (!matched)
        continue;
      const bool mayBeAlongRows =
          operand.elementBits == 16 || (operand.elementBits == 8 && operand.takesBytesAlongRows);
      if (alongRows && !mayBeAlongRows)
        return Failure("its elements of " + std::to_string(operand.elementBits) +
                       " bits are not contiguous along K: only those of 16 bits may be contiguous "
                       "along M or N");
      if (const unsigned needed = swizzleAlignment(swizzleBytes); operand.alignment % needed)
        return Failure("a swizzle of " + std::to_string(swizzleBytes) +
                       " bytes begins at multiples of " + std::to_string(needed) +
                       " bytes, but of its memory only " + std::to_string(operand.alignment) +
                       " is known");
      return *matched;
    }
  return Failure("its layout is none of rows of 128, 64 or 32 bytes that are swizzled, nor of 16 "
                 "bytes that are not");
}
