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
// Products see copies by cp.async that are complete without a fence. The PTX ISA does not promise
// that, but loops of such copies and wgmma rely on it wherever there are any: CUTLASS's
// (sm90_mma_multistage_gmma_ss_warpspecialized.hpp) and Triton's have a wait and a barrier and
// nothing else. A fence waits for the copies of later stages as well, as far as they have got: with
// one in each iteration an H200 takes 5 % (f16, 1024) to 11 % (attention, d128) longer.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_LOWER_PROXYFENCES_H
#define TILEWRIGHT_VENDOR_NVIDIA_LOWER_PROXYFENCES_H

#include "lower/space/Allocations.h"

namespace tilewright::lower::nvidia {

/// Puts a fence after each write that such a unit may read with none in between on some path: right
/// after a wait for copies; after stores as late as possible in their block, so that those that
/// follow one another share one, but before other copies begin, which it would wait for. Control
/// flow is that of blocks.
void insertProxyFences(tt::FuncOp func, const Allocations &allocations);

} // namespace tilewright::lower::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_LOWER_PROXYFENCES_H
