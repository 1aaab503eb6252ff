//===- TensorMemoryRules.cpp - Views of tensor memory -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttng/TensorMemoryRules.h"

#include "ir/ttng/TensorMemory.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttng;
using layout::nvidia::columnDim;
using layout::nvidia::rowDim;

namespace {

/// The bytes of each row that a piece of tensor memory takes, from the place of its first element.
struct Footprint {
  uint64_t rowBytes = 0;
  uint64_t rows = 0;
  llvm::BitVector bytes; // row by row
};

} // namespace

/// The buffers of `type`, one after another, as its map places their elements; of a part, those of
/// the whole that are the part's.
static Footprint getFootprint(ttg::MemDescType type) {
  const unsigned rank = type.getLayoutRank();
  ArrayRef<int64_t> shape = type.getShape().take_back(rank);
  ArrayRef<int64_t> whole = type.getAllocShape().take_back(rank);
  const layout::LinearLayout map = toTensorMemoryLayout(
      ttg::MemDescType::get(whole, type.getElementType(), type.getEncoding(), type.getMemorySpace(),
                            type.getMutableMemory(), whole));
  const uint64_t elementBytes = getTensorMemoryElementBits(type) / 8;
  const uint64_t rows = map.inSize(rowDim()), columns = map.inSize(columnDim());
  const uint64_t bufferBytes = llvm::alignTo(columns * elementBytes, tensorMemoryWordBits / 8);
  uint64_t buffers = 1;
  for (int64_t size : type.getShape().drop_back(rank))
    buffers *= size;
  Footprint result{bufferBytes * buffers, rows, llvm::BitVector(bufferBytes * buffers * rows)};
  // A bit that leads nowhere leaves a hole; of scales there is a copy there.
  uint64_t holes = 0;
  if (!isa<TensorMemoryScalesEncodingAttr>(type.getEncoding()))
    holes = map.freeMask();
  for (uint64_t place = 0; place < rows * columns; ++place) {
    if (place & holes)
      continue;
    const uint64_t element = map.applyFlat(place);
    if (map.outValue(element, layout::dims::Dim0) >= uint64_t(shape[0]) ||
        map.outValue(element, layout::dims::Dim1) >= uint64_t(shape[1]))
      continue;
    const uint64_t row = map.inValue(place, rowDim()), column = map.inValue(place, columnDim());
    for (uint64_t buffer = 0; buffer < buffers; ++buffer) {
      const uint64_t at = row * result.rowBytes + buffer * bufferBytes + column * elementBytes;
      result.bytes.set(at, at + elementBytes);
    }
  }
  return result;
}

/// The first row and byte of it that `taken` has and `owned` has not; nothing if there is none.
static std::optional<std::pair<uint64_t, uint64_t>> findOutside(const Footprint &taken,
                                                                const Footprint &owned) {
  for (unsigned at : taken.bytes.set_bits()) {
    const uint64_t row = at / taken.rowBytes, byte = at % taken.rowBytes;
    if (row >= owned.rows || byte >= owned.rowBytes ||
        !owned.bytes.test(row * owned.rowBytes + byte))
      return std::pair{row, byte};
  }
  return std::nullopt;
}

/// Whether the blocks of a cluster have different parts of the tensor.
static bool isSharedOut(ttg::MemDescType type) {
  if (auto scales = dyn_cast<TensorMemoryScalesEncodingAttr>(type.getEncoding()))
    return scales.getCTASplitM() * scales.getCTASplitN() > 1 ||
           llvm::any_of(scales.getCGALayout(), [](unsigned value) { return value != 0; });
  auto tiles = cast<TensorMemoryEncodingAttr>(type.getEncoding());
  return tiles.getCTASplitM() * tiles.getCTASplitN() > 1 ||
         llvm::any_of(tiles.getCGALayout(), [](unsigned value) { return value != 0; });
}

LogicalResult TensorMemoryRules::verifyReinterpret(Operation *op, Type from, Type to) const {
  auto src = cast<ttg::MemDescType>(from), dst = cast<ttg::MemDescType>(to);
  if (src.getAllocShape().take_back(src.getLayoutRank()) !=
          src.getShape().take_back(src.getLayoutRank()) &&
      isSharedOut(src))
    return op->emitOpError() << "cannot take a part of memory that the blocks of a cluster share "
                                "out: "
                             << src;
  auto outside = findOutside(getFootprint(dst), getFootprint(src));
  if (!outside)
    return success();
  auto error = op->emitOpError() << "takes memory that is not the operand's: column "
                                 << outside->second / (tensorMemoryWordBits / 8) << " of row "
                                 << outside->first << ", for " << src << " as " << dst;
  error.attachNote() << "give the result a smaller shape or narrower elements";
  return error;
}
