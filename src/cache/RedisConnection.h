//===- RedisConnection.h - Requests to a Redis server ---------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_CACHE_REDISCONNECTION_H
#define TILEWRIGHT_CACHE_REDISCONNECTION_H

#include "cache/Redis.h"
#include "tilewright/support/Result.h"

#include <hiredis/hiredis.h>
#include <initializer_list>
#include <sys/types.h>

namespace tilewright::cache {

/// One connection, for one thread at a time. After an error it is of no use any more. No call takes
/// much longer than ten times the timeout, whatever the other side sends, and none raises SIGPIPE.
class RedisConnection {
public:
  /// Connects, says who asks and chooses the database. Errors are sentences.
  static Result<std::shared_ptr<RedisConnection>> open(const RedisAddress &address,
                                                       std::chrono::milliseconds timeout);

  /// The answer to GET: nothing if there is no such key.
  Result<std::optional<std::string>> get(const std::string &key);
  /// SET with a lifetime.
  Result<void> set(const std::string &key, std::string_view value, std::chrono::seconds lifetime);

  /// Whether this process has made it: one that was forked must not use it.
  bool isOwn() const;

private:
  struct FreeContext {
    void operator()(redisContext *context) const { redisFree(context); }
  };
  struct FreeReply {
    void operator()(redisReply *reply) const { freeReplyObject(reply); }
  };
  using Context = std::unique_ptr<redisContext, FreeContext>;
  using Reply = std::shared_ptr<redisReply>;

  RedisConnection(Context context, std::chrono::milliseconds timeout);
  /// An error also where the server answers with one.
  Result<Reply> request(std::initializer_list<std::string_view> words);
  Failure describeError() const;

  Context context;
  std::chrono::milliseconds timeout;
  pid_t process;
};

} // namespace tilewright::cache

#endif // TILEWRIGHT_CACHE_REDISCONNECTION_H
