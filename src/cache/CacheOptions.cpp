//===- CacheOptions.cpp - Where and how much a cache keeps --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tilewright/Cache.h"

#include <charconv>
#include <cstdlib>

using namespace tilewright;

/// A variable of the environment; empty if it is not set.
static std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

Expected<uint64_t> tilewright::parseByteCount(std::string_view text) {
  uint64_t count = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  std::string_view unit(end, text.data() + text.size() - end);
  const std::string_view units = "KMGT";
  const size_t power = unit.size() == 1 ? units.find(unit.front()) : units.npos;
  const unsigned shift = power == units.npos ? 0 : 10 * (static_cast<unsigned>(power) + 1);
  if (error != std::errc() || (!unit.empty() && shift == 0) || count > (UINT64_MAX >> shift))
    return makeError("'" + std::string(text) + "' is no size",
                     "write a number of bytes, or one with K, M, G or T, such as 512M");
  return count << shift;
}

Expected<CacheOptions> CacheOptions::fromEnvironment() {
  CacheOptions options;
  options.directory = variable("TILEWRIGHT_CACHE_DIR");
  options.redis = variable("TILEWRIGHT_CACHE_REDIS");
  if (options.directory.empty()) {
    // Relative ones are to be passed over (XDG Base Directory Specification, 0.8).
    std::string folder = variable("XDG_CACHE_HOME");
    const std::string home = variable("HOME");
    if (!folder.starts_with('/') && !home.empty())
      folder = home + "/.cache";
    if (!folder.starts_with('/'))
      return makeError("there is no home folder to keep compiled kernels in",
                       "name a folder in TILEWRIGHT_CACHE_DIR, or say TILEWRIGHT_CACHE=off");
    options.directory = folder + "/tilewright";
  }
  if (const std::string size = variable("TILEWRIGHT_CACHE_SIZE"); !size.empty()) {
    Expected<uint64_t> bytes = parseByteCount(size);
    if (!bytes) {
      Diagnostic error = bytes.error();
      error.message = "TILEWRIGHT_CACHE_SIZE: " + error.message;
      return error;
    }
    options.maxBytes = *bytes;
  }
  return options;
}

Expected<std::shared_ptr<Cache>> Cache::openForUser() {
  const std::string wish = variable("TILEWRIGHT_CACHE");
  if (wish == "off" || wish == "0")
    return std::shared_ptr<Cache>();
  Expected<CacheOptions> options = CacheOptions::fromEnvironment();
  if (!options)
    return options.error();
  return open(std::move(*options));
}
