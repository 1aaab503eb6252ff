//===- Collectives.cpp - Reductions, scans, histograms --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The region of a reduction combines two elements. Where all its ops are on elements, it is run on
// whole slices of the tensor at once.
//
//===--------------------------------------------------------------------------===//

#include "interpret/Machine.h"

#include "ir/tt/Dialect.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::interpret;

namespace {

/// An element of each operand, or all elements of a slice of each.
using Slice = SmallVector<TensorPtr, 2>;

/// The function of a region.
class Combiner {
public:
  Combiner(Machine &machine, Region &region) : machine(machine), region(region) {
    takesSlices = region.hasOneBlock() && llvm::all_of(region.front(), [](Operation &op) {
                    return op.getNumRegions() == 0 && !isa<tt::CallOp>(op);
                  });
  }

  Slice operator()(const Slice &first, const Slice &second) const {
    if (takesSlices)
      return combine(first, second);
    Slice result;
    for (const TensorPtr &operand : first)
      result.push_back(std::make_shared<Tensor>(operand->element, operand->shape));
    for (size_t i = 0; i < first[0]->size() && !machine.hasStopped(); ++i)
      for (auto [whole, one] :
           llvm::zip(result, combine(elementOf(first, i), elementOf(second, i))))
        whole->copy(i, *one, 0);
    return result;
  }

private:
  static Slice elementOf(const Slice &slice, size_t index) {
    Slice element;
    for (const TensorPtr &operand : slice) {
      element.push_back(std::make_shared<Tensor>(operand->element, ArrayRef<int64_t>()));
      element.back()->copy(0, *operand, index);
    }
    return element;
  }

  Slice combine(const Slice &first, const Slice &second) const {
    Data arguments(first.begin(), first.end());
    arguments.append(second.begin(), second.end());
    Slice results;
    for (auto [datum, operand] : llvm::zip(machine.runRegion(region, arguments), first)) {
      TensorPtr result = std::get<TensorPtr>(datum);
      if (result->size() != operand->size()) {
        auto whole = std::make_shared<Tensor>(operand->element, operand->shape);
        for (size_t i = 0; i < whole->size(); ++i)
          whole->copy(i, *result, 0);
        result = whole;
      }
      results.push_back(result);
    }
    return machine.hasStopped() ? first : results;
  }

  Machine &machine;
  Region &region;
  bool takesSlices;
};

/// The slices of tensors along an axis, in order.
std::vector<Slice> slicesOf(ArrayRef<TensorPtr> tensors, size_t axis) {
  const SmallVector<int64_t> strides = stridesOf(tensors[0]->shape);
  const auto count = static_cast<size_t>(tensors[0]->shape[axis]),
             inner = static_cast<size_t>(strides[axis]), size = tensors[0]->size() / count;
  std::vector<Slice> slices(count);
  for (size_t k = 0; k < count; ++k)
    for (const TensorPtr &tensor : tensors) {
      auto slice =
          std::make_shared<Tensor>(tensor->element, ArrayRef<int64_t>{static_cast<int64_t>(size)});
      for (size_t i = 0; i < size; ++i)
        slice->copy(i, *tensor, (i / inner * count + k) * inner + i % inner);
      slices[k].push_back(std::move(slice));
    }
  return slices;
}

} // namespace

/// All of them combined, in the order that the variant wants.
static Slice fold(std::vector<Slice> slices, const Combiner &combine, Variant variant) {
  if (variant == Variant::Backward)
    std::reverse(slices.begin(), slices.end());
  if (variant == Variant::Plain || variant == Variant::Backward) {
    Slice total = slices[0];
    for (size_t k = 1; k < slices.size(); ++k)
      total = combine(total, slices[k]);
    return total;
  }
  while (slices.size() > 1) {
    const size_t half = (slices.size() + 1) / 2;
    std::vector<Slice> fewer;
    for (size_t k = 0; k < half; ++k) {
      const size_t first = variant == Variant::Paired ? 2 * k : k,
                   second = variant == Variant::Paired ? 2 * k + 1 : k + half;
      fewer.push_back(second < slices.size() ? combine(slices[first], slices[second])
                                             : slices[first]);
    }
    slices = std::move(fewer);
  }
  return slices[0];
}

static SmallVector<TensorPtr> tensorsOf(Machine &machine, ValueRange values) {
  SmallVector<TensorPtr> tensors;
  for (Value value : values)
    tensors.push_back(machine.tensor(value));
  return tensors;
}

static void reduce(Machine &machine, tt::ReduceOp op) {
  const SmallVector<TensorPtr> sources = tensorsOf(machine, op.getSrcs());
  const Combiner combine(machine, op.getCombineOp());
  Slice total = fold(slicesOf(sources, op.getAxis()), combine, machine.launch.variant);
  for (auto [result, value] : llvm::zip(op.getResult(), total)) {
    auto shaped = std::make_shared<Tensor>(*value);
    shaped->shape = shapeOf(result.getType());
    machine.set(result, shaped);
  }
  machine.spend(sources[0]->size(), op);
}

/// Each of them combined with all before it; variants group them in another way.
static void scanSlices(std::vector<Slice> &slices, const Combiner &combine, Variant variant) {
  if (variant == Variant::Plain) {
    for (size_t k = 1; k < slices.size(); ++k)
      slices[k] = combine(slices[k - 1], slices[k]);
    return;
  }
  for (size_t distance = 1; distance < slices.size(); distance *= 2)
    for (size_t k = slices.size(); k-- > distance;)
      slices[k] = combine(slices[k - distance], slices[k]);
}

static void scan(Machine &machine, tt::ScanOp op) {
  const SmallVector<TensorPtr> sources = tensorsOf(machine, op.getSrcs());
  const Combiner combine(machine, op.getCombineOp());
  std::vector<Slice> slices = slicesOf(sources, op.getAxis());
  if (op.getReverse())
    std::reverse(slices.begin(), slices.end());
  scanSlices(slices, combine, machine.launch.variant);
  if (op.getReverse())
    std::reverse(slices.begin(), slices.end());
  const auto inner = static_cast<size_t>(stridesOf(sources[0]->shape)[op.getAxis()]);
  for (size_t operand = 0; operand < sources.size(); ++operand) {
    const TensorPtr result = machine.makeResult(op->getResult(operand));
    for (size_t k = 0; k < slices.size(); ++k)
      for (size_t i = 0; i < slices[k][operand]->size(); ++i)
        result->copy((i / inner * slices.size() + k) * inner + i % inner, *slices[k][operand], i);
  }
  machine.spend(2 * sources[0]->size(), op);
}

static void histogram(Machine &machine, tt::HistogramOp op) {
  const TensorPtr source = machine.tensor(op.getSrc());
  const TensorPtr mask = op.getMask() ? machine.tensor(op.getMask()) : nullptr;
  const TensorPtr result = machine.makeResult(op.getResult());
  for (size_t i = 0; i < source->size(); ++i) {
    if (mask && !mask->isUndefined(i) && !(mask->bits[i] & 1))
      continue;
    if (source->isUndefined(i) || (mask && mask->isUndefined(i)))
      result->setAllUndefined();
    const int64_t bin = signExtend(source->bits[i], widthOf(source->element));
    if (bin >= 0 && bin < static_cast<int64_t>(result->size()))
      ++result->bits[bin];
  }
  machine.spend(source->size(), op);
}

/// A region of scalars, for `pack` elements at a time.
static void mapRegion(Machine &machine, tt::MapElementwiseOp op) {
  const SmallVector<TensorPtr> sources = tensorsOf(machine, op.getSrcs());
  SmallVector<TensorPtr> results;
  for (Value result : op.getResult())
    results.push_back(machine.makeResult(result));
  const auto pack = static_cast<size_t>(op.getPack());
  for (size_t first = 0; first < sources[0]->size() && !machine.hasStopped(); first += pack) {
    Data arguments;
    for (const TensorPtr &source : sources)
      for (size_t i = 0; i < pack; ++i) {
        TensorPtr element = makeScalar(source->element, 0);
        element->copy(0, *source, first + i);
        arguments.push_back(element);
      }
    const Data values = machine.runRegion(op.getScalarOp(), arguments);
    if (machine.hasStopped())
      return;
    for (size_t i = 0; i < values.size(); ++i)
      results[i / pack]->copy(first + i % pack, *std::get<TensorPtr>(values[i]), 0);
  }
}

void interpret::addCollectives(Handlers &handlers) {
  handlers.add<tt::ReduceOp>(reduce);
  handlers.add<tt::ScanOp>(scan);
  handlers.add<tt::HistogramOp>(histogram);
  handlers.add<tt::MapElementwiseOp>(mapRegion);
}
