//===- ThreadsTest.cpp - Compilers in several threads -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Much of LLVM's state belongs to the process: the targets, the options of code generators, the
// linker. Compilers for all targets work side by side, some of them on kernels that are refused,
// and each gives the bytes that it gives alone.
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"

#include <thread>

using namespace tilewright;

namespace {

struct Job {
  std::string target, source, signature;
};

/// What can be compared of an outcome.
struct Outcome {
  std::string llir, nativeCode, assembly, json, diagnostics;
  bool isCompiled = false;
  bool operator==(const Outcome &) const = default;
};

constexpr const char *softmax = R"(
@triton.jit
def softmax(x, out, n, B: tl.constexpr):
    cols = tl.arange(0, B)
    v = tl.load(x + cols, mask=cols < n, other=-float("inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(out + cols, e / tl.sum(e, 0), mask=cols < n)
)";

constexpr const char *product = R"(
@triton.jit
def product(a, b, c, B: tl.constexpr):
    i = tl.arange(0, B)[:, None] * B + tl.arange(0, B)[None, :]
    tl.store(c + i, tl.dot(tl.load(a + i), tl.load(b + i)))
)";

/// Between layouts by shuffles: on Intel's GPUs these are an extension, which an option allows.
constexpr const char *order = R"(
@triton.jit
def order(x, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i, tl.sort(tl.load(x + i)))
)";

/// Assembly that no target has: refused where the code is generated, or before.
constexpr const char *nonsense = R"(
@triton.jit
def nonsense(x, B: tl.constexpr):
    i = tl.arange(0, B)
    y = tl.inline_asm_elementwise("nonsense $0, $1;", "=r,r", [i], tl.int32, is_pure=True, pack=1)
    tl.store(x + i, y)
)";

std::vector<Job> jobs() {
  std::vector<Job> all;
  for (const char *target : test::corpusTargets) {
    all.push_back({target, softmax, "*fp32:16, *fp32:16, i32, 256"});
    all.push_back({target, product, "*fp16:16, *fp16:16, *fp32:16, 32"});
    all.push_back({target, order, "*i32:16, 64"});
    all.push_back({target, nonsense, "*i32, 32"});
  }
  return all;
}

Outcome compile(Compiler &compiler, const Job &job) {
  CompileOptions options = test::optionsFor(job.target);
  options.signature = job.signature;
  CompileResult result = compiler.compile({"kernel.py", test::imports + job.source}, options);
  Outcome outcome;
  for (const Diagnostic &diagnostic : result.diagnostics)
    outcome.diagnostics += render(diagnostic);
  if (result) {
    outcome.isCompiled = true;
    const CompiledKernel &kernel = result.compilation->kernel;
    outcome.llir = kernel.llir;
    outcome.nativeCode = kernel.nativeCode;
    outcome.assembly = result.compilation->assembly;
    outcome.json = toJson(kernel.metadata);
  }
  return outcome;
}

} // namespace

TEST(CorpusTargets, CompileInThreadsAsTheyDoAlone) {
  const std::vector<Job> all = jobs();
  std::vector<Outcome> alone;
  for (const Job &job : all) {
    Compiler compiler;
    test::noteRun();
    alone.push_back(compile(compiler, job));
    // PTX is text that the driver assembles, nonsense or not.
    EXPECT_EQ(alone.back().isCompiled, job.source != nonsense || job.target == "cuda:90")
        << job.target << alone.back().diagnostics;
  }
  std::vector<std::thread> threads;
  for (size_t thread = 0; thread < 8; ++thread)
    threads.emplace_back([&, thread] {
      Compiler compiler;
      for (size_t i = 0; i < all.size(); ++i) {
        // Each thread begins elsewhere and goes through the jobs in another order.
        size_t job = (thread * 5 + i * (thread % 2 ? 5 : 7)) % all.size();
        EXPECT_TRUE(compile(compiler, all[job]) == alone[job]) << all[job].target;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}
