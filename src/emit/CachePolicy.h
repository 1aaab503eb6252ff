//===- CachePolicy.h - Cache hints of memory accesses ---------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// In LLVM IR a load, a store or a masked one may carry the metadata !tilewright.cache, one string
// such as !"cg" or !"evict_last". Passes that do not know it may drop it.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_EMIT_CACHEPOLICY_H
#define TILEWRIGHT_EMIT_CACHEPOLICY_H

#include "llvm/IR/Instruction.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Metadata.h"

namespace tilewright::emit {

inline constexpr llvm::StringLiteral cachePolicyMetadata = "tilewright.cache";

inline void setCachePolicy(llvm::Instruction &access, llvm::StringRef policy) {
  llvm::LLVMContext &context = access.getContext();
  access.setMetadata(cachePolicyMetadata,
                     llvm::MDNode::get(context, llvm::MDString::get(context, policy)));
}

/// Empty where there is none.
inline llvm::StringRef getCachePolicy(const llvm::Instruction &access) {
  const llvm::MDNode *node = access.getMetadata(cachePolicyMetadata);
  auto *policy = node && node->getNumOperands() == 1
                     ? llvm::dyn_cast<llvm::MDString>(node->getOperand(0))
                     : nullptr;
  return policy ? policy->getString() : llvm::StringRef();
}

} // namespace tilewright::emit

#endif // TILEWRIGHT_EMIT_CACHEPOLICY_H
