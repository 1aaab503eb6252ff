//===- Entry.cpp - Entries of the cache ---------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cache/Entry.h"

#include "cache/Seal.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Error.h"

#include <cstring>

using namespace tilewright;
using namespace tilewright::cache;
namespace zstd = llvm::compression::zstd;

static_assert(LLVM_ENABLE_ZSTD, "entries of the cache are compressed by LLVM's zstd");

/// No record has more bytes: who may write into a server may not fill the memory.
static constexpr uint64_t maxRecordBytes = uint64_t(1) << 30;

static llvm::ArrayRef<uint8_t> bytesOf(std::string_view text) {
  return {reinterpret_cast<const uint8_t *>(text.data()), text.size()};
}

std::string cache::writeEntry(const Key &key, std::string_view record) {
  llvm::SmallVector<uint8_t, 0> frame;
  zstd::compress(bytesOf(record), frame, zstd::BestSpeedCompression);
  const uint64_t size = record.size();
  std::string content(reinterpret_cast<const char *>(&size), sizeof size);
  content.append(frame.begin(), frame.end());
  return seal(key, content);
}

Result<std::string> cache::readEntry(const Key &key, std::string_view entry) {
  Result<std::string_view> content = unseal(key, entry);
  if (!content)
    return Failure(content.error());
  uint64_t size = 0;
  if (content->size() < sizeof size)
    return Failure("it states no size");
  std::memcpy(&size, content->data(), sizeof size);
  if (size > maxRecordBytes)
    return Failure("it states a size of " + std::to_string(size) + " bytes");
  std::string record(size, '\0');
  size_t expanded = size;
  llvm::Error error = zstd::decompress(bytesOf(content->substr(sizeof size)),
                                       reinterpret_cast<uint8_t *>(record.data()), expanded);
  if (error)
    return Failure("it cannot be expanded: " + llvm::toString(std::move(error)));
  if (expanded != size)
    return Failure("it holds " + std::to_string(expanded) + " bytes, not " + std::to_string(size));
  return record;
}
