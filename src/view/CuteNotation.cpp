//===- CuteNotation.cpp - Layouts in CuTe's shape:stride notation ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "view/CuteNotation.h"

#include <algorithm>
#include <optional>

namespace tilewright::view {

namespace {

/// One mode: the digits of one number, lowest first, each with its stride.
class Mode {
public:
  /// Adds a digit; one that goes on where the last ends becomes part of it.
  void add(uint64_t size, uint64_t stride) {
    if (size == 1)
      return;
    if (!digits.empty() && digits.back().size * digits.back().stride == stride)
      digits.back().size *= size;
    else
      digits.push_back({size, stride});
  }
  std::string shape() const { return text(&Digit::size, "1"); }
  std::string stride() const { return text(&Digit::stride, "0"); }

private:
  struct Digit {
    uint64_t size, stride;
  };
  std::string text(uint64_t Digit::*part, const char *none) const {
    if (digits.empty())
      return none;
    if (digits.size() == 1)
      return std::to_string(digits.front().*part);
    std::string text;
    for (const Digit &digit : digits)
      text += (text.empty() ? "(" : ",") + std::to_string(digit.*part);
    return text + ")";
  }
  std::vector<Digit> digits;
};

std::string notation(std::span<const Mode> modes) {
  if (modes.size() == 1)
    return modes[0].shape() + ":" + modes[0].stride();
  std::string shapes, strides;
  for (const Mode &mode : modes) {
    shapes += (shapes.empty() ? "(" : ",") + mode.shape();
    strides += (strides.empty() ? "(" : ",") + mode.stride();
  }
  return shapes + "):" + strides + ")";
}

/// Two of them that have a bit in common, by index.
std::optional<std::pair<size_t, size_t>> findOverlap(std::span<const uint64_t> bases) {
  for (size_t i = 0; i < bases.size(); ++i)
    for (size_t j = i + 1; j < bases.size(); ++j)
      if (bases[i] & bases[j])
        return std::pair(i, j);
  return std::nullopt;
}

/// "lane=4": bit `index` of a map's flat input.
std::string inputBitName(const LinearLayout &map, size_t index) {
  for (SizedDim in : map.ins()) {
    if (index < in.bits)
      return std::string(in.dim.name()) + "=" + std::to_string(uint64_t(1) << index);
    index -= in.bits;
  }
  return "";
}

std::string overlapText(const LinearLayout &map, std::pair<size_t, size_t> overlap) {
  return inputBitName(map, overlap.first) + " and " + inputBitName(map, overlap.second);
}

/// Swizzle<B,M,S> of CuTe, on offsets.
struct CuteSwizzle {
  unsigned bits, base, shift;
  /// Its own inverse, as shift >= bits.
  uint64_t apply(uint64_t offset) const {
    uint64_t from = ((uint64_t(1) << bits) - 1) << (base + shift);
    return offset ^ ((offset & from) >> shift);
  }
};

/// The swizzle of the fewest bits that leaves bases without a common bit, which become `bases`.
std::optional<CuteSwizzle> findSwizzle(std::vector<uint64_t> &bases, unsigned offsetBits) {
  for (unsigned bits = 1; 2 * bits <= offsetBits; ++bits)
    for (unsigned base = 0; base + 2 * bits <= offsetBits; ++base)
      for (unsigned shift = bits; base + shift + bits <= offsetBits; ++shift) {
        CuteSwizzle swizzle{bits, base, shift};
        std::vector<uint64_t> plain;
        for (uint64_t basis : bases)
          plain.push_back(swizzle.apply(basis));
        if (findOverlap(plain))
          continue;
        bases = std::move(plain);
        return swizzle;
      }
  return std::nullopt;
}

} // namespace

Result<std::string> cuteNotation(const LinearLayout &distributed) {
  // The packed output, its first dimension lowest, is the column-major number.
  if (auto overlap = findOverlap(distributed.bases()))
    return Failure("the bases of " + overlapText(distributed, *overlap) +
                   " have a bit in common: the layout takes their XOR, "
                   "strides would add");
  std::vector<Mode> modes(2);
  for (Dim dim : {dims::Lane, dims::Warp})
    for (uint64_t basis : distributed.bases(dim))
      modes[0].add(2, basis);
  for (uint64_t basis : distributed.bases(dims::Register))
    modes[1].add(2, basis);
  if (distributed.inBits(dims::Block)) {
    modes.emplace_back();
    for (uint64_t basis : distributed.bases(dims::Block))
      modes[2].add(2, basis);
  }
  return notation(modes);
}

std::string cuteNotation(const CooperativeMatrix &matrix) {
  auto rows = static_cast<uint64_t>(matrix.rows());
  auto sizeI = static_cast<uint64_t>(matrix.sizeI()),
       sizeK1 = static_cast<uint64_t>(matrix.sizeK1());
  uint64_t laneColumns = static_cast<uint64_t>(matrix.subgroupSize()) / sizeI;
  Mode lane, component;
  lane.add(sizeI, 1);
  lane.add(laneColumns, rows);
  component.add(sizeK1, sizeI);
  component.add(static_cast<uint64_t>(matrix.sizeJ()) / laneColumns, laneColumns * rows);
  component.add(static_cast<uint64_t>(matrix.sizeK2()), sizeI * sizeK1);
  Mode modes[] = {lane, component};
  return notation(modes);
}

Result<std::string> cuteSharedNotation(const LinearLayout &shared,
                                       const std::function<uint64_t(uint64_t)> &offsetOf) {
  LinearLayout ordered = shared.transposeIns({dims::Offset, dims::Block});
  if (!ordered.isInvertible())
    return Failure("an element lies at several offsets or at none, so its offset is no "
                   "function of its coordinates");
  LinearLayout inverse = ordered.invert();
  std::vector<uint64_t> bases(inverse.bases().begin(), inverse.bases().end());
  std::string swizzled;
  if (auto overlap = findOverlap(bases)) {
    if (offsetOf)
      return Failure("the offsets of " + overlapText(inverse, *overlap) +
                     " have a bit in common, and there is padding");
    auto swizzle = findSwizzle(bases, inverse.totalOutBits());
    if (!swizzle)
      return Failure("the offsets of " + overlapText(inverse, *overlap) +
                     " have a bit in common, and no single swizzle takes it away");
    swizzled = "Swizzle<" + std::to_string(swizzle->bits) + "," + std::to_string(swizzle->base) +
               "," + std::to_string(swizzle->shift) + "> o ";
  }
  if (offsetOf) {
    // A block's offsets are padded alike; its last one says how long it is.
    uint64_t mask = ordered.inSize(dims::Offset) - 1, length = offsetOf(mask) + 1;
    for (uint64_t &basis : bases)
      basis = offsetOf(basis & mask) + (basis >> ordered.inBits(dims::Offset)) * length;
  }
  std::vector<Mode> modes;
  const uint64_t *basis = bases.data();
  for (SizedDim dim : inverse.ins()) {
    Mode &mode = modes.emplace_back();
    for (unsigned bit = 0; bit < dim.bits; ++bit)
      mode.add(2, *basis++);
  }
  return swizzled + notation(modes);
}

} // namespace tilewright::view
