//===- RandomLayouts.h - Random layouts for tests -------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_SUPPORT_RANDOMLAYOUTS_H
#define TILEWRIGHT_TEST_SUPPORT_RANDOMLAYOUTS_H

#include "layout/encoding/Encodings.h"
#include "tilewright/layout/LinearLayout.h"

#include <algorithm>
#include <random>
#include <vector>

namespace tilewright::layout {

/// Random layouts; the same ones in every run.
class RandomLayouts {
public:
  using Bits = std::vector<uint64_t>;

  explicit RandomLayouts(unsigned seed) : generator(seed) {}

  unsigned below(unsigned n) { return static_cast<unsigned>(generator() % n); }

  /// A map over dimensions `ins` and `outs` with any bases.
  LinearLayout any(const LinearLayout::DimList &ins, const LinearLayout::DimList &outs) {
    unsigned inBits = 0, outBits = 0;
    for (SizedDim d : ins)
      inBits += d.bits;
    for (SizedDim d : outs)
      outBits += d.bits;
    Bits bases;
    for (unsigned i = 0; i < inBits; ++i)
      bases.push_back(generator() & ((uint64_t(1) << outBits) - 1));
    return LinearLayout::fromPacked(ins, outs, bases);
  }

  /// As many independent vectors as they have bits.
  Bits basis(unsigned bits) {
    while (true) {
      LinearLayout map = any({SizedDim{dims::Register, bits}}, {SizedDim{dims::Dim0, bits}});
      if (map.isInvertible())
        return Bits(map.bases().begin(), map.bases().end());
    }
  }

  void shuffle(Bits &vectors) { std::shuffle(vectors.begin(), vectors.end(), generator); }

  /// The unit vectors in any order.
  Bits units(unsigned bits) {
    Bits result;
    for (unsigned i = 0; i < bits; ++i)
      result.push_back(uint64_t(1) << i);
    std::shuffle(result.begin(), result.end(), generator);
    return result;
  }

  /// A layout of a one-dimensional tensor from the vectors `basis`, `copies` dependent ones
  /// put in among them, dealt out to registers, lanes and warps.
  LinearLayout deal(Bits basis, unsigned lanes, unsigned warps, unsigned copies) {
    auto bits = static_cast<unsigned>(basis.size());
    Bits all = basis;
    for (unsigned i = 0; i < copies; ++i) {
      uint64_t copy = below(2) ? 0 : all[below(bits)];
      basis.insert(basis.begin() + below(static_cast<unsigned>(basis.size()) + 1), copy);
    }
    unsigned registers = static_cast<unsigned>(basis.size()) - lanes - warps;
    return LinearLayout::fromPacked({SizedDim{dims::Register, registers},
                                     SizedDim{dims::Lane, lanes}, SizedDim{dims::Warp, warps},
                                     SizedDim{dims::Block, 0}},
                                    {SizedDim{dims::Dim0, bits}}, basis);
  }

  Blocked blocked(const std::vector<int64_t> &shape, unsigned lanes, unsigned warps) {
    auto rank = static_cast<unsigned>(shape.size());
    auto split = [&](unsigned bits) {
      std::vector<unsigned> list(rank, 1);
      for (unsigned i = 0; i < bits; ++i)
        list[below(rank)] *= 2;
      return list;
    };
    Blocked result;
    result.sizePerThread = split(below(5));
    result.threadsPerWarp = split(lanes);
    result.warpsPerCTA = split(warps);
    for (unsigned d = 0; d < rank; ++d)
      result.order.push_back(d);
    std::shuffle(result.order.begin(), result.order.end(), generator);
    return result;
  }

  /// Sizes of up to 2^maxBits each.
  std::vector<int64_t> shape(unsigned rank, unsigned maxBits) {
    std::vector<int64_t> result;
    for (unsigned d = 0; d < rank; ++d)
      result.push_back(int64_t(1) << below(maxBits + 1));
    return result;
  }

private:
  std::mt19937_64 generator;
};

} // namespace tilewright::layout

#endif // TILEWRIGHT_TEST_SUPPORT_RANDOMLAYOUTS_H
