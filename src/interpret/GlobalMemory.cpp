//===- GlobalMemory.cpp - Buffers of a launch -----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "interpret/GlobalMemory.h"

#include <algorithm>
#include <cstring>

using namespace tilewright;
using namespace tilewright::interpret;

uint64_t GlobalMemory::add(Buffer buffer) {
  buffer.undefined.resize(buffer.bytes.size());
  buffer.writers.resize(buffer.bytes.size());
  buffers.push_back(std::move(buffer));
  return addressOf(buffers.size() - 1);
}

void GlobalMemory::beginAccess(mlir::Location at, uint32_t byProgram, bool atomically) {
  ++access;
  program = static_cast<uint16_t>(byProgram + 1);
  isAtomic = atomically;
  auto known = std::find(places.begin(), places.end(), at);
  place = static_cast<uint16_t>(known - places.begin() + 1);
  if (known == places.end())
    places.push_back(at);
}

bool GlobalMemory::grow(Buffer &buffer, uint64_t end) {
  if (!buffer.fill || end > maxBytes)
    return false;
  size_t element = buffer.bytes.size() / buffer.elementBytes;
  const size_t count = (end + buffer.elementBytes - 1) / buffer.elementBytes;
  buffer.bytes.resize(count * buffer.elementBytes);
  buffer.undefined.resize(buffer.bytes.size());
  buffer.writers.resize(buffer.bytes.size());
  for (; element < count; ++element) {
    const uint64_t bits = buffer.fill(element);
    std::memcpy(&buffer.bytes[element * buffer.elementBytes], &bits, buffer.elementBytes);
  }
  return true;
}

Buffer *GlobalMemory::find(uint64_t address, unsigned bytes, uint64_t &offset) {
  const uint64_t index = (address >> 40) - 1;
  offset = address & ((uint64_t(1) << 40) - 1);
  if (index >= buffers.size())
    return nullptr;
  Buffer &buffer = buffers[index];
  if (offset + bytes > buffer.bytes.size() && !grow(buffer, offset + bytes))
    return nullptr;
  return &buffer;
}

bool GlobalMemory::load(uint64_t address, unsigned bytes, uint64_t &bits, bool &isUndefined) {
  uint64_t offset;
  Buffer *buffer = find(address, bytes, offset);
  if (!buffer)
    return false;
  bits = 0;
  std::memcpy(&bits, &buffer->bytes[offset], bytes);
  isUndefined = false;
  for (unsigned i = 0; i < bytes; ++i)
    isUndefined |= buffer->undefined[offset + i] != 0;
  const Buffer::Writer &writer = buffer->writers[offset];
  hasRaces |= !isAtomic && writer.program != 0 && writer.program != program;
  return true;
}

bool GlobalMemory::store(uint64_t address, unsigned bytes, uint64_t bits, bool isUndefined) {
  uint64_t offset;
  Buffer *buffer = find(address, bytes, offset);
  if (!buffer)
    return false;
  Buffer::Writer &writer = buffer->writers[offset];
  const bool differs = std::memcmp(&buffer->bytes[offset], &bits, bytes) != 0;
  hasRaces |= !isAtomic && differs && writer.program != 0 && writer.program != program;
  // Two elements of one access that meet: either may be the last one.
  if (!isAtomic && differs && writer.access == access)
    isUndefined = true;
  std::memcpy(&buffer->bytes[offset], &bits, bytes);
  for (unsigned i = 0; i < bytes; ++i)
    buffer->undefined[offset + i] = isUndefined;
  writer = {access, program, place};
  return true;
}

std::string GlobalMemory::describe(uint64_t address, unsigned bytes) const {
  const uint64_t index = (address >> 40) - 1;
  const auto offset = static_cast<int64_t>(address & ((uint64_t(1) << 40) - 1));
  if (index < buffers.size())
    return "'" + buffers[index].name + "' has " +
           std::to_string(buffers[index].bytes.size() / bytes) +
           " such elements, and this is number " + std::to_string(offset / bytes);
  return "the address is that of no argument";
}
