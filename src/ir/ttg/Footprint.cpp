//===- Footprint.cpp - The bytes that a view of memory owns -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The offset of an element is the XOR of the offsets of its coordinates' bits. Bits below the size
// of the view move within it (`inner`), those above choose which part of the memory it is
// (`outer`). An element lies at a fixed distance from the first one of the view exactly where
// `inner` and `outer` offsets have no bit in common: then XOR is addition.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Footprint.h"

#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttg;

namespace {

/// Offsets of the bits of coordinates, in elements.
struct OffsetBits {
  SmallVector<uint64_t> inner;
  uint64_t outer = 0;       // joined
  bool outerBlocks = false; // an outer bit chooses a block of the cluster
};

} // namespace

static OffsetBits getOffsetBits(MemDescType type) {
  OffsetBits result;
  layout::LinearLayout offsets = type.toOffsets();
  ArrayRef<int64_t> shape = type.getShape().take_back(type.getLayoutRank());
  for (auto [dim, size] : llvm::enumerate(shape)) {
    layout::Dim in = layout::Dim::tensor(dim);
    for (unsigned bit = 0; bit < offsets.inBits(in); ++bit) {
      uint64_t offset = offsets.basis(in, bit, layout::dims::Offset);
      if (bit < llvm::Log2_64(size)) {
        result.inner.push_back(offset);
        continue;
      }
      result.outer |= offset;
      result.outerBlocks |= offsets.basis(in, bit, layout::dims::Block) != 0;
    }
  }
  return result;
}

/// Whether `type` is made of whole buffers.
static bool hasWholeBuffers(MemDescType type) {
  return type.getLayoutShape() == type.getShape().take_back(type.getLayoutRank());
}

/// Bits that an element takes.
static uint64_t getWidth(MemDescType type) {
  uint64_t bits = tt::getElementBits(type.getElementType());
  return bits == 1 ? 8 : bits; // an i1 has a byte
}

static uint64_t countBuffers(MemDescType type) {
  uint64_t count = 1;
  for (int64_t size : type.getBufferShape())
    count *= size;
  return count;
}

/// As many bytes as the buffers of `type` have from the first one's start to the last one's end.
static uint64_t countBytes(MemDescType type) {
  return llvm::divideCeil(countBuffers(type) * type.getBufferStride() * getWidth(type), 8);
}

/// The bytes of the elements of `type`, in all of its buffers. `inner`: see OffsetBits.
static llvm::BitVector getElementBytes(MemDescType type, ArrayRef<uint64_t> inner) {
  SmallVector<uint64_t> offsets = {0};
  for (uint64_t basis : inner)
    for (size_t i = 0, count = offsets.size(); basis && i < count; ++i)
      offsets.push_back(offsets[i] ^ basis);
  llvm::BitVector bytes(countBytes(type));
  uint64_t width = getWidth(type), stride = type.getBufferStride();
  for (uint64_t buffer = 0; buffer < countBuffers(type); ++buffer)
    for (uint64_t offset : offsets) {
      uint64_t at = (buffer * stride + type.getSharedEncoding().paddedOffset(offset)) * width;
      bytes.set(at / 8, llvm::divideCeil(at + width, 8));
    }
  return bytes;
}

Result<llvm::BitVector> ttg::getFootprint(MemDescType type) {
  if (hasWholeBuffers(type))
    return llvm::BitVector(countBytes(type), true);
  OffsetBits bits = getOffsetBits(type);
  if (bits.outerBlocks)
    return Failure("the blocks of the cluster hold different parts of the memory");
  if (bits.outer && type.getSharedEncoding().hasPadding())
    return Failure("there are holes between its elements");
  for (uint64_t offset : bits.inner)
    if (offset & bits.outer)
      return Failure("its swizzle depends on which part of the memory it is");
  return getElementBytes(type, bits.inner);
}

std::optional<EnclosingBuffers> ttg::findEnclosingBuffers(Value view) {
  EnclosingBuffers buffers;
  while (auto index = view.getDefiningOp<MemDescIndexOp>()) {
    view = index.getSrc();
    if (!index.getSrc().getType().inSharedMemory() || !hasWholeBuffers(index.getSrc().getType()))
      return std::nullopt;
    buffers.choices.insert(buffers.choices.begin(), {index, countBytes(index.getType())});
  }
  if (buffers.choices.empty())
    return std::nullopt;
  buffers.memory = cast<MemDescType>(view.getType());
  buffers.bytes = countBytes(buffers.memory);
  return buffers;
}

uint64_t EnclosingBuffers::getKnownBegin() const {
  uint64_t begin = 0;
  for (auto [index, stride] : choices)
    if (APInt number; matchPattern(index.getIndex(), m_ConstantInt(&number)))
      begin += number.getZExtValue() * stride;
  return begin;
}
