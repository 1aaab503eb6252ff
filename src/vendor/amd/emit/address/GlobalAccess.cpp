//===- GlobalAccess.cpp - Global memory accesses in a form that suits AMDGPU --===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/address/GlobalAccess.h"

#include "emit/CachePolicy.h"
#include "emit/MaskedAccess.h"
#include "target/AmdProcessor.h"
#include "vendor/amd/emit/address/AddressSplitter.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Transforms/Utils/Local.h"

#include <map>
#include <tuple>

using namespace llvm;
using namespace tilewright;
using namespace tilewright::emit;

static constexpr unsigned globalSpace = 1, bufferSpace = 8;

/// The size in a descriptor, and the offset of lanes that are off: the first that is not below it.
static constexpr uint32_t bufferBytes = uint32_t(1) << 31;

/// Notes on `access` what its cache policy means here: that the caches need not keep the data, or
/// nothing. (As Triton's AMD back end has it: a load past the first cache, cg, is such a one.)
static void applyCachePolicy(Instruction &access) {
  const bool isStreamed = StringSwitch<bool>(getCachePolicy(access))
                              .Cases({"cs", "evict_first"}, true)
                              .Case("cg", !access.mayWriteToMemory())
                              .Default(false);
  if (isStreamed && !access.hasMetadata(LLVMContext::MD_nontemporal)) {
    IRBuilder<> builder(&access);
    access.setMetadata(
        LLVMContext::MD_nontemporal,
        MDNode::get(access.getContext(), ConstantAsMetadata::get(builder.getInt32(1))));
  }
}

namespace {

/// A masked load or store in global memory that one buffer instruction does.
struct BufferAccess : MaskedAccess {
  /// The bit of the mask, one for all lanes.
  Value *maskBit;
  /// The data of the instruction: an integer of up to 32 bits or a vector of i32.
  Type *data = nullptr;
  uint64_t bytes = 0;
};

/// Expands the accesses of one function.
class AccessExpander {
public:
  AccessExpander(Function &function, const target::Target &target, TargetMachine &machine)
      : function(function), splitter(function, machine),
        processor(target::amd::processorOf(target)) {}

  void run() {
    SmallVector<Instruction *> accesses;
    for (Instruction &instruction : instructions(function))
      if (instruction.mayReadOrWriteMemory())
        accesses.push_back(&instruction);
    for (Instruction *access : accesses) {
      applyCachePolicy(*access);
      if (std::optional<BufferAccess> buffer = matchBufferAccess(*access);
          !buffer || !expandToBuffer(*buffer))
        splitAddress(*access);
    }
    removeDeadCode();
  }

private:
  static std::optional<BufferAccess> matchBufferAccess(Instruction &instruction);
  bool expandToBuffer(const BufferAccess &access);
  void splitAddress(Instruction &access);
  bool splitChoice(Instruction &access, Use &address);
  Value *getDescriptor(Value *base);
  Value *getDescriptorIf(Value *base, Value *condition, Instruction &access);
  void removeDeadCode();

  Function &function;
  AddressSplitter splitter;
  const target::amd::Processor &processor;
  DenseMap<Value *, Value *> descriptors;
  /// By base, condition and block.
  std::map<std::tuple<Value *, Value *, BasicBlock *>, Value *> descriptorsIf;
};

} // namespace

/// The type that moves `bytes` bytes; null where no one buffer instruction does.
static Type *getDataType(LLVMContext &context, uint64_t bytes) {
  switch (bytes) {
  case 1:
  case 2:
  case 4:
    return Type::getIntNTy(context, bytes * 8);
  case 8:
  case 12:
  case 16:
    return FixedVectorType::get(Type::getInt32Ty(context), bytes / 4);
  default:
    return nullptr;
  }
}

std::optional<BufferAccess> AccessExpander::matchBufferAccess(Instruction &instruction) {
  std::optional<MaskedAccess> masked = matchMaskedAccess(instruction);
  if (!masked)
    return std::nullopt;
  BufferAccess access{*masked, getSplatValue(masked->mask)};
  Type *element = access.type->getElementType();
  if (!access.maskBit || element->isPointerTy() ||
      access.address->getType()->getPointerAddressSpace() != globalSpace)
    return std::nullopt;
  const DataLayout &layout = access.call->getDataLayout();
  if (layout.getTypeSizeInBits(access.type) !=
      layout.getTypeStoreSizeInBits(element) * access.type->getNumElements())
    return std::nullopt;
  access.bytes = layout.getTypeStoreSize(access.type);
  access.data = getDataType(instruction.getContext(), access.bytes);
  if (!access.data || access.alignment.value() < std::min<uint64_t>(access.bytes, 4))
    return std::nullopt;
  return access;
}

/// Descriptors of one mask that a function may have. Each takes four of some hundred scalar
/// registers, and kernels that load thousands of numbers, each by a mask of its own, would spill
/// them.
static constexpr size_t maxDescriptorsIf = 32;

static Value *createDescriptor(IRBuilder<> &builder, Value *base, Value *bytes, uint32_t flags) {
  return builder.CreateIntrinsic(Intrinsic::amdgcn_make_buffer_rsrc,
                                 {builder.getPtrTy(bufferSpace), base->getType()},
                                 {base, builder.getInt16(0), bytes, builder.getInt32(flags)});
}

Value *AccessExpander::getDescriptor(Value *base) {
  Value *&descriptor = descriptors[base];
  if (descriptor)
    return descriptor;
  IRBuilder<> builder(function.getContext());
  if (auto *instruction = dyn_cast<Instruction>(base))
    builder.SetInsertPoint(*instruction->getInsertionPointAfterDef());
  else
    builder.SetInsertPoint(function.getEntryBlock().getFirstInsertionPt());
  return descriptor =
             createDescriptor(builder, base, builder.getInt64(bufferBytes), processor.bufferFlags);
}

/// A descriptor for `access` and those after it in its block: of no bytes if `condition`, which is
/// the same in all lanes, does not hold.
Value *AccessExpander::getDescriptorIf(Value *base, Value *condition, Instruction &access) {
  Value *&descriptor = descriptorsIf[{base, condition, access.getParent()}];
  if (descriptor)
    return descriptor;
  IRBuilder<> builder(&access);
  Value *bytes =
      builder.CreateSelect(condition, builder.getInt64(bufferBytes), builder.getInt64(0));
  return descriptor = createDescriptor(builder, base, bytes, processor.bufferFlags);
}

/// Whether all lanes of a wave are on or all are off.
static bool isUniform(const MaskedAccess &access, const AddressSplitter &splitter) {
  return any_of(access.call->args(), [&](const Use &argument) {
    return argument == access.mask && splitter.isUniform(argument);
  });
}

bool AccessExpander::expandToBuffer(const BufferAccess &access) {
  std::optional<SplitAddress> address = splitter.split(access.address, access.bytes);
  if (!address || address->large)
    return false;
  IRBuilder<> builder(access.call);
  Value *offset = address->offset ? address->offset : builder.getInt32(0), *descriptor;
  if (descriptorsIf.size() < maxDescriptorsIf && isUniform(access, splitter)) {
    descriptor = getDescriptorIf(address->base, access.maskBit, *access.call);
  } else {
    descriptor = getDescriptor(address->base);
    offset = builder.CreateSelect(access.maskBit, offset, builder.getInt32(bufferBytes));
  }
  // A constant that does not fit into the instruction goes into its scalar offset.
  const uint32_t immediate = address->constant & processor.maxBufferOffset;
  if (immediate)
    offset = builder.CreateAdd(offset, builder.getInt32(immediate), "", /*HasNUW=*/true);
  Value *rest = builder.getInt32(address->constant - immediate);
  Value *none = builder.getInt32(0);

  Instruction *buffer;
  if (access.isLoad) {
    buffer = builder.CreateIntrinsic(Intrinsic::amdgcn_raw_ptr_buffer_load, {access.data},
                                     {descriptor, offset, rest, none});
    Value *result = builder.CreateBitCast(buffer, access.type);
    const auto *constant = dyn_cast<Constant>(access.value);
    if (!constant || !(constant->isNullValue() || isa<UndefValue>(constant)))
      result = builder.CreateSelect(access.maskBit, result, access.value);
    access.call->replaceAllUsesWith(result);
  } else {
    Value *data = builder.CreateBitCast(access.value, access.data);
    buffer = builder.CreateIntrinsic(Intrinsic::amdgcn_raw_ptr_buffer_store, {access.data},
                                     {data, descriptor, offset, rest, none});
  }
  buffer->copyMetadata(*access.call);
  splitter.forget(*access.call);
  access.call->eraseFromParent();
  return true;
}

/// The operand of `access` that is an address in global memory; null if there is none.
static Use *getAddress(Instruction &access) {
  Use *address = nullptr;
  if (isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst>(access)) {
    const Value *pointer =
        isa<AtomicRMWInst>(access)       ? cast<AtomicRMWInst>(access).getPointerOperand()
        : isa<AtomicCmpXchgInst>(access) ? cast<AtomicCmpXchgInst>(access).getPointerOperand()
                                         : getLoadStorePointerOperand(&access);
    for (Use &operand : access.operands())
      if (operand == pointer)
        address = &operand;
  } else if (std::optional<MaskedAccess> masked = matchMaskedAccess(access)) {
    address = &masked->call->getArgOperandUse(masked->isLoad ? 0 : 1);
  } else if (auto *call = dyn_cast<IntrinsicInst>(&access);
             call && call->getIntrinsicID() == Intrinsic::amdgcn_global_load_tr_b128) {
    address = &call->getArgOperandUse(0);
  }
  if (!address || address->get()->getType()->getPointerAddressSpace() != globalSpace)
    return nullptr;
  return address;
}

/// No access is wider.
static constexpr uint64_t maxBytes = 64;

/// Splits an address that is %p or, in all lanes alike, a constant one, as that of a load which the
/// last iterations do not need: base and offset are chosen each for itself, the base in scalar
/// registers.
bool AccessExpander::splitChoice(Instruction &access, Use &address) {
  auto *choice = dyn_cast<SelectInst>(address);
  if (!choice || !isa<Constant>(choice->getFalseValue()) ||
      !splitter.isUniform(choice->getOperandUse(0)))
    return false;
  std::optional<SplitAddress> parts = splitter.split(choice->getTrueValue(), maxBytes);
  if (!parts || !parts->offset || parts->large)
    return false;
  IRBuilder<> builder(&access);
  Value *condition = choice->getCondition();
  Value *base =
      builder.CreateConstGEP1_64(builder.getInt8Ty(), parts->base, uint64_t(parts->constant));
  base = builder.CreateSelect(condition, base, choice->getFalseValue());
  Value *offset = builder.CreateSelect(condition, parts->offset, builder.getInt32(0));
  address.set(builder.CreateGEP(builder.getInt8Ty(), base,
                                builder.CreateZExt(offset, builder.getInt64Ty())));
  return true;
}

void AccessExpander::splitAddress(Instruction &access) {
  Use *address = getAddress(access);
  if (!address || splitter.isUniform(*address))
    return;
  if (splitChoice(access, *address))
    return;
  std::optional<SplitAddress> parts = splitter.split(address->get(), maxBytes);
  if (!parts || !parts->offset)
    return;
  IRBuilder<> builder(&access);
  Value *pointer;
  if (parts->large) {
    pointer = splitter.getLanePointer(*parts);
    if (!pointer)
      return;
    pointer = builder.CreateGEP(builder.getInt8Ty(), pointer, parts->large);
  } else {
    Value *offset = builder.CreateZExt(parts->offset, builder.getInt64Ty());
    pointer = builder.CreateGEP(builder.getInt8Ty(), parts->base, offset);
  }
  if (parts->constant)
    pointer = builder.CreateConstGEP1_64(builder.getInt8Ty(), pointer, parts->constant);
  address->set(pointer);
}

/// Instructions that computed the addresses before, and parts that nobody wanted.
void AccessExpander::removeDeadCode() {
  SmallVector<WeakTrackingVH> dead;
  for (Instruction &instruction : instructions(function))
    if (isInstructionTriviallyDead(&instruction) || isa<PHINode>(instruction))
      dead.push_back(&instruction);
  for (WeakTrackingVH &handle : dead) {
    if (auto *phi = dyn_cast_or_null<PHINode>(handle))
      RecursivelyDeleteDeadPHINode(phi);
    else if (auto *instruction = dyn_cast_or_null<Instruction>(handle))
      RecursivelyDeleteTriviallyDeadInstructions(instruction);
  }
}

void tilewright::emit::legalizeGlobalAccesses(Function &function, const target::Target &target,
                                              TargetMachine &machine) {
  AccessExpander(function, target, machine).run();
}
