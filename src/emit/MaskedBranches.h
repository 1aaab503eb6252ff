//===- MaskedBranches.h - Expansion of masked accesses into branches -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// For targets that have no instruction for `llvm.masked.load` and `llvm.masked.store`. LLVM's
// own expansion makes a branch and an access of each element. Here a vector stays whole, and
// neighbouring accesses under one mask share a branch, so that their addresses and
// messages go out together:
//
//     %x = masked.load <4 x float> %p, splat %m, zeroinitializer
//     %y = masked.load <4 x float> %q, splat %m, zeroinitializer
//
// becomes
//
//     br i1 %m, label %masked, label %next
//   masked:
//     %xOn = load <4 x float>, ptr addrspace(1) %p
//     %yOn = load <4 x float>, ptr addrspace(1) %q
//     br label %next
//   next:
//     %x = phi <4 x float> [ %xOn, %masked ], [ zeroinitializer, %head ]
//     %y = phi <4 x float> [ %yOn, %masked ], [ zeroinitializer, %head ]
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_EMIT_MASKEDBRANCHES_H
#define TILEWRIGHT_EMIT_MASKEDBRANCHES_H

namespace llvm {
class Function;
} // namespace llvm

namespace tilewright::emit {

/// Replaces all masked loads and stores of `function`. Runs of lanes with equal masks become one
/// access each; lanes that are known to be on or off become plain accesses or nothing. A vector
/// of one element becomes a scalar. Metadata stays on the accesses. Loads move up to an earlier
/// one under the same mask if nothing in between writes memory or computes with
/// what has been loaded; stores share a branch with the store before them if nothing in between
/// touches memory. With `areLikelyOn` the branches say that masks are mostly on, so that the code
/// generator may predicate instead. Returns whether anything was changed.
bool expandMaskedAccessesToBranches(llvm::Function &function, bool areLikelyOn = false);

} // namespace tilewright::emit

#endif // TILEWRIGHT_EMIT_MASKEDBRANCHES_H
