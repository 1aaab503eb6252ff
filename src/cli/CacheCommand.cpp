//===- CacheCommand.cpp - The command tilewright cache ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/CommandLine.h"
#include "tilewright/Cache.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::cli;
namespace cl = llvm::cl;

static cl::opt<std::string> action(cl::Positional, cl::desc("[show|clean|verify]"),
                                   cl::init("show"), cl::sub(cacheCommand));

/// "1.5 MiB".
static std::string sizeText(uint64_t bytes) {
  const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  double size = static_cast<double>(bytes);
  size_t unit = 0;
  for (; size >= 1024 && unit + 1 < std::size(units); ++unit)
    size /= 1024;
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(unit ? "%.1f " : "%.0f ", size) << units[unit];
  return text;
}

/// "1 entry", "2 entries".
static std::string entriesText(uint64_t count) {
  return std::to_string(count) + (count == 1 ? " entry" : " entries");
}

static void show(const Cache &cache) {
  const CacheStatus status = cache.status();
  const CacheOptions &options = cache.options();
  const uint64_t found = status.hits + status.sharedHits, asked = found + status.misses;
  llvm::outs() << "folder:    " << options.directory << '\n'
               << "entries:   " << status.entries << ", " << sizeText(status.bytes) << " of "
               << sizeText(options.maxBytes) << '\n'
               << "asked:     " << asked << ", of which found " << found
               << llvm::format(" (%.0f%%)", asked ? 100.0 * found / asked : 0.0);
  if (!options.redis.empty() || status.sharedHits)
    llvm::outs() << ", " << status.sharedHits << " of them in Redis";
  llvm::outs() << '\n'
               << "evicted:   " << status.evicted << '\n'
               << "damaged:   " << status.damaged << '\n'
               << "compiler:  " << Cache::compilerIdentity() << '\n';
}

static int clean(Cache &cache) {
  Expected<uint64_t> removed = cache.clean();
  if (!removed)
    return report(removed.error());
  llvm::outs() << "removed " << entriesText(*removed) << " from " << cache.options().directory
               << '\n';
  return 0;
}

static int verify(const Cache &cache) {
  const std::vector<Diagnostic> errors = cache.verify();
  const int code = report(errors);
  if (errors.empty())
    llvm::outs() << "verified " << entriesText(cache.status().entries) << " in "
                 << cache.options().directory << '\n';
  return code;
}

int cli::runCacheCommand() {
  Expected<std::shared_ptr<Cache>> cache = Cache::openForUser();
  if (!cache)
    return report(cache.error());
  if (!*cache) {
    llvm::outs() << "the cache is off: TILEWRIGHT_CACHE says so\n";
    return 0;
  }
  if (action == "show") {
    show(**cache);
    return 0;
  }
  if (action == "clean")
    return clean(**cache);
  if (action == "verify")
    return verify(**cache);
  return report(makeError("a cache cannot '" + action + "'",
                          "say `tilewright cache`, `tilewright cache clean` or `tilewright cache "
                          "verify`"));
}
