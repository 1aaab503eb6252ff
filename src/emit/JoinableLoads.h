//===- JoinableLoads.h - Loads that may become one ------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_EMIT_JOINABLELOADS_H
#define TILEWRIGHT_EMIT_JOINABLELOADS_H

namespace llvm {
class Module;
} // namespace llvm

namespace tilewright::emit {

/// Whether loads in a row may make a vector: one is aligned to more bytes than it takes, as those
/// of a loop that has been unrolled are. Otherwise lowering has made vectors of what the layouts
/// let it, and LLVM's vectoriser would look for more in vain.
bool hasJoinableLoads(const llvm::Module &module);

} // namespace tilewright::emit

#endif // TILEWRIGHT_EMIT_JOINABLELOADS_H
