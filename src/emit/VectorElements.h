//===- VectorElements.h - Elementwise access to LLVM vectors --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_EMIT_VECTORELEMENTS_H
#define TILEWRIGHT_EMIT_VECTORELEMENTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ValueHandle.h"

namespace tilewright::emit {

/// Element `index` of `vector`, without an instruction where possible. A scalar is its own element.
llvm::Value *getElement(llvm::Value *vector, unsigned index, llvm::IRBuilderBase &builder);

/// Elements [first, first + count) of `vector`, as a vector.
llvm::SmallVector<llvm::Value *> getElements(llvm::Value *vector, unsigned first, unsigned count,
                                             llvm::IRBuilderBase &builder);

/// A vector of `elements`, of which there is at least one; all have one type.
llvm::Value *makeVector(llvm::ArrayRef<llvm::Value *> elements, llvm::IRBuilderBase &builder);

/// Gives the users of `vector`, which has a fixed number of elements, what `element` says they are,
/// so that `vector` has no user any more. A user that extracts an element gets it without a vector
/// in between; a vector is made at `builder` only if others are left. `element` is asked once at
/// most for each element, in no particular order. Extractions without users go to `dead`: the
/// caller may still know them.
void replaceByElements(llvm::Instruction &vector,
                       llvm::function_ref<llvm::Value *(unsigned index)> element,
                       llvm::IRBuilderBase &builder,
                       llvm::SmallVectorImpl<llvm::WeakTrackingVH> &dead);

} // namespace tilewright::emit

#endif // TILEWRIGHT_EMIT_VECTORELEMENTS_H
