//===- IndexInterpreter.cpp - Index arithmetic, executed ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "IndexInterpreter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::test;

std::vector<int64_t> test::shapeOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getShape().vec() : std::vector<int64_t>{1};
}

static int64_t countOf(const std::vector<int64_t> &shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

std::vector<int64_t> test::strides(const std::vector<int64_t> &shape) {
  std::vector<int64_t> result(shape.size(), 1);
  for (size_t i = shape.size() - 1; i-- > 0;)
    result[i] = result[i + 1] * shape[i + 1];
  return result;
}

void IndexInterpreter::run(Operation *op) {
  Value result = op->getResult(0);
  std::vector<int64_t> shape = shapeOf(result.getType());
  Elements out(countOf(shape));
  for (int64_t i = 0; i < int64_t(out.size()) && valid; ++i)
    out[i] = element(op, shape, i);
  values[result] = std::move(out);
}

void IndexInterpreter::run(Block &block, llvm::function_ref<void(Operation *)> visit) {
  for (Operation &op : block.without_terminator()) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop) {
      run(&op);
      if (!valid)
        return;
      visit(&op);
      continue;
    }
    std::vector<Elements> carried;
    for (Value init : loop.getInitArgs())
      carried.push_back(values[init]);
    const int64_t end = values[loop.getUpperBound()][0], step = values[loop.getStep()][0];
    valid &= step > 0;
    for (int64_t i = values[loop.getLowerBound()][0]; valid && i < end; i += step) {
      values[loop.getInductionVar()] = {i};
      for (auto [argument, elements] : llvm::zip_equal(loop.getRegionIterArgs(), carried))
        values[argument] = std::move(elements);
      run(*loop.getBody(), visit);
      for (auto [elements, yielded] : llvm::zip_equal(carried, loop.getYieldedValues()))
        elements = values[yielded];
    }
    for (auto [result, elements] : llvm::zip_equal(loop.getResults(), carried))
      values[result] = std::move(elements);
    if (!valid)
      return;
  }
}

int64_t IndexInterpreter::operand(Operation *op, unsigned number, int64_t i) {
  const Elements &elements = values[op->getOperand(number)];
  return elements[elements.size() == 1 ? 0 : i];
}

int64_t IndexInterpreter::checked(int64_t value) {
  valid &= value >= std::numeric_limits<int32_t>::min() / 2 &&
           value <= std::numeric_limits<int32_t>::max() / 2;
  return value;
}

int64_t IndexInterpreter::element(Operation *op, const std::vector<int64_t> &shape, int64_t i) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    if (auto dense = dyn_cast<DenseIntElementsAttr>(constant.getValue()))
      return dense.getSplatValue<APInt>().getSExtValue();
    return cast<IntegerAttr>(constant.getValue()).getInt();
  }
  if (auto range = dyn_cast<tt::MakeRangeOp>(op))
    return range.getStartAttr().getInt() + i;
  if (isa<tt::SplatOp>(op))
    return operand(op, 0, 0);
  if (isa<tt::ExpandDimsOp, tt::ReshapeOp>(op))
    return operand(op, 0, i);
  if (isa<tt::BroadcastOp>(op)) {
    std::vector<int64_t> from = shapeOf(op->getOperand(0).getType());
    int64_t flat = 0;
    for (auto [size, fromSize, stride, fromStride] :
         llvm::zip_equal(shape, from, strides(shape), strides(from)))
      flat += (i / stride % size) % fromSize * fromStride;
    return operand(op, 0, flat);
  }
  if (isa<tt::TransOp>(op))
    return operand(op, 0, i % shape[1] * shape[0] + i / shape[1]);
  if (auto add = dyn_cast<tt::AddPtrOp>(op)) {
    auto pointer = cast<tt::PointerType>(tt::getElementTypeOrSelf(add.getType()));
    return operand(op, 0, i) +
           operand(op, 1, i) * (tt::getStorageBits(pointer.getPointeeType()) / 8);
  }
  if (isa<arith::SelectOp>(op))
    return operand(op, 0, i) ? operand(op, 1, i) : operand(op, 2, i);
  if (auto extend = dyn_cast<arith::ExtUIOp>(op))
    return operand(op, 0, i) & 0xffffffff;
  if (isa<arith::ExtSIOp>(op))
    return operand(op, 0, i);
  return binary(op, operand(op, 0, i), operand(op, 1, i));
}

int64_t IndexInterpreter::binary(Operation *op, int64_t a, int64_t b) {
  auto ua = static_cast<uint32_t>(a), ub = static_cast<uint32_t>(b);
  auto asSigned = [](uint32_t value) -> int64_t { return static_cast<int32_t>(value); };
  bool divides = isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op);
  bool shifts = isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op);
  if ((divides && b == 0) || (shifts && (b < 0 || b > 31))) {
    valid = false;
    return 0;
  }
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case([&](arith::AddIOp) { return checked(a + b); })
      .Case([&](arith::SubIOp) { return checked(a - b); })
      .Case([&](arith::MulIOp) { return checked(a * b); })
      .Case([&](arith::DivSIOp) { return a / b; })
      .Case([&](arith::RemSIOp) { return a % b; })
      .Case([&](arith::DivUIOp) { return asSigned(ua / ub); })
      .Case([&](arith::RemUIOp) { return asSigned(ua % ub); })
      .Case([&](arith::ShLIOp) { return checked(a * (int64_t(1) << b)); })
      .Case([&](arith::ShRSIOp) { return a >> b; })
      .Case([&](arith::ShRUIOp) { return asSigned(ua >> b); })
      .Case([&](arith::AndIOp) { return a & b; })
      .Case([&](arith::OrIOp) { return a | b; })
      .Case([&](arith::XOrIOp) { return a ^ b; })
      .Case([&](arith::MinSIOp) { return std::min(a, b); })
      .Case([&](arith::MaxSIOp) { return std::max(a, b); })
      .Case([&](arith::MinUIOp) { return asSigned(std::min(ua, ub)); })
      .Case([&](arith::MaxUIOp) { return asSigned(std::max(ua, ub)); })
      .Case([&](arith::CmpIOp compare) -> int64_t {
        switch (compare.getPredicate()) {
        case arith::CmpIPredicate::eq:
          return a == b;
        case arith::CmpIPredicate::ne:
          return a != b;
        case arith::CmpIPredicate::slt:
          return a < b;
        case arith::CmpIPredicate::sle:
          return a <= b;
        case arith::CmpIPredicate::sgt:
          return a > b;
        case arith::CmpIPredicate::sge:
          return a >= b;
        case arith::CmpIPredicate::ult:
          return ua < ub;
        case arith::CmpIPredicate::ule:
          return ua <= ub;
        case arith::CmpIPredicate::ugt:
          return ua > ub;
        case arith::CmpIPredicate::uge:
          return ua >= ub;
        }
        return 0;
      })
      .Default([&](Operation *) {
        ADD_FAILURE() << "no rule for " << op->getName().getStringRef().str();
        return 0;
      });
}
