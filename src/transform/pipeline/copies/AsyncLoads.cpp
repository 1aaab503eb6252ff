//===- AsyncLoads.cpp - Loads that asynchronous copies can make ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/copies/AsyncLoads.h"

#include "ir/ttg/query/Conversion.h"
#include "ir/ttg/query/OpKinds.h"
#include "plan/shared/LocalAccess.h"

using namespace mlir;
using namespace tilewright;
using layout::LinearLayout;
using transform::ConvertedUse;

//===----------------------------------------------------------------------------===//
// The layout in shared memory
//===----------------------------------------------------------------------------===//

/// The one encoding of the allocations that `load` initializes; null if it has other users as well.
static ttg::SharedLayoutEncoding getAllocatedEncoding(tt::LoadOp load) {
  Attribute encoding;
  for (Operation *user : load->getUsers()) {
    auto alloc = dyn_cast<ttg::LocalAllocOp>(user);
    if (!alloc || (encoding && alloc.getType().getEncoding() != encoding))
      return {};
    encoding = alloc.getType().getEncoding();
  }
  auto shared = dyn_cast_or_null<ttg::SharedLayoutEncoding>(encoding);
  return shared && shared.isLinear() ? shared : ttg::SharedLayoutEncoding();
}

/// The map of a tensor whose dimensions `trans` has put into another order, to those from before.
static LinearLayout mapBefore(tt::TransOp trans, const LinearLayout &map) {
  const ArrayRef<int32_t> order = trans.getOrder();
  const unsigned rank = order.size();
  LinearLayout result = map;
  // Through names that no map of a tensor has.
  for (unsigned dim = 0; dim < rank; ++dim)
    result = result.renameOut(layout::Dim::tensor(dim), layout::Dim::tensor(rank + dim));
  SmallVector<layout::Dim> dimensions;
  for (unsigned dim = 0; dim < rank; ++dim) {
    result = result.renameOut(layout::Dim::tensor(rank + dim), layout::Dim::tensor(order[dim]));
    dimensions.push_back(layout::Dim::tensor(dim));
  }
  return result.transposeOuts(dimensions);
}

LinearLayout transform::ConvertedUse::getMap() const {
  const LinearLayout map = ttg::toLinearLayout(ttg::ConvertLayoutOp(convert).getType());
  return trans ? mapBefore(trans, map) : map;
}

SmallVector<transform::ConvertedUse> transform::getConvertedUses(tt::LoadOp load) {
  SmallVector<ConvertedUse> uses;
  for (Operation *user : load->getUsers()) {
    if (auto convert = dyn_cast<ttg::ConvertLayoutOp>(user)) {
      uses.push_back({{}, convert});
    } else if (auto trans = dyn_cast<tt::TransOp>(user)) {
      for (Operation *next : trans->getUsers())
        if (auto convert = dyn_cast<ttg::ConvertLayoutOp>(next);
            convert && next->getBlock() == load->getBlock())
          uses.push_back({trans, convert});
    }
  }
  return uses;
}

/// Rows along dimension `fastest`, whose parts of `vectorBytes` change places from row to row, or
/// after `repeats` times as many rows; 0 bytes: they do not. All banks of the memory have
/// `bankRowBytes` side by side.
static ttg::SharedLayoutEncoding createRows(RankedTensorType type, unsigned fastest,
                                            unsigned bankRowBytes, unsigned vectorBytes = 0,
                                            unsigned repeats = 1) {
  layout::SwizzledShared shared;
  shared.order = {fastest};
  for (unsigned dim = type.getRank(); dim-- > 0;)
    if (dim != fastest)
      shared.order.push_back(dim);
  const unsigned bytes = tt::getStorageBits(type.getElementType()) / 8;
  const unsigned length = type.getDimSize(fastest);
  if (vectorBytes && type.getRank() > 1 && length * bytes >= vectorBytes) {
    const unsigned rows = bankRowBytes / vectorBytes;
    shared.vec = vectorBytes / bytes;
    shared.perPhase = std::max(1u, bankRowBytes / (length * bytes));
    shared.maxPhase = std::max(1u, std::min(rows / shared.perPhase, length / shared.vec));
    shared.perPhase *= repeats;
  }
  return ttg::SwizzledSharedEncodingAttr::get(type.getContext(), shared);
}

/// Transactions of a warp that loads a tile of this type from memory with this layout, once for
/// each use.
static uint64_t countTransactions(RankedTensorType type, ArrayRef<ConvertedUse> uses,
                                  ttg::SharedLayoutEncoding encoding,
                                  const target::Target &target) {
  const plan::LocalMemory memory = {encoding.toLinearLayout(type.getShape()),
                                    tt::getStorageBits(type.getElementType())};
  uint64_t transactions = 0;
  for (const ConvertedUse &use : uses) {
    Result<plan::LocalAccessPlan> plan = plan::planLocalAccess(
        use.getMap(), memory, plan::LocalDirection::Load, target.sharedMemory());
    if (!plan)
      return ~uint64_t(0);
    transactions += plan->transactions;
  }
  return transactions;
}

/// Rows along dimension `fastest` from which a tile of this type is loaded for these uses with the
/// fewest conflicts.
static ttg::SharedLayoutEncoding chooseRows(RankedTensorType type, unsigned fastest,
                                            ArrayRef<ConvertedUse> uses,
                                            const target::Target &target) {
  const unsigned bankRowBytes = target.shared.bankRowBytes();
  ttg::SharedLayoutEncoding best = createRows(type, fastest, bankRowBytes);
  if (uses.empty())
    return best;
  uint64_t fewest = countTransactions(type, uses, best, target);
  // Copies write 16 bytes in a row.
  for (unsigned repeats : {1, 2, 4})
    for (unsigned vectorBytes : {16, 32, 64}) {
      ttg::SharedLayoutEncoding rows =
          createRows(type, fastest, bankRowBytes, vectorBytes, repeats);
      const uint64_t transactions = countTransactions(type, uses, rows, target);
      if (transactions >= fewest)
        continue;
      best = rows;
      fewest = transactions;
    }
  return best;
}

//===----------------------------------------------------------------------------===//
// The size of copies
//===----------------------------------------------------------------------------===//

/// The elements of a thread that follow each other along dimension `dim` and in shared memory.
static unsigned getNeighbors(RankedTensorType type, ttg::SharedLayoutEncoding encoding,
                             unsigned dim) {
  const LinearLayout layout = ttg::toLinearLayout(type);
  const LinearLayout offsets = layout.invertAndCompose(encoding.toLinearLayout(type.getShape()));
  const layout::Dim out = layout::Dim::tensor(dim);
  unsigned elements = 1;
  for (bool isLonger = true; isLonger; elements *= 2) {
    isLonger = false;
    for (unsigned bit = 0; bit < layout.inBits(layout::dims::Register); ++bit)
      isLonger |= layout.basis(layout::dims::Register, bit) == elements << layout.outShift(out) &&
                  offsets.basis(layout::dims::Register, bit, layout::dims::Offset) == elements &&
                  offsets.basis(layout::dims::Register, bit, layout::dims::Block) == 0;
    if (!isLonger)
      break;
  }
  return elements;
}

std::optional<transform::AsyncLoad> transform::planAsyncLoad(tt::LoadOp load,
                                                             const AxisInfoAnalysis &axes,
                                                             const target::Target &target) {
  auto type = dyn_cast<RankedTensorType>(load.getType());
  if (!type || !tt::getLayoutEncoding(type) || load.getIsVolatile() || load->use_empty())
    return std::nullopt;
  const unsigned bits = tt::getStorageBits(type.getElementType());
  auto widthOf = [&](unsigned dim) {
    return axes.getVectorWidth(load.getPtr(), load.getMask(), dim, target.maxAccessBits());
  };
  unsigned fastest = type.getRank() - 1;
  for (unsigned dim = type.getRank(); dim-- > 0;)
    if (widthOf(dim) > widthOf(fastest))
      fastest = dim;

  AsyncLoad result;
  if (ttg::SharedLayoutEncoding encoding = getAllocatedEncoding(load)) {
    result.encoding = encoding;
    result.isReadInMemory = true;
    // Nothing could put another value than zero there.
    if (load.getOther() && !ttg::isZero(load.getOther()))
      return std::nullopt;
  } else {
    result.encoding = chooseRows(type, fastest, getConvertedUses(load), target);
  }
  result.elements = std::min(widthOf(fastest), getNeighbors(type, result.encoding, fastest));
  if (!target.findAsyncCopy(result.elements * bits))
    return std::nullopt;
  return result;
}

//===----------------------------------------------------------------------------===//
// What copies replace
//===----------------------------------------------------------------------------===//

bool transform::needsOther(tt::LoadOp load) {
  return load.getMask() && load.getOther() && !ttg::isZero(load.getOther());
}

void transform::collectReplaced(Operation *load, llvm::SmallPtrSetImpl<Operation *> &replaced) {
  for (Operation *user : load->getUsers())
    if (isa<ttg::LocalAllocOp>(user))
      replaced.insert(user);
  if (auto ofPointers = dyn_cast<tt::LoadOp>(load); ofPointers && !needsOther(ofPointers))
    for (ConvertedUse &use : getConvertedUses(ofPointers))
      replaced.insert(use.convert);
}
