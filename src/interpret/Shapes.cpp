//===- Shapes.cpp - Tiles of other shapes ---------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "interpret/Machine.h"

#include "ir/gluon/Dialect.h"
#include "ir/tt/Dialect.h"
#include "ir/ttg/Dialect.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::interpret;

/// Sets the result to a tensor of `shape` whose element at `coordinates` is the source's element
/// `from(coordinates)`.
static void rearrange(Machine &machine, Operation *op, const Tensor &source,
                      ArrayRef<int64_t> shape, llvm::function_ref<size_t(ArrayRef<int64_t>)> from) {
  auto result = std::make_shared<Tensor>(elementOf(op->getResult(0).getType()), shape);
  SmallVector<int64_t> coordinates(shape.size());
  for (size_t i = 0; i < result->size(); ++i) {
    result->copy(i, source, from(coordinates));
    for (size_t dim = shape.size(); dim-- > 0;) {
      if (++coordinates[dim] < shape[dim])
        break;
      coordinates[dim] = 0;
    }
  }
  machine.set(op->getResult(0), result);
  machine.spend(result->size(), op);
}

static void makeRange(Machine &machine, tt::MakeRangeOp op) {
  const TensorPtr result = machine.makeResult(op.getResult());
  for (size_t i = 0; i < result->size(); ++i)
    result->bits[i] = static_cast<uint64_t>(op.getStart()) + i;
  machine.spend(result->size(), op);
}

/// A tensor all of whose elements are the source's first one.
static void repeat(Machine &machine, Operation *op) {
  const TensorPtr source = machine.tensor(op->getOperand(0));
  rearrange(machine, op, *source, shapeOf(op->getResult(0).getType()),
            [](ArrayRef<int64_t>) { return 0; });
}

static void broadcast(Machine &machine, tt::BroadcastOp op) {
  const TensorPtr source = machine.tensor(op.getSrc());
  const SmallVector<int64_t> strides = stridesOf(source->shape);
  rearrange(machine, op, *source, shapeOf(op.getType()), [&](ArrayRef<int64_t> at) {
    int64_t from = 0;
    for (auto [coordinate, extent, stride] : llvm::zip(at, source->shape, strides))
      from += extent == 1 ? 0 : coordinate * stride;
    return static_cast<size_t>(from);
  });
}

/// The same elements in the result's shape, rows first.
static void reshape(Machine &machine, Operation *op) {
  auto result = std::make_shared<Tensor>(*machine.tensor(op->getOperand(0)));
  result->shape = shapeOf(op->getResult(0).getType());
  machine.set(op->getResult(0), result);
}

/// Where any order will do, variants have another one.
static void reshape(Machine &machine, tt::ReshapeOp op) {
  reshape(machine, op.getOperation());
  if (!op.getAllowReorder() || machine.launch.variant == Variant::Plain)
    return;
  const TensorPtr result = machine.tensor(op.getResult());
  std::reverse(result->bits.begin(), result->bits.end());
  std::reverse(result->undefined.begin(), result->undefined.end());
}

static void transpose(Machine &machine, tt::TransOp op) {
  const TensorPtr source = machine.tensor(op.getSrc());
  const SmallVector<int64_t> strides = stridesOf(source->shape);
  rearrange(machine, op, *source, shapeOf(op.getType()), [&](ArrayRef<int64_t> at) {
    int64_t from = 0;
    for (auto [coordinate, dim] : llvm::zip(at, op.getOrder()))
      from += coordinate * strides[dim];
    return static_cast<size_t>(from);
  });
}

/// Two tensors: element i of the result is element i / 2 of one of them.
static void join(Machine &machine, tt::JoinOp op) {
  const TensorPtr halves[] = {machine.tensor(op.getLhs()), machine.tensor(op.getRhs())};
  const TensorPtr result = machine.makeResult(op.getResult());
  for (size_t i = 0; i < result->size(); ++i)
    result->copy(i, *halves[i % 2], i / 2);
  machine.spend(result->size(), op);
}

static void split(Machine &machine, tt::SplitOp op) {
  const TensorPtr source = machine.tensor(op.getSrc());
  for (size_t half = 0; half < 2; ++half) {
    const TensorPtr result = machine.makeResult(op->getResult(half));
    for (size_t i = 0; i < result->size(); ++i)
      result->copy(i, *source, 2 * i + half);
  }
  machine.spend(source->size(), op);
}

/// Any order of the elements will do: variants begin with the second tensor.
static void concatenate(Machine &machine, tt::CatOp op) {
  TensorPtr first = machine.tensor(op.getLhs()), second = machine.tensor(op.getRhs());
  if (machine.launch.variant != Variant::Plain)
    std::swap(first, second);
  const TensorPtr result = machine.makeResult(op.getResult());
  for (size_t i = 0; i < result->size(); ++i)
    result->copy(i, i < first->size() ? *first : *second,
                 i < first->size() ? i : i - first->size());
  machine.spend(result->size(), op);
}

static void gather(Machine &machine, tt::GatherOp op) {
  const TensorPtr source = machine.tensor(op.getSrc()), indices = machine.tensor(op.getIndices());
  const SmallVector<int64_t> strides = stridesOf(source->shape), places = stridesOf(indices->shape);
  const size_t axis = op.getAxis();
  const unsigned width = widthOf(indices->element);
  SmallVector<size_t> outside;
  rearrange(machine, op, *source, shapeOf(op.getType()), [&](ArrayRef<int64_t> at) -> size_t {
    int64_t place = 0, from = 0;
    for (auto [coordinate, stride] : llvm::zip(at, places))
      place += coordinate * stride;
    const int64_t index = signExtend(indices->bits[place], width);
    if (indices->isUndefined(place) || index < 0 || index >= source->shape[axis]) {
      outside.push_back(place);
      return 0;
    }
    for (size_t dim = 0; dim < at.size(); ++dim)
      from += (dim == axis ? index : at[dim]) * strides[dim];
    return static_cast<size_t>(from);
  });
  for (size_t place : outside)
    machine.tensor(op.getResult())->setUndefined(place);
}

static void keep(Machine &machine, Operation *op) {
  machine.set(op->getResult(0), machine.get(op->getOperand(0)));
}

void interpret::addShapes(Handlers &handlers) {
  handlers.add<tt::MakeRangeOp>(makeRange);
  handlers.addAll<tt::SplatOp, tt::UnsplatOp>(repeat);
  handlers.add<tt::BroadcastOp>(broadcast);
  handlers.addAll<tt::ExpandDimsOp>([](Machine &machine, Operation *op) { reshape(machine, op); });
  handlers.add<tt::ReshapeOp>(reshape);
  handlers.add<tt::TransOp>(transpose);
  handlers.add<tt::JoinOp>(join);
  handlers.add<tt::SplitOp>(split);
  handlers.add<tt::CatOp>(concatenate);
  handlers.add<tt::GatherOp>(gather);
  handlers.addAll<ttg::ConvertLayoutOp, gluon::SetAutoLayoutOp>(keep);
}
