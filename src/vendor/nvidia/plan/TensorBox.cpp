//===- TensorBox.cpp - Boxes of the tensor memory accelerator -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/plan/TensorBox.h"

#include "ir/tt/Dialect.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::vendor::nvidia;

/// cuTensorMapEncodeTiled: the most elements of a box in a dimension, and of dimensions; what the
/// bytes of a row must be a multiple of.
static constexpr int64_t maxBoxSize = 256, maxRank = 5;
static constexpr unsigned rowGranule = 16;

uint64_t TensorBox::bytes() const {
  uint64_t elements = 1;
  for (int64_t size : shape)
    elements *= static_cast<uint64_t>(size);
  return elements * elementBytes;
}

int TensorBox::swizzleMode() const {
  return swizzleBytes ? static_cast<int>(llvm::Log2_32(swizzleBytes / rowGranule)) : 0;
}

Result<TensorBox> vendor::nvidia::getTensorBox(RankedTensorType block) {
  TensorBox box;
  box.elementBytes = tt::getStorageBits(block.getElementType()) / 8;
  if (!box.elementBytes)
    return Failure("its elements are smaller than a byte");
  if (block.getRank() > maxRank)
    return Failure("it has more than 5 dimensions");
  Attribute encoding = block.getEncoding();
  if (auto nvmma = dyn_cast_if_present<ttg::NvmmaSharedEncodingAttr>(encoding)) {
    if (nvmma.getLayout().transposed)
      return Failure("its layout in shared memory is transposed");
    if (nvmma.getLayout().fp4Padded)
      return Failure("its layout in shared memory is padded");
    box.swizzleBytes = nvmma.getLayout().swizzlingByteWidth;
  }
  for (int64_t size : block.getShape())
    box.shape.push_back(std::min(size, maxBoxSize));
  int64_t &columns = box.shape.back();
  if (box.swizzleBytes)
    columns = box.swizzleBytes / box.elementBytes;
  if (columns * box.elementBytes % rowGranule != 0)
    return Failure("a row of it has " + std::to_string(columns * box.elementBytes) +
                   " bytes, which is not a multiple of 16");
  if (columns > block.getShape().back())
    return Failure("its rows are shorter than the swizzle of its layout in shared memory");
  return box;
}

std::optional<int> vendor::nvidia::getTensorMapElement(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    const bool isSigned = !integer.isUnsignedInteger();
    switch (integer.getWidth()) {
    case 8:
      return 0;
    case 16:
      return 1;
    case 32:
      return isSigned ? 3 : 2;
    case 64:
      return isSigned ? 5 : 4;
    default:
      return std::nullopt;
    }
  }
  if (type.isF16())
    return 6;
  if (type.isF32())
    return 7;
  if (type.isF64())
    return 9;
  if (type.isBF16())
    return 10;
  if (auto number = dyn_cast<FloatType>(type); number && number.getWidth() == 8)
    return 0;
  return std::nullopt;
}

std::optional<llvm::StringRef> vendor::nvidia::getTensorMapElementName(Type type) {
  static constexpr llvm::StringRef names[] = {"u8",  "u16", "u32",     "s32", "u64", "s64",
                                              "f16", "f32", "f32.ftz", "f64", "bf16"};
  std::optional<int> number = getTensorMapElement(type);
  return number ? std::optional(names[*number]) : std::nullopt;
}
