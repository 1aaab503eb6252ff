//===- CompileSessionTest.cpp - Many specializations of one source ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Whatever a session compiles, in however many threads, is what a compiler of its own makes of each
// specialization alone, byte for byte: code, IR of the stages, description and diagnostics.
//
//===--------------------------------------------------------------------------===//

#include "tilewright/CompileSession.h"
#include "target/Target.h"
#include "vendor/Vendors.h"

#include "llvm/ADT/Statistic.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <map>
#include <mutex>
#include <optional>
#include <thread>

using namespace tilewright;
using testing::HasSubstr;

namespace {

const Source python = {"kernels.py", R"(import triton
import triton.language as tl

SCALE = tl.constexpr(3)


@triton.jit
def scaled(x):
    return x * SCALE


@triton.jit
def scale(x, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.static_print("block of", B)
    tl.static_assert(B < 4096, "too large")
    tl.store(out + i, scaled(tl.load(x + i, mask=i < n)), mask=i < n)


@triton.jit
def total(x, out, B: tl.constexpr):
    tl.store(out, tl.sum(tl.load(x + tl.arange(0, B)), 0))
)"};

CompileOptions specialization(std::string kernel, std::string signature, std::string target,
                              int numWarps = 4) {
  CompileOptions options;
  options.kernel = std::move(kernel);
  options.signature = std::move(signature);
  options.target = std::move(target);
  options.numWarps = numWarps;
  return options;
}

/// One of each vendor that this build has.
std::vector<std::string> targets() {
  std::vector<std::string> names = {"cuda:90", "hip:gfx1201", "xpu:bmg"};
  llvm::erase_if(
      names, [](const std::string &name) { return !vendor::find(**target::Target::parse(name)); });
  return names;
}

/// How many of `specializations` go wrong.
size_t countWrong() { return 6 * targets().size() + 1; }

/// Good ones for each vendor, and among them one for each way to go wrong.
std::vector<CompileOptions> specializations() {
  std::vector<CompileOptions> all;
  for (const std::string &target : targets()) {
    for (const char *signature : {"*fp32:16, *fp32:16, i32, 512", "*fp16:16, *fp16:16, i32:8, 1024",
                                  "*i32, *i32, 300, 256"})
      for (int numWarps : {1, 4})
        all.push_back(specialization("scale", signature, target, numWarps));
    all.push_back(specialization("total", "*fp32:16, *fp32, 1024", target));
    // The source's own error, met by one specialization alone.
    all.push_back(specialization("scale", "*fp32, *fp32, i32, 8192", target));
    all.push_back(specialization("scale", "*fp32, *fp33, i32, 512", target));
    all.push_back(specialization("scale", "*fp32, 1", target));
    all.push_back(specialization("scaled", "fp32, 1", target));
    all.push_back(specialization("missing", "", target));
    all.push_back(specialization("total", "*fp32:16, *fp32, 1024", target, 3));
  }
  all.push_back(specialization("total", "*fp32:16, *fp32, 1024", "cuda:1"));
  return all;
}

/// All of an outcome but the times, as one text.
std::string everything(const CompileResult &result) {
  std::string text;
  for (const Diagnostic &diagnostic : result.diagnostics)
    text += render(diagnostic);
  if (!result)
    return text + "no result";
  const Compilation &made = *result.compilation;
  for (const std::string &part : {toJson(made.kernel.metadata), made.ttir, made.ttgir,
                                  made.kernel.llir, made.kernel.nativeCode, made.assembly})
    text += part + "\n----\n";
  return text;
}

std::vector<std::string> compileAlone(const Source &source,
                                      const std::vector<CompileOptions> &specializations) {
  std::vector<std::string> alone;
  for (const CompileOptions &options : specializations)
    alone.push_back(everything(Compiler().compile(source, options)));
  return alone;
}

/// A statistic is kept only if they are enabled before it first counts.
[[maybe_unused]] const bool countsParsedFiles = [] {
  llvm::EnableStatistics(/*DoPrintOnExit=*/false);
  return true;
}();

size_t parsedFiles() {
  for (auto [name, value] : llvm::GetStatistics())
    if (name == "numParsedModules")
      return value;
  return 0;
}

} // namespace

TEST(CompileSession, GivesWhatEachSpecializationGivesAlone) {
  const std::vector<CompileOptions> all = specializations();
  const std::vector<std::string> alone = compileAlone(python, all);
  EXPECT_EQ(llvm::count_if(alone,
                           [](const std::string &text) {
                             return llvm::StringRef(text).ends_with("no result");
                           }),
            countWrong());
  // A session for all rounds: its contexts remember what others have compiled in them.
  CompileSession session(python);
  for (unsigned threads : {1, 8}) {
    std::vector<CompileResult> results = session.compileAll(all, threads);
    ASSERT_EQ(results.size(), all.size());
    for (size_t i = 0; i < all.size(); ++i)
      EXPECT_EQ(everything(results[i]), alone[i])
          << all[i].kernel << " " << all[i].signature << " " << *all[i].target;
  }
}

TEST(CompileSession, ServesThreadsThatCallItThemselves) {
  const std::vector<CompileOptions> all = specializations();
  const std::vector<std::string> alone = compileAlone(python, all);
  CompileSession session(python);
  std::vector<std::thread> threads;
  for (size_t thread = 0; thread < 6; ++thread)
    threads.emplace_back([&, thread] {
      // Each begins elsewhere, and every other one goes backwards.
      for (size_t i = 0; i < all.size(); ++i) {
        size_t at = (thread * 5 + (thread % 2 ? i : all.size() - i)) % all.size();
        EXPECT_EQ(everything(session.compile(all[at])), alone[at]);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

/// Files that are imported are shared by the threads: each is read once.
TEST(CompileSession, ReadsImportedFilesOnce) {
  std::mutex mutex;
  std::map<std::string, int> reads;
  auto read = [&](const std::string &path) -> std::optional<std::string> {
    {
      std::lock_guard lock(mutex);
      ++reads[path];
    }
    if (path == "lib/a.py")
      return "from .b import *\n";
    if (path == "lib/b.py")
      return "import triton\nimport triton.language as tl\nTWO = tl.constexpr(2)\n"
             "@triton.jit\ndef twice(x):\n    return x * TWO\n";
    return std::nullopt;
  };
  const Source source = {"k.py", "import triton\nimport triton.language as tl\n"
                                 "from lib.a import twice\n@triton.jit\n"
                                 "def k(p, B: tl.constexpr):\n    i = tl.arange(0, B)\n"
                                 "    tl.store(p + i, twice(tl.load(p + i)))\n"};
  std::vector<CompileOptions> all;
  for (const std::string &target : targets())
    for (const char *signature : {"*fp32, 64", "*fp32, 128", "*i32, 64", "*fp16, 256"})
      all.push_back(specialization("k", signature, target));
  Compiler compiler;
  CompileSession session = compiler.open(source, read);
  std::vector<CompileResult> results = session.compileAll(all, 4);
  for (const CompileResult &result : results) {
    ASSERT_TRUE(result) << render(result.diagnostics.front());
    const std::vector<InputFile> &inputs = result.compilation->inputs;
    EXPECT_EQ(inputs, results.front().compilation->inputs);
    EXPECT_TRUE(llvm::any_of(
        inputs, [](const InputFile &input) { return input.path == "lib/b.py" && input.sha256; }));
  }
  EXPECT_GT(reads.size(), 2u);
  for (const auto &[path, count] : reads)
    EXPECT_EQ(count, 1) << path;
}

TEST(CompileSession, ParsesOnce) {
  const std::vector<CompileOptions> all = specializations();
  const size_t before = parsedFiles();
  CompileSession session(python);
  EXPECT_EQ(parsedFiles(), before);
  session.compileAll(all, 4);
  session.compile(all.front());
  EXPECT_EQ(parsedFiles(), before + 1);
  // What it is counted against: a compiler that is given the text parses it.
  Compiler compiler;
  compiler.compile(python, all.front());
  compiler.compile(python, all.front());
  EXPECT_EQ(parsedFiles(), before + 3);
}

TEST(CompileSession, ReportsASyntaxErrorToEverySpecialization) {
  const Source wrong = {"wrong.py", "import triton\n\n@triton.jit\ndef k(x:\n    pass\n"};
  CompileSession session(wrong);
  for (const CompileResult &result :
       session.compileAll({specialization("k", "*fp32", targets().front()),
                           specialization("k", "*fp16", targets().back()),
                           specialization("k", "*fp16", "nowhere")},
                          2)) {
    ASSERT_FALSE(result);
    ASSERT_EQ(result.diagnostics.size(), 1u);
  }
  // The options come first, as in a compilation alone.
  EXPECT_THAT(everything(session.compile(specialization("k", "", "nowhere"))),
              HasSubstr("choose one with --target"));
  EXPECT_THAT(everything(session.compile(specialization("k", "", targets().front()))),
              HasSubstr("wrong.py:4:6: error"));
}

TEST(CompileSession, TakesKernelsOutOfAModuleOfIR) {
  const Source ttir = {"module.ttir", R"(
tt.func private @half(%x: f32) -> f32 {
  %c = arith.constant 5.000000e-01 : f32
  %y = arith.mulf %x, %c : f32
  tt.return %y : f32
}
tt.func private @twice(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32
  tt.return %y : f32
}
tt.func public @first(%p: !tt.ptr<f32>) {
  %x = tt.load %p : !tt.ptr<f32>
  %y = tt.call @half(%x) : (f32) -> f32
  tt.store %p, %y : !tt.ptr<f32>
  tt.return
}
tt.func public @second(%p: !tt.ptr<f32>) {
  %x = tt.load %p : !tt.ptr<f32>
  %y = tt.call @twice(%x) : (f32) -> f32
  tt.store %p, %y : !tt.ptr<f32>
  tt.return
}
)",
                       SourceLanguage::TTIR};
  std::vector<CompileOptions> all;
  for (const std::string &target : targets())
    for (const char *kernel : {"first", "second", "third", ""})
      all.push_back(specialization(kernel, "", target));
  const std::vector<std::string> alone = compileAlone(ttir, all);
  EXPECT_THAT(alone[0], HasSubstr("5.000000e-01"));
  EXPECT_THAT(alone[2], HasSubstr("the module has: first, second"));
  EXPECT_THAT(alone[3], HasSubstr("several kernels: first, second"));
  CompileSession session(ttir);
  for (unsigned threads : {1, 4}) {
    std::vector<CompileResult> results = session.compileAll(all, threads);
    for (size_t i = 0; i < all.size(); ++i)
      EXPECT_EQ(everything(results[i]), alone[i]) << all[i].kernel << " " << *all[i].target;
  }
}

TEST(CompileSession, ReportsWrongIREveryTime) {
  const Source wrong = {"wrong.ttir", "tt.func public @k() {\n  tt.retrun\n}\n",
                        SourceLanguage::TTIR};
  CompileSession session(wrong);
  const std::string first = everything(session.compile(specialization("k", "", targets().front())));
  EXPECT_THAT(first, HasSubstr("wrong.ttir:2:3: error"));
  EXPECT_EQ(everything(session.compile(specialization("k", "", targets().front()))), first);
}

TEST(CompileSession, OutlivesItsCompiler) {
  const CompileOptions options =
      specialization("total", "*fp32:16, *fp32, 1024", targets().front());
  auto compiler = std::make_unique<Compiler>();
  const std::string alone = everything(compiler->compile(python, options));
  CompileSession session = compiler->open(python);
  CompileSession other = std::move(session);
  EXPECT_EQ(everything(other.compile(options)), alone);
  compiler.reset();
  EXPECT_EQ(everything(other.compile(options)), alone);
}
