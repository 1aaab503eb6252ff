//===- LoopDescriptorTest.cpp - Descriptors that loops make -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Descriptors of what loops count and what memory holds: their tensor maps are written again and
// again. Each kernel gives the same bits as with pointers; faults in what the passes leave are
// found.
//
//===--------------------------------------------------------------------------===//

#include "DescriptorKernel.h"

#include <gmock/gmock.h>

#include <sstream>

using namespace tilewright;
using namespace tilewright::test;
using simulate::AsyncCompletion;
using ::testing::HasSubstr;

namespace {

class LoopDescriptors : public testing::TestWithParam<int> {};

/// A map for each load of a loop whose iterations overlap.
TEST_P(LoopDescriptors, LoadsOfThePipelinedLoop) {
  checkSame({R"(
@triton.jit
def kernel(in_ptr, other_ptr, out_ptr, n, STAGES: tl.constexpr):
    total = tl.zeros((16, 64), dtype=tl.float32)
    for g in tl.range(0, n, num_stages=STAGES):
        source = tl.make_tensor_descriptor(in_ptr + g * 1024, [16 - g, 64 - g], [64, 1], [16, 64])
        other = tl.make_tensor_descriptor(other_ptr, [16, 16 + 4 * g], [64, 1], [16, 64])
        total = total * 0.5 + source.load([0, 0]) * other.load([0, 0])
    rows = tl.arange(0, 16)
    tl.store(out_ptr + rows[:, None] * 64 + tl.arange(0, 64)[None, :], total)
)",
             "*fp32:16, *fp32:16, *fp32, i32, @",
             {filled(ElementType::Float32, {96, 64}), quarters(ElementType::Float32, {16, 64}, 9),
              blank(ElementType::Float32, {16, 64}), int64_t(GetParam())}});
}

/// Maps of the outer loop, by which the inner loop's iterations overlap; the blocks are stored by
/// one of them.
TEST_P(LoopDescriptors, ProductsOfTheInnerLoop) {
  checkSame({R"(
@triton.jit
def kernel(a_ptr, b_ptr, c_ptr, n, k, STAGES: tl.constexpr):
    for g in range(n):
        a_desc = tl.make_tensor_descriptor(a_ptr + g * 8, [64 - g, k], [160, 1], [64, 64])
        b_desc = tl.make_tensor_descriptor(b_ptr + g * 320, [32, k], [160, 1], [32, 64])
        c_desc = tl.make_tensor_descriptor(c_ptr + g * 2048, [64, 24], [32, 1], [64, 32])
        acc = tl.zeros((64, 32), dtype=tl.float32)
        for l in tl.range(0, tl.cdiv(k, 64), num_stages=STAGES):
            acc = tl.dot(a_desc.load([0, l * 64]), b_desc.load([0, l * 64]).T, acc)
        c_desc.store([g, 0], acc)
)",
             "*fp16:16, *fp16:16, *fp32:16, i32, i32, @",
             {filled(ElementType::Float16, {70, 160}), quarters(ElementType::Float16, {70, 160}, 9),
              blank(ElementType::Float32, {64 * 6, 32}), int64_t(GetParam()), int64_t(130)}});
}

/// In a branch, in a loop that does not count, chosen from two, and sums into what is there.
TEST_P(LoopDescriptors, ControlFlow) {
  checkSame({R"(
@triton.jit
def kernel(in_ptr, other_ptr, out_ptr, n):
    fixed = tl.make_tensor_descriptor(other_ptr, [64], [1], [32])
    i = 0
    while i < n:
        if i % 2 == 0:
            chosen = tl.make_tensor_descriptor(in_ptr + i * 32, [32 - i], [1], [32])
        else:
            chosen = fixed
        x = chosen.load([0])
        if i != 1:
            target = tl.make_tensor_descriptor(out_ptr + i * 32, [32], [1], [32])
            target.store([0], x + 1)
            total = tl.make_tensor_descriptor(out_ptr, [224], [1], [32])
            total.atomic_add([192], x)
        i += 1
)",
             "*fp32:16, *fp32:16, *fp32:16, i32",
             {filled(ElementType::Float32, {6 * 32}), quarters(ElementType::Float32, {64}, 9),
              quarters(ElementType::Float32, {224}, 3), int64_t(GetParam())}});
}

/// Rows that several threads scatter and gather.
TEST_P(LoopDescriptors, Rows) {
  checkSame({R"(
@triton.jit
def kernel(in_ptr, out_ptr, n, STAGES: tl.constexpr):
    rows = tl.arange(0, 16)
    for g in tl.range(0, n, num_stages=STAGES):
        source = tl.make_tensor_descriptor(in_ptr + g * 64, [17 - g, 64], [64, 1], [1, 64])
        target = tl.make_tensor_descriptor(out_ptr + g * 1024, [16 - g, 64], [64, 1], [1, 64])
        target.scatter(source.gather(rows, 0) + 1, 15 - rows, 0)
)",
             "*fp32:16, *fp32:16, i32, @",
             {filled(ElementType::Float32, {22, 64}), blank(ElementType::Float32, {96, 64}),
              int64_t(GetParam())}});
}

INSTANTIATE_TEST_SUITE_P(Trips, LoopDescriptors, testing::Values(1, 2, 3, 6));

/// A warp of its own for the copies has no memory for the maps: the loop stays one.
TEST(LoopDescriptorGroups, SpecializedLoop) {
  checkSame({R"(
@triton.jit
def kernel(a_ptr, b_ptr, c_ptr, k, STAGES: tl.constexpr):
    acc = tl.zeros((64, 32), dtype=tl.float32)
    for l in tl.range(0, tl.cdiv(k, 64), num_stages=STAGES, warp_specialize=True):
        a_desc = tl.make_tensor_descriptor(a_ptr + l * 64, [64, k - l * 64], [320, 1], [64, 64])
        b_desc = tl.make_tensor_descriptor(b_ptr + l * 64, [32, k - l * 64], [320, 1], [32, 64])
        acc = tl.dot(a_desc.load([0, 0]), b_desc.load([0, 0]).T, acc)
    rows = tl.arange(0, 64)
    tl.store(c_ptr + rows[:, None] * 32 + tl.arange(0, 32)[None, :], acc)
)",
             "*fp16:16, *fp16:16, *fp32, i32, @",
             {filled(ElementType::Float16, {64, 320}), quarters(ElementType::Float16, {32, 320}, 9),
              blank(ElementType::Float32, {64, 32}), int64_t(310)}});
}

/// It copies by the maps that the block's warps make before.
TEST(LoopDescriptorGroups, SpecializedInnerLoop) {
  checkSame({R"(
@triton.jit
def kernel(a_ptr, b_ptr, c_ptr, n, k, STAGES: tl.constexpr):
    for g in range(n):
        a_desc = tl.make_tensor_descriptor(a_ptr + g * 8, [64, k - g], [320, 1], [64, 64])
        b_desc = tl.make_tensor_descriptor(b_ptr + g * 320, [32, k], [320, 1], [32, 64])
        c_desc = tl.make_tensor_descriptor(c_ptr + g * 2048, [64, 32 - 4 * g], [32, 1], [64, 32])
        acc = tl.zeros((64, 32), dtype=tl.float32)
        for l in tl.range(0, tl.cdiv(k, 64), num_stages=STAGES, warp_specialize=True):
            acc = tl.dot(a_desc.load([0, l * 64]), b_desc.load([0, l * 64]).T, acc)
        c_desc.store([0, 0], acc)
)",
             "*fp16:16, *fp16:16, *fp32:16, i32, i32, @",
             {filled(ElementType::Float16, {65, 320}), quarters(ElementType::Float16, {36, 320}, 9),
              blank(ElementType::Float32, {3 * 64, 32}), int64_t(3), int64_t(290)}});
}

//===----------------------------------------------------------------------------===//
// Descriptors of what memory holds
//===----------------------------------------------------------------------------===//

/// Triton's tutorial 08, and before it the arrays of pointers that its host code makes. `problems`:
/// M, N, K, and where A, B and C begin in elements. Leading dimensions are multiples of 8.
const char *const groupedProducts = R"(
@triton.jit
def kernel(a_ptr, b_ptr, c_ptr, problems, pointers, group_size, NUM_SM: tl.constexpr,
           BLOCK_SIZE_M: tl.constexpr, BLOCK_SIZE_N: tl.constexpr, BLOCK_SIZE_K: tl.constexpr,
           STAGES: tl.constexpr):
    for g in range(group_size):
        tl.store(pointers + 3 * g, (a_ptr + tl.load(problems + g * 9 + 6)).to(tl.int64))
        tl.store(pointers + 3 * g + 1, (b_ptr + tl.load(problems + g * 9 + 7)).to(tl.int64))
        tl.store(pointers + 3 * g + 2, (c_ptr + tl.load(problems + g * 9 + 8)).to(tl.int64))
    tl.debug_barrier()
    tile_idx = tl.program_id(0)
    last_problem_end = 0
    for g in range(group_size):
        gm = tl.load(problems + g * 9)
        gn = tl.load(problems + g * 9 + 1)
        gk = tl.load(problems + g * 9 + 2)
        num_m_tiles = tl.cdiv(gm, BLOCK_SIZE_M)
        num_n_tiles = tl.cdiv(gn, BLOCK_SIZE_N)
        num_tiles = num_m_tiles * num_n_tiles
        if tile_idx >= last_problem_end and tile_idx < last_problem_end + num_tiles:
            lda = tl.load(problems + g * 9 + 3)
            ldb = tl.load(problems + g * 9 + 4)
            ldc = tl.load(problems + g * 9 + 5)
            a_base = tl.load(pointers + 3 * g).to(tl.pointer_type(tl.float16))
            b_base = tl.load(pointers + 3 * g + 1).to(tl.pointer_type(tl.float16))
            c_base = tl.load(pointers + 3 * g + 2).to(tl.pointer_type(tl.float16))
            a_desc = tl.make_tensor_descriptor(a_base, shape=[gm, gk], strides=[lda, 1],
                                               block_shape=[BLOCK_SIZE_M, BLOCK_SIZE_K])
            b_desc = tl.make_tensor_descriptor(b_base, shape=[gn, gk], strides=[ldb, 1],
                                               block_shape=[BLOCK_SIZE_N, BLOCK_SIZE_K])
            c_desc = tl.make_tensor_descriptor(c_base, shape=[gm, gn], strides=[ldc, 1],
                                               block_shape=[BLOCK_SIZE_M, BLOCK_SIZE_N])
            while tile_idx >= last_problem_end and tile_idx < last_problem_end + num_tiles:
                k = gk
                tile_idx_in_gemm = tile_idx - last_problem_end
                tile_m_idx = tile_idx_in_gemm // num_n_tiles
                tile_n_idx = tile_idx_in_gemm % num_n_tiles
                offs_am = tile_m_idx * BLOCK_SIZE_M
                offs_bn = tile_n_idx * BLOCK_SIZE_N
                accumulator = tl.zeros((BLOCK_SIZE_M, BLOCK_SIZE_N), dtype=tl.float32)
                for kk in tl.range(0, tl.cdiv(k, BLOCK_SIZE_K), num_stages=STAGES):
                    a = a_desc.load([offs_am, kk * BLOCK_SIZE_K])
                    b = b_desc.load([offs_bn, kk * BLOCK_SIZE_K])
                    accumulator += tl.dot(a, b.T)
                c_desc.store([offs_am, offs_bn], accumulator.to(tl.float16))
                tile_idx += NUM_SM
            last_problem_end = last_problem_end + num_tiles
)";

/// A group of five, with tiles across the edges. The fourth C has rows that no map can store.
std::vector<ArgumentValue> groupOfFive() {
  return {filled(ElementType::Float16, {200 * 160}),
          quarters(ElementType::Float16, {110 * 160}, 9),
          blank(ElementType::Float16, {300 * 104}),
          toArray(std::vector<int32_t>{// M,  N,   K, lda, ldb, ldc,     a,    b,     c
                                       100, 64,  136, 160, 160, 104, 0,    0,    0,     //
                                       64,  32,  64,  64,  72,  32,  1600, 320,  10400, //
                                       1,   8,   8,   8,   8,   8,   8,    16,   12480, //
                                       70,  37,  72,  80,  80,  40,  8000, 2400, 12800, //
                                       33,  104, 65,  72,  160, 104, 4000, 0,    15680}),
          toArray(std::vector<int64_t>(15)),
          int64_t(5)};
}

CompiledKernel compileGroups(const std::string &target, int stages, std::string *ttgir = nullptr) {
  CompileOptions options = optionsFor(target);
  options.signature = "*fp16:16, *fp16:16, *fp16:16, *i32:16, *i64:16, i32, 3, 64, 32, 64, " +
                      std::to_string(stages);
  noteRun();
  CompileResult result =
      Compiler().compile({"test.py", imports + std::string(groupedProducts)}, options);
  for (const Diagnostic &diagnostic : result.diagnostics)
    ADD_FAILURE() << render(diagnostic);
  if (!result)
    return {};
  if (ttgir)
    *ttgir = result.compilation->ttgir;
  return result.compilation->kernel;
}

std::vector<std::byte> productsOf(const CompiledKernel &compiled, AsyncCompletion completion) {
  std::vector<ArgumentValue> arguments = groupOfFive();
  if (auto done = runWith(completion, compiled, arguments, {3}); !done)
    ADD_FAILURE() << render(done.error());
  return std::get<HostArray>(arguments[2]).bytes;
}

/// By cuda:80, which has no maps.
TEST(GroupedProducts, GiveTheSameAsWithPointers) {
  const std::vector<std::byte> expected =
      productsOf(compileGroups("cuda:80", 1), AsyncCompletion::Late);
  EXPECT_NE(expected, std::get<HostArray>(groupOfFive()[2]).bytes);
  for (int stages : {1, 2, 3, 4}) {
    std::string ttgir;
    const CompiledKernel compiled = compileGroups("cuda:90", stages, &ttgir);
    EXPECT_THAT(ttgir, HasSubstr("ttng.async_tma_copy_global_to_local"));
    EXPECT_THAT(ttgir, HasSubstr("ttng.async_tma_copy_local_to_global"));
    for (AsyncCompletion completion : allCompletions)
      EXPECT_EQ(productsOf(compiled, completion), expected) << stages << " stages";
  }
}

/// Each iteration of the pipelined loop loads the address of its own tensor.
TEST(LoadedDescriptors, LoadsOfThePipelinedLoop) {
  const std::string body = R"(
@triton.jit
def kernel(in_ptr, out_ptr, pointers, n, STAGES: tl.constexpr):
    for g in range(n):
        tl.store(pointers + g, (in_ptr + (g * 5 % 7) * 512).to(tl.int64))
    tl.debug_barrier()
    total = tl.zeros((16, 64), dtype=tl.float32)
    for g in tl.range(0, n, num_stages=STAGES):
        base = tl.load(pointers + g).to(tl.pointer_type(tl.float32))
        source = tl.make_tensor_descriptor(base, [16, 60], [64, 1], [16, 64])
        total = total * 0.5 + source.load([g - 2, 4])
    target = tl.make_tensor_descriptor(out_ptr, [16, 64], [64, 1], [16, 64])
    target.store([0, 0], total)
)";
  auto resultOf = [&](const std::string &target, int stages, AsyncCompletion completion) {
    CompileOptions options = optionsFor(target);
    options.signature = "*fp32:16, *fp32:16, *i64:16, i32, " + std::to_string(stages);
    noteRun();
    CompileResult result = Compiler().compile({"test.py", imports + body}, options);
    EXPECT_TRUE(bool(result));
    if (!result)
      return std::vector<std::byte>();
    std::vector<ArgumentValue> arguments = {filled(ElementType::Float32, {72, 64}),
                                            blank(ElementType::Float32, {16, 64}),
                                            toArray(std::vector<int64_t>(7)), int64_t(7)};
    if (auto done = runWith(completion, result.compilation->kernel, arguments); !done)
      ADD_FAILURE() << render(done.error());
    return std::get<HostArray>(arguments[1]).bytes;
  };
  const std::vector<std::byte> expected = resultOf("cuda:80", 1, AsyncCompletion::Late);
  for (int stages : {1, 2, 3, 5})
    for (AsyncCompletion completion : allCompletions)
      EXPECT_EQ(resultOf("cuda:90", stages, completion), expected) << stages << " stages";
}

/// An address and a stride that memory holds, and tl.make_tensor_descriptor does not take.
TEST(GroupedProducts, StopWhereThereIsNoMap) {
  const CompiledKernel compiled = compileGroups("cuda:90", 3);
  auto faultWith = [&](int place, int32_t value) {
    std::vector<ArgumentValue> arguments = groupOfFive();
    auto &problems = std::get<HostArray>(arguments[3]);
    reinterpret_cast<int32_t *>(problems.bytes.data())[place] = value;
    auto done = runWith(AsyncCompletion::Late, compiled, arguments, {3});
    return done ? std::string("no error") : render(done.error());
  };
  for (const auto &[place, value] : {std::pair(6, 4), {5, 100}})
    EXPECT_THAT(faultWith(place, value),
                HasSubstr("the address or a stride of a tensor descriptor is no multiple of 16"));
}

//===----------------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------------===//

/// A kernel, in whose TTGIR faults are made.
class Damaged {
public:
  explicit Damaged(DescriptorKernel given) : kernel(std::move(given)) {
    CompileOptions options = optionsFor("cuda:90");
    options.signature = kernel.signature;
    noteRun();
    CompileResult result = Compiler().compile({"test.py", imports + kernel.body}, options);
    EXPECT_TRUE(bool(result));
    if (result)
      text = result.compilation->ttgir;
  }

  /// The errors with `to` in place of each line that has `part`.
  std::array<std::string, 2> faultsWith(const std::string &part, const std::string &to) const {
    std::string damaged;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      damaged += (line.find(part) == std::string::npos ? line : to) + "\n";
    return run(damaged);
  }

  /// The errors with `to` in place of each `from`.
  std::array<std::string, 2> faultsOfReplacing(const std::string &from,
                                               const std::string &to) const {
    return run(replaceAll(text, from, to));
  }

private:
  std::array<std::string, 2> run(const std::string &damaged) const {
    EXPECT_NE(damaged, text) << text;
    const CompiledKernel compiled = compileGoodText(damaged);
    return faultsOf([&](AsyncCompletion completion) -> Expected<void> {
      std::vector<ArgumentValue> arguments = kernel.arguments;
      return runWith(completion, compiled, arguments, {});
    });
  }

  DescriptorKernel kernel;
  std::string text;
};

DescriptorKernel loadingKernel() {
  return {
      R"(
@triton.jit
def kernel(in_ptr, out_ptr, n, STAGES: tl.constexpr):
    total = tl.zeros((16, 64), dtype=tl.float32)
    for g in tl.range(0, n, num_stages=STAGES):
        source = tl.make_tensor_descriptor(in_ptr + g * 1024, [16 - g, 64], [64, 1], [16, 64])
        total = total * 0.5 + source.load([0, 0])
    rows = tl.arange(0, 16)
    tl.store(out_ptr + rows[:, None] * 64 + tl.arange(0, 64)[None, :], total)
)",
      "*fp32:16, *fp32, i32, 3",
      {filled(ElementType::Float32, {96, 64}), blank(ElementType::Float32, {16, 64}), int64_t(6)}};
}

TEST(LoopDescriptorFaults, MapsBeforeTheirFence) {
  for (const std::string &error :
       Damaged(loadingKernel()).faultsWith("ttng.tensormap_fenceproxy_acquire", ""))
    EXPECT_THAT(error, HasSubstr("a copy uses a tensor map that was written, with no fence after "
                                 "that by which the accelerator sees it"));
}

/// All maps in one slot.
TEST(LoopDescriptorFaults, SlotsInUse) {
  const Damaged damaged(loadingKernel());
  for (const std::string &error : damaged.faultsOfReplacing(", %c128_i32", ", %c0_i32"))
    EXPECT_THAT(error, HasSubstr("a tensor map is written while a copy by it may be under way"));
}

TEST(LoopDescriptorFaults, SlotsOfStores) {
  const Damaged damaged({R"(
@triton.jit
def kernel(out_ptr, n):
    for g in range(n):
        target = tl.make_tensor_descriptor(out_ptr + g * 1024, [16, 64], [64, 1], [16, 64])
        target.store([0, 0], tl.full((16, 64), 1.0, tl.float32) * g)
)",
                         "*fp32:16, i32",
                         {blank(ElementType::Float32, {96, 64}), int64_t(6)}});
  for (const std::string &error :
       damaged.faultsWith("ttng.async_tma_store_wait {pendings = 0 : i32, read_only}", ""))
    EXPECT_THAT(error, HasSubstr("a tensor map is written while a copy by it may be under way"));
}

/// A descriptor that the next iteration uses goes by pointers.
TEST(LoopDescriptorFaults, UsesOfTheNextIteration) {
  CompileOptions options = optionsFor("cuda:90");
  options.signature = "*fp32:16, *fp32, i32";
  noteRun();
  CompileResult result = Compiler().compile({"test.py", imports + std::string(R"(
@triton.jit
def kernel(in_ptr, out_ptr, n):
    last = tl.make_tensor_descriptor(in_ptr, [32], [1], [32])
    for g in range(n):
        next = tl.make_tensor_descriptor(in_ptr + g * 32, [32], [1], [32])
        tl.store(out_ptr + g * 32 + tl.arange(0, 32), last.load([0]) + next.load([0]))
        last = next
)")},
                                            options);
  ASSERT_TRUE(result);
  EXPECT_THAT(result.compilation->ttgir, ::testing::Not(HasSubstr("ttng.async_tma")));
  std::string remarks;
  for (const Diagnostic &diagnostic : result.compilation->remarks)
    remarks += render(diagnostic);
  EXPECT_THAT(remarks, HasSubstr("it is used in a later iteration of the loop than the one that "
                                 "makes it"));
}

} // namespace
