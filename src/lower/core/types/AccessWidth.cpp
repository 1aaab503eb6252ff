//===- AccessWidth.cpp - Vector widths of loads and stores --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/core/types/AccessWidth.h"

#include "analysis/AxisInfo.h"
#include "ir/ttg/query/Conversion.h"
#include "ir/tw/Dialect.h"
#include "lower/core/Passes.h"
#include "lower/core/TargetLowering.h"
#include "lower/core/VendorLowering.h"
#include "lower/core/types/RepeatedRegisters.h"

namespace tilewright::lower {
#define GEN_PASS_DEF_SETACCESSWIDTH
#include "lower/core/Passes.h.inc"
} // namespace tilewright::lower

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using layout::LinearLayout;

namespace {

/// What one access takes: `elements` neighbours along `dim`.
struct Access {
  int32_t dim = 0;
  int32_t elements = 1;
};

Access findAccess(const transform::AxisInfoAnalysis &axes, Value pointer, Value mask,
                  unsigned maxBits) {
  auto type = cast<RankedTensorType>(pointer.getType());
  LinearLayout layout = ttg::toLinearLayout(type);
  Access best;
  for (int32_t dim : llvm::seq<int32_t>(0, type.getRank())) {
    int32_t inThread = 1 << getContiguousRegisterBits(layout, dim).size();
    int32_t inMemory = axes.getVectorWidth(pointer, mask, dim, maxBits);
    if (int32_t elements = std::min(inThread, inMemory); elements > best.elements)
      best = {dim, elements};
  }
  return best;
}

int32_t getElementBytes(Value pointer) {
  return tt::getStorageBits(tt::getElementTypeOrSelf(tt::getPointeeType(pointer.getType()))) / 8;
}

/// Bytes to which each single pointer of `pointer` is known to be aligned, up to `maxBits`. Where
/// elements are not neighbours in memory this may be more than an element's size.
int32_t findAlignment(const transform::AxisInfoAnalysis &axes, Value pointer, unsigned maxBits) {
  return std::min<int64_t>(axes.get(pointer).divisorOfAll(getElementBytes(pointer)), maxBits / 8);
}

/// The memory access of an op.
struct MemoryOp {
  Value pointer, mask;
  /// Bits of the widest access.
  unsigned maxBits;
};

/// Atomic operations on several elements are those that the target has.
unsigned getMaxAtomicBits(tt::AtomicRMWOp op, const TargetLowering *target) {
  Type element = tt::getElementTypeOrSelf(op.getType());
  if (!target || op.getAtomicRmwOp() != tt::RMWOp::FADD || element.getIntOrFloatBitWidth() < 16)
    return tt::getStorageBits(element);
  return target->getMaxAtomicBits(LLVM::AtomicBinOp::fadd, element);
}

MemoryOp getMemoryOp(Operation *op, const TargetLowering *target) {
  const unsigned maxBits = ttg::getMaxAccessBits(op);
  if (auto load = dyn_cast<tt::LoadOp>(op))
    return {load.getPtr(), load.getMask(), maxBits};
  if (auto store = dyn_cast<tt::StoreOp>(op))
    return {store.getPtr(), store.getMask(), maxBits};
  if (auto copy = dyn_cast<ttg::AsyncCopyGlobalToLocalOp>(op))
    return {copy.getSrc(), copy.getMask(), maxBits};
  if (auto atomic = dyn_cast<tt::AtomicRMWOp>(op))
    return {atomic.getPtr(), atomic.getMask(), getMaxAtomicBits(atomic, target)};
  return {};
}

/// The access that an op's attribute names, if it fits the op and the target.
std::optional<Access> readAccess(Operation *op, const LinearLayout &layout, int32_t maxElements) {
  auto attr = op->getAttrOfType<DenseI32ArrayAttr>(ttg::accessWidthAttrName);
  if (!attr || attr.size() != 2)
    return std::nullopt;
  Access access{attr[0], attr[1]};
  if (access.dim < 0 || access.dim >= static_cast<int32_t>(layout.outs().size()) ||
      !llvm::isPowerOf2_32(access.elements) || access.elements > maxElements ||
      access.elements > 1 << getContiguousRegisterBits(layout, access.dim).size())
    return std::nullopt;
  return access;
}

/// Bytes to which the rows of a matrix in memory are aligned, where its columns are neighbours; 1
/// where they are not, or are checked one by one.
template <typename Op> int32_t findRowAlignment(const transform::AxisInfoAnalysis &axes, Op op) {
  const Value alongRows = op.getTransposed() ? op.getStride1() : op.getStride0(),
              alongColumns = op.getTransposed() ? op.getStride0() : op.getStride1();
  if (!matchPattern(alongColumns, m_One()) || op.getColsChecked())
    return 1;
  const int32_t bytes = getElementBytes(op.getBase());
  int64_t alignment =
      std::min<int64_t>(axes.get(op.getBase()).divisorOfAll(bytes), ttg::getMaxAccessBits(op) / 8);
  for (Value inElements : {alongRows, Value(op.getColumn())})
    alignment = std::min(alignment, axes.get(inElements).divisorOfAll() * bytes);
  return static_cast<int32_t>(alignment);
}

static bool hasOpHints(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        const bool has = op->hasAttr(transform::contiguityAttrName) ||
                         op->hasAttr(transform::divisibilityAttrName) ||
                         op->hasAttr(transform::constancyAttrName);
        return has ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Sets the attributes that AccessWidths, getRepeatedRegisterBits and getSteppedRegisters read.
struct SetAccessWidthPass : lower::impl::SetAccessWidthBase<SetAccessWidthPass> {

  void runOnOperation() override {
    ModuleOp module = getOperation();
    std::unique_ptr<TargetLowering> target = createTargetLowering(module);
    const transform::AxisInfoAnalysis axes(module);
    std::optional<transform::AxisInfoAnalysis> withoutHints;
    if (hasOpHints(module))
      withoutHints.emplace(module, transform::OpHints::Ignored);
    // Values follow from facts that hold.
    const transform::AxisInfoAnalysis &proven = withoutHints ? *withoutHints : axes;
    module.walk([&](Operation *op) {
      if (auto load = dyn_cast<tw::CoopMatrixLoadOp>(op))
        return setAlignment(op, findRowAlignment(axes, load), getElementBytes(load.getBase()));
      if (auto store = dyn_cast<tw::CoopMatrixStoreOp>(op))
        return setAlignment(op, findRowAlignment(axes, store), getElementBytes(store.getBase()));
      auto [pointer, mask, maxBits] = getMemoryOp(op, target.get());
      if (!pointer) {
        setConstancy(op, proven);
        return setContiguity(op, proven);
      }
      if (!tt::getLayoutEncoding(pointer.getType()))
        return;
      Access access = findAccess(axes, pointer, mask, maxBits);
      op->setAttr(ttg::accessWidthAttrName,
                  DenseI32ArrayAttr::get(&getContext(), {access.dim, access.elements}));
      // Wide accesses are aligned to their size, which is as much as the target can use.
      int32_t alignment = access.elements == 1 && !isa<tt::AtomicRMWOp>(op)
                              ? findAlignment(axes, pointer, maxBits)
                              : 1;
      setAlignment(op, alignment, getElementBytes(pointer));
    });
  }

private:
  /// Notes an alignment of more than `least`.
  void setAlignment(Operation *op, int32_t alignment, int32_t least) {
    if (alignment > least)
      op->setAttr(ttg::accessAlignmentAttrName,
                  IntegerAttr::get(IntegerType::get(&getContext(), 32), alignment));
  }
};

} // namespace

AccessWidths::AccessWidths(ModuleOp module, const TargetLowering &target) {
  std::optional<transform::AxisInfoAnalysis> axes;
  module.walk([&](Operation *op) {
    auto [pointer, mask, maxBits] = getMemoryOp(op, &target);
    if (!pointer)
      return;
    AccessWidth &width = widths[op];
    unsigned elementBytes = getElementBytes(pointer);
    if (auto type = dyn_cast<RankedTensorType>(pointer.getType())) {
      LinearLayout layout = ttg::toLinearLayout(type);
      std::optional<Access> access = readAccess(op, layout, maxBits / (8 * elementBytes));
      if (!access) {
        if (!axes)
          axes.emplace(module);
        access = findAccess(*axes, pointer, mask, maxBits);
      }
      width.registerBits = getContiguousRegisterBits(layout, access->dim);
      width.registerBits.truncate(llvm::Log2_32(access->elements));
    }
    width.alignment = width.elements() * elementBytes;
    if (auto attr = op->getAttrOfType<IntegerAttr>(ttg::accessAlignmentAttrName);
        attr && isa<tt::LoadOp, tt::StoreOp>(op) && attr.getValue().isPowerOf2() &&
        attr.getValue().ule(maxBits / 8))
      width.alignment = std::max<unsigned>(width.alignment, attr.getInt());
  });
}

std::unique_ptr<Pass> lower::createSetAccessWidthPass() {
  return std::make_unique<SetAccessWidthPass>();
}
