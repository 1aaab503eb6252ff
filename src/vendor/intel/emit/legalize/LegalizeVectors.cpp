//===- LegalizeVectors.cpp - Vector sizes that SPIR-V supports ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// First what moves bits: loads, stores and casts of vectors that SPIR-V has not. Their users
// mostly take single elements, which they get without a vector in between. Where
// such vectors are left, LLVM's scalarizer takes all arithmetic apart: the driver
// does so anyway.
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/emit/legalize/LegalizeVectors.h"

#include "emit/VectorElements.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace tilewright;
using namespace tilewright::emit;

/// Gives element `index` of a vector, with new instructions if need be.
using ElementFunction = function_ref<Value *(unsigned index, IRBuilderBase &builder)>;

static bool isLegalCount(unsigned count) {
  return count == 2 || count == 3 || count == 4 || count == 8 || count == 16;
}

/// Whether `type` is no vector or one that SPIR-V has.
static bool isLegal(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return !vector || isLegalCount(vector->getNumElements());
}

static bool hasBits(Type *type) {
  unsigned bits = type->getScalarSizeInBits();
  return bits == 0 || bits % 8 == 0;
}

/// Gives the users of `vector` its elements, and removes it.
static void replaceAndErase(Instruction *vector, ElementFunction element) {
  IRBuilder<> builder(vector);
  SmallVector<WeakTrackingVH> dead;
  replaceByElements(
      *vector, [&](unsigned index) { return element(index, builder); }, builder, dead);
  vector->eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
}

//===--------------------------------------------------------------------------===//
// Bits
//===--------------------------------------------------------------------------===//

/// `value`, a scalar, as an integer of its size; nothing changes for an integer.
static Value *toInteger(Value *value, IRBuilderBase &builder) {
  return builder.CreateBitCast(value,
                               builder.getIntNTy(value->getType()->getPrimitiveSizeInBits()));
}

/// Bits [first, first + size of `type`) of `source`, a scalar or a vector: as a `type`, which
/// must be no wider than an element of `source` and within one.
static Value *getBits(Value *source, unsigned first, Type *type, IRBuilderBase &builder) {
  const unsigned width = source->getType()->getScalarSizeInBits();
  Value *word = toInteger(getElement(source, first / width, builder), builder);
  word = builder.CreateLShr(word, first % width);
  word = builder.CreateTrunc(word, builder.getIntNTy(type->getPrimitiveSizeInBits()));
  return builder.CreateBitCast(word, type);
}

/// Elements [first, first + count) side by side, the first in the lowest bits, as an integer.
static Value *joinBits(Value *vector, unsigned first, unsigned count, IRBuilderBase &builder) {
  const unsigned bits = vector->getType()->getScalarSizeInBits();
  Type *type = builder.getIntNTy(bits * count);
  Value *word = Constant::getNullValue(type);
  for (unsigned i = 0; i < count; ++i) {
    Value *element = toInteger(getElement(vector, first + i, builder), builder);
    element = builder.CreateShl(builder.CreateZExt(element, type), i * bits);
    word = builder.CreateOr(word, element);
  }
  return word;
}

/// An integer or vector of integers for `bits` bits in memory at `alignment`: as many as possible
/// of up to 32 bits each. Null where `bits` is no number of bytes.
static Type *getWordType(unsigned bits, Align alignment, LLVMContext &context) {
  unsigned width = std::min<uint64_t>(32, 8 * alignment.value());
  while (width >= 8 && (bits % width != 0 || (bits != width && !isLegalCount(bits / width))))
    width /= 2;
  if (width < 8)
    return nullptr;
  Type *word = Type::getIntNTy(context, width);
  return bits == width ? word : FixedVectorType::get(word, bits / width);
}

/// A cast that SPIR-V has not, of which one type or both are vectors of truth values or of too
/// many elements. Returns whether it is replaced.
static bool replaceCast(BitCastInst *cast) {
  Value *source = cast->getOperand(0);
  Type *type = cast->getType();
  if (isLegal(source->getType()) && isLegal(type) && hasBits(source->getType()) && hasBits(type))
    return false;
  const unsigned sourceBits = source->getType()->getScalarSizeInBits();
  const unsigned bits = type->getScalarSizeInBits();
  if (source->getType()->isPtrOrPtrVectorTy() || (sourceBits % bits != 0 && bits % sourceBits != 0))
    return false;
  auto element = [&](unsigned index, IRBuilderBase &builder) {
    Type *scalar = type->getScalarType();
    if (sourceBits >= bits)
      return getBits(source, index * bits, scalar, builder);
    const unsigned parts = bits / sourceBits;
    return builder.CreateBitCast(joinBits(source, index * parts, parts, builder), scalar);
  };
  if (type->isVectorTy()) {
    replaceAndErase(cast, element);
    return true;
  }
  IRBuilder<> builder(cast);
  cast->replaceAllUsesWith(element(0, builder));
  cast->eraseFromParent();
  return true;
}

//===--------------------------------------------------------------------------===//
// Memory
//===--------------------------------------------------------------------------===//

/// Calls `part` for pieces of vectors that SPIR-V has, together the elements of `type`.
static void forEachPart(FixedVectorType *type,
                        function_ref<void(unsigned first, unsigned count)> part) {
  for (unsigned first = 0, left = type->getNumElements(), count; left > 0;
       first += count, left -= count) {
    count = left;
    while (count > 1 && !isLegalCount(count))
      count = count > 16 ? 16 : count - 1;
    part(first, count);
  }
}

static Type *getPartType(FixedVectorType *type, unsigned count) {
  return count == 1 ? type->getElementType() : FixedVectorType::get(type->getElementType(), count);
}

/// The address and alignment of element `first` of a vector in memory.
static std::pair<Value *, Align> getPartAddress(Instruction *access, FixedVectorType *type,
                                                unsigned first, IRBuilderBase &builder) {
  Value *address = getLoadStorePointerOperand(access);
  const uint64_t offset =
      first * access->getDataLayout().getTypeStoreSize(type->getElementType()).getFixedValue();
  if (offset)
    address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), address, offset);
  return {address, commonAlignment(getLoadStoreAlignment(access), offset)};
}

static void replaceLoad(LoadInst *load) {
  auto *type = cast<FixedVectorType>(load->getType());
  IRBuilder<> builder(load);
  if (!hasBits(type)) {
    Type *words = getWordType(type->getPrimitiveSizeInBits(), load->getAlign(), load->getContext());
    if (!words)
      return;
    LoadInst *bits = builder.CreateAlignedLoad(words, load->getPointerOperand(), load->getAlign(),
                                               load->isVolatile());
    bits->copyMetadata(*load);
    return replaceAndErase(load, [&](unsigned index, IRBuilderBase &at) {
      return getBits(bits, index * type->getScalarSizeInBits(), type->getElementType(), at);
    });
  }
  SmallVector<std::pair<Value *, unsigned>> places(type->getNumElements());
  forEachPart(type, [&](unsigned first, unsigned count) {
    auto [address, alignment] = getPartAddress(load, type, first, builder);
    LoadInst *part =
        builder.CreateAlignedLoad(getPartType(type, count), address, alignment, load->isVolatile());
    part->copyMetadata(*load);
    for (unsigned i = 0; i < count; ++i)
      places[first + i] = {part, i};
  });
  replaceAndErase(load, [&](unsigned index, IRBuilderBase &at) {
    return getElement(places[index].first, places[index].second, at);
  });
}

static void replaceStore(StoreInst *store) {
  Value *value = store->getValueOperand();
  auto *type = cast<FixedVectorType>(value->getType());
  IRBuilder<> builder(store);
  auto storePart = [&](Value *part, Value *address, Align alignment) {
    builder.CreateAlignedStore(part, address, alignment, store->isVolatile())->copyMetadata(*store);
  };
  if (!hasBits(type)) {
    Type *words =
        getWordType(type->getPrimitiveSizeInBits(), store->getAlign(), store->getContext());
    if (!words)
      return;
    // The cast is replaced with all others.
    storePart(builder.Insert(new BitCastInst(value, words)), store->getPointerOperand(),
              store->getAlign());
  } else {
    forEachPart(type, [&](unsigned first, unsigned count) {
      SmallVector<Value *> elements = getElements(value, first, count, builder);
      Value *part = count == 1 ? elements.front() : makeVector(elements, builder);
      auto [address, alignment] = getPartAddress(store, type, first, builder);
      storePart(part, address, alignment);
    });
  }
  store->eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(value);
}

//===--------------------------------------------------------------------------===//
// Shuffles
//===--------------------------------------------------------------------------===//

/// Replaces a shuffle of vectors that SPIR-V lacks, such as those of one element that InstCombine
/// makes, by insertions into its result, which SPIR-V has.
static void replaceShuffle(ShuffleVectorInst *shuffle) {
  IRBuilder<> builder(shuffle);
  Value *sources[] = {shuffle->getOperand(0), shuffle->getOperand(1)};
  const unsigned size = cast<FixedVectorType>(sources[0]->getType())->getNumElements();
  Value *whole = PoisonValue::get(shuffle->getType());
  for (auto [i, from] : enumerate(shuffle->getShuffleMask()))
    if (from >= 0)
      whole = builder.CreateInsertElement(
          whole, getElement(sources[from / size], from % size, builder), uint64_t(i));
  shuffle->replaceAllUsesWith(whole);
  shuffle->eraseFromParent();
}

//===--------------------------------------------------------------------------===//
// Selects
//===--------------------------------------------------------------------------===//

/// Gives selects of vectors by one condition a condition for each element: before version 1.4,
/// OpSelect takes no other (SPIR-V specification, OpSelect).
static void splatConditions(Function &function) {
  for (Instruction &instruction : instructions(function)) {
    auto *select = dyn_cast<SelectInst>(&instruction);
    auto *type = select ? dyn_cast<FixedVectorType>(select->getType()) : nullptr;
    if (!type || select->getCondition()->getType()->isVectorTy())
      continue;
    IRBuilder<> builder(select);
    select->setCondition(builder.CreateVectorSplat(type->getNumElements(), select->getCondition()));
  }
}

//===--------------------------------------------------------------------------===//
// All
//===--------------------------------------------------------------------------===//

static bool isIllegal(const Instruction &instruction) {
  return !isLegal(instruction.getType()) ||
         any_of(instruction.operands(), [](Value *value) { return !isLegal(value->getType()); });
}

/// What is left of the vectors that have been replaced, each of which would have the whole function
/// taken apart.
static void eraseUnused(Function &function) {
  SmallVector<WeakTrackingVH> unused;
  for (Instruction &instruction : instructions(function))
    if (isIllegal(instruction) && isInstructionTriviallyDead(&instruction))
      unused.push_back(&instruction);
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(unused);
}

static void scalarize(Function &function, TargetMachine &machine) {
  FunctionAnalysisManager analyses;
  analyses.registerPass([] { return PassInstrumentationAnalysis(); });
  analyses.registerPass([] { return DominatorTreeAnalysis(); });
  analyses.registerPass([&] { return machine.getTargetIRAnalysis(); });
  ScalarizerPass().run(function, analyses);
}

/// Folds constant operands with the order of bytes. What takes vectors apart folds without: of
/// `bitcast <2 x i8> <i8 0, i8 66> to i16` an expression is left, which SPIR-V has not.
static void foldConstantOperands(Function &function) {
  const DataLayout &layout = function.getDataLayout();
  for (Instruction &instruction : instructions(function))
    for (Use &operand : instruction.operands())
      if (isa<ConstantExpr, ConstantVector>(operand))
        operand.set(ConstantFoldConstant(cast<Constant>(operand), layout));
}

void tilewright::emit::legalizeVectors(Function &function, TargetMachine &machine) {
  SmallVector<Instruction *> accesses;
  for (Instruction &instruction : instructions(function))
    if (isa<LoadInst, StoreInst>(instruction))
      if (Type *type = getLoadStoreType(&instruction);
          type->isVectorTy() && (!isLegal(type) || !hasBits(type)))
        accesses.push_back(&instruction);
  for (Instruction *access : accesses)
    if (auto *load = dyn_cast<LoadInst>(access))
      replaceLoad(load);
    else
      replaceStore(cast<StoreInst>(access));

  SmallVector<BitCastInst *> casts;
  for (Instruction &instruction : instructions(function))
    if (auto *cast = dyn_cast<BitCastInst>(&instruction))
      casts.push_back(cast);
  for (BitCastInst *cast : casts)
    replaceCast(cast);

  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction);
        shuffle && isIllegal(*shuffle) && isLegal(shuffle->getType()))
      replaceShuffle(shuffle);
  eraseUnused(function);

  if (any_of(instructions(function), isIllegal))
    scalarize(function, machine);
  splatConditions(function);
  foldConstantOperands(function);
}
