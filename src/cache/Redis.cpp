//===- Redis.cpp - A cache's second tier, which machines share ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cache/RedisConnection.h"

#include <cstdlib>
#include <fcntl.h>
#include <mutex>
#include <sys/stat.h>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::cache;
using std::chrono::system_clock;

Redis::~Redis() = default;

namespace {
class Server final : public Redis {
public:
  Server(RedisAddress address, const CacheOptions &options, std::string pauseFile)
      : address(std::move(address)), options(options), pauseFile(std::move(pauseFile)) {}

  std::optional<std::string> get(const Key &key, std::vector<Diagnostic> &remarks) override {
    std::optional<std::string> found;
    ask(remarks, [&](RedisConnection &connection) -> Result<void> {
      auto answer = connection.get(nameOf(key));
      if (!answer)
        return Failure(answer.error());
      found = *answer;
      return {};
    });
    return found;
  }

  void put(const Key &key, std::string_view entry, std::vector<Diagnostic> &remarks) override {
    ask(remarks, [&](RedisConnection &connection) {
      return connection.set(nameOf(key), entry, options.redisLifetime);
    });
  }

private:
  static std::string nameOf(const Key &key) { return "tilewright:" + key.hex(); }

  /// Makes a request if the server is not being left alone.
  template <typename Request> void ask(std::vector<Diagnostic> &remarks, Request request);
  /// A connection of this process's that nobody uses; null if there is none.
  std::shared_ptr<RedisConnection> takeIdle();
  bool isPaused() const;
  void pause() const;

  const RedisAddress address;
  const CacheOptions options;
  const std::string pauseFile;
  std::mutex mutex;
  std::vector<std::shared_ptr<RedisConnection>> idle;
};
} // namespace

bool Server::isPaused() const {
  struct stat status = {};
  if (::stat(pauseFile.c_str(), &status) != 0)
    return false;
  const auto age = system_clock::now() - system_clock::from_time_t(status.st_mtim.tv_sec);
  // A time to come is that of a clock that was wrong.
  return age < options.redisPause && age >= std::chrono::seconds(-1);
}

void Server::pause() const {
  const int file = ::open(pauseFile.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0)
    return;
  ::futimens(file, nullptr);
  ::close(file);
}

std::shared_ptr<RedisConnection> Server::takeIdle() {
  std::lock_guard lock(mutex);
  while (!idle.empty()) {
    std::shared_ptr<RedisConnection> connection = std::move(idle.back());
    idle.pop_back();
    if (connection->isOwn())
      return connection;
  }
  return nullptr;
}

template <typename Request> void Server::ask(std::vector<Diagnostic> &remarks, Request request) {
  if (isPaused())
    return;
  // One that was not in use for long, the server may have closed.
  std::shared_ptr<RedisConnection> connection = takeIdle();
  Result<void> done = connection ? request(*connection) : Failure("not connected yet");
  if (!done) {
    Result<std::shared_ptr<RedisConnection>> opened =
        RedisConnection::open(address, options.redisTimeout);
    if (opened)
      connection = *opened;
    done = opened ? request(*connection) : Failure(opened.error());
  }
  if (done) {
    std::lock_guard lock(mutex);
    idle.push_back(std::move(connection));
    return;
  }
  pause();
  Diagnostic warning = makeError(
      "the cache's Redis server " + address.text() + " is of no use: " + done.error(),
      "compiled kernels are kept in " + options.directory +
          " alone, and the server is asked again in " + std::to_string(options.redisPause.count()) +
          " seconds; start it, or correct TILEWRIGHT_CACHE_REDIS");
  warning.severity = Severity::Warning;
  remarks.push_back(std::move(warning));
}

Expected<std::unique_ptr<Redis>> Redis::open(const CacheOptions &options, std::string pauseFile) {
  Expected<RedisAddress> address = parseRedisAddress(options.redis);
  if (!address)
    return address.error();
  return std::unique_ptr<Redis>(
      std::make_unique<Server>(std::move(*address), options, std::move(pauseFile)));
}
