//===- CacheTest.cpp - When a result is found, and when it is not -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The compiler is a function of the test, which counts its calls: what it makes depends on the
// source and on the files that it says it has read.
//
//===--------------------------------------------------------------------------===//

#include "test/unit/cache/CacheTestSupport.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <atomic>
#include <fstream>
#include <thread>

using namespace tilewright;
using namespace tilewright::test;
using testing::HasSubstr;

namespace {

struct CacheTest : testing::Test {
  ScratchFolder scratch;
  std::map<std::string, std::string> files;
  std::atomic<int> compiled{0};

  std::shared_ptr<Cache> open(uint64_t maxBytes = 1 << 20) {
    CacheOptions options;
    options.directory = scratch.path();
    options.maxBytes = maxBytes;
    return *Cache::open(options);
  }

  std::optional<std::string> readFile(const std::string &path) {
    auto found = files.find(path);
    return found == files.end() ? std::nullopt : std::optional(found->second);
  }

  /// Compiles a source that imports the files of these names, and the variable MODE if a file says
  /// so.
  CompileResult compile(Cache &cache, const std::string &text,
                        const std::vector<std::string> &imports = {},
                        const CompileOptions &options = {}) {
    return cache.compile(
        {"k.py", text}, options, [&](const std::string &path) { return readFile(path); },
        [&] {
          ++compiled;
          CompileResult result = makeResult(text);
          for (const std::string &path : imports) {
            InputFile &input = result.compilation->inputs.emplace_back(path);
            std::optional<std::string> content = readFile(path);
            if (!content)
              continue;
            input.sha256 = llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(*content)),
                                       /*LowerCase=*/true);
            result.compilation->kernel.nativeCode += *content;
            if (*content == "asks MODE")
              result.compilation->inputVariables = {{"MODE", ::getenv("MODE")}};
          }
          return result;
        });
  }
};

} // namespace

TEST_F(CacheTest, FindsWhatItHasCompiled) {
  auto cache = open();
  const CompileResult first = compile(*cache, "a");
  EXPECT_FALSE(first.isCached);
  EXPECT_EQ(first.compilation->times.front().stage, "frontend");
  const CompileResult second = compile(*cache, "a");
  EXPECT_TRUE(second.isCached);
  EXPECT_TRUE(isSame(first, second));
  EXPECT_EQ(second.compilation->times.size(), 1u);
  EXPECT_EQ(second.compilation->times.front().stage, "cache");
  // Another object, as another process would have.
  EXPECT_TRUE(compile(*open(), "a").isCached);
  EXPECT_FALSE(compile(*cache, "b").isCached);
  CompileOptions options;
  options.numWarps = 8;
  EXPECT_FALSE(compile(*cache, "a", {}, options).isCached);
  EXPECT_EQ(compiled, 3);
  const CacheStatus status = cache->status();
  EXPECT_EQ(status.entries, 3u);
  EXPECT_EQ(status.hits, 2u);
  EXPECT_EQ(status.misses, 3u);
  EXPECT_TRUE(cache->verify().empty());
}

TEST_F(CacheTest, AnImportedFileIsPartOfTheKey) {
  auto cache = open();
  files = {{"x.py", "1"}};
  const std::vector<std::string> imports = {"missing.py", "x.py"};
  auto code = [&] { return compile(*cache, "a", imports).compilation->kernel.nativeCode; };
  EXPECT_EQ(code(), "a1");
  EXPECT_EQ(code(), "a1");
  EXPECT_EQ(compiled, 1);
  files["x.py"] = "2";
  EXPECT_EQ(code(), "a2");
  EXPECT_EQ(compiled, 2);
  // As it was before.
  files["x.py"] = "1";
  EXPECT_EQ(code(), "a1");
  EXPECT_EQ(compiled, 2);
  // One that was not found before has come.
  files["missing.py"] = "new";
  EXPECT_EQ(code(), "anew1");
  EXPECT_EQ(compiled, 3);
  files.erase("missing.py");
  files.erase("x.py");
  EXPECT_EQ(code(), "a");
  EXPECT_EQ(compiled, 4);
}

TEST_F(CacheTest, OtherFilesMayBeReadAfterAChange) {
  auto cache = open();
  files = {{"x.py", "1"}, {"y.py", "1"}};
  EXPECT_EQ(compile(*cache, "a", {"x.py"}).compilation->kernel.nativeCode, "a1");
  files["x.py"] = "import y";
  for (int round = 0; round < 2; ++round)
    EXPECT_EQ(compile(*cache, "a", {"x.py", "y.py"}).compilation->kernel.nativeCode, "aimport y1");
  EXPECT_EQ(compiled, 2);
  files["y.py"] = "2";
  EXPECT_EQ(compile(*cache, "a", {"x.py", "y.py"}).compilation->kernel.nativeCode, "aimport y2");
  files["x.py"] = "1";
  EXPECT_EQ(compile(*cache, "a", {"x.py"}).compilation->kernel.nativeCode, "a1");
  EXPECT_EQ(compiled, 3);
}

TEST_F(CacheTest, AVariableIsPartOfTheKey) {
  auto cache = open();
  files = {{"x.py", "asks MODE"}};
  for (const char *mode : {"fast", "safe", "fast", "safe"}) {
    ::setenv("MODE", mode, 1);
    const CompileResult result = compile(*cache, "a", {"x.py"});
    EXPECT_EQ(result.compilation->inputVariables.front().value, mode);
  }
  EXPECT_EQ(compiled, 2);
}

TEST_F(CacheTest, ErrorsAreNotKept) {
  auto cache = open();
  for (int round = 0; round < 2; ++round) {
    CompileResult result = cache->compile({"k.py", "bad"}, {}, {}, [&] {
      ++compiled;
      CompileResult bad;
      bad.diagnostics.push_back(makeError("wrong"));
      return bad;
    });
    EXPECT_FALSE(result);
    EXPECT_EQ(result.diagnostics.size(), 1u);
  }
  EXPECT_EQ(compiled, 2);
  EXPECT_EQ(cache->status().entries, 0u);
}

TEST_F(CacheTest, DumpsArePassedThrough) {
  auto cache = open();
  CompileOptions options;
  options.dumpPassesDirectory = "dump";
  for (int round = 0; round < 2; ++round)
    EXPECT_FALSE(compile(*cache, "a", {}, options).isCached);
  EXPECT_EQ(cache->status().entries, 0u);
}

TEST_F(CacheTest, ADamagedEntryIsNamedAndCompiledAnew) {
  auto cache = open();
  const CompileResult whole = compile(*cache, "a");
  const std::string file = scratch.filesEndingIn(".kernel").at(0);
  const std::string entry = *runtime::readFile(file);
  struct Damage {
    const char *where, *message;
    std::string bytes;
  };
  auto flipped = [&](size_t at) {
    std::string bytes = entry;
    bytes[at] = static_cast<char>(~bytes[at]);
    return bytes;
  };
  const Damage damages[] = {
      {"empty", "it ends after 0 bytes", ""},
      {"torn in its head", "it ends after 40 bytes", entry.substr(0, 40)},
      {"torn in its content", "bytes of content, not", entry.substr(0, entry.size() - 1)},
      {"longer", "bytes of content, not", entry + "x"},
      {"format", "does not begin as an entry", flipped(7)},
      {"key", "the entry of another key", flipped(8)},
      {"checksum", "does not have the checksum", flipped(40)},
      {"size", "bytes of content, not", flipped(72)},
      {"content", "does not have the checksum", flipped(80)},
      {"last byte", "does not have the checksum", flipped(entry.size() - 1)},
      {"blocks of zeros", "does not begin as an entry", std::string(entry.size(), '\0')},
  };
  uint64_t damaged = 0;
  for (const Damage &damage : damages) {
    SCOPED_TRACE(damage.where);
    std::ofstream(file, std::ios::binary) << damage.bytes;
    std::vector<Diagnostic> errors = cache->verify();
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_THAT(render(errors[0]), HasSubstr(file + ": error: this entry is damaged: "));

    CompileResult result = compile(*cache, "a");
    EXPECT_FALSE(result.isCached);
    ASSERT_EQ(result.diagnostics.size(), whole.diagnostics.size() + 1);
    const Diagnostic &warning = result.diagnostics.back();
    EXPECT_EQ(warning.severity, Severity::Warning);
    EXPECT_EQ(warning.where.file, file);
    EXPECT_THAT(warning.message, HasSubstr(damage.message));
    EXPECT_EQ(cache->status().damaged, ++damaged);

    result = compile(*cache, "a");
    EXPECT_TRUE(result.isCached);
    EXPECT_TRUE(isSame(result, whole));
    EXPECT_TRUE(cache->verify().empty());
  }
}

TEST_F(CacheTest, DamagedListsOfInputsAreMadeAnew) {
  auto cache = open();
  files = {{"x.py", "1"}};
  compile(*cache, "a", {"x.py"});
  std::ofstream(scratch.filesEndingIn(".inputs").at(0)) << "nonsense";
  EXPECT_EQ(cache->verify().size(), 1u);
  CompileResult result = compile(*cache, "a", {"x.py"});
  EXPECT_FALSE(result.isCached);
  EXPECT_THAT(result.diagnostics.back().message, HasSubstr("damaged"));
  EXPECT_TRUE(compile(*cache, "a", {"x.py"}).isCached);
}

TEST_F(CacheTest, ThreadsThatWantTheSameCompileItOnce) {
  auto cache = open();
  std::vector<std::jthread> threads;
  std::atomic<int> found{0};
  for (int i = 0; i < 16; ++i)
    threads.emplace_back([&] {
      CompileResult result = cache->compile({"k.py", "a"}, {}, {}, [&] {
        ++compiled;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        return makeResult("a");
      });
      found += result.isCached;
    });
  threads.clear();
  EXPECT_EQ(compiled, 1);
  EXPECT_EQ(found, 15);
}

TEST_F(CacheTest, WhatCannotBeWrittenIsCompiledAndToldOnce) {
  auto cache = open();
  // Whatever the rights of who runs the test.
  std::filesystem::remove_all(scratch.path());
  std::ofstream(scratch.path()) << "a file in the folder's place";
  CompileResult first = compile(*cache, "a");
  ASSERT_TRUE(first);
  ASSERT_EQ(first.diagnostics.size(), 3u);
  EXPECT_EQ(first.diagnostics.back().severity, Severity::Note);
  EXPECT_THAT(first.diagnostics.back().message, HasSubstr("cannot be kept here: Not a directory"));
  EXPECT_EQ(compile(*cache, "a").diagnostics.size(), 2u);
  EXPECT_EQ(compiled, 2);
  std::filesystem::remove(scratch.path());
  // Somebody has removed the folder: it comes again.
  EXPECT_FALSE(compile(*cache, "a").isCached);
  EXPECT_TRUE(compile(*cache, "a").isCached);
}

TEST_F(CacheTest, CleaningRemovesAll) {
  auto cache = open();
  files = {{"x.py", "1"}};
  compile(*cache, "a", {"x.py"});
  compile(*cache, "b");
  EXPECT_EQ(*cache->clean(), 2u);
  EXPECT_EQ(cache->status().entries, 0u);
  EXPECT_EQ(cache->status().misses, 0u);
  EXPECT_FALSE(compile(*cache, "b").isCached);
}

TEST(CacheOptions, SizesHaveUnits) {
  EXPECT_EQ(*parseByteCount("500000"), 500000u);
  EXPECT_EQ(*parseByteCount("0"), 0u);
  EXPECT_EQ(*parseByteCount("3K"), 3u << 10);
  EXPECT_EQ(*parseByteCount("512M"), 512u << 20);
  EXPECT_EQ(*parseByteCount("2T"), uint64_t(2) << 40);
  for (const char *text : {"", "M", "-1", "1.5G", "1GB", "12Q", "99999999999T", " 1"})
    EXPECT_FALSE(parseByteCount(text)) << text;
}

TEST(CacheOptions, TheEnvironmentNamesTheFolder) {
  for (const char *name : {"TILEWRIGHT_CACHE_DIR", "TILEWRIGHT_CACHE_SIZE",
                           "TILEWRIGHT_CACHE_REDIS", "XDG_CACHE_HOME"})
    ::unsetenv(name);
  ::setenv("HOME", "/home/me", 1);
  auto directory = [] { return CacheOptions::fromEnvironment()->directory; };
  EXPECT_EQ(directory(), "/home/me/.cache/tilewright");
  ::setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(directory(), "/home/me/.cache/tilewright");
  ::setenv("XDG_CACHE_HOME", "/var/cache/me", 1);
  EXPECT_EQ(directory(), "/var/cache/me/tilewright");
  ::setenv("TILEWRIGHT_CACHE_DIR", "/data/kernels", 1);
  EXPECT_EQ(directory(), "/data/kernels");
  ::setenv("TILEWRIGHT_CACHE_SIZE", "5M", 1);
  EXPECT_EQ(CacheOptions::fromEnvironment()->maxBytes, 5u << 20);
  ::setenv("TILEWRIGHT_CACHE_SIZE", "much", 1);
  EXPECT_EQ(CacheOptions::fromEnvironment().error().message,
            "TILEWRIGHT_CACHE_SIZE: 'much' is no size");
  ::setenv("TILEWRIGHT_CACHE", "off", 1);
  EXPECT_EQ(*Cache::openForUser(), nullptr);
}
