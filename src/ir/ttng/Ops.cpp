//===- Ops.cpp - Syntax, effects and verifiers of ttng ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttng/Dialect.h"

#include "ir/ttng/Syntax.h"
#include "ir/ttng/Verification.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttng;

#define GET_OP_CLASSES
#include "ir/ttng/Ops.cpp.inc"

//===--------------------------------------------------------------------------===//
// Syntax
//===--------------------------------------------------------------------------===//

ParseResult ttng::parseToken(OpAsmParser &parser, OptionalOperand &dependence, Type &token) {
  if (failed(parser.parseOptionalLSquare()))
    return success();
  token = ttg::AsyncTokenType::get(parser.getContext());
  if (succeeded(parser.parseOptionalRSquare()))
    return success();
  return failure(parser.parseOperand(dependence.emplace()) || parser.parseRSquare());
}

void ttng::printToken(OpAsmPrinter &printer, Operation *, Value dependence, Type token) {
  if (!token)
    return;
  printer << '[';
  if (dependence)
    printer << dependence;
  printer << ']';
}

ParseResult ttng::parseBarriersAndPreds(OpAsmParser &parser, OperandList &barriers,
                                        OperandList &predicates) {
  while (succeeded(parser.parseOptionalComma()))
    if (parser.parseOperand(barriers.emplace_back()) || parser.parseLSquare() ||
        parser.parseOperand(predicates.emplace_back()) || parser.parseRSquare())
      return failure();
  return success();
}

void ttng::printBarriersAndPreds(OpAsmPrinter &printer, Operation *, OperandRange barriers,
                                 OperandRange predicates) {
  // A verified op has as many of the one as of the other; others are printed in generic form.
  for (auto [barrier, predicate] : llvm::zip(barriers, predicates))
    printer << ", " << barrier << '[' << predicate << ']';
}

//===--------------------------------------------------------------------------===//
// Rules in common
//===--------------------------------------------------------------------------===//

LogicalResult ttng::verifyBarrier(Operation *op, ttg::MemDescType type) {
  if (!type.inSharedMemory() || type.getRank() != 1 || !type.getElementType().isInteger(64))
    return op->emitOpError() << "needs a barrier, one dimension of i64 in shared memory, got "
                             << type;
  return success();
}

LogicalResult ttng::verifyTensorMemory(Operation *op, ttg::MemDescType type) {
  if (!isa<TensorMemorySpaceAttr>(type.getMemorySpace()))
    return op->emitOpError() << "is about tensor memory, not " << type;
  return success();
}

template <typename Effect>
static void addEffect(OpOperand &operand, SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  auto type = dyn_cast<ttg::MemDescType>(operand.get().getType());
  if (!type)
    return;
  SideEffects::Resource *resource = ttg::SharedMemory::get();
  if (!type.inSharedMemory())
    resource = TensorMemory::get();
  effects.emplace_back(Effect::get(), &operand, resource);
}

void ttng::addRead(OpOperand &operand, SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  addEffect<MemoryEffects::Read>(operand, effects);
}

void ttng::addWrite(OpOperand &operand, SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  addEffect<MemoryEffects::Write>(operand, effects);
}
