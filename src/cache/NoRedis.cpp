//===- NoRedis.cpp - A build without Redis ------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cache/Redis.h"

using namespace tilewright;
using namespace tilewright::cache;

Redis::~Redis() = default;

Expected<std::unique_ptr<Redis>> Redis::open(const CacheOptions &, std::string) {
  return makeError("this build has no Redis support",
                   "leave TILEWRIGHT_CACHE_REDIS out, or build with hiredis (libhiredis-dev)");
}
