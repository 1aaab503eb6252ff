//===- CacheStress.cpp - Many processes and one cache -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// usage: cache-stress FOLDER PROCESSES KERNELS [KILLS] [full]
//
// So many processes compile the same kernels at once, each in an order of its own, with a cache in
// FOLDER. Each compares every result with what the compiler makes without a cache. KILLS more, one
// after the other, are killed at random moments, and now and then the cache is cleaned. In the end
// there must be an entry for each kernel, all of them whole. With `full`, the folder's file system
// may be too small for them.
//
// TILEWRIGHT_CACHE_REDIS may name a server. Prints how often the kernels were compiled, and how
// long it took. Exit code 1: a process had another result, said anything it should not, or an entry
// is damaged.
//
//===--------------------------------------------------------------------------===//

#include "tilewright/Cache.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string_view>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace tilewright;

static const char *const text = R"(import triton
import triton.language as tl


@triton.jit
def scale(x, out, n, FACTOR: tl.constexpr, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.static_print("factor", FACTOR)
    tl.store(out + i, tl.load(x + i, mask=i < n) * FACTOR, mask=i < n)
)";

namespace {
struct Stress {
  CacheOptions options;
  int kernels;
  bool isSmall;
  std::vector<std::string> expected;

  CompileOptions kernel(int number) const {
    CompileOptions options;
    options.signature = "*fp32:16, *fp32:16, i32, " + std::to_string(number) + ", 256";
    return options;
  }

  std::shared_ptr<Cache> open() const { return *Cache::open(options); }
  /// One process; gives its exit code.
  int compileAll(unsigned seed) const;
  bool isExpected(const CompileResult &result, int number) const;
};
} // namespace

bool Stress::isExpected(const CompileResult &result, int number) const {
  bool good = result && result.compilation->kernel.nativeCode == expected[number];
  // tl.static_print's note comes from the cache as well.
  size_t printed = 0;
  for (const Diagnostic &diagnostic : result.diagnostics) {
    const bool isPrinted = diagnostic.message.find("factor") != std::string::npos;
    const bool isFull = isSmall && diagnostic.severity == Severity::Note &&
                        diagnostic.message.find("No space left") != std::string::npos;
    printed += isPrinted;
    if (!isPrinted && !isFull) {
      std::cerr << render(diagnostic);
      good = false;
    }
  }
  if (!good || printed != 1)
    std::cerr << "kernel " << number << ": another result\n";
  return good && printed == 1;
}

int Stress::compileAll(unsigned seed) const {
  std::vector<int> order;
  for (int i = 0; i < kernels; ++i)
    order.push_back(i);
  std::shuffle(order.begin(), order.end(), std::mt19937(seed));
  Compiler compiler(open());
  int code = 0;
  for (int number : order)
    if (!isExpected(compiler.compile({"scale.py", text}, kernel(number)), number))
      code = 1;
  return code;
}

int main(int argc, char **argv) {
  if (argc < 4) {
    std::cerr << "usage: cache-stress FOLDER PROCESSES KERNELS [KILLS] [full]\n";
    return 2;
  }
  Stress stress = {};
  stress.options.directory = argv[1];
  if (const char *redis = std::getenv("TILEWRIGHT_CACHE_REDIS"))
    stress.options.redis = redis;
  const int processes = std::atoi(argv[2]);
  stress.kernels = std::atoi(argv[3]);
  int kills = argc > 4 ? std::atoi(argv[4]) : 0;
  stress.isSmall = argc > 5 && argv[5] == std::string_view("full");
  {
    Compiler compiler;
    for (int i = 0; i < stress.kernels; ++i) {
      CompileResult result = compiler.compile({"scale.py", text}, stress.kernel(i));
      stress.expected.push_back(result ? result.compilation->kernel.nativeCode : "");
    }
  }

  std::mt19937 random(1);
  std::vector<pid_t> running;
  unsigned seed = 0;
  auto start = [&] {
    const pid_t child = ::fork();
    if (child == 0)
      ::_exit(stress.compileAll(++seed));
    ++seed;
    running.push_back(child);
  };
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < processes; ++i)
    start();
  int killed = 0, code = 0;
  auto wait = [&](size_t index) {
    int status = 0;
    ::waitpid(running[index], &status, 0);
    running.erase(running.begin() + static_cast<std::ptrdiff_t>(index));
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
      ++killed;
    else if (status != 0)
      code = 1;
  };
  for (; kills > 0; --kills) {
    // The youngest, while it is at work: there is something to compile and to write again.
    if (kills % 4 == 0)
      (void)stress.open()->clean().operator bool();
    start();
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 10000));
    ::kill(running.back(), SIGKILL);
    wait(running.size() - 1);
  }
  start();
  while (!running.empty())
    wait(running.size() - 1);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;

  std::shared_ptr<Cache> cache = stress.open();
  for (const Diagnostic &damage : cache->verify()) {
    std::cerr << render(damage);
    code = 1;
  }
  const CacheStatus status = cache->status();
  std::cout << processes << " processes, " << stress.kernels << " kernels, " << killed
            << " killed: compiled " << status.misses << ", found " << status.hits
            << " and in Redis " << status.sharedHits << ", entries " << status.entries << ", "
            << taken.count() << " s\n";
  if (!stress.isSmall && status.entries != static_cast<uint64_t>(stress.kernels)) {
    std::cerr << "there are " << status.entries << " entries\n";
    code = 1;
  }
  return code;
}
