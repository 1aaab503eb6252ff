//===- SharedMemory.cpp - Tiles in memory of the block --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "interpret/SharedMemory.h"

#include "ir/tt/Dialect.h"
#include "ir/ttg/Dialect.h"
#include "ir/ttng/Dialect.h"
#include "ir/tw/Dialect.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::interpret;

/// Calls fn(number of the element, its place in the piece) for all elements of a view.
static void forEachElement(const View &view, llvm::function_ref<void(size_t, size_t)> fn) {
  SmallVector<int64_t> at(view.shape.size());
  int64_t place = view.offset;
  const size_t size = sizeOf(view.shape);
  for (size_t i = 0; i < size; ++i) {
    fn(i, static_cast<size_t>(place));
    for (size_t dim = at.size(); dim-- > 0;) {
      place += view.strides[dim];
      if (++at[dim] < view.shape[dim])
        break;
      place -= view.strides[dim] * view.shape[dim];
      at[dim] = 0;
    }
  }
}

TensorPtr interpret::readView(const View &view) {
  auto result = std::make_shared<Tensor>(view.element, view.shape);
  forEachElement(view, [&](size_t i, size_t place) {
    result->bits[i] = view.piece->bits[place];
    if (view.piece->undefined[place])
      result->setUndefined(i);
  });
  return result;
}

void interpret::writeView(const View &view, const Tensor &values) {
  forEachElement(view, [&](size_t i, size_t place) {
    view.piece->bits[place] = values.bits[i];
    view.piece->undefined[place] = values.isUndefined(i);
  });
}

void interpret::forget(const View &view) {
  forEachElement(view, [&](size_t, size_t place) { view.piece->undefined[place] = 1; });
}

/// A view of all of a new piece.
static View viewOf(ttg::MemDescType type, std::shared_ptr<Piece> piece = nullptr) {
  View view;
  view.piece = piece ? piece : std::make_shared<Piece>(sizeOf(type.getShape()));
  view.element = type.getElementType();
  view.shape.assign(type.getShape().begin(), type.getShape().end());
  view.strides = stridesOf(view.shape);
  return view;
}

//===--------------------------------------------------------------------------===//
// Allocation, loads, stores
//===--------------------------------------------------------------------------===//

static void allocate(Machine &machine, ttg::LocalAllocOp op) {
  const View view = viewOf(op.getType());
  if (op.getSrc())
    writeView(view, *machine.tensor(op.getSrc()));
  machine.set(op.getResult(), view);
  machine.spend(view.piece->bits.size(), op);
}

static void allocate(Machine &machine, ttng::TMEMAllocOp op) {
  const View view = viewOf(cast<ttg::MemDescType>(op.getResult().getType()));
  if (op.getSrc())
    writeView(view, *machine.tensor(op.getSrc()));
  machine.set(op.getResult(), view);
}

static void load(Machine &machine, ttg::LocalLoadOp op) {
  const TensorPtr loaded = readView(machine.view(op.getSrc()));
  machine.set(op.getResult(), loaded);
  machine.spend(loaded->size(), op);
}

static void load(Machine &machine, ttng::TMEMLoadOp op) {
  if (op.getRedOp())
    return machine.refuse(op, "with a reduction");
  const TensorPtr loaded = readView(machine.view(op.getSrc()));
  machine.set(op.getResult(), loaded);
  machine.spend(loaded->size(), op);
}

static void store(Machine &machine, ttg::LocalStoreOp op) {
  writeView(machine.view(op.getDst()), *machine.tensor(op.getSrc()));
  machine.spend(machine.tensor(op.getSrc())->size(), op);
}

static void store(Machine &machine, ttng::TMEMStoreOp op) {
  if (machine.truth(op.getPred(), op))
    writeView(machine.view(op.getDst()), *machine.tensor(op.getSrc()));
}

static void copy(Machine &machine, ttng::TMEMCopyOp op) {
  const View from = machine.view(op.getSrc()), to = machine.view(op.getDst());
  if (from.shape != to.shape || op.getBarrier())
    return machine.refuse(op, "that rearranges, or tells a barrier");
  writeView(to, *readView(from));
}

/// The place in the piece of element `i` of the indices, with the index as a coordinate of `axis`.
static int64_t placeAt(const View &view, const Tensor &indices, size_t i, size_t axis) {
  int64_t place = view.offset;
  auto rest = static_cast<int64_t>(i);
  const SmallVector<int64_t> strides = stridesOf(indices.shape);
  for (size_t dim = 0; dim < strides.size(); ++dim) {
    const int64_t at =
        dim == axis ? signExtend(indices.bits[i], widthOf(indices.element)) : rest / strides[dim];
    rest %= strides[dim];
    if (at < 0 || at >= view.shape[dim])
      return -1;
    place += at * view.strides[dim];
  }
  return place;
}

static void gather(Machine &machine, ttg::LocalGatherOp op) {
  const View view = machine.view(op.getSrc());
  const TensorPtr indices = machine.tensor(op.getIndices());
  const TensorPtr result = machine.makeResult(op.getResult());
  for (size_t i = 0; i < result->size(); ++i) {
    const int64_t place = placeAt(view, *indices, i, op.getAxis());
    if (place < 0 || view.piece->undefined[place] || indices->isUndefined(i))
      result->setUndefined(i);
    else
      result->bits[i] = view.piece->bits[place];
  }
}

static void scatter(Machine &machine, ttg::LocalScatterOp op) {
  const View view = machine.view(op.getDst());
  const TensorPtr indices = machine.tensor(op.getIndices()),
                  values = machine.tensor(op.getValues());
  for (size_t i = 0; i < values->size(); ++i) {
    const int64_t place = placeAt(view, *indices, i, op.getAxis());
    if (place < 0 || indices->isUndefined(i))
      return machine.fault(op, "an index is outside of the memory");
    view.piece->bits[place] = values->bits[i];
    view.piece->undefined[place] = values->isUndefined(i);
  }
}

//===--------------------------------------------------------------------------===//
// Views
//===--------------------------------------------------------------------------===//

static void index(Machine &machine, ttg::MemDescIndexOp op) {
  View view = machine.view(op.getSrc());
  const int64_t at = machine.integer(op.getIndex(), op);
  if (at < 0 || at >= view.shape[0])
    return machine.fault(op, "there is no buffer " + std::to_string(at));
  view.offset += at * view.strides[0];
  view.shape.erase(view.shape.begin());
  view.strides.erase(view.strides.begin());
  machine.set(op.getResult(), view);
}

static void slice(Machine &machine, ttg::MemDescSubsliceOp op) {
  View view = machine.view(op.getSrc());
  for (auto [offset, stride] : llvm::zip(op.getOffsets(), view.strides))
    view.offset += offset * stride;
  view.shape.assign(op.getType().getShape().begin(), op.getType().getShape().end());
  machine.set(op.getResult(), view);
}

static void slice(Machine &machine, ttng::TMEMSubSliceOp op) {
  View view = machine.view(op.getSrc());
  const bool ofRows = op.getDim() && *op.getDim() == 0;
  view.offset += op.getFirst() * view.strides[view.strides.size() - (ofRows ? 2 : 1)];
  const auto type = cast<ttg::MemDescType>(op.getType());
  view.shape.assign(type.getShape().begin(), type.getShape().end());
  machine.set(op.getResult(), view);
}

static void transpose(Machine &machine, ttg::MemDescTransOp op) {
  const View source = machine.view(op.getSrc());
  View view = source;
  for (auto [i, dim] : llvm::enumerate(op.getOrder())) {
    view.shape[i] = source.shape[dim];
    view.strides[i] = source.strides[dim];
  }
  machine.set(op.getResult(), view);
}

/// A view of what lies without gaps has strides of any shape. Others keep the dimensions that do
/// not change; what is left is refused.
static void reshape(Machine &machine, ttg::MemDescReshapeOp op) {
  View view = machine.view(op.getSrc());
  if (view.strides != stridesOf(view.shape))
    return machine.refuse(op, "of a view with gaps");
  view.shape.assign(op.getType().getShape().begin(), op.getType().getShape().end());
  view.strides = stridesOf(view.shape);
  machine.set(op.getResult(), view);
}

static void reinterpret(Machine &machine, ttg::MemDescReinterpretOp op) {
  const View source = machine.view(op.getSrc());
  View view = viewOf(op.getType(), source.piece);
  if (widthOf(view.element) != widthOf(source.element) || view.shape != source.shape)
    return machine.refuse(op, "as another shape or another size of elements");
  view.offset = source.offset;
  view.strides = source.strides;
  machine.set(op.getResult(), view);
}

/// Memory that has its place: what stands there is found again.
static void placed(Machine &machine, tw::TensorMemoryViewOp op) {
  auto type = cast<ttg::MemDescType>(op.getResult().getType());
  const auto size = static_cast<int64_t>(sizeOf(type.getShape()));
  std::shared_ptr<Piece> &piece = machine.placedPieces[{op.getRow(), op.getColumn(), size}];
  if (!piece)
    piece = std::make_shared<Piece>(static_cast<size_t>(size));
  machine.set(op.getResult(), viewOf(type, piece));
}

static void reserve(Machine &machine, tw::TensorMemoryReserveOp op) {
  machine.set(op.getBase(), makeScalar(op.getBase().getType(), 0));
}

void interpret::addSharedMemory(Handlers &handlers) {
  handlers.add<ttg::LocalAllocOp>(allocate);
  handlers.add<ttng::TMEMAllocOp>(allocate);
  handlers.add<ttg::LocalLoadOp>(load);
  handlers.add<ttng::TMEMLoadOp>(load);
  handlers.add<ttg::LocalStoreOp>(store);
  handlers.add<ttng::TMEMStoreOp>(store);
  handlers.add<ttng::TMEMCopyOp>(copy);
  handlers.add<ttg::LocalGatherOp>(gather);
  handlers.add<ttg::LocalScatterOp>(scatter);
  handlers.add<ttg::MemDescIndexOp>(index);
  handlers.add<ttg::MemDescSubsliceOp>(slice);
  handlers.add<ttng::TMEMSubSliceOp>(slice);
  handlers.add<ttg::MemDescTransOp>(transpose);
  handlers.add<ttg::MemDescReshapeOp>(reshape);
  handlers.add<ttg::MemDescReinterpretOp>(reinterpret);
  handlers.add<tw::TensorMemoryViewOp>(placed);
  handlers.add<tw::TensorMemoryReserveOp>(reserve);
  handlers.addAll<ttg::LocalDeallocOp, tw::TensorMemoryReleaseOp>([](Machine &, Operation *) {});
}
