//===- SplitAccessMasks.h - Masked accesses split so that each has one mask -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_EMIT_SPLITACCESSMASKS_H
#define TILEWRIGHT_EMIT_SPLITACCESSMASKS_H

namespace llvm {
class Function;
} // namespace llvm

namespace tilewright::emit {

/// Makes of each masked load and store of `function` accesses whose mask is the splat of one bit;
/// lanes that are known to be on or off become plain accesses or nothing. Returns whether anything
/// was changed.
bool splitAccessMasks(llvm::Function &function);

} // namespace tilewright::emit

#endif // TILEWRIGHT_EMIT_SPLITACCESSMASKS_H
