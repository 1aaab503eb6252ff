//===- Counters.cpp - What a cache was good for -------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cache/Counters.h"

#include "cache/FileLock.h"
#include "cache/LockBytes.h"
#include "cache/Seal.h"

#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::cache;

/// How long an update waits for the lock, which is held for microseconds.
static constexpr std::chrono::milliseconds patience{50};

Counters::Counters(std::string file, std::string lockFile)
    : file(std::move(file)), lockFile(std::move(lockFile)) {}

/// The counts in their file: sealed, as entries are, under a key that no entry has.
static std::string toBytes(const Counts &counts) {
  return seal(Key(), {reinterpret_cast<const char *>(&counts), sizeof counts});
}

static std::optional<Counts> readFrom(int descriptor) {
  std::string bytes = toBytes({});
  if (::pread(descriptor, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    return std::nullopt;
  Result<std::string_view> content = unseal(Key(), bytes);
  Counts counts;
  if (!content || content->size() != sizeof counts)
    return std::nullopt;
  std::memcpy(&counts, content->data(), sizeof counts);
  return counts;
}

std::optional<Counts> Counters::read() const {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return std::nullopt;
  std::optional<Counts> counts = readFrom(descriptor);
  ::close(descriptor);
  return counts;
}

std::optional<Counts> Counters::update(const std::function<void(Counts &)> &change) const {
  FileLock lock(lockFile, countersLock);
  if (lock.acquireWithin(patience) != FileLock::Attempt::Owned)
    return std::nullopt;
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return std::nullopt;
  Counts counts = readFrom(descriptor).value_or(Counts());
  change(counts);
  const std::string bytes = toBytes(counts);
  const bool written =
      ::pwrite(descriptor, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size());
  ::close(descriptor);
  return written ? std::optional(counts) : std::nullopt;
}
