//===- CommonBase.h - Addresses without their constants -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_ADDRESS_COMMONBASE_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_ADDRESS_COMMONBASE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"

#include <map>
#include <tuple>

namespace llvm {
class DataLayout;
} // namespace llvm

namespace tilewright::emit {

/// base + constant: modulo 2^bits for an integer, in bytes for a pointer.
struct BaseAndConstant {
  llvm::Value *base = nullptr;
  int64_t constant = 0;
};

/// Takes constants out of integers and pointers of one function, in which it adds instructions, but
/// changes none. Values that differ in a constant get the same base where the constant may be taken
/// out of all operations: sums, products with a constant, and extensions of integers whose low
/// bits are known not to carry.
class CommonBase {
public:
  explicit CommonBase(llvm::Function &function);

  /// The base is available wherever `value` is.
  BaseAndConstant split(llvm::Value *value);

private:
  /// An instruction by its opcode, type and operands.
  using Key = std::tuple<unsigned, llvm::Type *, llvm::Value *, llvm::Value *>;
  /// Where a value is available: after the instruction of this number in its block; 0 and the
  /// entry for arguments and constants.
  struct Place {
    llvm::BasicBlock *block;
    unsigned number;
  };

  BaseAndConstant compute(llvm::Instruction *value);
  BaseAndConstant computeScaled(llvm::Instruction *value, uint64_t factor);
  BaseAndConstant computeExtension(llvm::CastInst *value);
  BaseAndConstant computeElementPointer(llvm::GetElementPtrInst *value);

  Place placeOf(llvm::Value *value) const;
  bool isAfter(Place a, Place b) const;
  llvm::Value *getCommon(const Key &key,
                         llvm::function_ref<llvm::Value *(llvm::IRBuilderBase &)> create);

  llvm::Function &function;
  const llvm::DataLayout &layout;
  llvm::DominatorTree dominators;
  llvm::DenseMap<const llvm::Value *, Place> places;
  /// The instruction after the one of this number that was there from the start.
  std::vector<llvm::Instruction *> next;
  llvm::DenseMap<llvm::Value *, BaseAndConstant> known;
  std::map<Key, llvm::Value *> common;
};

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_ADDRESS_COMMONBASE_H
