//===- ProductBuilder.cpp - Products as ops of their units --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/matrix/ProductBuilder.h"

#include "ir/ttg/query/MatrixUnits.h"
#include "ir/ttng/Dialect.h"
#include "ir/tw/Dialect.h"

#include <cassert>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;
using target::Issuer;
using target::Space;

bool ProductForm::hasOp() const {
  if (issuer == Issuer::Block)
    return a == Space::Shared && b == Space::Shared && d == Space::TensorMemory;
  if (d != Space::Registers)
    return false;
  if (issuer == Issuer::Warp)
    return a == Space::Registers && b == Space::Registers;
  return issuer == Issuer::WarpGroup && b == Space::Shared &&
         (a == Space::Registers || a == Space::Shared);
}

ProductBuilder::ProductBuilder(OpBuilder &builder, Location loc, ProductForm form,
                               Attribute encoding, unsigned kWidth)
    : builder(builder), loc(loc), form(form), encoding(encoding), kWidth(kWidth) {
  assert(form.hasOp());
}

/// `kWidth` for operand `index` of elements of `bits` bits, or the less that `parent` leaves no
/// choice but to have: at most a word.
static unsigned getOperandKWidth(ttg::DotOperandParent parent, unsigned index, unsigned kWidth,
                                 unsigned bits) {
  for (unsigned width = std::max(kWidth, 32 / bits); width > 1; width /= 2)
    if (parent.verifyOperand(index, width))
      return width;
  return 1;
}

Value ProductBuilder::convert(Value value, unsigned index) {
  const auto type = cast<RankedTensorType>(value.getType());
  const auto parent = cast<ttg::DotOperandParent>(encoding);
  const auto operand = ttg::DotOperandEncodingAttr::get(
      builder.getContext(), index, parent,
      getOperandKWidth(parent, index, kWidth, tt::getElementBits(type)));
  return ttg::ConvertLayoutOp::create(
      builder, loc, RankedTensorType::get(type.getShape(), type.getElementType(), operand), value);
}

Value ProductBuilder::allocate(const ProductOperand &operand) {
  // In the order in which it lies in memory.
  const auto type = cast<RankedTensorType>(operand.value.getType());
  Attribute shared = ttg::getSharedOperandEncoding(
      builder.getContext(), type.getShape(), tt::getElementBits(type), operand.isLastContiguous);
  auto memory = ttg::MemDescType::get(type.getShape(), type.getElementType(), shared,
                                      ttg::SharedMemorySpaceAttr::get(builder.getContext()));
  Value allocated = ttg::LocalAllocOp::create(builder, loc, memory, operand.value);
  if (!operand.isTransposed)
    return allocated;
  return ttg::MemDescTransOp::create(builder, loc, allocated, ArrayRef<int32_t>{1, 0});
}

Value ProductBuilder::createOperand(const ProductOperand &operand, unsigned index) {
  assert(index < 2);
  return (index == 0 ? form.a : form.b) == Space::Shared ? allocate(operand)
                                                         : convert(operand.value, index);
}

Value ProductBuilder::createProduct(Value a, Value b, Value c, ProductPrecision precision) {
  if (form.issuer == Issuer::WarpGroup)
    return ttng::WarpGroupDotOp::create(builder, loc, c.getType(), a, b, c, /*useC=*/Value(),
                                        precision.input, precision.maxNumImpreciseAcc,
                                        /*isAsync=*/false);
  if (form.issuer == Issuer::Block)
    return tw::MemoryDotOp::create(builder, loc, c.getType(), a, b, c, precision.input, form.m,
                                   form.n);
  return tt::DotOp::create(builder, loc, c.getType(), a, b, c, precision.input,
                           precision.maxNumImpreciseAcc);
}
