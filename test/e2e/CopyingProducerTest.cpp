//===- CopyingProducerTest.cpp - Loops whose copies four warps make -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Loops with loads through pointers: with warps that copy for the others, whether the source asks
// for them or the block is alone on a multiprocessor, they give what they give with loads. And
// faults in how the groups hand tiles to each other, which the simulator finds.
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

/// PLACES says how tiles are found: 0 by numbers of rows, without masks; 1 by pointers that move
/// on, a stride that is an argument, and masks; 2 by pointers to blocks.
const std::string attentionBody = R"(
@triton.jit
def kernel(q_ptr, k_ptr, v_ptr, o_ptr, keys, stride, BM: tl.constexpr, BN: tl.constexpr,
           D: tl.constexpr, CAUSAL: tl.constexpr, PLACES: tl.constexpr, ASKED: tl.constexpr,
           STAGES: tl.constexpr):
    first = tl.program_id(0) * BM
    rows = first + tl.arange(0, BM)
    columns = tl.arange(0, BN)
    inner = tl.arange(0, D)
    q = tl.load(q_ptr + rows[:, None] * stride + inner[None, :])
    if PLACES == 2:
        k_at = tl.make_block_ptr(k_ptr, (D, keys), (1, stride), (0, 0), (D, BN), (0, 1))
        v_at = tl.make_block_ptr(v_ptr, (keys, D), (stride, 1), (0, 0), (BN, D), (1, 0))
    else:
        k_at = k_ptr + columns[None, :] * stride + inner[:, None]
        v_at = v_ptr + columns[:, None] * stride + inner[None, :]
    top = tl.full([BM], -float("inf"), tl.float32)
    total = tl.zeros([BM], tl.float32)
    acc = tl.zeros([BM, D], tl.float32)
    end = keys
    if CAUSAL:
        end = tl.minimum(first + BM, keys)
    for start in tl.range(0, end, BN, num_stages=STAGES, warp_specialize=ASKED):
        if PLACES == 1:
            k = tl.load(k_at, mask=(start + columns < keys)[None, :], other=0.0)
        elif PLACES == 2:
            k = tl.load(k_at, boundary_check=(1,), padding_option="zero")
        else:
            k = tl.load(k_ptr + (start + columns)[None, :] * D + inner[:, None])
        s = tl.dot(q, k) * 0.25
        seen = (start + columns < keys)[None, :]
        if CAUSAL:
            seen = seen & (rows[:, None] >= start + columns[None, :])
        s = tl.where(seen, s, -1.0e6)
        new = tl.maximum(top, tl.max(s, 1))
        p = tl.exp2(s - new[:, None])
        factor = tl.exp2(top - new)
        total = total * factor + tl.sum(p, 1)
        acc = acc * factor[:, None]
        if PLACES == 1:
            v = tl.load(v_at, mask=(start + columns < keys)[:, None], other=0.0)
        elif PLACES == 2:
            v = tl.load(v_at, boundary_check=(0,), padding_option="zero")
        else:
            v = tl.load(v_ptr + (start + columns)[:, None] * D + inner[None, :])
        acc = tl.dot(p.to(q_ptr.dtype.element_ty), v, acc)
        top = new
        if PLACES == 2:
            k_at = tl.advance(k_at, (0, BN))
            v_at = tl.advance(v_at, (BN, 0))
        else:
            k_at += BN * stride
            v_at += BN * stride
    at = rows[:, None] * D + inner[None, :]
    tl.store(o_ptr + at, acc / total[:, None], mask=(rows < keys)[:, None])
)";

enum Places { Numbers, Masks, Blocks };

struct Case {
  const char *type;
  ElementType element;
  int rows, columns, depth;
  bool isCausal;
  Places places;
  bool isAsked;
  /// Keys, and queries. Memory has as many as whole tiles have.
  int keys;
};

DescriptorKernel getAttention(const Case &each, const std::string &stages = "@") {
  const std::string pointer = "*" + std::string(each.type) + ":16, ";
  const auto number = [](int64_t value) { return std::to_string(value) + ", "; };
  const int64_t tile = std::max(each.rows, each.columns);
  const std::vector<int64_t> shape = {(each.keys + tile - 1) / tile * tile, each.depth};
  return {attentionBody,
          pointer + pointer + pointer + "*fp32, i32, i32:16, " + number(each.rows) +
              number(each.columns) + number(each.depth) + number(each.isCausal) +
              number(each.places) + number(each.isAsked) + stages,
          {filled(each.element, shape), quarters(each.element, shape, 9),
           quarters(each.element, shape, 10), blank(ElementType::Float32, shape),
           int64_t(each.keys), int64_t(each.depth)},
          {uint32_t((each.keys + each.rows - 1) / each.rows), 1, 1},
          8};
}

CompiledKernel compileInStages(const DescriptorKernel &kernel, std::string *text = nullptr) {
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

std::vector<std::vector<std::byte>> runOf(const DescriptorKernel &kernel, int stages,
                                          AsyncCompletion completion, bool isSpecialized) {
  std::string text;
  DescriptorKernel staged = kernel;
  staged.signature = replaceAll(kernel.signature, "@", std::to_string(stages));
  const CompiledKernel compiled = compileInStages(staged, &text);
  EXPECT_EQ(text.find("ttng.async_copy_mbarrier_arrive") != std::string::npos, isSpecialized)
      << text;
  std::vector<ArgumentValue> arguments = kernel.arguments;
  if (auto done = runWith(completion, compiled, arguments, kernel.grid); !done)
    ADD_FAILURE() << render(done.error());
  std::vector<std::vector<std::byte>> arrays;
  for (const ArgumentValue &argument : arguments)
    if (auto array = std::get_if<HostArray>(&argument))
      arrays.push_back(array->bytes);
  return arrays;
}

/// Checks that a kernel gives the same bits in one stage, where nothing is copied early, and in
/// these, where others copy, however early copies are complete.
void checkSameInStages(const DescriptorKernel &kernel, std::initializer_list<int> stages) {
  const auto expected = runOf(kernel, 1, AsyncCompletion::Late, /*isSpecialized=*/false);
  for (int each : stages)
    for (AsyncCompletion completion : allCompletions) {
      SCOPED_TRACE(std::to_string(each) + " stages" +
                   (completion == AsyncCompletion::Early ? ", early" : ""));
      EXPECT_TRUE(runOf(kernel, each, completion, /*isSpecialized=*/true) == expected);
    }
}

constexpr Case half = {"fp16", ElementType::Float16, 128, 64, 64, false, Masks, true, 200};

class CopyingProducer : public testing::TestWithParam<Case> {};

TEST(CopyingProducerStages, GiveTheSame) { checkSameInStages(getAttention(half), {2, 3, 4}); }

TEST_P(CopyingProducer, GivesTheSame) { checkSameInStages(getAttention(GetParam()), {3}); }

INSTANTIATE_TEST_SUITE_P(
    Cases, CopyingProducer,
    testing::Values(Case{"fp16", ElementType::Float16, 128, 64, 64, true, Masks, true, 200},
                    Case{"bf16", ElementType::BFloat16, 128, 64, 64, true, Numbers, true, 168},
                    Case{"fp16", ElementType::Float16, 128, 128, 64, true, Blocks, true, 168},
                    Case{"fp16", ElementType::Float16, 128, 64, 128, false, Blocks, true, 200},
                    Case{"fp16", ElementType::Float16, 128, 128, 128, false, Masks, false, 200},
                    Case{"bf16", ElementType::BFloat16, 128, 128, 128, true, Numbers, false, 256}));

// A sum of one product, of four warps, that asks for it.
TEST(CopyingProducerSum, GivesTheSame) {
  const DescriptorKernel kernel = {
      R"(
@triton.jit
def kernel(a_ptr, b_ptr, c_ptr, K, sa, sb, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
           STAGES: tl.constexpr):
    rm, rn, rk = tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, BK)
    a = a_ptr + rm[:, None] * sa + rk[None, :]
    b = b_ptr + rk[:, None] * sb + rn[None, :]
    acc = tl.zeros([BM, BN], tl.float32)
    for k in tl.range(0, tl.cdiv(K, BK), num_stages=STAGES, warp_specialize=True):
        x = tl.load(a, mask=rk[None, :] < K - k * BK, other=0.0)
        y = tl.load(b, mask=rk[:, None] < K - k * BK, other=0.0)
        acc = tl.dot(x, y, acc)
        a += BK
        b += BK * sb
    tl.store(c_ptr + rm[:, None] * BN + rn[None, :], acc)
)",
      "*fp16:16, *fp16:16, *fp32, i32:16, i32:16, i32:16, 64, 64, 64, @",
      {filled(ElementType::Float16, {64, 208}), quarters(ElementType::Float16, {208, 64}, 9),
       blank(ElementType::Float32, {64, 64}), int64_t(208), int64_t(208), int64_t(64)},
      {},
      4};
  checkSameInStages(kernel, {2, 3, 4});
}

/// Not asked for, copying warps are for long iterations in blocks that are alone. They keep
/// registers for their addresses.
TEST(CopyingProducerChoice, FollowsFromCosts) {
  std::string text;
  compileInStages(
      getAttention({"fp16", ElementType::Float16, 128, 64, 128, false, Masks, false, 200}, "3"),
      &text);
  EXPECT_THAT(text, Not(HasSubstr("partition0")));
  const CompiledKernel large = compileInStages(
      getAttention({"fp16", ElementType::Float16, 128, 128, 128, false, Masks, false, 200}, "3"),
      &text);
  EXPECT_THAT(text, HasSubstr("partition0"));
  EXPECT_THAT(text, HasSubstr("ttng.set_registers 192 {isMore}"));
  EXPECT_THAT(text, HasSubstr("ttng.set_registers 120"));
  EXPECT_EQ(large.metadata.numWarps, 12);
}

/// Faults that the passes must not make, made in what they leave.
class CopyingFaults : public testing::Test {
protected:
  void SetUp() override { compileInStages(kernel, &text); }

  /// What the simulator says of `damaged`, late and early.
  std::array<std::string, 2> faultOf(const std::string &damaged) {
    EXPECT_NE(damaged, text) << text;
    const CompiledKernel compiled = compileGoodText(damaged);
    return faultsOf([&](AsyncCompletion completion) -> Expected<void> {
      std::vector<ArgumentValue> arguments = kernel.arguments;
      return runWith(completion, compiled, arguments, kernel.grid);
    });
  }

  /// The text without the first line that has `part`.
  std::string withoutLine(const std::string &part) const {
    const size_t at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part << " in\n" << text;
    if (at == std::string::npos)
      return text;
    return text.substr(0, text.rfind('\n', at)) + text.substr(text.find('\n', at));
  }

  const DescriptorKernel kernel = getAttention(half, "3");
  std::string text;
};

TEST_F(CopyingFaults, NobodySaysThatKIsThere) {
  for (const std::string &error : faultOf(withoutLine("ttng.async_copy_mbarrier_arrive")))
    EXPECT_THAT(error, HasSubstr("wait"));
}

TEST_F(CopyingFaults, ArrivalsAreCountedTwice) {
  // Without noIncrement an arrival is for itself alone: none of the 128 comes.
  for (const std::string &error : faultOf(replaceAll(text, " {noIncrement}", "")))
    EXPECT_THAT(error, HasSubstr("wait"));
}

TEST_F(CopyingFaults, OneWarpOfTheProducerIsNotWaitedFor) {
  for (const std::string &error :
       faultOf(replaceAll(text, ", 128 : !ttg.memdesc", ", 96 : !ttg.memdesc")))
    EXPECT_THAT(error, Not(HasSubstr("no error")));
}

TEST_F(CopyingFaults, OneWarpOfTheBlockIsNotWaitedFor) {
  for (const std::string &error :
       faultOf(replaceAll(text, ", 8 : !ttg.memdesc", ", 7 : !ttg.memdesc")))
    EXPECT_THAT(error, Not(HasSubstr("no error")));
}

TEST_F(CopyingFaults, AWarpIsWaitedForThatThereIsNot) {
  for (const std::string &error :
       faultOf(replaceAll(text, ", 8 : !ttg.memdesc", ", 9 : !ttg.memdesc")))
    EXPECT_THAT(error, HasSubstr("wait"));
}

TEST_F(CopyingFaults, KIsReadBeforeItIsThere) {
  // The first wait of the block's warps is that for K.
  for (const std::string &error : faultOf(withoutLine("ttng.wait_barrier")))
    EXPECT_THAT(error, Not(HasSubstr("no error")));
}

TEST_F(CopyingFaults, TheProducerWaitsForNobody) {
  const size_t at = text.find("ttng.wait_barrier", text.find("partition0"));
  ASSERT_NE(at, std::string::npos) << text;
  for (const std::string &error :
       faultOf(text.substr(0, text.rfind('\n', at)) + text.substr(text.find('\n', at))))
    EXPECT_THAT(error, Not(HasSubstr("no error")));
}

} // namespace
