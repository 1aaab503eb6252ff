//===- ExpandAtomics.cpp - Expansion of atomics into predicated PTX -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/emit/memory/ExpandAtomics.h"

#include "emit/VectorElements.h"
#include "target/NvidiaProcessor.h"
#include "vendor/nvidia/emit/InlinePtx.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <optional>

using namespace llvm;
using namespace tilewright;
using namespace tilewright::emit;
using tilewright::target::Target;

namespace {

/// One atomic operation as PTX has it.
struct PtxAtomic {
  /// With the operands in place of those of the IR: "add.noftz.f16x2", "cas.b32".
  std::string operation;
  AtomicOrdering ordering;
  StringRef scope;
  StringRef space;
  Value *address;
  /// The operands that are added, exchanged, compared: each a list of `words` registers.
  SmallVector<Value *, 2> operands;
  /// The type of a register, and how many of them an operand takes.
  Type *word;
  unsigned words = 1;
};

} // namespace

static std::optional<StringRef> scopeName(const Instruction &atomic, SyncScope::ID scope) {
  StringRef name = atomic.getContext().getSyncScopeName(scope).value_or(StringRef("singlethread"));
  if (name.empty())
    return StringRef("sys");
  if (name == "device")
    return StringRef("gpu");
  if (name == "block")
    return StringRef("cta");
  if (name == "cluster")
    return name;
  return std::nullopt;
}

static std::optional<StringRef> semanticName(AtomicOrdering ordering) {
  switch (ordering) {
  case AtomicOrdering::Monotonic:
    return StringRef(".relaxed");
  case AtomicOrdering::Acquire:
    return StringRef(".acquire");
  case AtomicOrdering::Release:
    return StringRef(".release");
  case AtomicOrdering::AcquireRelease:
    return StringRef(".acq_rel");
  default:
    return std::nullopt;
  }
}

/// The name of an operation on integers of `bits` bits; empty where there is none.
static std::string integerOperation(AtomicRMWInst::BinOp operation, unsigned bits) {
  if (bits != 32 && bits != 64)
    return {};
  std::string size = utostr(bits);
  switch (operation) {
  case AtomicRMWInst::Xchg:
    return "exch.b" + size;
  case AtomicRMWInst::Add:
    return "add.u" + size;
  case AtomicRMWInst::And:
    return "and.b" + size;
  case AtomicRMWInst::Or:
    return "or.b" + size;
  case AtomicRMWInst::Xor:
    return "xor.b" + size;
  case AtomicRMWInst::Max:
    return "max.s" + size;
  case AtomicRMWInst::Min:
    return "min.s" + size;
  case AtomicRMWInst::UMax:
    return "max.u" + size;
  case AtomicRMWInst::UMin:
    return "min.u" + size;
  default:
    return {};
  }
}

/// Additions of floats, alone or in a vector; sets the words that the operand takes. PTX ISA,
/// atom: f16 and f16x2 everywhere here, bf16 and vectors from sm_90 on, vectors in global
/// memory only.
static bool matchFloatAddition(PtxAtomic &atomic, Type *type, const Target &target) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  Type *element = type->getScalarType();
  unsigned count = vector ? vector->getNumElements() : 1;
  const bool hasVectors = target::nvidia::processorOf(target).hasVectorAdditions;
  if (element->isBFloatTy() && !hasVectors)
    return false;
  LLVMContext &context = type->getContext();
  std::string name;
  if (element->isHalfTy() || element->isBFloatTy()) {
    name = element->isHalfTy() ? "f16" : "bf16";
    if (count > 1) {
      name += "x2";
      atomic.words = count / 2;
      atomic.word = Type::getInt32Ty(context);
    } else {
      atomic.word = Type::getInt16Ty(context);
    }
  } else if (element->isFloatTy() || element->isDoubleTy()) {
    name = element->isFloatTy() ? "f32" : "f64";
    atomic.words = count;
    atomic.word = element;
  } else {
    return false;
  }
  if (atomic.words > 1 &&
      (!hasVectors || atomic.space != ".global" || element->isDoubleTy() || atomic.words > 4))
    return false;
  const bool isNarrow = element->getPrimitiveSizeInBits() == 16;
  atomic.operation = "add";
  if (isNarrow)
    atomic.operation += ".noftz";
  if (atomic.words > 1)
    atomic.operation += ".v" + utostr(atomic.words);
  atomic.operation += "." + name;
  return true;
}

/// `instruction` as an operation of PTX; nothing where PTX has none.
static std::optional<PtxAtomic> matchAtomic(Instruction &instruction, const Target &target) {
  PtxAtomic atomic;
  SyncScope::ID scope;
  Type *type;
  std::optional<StringRef> space;
  if (auto *modify = dyn_cast<AtomicRMWInst>(&instruction)) {
    atomic.ordering = modify->getOrdering();
    scope = modify->getSyncScopeID();
    type = modify->getType();
    atomic.address = modify->getPointerOperand();
    atomic.operands = {modify->getValOperand()};
    space = stateSpaceSuffix(modify->getPointerAddressSpace());
  } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    atomic.ordering = exchange->getMergedOrdering();
    scope = exchange->getSyncScopeID();
    type = exchange->getCompareOperand()->getType();
    atomic.address = exchange->getPointerOperand();
    atomic.operands = {exchange->getCompareOperand(), exchange->getNewValOperand()};
    space = stateSpaceSuffix(exchange->getPointerAddressSpace());
  } else {
    return std::nullopt;
  }
  std::optional<StringRef> scopeText = scopeName(instruction, scope);
  if (!space || !scopeText || !semanticName(atomic.ordering))
    return std::nullopt;
  atomic.space = *space;
  atomic.scope = *scopeText;

  if (isa<AtomicCmpXchgInst>(instruction)) {
    if (!type->isIntegerTy(16) && !type->isIntegerTy(32) && !type->isIntegerTy(64))
      return std::nullopt;
    atomic.word = type;
    atomic.operation = "cas.b" + utostr(type->getIntegerBitWidth());
    return atomic;
  }
  AtomicRMWInst::BinOp operation = cast<AtomicRMWInst>(instruction).getOperation();
  if (operation == AtomicRMWInst::FAdd)
    return matchFloatAddition(atomic, type, target) ? std::optional(atomic) : std::nullopt;
  if (isa<VectorType>(type) || type->isPointerTy())
    return std::nullopt;
  unsigned bits = type->getPrimitiveSizeInBits();
  atomic.operation = integerOperation(operation, bits);
  if (atomic.operation.empty())
    return std::nullopt;
  atomic.word = Type::getIntNTy(instruction.getContext(), bits);
  return atomic;
}

//===--------------------------------------------------------------------------===//
// Instructions
//===--------------------------------------------------------------------------===//

/// The registers of an operand.
static SmallVector<Value *, 4> toWords(const PtxAtomic &atomic, Value *value,
                                       IRBuilderBase &builder) {
  if (atomic.words == 1)
    return {builder.CreateBitCast(value, atomic.word)};
  Value *vector = builder.CreateBitCast(value, FixedVectorType::get(atomic.word, atomic.words));
  SmallVector<Value *, 4> words;
  for (unsigned i = 0; i < atomic.words; ++i)
    words.push_back(builder.CreateExtractElement(vector, i));
  return words;
}

static Value *fromWords(ArrayRef<Value *> words, Type *type, IRBuilderBase &builder) {
  return builder.CreateBitCast(words.size() == 1 ? words.front() : makeVector(words, builder),
                               type);
}

/// The instruction in the place of `builder`: the old value as a `type`. `predicate` may be null.
static Value *emitAtomic(const PtxAtomic &atomic, Value *predicate, Type *type,
                         IRBuilderBase &builder) {
  // Without users of the result ptxas makes a reduction (RED) of it, as it does of `red`.
  InlinePtx ptx(builder);
  SmallVector<std::string> registers;
  for (unsigned i = 0; i < atomic.words; ++i)
    registers.push_back(ptx.addOutput(atomic.word, /*isWrittenEarly=*/false));
  std::string operands = registerList(registers) + ", ";
  operands += "[" + ptx.addInput(atomic.address) + "]";
  for (Value *operand : atomic.operands) {
    SmallVector<std::string> registers;
    for (Value *word : toWords(atomic, operand, builder))
      registers.push_back(ptx.addInput(word));
    operands += ", " + registerList(registers);
  }
  // Triton's order of the words, which programs look for; ptxas takes any.
  const std::string semantics = semanticName(atomic.ordering)->str(),
                    scope = "." + atomic.scope.str();
  const bool isExchange = atomic.operands.size() == 2;
  ptx.addLine(ptx.addPredicate(predicate) + "atom" + atomic.space.str() +
              (isExchange ? semantics + scope : scope + semantics) + "." + atomic.operation + " " +
              operands + ";");
  return fromWords(ptx.getOutputs(ptx.emit(/*hasSideEffects=*/true)), type, builder);
}

static void expand(Instruction &instruction, const PtxAtomic &atomic, Value *predicate) {
  IRBuilder<> builder(&instruction);
  auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction);
  Type *type = exchange ? exchange->getCompareOperand()->getType() : instruction.getType();
  Value *old = emitAtomic(atomic, predicate, type, builder);
  if (exchange) {
    // The users take one of the two.
    Value *parts[] = {old, builder.CreateICmpEQ(old, exchange->getCompareOperand())};
    for (User *user : make_early_inc_range(exchange->users()))
      if (auto *extract = dyn_cast<ExtractValueInst>(user)) {
        extract->replaceAllUsesWith(parts[extract->getIndices()[0]]);
        extract->eraseFromParent();
      }
    if (!exchange->use_empty()) {
      Value *pair = PoisonValue::get(exchange->getType());
      for (unsigned i : {0, 1})
        pair = builder.CreateInsertValue(pair, parts[i], i);
      exchange->replaceAllUsesWith(pair);
    }
  } else if (!instruction.use_empty()) {
    instruction.replaceAllUsesWith(old);
  }
  instruction.eraseFromParent();
}

//===--------------------------------------------------------------------------===//
// Predicates
//===--------------------------------------------------------------------------===//

/// The block that control goes to from `block` whether or not it takes the branch around it;
/// null if `block` is not such a block, or does more than atomic operations and what they need.
static BasicBlock *matchSkipped(BasicBlock &block, const Target &target) {
  BasicBlock *before = block.getSinglePredecessor();
  auto *end = dyn_cast<BranchInst>(block.getTerminator());
  auto *branch = before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
  if (!branch || !branch->isConditional() || !end || !end->isUnconditional())
    return nullptr;
  BasicBlock *after = end->getSuccessor(0);
  if (after == &block || branch->getSuccessor(0) == branch->getSuccessor(1) ||
      (branch->getSuccessor(0) != after && branch->getSuccessor(1) != after))
    return nullptr;
  bool hasAtomic = false;
  for (Instruction &instruction : block) {
    if (instruction.isTerminator())
      continue;
    if (matchAtomic(instruction, target))
      hasAtomic = true;
    else if (isa<PHINode>(instruction) || !isSafeToSpeculativelyExecute(&instruction))
      return nullptr;
  }
  return hasAtomic ? after : nullptr;
}

/// Moves what `block` does to the block before it, and its atomic operations under a predicate.
static void removeBranch(BasicBlock &block, BasicBlock &after, const Target &target) {
  BasicBlock *before = block.getSinglePredecessor();
  auto *branch = cast<BranchInst>(before->getTerminator());
  IRBuilder<> builder(branch);
  Value *condition = branch->getCondition();
  Value *predicate = branch->getSuccessor(0) == &block ? condition : builder.CreateNot(condition);
  for (Instruction &instruction : make_early_inc_range(block)) {
    if (instruction.isTerminator())
      break;
    instruction.moveBefore(branch->getIterator());
  }
  for (PHINode &phi : after.phis()) {
    Value *inside = phi.getIncomingValueForBlock(&block);
    Value *outside = phi.getIncomingValueForBlock(before);
    Value *value =
        isa<UndefValue>(outside) ? inside : builder.CreateSelect(predicate, inside, outside);
    phi.setIncomingValueForBlock(before, value);
  }
  after.removePredecessor(&block, /*KeepOneInputPHIs=*/true);
  SmallVector<Instruction *> atomics;
  for (Instruction &instruction : *before)
    if (matchAtomic(instruction, target))
      atomics.push_back(&instruction);
  for (Instruction *atomic : atomics)
    expand(*atomic, *matchAtomic(*atomic, target), predicate);
  builder.SetInsertPoint(branch);
  builder.CreateBr(&after);
  branch->eraseFromParent();
  block.eraseFromParent();
  // Long runs of predicated operations become one block.
  MergeBlockIntoPredecessor(&after);
}

bool tilewright::emit::expandAtomics(Function &function, const Target &target) {
  SmallVector<BasicBlock *> skipped;
  SmallVector<Instruction *> plain;
  for (BasicBlock &block : function) {
    if (matchSkipped(block, target)) {
      skipped.push_back(&block);
      continue;
    }
    for (Instruction &instruction : block)
      if (matchAtomic(instruction, target))
        plain.push_back(&instruction);
  }
  // Operations that all threads do come first: those that are found in front of a branch later
  // are the ones that have just been moved there.
  for (Instruction *instruction : plain)
    expand(*instruction, *matchAtomic(*instruction, target), /*predicate=*/nullptr);
  // Blocks that are skipped do not become others when those before them are merged.
  for (BasicBlock *block : skipped)
    removeBranch(*block, *matchSkipped(*block, target), target);
  return !plain.empty() || !skipped.empty();
}
