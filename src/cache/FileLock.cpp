//===- FileLock.cpp - Locks between processes ---------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cache/FileLock.h"

#include <cerrno>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

using namespace tilewright::cache;

FileLock::FileLock(const std::string &file, uint64_t byte)
    : byte(byte), descriptor(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {}

FileLock::~FileLock() {
  // A child that was forked meanwhile has the description as well: closing it would not do.
  if (isOwned)
    setLock(F_UNLCK);
  if (descriptor >= 0)
    ::close(descriptor);
}

bool FileLock::setLock(short type) {
  struct flock range = {};
  range.l_type = type;
  range.l_whence = SEEK_SET;
  range.l_start = static_cast<off_t>(byte);
  range.l_len = 1;
  return ::fcntl(descriptor, F_OFD_SETLK, &range) == 0;
}

FileLock::Attempt FileLock::tryAcquire() {
  if (isOwned)
    return Attempt::Owned;
  if (descriptor < 0)
    return Attempt::Impossible;
  isOwned = setLock(F_WRLCK);
  if (isOwned)
    return Attempt::Owned;
  return errno == EAGAIN || errno == EACCES ? Attempt::Busy : Attempt::Impossible;
}

FileLock::Attempt FileLock::acquireWithin(std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (;;) {
    Attempt attempt = tryAcquire();
    if (attempt != Attempt::Busy || std::chrono::steady_clock::now() >= deadline)
      return attempt;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}
