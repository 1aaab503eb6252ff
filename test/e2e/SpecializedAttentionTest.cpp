//===- SpecializedAttentionTest.cpp - Attention with a warp for its copies ----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Attention in blocks of descriptors: with a warp that copies K and V, whether the source asks for
// it or its block is alone on a multiprocessor, it gives what it gives with pointers. And faults in
// how the groups hand tiles to each other, which the simulator finds.
//
//===--------------------------------------------------------------------------===//

#include "DescriptorKernel.h"

#include <gmock/gmock.h>

using namespace tilewright;
using namespace tilewright::test;
using simulate::AsyncCompletion;
using ::testing::HasSubstr;
using ::testing::Not;

namespace {

const std::string attentionBody = R"(
@triton.jit
def kernel(q_ptr, k_ptr, v_ptr, o_ptr, keys, BM: tl.constexpr, BN: tl.constexpr,
           D: tl.constexpr, CAUSAL: tl.constexpr, ASKED: tl.constexpr, STAGES: tl.constexpr):
    q_desc = tl.make_tensor_descriptor(q_ptr, [keys, D], [D, 1], [BM, D])
    k_desc = tl.make_tensor_descriptor(k_ptr, [keys, D], [D, 1], [BN, D])
    v_desc = tl.make_tensor_descriptor(v_ptr, [keys, D], [D, 1], [BN, D])
    first = tl.program_id(0) * BM
    rows = first + tl.arange(0, BM)
    columns = tl.arange(0, BN)
    q = q_desc.load([first, 0])
    top = tl.full([BM], -float("inf"), tl.float32)
    total = tl.zeros([BM], tl.float32)
    acc = tl.zeros([BM, D], tl.float32)
    end = keys
    if CAUSAL:
        end = tl.minimum(first + BM, keys)
    for start in tl.range(0, end, BN, num_stages=STAGES, warp_specialize=ASKED):
        s = tl.dot(q, k_desc.load([start, 0]).T) * 0.25
        seen = (start + columns < keys)[None, :]
        if CAUSAL:
            seen = seen & (rows[:, None] >= start + columns[None, :])
        s = tl.where(seen, s, -1.0e6)
        new = tl.maximum(top, tl.max(s, 1))
        p = tl.exp2(s - new[:, None])
        factor = tl.exp2(top - new)
        total = total * factor + tl.sum(p, 1)
        acc = acc * factor[:, None]
        acc = tl.dot(p.to(q_ptr.dtype.element_ty), v_desc.load([start, 0]), acc)
        top = new
    at = rows[:, None] * D + tl.arange(0, D)[None, :]
    tl.store(o_ptr + at, acc / total[:, None], mask=(rows < keys)[:, None])
)";

struct Case {
  const char *type;
  ElementType element;
  int rows, columns, depth;
  bool isCausal, isAsked;
  /// Of keys, and of queries; no multiple of a tile.
  int keys;
};

DescriptorKernel getAttention(const Case &each, const std::string &stages = "@") {
  const std::string pointer = "*" + std::string(each.type) + ":16, ";
  const auto number = [](int64_t value) { return std::to_string(value) + ", "; };
  const std::vector<int64_t> shape = {each.keys, each.depth};
  return {attentionBody,
          pointer + pointer + pointer + "*fp32, i32, " + number(each.rows) + number(each.columns) +
              number(each.depth) + number(each.isCausal) + number(each.isAsked) + stages,
          {filled(each.element, shape), quarters(each.element, shape, 9),
           quarters(each.element, shape, 10), blank(ElementType::Float32, shape),
           int64_t(each.keys)},
          {uint32_t((each.keys + each.rows - 1) / each.rows), 1, 1},
          8};
}

CompiledKernel compileInStages(const Case &each, int stages, std::string *text = nullptr) {
  const DescriptorKernel kernel = getAttention(each, std::to_string(stages));
  CompileOptions options = optionsFor(kernel.target);
  options.signature = kernel.signature;
  options.numWarps = kernel.numWarps;
  noteRun();
  CompileResult result = Compiler().compile({"test.py", imports + kernel.body}, options);
  EXPECT_TRUE(result);
  if (!result)
    return {};
  if (text)
    *text = result.compilation->ttgir;
  return result.compilation->kernel;
}

constexpr Case half = {"fp16", ElementType::Float16, 128, 64, 64, false, true, 200};

class SpecializedAttention : public testing::TestWithParam<Case> {};

TEST(SpecializedAttentionStages, GiveTheSame) { checkSame(getAttention(half)); }

TEST_P(SpecializedAttention, GivesTheSame) { checkSame(getAttention(GetParam(), "3")); }

INSTANTIATE_TEST_SUITE_P(
    Cases, SpecializedAttention,
    testing::Values(Case{"fp16", ElementType::Float16, 128, 64, 64, true, true, 200},
                    Case{"bf16", ElementType::BFloat16, 128, 64, 64, true, true, 168},
                    Case{"fp16", ElementType::Float16, 128, 128, 64, true, true, 296},
                    Case{"fp16", ElementType::Float16, 128, 64, 128, false, true, 272},
                    Case{"fp16", ElementType::Float16, 128, 128, 128, false, false, 272},
                    Case{"bf16", ElementType::BFloat16, 128, 128, 128, true, false, 296}));

/// Not asked for, a producer is for long products in blocks that are alone; where each thread wants
/// more than an equal share of registers, it gives up its own.
TEST(SpecializedAttentionChoice, FollowsFromCosts) {
  std::string text;
  compileInStages({"fp16", ElementType::Float16, 128, 64, 128, false, false, 200}, 3, &text);
  EXPECT_THAT(text, Not(HasSubstr("partition0")));
  const CompiledKernel large =
      compileInStages({"fp16", ElementType::Float16, 128, 128, 128, false, false, 200}, 3, &text);
  EXPECT_THAT(text, HasSubstr("partition0"));
  EXPECT_THAT(text, HasSubstr("ttng.set_registers 240 {isMore}"));
  EXPECT_THAT(text, HasSubstr("ttng.set_registers 24"));
  EXPECT_EQ(large.metadata.numWarps, 12);
}

/// Faults that the passes must not make, made in what they leave.
class AttentionFaults : public testing::Test {
protected:
  void SetUp() override { compileInStages(half, 3, &text); }

  /// What the simulator says of `damaged`, late and early.
  std::array<std::string, 2> faultOf(const std::string &damaged) {
    EXPECT_NE(damaged, text) << text;
    const CompiledKernel compiled = compileGoodText(damaged);
    const DescriptorKernel kernel = getAttention(half, "3");
    return faultsOf([&](AsyncCompletion completion) -> Expected<void> {
      std::vector<ArgumentValue> arguments = kernel.arguments;
      return runWith(completion, compiled, arguments, kernel.grid);
    });
  }

  /// The text without its line number `number`, from 0, of those that have `part`.
  std::string withoutLine(const std::string &part, size_t number = 0) const {
    size_t at = text.find(part);
    for (; number && at != std::string::npos; --number)
      at = text.find(part, at + 1);
    EXPECT_NE(at, std::string::npos) << part << " in\n" << text;
    if (at == std::string::npos)
      return text;
    return text.substr(0, text.rfind('\n', at)) + text.substr(text.find('\n', at));
  }

  std::string text;
};

TEST_F(AttentionFaults, KIsNeverReleased) {
  for (const std::string &error : faultOf(withoutLine("ttng.arrive_barrier", 0)))
    EXPECT_THAT(error, HasSubstr("wait"));
}

TEST_F(AttentionFaults, OneWarpReleasesForAll) {
  // Others may still read, and an arrival for each warp is expected.
  for (const std::string &error : faultOf(replaceAll(text, " {perWarp}", "")))
    EXPECT_THAT(error, Not(HasSubstr("no error")));
}

TEST_F(AttentionFaults, TheRingWaitsForAWarpThatThereIsNot) {
  for (const std::string &error :
       faultOf(replaceAll(text, ", 8 : !ttg.memdesc", ", 9 : !ttg.memdesc")))
    EXPECT_THAT(error, HasSubstr("wait"));
}

TEST_F(AttentionFaults, KIsReleasedBeforeItsProduct) {
  // The release without a condition is that of K: it and the view of its barrier move up.
  const size_t arrive = text.find(", 1 {perWarp}");
  ASSERT_NE(arrive, std::string::npos) << text;
  const size_t line = text.rfind('\n', arrive), begin = text.rfind('\n', line - 1);
  const size_t end = text.find('\n', arrive);
  const size_t product = text.rfind('\n', text.rfind("ttng.warp_group_dot %", begin));
  ASSERT_LT(product, begin) << text;
  for (const std::string &error :
       faultOf(text.substr(0, product) + text.substr(begin, end - begin) +
               text.substr(product, begin - product) + text.substr(end)))
    EXPECT_THAT(error, Not(HasSubstr("no error")));
}

} // namespace
