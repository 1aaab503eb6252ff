//===- Entry.h - Entries of the cache -------------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// An entry is a record (Record.h), compressed and sealed (Seal.h). Sealed is
//
//   size           8 bytes: of the record
//   a frame of zstd
//
// The checksum is of these: an entry is expanded only when it is known to be whole.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_CACHE_ENTRY_H
#define TILEWRIGHT_CACHE_ENTRY_H

#include "cache/Key.h"
#include "tilewright/support/Result.h"

namespace tilewright::cache {

std::string writeEntry(const Key &key, std::string_view record);

/// The record in `entry`; an error says what is wrong with it.
Result<std::string> readEntry(const Key &key, std::string_view entry);

} // namespace tilewright::cache

#endif // TILEWRIGHT_CACHE_ENTRY_H
