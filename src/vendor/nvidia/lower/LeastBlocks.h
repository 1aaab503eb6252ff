//===- LeastBlocks.h - Blocks that a kernel wants resident ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_LOWER_LEASTBLOCKS_H
#define TILEWRIGHT_VENDOR_NVIDIA_LOWER_LEASTBLOCKS_H

#include "llvm/ADT/StringRef.h"

namespace tilewright::lower::nvidia {

/// The attribute of a module, an i32, that becomes PTX's `.minnctapersm` of its kernel: the blocks
/// that are to be resident on a multiprocessor, at least.
inline constexpr llvm::StringLiteral leastBlocksAttrName = "ttg.minnctapersm";

} // namespace tilewright::lower::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_LOWER_LEASTBLOCKS_H
