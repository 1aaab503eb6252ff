//===- RedisAddress.cpp - Addresses of Redis servers --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cache/Redis.h"

#include <charconv>

using namespace tilewright;
using namespace tilewright::cache;

/// A whole number from 0 to `most`.
static bool parseNumber(std::string_view text, int most, int &number) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number >= 0 && number <= most;
}

Expected<RedisAddress> cache::parseRedisAddress(std::string_view url) {
  auto fail = [](const std::string &why) {
    return makeError("the cache's Redis address " + why,
                     "TILEWRIGHT_CACHE_REDIS is redis://[[USER]:PASSWORD@]HOST[:PORT][/DB]");
  };
  constexpr std::string_view scheme = "redis://";
  if (!url.starts_with(scheme))
    return fail("does not begin with redis://");
  url.remove_prefix(scheme.size());
  RedisAddress address;
  if (size_t at = url.rfind('@'); at != url.npos) {
    const std::string_view login = url.substr(0, at);
    const size_t colon = login.find(':');
    if (colon == login.npos)
      return fail("names a user without a password");
    address.user = login.substr(0, colon);
    address.password = login.substr(colon + 1);
    url.remove_prefix(at + 1);
  }
  if (size_t slash = url.find('/'); slash != url.npos) {
    if (url.size() > slash + 1 && !parseNumber(url.substr(slash + 1), 1 << 20, address.database))
      return fail("has a database that is no number: '" + std::string(url.substr(slash + 1)) + "'");
    url = url.substr(0, slash);
  }
  // An IPv6 address stands in brackets.
  const size_t bracket = url.starts_with('[') ? url.find(']') : url.npos;
  if (size_t colon = url.find(':', bracket == url.npos ? 0 : bracket); colon != url.npos) {
    if (!parseNumber(url.substr(colon + 1), 65535, address.port))
      return fail("has a port that is no number: '" + std::string(url.substr(colon + 1)) + "'");
    url = url.substr(0, colon);
  }
  address.host = bracket == url.npos ? url : url.substr(1, bracket - 1);
  if (address.host.empty())
    return fail("names no host");
  return address;
}
