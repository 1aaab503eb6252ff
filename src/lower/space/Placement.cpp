//===- Placement.cpp - Places of pieces that live at the same time ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/space/Placement.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

#include <optional>

using namespace tilewright;
using namespace tilewright::lower;

namespace {

class Placer {
public:
  Placer(llvm::ArrayRef<Extent> pieces, llvm::ArrayRef<llvm::BitVector> conflicts, unsigned bands)
      : pieces(pieces), conflicts(conflicts), bands(bands), places(pieces.size()),
        placed(pieces.size()) {}

  std::vector<Place> run() {
    auto order = llvm::to_vector(llvm::seq<unsigned>(0, pieces.size()));
    auto size = [&](unsigned number) { return pieces[number].units * pieces[number].bands; };
    llvm::sort(order, [&](unsigned a, unsigned b) {
      return std::pair(size(b), a) < std::pair(size(a), b);
    });
    for (unsigned number : order) {
      places[number] = findPlace(number);
      placed.set(number);
    }
    return std::move(places);
  }

private:
  Place findPlace(unsigned number) const {
    std::optional<Place> best;
    for (unsigned band = 0; band + pieces[number].bands <= bands; band += pieces[number].bands)
      if (Place place = {findOffset(number, band), band}; !best || place.offset < best->offset)
        best = place;
    return *best;
  }

  /// The lowest units of these bands that are free while the piece lives.
  uint64_t findOffset(unsigned number, unsigned band) const {
    const Extent &piece = pieces[number];
    llvm::BitVector others = conflicts[number];
    others &= placed;
    llvm::SmallVector<std::pair<uint64_t, uint64_t>> taken;
    for (unsigned other : others.set_bits())
      if (places[other].band < band + piece.bands &&
          band < places[other].band + pieces[other].bands)
        taken.push_back({places[other].offset, places[other].offset + pieces[other].units});
    llvm::sort(taken);
    uint64_t offset = 0;
    for (auto [begin, end] : taken) {
      if (begin >= offset + piece.units)
        break;
      offset = std::max(offset, llvm::alignTo(end, piece.alignment));
    }
    return offset;
  }

  llvm::ArrayRef<Extent> pieces;
  llvm::ArrayRef<llvm::BitVector> conflicts;
  unsigned bands;
  std::vector<Place> places;
  llvm::BitVector placed;
};

} // namespace

std::vector<Place> lower::placePieces(llvm::ArrayRef<Extent> pieces,
                                      llvm::ArrayRef<llvm::BitVector> conflicts, unsigned bands) {
  return Placer(pieces, conflicts, bands).run();
}
