//===- RepeatedRegisters.cpp - Registers that hold equal values ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/core/types/RepeatedRegisters.h"

#include "analysis/AxisInfo.h"
#include "ir/ttg/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using layout::LinearLayout;

SmallVector<unsigned, 4> lower::getContiguousRegisterBits(const LinearLayout &layout,
                                                          unsigned dim) {
  SmallVector<unsigned, 4> bits;
  ArrayRef<uint64_t> bases(layout.bases(layout::dims::Register));
  const unsigned shift = layout.outShift(layout.outs()[dim].dim);
  while (bits.size() < layout.outs()[dim].bits) {
    const uint64_t *basis = llvm::find(bases, uint64_t(1) << (shift + bits.size()));
    if (basis == bases.end())
      break;
    bits.push_back(basis - bases.begin());
  }
  // What moves a thread's first element moves it by a multiple of the group's size.
  const uint64_t mask = layout.outMask(layout.outs()[dim].dim);
  for (uint64_t basis : layout.bases())
    if (uint64_t along = basis & mask; along && !llvm::isPowerOf2_64(along))
      bits.truncate(std::min<size_t>(bits.size(), llvm::countr_zero(along) - shift));
  return bits;
}

/// The register bits that move an element within its group; `groups[i]` is the size of those
/// along dimension i, a power of two. Layouts are linear: a bit moves the elements of all threads
/// by XOR of the same numbers, and what is below a group's size does not lead out of it.
static uint64_t bitsWithinGroups(const LinearLayout &layout, ArrayRef<int32_t> groups) {
  uint64_t mask = 0;
  for (auto [bit, basis] : llvm::enumerate(layout.bases(layout::dims::Register))) {
    auto staysInGroup = [&, basis = basis](auto dimension) {
      auto [out, group] = dimension;
      return (basis & layout.outMask(out.dim)) >> layout.outShift(out.dim) <
             static_cast<uint64_t>(group);
    };
    if (basis && llvm::all_of(llvm::zip_equal(layout.outs(), groups), staysInGroup))
      mask |= uint64_t(1) << bit;
  }
  return mask;
}

static SmallVector<int32_t> getConstancies(const transform::AxisInfoAnalysis &axes, Value value) {
  return llvm::map_to_vector(axes.get(value).dims, [](const transform::DimInfo &dim) {
    return static_cast<int32_t>(dim.constancy);
  });
}

void lower::setConstancy(Operation *op, const transform::AxisInfoAnalysis &axes) {
  if (!isa_and_present<arith::ArithDialect>(op->getDialect()) || op->getNumResults() != 1 ||
      op->getNumOperands() == 0)
    return;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !type.getElementType().isIntOrIndex() || !tt::getLayoutEncoding(type))
    return;
  LinearLayout layout = ttg::toLinearLayout(type);
  SmallVector<int32_t> groups = getConstancies(axes, op->getResult(0));
  uint64_t unseen = bitsWithinGroups(layout, groups);
  if (!unseen)
    return;
  uint64_t seen = unseen;
  for (Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()))
      seen &= bitsWithinGroups(layout, getConstancies(axes, operand));
  if (seen != unseen)
    op->setAttr(ttg::constancyAttrName, DenseI32ArrayAttr::get(op->getContext(), groups));
}

uint64_t lower::getRepeatedRegisterBits(Operation *op) {
  auto groups = op->getAttrOfType<DenseI32ArrayAttr>(ttg::constancyAttrName);
  if (!groups || op->getNumResults() != 1)
    return 0;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  auto isGroup = [](int32_t size) { return size > 0 && llvm::isPowerOf2_32(size); };
  if (!type || !tt::getLayoutEncoding(type) || groups.size() != type.getRank() ||
      !llvm::all_of(groups.asArrayRef(), isGroup))
    return 0;
  return bitsWithinGroups(ttg::toLinearLayout(type), groups);
}
