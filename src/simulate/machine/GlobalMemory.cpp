//===- GlobalMemory.cpp - The simulator's buffers -----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/machine/GlobalMemory.h"

#include <sys/mman.h>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::simulate;

/// The mapping of a buffer: its pages with an inaccessible gap on both sides.
static size_t pagesFor(size_t bytes) {
  size_t page = sysconf(_SC_PAGESIZE);
  return (bytes + page - 1) / page * page;
}

static void unmap(const Buffer &buffer) {
  if (buffer.isLent)
    return;
  munmap(reinterpret_cast<void *>(buffer.begin - GlobalMemory::gapBytes),
         pagesFor(buffer.bytes) + 2 * GlobalMemory::gapBytes);
}

GlobalMemory::~GlobalMemory() {
  for (const auto &[begin, buffer] : buffers)
    unmap(buffer);
}

const Buffer *GlobalMemory::allocate(size_t bytes, std::string_view label) {
  if (bytes > SIZE_MAX / 2)
    return nullptr;
  size_t reserved = pagesFor(bytes) + 2 * gapBytes;
  void *base =
      mmap(nullptr, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED)
    return nullptr;
  char *begin = static_cast<char *>(base) + gapBytes;
  if (bytes > 0 && mprotect(begin, pagesFor(bytes), PROT_READ | PROT_WRITE) != 0) {
    munmap(base, reserved);
    return nullptr;
  }
  uint64_t address = reinterpret_cast<uint64_t>(begin);
  return &(buffers[address] = {.begin = address,
                               .bytes = bytes,
                               .label = std::string(label),
                               .written = std::vector<bool>(tracksWrites ? bytes : 0)});
}

bool GlobalMemory::lend(uint64_t begin, size_t bytes, bool isReadOnly, std::string_view label) {
  auto after = buffers.lower_bound(begin);
  if (after != buffers.end() && (after->first == begin || after->first - begin < bytes))
    return false;
  if (after != buffers.begin()) {
    const Buffer &before = std::prev(after)->second;
    if (begin - before.begin < before.bytes)
      return false;
  }
  buffers[begin] = {begin, bytes, std::string(label), /*isLent=*/true, isReadOnly, {}};
  return true;
}

bool GlobalMemory::free(uint64_t begin) {
  auto found = buffers.find(begin);
  if (found == buffers.end())
    return false;
  unmap(found->second);
  buffers.erase(found);
  return true;
}

void GlobalMemory::markWritten(uint64_t address, size_t bytes) {
  auto after = buffers.upper_bound(address);
  if (after == buffers.begin())
    return;
  Buffer &buffer = std::prev(after)->second;
  const uint64_t offset = address - buffer.begin;
  if (offset + bytes <= buffer.written.size())
    std::fill_n(buffer.written.begin() + static_cast<ptrdiff_t>(offset), bytes, true);
}

std::optional<uint64_t> GlobalMemory::findUnwritten(uint64_t address, size_t bytes) const {
  const Buffer *buffer = containing(address);
  const uint64_t offset = buffer ? address - buffer->begin : 0;
  if (!buffer || offset + bytes > buffer->written.size())
    return std::nullopt;
  for (size_t i = 0; i < bytes; ++i)
    if (!buffer->written[offset + i])
      return address + i;
  return std::nullopt;
}

const Buffer *GlobalMemory::containing(uint64_t address) const {
  auto after = buffers.upper_bound(address);
  if (after == buffers.begin())
    return nullptr;
  const Buffer &buffer = std::prev(after)->second;
  return address - buffer.begin <= buffer.bytes ? &buffer : nullptr;
}

const Buffer *GlobalMemory::nearest(uint64_t address) const {
  auto after = buffers.upper_bound(address);
  const Buffer *above = after == buffers.end() ? nullptr : &after->second;
  if (after == buffers.begin())
    return above;
  const Buffer *below = &std::prev(after)->second;
  uint64_t end = below->begin + below->bytes;
  uint64_t missedBelow = address > end ? address - end : 0;
  if (above && above->begin - address < missedBelow)
    return above;
  return below;
}
