//===- GlobalAccess.cpp - Tiles in global memory --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "interpret/GlobalAccess.h"

#include "interpret/Codec.h"
#include "ir/tt/BlockPointer.h"
#include "ir/tt/Dialect.h"
#include "ir/ttg/Dialect.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::interpret;

namespace {
/// Elements of an access whose mask holds.
struct Active {
  Machine &machine;
  Operation *op;
  const Tensor &pointers;
  const Tensor *mask;

  /// Whether element `i` takes part. An element that is not known to be in bounds stops it.
  bool operator()(size_t i) const {
    const size_t at = mask && mask->size() == 1 ? 0 : i;
    if (mask && !mask->isUndefined(at) && !(mask->bits[at] & 1))
      return false;
    if ((mask && mask->isUndefined(at)) || pointers.isUndefined(i)) {
      machine.fault(op, "an address or a mask is undefined");
      return false;
    }
    return true;
  }
};
} // namespace

static void faultAt(Machine &machine, Operation *op, const char *verb, uint64_t address,
                    unsigned bytes) {
  machine.fault(op, std::string(verb) +
                        " outside of an argument: " + machine.memory.describe(address, bytes));
}

TensorPtr interpret::loadElements(Machine &machine, Operation *op, const Tensor &pointers,
                                  const Tensor *mask, const Tensor *other, Type element) {
  auto result = std::make_shared<Tensor>(element, pointers.shape);
  const unsigned bytes = bytesOf(element);
  machine.memory.beginAccess(op->getLoc(), machine.programNumber, /*isAtomic=*/false);
  machine.spend(2 * pointers.size(), op);
  const Active isActive{machine, op, pointers, mask};
  for (size_t i = 0; i < result->size() && !machine.hasStopped(); ++i) {
    if (!isActive(i)) {
      if (other)
        result->copy(i, *other, other->size() == 1 ? 0 : i);
      else
        result->setUndefined(i);
      continue;
    }
    bool isUndefined = false;
    if (!machine.memory.load(pointers.bits[i], bytes, result->bits[i], isUndefined))
      faultAt(machine, op, "it reads", pointers.bits[i], bytes);
    if (isUndefined)
      result->setUndefined(i);
  }
  return result;
}

void interpret::storeElements(Machine &machine, Operation *op, const Tensor &pointers,
                              const Tensor *mask, const Tensor &values) {
  const unsigned bytes = bytesOf(values.element);
  machine.memory.beginAccess(op->getLoc(), machine.programNumber, /*isAtomic=*/false);
  machine.spend(2 * pointers.size(), op);
  const Active isActive{machine, op, pointers, mask};
  for (size_t i = 0; i < pointers.size() && !machine.hasStopped(); ++i) {
    if (!isActive(i))
      continue;
    const size_t at = values.size() == 1 ? 0 : i;
    if (!machine.memory.store(pointers.bits[i], bytes, values.bits[at], values.isUndefined(at)))
      faultAt(machine, op, "it writes", pointers.bits[i], bytes);
  }
}

//===--------------------------------------------------------------------------===//
// Blocks
//===--------------------------------------------------------------------------===//

BlockPlace interpret::placeBlock(const Descriptor &descriptor, ArrayRef<int64_t> shape,
                                 ArrayRef<int64_t> offsets, MLIRContext *context,
                                 ArrayRef<bool> isChecked) {
  BlockPlace place{Tensor(IntegerType::get(context, 64), shape),
                   Tensor(IntegerType::get(context, 1), shape)};
  const int64_t bytes = bytesOf(descriptor.element);
  SmallVector<int64_t> at(shape.size());
  for (size_t i = 0; i < place.pointers.size(); ++i) {
    int64_t offset = 0;
    bool isInside = true;
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      const int64_t coordinate = offsets[dim] + at[dim];
      offset += coordinate * descriptor.strides[dim];
      if (isChecked.empty() || isChecked[dim])
        isInside &= coordinate >= 0 && coordinate < descriptor.shape[dim];
    }
    place.pointers.bits[i] = descriptor.base + static_cast<uint64_t>(offset * bytes);
    place.inside.bits[i] = isInside;
    for (size_t dim = shape.size(); dim-- > 0;) {
      if (++at[dim] < shape[dim])
        break;
      at[dim] = 0;
    }
  }
  return place;
}

BlockPlace interpret::placeRows(const Descriptor &descriptor, ArrayRef<int64_t> shape,
                                const Tensor &rows, int64_t column, MLIRContext *context) {
  BlockPlace place{Tensor(IntegerType::get(context, 64), shape),
                   Tensor(IntegerType::get(context, 1), shape)};
  const int64_t bytes = bytesOf(descriptor.element);
  for (size_t i = 0; i < place.pointers.size(); ++i) {
    const int64_t row = signExtend(rows.bits[i / shape[1]], widthOf(rows.element)),
                  at = column + static_cast<int64_t>(i % shape[1]);
    place.pointers.bits[i] =
        descriptor.base +
        static_cast<uint64_t>((row * descriptor.strides[0] + at * descriptor.strides[1]) * bytes);
    place.inside.bits[i] =
        row >= 0 && row < descriptor.shape[0] && at >= 0 && at < descriptor.shape[1];
  }
  return place;
}

TensorPtr interpret::loadBlock(Machine &machine, Operation *op, const Descriptor &descriptor,
                               const BlockPlace &place) {
  TensorPtr outside = makeScalar(descriptor.element, 0);
  if (descriptor.padsWithNan && isa<FloatType>(descriptor.element))
    outside->bits[0] = Codec(descriptor.element).encode(std::numeric_limits<double>::quiet_NaN());
  return loadElements(machine, op, place.pointers, &place.inside, outside.get(),
                      descriptor.element);
}

//===--------------------------------------------------------------------------===//
// Loads and stores
//===--------------------------------------------------------------------------===//

/// The place to which a block pointer points; dimensions that the access does not check have no
/// bounds.
static BlockPlace placeOf(Machine &machine, Value pointer, ArrayRef<int32_t> checked,
                          ArrayRef<int64_t> shape) {
  const Descriptor block = machine.descriptor(pointer);
  SmallVector<bool> isChecked(shape.size());
  for (int32_t dim : checked)
    isChecked[dim] = true;
  return placeBlock(block, shape, block.offsets, pointer.getContext(), isChecked);
}

static void load(Machine &machine, tt::LoadOp op) {
  if (tt::isBlockPointer(op.getPtr().getType())) {
    Descriptor block = machine.descriptor(op.getPtr());
    block.padsWithNan = op.getPadding() == tt::PaddingOption::PAD_NAN;
    return machine.set(
        op.getResult(),
        loadBlock(machine, op, block,
                  placeOf(machine, op.getPtr(), op.getBoundaryCheck(), shapeOf(op.getType()))));
  }
  const TensorPtr pointers = machine.tensor(op.getPtr());
  const TensorPtr mask = op.getMask() ? machine.tensor(op.getMask()) : nullptr,
                  other = op.getOther() ? machine.tensor(op.getOther()) : nullptr;
  machine.set(op.getResult(), loadElements(machine, op, *pointers, mask.get(), other.get(),
                                           elementOf(op.getType())));
}

static void store(Machine &machine, tt::StoreOp op) {
  const TensorPtr values = machine.tensor(op.getValue());
  if (tt::isBlockPointer(op.getPtr().getType())) {
    const BlockPlace place = placeOf(machine, op.getPtr(), op.getBoundaryCheck(), values->shape);
    return storeElements(machine, op, place.pointers, &place.inside, *values);
  }
  const TensorPtr mask = op.getMask() ? machine.tensor(op.getMask()) : nullptr;
  storeElements(machine, op, *machine.tensor(op.getPtr()), mask.get(), *values);
}

//===--------------------------------------------------------------------------===//
// Atomic operations
//===--------------------------------------------------------------------------===//

/// Gives the value in memory after one of them.
static uint64_t combine(tt::RMWOp kind, uint64_t old, uint64_t value, Type element) {
  const unsigned width = widthOf(element);
  const int64_t a = signExtend(old, width), b = signExtend(value, width);
  auto isNumber = [&] { return isa<FloatType>(element); };
  auto chosen = [&](bool takesOld) { return takesOld ? old : value; };
  switch (kind) {
  case tt::RMWOp::AND:
    return old & value;
  case tt::RMWOp::OR:
    return old | value;
  case tt::RMWOp::XOR:
    return old ^ value;
  case tt::RMWOp::ADD:
    return lowBits(old + value, width);
  case tt::RMWOp::FADD: {
    const Codec codec(element);
    return codec.encode(codec.decode(old) + codec.decode(value));
  }
  case tt::RMWOp::MAX:
    if (isNumber())
      return chosen(!(Codec(element).decode(old) < Codec(element).decode(value)));
    return chosen(a >= b);
  case tt::RMWOp::MIN:
    if (isNumber())
      return chosen(!(Codec(element).decode(old) > Codec(element).decode(value)));
    return chosen(a <= b);
  case tt::RMWOp::UMAX:
    return chosen(old >= value);
  case tt::RMWOp::UMIN:
    return chosen(old <= value);
  case tt::RMWOp::XCHG:
    return value;
  }
  return old;
}

/// Each element in turn; backwards where a variant says so.
static void
updateElements(Machine &machine, Operation *op, const Tensor &pointers, const Tensor *mask,
               Tensor &result,
               llvm::function_ref<uint64_t(size_t, uint64_t old, bool &isUndefined)> change) {
  const unsigned bytes = bytesOf(result.element);
  const Active isActive{machine, op, pointers, mask};
  machine.memory.beginAccess(op->getLoc(), machine.programNumber, /*isAtomic=*/true);
  machine.spend(2 * pointers.size(), op);
  for (size_t k = 0; k < pointers.size() && !machine.hasStopped(); ++k) {
    const size_t i = machine.launch.variant == Variant::Backward ? pointers.size() - 1 - k : k;
    if (!isActive(i)) {
      result.setUndefined(i);
      continue;
    }
    bool isUndefined = false;
    if (!machine.memory.load(pointers.bits[i], bytes, result.bits[i], isUndefined))
      return faultAt(machine, op, "it changes an element", pointers.bits[i], bytes);
    if (isUndefined)
      result.setUndefined(i);
    const uint64_t changed = change(i, result.bits[i], isUndefined);
    (void)machine.memory.store(pointers.bits[i], bytes, changed, isUndefined);
  }
}

static void atomicUpdate(Machine &machine, tt::AtomicRMWOp op) {
  const TensorPtr pointers = machine.tensor(op.getPtr()), values = machine.tensor(op.getVal());
  const TensorPtr mask = op.getMask() ? machine.tensor(op.getMask()) : nullptr;
  const TensorPtr result = machine.makeResult(op.getResult());
  updateElements(machine, op, *pointers, mask.get(), *result,
                 [&](size_t i, uint64_t old, bool &isUndefined) {
                   isUndefined |= values->isUndefined(i);
                   return combine(op.getAtomicRmwOp(), old, values->bits[i], values->element);
                 });
}

static void atomicExchange(Machine &machine, tt::AtomicCASOp op) {
  const TensorPtr pointers = machine.tensor(op.getPtr()), expected = machine.tensor(op.getCmp()),
                  values = machine.tensor(op.getVal());
  const TensorPtr result = machine.makeResult(op.getResult());
  updateElements(machine, op, *pointers, nullptr, *result,
                 [&](size_t i, uint64_t old, bool &isUndefined) {
                   isUndefined |= values->isUndefined(i) || expected->isUndefined(i);
                   return old == expected->bits[i] ? values->bits[i] : old;
                 });
}

//===--------------------------------------------------------------------------===//
// Block pointers and scratch memory
//===--------------------------------------------------------------------------===//

static SmallVector<int64_t> integersOf(Machine &machine, ValueRange values, Operation *op) {
  SmallVector<int64_t> numbers;
  for (Value value : values)
    numbers.push_back(machine.integer(value, op));
  return numbers;
}

static void makeBlockPointer(Machine &machine, tt::MakeTensorPtrOp op) {
  Descriptor block;
  block.base = static_cast<uint64_t>(machine.integer(op.getBase(), op));
  block.element = elementOf(tt::getPointeeType(op.getType()));
  block.shape = integersOf(machine, op.getShape(), op);
  block.strides = integersOf(machine, op.getStrides(), op);
  block.offsets = integersOf(machine, op.getOffsets(), op);
  machine.set(op.getResult(), block);
}

static void advance(Machine &machine, tt::AdvanceOp op) {
  Descriptor block = machine.descriptor(op.getPtr());
  for (auto [offset, step] : llvm::zip(block.offsets, integersOf(machine, op.getOffsets(), op)))
    offset += step;
  machine.set(op.getResult(), block);
}

/// Memory of the program's own, in which nothing stands yet.
static void allocateScratch(Machine &machine, ttg::GlobalScratchAllocOp op) {
  Buffer buffer;
  buffer.name = "the program's scratch memory";
  buffer.bytes.resize(op.getNbytes());
  buffer.undefined.assign(op.getNbytes(), 1);
  machine.set(op.getResult(), makeScalar(op.getType(), machine.memory.add(std::move(buffer))));
}

void interpret::addGlobalAccesses(Handlers &handlers) {
  handlers.add<tt::LoadOp>(load);
  handlers.add<tt::StoreOp>(store);
  handlers.add<tt::AtomicRMWOp>(atomicUpdate);
  handlers.add<tt::AtomicCASOp>(atomicExchange);
  handlers.add<tt::MakeTensorPtrOp>(makeBlockPointer);
  handlers.add<tt::AdvanceOp>(advance);
  handlers.add<ttg::GlobalScratchAllocOp>(allocateScratch);
}
