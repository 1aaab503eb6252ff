//===- ViewAssumptions.h - Views that end within their memory -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_CORE_VIEWASSUMPTIONS_H
#define TILEWRIGHT_LOWER_CORE_VIEWASSUMPTIONS_H

#include "ir/tt/Dialect.h"

namespace tilewright::lower {

/// Says of views of several buffers (ttg.memdesc_reinterpret), which begin with one that is known
/// only while the kernel runs, that they end within the memory: by llvm.assume, which the simulator
/// checks.
void assumeViewsEndInMemory(tt::FuncOp func);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_CORE_VIEWASSUMPTIONS_H
