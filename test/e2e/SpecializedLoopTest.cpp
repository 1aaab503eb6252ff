//===- SpecializedLoopTest.cpp - Loops whose loads have warps of their own ----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Loops with `warp_specialize=True`, of 1 to 5 stages and of fewer and more iterations than there
// are buffers, give what they give as one loop; and faults in what passes between the groups, which
// the simulator finds.
//
//===--------------------------------------------------------------------------===//

#include "DescriptorKernel.h"

#include <gmock/gmock.h>

using namespace tilewright;
using namespace tilewright::test;
using simulate::AsyncCompletion;
using ::testing::HasSubstr;

namespace {

const std::string productBody = R"(
@triton.jit
def kernel(a_ptr, b_ptr, c_ptr, k, STAGES: tl.constexpr):
    a_desc = tl.make_tensor_descriptor(a_ptr, [128, k], [448, 1], [64, 64])
    b_desc = tl.make_tensor_descriptor(b_ptr, [k, 64], [64, 1], [64, 64])
    i = tl.program_id(0) * 64
    acc = tl.zeros((64, 64), dtype=tl.float32)
    for l in tl.range(0, tl.cdiv(k, 64), num_stages=STAGES, warp_specialize=True):
        acc = tl.dot(a_desc.load([i, l * 64]), b_desc.load([l * 64, 0]), acc)
    rows = i + tl.arange(0, 64)
    tl.store(c_ptr + rows[:, None] * 64 + tl.arange(0, 64)[None, :], acc)
)";

DescriptorKernel getProduct(int trips, int warps) {
  return {productBody,
          "*fp16:16, *fp16:16, *fp32, i32, @",
          {filled(ElementType::Float16, {128, 448}), quarters(ElementType::Float16, {448, 64}, 9),
           blank(ElementType::Float32, {128, 64}), int64_t(64 * trips - 5)},
          {2, 1, 1},
          warps};
}

CompileResult compile(const DescriptorKernel &kernel, int stages) {
  CompileOptions options = optionsFor(kernel.target);
  options.signature = replaceAll(kernel.signature, "@", std::to_string(stages));
  options.numWarps = kernel.numWarps;
  noteRun();
  return Compiler().compile({"test.py", imports + kernel.body}, options);
}

class SpecializedLoops : public testing::TestWithParam<int> {};

TEST_P(SpecializedLoops, Products) {
  for (int warps : GetParam() == 7 ? std::vector{4, 8} : std::vector{4})
    checkSame(getProduct(GetParam(), warps));
}

/// The block's place moves on from one iteration to the next, and starts where numbers say.
TEST_P(SpecializedLoops, CarriedPlaces) {
  checkSame({R"(
@triton.jit
def kernel(in_ptr, out_ptr, m, start, STAGES: tl.constexpr):
    source = tl.make_tensor_descriptor(in_ptr, [m, 64], [64, 1], [16, 64])
    total = tl.zeros((16, 64), dtype=tl.float32)
    at = start * 2
    for i in tl.range(0, tl.cdiv(m, 16), num_stages=STAGES, warp_specialize=True):
        total = total * 0.5 + source.load([at, 0])
        at += 16
    rows = tl.arange(0, 16)
    tl.store(out_ptr + rows[:, None] * 64 + tl.arange(0, 64)[None, :], total + at)
)",
             "*fp32:16, *fp32, i32, i32, @",
             {filled(ElementType::Float32, {112, 64}), blank(ElementType::Float32, {16, 64}),
              int64_t(16 * GetParam() - 5), int64_t(3)}});
}

/// Two products in an iteration, each of blocks of its own; all in a loop, so that barriers are
/// made anew.
TEST_P(SpecializedLoops, TwoProductsInALoop) {
  checkSame({R"(
@triton.jit
def kernel(q_ptr, k_ptr, v_ptr, out_ptr, n, STAGES: tl.constexpr):
    q_desc = tl.make_tensor_descriptor(q_ptr, [128, 64], [64, 1], [64, 64])
    k_desc = tl.make_tensor_descriptor(k_ptr, [n, 64], [64, 1], [32, 64])
    v_desc = tl.make_tensor_descriptor(v_ptr, [n, 64], [64, 1], [32, 64])
    rows = tl.arange(0, 64)
    for block in range(2):
        q = q_desc.load([block * 64, 0])
        total = tl.zeros((64, 64), dtype=tl.float32)
        for i in tl.range(0, tl.cdiv(n, 32), num_stages=STAGES, warp_specialize=True):
            p = tl.dot(q, k_desc.load([i * 32, 0]).T)
            total = tl.dot((p * 0.125).to(tl.float16), v_desc.load([i * 32, 0]), total)
        tl.store(out_ptr + (block * 64 + rows)[:, None] * 64 + rows[None, :], total)
)",
             "*fp16:16, *fp16:16, *fp16:16, *fp32, i32, @",
             {filled(ElementType::Float16, {128, 64}), quarters(ElementType::Float16, {224, 64}, 9),
              quarters(ElementType::Float16, {224, 64}, 10), blank(ElementType::Float32, {128, 64}),
              int64_t(32 * GetParam() - 5)}});
}

INSTANTIATE_TEST_SUITE_P(Trips, SpecializedLoops, testing::Values(1, 3, 7));

TEST(SpecializedLoop, HasAProducerWithAWarp) {
  CompileResult result = compile(getProduct(7, 4), 3);
  ASSERT_TRUE(result);
  EXPECT_THAT(result.compilation->ttgir, HasSubstr("partition0"));
  EXPECT_THAT(result.compilation->ttgir, HasSubstr("ttng.arrive_barrier"));
  EXPECT_EQ(result.compilation->kernel.metadata.numWarps, 5);
  // One stage: nothing is early that a producer could do.
  CompileResult plain = compile(getProduct(7, 4), 1);
  ASSERT_TRUE(plain);
  EXPECT_THAT(plain.compilation->ttgir, ::testing::Not(HasSubstr("partition0")));
}

/// A place that a load brings is not the producer's to compute: the loop stays one.
TEST(SpecializedLoop, StaysOneWherePlacesAreLoaded) {
  DescriptorKernel kernel = {R"(
@triton.jit
def kernel(in_ptr, at_ptr, out_ptr, m, STAGES: tl.constexpr):
    source = tl.make_tensor_descriptor(in_ptr, [112, 64], [64, 1], [16, 64])
    total = tl.zeros((16, 64), dtype=tl.float32)
    for i in tl.range(0, m, num_stages=STAGES, warp_specialize=True):
        total = total * 0.5 + source.load([tl.load(at_ptr + i), 0])
    rows = tl.arange(0, 16)
    tl.store(out_ptr + rows[:, None] * 64 + tl.arange(0, 64)[None, :], total)
)",
                             "*fp32:16, *i32, *fp32, i32, @",
                             {filled(ElementType::Float32, {112, 64}),
                              toArray(std::vector<int32_t>{5, 0, 80, 16, 33}),
                              blank(ElementType::Float32, {16, 64}), int64_t(5)}};
  checkSame(kernel);
  CompileResult result = compile(kernel, 3);
  ASSERT_TRUE(result);
  EXPECT_THAT(result.compilation->ttgir, ::testing::Not(HasSubstr("partition0")));
}

/// Faults that the passes must not make, made in what they leave.
TEST(SpecializedLoop, FaultsAreFound) {
  const DescriptorKernel kernel = getProduct(7, 4);
  CompileResult result = compile(kernel, 3);
  ASSERT_TRUE(result);
  const std::string text = result.compilation->ttgir;
  auto faultOf = [&](const std::string &damaged) {
    EXPECT_NE(damaged, text) << text;
    const CompiledKernel compiled = compileGoodText(damaged);
    return faultsOf([&](AsyncCompletion completion) -> Expected<void> {
      std::vector<ArgumentValue> arguments = kernel.arguments;
      return runWith(completion, compiled, arguments, kernel.grid);
    });
  };
  auto withoutLine = [&](const std::string &part) {
    const size_t at = text.find(part);
    EXPECT_NE(at, std::string::npos) << text;
    const size_t begin = text.rfind('\n', at), end = text.find('\n', at);
    return text.substr(0, begin) + text.substr(end);
  };
  // No buffer is ever free again: the producer waits, and after it the consumer.
  for (const std::string &error : faultOf(withoutLine("ttng.arrive_barrier")))
    EXPECT_THAT(error, HasSubstr("wait"));
  // Nothing says that bytes are expected: the first barrier is never over.
  for (const std::string &error : faultOf(withoutLine("ttng.barrier_expect")))
    EXPECT_THAT(error, ::testing::Not(HasSubstr("no error")));
  // A buffer is released while its product is under way.
  const std::string early = replaceAll(text, "{pendings = 1 : i32}", "{pendings = 2 : i32}");
  for (const std::string &error : faultOf(early))
    EXPECT_THAT(error, HasSubstr("is still read by an outstanding asynchronous operation"));
  // The producer does not wait for a free buffer.
  const size_t partition = text.find("partition0");
  const size_t wait = text.find("ttng.wait_barrier", partition);
  ASSERT_NE(wait, std::string::npos) << text;
  const std::string unguarded =
      text.substr(0, text.rfind('\n', wait)) + text.substr(text.find('\n', wait));
  for (const std::string &error : faultOf(unguarded))
    EXPECT_THAT(error, ::testing::Not(HasSubstr("no error")));
}

} // namespace
