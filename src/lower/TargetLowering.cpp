//===- TargetLowering.cpp - What a vendor adds to the lowering ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/TargetLowering.h"

#include "lower/nvidia/NvidiaLowering.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

// The predicate of each element of a vector of `size`.
static Value splatPredicate(OpBuilder &builder, Location loc, Value predicate, int64_t size) {
  auto type = VectorType::get(size, predicate.getType());
  Value poison = LLVM::PoisonOp::create(builder, loc, type);
  Value zero = LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
  Value vector = LLVM::InsertElementOp::create(builder, loc, poison, predicate, zero);
  if (size == 1)
    return vector;
  SmallVector<int32_t> zeros(size, 0);
  return LLVM::ShuffleVectorOp::create(builder, loc, vector, poison, zeros);
}

Value TargetLowering::emitPackedEightBits(OpBuilder &, Location, Value, Value, FloatType) const {
  return {};
}

Value TargetLowering::emitUnpackedEightBits(OpBuilder &, Location, Value, FloatType) const {
  return {};
}

Value TargetLowering::emitLoad(OpBuilder &builder, Location loc, VectorType type, Value pointer,
                               unsigned alignment, Value predicate, Value passThrough,
                               AccessFlags flags) const {
  if (!predicate)
    return LLVM::LoadOp::create(builder, loc, type, pointer, alignment, flags.isVolatile,
                                flags.nontemporal);
  Value mask = splatPredicate(builder, loc, predicate, type.getNumElements());
  return LLVM::MaskedLoadOp::create(builder, loc, type, pointer, mask, passThrough,
                                    builder.getI32IntegerAttr(alignment),
                                    flags.nontemporal ? builder.getUnitAttr() : UnitAttr());
}

void TargetLowering::emitStore(OpBuilder &builder, Location loc, Value vector, Value pointer,
                               unsigned alignment, Value predicate, AccessFlags flags) const {
  if (!predicate) {
    LLVM::StoreOp::create(builder, loc, vector, pointer, alignment, flags.isVolatile,
                          flags.nontemporal);
    return;
  }
  int64_t size = cast<VectorType>(vector.getType()).getNumElements();
  Value mask = splatPredicate(builder, loc, predicate, size);
  LLVM::MaskedStoreOp::create(builder, loc, vector, pointer, mask,
                              builder.getI32IntegerAttr(alignment));
}

unsigned TargetLowering::getMaxAtomicBits(LLVM::AtomicBinOp, Type elementType) const {
  return elementType.getIntOrFloatBitWidth();
}

SmallVector<Value> TargetLowering::emitMatrixLoad(OpBuilder &, Location, Value, unsigned,
                                                  bool) const {
  llvm_unreachable("a plan has matrix loads for a target without them");
}

void TargetLowering::emitMatrixStore(OpBuilder &, Location, Value, ValueRange, bool) const {
  llvm_unreachable("a plan has matrix stores for a target without them");
}

std::unique_ptr<TargetLowering> lower::createTargetLowering(StringRef targetName) {
  const target::Target *target = target::Target::find(targetName);
  if (!target || !target->canCompile)
    return nullptr;
  switch (target->vendor) {
  case target::Vendor::Nvidia:
    return createNvidiaLowering(*target);
  case target::Vendor::Amd:
  case target::Vendor::Intel:
    return nullptr;
  }
  return nullptr;
}

void lower::registerTargetDialects(DialectRegistry &registry) {
  registry.insert<LLVM::LLVMDialect, NVVM::NVVMDialect>();
}
