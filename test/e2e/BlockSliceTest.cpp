//===- BlockSliceTest.cpp - Slices and padding by Intel's 2D block messages ---===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Tensors of three dimensions are slices, of which a message moves a rectangle; what is out of
// bounds is a number that messages do not give. Programs reach over the tensors' ends in each
// dimension. What the simulator counts says whether messages did it, or gathers, where a rule of
// messages does not hold.
//
//===--------------------------------------------------------------------------===//

#include "IRText.h"

#include <cmath>

using namespace tilewright;
using namespace tilewright::test;

namespace {

class BlockSlice : public testing::TestWithParam<const char *> {
protected:
  /// Compiles a kernel for warps of 16, runs it on the simulator, and gives how many messages of
  /// blocks there were: those that load, without VNNI or transposition among them, and those that
  /// store.
  struct Messages {
    uint64_t loads = 0, plainLoads = 0, stores = 0;
  };
  Messages run(const std::string &source, const std::string &signature,
               std::vector<ArgumentValue> &arguments, Grid grid) {
    CompileOptions options = optionsFor(GetParam());
    options.signature = signature;
    options.numWarps = 4;
    noteRun();
    CompileResult result = Compiler().compile({"test.py", imports + source}, options);
    for (const Diagnostic &diagnostic : result.diagnostics)
      ADD_FAILURE() << render(diagnostic);
    Messages messages;
    if (!result)
      return messages;
    simulate::SimulatorOptions counting;
    counting.count = true;
    const std::unique_ptr<simulate::Simulator> device = simulate::createSimulator(counting);
    auto kernel = device->load(result.compilation->kernel);
    EXPECT_TRUE(kernel) << render(kernel.error());
    auto done = runtime::run(*device, **kernel, grid, arguments);
    EXPECT_TRUE(done) << render(done.error());
    for (const auto &[name, count] : device->report().operations) {
      auto isNamed = [&](std::string_view part) { return name.find(part) != std::string::npos; };
      messages.loads += isNamed("2d_block_read") ? count : 0;
      messages.plainLoads += isNamed("2d_block_read_16b") ? count : 0;
      messages.stores += isNamed("2d_block_write") ? count : 0;
    }
    return messages;
  }
};
INSTANTIATE_TEST_SUITE_P(All, BlockSlice, testing::Values("xpu:pvc", "xpu:bmg"), nameOfTarget);

HostArray wholeNumbers(const std::vector<int64_t> &shape, unsigned seed) {
  HostArray array(ElementType::Float16, shape);
  const std::vector<float> values = randomWholeNumbers(array.size(), seed, -4, 4);
  for (size_t i = 0; i < array.size(); ++i)
    array.set(i, values[i]);
  return array;
}

HostArray unwritten(const std::vector<int64_t> &shape) {
  HostArray array(ElementType::Float32, shape);
  for (size_t i = 0; i < array.size(); ++i)
    array.set(i, 777);
  return array;
}

struct Sizes {
  int64_t batches, m, n, k;
};

/// A [batches, m, k] times B [batches, k, n], each element compared.
void expectBatches(const std::vector<ArgumentValue> &arguments, const Sizes &sizes) {
  const auto &a = std::get<HostArray>(arguments[0]), &b = std::get<HostArray>(arguments[1]),
             &c = std::get<HostArray>(arguments[2]);
  const auto [batches, m, n, k] = sizes;
  for (int64_t batch = 0; batch < batches; ++batch)
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double sum = 0;
        for (int64_t l = 0; l < k; ++l)
          sum += a.at((batch * m + i) * k + l) * b.at((batch * k + l) * n + j);
        ASSERT_EQ(c.at((batch * m + i) * n + j), sum) << batch << ", " << i << ", " << j;
      }
}

std::vector<ArgumentValue> argumentsOf(const Sizes &sizes) {
  const auto [batches, m, n, k] = sizes;
  return {wholeNumbers({batches, m, k}, 1),
          wholeNumbers({batches, k, n}, 2),
          unwritten({batches, m, n}),
          batches,
          m,
          n,
          k};
}

/// The kernel's parameters with sizes that are multiples of 16, or anything.
std::string signatureOf(bool isDivisible) {
  const std::string size = isDivisible ? ", i32:16" : ", i32";
  return "*fp16:64, *fp16:64, *fp32:64, i32" + size + size + size + ", 32, 64, 32";
}

const std::string batched = R"(
@triton.jit
def batched(a_ptr, b_ptr, c_ptr, B, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    a = tl.make_tensor_descriptor(a_ptr, [B, M, K], [M * K, K, 1], [1, BM, BK])
    b = tl.make_tensor_descriptor(b_ptr, [B, K, N], [K * N, N, 1], [1, BK, BN])
    c = tl.make_tensor_descriptor(c_ptr, [B, M, N], [M * N, N, 1], [1, BM, BN])
    batch = tl.program_id(2) - 1
    row = tl.program_id(0) * BM
    column = tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        x = a.load([batch, row, k]).reshape(BM, BK)
        y = b.load([batch, k, column]).reshape(BK, BN)
        acc = tl.dot(x, y, acc)
    c.store([batch, row, column], acc.reshape(1, BM, BN))
)";

} // namespace

// One slice a program. The first and the last programs have slices that there are not.
TEST_P(BlockSlice, ProductsOfBatches) {
  for (const Sizes &sizes : {Sizes{3, 64, 64, 64}, {2, 80, 80, 48}, {2, 48, 112, 80}}) {
    std::vector<ArgumentValue> arguments = argumentsOf(sizes);
    const Messages messages = run(batched, signatureOf(true), arguments,
                                  {3, 2, static_cast<unsigned>(sizes.batches) + 2});
    expectBatches(arguments, sizes);
    EXPECT_GT(messages.loads, 0u);
    EXPECT_GT(messages.stores, 0u);
  }
  // Rows of 14 bytes' multiples: no message takes them.
  const Sizes odd = {2, 33, 35, 21};
  std::vector<ArgumentValue> arguments = argumentsOf(odd);
  EXPECT_EQ(run(batched, signatureOf(false), arguments, {2, 1, 4}).loads, 0u);
  expectBatches(arguments, odd);
}

// Through pointers, with masks that do not tell where the batch begins.
TEST_P(BlockSlice, ProductsOfBatchesThroughPointers) {
  const std::string source = R"(
@triton.jit
def batched(a_ptr, b_ptr, c_ptr, B, M, N, K, A_BATCH, B_BATCH, C_BATCH, BM: tl.constexpr,
            BN: tl.constexpr, BK: tl.constexpr):
    batch = tl.program_id(2)
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    a_ptrs = a_ptr + batch * A_BATCH + rm[:, None] * K + rk[None, :]
    b_ptrs = b_ptr + batch * B_BATCH + rk[:, None] * N + rn[None, :]
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a_ptrs, mask=(rm[:, None] < M) & (rk[None, :] < K - k), other=0.0)
        y = tl.load(b_ptrs, mask=(rk[:, None] < K - k) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(x, y, acc)
        a_ptrs += BK
        b_ptrs += BK * N
    tl.store(c_ptr + batch * C_BATCH + rm[:, None] * N + rn[None, :], acc,
             mask=(rm[:, None] < M) & (rn[None, :] < N))
)";
  const std::string signature =
      replaceAll(signatureOf(true), ", 32, 64, 32", ", i32:16, i32:16, i32:16, 32, 64, 32");
  Messages ofOne, ofAll;
  for (int64_t batches : {1, 3}) {
    const Sizes sizes = {batches, 48, 80, 80};
    std::vector<ArgumentValue> arguments = argumentsOf(sizes);
    for (int64_t distance : {48 * 80, 80 * 80, 48 * 80})
      arguments.push_back(distance);
    (batches == 1 ? ofOne : ofAll) =
        run(source, signature, arguments, {2, 2, static_cast<unsigned>(batches)});
    expectBatches(arguments, sizes);
  }
  EXPECT_GT(ofOne.loads, 0u);
  EXPECT_GT(ofOne.stores, 0u);
  EXPECT_EQ(ofAll.loads, 3 * ofOne.loads);
  EXPECT_EQ(ofAll.stores, 3 * ofOne.stores);
}

// Batches that the loop goes through: the matrices begin elsewhere in each iteration.
TEST_P(BlockSlice, BatchesInALoop) {
  const std::string source = R"(
@triton.jit
def sums(a_ptr, b_ptr, c_ptr, B, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    a = tl.make_tensor_descriptor(a_ptr, [B, M, K], [M * K, K, 1], [1, BM, BK])
    b = tl.make_tensor_descriptor(b_ptr, [B, K, N], [K * N, N, 1], [1, BK, BN])
    row = tl.program_id(0) * BM
    acc = tl.zeros((BM, BN), tl.float32)
    for batch in range(0, B + 1):
        acc = tl.dot(a.load([batch, row, 0]).reshape(BM, BK),
                     b.load([batch, 0, 0]).reshape(BK, BN), acc)
    rm = row + tl.arange(0, BM)
    rn = tl.arange(0, BN)
    tl.store(c_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm < M)[:, None] & (rn < N)[None, :])
)";
  for (bool isInBounds : {true, false}) {
    const Sizes sizes = {4, 48, 48, 32};
    const auto [batches, m, n, k] = sizes;
    std::vector<ArgumentValue> arguments = argumentsOf(sizes);
    // The last batch of all is there, or is not.
    arguments[3] = batches - (isInBounds ? 1 : 0);
    const std::string text = isInBounds ? replaceAll(source, "[B, ", "[B + 1, ") : source;
    const Messages messages = run(text, signatureOf(true), arguments, {2, 1, 1});
    EXPECT_EQ(messages.loads > 0, isInBounds);
    const auto &a = std::get<HostArray>(arguments[0]), &b = std::get<HostArray>(arguments[1]),
               &c = std::get<HostArray>(arguments[2]);
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double sum = 0;
        for (int64_t batch = 0; batch < batches; ++batch)
          for (int64_t l = 0; l < k; ++l)
            sum += a.at((batch * m + i) * k + l) * b.at((batch * k + l) * n + j);
        ASSERT_EQ(c.at(i * n + j), sum) << i << ", " << j;
      }
  }
}

// The dimension in the middle has one element: heads of attention.
TEST_P(BlockSlice, HeadsInTheMiddle) {
  const std::string source = R"(
@triton.jit
def heads(a_ptr, b_ptr, c_ptr, S, H, BM: tl.constexpr, D: tl.constexpr):
    a = tl.make_tensor_descriptor(a_ptr, [S, H, D], [H * D, D, 1], [BM, 1, D])
    b = tl.make_tensor_descriptor(b_ptr, [S, H, D], [H * D, D, 1], [BM, 1, D])
    c = tl.make_tensor_descriptor(c_ptr, [H, S, BM], [S * BM, BM, 1], [1, BM, BM])
    head = tl.program_id(1)
    row = tl.program_id(0) * BM
    q = a.load([row, head, 0]).reshape(BM, D)
    k = b.load([0, head, 0]).reshape(BM, D)
    c.store([head, row, 0], tl.dot(q, k.trans()).reshape(1, BM, BM))
)";
  constexpr int64_t s = 80, h = 3, block = 32, d = 64;
  const HostArray a = wholeNumbers({s, h, d}, 1), b = wholeNumbers({s, h, d}, 2);
  std::vector<ArgumentValue> arguments = {a, b, unwritten({h, s, block}), s, h};
  const Messages messages =
      run(source, "*fp16:64, *fp16:64, *fp32:64, i32, i32, 32, 64", arguments, {3, h + 1, 1});
  EXPECT_GT(messages.loads, 0u);
  EXPECT_GT(messages.stores, 0u);
  const auto &c = std::get<HostArray>(arguments[2]);
  for (int64_t head = 0; head < h; ++head)
    for (int64_t i = 0; i < s; ++i)
      for (int64_t j = 0; j < block; ++j) {
        double sum = 0;
        for (int64_t l = 0; l < d; ++l)
          sum += a.at((i * h + head) * d + l) * b.at((j * h + head) * d + l);
        ASSERT_EQ(c.at((head * s + i) * block + j), sum) << head << ", " << i << ", " << j;
      }
}

// Several slices at a time, a message for each. Those of the last program are partly out of bounds.
TEST_P(BlockSlice, SeveralSlices) {
  const std::string source = R"(
@triton.jit
def pairs(a_ptr, b_ptr, c_ptr, B, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    a = tl.make_tensor_descriptor(a_ptr, [B, M, K], [M * K, K, 1], [2, BM, BK])
    b = tl.make_tensor_descriptor(b_ptr, [K, N], [N, 1], [BK, BN])
    c = tl.make_tensor_descriptor(c_ptr, [B, M, N], [M * N, N, 1], [2, BM, BN])
    batch = tl.program_id(2) * 2
    row = tl.program_id(0) * BM
    column = tl.program_id(1) * BN
    acc = tl.zeros((2 * BM, BN), tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(a.load([batch, row, k]).reshape(2 * BM, BK), b.load([k, column]), acc)
    c.store([batch, row, column], acc.reshape(2, BM, BN))
)";
  for (const auto &[batches, m, n, k] :
       {Sizes{4, 64, 64, 64}, {4, 80, 80, 48}, {3, 64, 64, 64}, {1, 40, 80, 40}}) {
    std::vector<ArgumentValue> arguments = {wholeNumbers({batches, m, k}, 1),
                                            wholeNumbers({k, n}, 2),
                                            unwritten({batches, m, n}),
                                            batches,
                                            m,
                                            n,
                                            k};
    const Messages messages =
        run(source, replaceAll(signatureOf(true), "i32:16", "i32:8"), arguments, {3, 2, 2});
    // The rows of A, of both slices, where there are two.
    EXPECT_EQ(messages.plainLoads > 0, batches > 1) << batches;
    EXPECT_EQ(messages.stores > 0, batches > 1) << batches;
    const auto &a = std::get<HostArray>(arguments[0]), &b = std::get<HostArray>(arguments[1]),
               &c = std::get<HostArray>(arguments[2]);
    for (int64_t i = 0; i < batches * m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double sum = 0;
        for (int64_t l = 0; l < k; ++l)
          sum += a.at(i * k + l) * b.at(l * n + j);
        ASSERT_EQ(c.at(i * n + j), sum) << batches << ": " << i << ", " << j;
      }
  }
}

// Products of several slices at a time, the right ones stored by columns or by rows.
TEST_P(BlockSlice, ProductsOfSlices) {
  const std::string source = R"(
@triton.jit
def dots(a_ptr, b_ptr, c_ptr, B, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    a = tl.make_tensor_descriptor(a_ptr, [B, M, K], [M * K, K, 1], [2, BM, BK])
    b = tl.make_tensor_descriptor(b_ptr, [B, ROWS], [K * N, STRIDE, 1], [2, BLOCK])
    c = tl.make_tensor_descriptor(c_ptr, [B, M, N], [M * N, N, 1], [2, BM, BN])
    batch = tl.program_id(2) * 2
    row = tl.program_id(0) * BM
    column = tl.program_id(1) * BN
    acc = tl.zeros((2, BM, BN), tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(a.load([batch, row, k]), b.load([batch, PLACE])TURN, acc)
    c.store([batch, row, column], acc)
)";
  for (bool isTurned : {false, true})
    for (const Sizes &sizes : {Sizes{4, 64, 64, 64}, {3, 48, 80, 48}}) {
      std::string text = replaceAll(source, "ROWS", isTurned ? "N, K" : "K, N");
      text = replaceAll(text, "STRIDE", isTurned ? "K" : "N");
      text = replaceAll(text, "BLOCK", isTurned ? "BN, BK" : "BK, BN");
      text = replaceAll(text, "PLACE", isTurned ? "column, k" : "k, column");
      text = replaceAll(text, "TURN", isTurned ? ".permute(0, 2, 1)" : "");
      const auto [batches, m, n, k] = sizes;
      std::vector<ArgumentValue> arguments = argumentsOf(sizes);
      const Messages messages = run(text, signatureOf(true), arguments, {2, 2, 2});
      EXPECT_GT(messages.loads, 0u);
      EXPECT_GT(messages.stores, 0u);
      auto &b = std::get<HostArray>(arguments[1]);
      if (isTurned) {
        const HostArray turned = b;
        for (int64_t batch = 0; batch < batches; ++batch)
          for (int64_t i = 0; i < k; ++i)
            for (int64_t j = 0; j < n; ++j)
              b.set((batch * k + i) * n + j, turned.at((batch * n + j) * k + i));
      }
      expectBatches(arguments, sizes);
    }
}

// What is out of bounds is a number of the program's.
TEST_P(BlockSlice, PaddingThatIsNotZero) {
  const std::string source = R"(
@triton.jit
def padded(a_ptr, b_ptr, c_ptr, M, K, pad, BM: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BK), tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a_ptr + rm[:, None] * K + (k + rk)[None, :],
                    mask=(rm[:, None] < M) & ((k + rk)[None, :] < K), other=PAD)
        y = tl.load(b_ptr + (k + rk)[:, None] * BK + rk[None, :], mask=(k + rk)[:, None] < K,
                    other=-1.0)
        acc = tl.dot(x, y, acc)
    tl.store(c_ptr + rm[:, None] * BK + rk[None, :], acc)
)";
  for (const char *padding : {"3.0", "pad"})
    for (int64_t k : {64, 80}) {
      constexpr int64_t m = 40, rows = 64, block = 32;
      const HostArray a = wholeNumbers({m, k}, 1), b = wholeNumbers({k, block}, 2);
      std::vector<ArgumentValue> arguments = {a, b, unwritten({rows, block}), m, k, 3.0};
      const Messages messages =
          run(replaceAll(source, "PAD", padding),
              "*fp16:64, *fp16:64, *fp32:64, i32, i32:16, fp32, 32, 32", arguments, {2, 1, 1});
      EXPECT_GT(messages.loads, 0u);
      const auto &c = std::get<HostArray>(arguments[2]);
      for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < block; ++j) {
          double sum = 0;
          for (int64_t l = 0; l < (k + block - 1) / block * block; ++l)
            sum += (i < m && l < k ? a.at(i * k + l) : 3) * (l < k ? b.at(l * block + j) : -1);
          ASSERT_EQ(c.at(i * block + j), sum) << padding << ": " << i << ", " << j;
        }
    }
}

// Of a descriptor that pads with NaN all that is outside is NaN, and nothing else.
TEST_P(BlockSlice, PaddingWithNan) {
  const std::string source = R"(
@triton.jit
def padded(a_ptr, b_ptr, c_ptr, B, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    a = tl.make_tensor_descriptor(a_ptr, [B, M, K], [M * K, K, 1], [1, BM, BK],
                                  padding_option="nan")
    b = tl.make_tensor_descriptor(b_ptr, [B, K, N], [K * N, N, 1], [1, BK, BN])
    batch = tl.program_id(2)
    row = tl.program_id(0) * BM
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(a.load([batch, row, k]).reshape(BM, BK),
                     b.load([batch, k, 0]).reshape(BK, BN), acc)
    rm = row + tl.arange(0, BM)
    rn = tl.arange(0, BN)
    tl.store(c_ptr + batch * 64 * N + rm[:, None] * N + rn[None, :], acc)
)";
  const Sizes sizes = {2, 40, 64, 64};
  const auto [batches, m, n, k] = sizes;
  std::vector<ArgumentValue> arguments = argumentsOf(sizes);
  arguments[2] = unwritten({batches + 1, 64, n});
  const Messages messages =
      run(source, replaceAll(signatureOf(true), "i32:16", "i32:8"), arguments, {2, 1, 3});
  EXPECT_GT(messages.loads, 0u);
  const auto &a = std::get<HostArray>(arguments[0]), &b = std::get<HostArray>(arguments[1]),
             &c = std::get<HostArray>(arguments[2]);
  for (int64_t batch = 0; batch <= batches; ++batch)
    for (int64_t i = 0; i < 64; ++i)
      for (int64_t j = 0; j < n; ++j) {
        const double value = c.at((batch * 64 + i) * n + j);
        double sum = 0;
        for (int64_t l = 0; l < k && batch < batches && i < m; ++l)
          sum += a.at((batch * m + i) * k + l) * b.at((batch * k + l) * n + j);
        if (batch < batches && i < m)
          ASSERT_EQ(value, sum) << batch << ", " << i << ", " << j;
        else
          ASSERT_TRUE(std::isnan(value)) << batch << ", " << i << ", " << j;
      }
}
