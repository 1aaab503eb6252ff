//===- TargetLowering.cpp - The vendor's part of the lowering -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/core/TargetLowering.h"

#include "ir/ttg/Dialect.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

//===----------------------------------------------------------------------------===//
// What a target does not have
//===----------------------------------------------------------------------------===//

Value ThreadModel::makeUniform(OpBuilder &, Location, Value word) const { return word; }

void Barriers::emitSharedBarrier(OpBuilder &builder, Location loc) const {
  emitBlockBarrier(builder, loc);
}

void Barriers::emitNamedBarrier(OpBuilder &, Location, NamedBarrier) const {
  llvm_unreachable("the target lists barriers that it cannot emit");
}

Value WarpExchange::shuffleFixed(OpBuilder &, Location, Value, ArrayRef<unsigned>) const {
  llvm_unreachable("the target lists a shuffle that it cannot emit");
}

Value WarpExchange::reduceWarp(OpBuilder &, Location, Value, WarpReduction) const {
  llvm_unreachable("the target lists a reduction that it cannot emit");
}

bool ScalarFunctions::hasLibraryFunction(StringRef) const { return false; }

Value ScalarFunctions::emitLibraryFunction(OpBuilder &, Location, StringRef, ValueRange) const {
  llvm_unreachable("the target lists a function that it cannot emit");
}

Value ScalarFunctions::emitMultiplyHigh(OpBuilder &, Location, Value, Value, bool) const {
  llvm_unreachable("the target lists a product that it cannot emit");
}

Value ScalarFunctions::emitByteDotProduct(OpBuilder &, Location, Value, Value, Value) const {
  llvm_unreachable("the target lists a product of bytes that it cannot emit");
}

Value ScalarFunctions::emitPackedFloat8(OpBuilder &, Location, Value, Value, FloatType) const {
  llvm_unreachable("the target lists casts of 8-bit floats that it cannot emit");
}

Value ScalarFunctions::emitUnpackedFloat8(OpBuilder &, Location, Value) const {
  llvm_unreachable("the target lists casts of 8-bit floats that it cannot emit");
}

bool ScalarFunctions::storesBf16AsI16() const { return false; }

bool ScalarFunctions::hasVectorArithmetic() const { return false; }

void MemoryAccess::emitAsyncCopy(OpBuilder &, Location, const target::CopyAtom &, Value, Value,
                                 Value) const {
  llvm_unreachable("the target lists an asynchronous copy that it cannot emit");
}

SmallVector<Value> MemoryAccess::emitWarpLoad(OpBuilder &, Location, const target::CopyAtom &,
                                              Value, unsigned) const {
  llvm_unreachable("the target lists a load that it cannot emit");
}

void MemoryAccess::emitWarpStore(OpBuilder &, Location, const target::CopyAtom &, Value,
                                 ValueRange) const {
  llvm_unreachable("the target lists a store that it cannot emit");
}

unsigned MatrixUnits::getAccumulatorsPerFragment(const target::MmaAtom &) const { return 1; }

SmallVector<Value> MatrixUnits::packFragment(OpBuilder &, Location, const target::MmaAtom &,
                                             ProductOperand, ValueRange) const {
  llvm_unreachable("the target lists a product whose operands it cannot pack");
}

SmallVector<Value> MatrixUnits::unpackFragment(OpBuilder &, Location, const target::MmaAtom &,
                                               ValueRange, Type) const {
  llvm_unreachable("the target lists a product whose result it cannot unpack");
}

SmallVector<Value> MatrixUnits::emitProduct(OpBuilder &, Location, const target::MmaAtom &,
                                            ValueRange, ValueRange, ValueRange, unsigned) const {
  llvm_unreachable("the target lists a product that it cannot emit");
}

void AtomicOperations::markAtomic(LLVM::AtomicRMWOp, MemoryScope) const {}

unsigned AtomicOperations::getMinAtomicBits() const { return 8; }

unsigned AtomicOperations::getMaxAtomicBits(LLVM::AtomicBinOp, Type elementType) const {
  return elementType.getIntOrFloatBitWidth();
}

bool Debugging::canPrint() const { return false; }

void Debugging::emitPrint(OpBuilder &, Location, StringRef, ValueRange) const {
  llvm_unreachable("kernels of the target cannot print");
}

bool Debugging::canFail() const { return false; }

void Debugging::emitAssertionFailure(OpBuilder &, Location, StringRef, StringRef, StringRef,
                                     unsigned) const {
  llvm_unreachable("kernels of the target cannot end the launch");
}

bool Debugging::hasInlineAssembly() const { return false; }

//===----------------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------------===//

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

/// Notes on an access how it is to use the caches.
static void setCachePolicy(Operation *access, const AccessFlags &flags) {
  if (!flags.cachePolicy.empty())
    access->setAttr(ttg::cachePolicyAttrName,
                    StringAttr::get(access->getContext(), flags.cachePolicy));
}

Value MemoryAccess::emitLoad(OpBuilder &builder, Location loc, VectorType type, Value pointer,
                             unsigned alignment, Value predicate, Value passThrough,
                             AccessFlags flags) const {
  Operation *load;
  if (!predicate) {
    load = LLVM::LoadOp::create(builder, loc, type, pointer, alignment, flags.isVolatile,
                                flags.nontemporal);
  } else {
    Value mask = splatPredicate(builder, loc, predicate, type.getNumElements());
    load = LLVM::MaskedLoadOp::create(builder, loc, type, pointer, mask, passThrough,
                                      builder.getI32IntegerAttr(alignment),
                                      flags.nontemporal ? builder.getUnitAttr() : UnitAttr());
  }
  setCachePolicy(load, flags);
  return load->getResult(0);
}

void MemoryAccess::emitStore(OpBuilder &builder, Location loc, Value vector, Value pointer,
                             unsigned alignment, Value predicate, AccessFlags flags) const {
  Operation *store;
  if (!predicate) {
    store = LLVM::StoreOp::create(builder, loc, vector, pointer, alignment, flags.isVolatile,
                                  flags.nontemporal);
  } else {
    int64_t size = cast<VectorType>(vector.getType()).getNumElements();
    Value mask = splatPredicate(builder, loc, predicate, size);
    store = LLVM::MaskedStoreOp::create(builder, loc, vector, pointer, mask,
                                        builder.getI32IntegerAttr(alignment));
  }
  setCachePolicy(store, flags);
}
