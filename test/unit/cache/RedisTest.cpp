//===- RedisTest.cpp - The tier that machines share ---------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A server of its own for each test, on a port of the loopback interface; and servers that are
// none.
//
//===--------------------------------------------------------------------------===//

#include "cache/Redis.h"
#include "test/unit/cache/CacheTestSupport.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <arpa/inet.h>
#include <csignal>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>

using namespace tilewright;
using namespace tilewright::cache;
using namespace tilewright::test;
using testing::HasSubstr;

namespace {

/// A socket that listens on a port of the loopback interface which nobody has.
struct Listener {
  int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int port = 0;

  Listener() {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(socket, reinterpret_cast<sockaddr *>(&address), size), 0);
    EXPECT_EQ(::listen(socket, 8), 0);
    EXPECT_EQ(::getsockname(socket, reinterpret_cast<sockaddr *>(&address), &size), 0);
    port = ntohs(address.sin_port);
  }
  ~Listener() { ::close(socket); }
};

/// Answers each connection in its own way, until it goes.
class FalseServer {
public:
  explicit FalseServer(std::function<void(int socket, std::stop_token)> answer)
      : thread([this, answer](std::stop_token stop) {
          while (!stop.stop_requested()) {
            const int socket = ::accept4(listener.socket, nullptr, nullptr, SOCK_CLOEXEC);
            if (socket < 0)
              return;
            answer(socket, stop);
            ::close(socket);
          }
        }) {}
  ~FalseServer() {
    thread.request_stop();
    ::shutdown(listener.socket, SHUT_RDWR);
  }
  int port() const { return listener.port; }

private:
  Listener listener;
  std::jthread thread;
};

struct RedisTest : testing::Test {
  ScratchFolder scratch;
  int port = 0;
  pid_t server = 0;
  int compiled = 0;

  /// Starts redis-server; false if there is none.
  bool start(int atPort = 0, const char *password = nullptr) {
    port = atPort ? atPort : Listener().port;
    server = ::fork();
    if (server == 0) {
      const int null = ::open("/dev/null", O_RDWR);
      ::dup2(null, 1);
      ::dup2(null, 2);
      ::execlp("redis-server", "redis-server", "--bind", "127.0.0.1", "--port",
               std::to_string(port).c_str(), "--save", "", "--appendonly", "no", "--dir",
               scratch.path().c_str(), password ? "--requirepass" : nullptr, password, nullptr);
      _exit(127);
    }
    for (int tries = 0; tries < 500; ++tries) {
      const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      sockaddr_in address = {};
      address.sin_family = AF_INET;
      address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      address.sin_port = htons(port);
      const bool connected =
          ::connect(socket, reinterpret_cast<sockaddr *>(&address), sizeof address) == 0;
      ::close(socket);
      if (connected)
        return true;
      if (::waitpid(server, nullptr, WNOHANG) == server) {
        server = 0;
        return false;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
  void stop() {
    if (server > 0) {
      ::kill(server, SIGKILL);
      ::waitpid(server, nullptr, 0);
    }
    server = 0;
  }
  void TearDown() override { stop(); }

  CacheOptions options(const std::string &folder, std::string login = "") {
    CacheOptions options;
    options.directory = scratch.path() + "/" + folder;
    options.redis = "redis://" + login + "127.0.0.1:" + std::to_string(port) + "/3";
    options.redisPause = std::chrono::seconds(1000);
    return options;
  }
  std::shared_ptr<Cache> open(const std::string &folder) { return *Cache::open(options(folder)); }

  CompileResult compile(Cache &cache, const std::string &text) {
    return cache.compile({"k.py", text}, {}, {}, [&] {
      ++compiled;
      CompileResult result = makeResult(text);
      result.diagnostics.clear();
      return result;
    });
  }
};

#define START_REDIS(...)                                                                           \
  if (!start(__VA_ARGS__))                                                                         \
  GTEST_SKIP() << "redis-server is not installed"

/// The only diagnostic of a result.
std::string onlyWarning(const CompileResult &result) {
  EXPECT_EQ(result.diagnostics.size(), 1u);
  if (result.diagnostics.empty())
    return "";
  EXPECT_EQ(result.diagnostics[0].severity, Severity::Warning);
  return result.diagnostics[0].message;
}

} // namespace

TEST_F(RedisTest, OneMachineFindsWhatAnotherHasCompiled) {
  START_REDIS();
  auto here = open("here"), there = open("there");
  EXPECT_FALSE(compile(*here, "a").isCached);
  const CompileResult found = compile(*there, "a");
  EXPECT_TRUE(found.isCached);
  EXPECT_TRUE(found.diagnostics.empty());
  EXPECT_EQ(found.compilation->kernel.nativeCode, "a");
  EXPECT_EQ(there->status().sharedHits, 1u);
  // Now it is in the folder as well.
  stop();
  EXPECT_TRUE(compile(*there, "a").isCached);
  EXPECT_EQ(there->status().hits, 1u);
  EXPECT_EQ(compiled, 1);
}

TEST_F(RedisTest, AServerThatGoesDoesNoHarm) {
  START_REDIS();
  auto cache = open("here");
  EXPECT_TRUE(compile(*cache, "a").diagnostics.empty());
  stop();
  const CompileResult result = compile(*cache, "b");
  EXPECT_TRUE(result);
  EXPECT_THAT(onlyWarning(result), HasSubstr("is of no use: Connection refused"));
  EXPECT_THAT(result.diagnostics[0].remedy, HasSubstr("asked again in 1000 seconds"));
  // For a while it is not asked, by other objects and processes neither: nothing is said.
  EXPECT_TRUE(compile(*cache, "c").diagnostics.empty());
  EXPECT_TRUE(compile(*open("here"), "d").diagnostics.empty());
  EXPECT_EQ(compiled, 4);
}

TEST_F(RedisTest, AServerThatComesAgainIsUsed) {
  START_REDIS();
  auto cache = open("here");
  compile(*cache, "a");
  const int samePort = port;
  stop();
  ASSERT_TRUE(start(samePort));
  // The connection that was there is dead; a new one is not.
  EXPECT_TRUE(compile(*cache, "b").diagnostics.empty());
  EXPECT_TRUE(compile(*open("there"), "b").isCached);
}

TEST_F(RedisTest, APasswordIsAsked) {
  START_REDIS(0, "secret");
  CompileResult result = compile(*open("here"), "a");
  EXPECT_THAT(onlyWarning(result), HasSubstr("it says: NOAUTH"));
  result = compile(**Cache::open(options("there", ":secret@")), "a");
  EXPECT_TRUE(result.diagnostics.empty());
  result = compile(**Cache::open(options("elsewhere", ":wrong@")), "b");
  EXPECT_THAT(onlyWarning(result), HasSubstr("it says: WRONGPASS"));
  EXPECT_THAT(result.diagnostics[0].message, testing::Not(HasSubstr("wrong@")));
}

TEST_F(RedisTest, AnotherKindOfServerIsNamed) {
  FalseServer web([](int socket, std::stop_token) {
    const char answer[] = "HTTP/1.1 400 Bad Request\r\n\r\n";
    EXPECT_GT(::send(socket, answer, sizeof answer - 1, MSG_NOSIGNAL), 0);
  });
  port = web.port();
  const CompileResult result = compile(*open("here"), "a");
  EXPECT_THAT(onlyWarning(result), HasSubstr("what answers there is no Redis server"));
  EXPECT_EQ(result.compilation->kernel.nativeCode, "a");
}

TEST_F(RedisTest, ASilentServerCostsLittle) {
  FalseServer silent([](int, std::stop_token stop) {
    while (!stop.stop_requested())
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
  });
  port = silent.port();
  auto cache = open("here");
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(onlyWarning(compile(*cache, "a")), HasSubstr("no answer in time"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(3));
}

TEST_F(RedisTest, AServerThatDripsCostsLittle) {
  // One that begins an answer of a gigabyte, and sends a byte now and then.
  FalseServer dripping([](int socket, std::stop_token stop) {
    std::string answer = "+OK\r\n$1000000000\r\n";
    while (!stop.stop_requested() &&
           ::send(socket, answer.data(), answer.size(), MSG_NOSIGNAL) > 0) {
      answer = "x";
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
  port = dripping.port();
  auto cache = open("here");
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(onlyWarning(compile(*cache, "a")), HasSubstr("no whole answer in time"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(8));
}

// Writing to a connection that has no reader any more raises SIGPIPE, which would end the process:
// the second time, when the other side has said so.
TEST_F(RedisTest, AServerThatClosesAConnectionDoesNoHarm) {
  FalseServer closing([](int socket, std::stop_token) {
    char buffer[1 << 12];
    // It chooses a database and looks for a result and for a list of inputs.
    for (const std::string_view answer : {"+OK\r\n", "$-1\r\n", "$-1\r\n"})
      if (::recv(socket, buffer, sizeof buffer, 0) <= 0 ||
          ::send(socket, answer.data(), answer.size(), MSG_NOSIGNAL) <= 0)
        return;
  });
  port = closing.port();
  const CompileResult result = compile(*open("here"), std::string(16 << 20, 'x'));
  EXPECT_TRUE(result);
  EXPECT_THAT(onlyWarning(result), HasSubstr("is of no use: "));
}

TEST_F(RedisTest, ADamagedValueIsNamedAndReplaced) {
  START_REDIS();
  compile(*open("here"), "a");
  CacheOptions with = options("other");
  auto opened = Redis::open(with, scratch.path() + "/pause");
  Redis &redis = **opened;
  const std::string file = scratch.filesEndingIn(".kernel").at(0);
  const std::string hex = std::filesystem::path(file).parent_path().filename().string() +
                          std::filesystem::path(file).stem().string();
  Key key;
  for (size_t i = 0; i < key.bytes.size(); ++i)
    key.bytes[i] = static_cast<uint8_t>(std::stoi(hex.substr(2 * i, 2), nullptr, 16));
  std::vector<Diagnostic> remarks;
  const std::optional<std::string> entry = redis.get(key, remarks);
  EXPECT_EQ(entry, *runtime::readFile(file));
  redis.put(key, "nonsense", remarks);
  EXPECT_TRUE(remarks.empty());

  const CompileResult result = compile(*open("there"), "a");
  EXPECT_FALSE(result.isCached);
  EXPECT_THAT(onlyWarning(result), HasSubstr("this entry of the cache is damaged"));
  EXPECT_EQ(redis.get(key, remarks), entry);
}

TEST(RedisAddress, HasParts) {
  const RedisAddress all = *parseRedisAddress("redis://me:se:cr@et@host.example:1234/5");
  EXPECT_EQ(all.user, "me");
  EXPECT_EQ(all.password, "se:cr@et");
  EXPECT_EQ(all.text(), "host.example:1234");
  EXPECT_EQ(all.database, 5);
  const RedisAddress few = *parseRedisAddress("redis://host");
  EXPECT_EQ(few.text(), "host:6379");
  EXPECT_EQ(few.database, 0);
  EXPECT_EQ(parseRedisAddress("redis://[::1]:7/")->text(), "::1:7");
  for (const char *url : {"host:1", "redis://", "redis://host:x", "redis://host:99999999",
                          "redis://host/x", "rediss://host", "redis://me@host", "redis://:1"})
    EXPECT_FALSE(parseRedisAddress(url)) << url;
}
