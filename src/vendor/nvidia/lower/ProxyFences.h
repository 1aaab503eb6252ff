//===- ProxyFences.h - Fences before asynchronous units read --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Products of warpgroups and copies by the tensor memory accelerator reach shared memory by a way
// of their own, the asynchronous proxy (PTX ISA, "Async proxy"). What threads have stored, or
// copied by cp.async, they see only past a ttng.fence_async_shared, besides the barrier that lets
// the threads know of one another.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_LOWER_PROXYFENCES_H
#define TILEWRIGHT_VENDOR_NVIDIA_LOWER_PROXYFENCES_H

#include "lower/shared/LocalAllocations.h"

namespace tilewright::lower::nvidia {

/// Puts a fence after each write that such a unit may read with none in between on some path: right
/// behind a wait for copies; behind stores as late as possible in their block, so that those that
/// follow one another share one, but before other copies begin, which it would wait for. Control
/// flow is that of blocks.
void insertProxyFences(tt::FuncOp func, const LocalAllocations &allocations);

} // namespace tilewright::lower::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_LOWER_PROXYFENCES_H
