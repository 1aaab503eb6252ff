//===- RedisConnection.cpp - Requests to a Redis server -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cache/RedisConnection.h"

#include <csignal>
#include <pthread.h>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::cache;

/// More than any entry: who sends more is no Redis with our entries in it.
static constexpr size_t maxReplyBytes = size_t(256) << 20;

static constexpr const char *noRedis = "what answers there is no Redis server";

namespace {
/// While it lives, this thread gets no SIGPIPE: hiredis writes to sockets that may have no reader
/// any more.
class WithoutSigpipe {
public:
  WithoutSigpipe() {
    sigset_t pending;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    sigpending(&pending);
    wasPending = sigismember(&pending, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, &before);
  }
  ~WithoutSigpipe() {
    // Takes the one that came meanwhile.
    const timespec atOnce = {};
    if (!wasPending)
      while (sigtimedwait(&pipe, nullptr, &atOnce) < 0 && errno == EINTR) {
      }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

private:
  sigset_t pipe, before;
  bool wasPending;
};
} // namespace

static timeval toTimeval(std::chrono::milliseconds time) {
  return {static_cast<time_t>(time.count() / 1000),
          static_cast<suseconds_t>(time.count() % 1000 * 1000)};
}

RedisConnection::RedisConnection(Context context, std::chrono::milliseconds timeout)
    : context(std::move(context)), timeout(timeout), process(::getpid()) {}

bool RedisConnection::isOwn() const { return process == ::getpid(); }

Failure RedisConnection::describeError() const {
  switch (context->err) {
  case REDIS_ERR_PROTOCOL:
    return Failure(noRedis);
  case REDIS_ERR_EOF:
    return Failure("the connection was closed");
  case REDIS_ERR_IO:
    if (errno == EAGAIN || errno == EWOULDBLOCK)
      return Failure("no answer in time");
    [[fallthrough]];
  default:
    return Failure(context->errstr);
  }
}

Result<std::shared_ptr<RedisConnection>> RedisConnection::open(const RedisAddress &address,
                                                               std::chrono::milliseconds timeout) {
  WithoutSigpipe guard;
  Context context(redisConnectWithTimeout(address.host.c_str(), address.port, toTimeval(timeout)));
  if (!context)
    return Failure("no memory for a connection");
  std::shared_ptr<RedisConnection> connection(new RedisConnection(std::move(context), timeout));
  if (connection->context->err)
    return connection->describeError();
  if (redisSetTimeout(connection->context.get(), toTimeval(timeout)) != REDIS_OK)
    return connection->describeError();
  if (!address.password.empty()) {
    auto fine = address.user.empty()
                    ? connection->request({"AUTH", address.password})
                    : connection->request({"AUTH", address.user, address.password});
    if (!fine)
      return Failure(fine.error());
  }
  if (address.database != 0)
    if (auto fine = connection->request({"SELECT", std::to_string(address.database)}); !fine)
      return Failure(fine.error());
  return connection;
}

Result<RedisConnection::Reply>
RedisConnection::request(std::initializer_list<std::string_view> words) {
  WithoutSigpipe guard;
  const auto deadline = std::chrono::steady_clock::now() + 10 * timeout;
  std::vector<const char *> texts;
  std::vector<size_t> sizes;
  for (std::string_view word : words) {
    texts.push_back(word.data());
    sizes.push_back(word.size());
  }
  if (redisAppendCommandArgv(context.get(), static_cast<int>(texts.size()), texts.data(),
                             sizes.data()) != REDIS_OK)
    return describeError();
  // hiredis's own loop goes on as long as the other side sends anything.
  auto isLate = [&] { return std::chrono::steady_clock::now() > deadline; };
  for (int isWritten = 0; !isWritten;) {
    if (redisBufferWrite(context.get(), &isWritten) != REDIS_OK)
      return describeError();
    if (isLate())
      return Failure("the request could not be sent in time");
  }
  void *reply = nullptr;
  for (;;) {
    if (redisGetReplyFromReader(context.get(), &reply) != REDIS_OK)
      return describeError();
    if (reply)
      break;
    if (isLate())
      return Failure("no whole answer in time");
    if (context->reader->len > maxReplyBytes)
      return Failure("an answer larger than any entry");
    if (redisBufferRead(context.get()) != REDIS_OK)
      return describeError();
  }
  Reply answer(static_cast<redisReply *>(reply), FreeReply());
  if (answer->type == REDIS_REPLY_ERROR)
    return Failure("it says: " + std::string(answer->str, answer->len));
  return answer;
}

Result<std::optional<std::string>> RedisConnection::get(const std::string &key) {
  Result<Reply> reply = request({"GET", key});
  if (!reply)
    return Failure(reply.error());
  if ((*reply)->type == REDIS_REPLY_NIL)
    return std::optional<std::string>();
  if ((*reply)->type != REDIS_REPLY_STRING)
    return Failure(noRedis);
  return std::optional(std::string((*reply)->str, (*reply)->len));
}

Result<void> RedisConnection::set(const std::string &key, std::string_view value,
                                  std::chrono::seconds lifetime) {
  Result<Reply> reply = request({"SET", key, value, "EX", std::to_string(lifetime.count())});
  if (!reply)
    return Failure(reply.error());
  if ((*reply)->type != REDIS_REPLY_STATUS)
    return Failure(noRedis);
  return {};
}
