//===- Redis.h - A cache's second tier, which machines share --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Entries in a Redis server, as they stand in files: the key is "tilewright:" and the entry's in
// hexadecimal digits. The server may go at any moment, or be none: each request is over after a
// short while, a server that failed is left alone for longer, and whoever asks gets nothing.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_CACHE_REDIS_H
#define TILEWRIGHT_CACHE_REDIS_H

#include "cache/Key.h"
#include "tilewright/Cache.h"

#include <memory>

namespace tilewright::cache {

/// redis://[[USER]:PASSWORD@]HOST[:PORT][/DB]
struct RedisAddress {
  std::string user, password, host;
  int port = 6379;
  int database = 0;

  /// HOST:PORT, for messages.
  std::string text() const { return host + ":" + std::to_string(port); }
};

Expected<RedisAddress> parseRedisAddress(std::string_view url);

class Redis {
public:
  /// `pauseFile` is where processes tell each other that the server failed. Errors: an address that
  /// is none, a build without hiredis.
  static Expected<std::unique_ptr<Redis>> open(const CacheOptions &options, std::string pauseFile);
  virtual ~Redis();

  /// Nothing if it is not there, or the server is not. A failure that was not told of before is
  /// added to `remarks`.
  virtual std::optional<std::string> get(const Key &key, std::vector<Diagnostic> &remarks) = 0;
  virtual void put(const Key &key, std::string_view entry, std::vector<Diagnostic> &remarks) = 0;
};

} // namespace tilewright::cache

#endif // TILEWRIGHT_CACHE_REDIS_H
