//===- DescriptorTests.cpp - What kernels test of descriptors -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/transform/DescriptorTests.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::vendor::nvidia;

static Value createInteger(OpBuilder &builder, Location loc, Type type, int64_t value) {
  return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
}

/// Whether `value`, an integer, is a multiple of `divisor`, a power of two.
static Value createIsMultiple(OpBuilder &builder, Location loc, Value value, int64_t divisor) {
  Type type = value.getType();
  Value rest =
      arith::AndIOp::create(builder, loc, value, createInteger(builder, loc, type, divisor - 1));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rest,
                               createInteger(builder, loc, type, 0));
}

int64_t DescriptorTests::getElementBytes() {
  return tt::getStorageBits(make.getType().getBlockType().getElementType()) / 8;
}

Value DescriptorTests::getPlain() {
  if (plain)
    return plain;
  RankedTensorType block = make.getType().getBlockType();
  OpBuilder builder(make);
  Operation *clone = builder.clone(*make);
  plain = clone->getResult(0);
  plain.setType(
      tt::TensorDescType::get(RankedTensorType::get(block.getShape(), block.getElementType())));
  return plain;
}

void DescriptorTests::testStore(Operation *store, const StoreTests &unknown) {
  OpBuilder builder(store);
  const Location loc = store->getLoc();
  const int64_t elements = descriptorGranule / getElementBytes();
  SmallVector<Value> conditions;
  if (unknown.rows)
    conditions.push_back(createIsMultiple(builder, loc, make.getShape().back(), elements));
  for (Value index : unknown.nonNegative)
    conditions.push_back(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, index,
                                               createInteger(builder, loc, index.getType(), 0)));
  if (unknown.column)
    conditions.push_back(createIsMultiple(builder, loc, unknown.column, elements));
  if (conditions.empty())
    return;
  Value all = conditions.front();
  for (Value condition : ArrayRef(conditions).drop_front())
    all = arith::AndIOp::create(builder, loc, all, condition);
  auto branch = scf::IfOp::create(builder, loc, all, /*withElseRegion=*/true);
  OpBuilder otherwise = branch.getElseBodyBuilder();
  Operation *byPointers = otherwise.clone(*store);
  byPointers->replaceUsesOfWith(make, getPlain());
  store->moveBefore(branch.thenYield());
}
