//===- DamagedIRTest.cpp - Damaged IR never crashes the compiler --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Files of IR that are cut off or changed in a few places either compile, or give an error.
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"

#include "tilewright/Compiler.h"

#include <random>

using namespace tilewright;

namespace {

/// Conversions between layouts of every kind, a reduction, a loop and a call.
constexpr const char *conversions = R"(
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [0, 1]}>
#line = #ttg.linear<{register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [0, 4], [0, 8]], warp = [[0, 16], [0, 32]], block = []}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
#operand = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func private @sum(%a: f32, %b: f32) -> f32 {
    %s = arith.addf %a, %b : f32
    tt.return %s : f32
  }
  tt.func public @k(%in: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<8xf32, #ttg.slice<{dim = 1, parent = #columns}>>
    %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32, #ttg.slice<{dim = 1, parent = #rows}>>
    %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<8xi32, #ttg.slice<{dim = 1, parent = #rows}>> -> tensor<8x1xi32, #rows>
    %r2 = tt.broadcast %r1 : tensor<8x1xi32, #rows> -> tensor<8x64xi32, #rows>
    %p = tt.splat %in : !tt.ptr<f16> -> tensor<8x64x!tt.ptr<f16>, #rows>
    %q = tt.addptr %p, %r2 : tensor<8x64x!tt.ptr<f16>, #rows>, tensor<8x64xi32, #rows>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<8xf32, #ttg.slice<{dim = 1, parent = #columns}>>)  : i32 {
      %x = tt.load %q : tensor<8x64x!tt.ptr<f16>, #rows>
      %m = ttg.convert_layout %x : tensor<8x64xf16, #rows> -> tensor<8x64xf16, #mma>
      %o = ttg.convert_layout %m : tensor<8x64xf16, #mma> -> tensor<8x64xf16, #operand>
      %y = ttg.convert_layout %o : tensor<8x64xf16, #operand> -> tensor<8x64xf16, #line>
      %z = ttg.convert_layout %y : tensor<8x64xf16, #line> -> tensor<8x64xf16, #columns>
      %w = arith.extf %z : tensor<8x64xf16, #columns> to tensor<8x64xf32, #columns>
      %s = "tt.reduce"(%w) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<8x64xf32, #columns>) -> tensor<8xf32, #ttg.slice<{dim = 1, parent = #columns}>>
      %t = arith.addf %acc, %s : tensor<8xf32, #ttg.slice<{dim = 1, parent = #columns}>>
      scf.yield %t : tensor<8xf32, #ttg.slice<{dim = 1, parent = #columns}>>
    }
    %f = arith.sitofp %n : i32 to f32
    %g = tt.call @sum(%f, %f) : (f32, f32) -> f32
    tt.store %out, %g : !tt.ptr<f32>
    tt.return
  }
}
)";

void read(std::vector<Source> &all, const std::string &name, const char *ending) {
  auto source = readSource(std::string(TILEWRIGHT_CORPUS) + "/" + name + "/" + name + ending);
  EXPECT_TRUE(source) << render(source.error());
  if (source)
    all.push_back(*source);
}

/// The same for the target that is tested. Layouts keep their lanes: 32, which all targets have.
void retarget(std::vector<Source> &all) {
  const std::string target = *test::optionsFor(test::defaultTarget()).target;
  for (Source &source : all)
    if (size_t at = source.text.find("\"cuda:90\""); at != std::string::npos)
      source.text.replace(at, 9, '"' + target + '"');
}

/// Kernels that compile.
std::vector<Source> sound() {
  std::vector<Source> all = {{"conversions.ttgir", conversions, SourceLanguage::TTGIR}};
  for (const char *name : {"vector_add", "softmax", "matmul_fma"})
    for (const char *ending : {".ttir", ".ttgir"})
      read(all, name, ending);
  retarget(all);
  return all;
}

/// Those, and kernels with ops that may be refused.
std::vector<Source> sources() {
  std::vector<Source> all = sound();
  for (const char *name : {"matmul_desc", "flash_fwd"})
    read(all, name, ".ttgir");
  retarget(all);
  return all;
}

class DamagedIR : public ::testing::Test {
protected:
  CompileResult compile(const Source &source, const std::string &text) {
    CompileOptions options;
    if (source.language == SourceLanguage::TTIR)
      options = test::optionsFor(test::defaultTarget());
    test::noteRun();
    return compiler.compile({source.name, text, source.language}, options);
  }

  void check(const Source &source, const std::string &text) {
    CompileResult result = compile(source, text);
    if (result)
      return;
    ASSERT_FALSE(result.diagnostics.empty()) << text;
    EXPECT_GT(render(result.diagnostics.front()).size(), 10u);
  }

  Compiler compiler;
  std::mt19937 random{1};
};

} // namespace

TEST_F(DamagedIR, TheFilesAreSound) {
  for (const Source &source : sound()) {
    CompileResult result = compile(source, source.text);
    EXPECT_TRUE(result) << source.name << ": " << render(result.diagnostics.front());
  }
}

TEST_F(DamagedIR, TruncatedFiles) {
  for (const Source &source : sources())
    for (size_t length = 0; length < source.text.size(); length += 97)
      check(source, source.text.substr(0, length));
}

// The parser calls itself for what is nested, and the stack has an end.
TEST_F(DamagedIR, DeepNesting) {
  auto repeat = [](const std::string &text) {
    std::string repeated;
    for (int i = 0; i < 100000; ++i)
      repeated += text;
    return repeated;
  };
  for (const std::string &text :
       {"module attributes {a = " + repeat("[") + repeat("]") + "} {}",
        repeat("module {") + repeat("}"),
        "#x = " + repeat("#ttg.slice<{dim = 0, parent = ") + repeat("}>") + "\nmodule {}",
        "module {} loc(" + repeat("callsite("), repeat("\"\\\"\\"), repeat("tensor<"),
        "module {\n" + repeat("// ((((((((((\n") + repeat("\"((((\"") + repeat("{")}) {
    CompileResult result = compile({"deep.ttgir", "", SourceLanguage::TTGIR}, text);
    ASSERT_FALSE(result);
    EXPECT_GT(render(result.diagnostics.front()).size(), 10u);
  }
}

TEST_F(DamagedIR, Bytecode) {
  CompileResult result = compile({"k.ttgir", "", SourceLanguage::TTGIR}, "ML\xefR\x06\x01\x02");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.diagnostics.front().message, "the module is in MLIR's bytecode, not text");
}

TEST_F(DamagedIR, ChangedCharacters) {
  constexpr std::string_view alphabet = "()[]{}<>:,.=+-*/%#^!@\"\\ \n0123456789abxifd_\x01\x80";
  for (const Source &source : sources())
    for (unsigned round = 0; round < 120; ++round) {
      if (!test::isChosen(round, 4))
        continue;
      std::string changed = source.text;
      for (unsigned count = 1 + random() % 2; count > 0; --count) {
        size_t at = random() % changed.size();
        if (random() % 2)
          changed[at] = alphabet[random() % alphabet.size()];
        else
          changed.erase(at, 1 + random() % 4);
      }
      check(source, changed);
    }
}

/// Words in place of each other, numbers mostly of numbers: what still parses is the more
/// dangerous.
TEST_F(DamagedIR, ExchangedWords) {
  for (const Source &source : sources()) {
    const std::string &text = source.text;
    // Numbers, and all else.
    std::vector<std::pair<size_t, size_t>> words[2];
    for (size_t at = 0; at < text.size();) {
      size_t end = at;
      while (end < text.size() && (isalnum(static_cast<unsigned char>(text[end])) ||
                                   text[end] == '_' || text[end] == '.' || text[end] == '%'))
        ++end;
      if (end > at)
        words[!isdigit(static_cast<unsigned char>(text[at]))].emplace_back(at, end - at);
      at = end + 1;
    }
    for (unsigned round = 0; round < 80; ++round) {
      if (!test::isChosen(round, 4))
        continue;
      const auto &kind = words[random() % 3 == 0];
      auto [from, fromLength] = kind[random() % kind.size()];
      auto [to, toLength] = kind[random() % kind.size()];
      std::string changed = text;
      changed.replace(to, toLength, text.substr(from, fromLength));
      check(source, changed);
    }
  }
}
