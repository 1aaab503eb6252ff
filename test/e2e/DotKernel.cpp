//===- DotKernel.cpp - A kernel with one product ------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "DotKernel.h"

#include <cstdlib>

using namespace tilewright::test;
using tilewright::runtime::nameOf;

HostArray tilewright::test::quarters(ElementType type, std::vector<int64_t> shape, unsigned seed) {
  HostArray array(type, std::move(shape));
  std::mt19937 generator(seed);
  for (size_t i = 0; i < array.size(); ++i) {
    int value = static_cast<int>(generator() % 9) - 4;
    array.set(i, isFloat(type) ? value / 4.0 : value);
  }
  return array;
}

bool tilewright::test::runsWholeGrid() {
  const char *chosen = std::getenv("TILEWRIGHT_GRID");
  return chosen && std::string_view(chosen) == "all";
}

static HostArray unwrittenArray(ElementType type, std::vector<int64_t> shape) {
  HostArray array(type, std::move(shape));
  std::ranges::fill(array.bytes, std::byte(isFloat(type) ? 0xFF : 0x55));
  return array;
}

static std::string offsets(const Product &p, const std::string &rows, const std::string &columns) {
  std::string grid = "tl.arange(0, " + rows + ")[:, None] * " + columns + " + tl.arange(0, " +
                     columns + ")[None, :]";
  if (!p.batch)
    return grid;
  return "tl.arange(0, B)[:, None, None] * (" + rows + " * " + columns + ") + (" + grid +
         ")[None, :, :]";
}

void tilewright::test::checkProduct(const Product &p) {
  SCOPED_TRACE(std::string(nameOf(p.left)) + " x " + std::string(nameOf(p.right)) + " -> " +
               std::string(nameOf(p.result)) + ", " + std::to_string(p.batch) + "x" +
               std::to_string(p.m) + "x" + std::to_string(p.n) + "x" + std::to_string(p.k) + ", " +
               std::to_string(p.numWarps) + " warps, transposed " +
               std::to_string(p.leftTransposed) + std::to_string(p.rightTransposed) + ", " +
               p.options + ", " + p.target);
  auto load = [&](const std::string &name, bool transposed, const std::string &rows,
                  const std::string &columns) {
    if (!transposed)
      return "tl.load(" + name + "_ptr + " + offsets(p, rows, columns) + ")";
    std::string turn = p.batch ? ".permute(0, 2, 1)" : ".T";
    return "tl.load(" + name + "_ptr + " + offsets(p, columns, rows) + ")" + turn;
  };
  std::string source = std::string(imports) + R"(
@triton.jit
def kernel(a_ptr, b_ptr, c_ptr, o_ptr, B: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    a = )" + load("a", p.leftTransposed, "M", "K") +
                       p.throughLeft + "\n    b = " + load("b", p.rightTransposed, "K", "N") +
                       p.throughRight + "\n    offs = " + offsets(p, "M", "N") + "\n";
  if (p.added)
    source += "    acc = tl.load(c_ptr + offs)\n    acc += tl.dot(a, b" + p.options + ")\n";
  else if (p.accumulates)
    source += "    acc = tl.load(c_ptr + offs)\n    acc = tl.dot(a, b, acc" + p.options + ")\n";
  else
    source += "    acc = tl.dot(a, b" + p.options + ")\n";
  source += "    tl.store(o_ptr + offs, acc)\n";

  const int64_t batches = std::max<int64_t>(1, p.batch);
  HostArray a = quarters(p.left, {batches, p.m, p.k}, 1),
            b = quarters(p.right, {batches, p.k, p.n}, 2),
            c = quarters(p.result, {batches, p.m, p.n}, 3);
  std::vector<double> expected(c.size());
  for (int64_t z = 0; z < batches; ++z)
    for (int64_t i = 0; i < p.m; ++i)
      for (int64_t j = 0; j < p.n; ++j) {
        const size_t at = (z * p.m + i) * p.n + j;
        double sum = p.accumulates || p.added ? c.at(at) : 0;
        for (int64_t k = 0; k < p.k; ++k) {
          size_t atA = p.leftTransposed ? (z * p.k + k) * p.m + i : (z * p.m + i) * p.k + k;
          size_t atB = p.rightTransposed ? (z * p.n + j) * p.k + k : (z * p.k + k) * p.n + j;
          sum += a.at(atA) * b.at(atB);
        }
        expected[at] = sum;
      }
  auto pointer = [](ElementType type) { return "*" + std::string(nameOf(type)) + ":16, "; };
  auto arguments = runOnSimulator(
      {.source = source,
       .signature = pointer(p.left) + pointer(p.right) + pointer(p.result) + pointer(p.result) +
                    std::to_string(p.batch) + ", " + std::to_string(p.m) + ", " +
                    std::to_string(p.n) + ", " + std::to_string(p.k),
       .arguments = {a, b, c, unwrittenArray(p.result, {batches, p.m, p.n})},
       .numWarps = p.numWarps,
       .target = p.target});
  const HostArray &out = std::get<HostArray>(arguments[3]);
  for (size_t i = 0; i < expected.size(); ++i)
    ASSERT_EQ(out.at(i), expected[i]) << "element " << i;
}
