//===- LiveBytes.h - Estimate of live bytes -------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_EMIT_LIVEBYTES_H
#define TILEWRIGHT_EMIT_LIVEBYTES_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <limits>

namespace llvm {
class Function;
class Value;
} // namespace llvm

namespace tilewright::emit {

/// The largest sum of `bytesOf` over the arguments and instructions of `function` that are alive
/// at one time: at a block's start, after its phis, or after an instruction. A value is alive
/// after its definition up to its last use, and one without uses just after its definition. What
/// a phi takes is used at the end of the block that it comes from; all phis of a block are defined
/// at once. Blocks that are never reached do not count. A sum above `enough` need not be the
/// largest: it is given as soon as it is found.
uint64_t getPeakLiveBytes(const llvm::Function &function,
                          llvm::function_ref<uint64_t(const llvm::Value &)> bytesOf,
                          uint64_t enough = std::numeric_limits<uint64_t>::max());

} // namespace tilewright::emit

#endif // TILEWRIGHT_EMIT_LIVEBYTES_H
