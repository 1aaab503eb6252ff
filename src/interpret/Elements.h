//===- Elements.h - Operations on each element ------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_INTERPRET_ELEMENTS_H
#define TILEWRIGHT_INTERPRET_ELEMENTS_H

#include "interpret/Codec.h"
#include "interpret/Machine.h"

#include <cmath>

namespace tilewright::interpret {

/// Sets the result of `op` to fn(bits of the operands, whether the result is defined), for each
/// element. Operands of one element go with all elements of the others.
template <typename Function> void mapElements(Machine &machine, mlir::Operation *op, Function fn) {
  llvm::SmallVector<TensorPtr, 4> operands;
  size_t size = 1;
  llvm::SmallVector<int64_t> shape;
  for (mlir::Value operand : op->getOperands()) {
    operands.push_back(machine.tensor(operand));
    if (operands.size() == 1 || operands.back()->size() > size) {
      size = operands.back()->size();
      shape = operands.back()->shape;
    }
  }
  auto result = std::make_shared<Tensor>(elementOf(op->getResult(0).getType()), shape);
  llvm::SmallVector<uint64_t, 4> bits(operands.size());
  for (size_t i = 0; i < size; ++i) {
    bool isDefined = true;
    for (auto [slot, operand] : llvm::zip(bits, operands)) {
      const size_t at = operand->size() == 1 ? 0 : i;
      slot = operand->bits[at];
      isDefined &= !operand->isUndefined(at);
    }
    result->bits[i] = fn(llvm::ArrayRef<uint64_t>(bits), isDefined);
    if (!isDefined)
      result->setUndefined(i);
  }
  machine.set(op->getResult(0), result);
  machine.spend(size, op);
}

/// The same on numbers, rounded to the type of the result.
template <typename Function> void mapFloats(Machine &machine, mlir::Operation *op, Function fn) {
  const Codec in(elementOf(op->getOperand(0).getType())),
      out(elementOf(op->getResult(0).getType()));
  mapElements(machine, op, [&](llvm::ArrayRef<uint64_t> bits, bool &) {
    llvm::SmallVector<double, 3> numbers;
    for (uint64_t operand : bits)
      numbers.push_back(in.decode(operand));
    return out.encode(fn(numbers));
  });
}

/// The same of a function that targets compute to within `steps` codes of the result's type, plus
/// `growth` codes for each unit of the first operand's size.
template <typename Function>
void mapApproximate(Machine &machine, mlir::Operation *op, int steps, double growth, Function fn) {
  const Codec in(elementOf(op->getOperand(0).getType())),
      out(elementOf(op->getResult(0).getType()));
  mapElements(machine, op, [&](llvm::ArrayRef<uint64_t> bits, bool &) {
    llvm::SmallVector<double, 3> numbers;
    for (uint64_t operand : bits)
      numbers.push_back(in.decode(operand));
    const double exact = fn(numbers);
    uint64_t rounded = out.encode(exact);
    const int direction = machine.direction();
    if (direction == 0 || !std::isfinite(exact) || out.decode(rounded) == exact)
      return rounded;
    machine.hasMoved = true;
    const double more = std::min(std::abs(numbers[0]) * growth, 1e4);
    for (int i = 0; i < steps + static_cast<int>(more); ++i)
      rounded = out.neighbour(rounded, direction);
    return rounded;
  });
}

} // namespace tilewright::interpret

#endif // TILEWRIGHT_INTERPRET_ELEMENTS_H
