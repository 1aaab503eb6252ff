//===- Seal.h - Entries that show whether they are whole ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// An entry, in a file or in Redis, is
//
//   "TWCACHE2"     8 bytes: the format; a change of what entries hold is another number
//   key           32 bytes: what the entry is for
//   checksum      32 bytes: BLAKE3 of the content
//   size           8 bytes: of the content
//   content
//
// So neither a file that lost its end with the power, nor one in another's place, nor a bit that
// fell over is ever taken for a result.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_CACHE_SEAL_H
#define TILEWRIGHT_CACHE_SEAL_H

#include "cache/Key.h"
#include "tilewright/support/Result.h"

namespace tilewright::cache {

std::string seal(const Key &key, std::string_view content);

/// The content, inside of `entry`; an error says what is wrong with it.
Result<std::string_view> unseal(const Key &key, std::string_view entry);

/// Whether `entry` begins as one of another format does.
bool isOfOtherVersion(std::string_view entry);

} // namespace tilewright::cache

#endif // TILEWRIGHT_CACHE_SEAL_H
