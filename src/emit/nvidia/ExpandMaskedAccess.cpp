//===- ExpandMaskedAccess.cpp - Masked memory access to predicated PTX -----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "emit/nvidia/ExpandMaskedAccess.h"

#include "emit/CachePolicy.h"
#include "emit/MaskedAccess.h"
#include "emit/nvidia/PtxOperands.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/InitializePasses.h"
#include "llvm/Pass.h"
#include "llvm/Support/ModRef.h"
#include "llvm/Transforms/Utils/Local.h"

#include <string>

using namespace llvm;
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

/// How a run of lanes lies in registers: `count` words of `bytes` bytes each. Elements
/// narrower than a word lie side by side in it, the first in the lowest bits.
struct Words {
  unsigned bytes;
  unsigned count;
  unsigned elementsEach;
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

static Words wordsOf(const PtxAccess &access, Lanes lanes) {
  unsigned bytes = lanes.count * access.elementBytes;
  unsigned wordBytes = std::max(access.elementBytes, std::min(4u, bytes));
  return {wordBytes, bytes / wordBytes, wordBytes / access.elementBytes};
}

/// The type of a word in registers. PTX has no 8-bit registers; a byte lies in a 16-bit one.
static Type *wordType(const PtxAccess &access, const Words &words) {
  Type *element = access.type->getElementType();
  if (words.elementsEach == 1 && (element->isFloatTy() || element->isDoubleTy()))
    return element;
  return Type::getIntNTy(element->getContext(), std::max(words.bytes, 2u) * 8);
}

/// The bits of a constant element; an undefined one counts as zero.
static std::optional<APInt> constantBits(Value *element, unsigned bits) {
  if (isa<UndefValue>(element) || isa<ConstantPointerNull>(element))
    return APInt(bits, 0);
  if (auto *integer = dyn_cast<ConstantInt>(element))
    return integer->getValue();
  if (auto *fp = dyn_cast<ConstantFP>(element))
    return fp->getValueAPF().bitcastToAPInt();
  return std::nullopt;
}

/// Elements to the word that holds them.
static Value *packWord(ArrayRef<Value *> elements, Type *word, IRBuilderBase &builder) {
  Type *element = elements.front()->getType();
  if (elements.size() == 1) {
    if (element->isPointerTy())
      return builder.CreatePtrToInt(elements.front(), word);
    Type *sameSize = builder.getIntNTy(element->getPrimitiveSizeInBits());
    Value *value =
        element == word ? elements.front() : builder.CreateBitCast(elements.front(), sameSize);
    return value->getType() == word ? value : builder.CreateZExt(value, word);
  }
  Value *vector = PoisonValue::get(FixedVectorType::get(element, elements.size()));
  for (auto [index, value] : enumerate(elements))
    vector = builder.CreateInsertElement(vector, value, index);
  return builder.CreateBitCast(vector, word);
}

/// The elements that lie in a word: the inverse of packWord.
static void unpackWord(Value *word, Type *element, unsigned count,
                       SmallVectorImpl<Value *> &elements, IRBuilderBase &builder) {
  if (count > 1) {
    Value *vector = builder.CreateBitCast(word, FixedVectorType::get(element, count));
    for (unsigned index = 0; index < count; ++index)
      elements.push_back(builder.CreateExtractElement(vector, index));
    return;
  }
  if (element->isPointerTy()) {
    elements.push_back(builder.CreateIntToPtr(word, element));
    return;
  }
  if (word->getType() != element) {
    word = builder.CreateTrunc(word, builder.getIntNTy(element->getPrimitiveSizeInBits()));
    word = builder.CreateBitCast(word, element);
  }
  elements.push_back(word);
}

/// The text of one predicated access and its operands, which are numbered in the order in
/// which they are added: outputs first.
namespace {
class PredicatedAsm {
public:
  /// An output register. It is written before the inputs are read (the value for lanes
  /// that are off comes first), so it shares no register with an input.
  std::string addOutput(Type *type) {
    addConstraint("=&", registerConstraint(type));
    outputs.push_back(type);
    return "$" + utostr(operandCount++);
  }

  std::string addInput(Value *value, StringRef constraint) {
    addConstraint("", constraint);
    inputs.push_back(value);
    return "$" + utostr(operandCount++);
  }

  void addLine(const Twine &line) {
    if (!text.empty())
      text += "\n\t";
    text += line.str();
  }

  /// The call; a load gives its words in order.
  ///
  /// To the optimiser the access reads or writes what its address points to, so equal
  /// loads without a write between them can still be merged. Instruction selection knows
  /// only the clobber: it keeps the access in order with other memory accesses and with
  /// barriers.
  SmallVector<Value *> emit(IRBuilderBase &builder, bool isLoad) {
    addConstraint("~{memory}", "");
    Type *result = builder.getVoidTy();
    if (outputs.size() == 1)
      result = outputs.front();
    else if (!outputs.empty())
      result = StructType::get(builder.getContext(), outputs);
    SmallVector<Type *> inputTypes(map_range(inputs, [](Value *v) { return v->getType(); }));
    auto *function = FunctionType::get(result, inputTypes, /*isVarArg=*/false);
    CallInst *call = builder.CreateCall(
        InlineAsm::get(function, text, constraints, /*hasSideEffects=*/!isLoad), inputs);
    call->setMemoryEffects(MemoryEffects::argMemOnly(isLoad ? ModRefInfo::Ref : ModRefInfo::Mod));
    call->setDoesNotThrow();
    call->addFnAttr(Attribute::WillReturn);

    SmallVector<Value *> words;
    if (outputs.size() == 1)
      words.push_back(call);
    else
      for (unsigned index = 0; index < outputs.size(); ++index)
        words.push_back(builder.CreateExtractValue(call, index));
    return words;
  }

private:
  void addConstraint(StringRef prefix, StringRef constraint) {
    if (!constraints.empty())
      constraints += ",";
    constraints += prefix;
    constraints += constraint;
  }

  std::string text;
  std::string constraints;
  SmallVector<Type *> outputs;
  SmallVector<Value *> inputs;
  unsigned operandCount = 0;
};
} // namespace

/// The address as a register and a constant number of bytes that PTX adds to it.
static std::string addressOperand(const PtxAccess &access, Lanes lanes, PredicatedAsm &assembly,
                                  IRBuilderBase &builder) {
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
  std::string operand = "[" + assembly.addInput(base, addressConstraint(layout, base->getType()));
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
      .Cases({"cs", "evict_first"}, ".cs")
      .Case("wb", access.isLoad ? "" : ".wb")
      .Case("wt", access.isLoad ? "" : ".wt")
      .Case("evict_last", ".L1::evict_last")
      .Default(access.call->hasMetadata(LLVMContext::MD_nontemporal) ? ".cs" : "");
}

/// "ld.global.cs.v4.b32" and the like, up to the operands.
static std::string mnemonic(const PtxAccess &access, const Words &words) {
  std::string text = access.isLoad ? "ld" : "st";
  text += access.stateSpace;
  text += cacheOperator(access);
  if (words.count > 1)
    text += ".v" + utostr(words.count);
  return text + ".b" + utostr(words.bytes * 8);
}

/// "%a" or "{%a, %b}".
static std::string registerList(ArrayRef<std::string> registers) {
  std::string list = join(registers, ", ");
  return registers.size() == 1 ? list : "{" + list + "}";
}

static SmallVector<Value *> lanesOf(const PtxAccess &access, Lanes lanes, IRBuilderBase &builder) {
  SmallVector<Value *> elements;
  for (unsigned lane = lanes.first; lane < lanes.first + lanes.count; ++lane)
    elements.push_back(getLane(access.value, lane, builder));
  return elements;
}

/// What a word of lanes that are off holds: a number in the text, or else a register.
static std::string passThroughOperand(ArrayRef<Value *> elements, Type *word,
                                      PredicatedAsm &assembly, IRBuilderBase &builder) {
  unsigned wordBits = word->getPrimitiveSizeInBits();
  APInt bits(wordBits, 0);
  for (auto [index, element] : enumerate(elements)) {
    unsigned elementBits =
        element->getType()->isPointerTy() ? wordBits : element->getType()->getPrimitiveSizeInBits();
    std::optional<APInt> constant = constantBits(element, elementBits);
    if (!constant)
      return assembly.addInput(packWord(elements, word, builder), registerConstraint(word));
    bits |= constant->zext(wordBits) << (index * elementBits);
  }
  return "0x" + utohexstr(bits.getZExtValue(), /*LowerCase=*/true);
}

/// "@%p " for a mask; nothing for none.
static std::string predicateText(Value *mask, PredicatedAsm &assembly) {
  return mask ? "@" + assembly.addInput(mask, "b") + " " : std::string();
}

/// A load of `lanes`, predicated where `mask` is not null; their elements are appended to
/// `results`.
static void emitLoad(const PtxAccess &access, Lanes lanes, Value *mask,
                     SmallVectorImpl<Value *> &results, IRBuilderBase &builder) {
  Words words = wordsOf(access, lanes);
  Type *word = wordType(access, words);
  unsigned registerBits = word->getPrimitiveSizeInBits();
  SmallVector<Value *> passThrough = lanesOf(access, lanes, builder);

  PredicatedAsm assembly;
  SmallVector<std::string> registers;
  for (unsigned index = 0; index < words.count; ++index)
    registers.push_back(assembly.addOutput(word));
  for (auto [index, name] : enumerate(registers)) {
    ArrayRef<Value *> elements =
        ArrayRef(passThrough).slice(index * words.elementsEach, words.elementsEach);
    // Where nobody cares, a register keeps what it has.
    if (!mask || all_of(elements, IsaPred<UndefValue>))
      continue;
    assembly.addLine("mov.b" + Twine(registerBits) + " " + name + ", " +
                     passThroughOperand(elements, word, assembly, builder) + ";");
  }
  std::string address = addressOperand(access, lanes, assembly, builder);
  assembly.addLine(predicateText(mask, assembly) + mnemonic(access, words) + " " +
                   registerList(registers) + ", " + address + ";");

  for (Value *value : assembly.emit(builder, /*isLoad=*/true))
    unpackWord(value, access.type->getElementType(), words.elementsEach, results, builder);
}

static void emitStore(const PtxAccess &access, Lanes lanes, Value *mask, IRBuilderBase &builder) {
  Words words = wordsOf(access, lanes);
  Type *word = wordType(access, words);
  SmallVector<Value *> elements = lanesOf(access, lanes, builder);

  PredicatedAsm assembly;
  SmallVector<std::string> registers;
  for (unsigned index = 0; index < words.count; ++index) {
    Value *packed = packWord(
        ArrayRef(elements).slice(index * words.elementsEach, words.elementsEach), word, builder);
    registers.push_back(assembly.addInput(packed, registerConstraint(word)));
  }
  std::string address = addressOperand(access, lanes, assembly, builder);
  assembly.addLine(predicateText(mask, assembly) + mnemonic(access, words) + " " + address + ", " +
                   registerList(registers) + ";");
  assembly.emit(builder, /*isLoad=*/false);
}

/// An access of `lanes` whose mask is known to be on.
static void emitPlain(const PtxAccess &access, Lanes lanes, SmallVectorImpl<Value *> &results,
                      IRBuilderBase &builder) {
  unsigned offset = lanes.first * access.elementBytes;
  Value *address = offset ? builder.CreateConstGEP1_64(builder.getInt8Ty(), access.address, offset)
                          : access.address;
  Align alignment = commonAlignment(access.alignment, offset);
  auto *type = FixedVectorType::get(access.type->getElementType(), lanes.count);
  Instruction *plain;
  if (access.isLoad) {
    plain = builder.CreateAlignedLoad(type, address, alignment);
    for (unsigned lane = 0; lane < lanes.count; ++lane)
      results.push_back(builder.CreateExtractElement(plain, lane));
  } else {
    Value *vector = access.value;
    if (type != access.type) {
      vector = PoisonValue::get(type);
      for (auto [index, element] : enumerate(lanesOf(access, lanes, builder)))
        vector = builder.CreateInsertElement(vector, element, index);
    }
    plain = builder.CreateAlignedStore(vector, address, alignment);
  }
  plain->copyMetadata(*access.call, {LLVMContext::MD_nontemporal, LLVMContext::MD_dbg});
}

/// Gives the users of a load its lanes, without a vector in between for those that take
/// one lane of it.
static void replaceByLanes(CallInst *load, ArrayRef<Value *> lanes, IRBuilderBase &builder) {
  for (User *user : make_early_inc_range(load->users())) {
    auto *extract = dyn_cast<ExtractElementInst>(user);
    if (!extract)
      continue;
    auto *index = dyn_cast<ConstantInt>(extract->getIndexOperand());
    if (!index || index->getValue().uge(lanes.size()))
      continue;
    extract->replaceAllUsesWith(lanes[index->getZExtValue()]);
    extract->eraseFromParent();
  }
  if (!load->use_empty()) {
    Value *vector = PoisonValue::get(load->getType());
    for (auto [index, lane] : enumerate(lanes))
      vector = builder.CreateInsertElement(vector, lane, index);
    load->replaceAllUsesWith(vector);
  }
  for (Value *lane : lanes)
    RecursivelyDeleteTriviallyDeadInstructions(lane);
}

static void removeWithDeadOperands(CallInst *call) {
  SmallVector<WeakTrackingVH> operands(call->args());
  call->eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(operands);
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
    auto *known = dyn_cast<ConstantInt>(masks[lanes.first]);
    if (!known && access.isLoad)
      emitLoad(access, lanes, masks[lanes.first], results, builder);
    else if (!known)
      emitStore(access, lanes, masks[lanes.first], builder);
    else if (known->isOne() && !cacheOperator(access).empty() && access.isLoad)
      emitLoad(access, lanes, nullptr, results, builder);
    else if (known->isOne() && !cacheOperator(access).empty())
      emitStore(access, lanes, nullptr, builder);
    else if (known->isOne())
      emitPlain(access, lanes, results, builder);
    else if (access.isLoad)
      append_range(results, lanesOf(access, lanes, builder));
  }
  if (access.isLoad)
    replaceByLanes(access.call, results, builder);
  removeWithDeadOperands(access.call);
}

/// Accesses without a mask that say how they use the caches, where LLVM has no name for that.
static void maskCachedAccesses(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    if (getCachePolicy(instruction).empty() || instruction.isVolatile() || instruction.isAtomic() ||
        instruction.hasMetadata(LLVMContext::MD_nontemporal) ||
        !isa<LoadInst, StoreInst>(instruction))
      continue;
    IRBuilder<> builder(&instruction);
    auto *store = dyn_cast<StoreInst>(&instruction);
    Type *type = getLoadStoreType(&instruction);
    auto *vector = dyn_cast<FixedVectorType>(type);
    if (!vector)
      vector = FixedVectorType::get(type, 1);
    Value *mask = Constant::getAllOnesValue(
        FixedVectorType::get(builder.getInt1Ty(), vector->getNumElements()));
    Value *pointer = getLoadStorePointerOperand(&instruction);
    Align alignment = getLoadStoreAlignment(&instruction);
    CallInst *masked;
    if (store) {
      Value *value = store->getValueOperand();
      if (type != vector)
        value = builder.CreateInsertElement(PoisonValue::get(vector), value, uint64_t(0));
      masked = builder.CreateMaskedStore(value, pointer, alignment, mask);
    } else {
      masked = builder.CreateMaskedLoad(vector, pointer, alignment, mask);
      Value *value = masked;
      if (type != vector)
        value = builder.CreateExtractElement(masked, uint64_t(0));
      instruction.replaceAllUsesWith(value);
    }
    masked->copyMetadata(instruction);
    instruction.eraseFromParent();
  }
}

bool tilewright::emit::expandMaskedAccesses(Function &function, unsigned maxGlobalBytes) {
  maskCachedAccesses(function);

  // Expanding one access changes the operands of others and may leave them without users.
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
