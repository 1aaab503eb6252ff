//===- RepeatedRegisters.cpp - Registers that follow from others --------------===//
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

/// The groups that the attribute `name` gives the one result of `op`; empty without a usable one.
static ArrayRef<int32_t> getGroups(Operation *op, StringRef name) {
  auto groups = op->getAttrOfType<DenseI32ArrayAttr>(name);
  if (!groups || op->getNumResults() != 1)
    return {};
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  auto isGroup = [](int32_t size) { return size > 0 && llvm::isPowerOf2_32(size); };
  if (!type || !tt::getLayoutEncoding(type) || groups.size() != type.getRank() ||
      !llvm::all_of(groups.asArrayRef(), isGroup))
    return {};
  return groups.asArrayRef();
}

uint64_t lower::getRepeatedRegisterBits(Operation *op) {
  const ArrayRef<int32_t> groups = getGroups(op, ttg::constancyAttrName);
  if (groups.empty())
    return 0;
  return bitsWithinGroups(ttg::toLinearLayout(cast<RankedTensorType>(op->getResult(0).getType())),
                          groups);
}

//===----------------------------------------------------------------------------===//
// Neighbours
//===----------------------------------------------------------------------------===//

/// The steps of the register bits of `layout` that move an element along one dimension, within its
/// group there. A bit whose number no other bit of the layout moves an element by adds that number
/// in every thread.
static SmallVector<int64_t, 6> getSteps(const LinearLayout &layout, ArrayRef<int32_t> groups) {
  SmallVector<int64_t, 6> steps;
  for (uint64_t basis : layout.bases(layout::dims::Register)) {
    int64_t &step = steps.emplace_back(0);
    const bool isAlone =
        llvm::isPowerOf2_64(basis) &&
        llvm::count_if(layout.bases(), [&](uint64_t other) { return (other & basis) != 0; }) == 1;
    for (auto [out, group] : llvm::zip_equal(layout.outs(), groups))
      if (const uint64_t along = (basis & layout.outMask(out.dim)) >> layout.outShift(out.dim);
          isAlone && along && along < static_cast<uint64_t>(group))
        step = static_cast<int64_t>(along);
  }
  return steps;
}

static bool hasSteps(const SteppedRegisters &registers) {
  return llvm::any_of(registers.steps, [](int64_t step) { return step != 0; });
}

std::pair<unsigned, int64_t> SteppedRegisters::getOrigin(unsigned number) const {
  int64_t distance = 0;
  for (auto [bit, step] : llvm::enumerate(steps))
    if (const unsigned mask = 1u << bit; step && (number & mask)) {
      number &= ~mask;
      distance += step;
    }
  return {number, distance};
}

void lower::setContiguity(Operation *op, const transform::AxisInfoAnalysis &axes) {
  if (!isa<arith::RemSIOp, arith::RemUIOp>(op))
    return;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !tt::getLayoutEncoding(type))
    return;
  const auto groups =
      llvm::map_to_vector(axes.get(op->getResult(0)).dims, [](const transform::DimInfo &dim) {
        return static_cast<int32_t>(dim.contiguity);
      });
  if (hasSteps({getSteps(ttg::toLinearLayout(type), groups)}))
    op->setAttr(lower::contiguityAttrName, DenseI32ArrayAttr::get(op->getContext(), groups));
}

SteppedRegisters lower::getSteppedRegisters(Operation *op) {
  const ArrayRef<int32_t> groups = getGroups(op, lower::contiguityAttrName);
  if (groups.empty())
    return {};
  SteppedRegisters result = {
      getSteps(ttg::toLinearLayout(cast<RankedTensorType>(op->getResult(0).getType())), groups)};
  return hasSteps(result) ? result : SteppedRegisters();
}
