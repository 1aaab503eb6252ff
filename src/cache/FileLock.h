//===- FileLock.h - Locks between processes -------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A lock is a byte of a file, which need not have that many: an open file description's lock
// (fcntl(2), F_OFD_SETLK). It excludes other processes and other threads, leaves no file behind,
// and goes with its owner, however that ends. Nothing here waits: who is stopped while it owns a
// lock must not stop others, so the callers decide how long they try.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_CACHE_FILELOCK_H
#define TILEWRIGHT_CACHE_FILELOCK_H

#include <chrono>
#include <cstdint>
#include <string>

namespace tilewright::cache {

class FileLock {
public:
  /// Owns nothing yet. `file` is made where it is not there.
  FileLock(const std::string &file, uint64_t byte);
  FileLock(const FileLock &) = delete;
  FileLock &operator=(const FileLock &) = delete;
  /// Gives the lock back if it is owned.
  ~FileLock();

  enum class Attempt { Owned, Busy, Impossible };
  /// Impossible where the file system has no locks or the file cannot be opened.
  Attempt tryAcquire();
  /// Tries until `patience` is over.
  Attempt acquireWithin(std::chrono::milliseconds patience);

private:
  bool setLock(short type);

  const uint64_t byte;
  int descriptor;
  bool isOwned = false;
};

} // namespace tilewright::cache

#endif // TILEWRIGHT_CACHE_FILELOCK_H
