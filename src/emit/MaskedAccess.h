//===- MaskedAccess.h - Masked loads and stores and their operands --*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_EMIT_MASKEDACCESS_H
#define TILEWRIGHT_EMIT_MASKEDACCESS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

#include <optional>

namespace tilewright::emit {

/// An `llvm.masked.load` or `llvm.masked.store`, its operands by name.
struct MaskedAccess {
  llvm::IntrinsicInst *call;
  bool isLoad;
  llvm::Value *address;
  /// A vector of bits, one for each lane (element).
  llvm::Value *mask;
  /// The value stored, or the value of a load where the mask is off.
  llvm::Value *value;
  llvm::FixedVectorType *type;
  llvm::Align alignment;
};

/// `instruction` as such an access of a vector of fixed size; nothing if it is something else.
std::optional<MaskedAccess> matchMaskedAccess(llvm::Instruction &instruction);

/// The mask bit of each lane. Lanes with equal masks have the same value; an undefined one is
/// false.
llvm::SmallVector<llvm::Value *> getLaneMasks(const MaskedAccess &access,
                                              llvm::IRBuilderBase &builder);

} // namespace tilewright::emit

#endif // TILEWRIGHT_EMIT_MASKEDACCESS_H
