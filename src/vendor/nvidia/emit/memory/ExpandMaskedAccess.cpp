//===- ExpandMaskedAccess.cpp - Expansion of masked accesses into predicated PTX -===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/emit/memory/ExpandMaskedAccess.h"

#include "emit/CachePolicy.h"
#include "emit/MaskedAccess.h"
#include "emit/VectorElements.h"
#include "vendor/nvidia/emit/InlinePtx.h"
#include "vendor/nvidia/emit/RegisterWords.h"
#include "vendor/nvidia/emit/memory/MaskCachedAccess.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Pass.h"
#include "llvm/Support/ModRef.h"
#include "llvm/Transforms/Utils/Local.h"

#include <string>

using namespace llvm;
using namespace tilewright;
using namespace tilewright::emit;

/// The widest access to other memory than global, in bytes.
static constexpr unsigned maxOtherBytes = 16;

namespace {

/// A masked load or store that PTX can do with a predicate.
struct PtxAccess : MaskedAccess {
  /// The state space as a PTX suffix; empty for generic addresses.
  StringRef stateSpace = {};
  unsigned elementBytes = 0;
  /// The widest access there, in bytes.
  unsigned maxBytes = 0;
};

/// Consecutive lanes [first, first + count) that one instruction accesses.
struct Lanes {
  unsigned first;
  unsigned count;
};

} // namespace

/// `instruction` as such an access; nothing if it is none.
static std::optional<PtxAccess> matchPtxAccess(Instruction &instruction, unsigned maxGlobalBytes) {
  std::optional<MaskedAccess> masked = matchMaskedAccess(instruction);
  if (!masked)
    return std::nullopt;
  PtxAccess access{*masked};
  std::optional<StringRef> space =
      stateSpaceSuffix(access.address->getType()->getPointerAddressSpace());
  if (!space)
    return std::nullopt;
  access.stateSpace = *space;
  access.maxBytes = *space == ".global" ? maxGlobalBytes : maxOtherBytes;

  TypeSize bits = access.call->getDataLayout().getTypeSizeInBits(access.type->getElementType());
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
    return std::nullopt;
  access.elementBytes = bits / 8;
  if (access.alignment.value() < access.elementBytes)
    return std::nullopt;
  return access;
}

/// Whether one instruction can access `lanes`, all under one mask.
static bool isOneAccess(const PtxAccess &access, Lanes lanes, ArrayRef<Value *> masks) {
  unsigned bytes = lanes.count * access.elementBytes;
  if (lanes.first + lanes.count > masks.size() || bytes > access.maxBytes)
    return false;
  if (commonAlignment(access.alignment, lanes.first * access.elementBytes).value() < bytes)
    return false;
  return all_equal(masks.slice(lanes.first, lanes.count));
}

static RegisterWords wordsOf(const PtxAccess &access, Lanes lanes) {
  return getRegisterWords(access.type->getElementType(), access.elementBytes, lanes.count);
}

static SmallVector<Value *> elementsOf(const PtxAccess &access, Lanes lanes,
                                       IRBuilderBase &builder) {
  return getElements(access.value, lanes.first, lanes.count, builder);
}

/// The address as a register and a constant number of bytes that PTX adds to it.
static std::string addressOperand(const PtxAccess &access, Lanes lanes, InlinePtx &ptx) {
  const DataLayout &layout = access.call->getDataLayout();
  APInt offset(layout.getIndexTypeSizeInBits(access.address->getType()), 0);
  Value *base =
      access.address->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  offset += uint64_t(lanes.first) * access.elementBytes;
  // The immediate of PTX has 32 bits. Stripping may also have crossed an address-space cast.
  if (!offset.isSignedIntN(32) || base->getType() != access.address->getType()) {
    base = access.address;
    offset = uint64_t(lanes.first) * access.elementBytes;
  }
  std::string operand = "[" + ptx.addInput(base);
  if (!offset.isZero())
    operand += (offset.isNegative() ? " + -" : " + ") + toString(offset.abs(), 10, false);
  return operand + "]";
}

/// The cache operator or the eviction priority as PTX writes them; empty for none. Shared memory
/// has no cache.
static StringRef cacheOperator(const PtxAccess &access) {
  if (access.stateSpace == ".shared")
    return {};
  return StringSwitch<StringRef>(getCachePolicy(*access.call))
      .Case("ca", access.isLoad ? ".ca" : "")
      .Case("cg", ".cg")
      .Case("cs", ".cs")
      .Case("wb", access.isLoad ? "" : ".wb")
      .Case("wt", access.isLoad ? "" : ".wt")
      .Case("evict_first", ".L1::evict_first")
      .Case("evict_last", ".L1::evict_last")
      .Default(access.call->hasMetadata(LLVMContext::MD_nontemporal) ? ".cs" : "");
}

/// "ld.global.cs.v4.b32" and the like, up to the operands.
static std::string mnemonic(const PtxAccess &access, const RegisterWords &words) {
  std::string text = access.isLoad ? "ld" : "st";
  text += access.stateSpace;
  text += cacheOperator(access);
  if (words.count > 1)
    text += ".v" + utostr(words.count);
  return text + ".b" + utostr(words.bytes * 8);
}

/// The word of lanes that are off: a number in the text, or else a register.
static std::string passThroughOperand(ArrayRef<Value *> elements, Type *word, InlinePtx &ptx,
                                      IRBuilderBase &builder) {
  if (std::optional<APInt> constant = packConstants(elements, word->getPrimitiveSizeInBits()))
    return "0x" + utohexstr(constant->getZExtValue(), /*LowerCase=*/true);
  return ptx.addInput(packWord(elements, word, builder));
}

/// The call of an access. To the optimiser it reads or writes what its address points to, so that
/// equal loads without a write between them can still be merged.
static CallInst *emitCall(InlinePtx &ptx, bool isLoad) {
  CallInst *call = ptx.emit(/*hasSideEffects=*/!isLoad);
  call->setMemoryEffects(MemoryEffects::argMemOnly(isLoad ? ModRefInfo::Ref : ModRefInfo::Mod));
  call->addFnAttr(Attribute::WillReturn);
  return call;
}

/// A load of `lanes`, predicated where `mask` is not null; their elements are appended to
/// `results`.
static void emitLoad(const PtxAccess &access, Lanes lanes, Value *mask,
                     SmallVectorImpl<Value *> &results, IRBuilderBase &builder) {
  const RegisterWords words = wordsOf(access, lanes);
  SmallVector<Value *> passThrough = elementsOf(access, lanes, builder);

  InlinePtx ptx(builder);
  SmallVector<std::string> registers;
  // The values of lanes that are off are written first.
  for (unsigned index = 0; index < words.count; ++index)
    registers.push_back(ptx.addOutput(words.type, /*isWrittenEarly=*/true));
  for (auto [index, name] : enumerate(registers)) {
    ArrayRef<Value *> elements =
        ArrayRef(passThrough).slice(index * words.elementsEach, words.elementsEach);
    // Where nobody cares, a register keeps what it has.
    if (!mask || all_of(elements, IsaPred<UndefValue>))
      continue;
    ptx.addLine("mov.b" + Twine(words.type->getPrimitiveSizeInBits().getFixedValue()) + " " + name +
                ", " + passThroughOperand(elements, words.type, ptx, builder) + ";");
  }
  std::string address = addressOperand(access, lanes, ptx);
  ptx.addLine(ptx.addPredicate(mask) + mnemonic(access, words) + " " + registerList(registers) +
              ", " + address + ";");

  for (Value *word : ptx.getOutputs(emitCall(ptx, /*isLoad=*/true)))
    unpackWord(word, access.type->getElementType(), words.elementsEach, results, builder);
}

static void emitStore(const PtxAccess &access, Lanes lanes, Value *mask, IRBuilderBase &builder) {
  const RegisterWords words = wordsOf(access, lanes);
  SmallVector<Value *> elements = elementsOf(access, lanes, builder);

  InlinePtx ptx(builder);
  SmallVector<std::string> registers;
  for (unsigned index = 0; index < words.count; ++index)
    registers.push_back(ptx.addInput(
        packWord(ArrayRef(elements).slice(index * words.elementsEach, words.elementsEach),
                 words.type, builder)));
  std::string address = addressOperand(access, lanes, ptx);
  ptx.addLine(ptx.addPredicate(mask) + mnemonic(access, words) + " " + address + ", " +
              registerList(registers) + ";");
  emitCall(ptx, /*isLoad=*/false);
}

/// An access of `lanes` whose mask is known to be on.
static void emitPlain(const PtxAccess &access, Lanes lanes, SmallVectorImpl<Value *> &results,
                      IRBuilderBase &builder) {
  unsigned offset = lanes.first * access.elementBytes;
  Value *address = offset ? builder.CreateConstGEP1_64(builder.getInt8Ty(), access.address, offset)
                          : access.address;
  Align alignment = commonAlignment(access.alignment, offset);
  auto *type = FixedVectorType::get(access.type->getElementType(), lanes.count);
  if (access.isLoad) {
    Value *plain = builder.CreateAlignedLoad(type, address, alignment);
    for (unsigned lane = 0; lane < lanes.count; ++lane)
      results.push_back(builder.CreateExtractElement(plain, lane));
  } else {
    Value *vector = type == access.type ? access.value
                                        : makeVector(elementsOf(access, lanes, builder), builder);
    builder.CreateAlignedStore(vector, address, alignment);
  }
}

/// Removes `access`, whose lanes are `results` if it is a load, and what has no use any more.
static void replace(const PtxAccess &access, ArrayRef<Value *> results, IRBuilderBase &builder) {
  SmallVector<WeakTrackingVH> dead(access.call->args());
  if (access.isLoad)
    replaceByElements(*access.call, [&](unsigned lane) { return results[lane]; }, builder, dead);
  access.call->eraseFromParent();
  dead.append(results.begin(), results.end());
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
}

static void expand(const PtxAccess &access) {
  IRBuilder<> builder(access.call);
  SmallVector<Value *> masks = getLaneMasks(access, builder);
  SmallVector<Value *> results;
  Lanes lanes{0, 0};
  for (; lanes.first < masks.size(); lanes.first += lanes.count) {
    lanes.count = 1;
    while (isOneAccess(access, {lanes.first, 2 * lanes.count}, masks))
      lanes.count *= 2;
    Value *mask = masks[lanes.first];
    auto *known = dyn_cast<ConstantInt>(mask);
    if (known && known->isZero()) {
      if (access.isLoad)
        append_range(results, elementsOf(access, lanes, builder));
      continue;
    }
    if (known && cacheOperator(access).empty()) {
      emitPlain(access, lanes, results, builder);
      continue;
    }
    if (known)
      mask = nullptr;
    if (access.isLoad)
      emitLoad(access, lanes, mask, results, builder);
    else
      emitStore(access, lanes, mask, builder);
  }
  replace(access, results, builder);
}

bool tilewright::emit::expandMaskedAccesses(Function &function, unsigned maxGlobalBytes) {
  maskCachedAccesses(function);

  // Expanding one access changes operands of the remaining ones and may leave them without users.
  SmallVector<WeakVH> candidates;
  for (Instruction &instruction : instructions(function))
    if (matchPtxAccess(instruction, maxGlobalBytes))
      candidates.push_back(&instruction);
  for (const WeakVH &candidate : candidates)
    if (candidate)
      expand(*matchPtxAccess(*cast<Instruction>(candidate), maxGlobalBytes));
  return !candidates.empty();
}

namespace {
class ExpandMaskedAccess : public FunctionPass {
public:
  static char ID;
  explicit ExpandMaskedAccess(unsigned maxGlobalBytes)
      : FunctionPass(ID), maxGlobalBytes(maxGlobalBytes) {}

  StringRef getPassName() const override { return "Masked accesses to predicated PTX"; }
  void getAnalysisUsage(AnalysisUsage &usage) const override { usage.setPreservesCFG(); }
  bool runOnFunction(Function &function) override {
    return expandMaskedAccesses(function, maxGlobalBytes);
  }

private:
  unsigned maxGlobalBytes;
};
} // namespace

char ExpandMaskedAccess::ID = 0;

FunctionPass *tilewright::emit::createExpandMaskedAccessPass(unsigned maxGlobalBytes) {
  return new ExpandMaskedAccess(maxGlobalBytes);
}
