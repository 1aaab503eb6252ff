//===- Cache.h - Compiled kernels, kept by content ------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A folder with what the compiler has made before, shared by all processes that use it, and
// optionally a Redis server that machines share:
//
//   Expected<std::shared_ptr<Cache>> cache = Cache::openForUser();
//   Compiler compiler(cache ? *cache : nullptr);
//   CompileResult result = compiler.compile(source, options);   // compiled, or found:
//   result.isCached
//
// The key of an entry holds all that the result depends on: the source and every file it imports,
// the options, and the build of the compiler (docs/cache.md). Nothing that goes wrong with the
// cache - a full disk, a damaged file, a server that is gone - makes a compilation fail: it is
// compiled, and a warning or a note among the diagnostics says what happened.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_CACHE_H
#define TILEWRIGHT_CACHE_H

#include "tilewright/Compiler.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

namespace tilewright {

struct CacheOptions {
  /// The folder; made where it is not there.
  std::string directory;
  /// The most bytes that its files have. Where they have more, those that were not used for longest
  /// are removed.
  uint64_t maxBytes = uint64_t(1) << 30;
  /// The second tier: "redis://[[USER]:PASSWORD@]HOST[:PORT][/DB]", or empty for none.
  std::string redis;
  /// How long Redis keeps an entry.
  std::chrono::seconds redisLifetime = std::chrono::days(30);
  /// The most time that a compilation loses to a server that does not answer: to connect, and for
  /// each request.
  std::chrono::milliseconds redisTimeout{200};
  /// How long a server that failed is left alone, by all processes that use the folder.
  std::chrono::seconds redisPause{30};

  /// The settings of the environment, TILEWRIGHT_CACHE_DIR, TILEWRIGHT_CACHE_SIZE and
  /// TILEWRIGHT_CACHE_REDIS, and the defaults of what it does not say: the folder is tilewright in
  /// $XDG_CACHE_HOME, or in ~/.cache. Errors: a size that is none, no home folder.
  static Expected<CacheOptions> fromEnvironment();
};

/// A size in bytes: "500000", "512M", "2G" (powers of 1024).
Expected<uint64_t> parseByteCount(std::string_view text);

/// The contents of a cache, and its use since it was last cleaned.
struct CacheStatus {
  uint64_t entries = 0;
  uint64_t bytes = 0;
  /// Compilations that were found in the folder, that were found in Redis, and that were not.
  uint64_t hits = 0;
  uint64_t sharedHits = 0;
  uint64_t misses = 0;
  /// Entries that had to make room for others, and that were found damaged.
  uint64_t evicted = 0;
  uint64_t damaged = 0;
};

/// Any number of threads and processes may use one folder at the same time, and any number of
/// threads one object.
class Cache {
public:
  /// Errors: the folder cannot be made or written, a Redis address that is none.
  static Expected<std::shared_ptr<Cache>> open(CacheOptions options);
  /// The cache of CacheOptions::fromEnvironment; null if the environment has TILEWRIGHT_CACHE=off.
  static Expected<std::shared_ptr<Cache>> openForUser();
  ~Cache();

  /// The result of this compilation: the one that is kept, or else what `compileAnew` makes, which
  /// is kept if it went through. Processes and threads that want the same at the same time wait for
  /// the first of them. `reader` reads the files that the source imports, as it does when they are
  /// compiled. Options that dump passes are compiled anew and not kept.
  CompileResult compile(const Source &source, const CompileOptions &options,
                        const FileReader &reader,
                        const std::function<CompileResult()> &compileAnew);

  CacheStatus status() const;
  /// Removes all entries, those in use too, and forgets the counts; Redis is left as it is. Gives
  /// the number of entries. Errors: a file that cannot be removed.
  Expected<uint64_t> clean();
  /// Reads every entry of the folder, and gives an error for each that is damaged.
  std::vector<Diagnostic> verify() const;

  const CacheOptions &options() const;
  /// Names the build of the compiler in the keys: 64 hexadecimal digits.
  static const std::string &compilerIdentity();

private:
  struct Tiers;
  explicit Cache(std::unique_ptr<Tiers> tiers);
  std::unique_ptr<Tiers> tiers;
};

} // namespace tilewright

#endif // TILEWRIGHT_CACHE_H
