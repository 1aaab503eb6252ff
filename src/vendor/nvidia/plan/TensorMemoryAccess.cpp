//===- TensorMemoryAccess.cpp - Tensors between registers and tensor memory ---===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/plan/TensorMemoryAccess.h"

#include "layout/encoding/TensorMemory.h"
#include "plan/shared/Fit.h"
#include "support/Bits.h"

#include <map>

using namespace tilewright;
using namespace tilewright::vendor::nvidia;
using layout::LinearLayout;
using layout::nvidia::columnDim;
using layout::nvidia::rowDim;
using target::AccessForm;
using target::CopyAtom;
namespace dims = layout::dims;

namespace {

/// The warps that take the rows in turn, and the bits of a row that a warp's number is.
constexpr unsigned warpRowBits = 2;
/// The bits of a row within those of a warp.
const unsigned laneRowBits = log2Of(layout::nvidia::rowsOfWarp);
constexpr uint32_t upperRows = 16;

/// A place in memory: a row, and a column in elements.
struct Place {
  uint64_t row = 0, column = 0;
};

class Planner {
public:
  Planner(const LinearLayout &registers, const LinearLayout &memory, unsigned elementBits,
          unsigned maxWords)
      : memory(memory), places(memory.pseudoInvert()), wordBits(log2Of(32 / elementBits)),
        maxWords(maxWords) {
    std::vector<layout::Dim> order;
    for (layout::SizedDim out : memory.outs())
      order.push_back(out.dim);
    const LinearLayout own = registers.transposeOuts(order);
    bases.registers = vectors(own, dims::Register);
    bases.lanes = vectors(own, dims::Lane);
    bases.warps = vectors(own, dims::Warp);
    for (unsigned r = 0; r < 1u << bases.registers.size(); ++r)
      registerOf.try_emplace(layout::sumOf(span(bases.registers), r), r);
    for (unsigned part = 0; part < 1u << wordBits; ++part)
      if (isPart(part))
        parts.push_back(part);
  }

  /// Checks the warps, of which every atom needs the same.
  Result<void> checkWarps() const {
    if (bases.warps.size() < warpRowBits)
      return Failure("it takes four warps, which have a quarter of the rows each");
    for (unsigned bit = 0; bit < warpRowBits; ++bit)
      if (bases.warps[bit] != imageOfRow(laneRowBits + bit))
        return Failure("a warp reaches the 32 rows of its number modulo 4 only, and the layout has "
                       "other rows there");
    return {};
  }

  std::optional<TensorMemoryAccess> plan(const CopyAtom &atom) const {
    const AccessForm &form = *atom.form(4);
    const unsigned rowBits = atom.memory().map.outBits(dims::Dim0);
    layout::F2Vectors strided;
    for (unsigned bit = 0; bit < rowBits; ++bit)
      strided.push_back(imageOfRow(bit));
    const unsigned columnBits = static_cast<unsigned>(form.strided.size()) - rowBits;
    for (unsigned bit = 0; bit < columnBits; ++bit)
      strided.push_back(imageOfWord(bit));
    const plan::FitSide side(bases);
    std::optional<layout::F2Vectors> fitted = plan::fit(side, form, {{}, span(strided)});
    if (!fitted)
      return std::nullopt;

    TensorMemoryAccess access;
    access.atom = &atom;
    access.parts = parts;
    if (!form.addressed.empty()) {
      const std::optional<uint32_t> split = addressOf(bases.lanes.back(), /*rowMask=*/0);
      if (!split || !*split)
        return std::nullopt;
      access.splitColumns = *split;
    }
    // The words of a message: those of the atom, then further ones along columns.
    Words words = {*fitted, 0};
    for (size_t i = 0; i < form.strided.size(); ++i)
      if (!form.strided[i].isLane)
        words.add(i < rowBits ? Place{uint64_t(1) << i, 0} : wordPlace(i - rowBits));
    for (unsigned bit = columnBits; access.times < atom.maxTimes; ++bit, access.times *= 2) {
      const uint64_t image = imageOfWord(bit);
      if (2u << words.images.size() > maxWords || !image || !side.registers.contains(image) ||
          wordPlace(bit).column == access.splitColumns << wordBits)
        break;
      words.images.push_back(image);
      words.add(wordPlace(bit));
    }
    const uint64_t rowMask = rowBits == laneRowBits ? 0 : upperRows;
    if (!addWarps(access, rowMask) || !addMessages(access, words, rowMask))
      return std::nullopt;
    return access;
  }

private:
  /// The images of the bits of a word's number, and the bits of places that they move.
  struct Words {
    layout::F2Vectors images;
    uint64_t rows = 0, columns = 0;

    Words(layout::F2Vectors images, uint64_t rows) : images(images), rows(rows) {}
    void add(Place place) {
      rows |= place.row;
      columns |= place.column;
    }
  };

  static std::span<const uint64_t> span(const layout::F2Vectors &vectors) {
    return {vectors.data(), vectors.size()};
  }
  static layout::F2Vectors vectors(const LinearLayout &layout, layout::Dim in) {
    layout::F2Vectors result;
    for (uint64_t basis : layout.bases(in))
      result.push_back(basis);
    return result;
  }

  uint64_t image(layout::Dim in, unsigned bit) const {
    return bit < memory.inBits(in) ? memory.basis(in, bit) : 0;
  }
  uint64_t imageOfRow(unsigned bit) const { return image(rowDim(), bit); }
  uint64_t imageOfWord(unsigned bit) const { return image(columnDim(), wordBits + bit); }
  Place wordPlace(uint64_t bit) const { return {0, uint64_t(1) << (wordBits + bit)}; }
  uint64_t imageOfPart(unsigned part) const {
    uint64_t sum = 0;
    for (; part; part &= part - 1)
      sum ^= image(columnDim(), static_cast<unsigned>(std::countr_zero(part)));
    return sum;
  }
  /// Whether an element is there: no bit of the place is a hole.
  bool isPart(unsigned part) const {
    for (unsigned rest = part; rest; rest &= rest - 1)
      if (!image(columnDim(), static_cast<unsigned>(std::countr_zero(rest))))
        return false;
    return true;
  }

  Place placeOf(uint64_t element) const {
    const uint64_t place = places.applyFlat(element);
    return {places.outValue(place, rowDim()), places.outValue(place, columnDim())};
  }
  uint64_t elementAt(Place place) const {
    uint64_t sum = 0;
    for (unsigned bit = 0; place.row >> bit; ++bit)
      sum ^= place.row >> bit & 1 ? imageOfRow(bit) : 0;
    for (unsigned bit = 0; place.column >> bit; ++bit)
      sum ^= place.column >> bit & 1 ? image(columnDim(), bit) : 0;
    return sum;
  }

  /// The address that an element adds to others; nothing if no address of a message does that:
  /// rows other than `rowMask`, or a part of a word.
  std::optional<uint32_t> addressOf(uint64_t element, uint64_t rowMask) const {
    const Place place = placeOf(element);
    if (place.row & ~rowMask || place.column & ((1u << wordBits) - 1) ||
        elementAt(place) != element)
      return std::nullopt;
    return tensorMemoryAddress(static_cast<uint32_t>(place.row),
                               static_cast<uint32_t>(place.column >> wordBits));
  }

  bool addWarps(TensorMemoryAccess &access, uint64_t rowMask) const {
    for (unsigned bit = 0; bit < bases.warps.size(); ++bit) {
      if (bit < warpRowBits) {
        access.addressOfWarp.push_back(
            tensorMemoryAddress(layout::nvidia::rowsOfWarp << bit, /*column=*/0));
        continue;
      }
      const std::optional<uint32_t> address = addressOf(bases.warps[bit], rowMask);
      if (!address)
        return false;
      access.addressOfWarp.push_back(*address);
    }
    return true;
  }

  /// Messages from where the elements begin that no message has yet.
  bool addMessages(TensorMemoryAccess &access, const Words &words, uint64_t rowMask) const {
    std::vector<bool> done(size_t(1) << bases.registers.size());
    for (unsigned r = 0; r < done.size(); ++r) {
      const uint64_t element = layout::sumOf(span(bases.registers), r);
      if (done[r] || registerOf.at(element) != r)
        continue;
      Place start = placeOf(element);
      start.row &= ~words.rows;
      start.column &= ~(words.columns | ((1u << wordBits) - 1));
      const uint64_t first = elementAt(start);
      const std::optional<uint32_t> address = addressOf(first, rowMask);
      if (!address)
        return false;
      TensorMemoryAccess::Message message = {*address, {}};
      for (unsigned word = 0; word < 1u << words.images.size(); ++word)
        for (unsigned part : parts) {
          auto found =
              registerOf.find(first ^ layout::sumOf(span(words.images), word) ^ imageOfPart(part));
          if (found == registerOf.end())
            return false;
          done[found->second] = true;
          message.registers.push_back(found->second);
        }
      // The place that was asked for is one of them, or messages would never end.
      if (!done[r])
        return false;
      access.messages.push_back(std::move(message));
    }
    return true;
  }

  const LinearLayout &memory;
  LinearLayout places;
  unsigned wordBits, maxWords;
  plan::LayoutBases bases;
  std::map<uint64_t, unsigned> registerOf;
  std::vector<unsigned> parts;
};

} // namespace

Result<TensorMemoryAccess> vendor::nvidia::planTensorMemoryAccess(std::span<const CopyAtom> copies,
                                                                  const LinearLayout &registers,
                                                                  const LinearLayout &memory,
                                                                  unsigned elementBits,
                                                                  unsigned maxWords) {
  const Planner planner(registers, memory, elementBits, maxWords);
  if (Result<void> warps = planner.checkWarps(); !warps)
    return Failure(warps.error());
  for (const CopyAtom &atom : copies)
    if (std::optional<TensorMemoryAccess> access = planner.plan(atom))
      return *std::move(access);
  return Failure("lanes and registers of the layout are those of no shape of tcgen05.ld and "
                 "tcgen05.st");
}
