//===- CoopMatrixTest.cpp - Cooperative matrices against plain loops ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A grid of 7 numbers of rows, 15 of columns, 8 types of elements and 3 uses: 2,520 matrices for
// each target (lanes, 16 or 32, by TILEWRIGHT_E2E_TARGET), on each of which every operation runs.
// One in 397 runs by default; all of them with TILEWRIGHT_GRID=all in the environment, by
// run_grids.py on many cores. A test for each number of rows and type.
//
//===--------------------------------------------------------------------------===//

#include "DotKernel.h"
#include "target/Target.h"

#include <map>

using namespace tilewright;
using namespace tilewright::test;
using tilewright::runtime::nameOf;

namespace {

using enum ElementType;

const std::string imports =
    std::string(tilewright::test::imports) + "import tilewright.matrix as tw\n";

struct Matrix {
  int64_t rows, columns;
  ElementType type;
  const char *use;
  int numWarps = 1;

  int64_t bytes() const { return static_cast<int64_t>(HostArray(type, {1}).bytes.size()); }
};

/// Which register of which lane holds each element, (lane, register) -> (row, column): the formulas
/// of the layout's text, element by element.
std::map<std::pair<int64_t, int64_t>, std::pair<int64_t, int64_t>> placesOf(const Matrix &m,
                                                                            int64_t &registers) {
  const int64_t s = lanesOfDefaultTarget(), i = std::min(m.rows, s);
  int64_t j = m.columns;
  while (i * j % s)
    ++j;
  const int64_t k = m.rows / i;
  const bool isA = std::string_view(m.use) == "matrix_a",
             isB = std::string_view(m.use) == "matrix_b";
  const int64_t k1 = isB && m.rows > s ? std::max<int64_t>(1, 2 / m.bytes()) : 1;
  int64_t omega = isA ? std::max<int64_t>(1, 4 / m.bytes()) : 1;
  if (m.columns % omega)
    omega = 1;
  const int64_t packed = (j + omega - 1) / omega;
  registers = (i * k * packed + s - 1) / s * omega;
  std::map<std::pair<int64_t, int64_t>, std::pair<int64_t, int64_t>> places;
  for (int64_t row = 0; row < m.rows; ++row)
    for (int64_t column = 0; column < m.columns; ++column) {
      const int64_t part = row / i, c = column % omega;
      const int64_t number =
          row % i + part % k1 * i + column / omega * i * k1 + part / k1 * i * k1 * packed;
      places[{number % s, number / s * omega + c}] = {row, column};
    }
  return places;
}

HostArray unwritten(ElementType type, std::vector<int64_t> shape) {
  HostArray array(type, std::move(shape));
  for (size_t i = 0; i < array.size(); ++i)
    array.set(i, 77);
  return array;
}

/// Expects `expected(i, j)` in rows x columns of the array from (row, column) on, and what was
/// there before everywhere else.
void expectBlock(const HostArray &array, int64_t row, int64_t column, int64_t rows, int64_t columns,
                 const std::string &what, const std::function<double(int64_t, int64_t)> &expected) {
  for (int64_t i = 0; i < array.shape[0]; ++i)
    for (int64_t j = 0; j < array.shape[1]; ++j) {
      const bool isInside = i >= row && i < row + rows && j >= column && j < column + columns;
      ASSERT_EQ(array.at(i * array.shape[1] + j), isInside ? expected(i - row, j - column) : 77)
          << what << ", (" << i << ", " << j << ")";
    }
}

std::string replaced(std::string text, std::initializer_list<std::pair<const char *, int64_t>> by) {
  for (auto [name, number] : by)
    for (size_t at; (at = text.find(name)) != std::string::npos;)
      text.replace(at, std::string_view(name).size(), std::to_string(number));
  return text;
}

/// Every operation but products.
void checkMatrix(const Matrix &m) {
  SCOPED_TRACE(std::to_string(m.rows) + "x" + std::to_string(m.columns) + " " +
               std::string(nameOf(m.type)) + " " + m.use);
  int64_t registers = 0;
  const auto places = placesOf(m, registers);
  const int64_t lanes = lanesOfDefaultTarget(), inRows = m.rows + 3, inColumns = m.columns + 2;
  std::string source = imports + R"(
@triton.jit
def shifted(row, col, v):
    return (v + (row % 4 - col % 4).to(v.dtype)).to(v.dtype)

@triton.jit
def kernel(x, plain, turned, applied, rows, columns, least, most, widened, components, changed, added, extremes):
    a = tw.load(x, (@M, @N), tw.@USE, (@COLUMNS, 1), offsets=(1, 1))
    tw.prefetch(x, (@M, @N), tw.@USE, (@COLUMNS, 1))
    tw.store(plain, a, (@COLUMNS, 1), offsets=(2, 1))
    t = tw.load(x, (@M, @N), tw.@USE, (@COLUMNS, 1), offsets=(-1, 1), bounds=(@ROWS, @COLUMNS),
                checked="both", transposed=True)
    tw.store(turned, t, (@COLUMNS, 1), offsets=(-1, 3), bounds=(@ROWS, @COLUMNS), checked="both")
    tw.store(applied, tw.apply(tw.scale(2, a), shifted), (@ROWS, 1), offsets=(1, 0),
             transposed=True)
    tw.store(rows, tw.sum(a, 1), (1, 1))
    tw.store(columns, tw.sum(a, 0), (1, 1))
    tw.store(least, tw.min(a, 0), (1, 1))
    tw.store(most, tw.max(a, 1), (1, 1))
    tw.store(widened, tw.cast(tw.cast(a, tl.float64), tl.int32), (@COLUMNS, 1))
    for v in tl.static_range(@REGISTERS):
        tl.store(components + v * @LANES + tl.arange(0, @LANES), tw.extract(a, v))
    b = tw.insert(tl.arange(0, @LANES), tw.full((@M, @N), 3, a.dtype, tw.@USE), @LAST)
    tw.atomic_store(changed, b, (@COLUMNS, 1))
    c = tw.atomic_load(changed, (@M, @N), tw.@USE, (@COLUMNS, 1))
    tw.store(changed, c, (@COLUMNS, 1), offsets=(1, 2), bounds=(1, 1), checked="rows")
)";
  if (m.bytes() > 1)
    source += "    tw.atomic_add(added, tw.scale(4, a), (@COLUMNS, 1), offsets=(1, 1))\n";
  const bool hasExtrema = m.bytes() > (isFloat(m.type) ? 2 : 1);
  if (hasExtrema)
    source += "    tw.atomic_max(extremes, a, (@COLUMNS, 1))\n"
              "    tw.atomic_min(extremes, a, (@COLUMNS, 1), offsets=(@M, 0))\n";
  source = replaced(std::move(source), {{"@ROWS", inRows},
                                        {"@COLUMNS", inColumns},
                                        {"@REGISTERS", registers},
                                        {"@LANES", lanes},
                                        {"@LAST", registers - 1},
                                        {"@M", m.rows},
                                        {"@N", m.columns}});
  for (size_t at; (at = source.find("@USE")) != std::string::npos;)
    source.replace(at, 4, m.use);

  const HostArray x = quarters(m.type, {inRows, inColumns}, 7);
  std::string signature;
  for (int i = 0; i < 8; ++i)
    signature += "*" + std::string(nameOf(m.type)) + ", ";
  signature += "*i32";
  for (int i = 0; i < 4; ++i)
    signature += ", *" + std::string(nameOf(m.type));
  auto out = [&](int64_t rows, int64_t columns) { return unwritten(m.type, {rows, columns}); };
  auto arguments = runOnSimulator(
      {.source = source,
       .signature = signature,
       .arguments = {x, out(inRows, inColumns), out(inRows, inColumns), out(m.columns, inRows),
                     out(m.rows, 1), out(1, m.columns), out(1, m.columns), out(m.rows, 1),
                     unwritten(Int32, {m.rows, inColumns}), out(registers, lanes),
                     out(m.rows + 1, inColumns), out(m.rows + 1, inColumns),
                     HostArray(m.type, {2 * m.rows, inColumns})},
       .numWarps = m.numWarps,
       .kernel = "kernel"});
  auto result = [&](size_t i) -> const HostArray & { return std::get<HostArray>(arguments[i]); };
  auto at = [&](int64_t row, int64_t column) { return x.at(row * inColumns + column); };
  auto a = [&](int64_t i, int64_t j) { return at(i + 1, j + 1); };
  auto over = [](int64_t count, auto combine, auto element) {
    double value = element(0);
    for (int64_t i = 1; i < count; ++i)
      value = combine(value, element(i));
    return value;
  };
  auto add = [](double p, double q) { return p + q; };
  auto smaller = [](double p, double q) { return std::min(p, q); };
  auto larger = [](double p, double q) { return std::max(p, q); };

  expectBlock(result(1), 2, 1, m.rows, m.columns, "load and store", a);
  // Element (i, j) of the transposed load is at row j + 1, column i - 1 of the tensor.
  expectBlock(result(2), 0, 3, m.rows - 1, std::max<int64_t>(0, m.columns - 1),
              "checked, transposed", [&](int64_t i, int64_t j) {
                const int64_t row = j + 1, column = i;
                return row < inRows && column < inColumns ? at(row, column) : 0;
              });
  expectBlock(result(3), 0, 1, m.columns, m.rows, "scale and apply",
              [&](int64_t j, int64_t i) { return 2 * a(i, j) + i % 4 - j % 4; });
  expectBlock(result(4), 0, 0, m.rows, 1, "sums of rows", [&](int64_t i, int64_t) {
    return over(m.columns, add, [&](int64_t j) { return a(i, j); });
  });
  expectBlock(result(5), 0, 0, 1, m.columns, "sums of columns", [&](int64_t, int64_t j) {
    return over(m.rows, add, [&](int64_t i) { return a(i, j); });
  });
  expectBlock(result(6), 0, 0, 1, m.columns, "least of columns", [&](int64_t, int64_t j) {
    return over(m.rows, smaller, [&](int64_t i) { return a(i, j); });
  });
  expectBlock(result(7), 0, 0, m.rows, 1, "most of rows", [&](int64_t i, int64_t) {
    return over(m.columns, larger, [&](int64_t j) { return a(i, j); });
  });
  expectBlock(result(8), 0, 0, m.rows, m.columns, "casts",
              [&](int64_t i, int64_t j) { return std::trunc(a(i, j)); });
  expectBlock(result(9), 0, 0, registers, lanes, "components", [&](int64_t v, int64_t lane) {
    auto place = places.find({lane, v});
    return place == places.end() ? 0 : a(place->second.first, place->second.second);
  });
  std::map<std::pair<int64_t, int64_t>, double> inserted;
  for (auto [place, element] : places)
    inserted[element] = place.second == registers - 1 ? place.first : 3;
  // The second store writes the first row only, at row 1.
  const HostArray &changed = result(10);
  for (int64_t i = 0; i <= m.rows; ++i)
    for (int64_t j = 0; j < inColumns; ++j) {
      const bool isFirst = i < m.rows && j < m.columns;
      ASSERT_EQ(changed.at(i * inColumns + j), (isFirst ? inserted[{i, j}] : 77))
          << "insert, (" << i << ", " << j << ")";
    }
  expectBlock(result(11), 1, 1, m.rows, m.columns, "atomic additions",
              [&](int64_t i, int64_t j) { return m.bytes() > 1 ? 77 + 4 * a(i, j) : 77; });
  const HostArray &extremes = result(12);
  for (int64_t i = 0; i < m.rows; ++i)
    for (int64_t j = 0; j < m.columns && hasExtrema; ++j) {
      ASSERT_EQ(extremes.at(i * inColumns + j), larger(0, a(i, j))) << i << ", " << j;
      ASSERT_EQ(extremes.at((i + m.rows) * inColumns + j), smaller(0, a(i, j))) << i << ", " << j;
    }
}

constexpr int64_t allRows[] = {1, 2, 4, 8, 16, 32, 64};
constexpr ElementType allTypes[] = {Int8, Int16, Int32, Int64, Float16, BFloat16, Float32, Float64};

/// Indices into allRows and allTypes.
using RowsAndType = std::tuple<size_t, size_t>;

std::string nameOfMatrices(const testing::TestParamInfo<RowsAndType> &info) {
  const auto &[rows, type] = info.param;
  return std::to_string(allRows[rows]) + "_rows_" + std::string(nameOf(allTypes[type]));
}

class CoopMatrixGrid : public testing::TestWithParam<RowsAndType> {};
INSTANTIATE_TEST_SUITE_P(All, CoopMatrixGrid,
                         testing::Combine(testing::Range<size_t>(0, std::size(allRows)),
                                          testing::Range<size_t>(0, std::size(allTypes))),
                         nameOfMatrices);

TEST_P(CoopMatrixGrid, Matrices) {
  constexpr unsigned part = 397;
  constexpr int64_t allColumns[] = {1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 17, 24, 31, 32, 33};
  constexpr const char *allUses[] = {"matrix_a", "matrix_b", "matrix_acc"};
  const auto [rows, type] = GetParam();
  unsigned number =
      (rows * std::size(allTypes) + type) * std::size(allColumns) * std::size(allUses);
  bool hasCase = false;
  for (int64_t columns : allColumns)
    for (const char *use : allUses)
      if (number++ % part == 0 || runsWholeGrid()) {
        hasCase = true;
        checkMatrix({allRows[rows], columns, allTypes[type], use, 1 + int(number % 2)});
      }
  if (!hasCase)
    GTEST_SKIP() << "none of these is among those that are run";
}

/// What is easily got wrong.
TEST(CoopMatrix, Traps) {
  // Packed only where the columns fill the entries.
  checkMatrix({16, 3, Float16, "matrix_a"});
  // With fewer rows than lanes an entry holds neighbouring columns, not neighbouring components;
  // and what is packed is stored in the order of the matrix.
  checkMatrix({8, 16, Float16, "matrix_a"});
  // A store writes the columns of the matrix, not those of the memory.
  checkMatrix({4, 15, Float32, "matrix_acc"});
  // Sums of columns exchange values between lanes.
  checkMatrix({32, 16, Int32, "matrix_acc"});
  // 32 components and more.
  checkMatrix({32, 33, Float32, "matrix_b"});
}

/// Rows that are aligned in memory are accessed several elements at a time.
TEST(CoopMatrix, AlignedRows) {
  constexpr int64_t pitch = 48;
  for (auto [rows, columns] : {std::pair<int64_t, int64_t>{8, 16}, {32, 24}, {16, 33}, {64, 6}})
    for (ElementType type : {Int8, Float16, Float32, Float64})
      for (const char *use : {"matrix_a", "matrix_b", "matrix_acc"})
        for (bool isTransposed : {false, true}) {
          SCOPED_TRACE(std::to_string(rows) + "x" + std::to_string(columns) + " " +
                       std::string(nameOf(type)) + " " + use);
          const std::string how =
              std::string(use) + (isTransposed ? ", (1, 48), transposed=True)" : ", (48, 1))");
          const std::string source =
              imports + "@triton.jit\ndef kernel(x, out, i):\n    a = tw.load(x + 48 * i, (" +
              std::to_string(rows) + ", " + std::to_string(columns) + "), tw." + how +
              "\n    tw.store(out, a, (48, 1))\n";
          const HostArray x = quarters(type, {rows + 1, pitch}, 3);
          const std::string pointer = "*" + std::string(nameOf(type)) + ":16";
          auto arguments = runOnSimulator({.source = source,
                                           .signature = pointer + ", " + pointer + ", i32",
                                           .arguments = {x, unwritten(type, {rows, pitch}), 1},
                                           .numWarps = 1,
                                           .kernel = "kernel"});
          expectBlock(std::get<HostArray>(arguments[1]), 0, 0, rows, columns, "copy",
                      [&](int64_t i, int64_t j) { return x.at((i + 1) * pitch + j); });
        }
}

/// Functions with branches, that load, and that give another type; matrices in loops and branches.
TEST(CoopMatrix, FunctionsAndControlFlow) {
  const std::string source = imports + R"(
@triton.jit
def clamped(row, col, v):
    if v > 2:
        v = v * 0 + row
    return v.to(tl.int32)

@triton.jit
def kernel(x, out, n, flag):
    a = tw.full((4, 15), 0.0, tl.float32, tw.matrix_acc)
    one = tw.full((4, 4), 1, tl.float32, tw.matrix_a)
    for i in range(n):
        b = tw.load(x, (4, 15), tw.matrix_b, (15, 1))
        a = tw.mul_add(one, b, a)
    if flag:
        a = tw.scale(2.0, a)
    tw.store(out, tw.apply(a, clamped), (15, 1))
)";
  const HostArray x = quarters(Float32, {4, 15}, 5);
  for (int flag : {0, 1}) {
    auto arguments = runOnSimulator({.source = source,
                                     .signature = "*fp32, *i32, i32, i32",
                                     .arguments = {x, unwritten(Int32, {4, 15}), 3, flag},
                                     .numWarps = 1,
                                     .kernel = "kernel"});
    expectBlock(std::get<HostArray>(arguments[1]), 0, 0, 4, 15, "loop", [&](int64_t i, int64_t j) {
      double sum = 0;
      for (int64_t k = 0; k < 4; ++k)
        sum += 3 * x.at(k * 15 + j);
      sum *= flag ? 2 : 1;
      return sum > 2 ? static_cast<double>(i) : std::trunc(sum);
    });
  }
}

/// examples/coopmatrix.py
TEST(CoopMatrix, Example) {
  constexpr int64_t batches = 3, m = 8, n = 15, k = 16;
  const HostArray x = quarters(Float16, {batches, m, k}, 1),
                  w = quarters(Float16, {batches, k, n}, 2);
  auto arguments = runOnSimulator(
      {.source = exampleSource("coopmatrix.py"),
       .signature = "*fp16, *fp16, *fp32, *fp32, 8, 15, 16",
       .arguments = {x, w, unwritten(Float32, {batches, m * n}), unwritten(Float32, {batches, m})},
       .grid = {.x = batches},
       .numWarps = 1,
       .kernel = "batched_layer"});
  auto y = [&](int64_t b, int64_t i, int64_t j) {
    double sum = 0;
    for (int64_t l = 0; l < k; ++l)
      sum += x.at((b * k + l) * m + i) * w.at((b * n + j) * k + l);
    return std::max(sum, 0.0);
  };
  expectBlock(std::get<HostArray>(arguments[2]), 0, 0, batches, m * n, "products",
              [&](int64_t b, int64_t at) { return y(b, at % m, at / m); });
  expectBlock(std::get<HostArray>(arguments[3]), 0, 0, batches, m, "sums",
              [&](int64_t b, int64_t i) {
                double sum = 0;
                for (int64_t j = 0; j < n; ++j)
                  sum += y(b, i, j);
                return sum;
              });
}

//===----------------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------------===//

struct Sizes {
  int64_t m, n, k;
};

std::string describe(const Sizes &size, ElementType type, ElementType sum) {
  return std::to_string(size.m) + "x" + std::to_string(size.n) + "x" + std::to_string(size.k) +
         " " + std::string(nameOf(type)) + " in " + std::string(nameOf(sum));
}

std::string sourceOfProduct(const Sizes &size) {
  return replaced(imports + R"(
@triton.jit
def kernel(a, b, c, out):
    x = tw.load(a, (@M, @K), tw.matrix_a, (@K, 1))
    y = tw.load(b, (@K, @N), tw.matrix_b, (@N, 1))
    z = tw.load(c, (@M, @N), tw.matrix_acc, (@N, 1))
    tw.store(out, tw.mul_add(x, y, z), (@N, 1))
)",
                  {{"@M", size.m}, {"@N", size.n}, {"@K", size.k}});
}

std::string signatureOfProduct(ElementType type, ElementType sum) {
  auto pointer = [](ElementType of) { return "*" + std::string(nameOf(of)); };
  return pointer(type) + ", " + pointer(type) + ", " + pointer(sum) + ", " + pointer(sum);
}

/// A * B + C against plain loops.
void checkProductOf(const Sizes &size, ElementType type, ElementType sum) {
  SCOPED_TRACE(describe(size, type, sum));
  const HostArray a = quarters(type, {size.m, size.k}, 1), b = quarters(type, {size.k, size.n}, 2),
                  c = quarters(sum, {size.m, size.n}, 3);
  auto arguments = runOnSimulator({.source = sourceOfProduct(size),
                                   .signature = signatureOfProduct(type, sum),
                                   .arguments = {a, b, c, unwritten(sum, {size.m, size.n})},
                                   .numWarps = 1,
                                   .kernel = "kernel"});
  expectBlock(std::get<HostArray>(arguments[3]), 0, 0, size.m, size.n, "product",
              [&](int64_t i, int64_t j) {
                double value = c.at(i * size.n + j);
                for (int64_t k = 0; k < size.k; ++k)
                  value += a.at(i * size.k + k) * b.at(k * size.n + j);
                return value;
              });
}

/// That a product of too many multiply-adds is refused.
void expectRefused(const Sizes &size, ElementType type, ElementType sum) {
  SCOPED_TRACE(describe(size, type, sum));
  CompileOptions options = optionsFor(defaultTarget());
  options.signature = signatureOfProduct(type, sum);
  options.numWarps = 1;
  noteRun();
  const CompileResult result = Compiler().compile({"test.py", sourceOfProduct(size)}, options);
  ASSERT_FALSE(result);
  EXPECT_NE(render(result.diagnostics.front()).find("multiply-adds in each lane, more than 8192"),
            std::string::npos)
      << render(result.diagnostics.front());
}

/// Whether a matrix unit of the default target, one of Intel's, has an instruction for the types.
bool hasUnit(ElementType type, ElementType sum) {
  using target::MmaType;
  const std::map<ElementType, MmaType> types = {{Float16, MmaType::F16},
                                                {BFloat16, MmaType::Bf16},
                                                {Float32, MmaType::F32},
                                                {Int8, MmaType::S8},
                                                {Int32, MmaType::S32}};
  if (!types.contains(type) || !types.contains(sum))
    return false;
  const auto *target = target::Target::find(*optionsFor(defaultTarget()).target);
  return std::ranges::any_of(target->products(), [&](const target::MmaAtom &atom) {
    return atom.a == types.at(type) && atom.b == types.at(type) &&
           atom.accumulator == types.at(sum);
  });
}

using TypeAndSum = std::pair<ElementType, ElementType>;
constexpr int64_t productRows[] = {1, 4, 8, 16, 32, 64};
constexpr TypeAndSum productTypes[] = {{Float16, Float32}, {Float16, Float16}, {BFloat16, Float32},
                                       {Float32, Float32}, {Float64, Float64}, {Int8, Int32},
                                       {Int16, Int32},     {Int32, Int64}};

/// 1,440 products, of which one in 241 runs by default. Indices into productRows and productTypes.
std::string nameOfProducts(const testing::TestParamInfo<RowsAndType> &info) {
  const auto &[rows, types] = info.param;
  const auto &[type, sum] = productTypes[types];
  return std::to_string(productRows[rows]) + "_rows_" + std::string(nameOf(type)) + "_" +
         std::string(nameOf(sum));
}

class CoopMatrixProducts : public testing::TestWithParam<RowsAndType> {};
INSTANTIATE_TEST_SUITE_P(All, CoopMatrixProducts,
                         testing::Combine(testing::Range<size_t>(0, std::size(productRows)),
                                          testing::Range<size_t>(0, std::size(productTypes))),
                         nameOfProducts);

TEST_P(CoopMatrixProducts, Products) {
  constexpr unsigned part = 241;
  constexpr int64_t allColumns[] = {1, 3, 8, 15, 16, 33}, allDepths[] = {1, 2, 8, 16, 64};
  const auto [rows, types] = GetParam();
  const auto [type, sum] = productTypes[types];
  unsigned number =
      (rows * std::size(productTypes) + types) * std::size(allColumns) * std::size(allDepths);
  bool hasCase = false;
  for (int64_t n : allColumns)
    for (int64_t k : allDepths)
      if (number++ % part == 0 || runsWholeGrid()) {
        hasCase = true;
        const Sizes size = {productRows[rows], n, k};
        // Only in warps of 16 lanes, which are Intel's.
        const bool isLarge = size.m * n * k > 8192 * lanesOfDefaultTarget();
        if (isLarge && !hasUnit(type, sum))
          expectRefused(size, type, sum);
        else
          checkProductOf(size, type, sum);
      }
  if (!hasCase)
    GTEST_SKIP() << "none of these is among those that are run";
}

} // namespace
