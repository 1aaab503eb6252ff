//===- LockBytes.h - What each byte of the lock file stands for -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_CACHE_LOCKBYTES_H
#define TILEWRIGHT_CACHE_LOCKBYTES_H

#include <cstdint>

namespace tilewright::cache {

/// Changing the counts.
constexpr uint64_t countersLock = 0;
/// Removing what was not used for longest.
constexpr uint64_t evictionLock = 1;
/// From here on: compiling what a request asks for, a byte for each of the first 2^48 values of its
/// key. Two requests that share one wait for each other, which does no harm.
constexpr uint64_t requestLocks = 2;
constexpr unsigned requestLockBytes = 6;

} // namespace tilewright::cache

#endif // TILEWRIGHT_CACHE_LOCKBYTES_H
