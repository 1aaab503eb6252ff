//===- WarpProducts.h - Matrix products of a warp -------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A product D = A B + C by the lanes of a warp, read off the maps of its atom. Each lane brings a
// frame: the elements that it has of A, of B and of C, one after the other, where those of D take
// the places of those of C. What elements are, and how they are added, is the vendor's.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SIMULATE_MACHINE_WARPPRODUCTS_H
#define TILEWRIGHT_SIMULATE_MACHINE_WARPPRODUCTS_H

#include "simulate/machine/Machine.h"
#include "target/Atom.h"

#include <cstring>
#include <type_traits>
#include <vector>

namespace tilewright::simulate {

/// For each element that threads hold by the map of an operand of an atom - those of a thread next
/// to each other, lane after lane, warp after warp - its place in the tile: row after row, or,
/// with `inColumns`, column after column.
std::vector<uint32_t> getPlaces(const layout::LinearLayout &map, bool inColumns = false);

/// An operand as the lanes hold it.
struct ProductFragment {
  /// Elements of a lane, bytes of an element, and where the lane's part begins in its frame.
  unsigned elements, elementBytes, begin;
  /// getPlaces.
  std::vector<uint32_t> places;

  unsigned end() const { return begin + elements * elementBytes; }
};

/// A product, with B in columns.
struct WarpProduct {
  /// Elements of the operands have so many bytes in frames, those of the accumulator what they have
  /// in registers.
  WarpProduct(const target::MmaAtom &atom, unsigned aBytes, unsigned bBytes);

  const target::MmaAtom &atom;
  ProductFragment a, b, sum;

  unsigned frameBytes() const { return sum.end(); }
};

/// The frame of a lane, whose address is in its first two operands, the low half first.
inline uint8_t *frameOf(const WarpExchange::Lane &lane) {
  return reinterpret_cast<uint8_t *>(uint64_t(lane.operands[1]) << 32 | lane.operands[0]);
}

/// Calls `visit` with the place of each element in the tile and a pointer to its bytes.
template <typename Visit>
void forEachElement(const WarpExchange &exchange, const ProductFragment &fragment, Visit visit) {
  for (size_t i = 0; i < fragment.places.size(); ++i)
    visit(fragment.places[i], frameOf(exchange.lane[i / fragment.elements]) + fragment.begin +
                                  i % fragment.elements * fragment.elementBytes);
}

/// Computes D in the frames. `decodeA(bits)` and `decodeB` give numbers; `multiplyAdd(bits, a, b)`
/// the bits of the element C + a[0] * b[0] + .. of D.
template <typename DecodeA, typename DecodeB, typename MultiplyAdd>
void multiply(const WarpExchange &exchange, const WarpProduct &product, DecodeA decodeA,
              DecodeB decodeB, MultiplyAdd multiplyAdd) {
  using Number = std::invoke_result_t<DecodeA, uint64_t>;
  static thread_local std::vector<Number> a, b;
  auto read = [&](const ProductFragment &fragment, std::vector<Number> &tile, auto decode) {
    tile.resize(fragment.places.size());
    forEachElement(exchange, fragment, [&](unsigned place, const uint8_t *bytes) {
      uint64_t bits = 0;
      std::memcpy(&bits, bytes, fragment.elementBytes);
      tile[place] = decode(bits);
    });
  };
  read(product.a, a, decodeA);
  read(product.b, b, decodeB);
  const unsigned n = product.atom.n, k = product.atom.k;
  forEachElement(exchange, product.sum, [&](unsigned place, uint8_t *bytes) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes, product.sum.elementBytes);
    bits = multiplyAdd(bits, &a[place / n * k], &b[place % n * k]);
    std::memcpy(bytes, &bits, product.sum.elementBytes);
  });
}

/// Computes D in the frames, of f16, bf16, tf32 and 8-bit floats, which take their own size there:
/// all of C + a[0] * b[0] + .. exactly, as far as f64 goes, rounded once to the type of D. Of tf32
/// the bits that it has not are cut off.
void multiplyRoundingOnce(const WarpExchange &exchange, const WarpProduct &product);

} // namespace tilewright::simulate

#endif // TILEWRIGHT_SIMULATE_MACHINE_WARPPRODUCTS_H
