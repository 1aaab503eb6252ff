//===- CacheControls.cpp - Which caches keep what is accessed -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/emit/memory/CacheControls.h"

#include "emit/CachePolicy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

#include <array>
#include <optional>

using namespace llvm;
using namespace tilewright;

namespace {

constexpr unsigned globalSpace = 1;

/// The decoration, and its operand for each level ("Load Cache Control", "Store Cache Control").
struct CacheControl {
  uint32_t decoration;
  std::array<uint32_t, 2> levels;
};

std::optional<CacheControl> getLoadControl(StringRef policy) {
  enum : uint32_t { Decoration = 6442, Uncached = 0, Cached = 1, Streaming = 2 };
  auto levels = StringSwitch<std::optional<std::array<uint32_t, 2>>>(policy)
                    .Cases({"ca", "wb", "evict_last"}, std::array<uint32_t, 2>{Cached, Cached})
                    .Case("cg", std::array<uint32_t, 2>{Uncached, Cached})
                    .Cases({"cs", "evict_first"}, std::array<uint32_t, 2>{Streaming, Cached})
                    .Default(std::nullopt);
  return levels ? std::optional(CacheControl{Decoration, *levels}) : std::nullopt;
}

std::optional<CacheControl> getStoreControl(StringRef policy) {
  enum : uint32_t {
    Decoration = 6443,
    Uncached = 0,
    WriteThrough = 1,
    WriteBack = 2,
    Streaming = 3
  };
  auto levels = StringSwitch<std::optional<std::array<uint32_t, 2>>>(policy)
                    .Cases({"wb", "evict_last"}, std::array<uint32_t, 2>{WriteBack, WriteBack})
                    .Case("cg", std::array<uint32_t, 2>{Uncached, WriteBack})
                    .Case("wt", std::array<uint32_t, 2>{WriteThrough, WriteThrough})
                    .Cases({"cs", "evict_first"}, std::array<uint32_t, 2>{Streaming, WriteBack})
                    .Default(std::nullopt);
  return levels ? std::optional(CacheControl{Decoration, *levels}) : std::nullopt;
}

/// The operand of an access that is its pointer to global memory; null if it has none.
Use *findPointer(Instruction &access) {
  for (Use &operand : access.operands())
    if (auto *type = dyn_cast<PointerType>(operand->getType());
        type && type->getAddressSpace() == globalSpace)
      return &operand;
  return nullptr;
}

/// A pointer for `access` alone: the decoration is of the instruction that computes it. An address
/// that no instruction computes becomes a number and a pointer again, since the back end drops
/// other steps that change nothing.
Instruction *createOwnPointer(Instruction &access, Value *pointer) {
  auto *step = dyn_cast<GetElementPtrInst>(pointer);
  if (step && step->hasOneUse())
    return step;
  IRBuilder<> builder(&access);
  if (step && !step->hasAllZeroIndices()) {
    Instruction *own = step->clone();
    builder.Insert(own);
    return own;
  }
  return cast<Instruction>(builder.CreateIntToPtr(
      builder.CreatePtrToInt(pointer, builder.getInt64Ty()), pointer->getType()));
}

void decorate(Instruction &pointer, const CacheControl &control) {
  LLVMContext &context = pointer.getContext();
  auto number = [&](uint32_t value) -> Metadata * {
    return ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), value));
  };
  SmallVector<Metadata *> decorations;
  for (auto [level, operand] : enumerate(control.levels))
    decorations.push_back(
        MDNode::get(context, {number(control.decoration), number(level), number(operand)}));
  pointer.setMetadata("spirv.Decorations", MDNode::get(context, decorations));
}

} // namespace

void emit::useCacheControls(Function &function) {
  for (Instruction &access : make_early_inc_range(instructions(function))) {
    const StringRef policy = getCachePolicy(access);
    Use *pointer =
        policy.empty() || access.isVolatile() || access.isAtomic() ? nullptr : findPointer(access);
    if (!pointer)
      continue;
    auto *call = dyn_cast<CallInst>(&access);
    const bool isStore = isa<StoreInst>(access) ||
                         (call && call->getCalledFunction()->getName().contains("BlockStore"));
    const std::optional<CacheControl> control =
        isStore ? getStoreControl(policy) : getLoadControl(policy);
    if (!control)
      continue;
    Instruction *own = createOwnPointer(access, *pointer);
    pointer->set(own);
    decorate(*own, *control);
  }
}
