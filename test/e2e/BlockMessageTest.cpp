//===- BlockMessageTest.cpp - Tiles moved by Intel's 2D block messages --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Texts of TTGIR that copy a tile of a matrix in the layout of an operand or result of DPAS. Loads
// and stores through pointers become messages; where their rules are not known when compiling, both
// ways are in the code, and which one runs depends on the arguments. Faults are planted in messages
// written by hand: the simulator names them and their line.
//
//===--------------------------------------------------------------------------===//

#include "IRText.h"

#include <gmock/gmock.h>
#include <regex>
#include <set>
#include <sstream>

using namespace tilewright;
using namespace tilewright::test;
using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace {

/// The layouts of the documents on block loads.
const std::string layouts = R"(
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [4, 2]}>
#mma32 = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 1, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [4, 1]}>
#mma8 = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 4, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [4, 4]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#a32 = #ttg.dot_op<{opIdx = 0, parent = #mma32, kWidth = 1}>
#b32 = #ttg.dot_op<{opIdx = 1, parent = #mma32, kWidth = 1}>
#a8 = #ttg.dot_op<{opIdx = 0, parent = #mma8, kWidth = 2}>
#b8 = #ttg.dot_op<{opIdx = 1, parent = #mma8, kWidth = 4}>
)";

/// A tile of a matrix, copied to the same place of another one.
struct Copy {
  std::string layout = "#a";
  int rows = 128, columns = 32;
  std::string type = "f16";
  /// The matrix, whose columns are contiguous or its rows. A negative pitch: as long as a row.
  int height = 300, width = 200, pitch = -1;
  bool columnMajor = false;
  /// Tile (x, y) of the launch is at (x * rows, y * columns).
  int gridX = 3, gridY = 7;
  bool masked = true;

  int length() const { return columnMajor ? height : width; }
  int pitchOf() const { return pitch < 0 ? length() : pitch; }
  size_t elements() const { return static_cast<size_t>(columnMajor ? width : height) * pitchOf(); }
  size_t at(int row, int column) const {
    return columnMajor ? static_cast<size_t>(column) * pitchOf() + row
                       : static_cast<size_t>(row) * pitchOf() + column;
  }
};

ElementType elementTypeOf(const std::string &type) {
  return type == "f16"   ? ElementType::Float16
         : type == "f32" ? ElementType::Float32
                         : ElementType::Int8;
}

/// %NAMEp and %NAMEm: the tile's pointers to argument %NAME, and its mask.
std::string pointersTo(const std::string &name, bool columnMajor) {
  std::string text = R"(
    %@r0 = tt.make_range {start = 0 : i32, end = ROWS : i32} : tensor<ROWSxi32, #ttg.slice<{dim = 1, parent = L}>>
    %@r1 = tt.expand_dims %@r0 {axis = 1 : i32} : tensor<ROWSxi32, #ttg.slice<{dim = 1, parent = L}>> -> tensor<ROWSx1xi32, L>
    %@r2 = tt.splat %row : i32 -> tensor<ROWSx1xi32, L>
    %@r = arith.addi %@r1, %@r2 : tensor<ROWSx1xi32, L>
    %@c0 = tt.make_range {start = 0 : i32, end = COLS : i32} : tensor<COLSxi32, #ttg.slice<{dim = 0, parent = L}>>
    %@c1 = tt.expand_dims %@c0 {axis = 0 : i32} : tensor<COLSxi32, #ttg.slice<{dim = 0, parent = L}>> -> tensor<1xCOLSxi32, L>
    %@c2 = tt.splat %column : i32 -> tensor<1xCOLSxi32, L>
    %@c = arith.addi %@c1, %@c2 : tensor<1xCOLSxi32, L>
)";
  text += columnMajor ? R"(
    %@ld = tt.splat %pitch : i32 -> tensor<1xCOLSxi32, L>
    %@cs = arith.muli %@c, %@ld : tensor<1xCOLSxi32, L>
    %@rb = tt.broadcast %@r : tensor<ROWSx1xi32, L> -> tensor<ROWSxCOLSxi32, L>
    %@cb = tt.broadcast %@cs : tensor<1xCOLSxi32, L> -> tensor<ROWSxCOLSxi32, L>
)"
                      : R"(
    %@ld = tt.splat %pitch : i32 -> tensor<ROWSx1xi32, L>
    %@rs = arith.muli %@r, %@ld : tensor<ROWSx1xi32, L>
    %@rb = tt.broadcast %@rs : tensor<ROWSx1xi32, L> -> tensor<ROWSxCOLSxi32, L>
    %@cb = tt.broadcast %@c : tensor<1xCOLSxi32, L> -> tensor<ROWSxCOLSxi32, L>
)";
  text += R"(
    %@o = arith.addi %@rb, %@cb : tensor<ROWSxCOLSxi32, L>
    %@s = tt.splat %@ : !tt.ptr<T> -> tensor<ROWSxCOLSx!tt.ptr<T>, L>
    %@p = tt.addptr %@s, %@o : tensor<ROWSxCOLSx!tt.ptr<T>, L>, tensor<ROWSxCOLSxi32, L>
    %@h0 = tt.splat %height : i32 -> tensor<ROWSx1xi32, L>
    %@h1 = arith.cmpi slt, %@r, %@h0 : tensor<ROWSx1xi32, L>
    %@w0 = tt.splat %width : i32 -> tensor<1xCOLSxi32, L>
    %@w1 = arith.cmpi slt, %@c, %@w0 : tensor<1xCOLSxi32, L>
    %@hb = tt.broadcast %@h1 : tensor<ROWSx1xi1, L> -> tensor<ROWSxCOLSxi1, L>
    %@wb = tt.broadcast %@w1 : tensor<1xCOLSxi1, L> -> tensor<ROWSxCOLSxi1, L>
    %@m = arith.andi %@hb, %@wb : tensor<ROWSxCOLSxi1, L>
)";
  return replaceAll(text, "@", name);
}

/// A module with a kernel of these parameters and this body; ROWS, COLS, T and L are the copy's.
std::string moduleOf(const Copy &copy, const std::string &parameters, const std::string &body) {
  std::string text =
      layouts +
      "module attributes {\"ttg.num-ctas\" = 1 : i32, \"ttg.num-warps\" = 4 : i32, ttg.target = "
      "\"xpu:pvc\", \"ttg.threads-per-warp\" = 16 : i32} {\n"
      "  tt.func public @kernel(" +
      parameters + ") attributes {noinline = false} {" + body + "    tt.return\n  }\n}\n";
  text = replaceAll(text, "ROWS", std::to_string(copy.rows));
  text = replaceAll(text, "COLS", std::to_string(copy.columns));
  text = replaceAll(replaceAll(text, "xT,", "x" + copy.type + ","), "<T>", "<" + copy.type + ">");
  return replaceAll(replaceAll(text, ", L>", ", " + copy.layout + ">"), "parent = L}",
                    "parent = " + copy.layout + "}");
}

std::string textOf(const Copy &copy) {
  std::string body = R"(
    %x = tt.get_program_id x : i32
    %y = tt.get_program_id y : i32
    %rows = arith.constant ROWS : i32
    %columns = arith.constant COLS : i32
    %row = arith.muli %x, %rows : i32
    %column = arith.muli %y, %columns : i32
)" + pointersTo("in", copy.columnMajor) +
                     pointersTo("out", copy.columnMajor);
  const std::string zero = copy.type == "i8" ? "0" : "0.0";
  body += copy.masked ? "    %z = arith.constant dense<" + zero + R"(> : tensor<ROWSxCOLSxT, L>
    %v = tt.load %inp, %inm, %z : tensor<ROWSxCOLSx!tt.ptr<T>, L>
    tt.store %outp, %v, %outm : tensor<ROWSxCOLSx!tt.ptr<T>, L>
)"
                      : R"(
    %v = tt.load %inp : tensor<ROWSxCOLSx!tt.ptr<T>, L>
    tt.store %outp, %v : tensor<ROWSxCOLSx!tt.ptr<T>, L>
)";
  return moduleOf(copy,
                  "%in: !tt.ptr<T> {tt.divisibility = 16 : i32}, %out: !tt.ptr<T> "
                  "{tt.divisibility = 16 : i32}, %height: i32, %width: i32, %pitch: i32",
                  body);
}

/// Numbers that all types hold, no two neighbours the same.
HostArray matrixOf(const Copy &copy) {
  HostArray array(elementTypeOf(copy.type), {static_cast<int64_t>(copy.elements())});
  for (size_t i = 0; i < array.size(); ++i)
    array.set(i, static_cast<double>(i * 7 % 127) - 60);
  return array;
}

/// Compiles and runs the copy, and compares all elements of the second matrix. Gives the code.
std::string expectCopied(const Copy &copy) {
  const CompiledKernel kernel = compileGoodText(textOf(copy));
  const HostArray in = matrixOf(copy);
  HostArray out(in.type, in.shape);
  for (size_t i = 0; i < out.size(); ++i)
    out.set(i, 99);
  std::vector<ArgumentValue> arguments = {in, out, int64_t(copy.height), int64_t(copy.width),
                                          int64_t(copy.pitchOf())};
  auto done = runWith(simulate::AsyncCompletion::Late, kernel, arguments,
                      {static_cast<unsigned>(copy.gridX), static_cast<unsigned>(copy.gridY), 1});
  if (!done) {
    ADD_FAILURE() << render(done.error());
    return kernel.llir;
  }
  const auto &result = std::get<HostArray>(arguments[1]);
  std::vector<double> expected(out.size(), 99);
  for (int row = 0; row < std::min(copy.height, copy.gridX * copy.rows); ++row)
    for (int column = 0; column < std::min(copy.width, copy.gridY * copy.columns); ++column)
      expected[copy.at(row, column)] = in.at(copy.at(row, column));
  for (size_t i = 0; i < expected.size(); ++i)
    if (result.at(i) != expected[i]) {
      ADD_FAILURE() << "element " << i << ": got " << result.at(i) << ", expected " << expected[i];
      break;
    }
  return kernel.llir;
}

/// How often the code calls the function.
int countCalls(const std::string &llir, const std::string &function) {
  int count = 0;
  for (size_t at = llir.find("call "); at != std::string::npos; at = llir.find("call ", at + 1))
    count +=
        llir.compare(llir.find('@', at) + 1, 4, "_Z" + std::to_string(function.size())) == 0 &&
        llir.substr(llir.find('@', at), function.size() + 8).find(function) != std::string::npos;
  return count;
}

} // namespace

//===----------------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------------===//

TEST(BlockMessage, OperandA) {
  const std::string llir = expectCopied({});
  EXPECT_EQ(countCalls(llir, "intel_sub_group_2d_block_read_16b_32r16x2c"), 2);
}

TEST(BlockMessage, OperandBPacksRows) {
  const std::string llir =
      expectCopied({.layout = "#b", .rows = 32, .columns = 128, .gridX = 10, .gridY = 2});
  EXPECT_EQ(countCalls(llir, "intel_sub_group_2d_block_read_transform_16b_32r16x2c"), 2);
}

TEST(BlockMessage, OperandBOfColumns) {
  const std::string llir = expectCopied({.layout = "#b",
                                         .rows = 32,
                                         .columns = 128,
                                         .height = 320,
                                         .columnMajor = true,
                                         .gridX = 10,
                                         .gridY = 2});
  EXPECT_EQ(countCalls(llir, "intel_sub_group_2d_block_read_transpose_32b_32r8x1c"), 4);
}

TEST(BlockMessage, ResultIsLoadedAndStored) {
  const std::string llir = expectCopied(
      {.layout = "#mma", .rows = 64, .columns = 64, .type = "f32", .gridX = 5, .gridY = 4});
  EXPECT_EQ(countCalls(llir, "intel_sub_group_2d_block_write_32b_8r16x1c"), 8);
}

TEST(BlockMessage, OtherTypes) {
  expectCopied({.layout = "#a32", .type = "f32"});
  expectCopied(
      {.layout = "#b32", .rows = 32, .columns = 128, .type = "f32", .gridX = 10, .gridY = 2});
  expectCopied(
      {.layout = "#a8", .rows = 128, .columns = 64, .type = "i8", .width = 208, .gridY = 4});
  expectCopied({.layout = "#b8",
                .rows = 64,
                .columns = 128,
                .type = "i8",
                .width = 208,
                .gridX = 5,
                .gridY = 2});
}

//===----------------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------------===//

namespace {

/// Compiles a kernel of Python for sub-groups of 16.
CompiledKernel compileProduct(const std::string &source, const std::string &kernel,
                              const std::string &signature, int numWarps) {
  CompileOptions options = optionsFor("xpu:pvc");
  options.kernel = kernel;
  options.signature = signature;
  options.numWarps = numWarps;
  noteRun();
  CompileResult result = Compiler().compile({"test.py", source}, options);
  for (const Diagnostic &diagnostic : result.diagnostics)
    ADD_FAILURE() << render(diagnostic);
  return result.compilation->kernel;
}

HostArray wholeNumbers(ElementType type, int rows, int columns, unsigned seed) {
  HostArray array(type, {rows, columns});
  const std::vector<float> values = randomWholeNumbers(array.size(), seed, -4, 4);
  for (size_t i = 0; i < array.size(); ++i)
    array.set(i, values[i]);
  return array;
}

struct Sizes {
  int m, n, k;
};

/// Runs it on A [m, k] and B [k, n], stored as [n, k] if `turned`; C has the type `result`.
void expectProduct(const CompiledKernel &kernel, Sizes sizes, bool turned, ElementType result,
                   Grid grid, const std::vector<int64_t> &scalars = {}) {
  const auto [m, n, k] = sizes;
  const HostArray a = wholeNumbers(ElementType::Float16, m, k, 1);
  const HostArray b = wholeNumbers(ElementType::Float16, turned ? n : k, turned ? k : n, 2);
  std::vector<ArgumentValue> arguments = {a, b, HostArray(result, {m, n})};
  arguments.insert(arguments.end(), scalars.begin(), scalars.end());
  auto done = runWith(simulate::AsyncCompletion::Late, kernel, arguments, grid);
  ASSERT_TRUE(done) << render(done.error());
  const auto &c = std::get<HostArray>(arguments[2]);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int l = 0; l < k; ++l)
        sum += a.at(i * k + l) * b.at(turned ? j * k + l : l * n + j);
      ASSERT_EQ(c.at(i * n + j), sum) << i << ", " << j;
    }
}

/// The products of the documents: the sizes of the matrices are part of the program.
const std::string documents = std::string(imports) + R"(
@triton.jit
def ab(a_ptr, b_ptr, c_ptr, N: tl.constexpr, K: tl.constexpr, STRIDE_BK: tl.constexpr,
       STRIDE_BN: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    a_ptrs = a_ptr + rm[:, None] * K + rk[None, :]
    b_ptrs = b_ptr + rk[:, None] * STRIDE_BK + rn[None, :] * STRIDE_BN
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        acc = tl.dot(tl.load(a_ptrs), tl.load(b_ptrs), acc)
        a_ptrs += BK
        b_ptrs += BK * STRIDE_BK
    tl.store(c_ptr + rm[:, None] * N + rn[None, :], acc)
)";

} // namespace

/// The operations of the loop that ends with the last product, each once: LLVM's, and what is
/// called.
static std::set<std::string> operationsOfSteadyLoop(const std::string &llir) {
  // The branch after the last product names the block in which the loop begins, and the next one.
  std::smatch branch;
  const std::string rest = llir.substr(llir.rfind("_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %"));
  EXPECT_TRUE(
      std::regex_search(rest, branch, std::regex("br i1 %\\S+, label %(\\S+), label %([^, ]+)")));
  const size_t begin =
      std::min(llir.find("\n" + branch[1].str() + ":"), llir.find("\n" + branch[2].str() + ":"));
  const size_t end = llir.size() - rest.size() + branch.position();
  EXPECT_LT(begin, end);
  std::set<std::string> operations;
  std::istringstream lines(llir.substr(begin, end - begin));
  const std::regex call(R"(call .*@([\w.]+)\()"), other(R"(^  (?:%\S+ = )?(\w+))");
  for (std::string line; std::getline(lines, line);)
    if (std::smatch name;
        std::regex_search(line, name, call) || std::regex_search(line, name, other))
      if (name[1].str().find("intel_sub_group_") == std::string::npos)
        operations.insert(name[1]);
  return operations;
}

// Tiles of 256 x 256 x 32 and 32 warps: of each operand as many messages as the documents have, a
// prefetch in front of the loop and in it, and nothing in shared memory.
TEST(BlockMessage, ProductsOfTheDocuments) {
  const Sizes sizes = {256, 512, 96};
  for (bool turned : {false, true}) {
    const std::string strides = turned ? "1, 96" : "512, 1";
    const CompiledKernel kernel =
        compileProduct(documents, "ab",
                       "*fp16:64, *fp16:64, *fp32:64, 512, 96, " + strides + ", 256, 256, 32", 32);
    const std::string &llir = kernel.llir;
    EXPECT_EQ(countCalls(llir, "intel_sub_group_2d_block_read_16b_32r16x2c"), 1);
    EXPECT_EQ(countCalls(llir, "intel_sub_group_2d_block_read_transform_16b_32r16x2c"),
              turned ? 0 : 2);
    EXPECT_EQ(countCalls(llir, "intel_sub_group_2d_block_read_transpose_32b_32r8x1c"),
              turned ? 4 : 0);
    EXPECT_EQ(countCalls(llir, "intel_sub_group_f16_f16_matrix_mad_k16"), 32);
    EXPECT_EQ(countCalls(llir, "intel_sub_group_2d_block_prefetch_32b_32r16x1c"), 6);
    EXPECT_EQ(countCalls(llir, "intel_sub_group_2d_block_write_32b_8r16x1c"), 16);
    EXPECT_EQ(kernel.metadata.sharedBytes, 0);
    // But for messages and products: their places, and their registers as other vectors.
    EXPECT_THAT(operationsOfSteadyLoop(llir),
                testing::IsSubsetOf({"phi", "add", "or", "shl", "ashr", "icmp", "br",
                                     "llvm.smin.i32", "insertelement", "extractelement",
                                     "shufflevector", "load", "bitcast"}));
    expectProduct(kernel, sizes, turned, ElementType::Float32, {1, 2, 1});
  }
}

// Sizes that are arguments, masks, and rows that begin anew: by messages where the arguments allow
// it, for all but the tiles at the matrices' ends, and else by gathers.
TEST(BlockMessage, ProductsOfAnySize) {
  const std::string pointers = "*fp16:16, *fp16:16, *fp16:16, ";
  for (bool turned : {false, true}) {
    const CompiledKernel kernel =
        compileProduct(exampleSource("gemm.py"), turned ? "matmul_bt" : "matmul",
                       pointers + "i32, i32, i32, i32, i32, i32, 64, 64, 32, 4", 4);
    for (const Sizes &sizes : {Sizes{128, 128, 64}, {160, 104, 72}, {72, 90, 50}}) {
      const auto [m, n, k] = sizes;
      SCOPED_TRACE(std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k));
      const auto tiles = static_cast<unsigned>((m + 63) / 64 * ((n + 63) / 64));
      expectProduct(kernel, sizes, turned, ElementType::Float16, {tiles, 1, 1},
                    {m, n, k, k, turned ? k : n, n});
    }
  }
}

// Through descriptors, the right one transposed after its load.
TEST(BlockMessage, ProductsThroughDescriptors) {
  const CompiledKernel kernel =
      compileProduct(exampleSource("gemm.py"), "matmul_desc",
                     "*fp16:16, *fp16:16, *fp16:16, i32, i32, i32, 64, 64, 32, 4", 4);
  EXPECT_GT(countCalls(kernel.llir, "intel_sub_group_2d_block_read_transpose_32b_32r8x1c"), 0);
  for (const Sizes &sizes : {Sizes{128, 128, 64}, {80, 72, 40}})
    expectProduct(kernel, sizes, true, ElementType::Float16, {4, 1, 1},
                  {sizes.m, sizes.n, sizes.k});
}

// What lies before a row's first element is no part of the matrix, though a message's surface has
// to begin there: the matrix begins 32 bytes after a multiple of 64.
TEST(BlockMessage, TilesThatBeginBeforeTheMatrix) {
  const std::string source = std::string(imports) + R"(
@triton.jit
def before(a_ptr, b_ptr, c_ptr, START: tl.constexpr, left, K: tl.constexpr):
    begin = (a_ptr.to(tl.int64) + 2 * START).to(tl.pointer_type(tl.float16))
    a = tl.make_tensor_descriptor(begin, [32, K - START], [K, 1], [32, 32])
    b = tl.make_tensor_descriptor(b_ptr, [K, 32], [32, 1], [32, 32])
    acc = tl.zeros((32, 32), dtype=tl.float32)
    for k in range(0, K, 32):
        acc = tl.dot(a.load([0, k - left]), b.load([k, 0]), acc)
    rm = tl.arange(0, 32)
    tl.store(c_ptr + rm[:, None] * 32 + rm[None, :], acc)
)";
  constexpr int start = 16, left = 8, k = 96;
  const CompiledKernel kernel =
      compileProduct(source, "before", "*fp16:16, *fp16:16, *fp32:16, 16, i32:8, 96", 4);
  EXPECT_GT(countCalls(kernel.llir, "intel_sub_group_2d_block_read_16b_16r16x2c"), 0);
  const HostArray a = wholeNumbers(ElementType::Float16, 32, k, 1);
  const HostArray b = wholeNumbers(ElementType::Float16, k, 32, 2);
  std::vector<ArgumentValue> arguments = {a, b, HostArray(ElementType::Float32, {32, 32}),
                                          int64_t(left)};
  auto done = runWith(simulate::AsyncCompletion::Late, kernel, arguments);
  ASSERT_TRUE(done) << render(done.error());
  const auto &c = std::get<HostArray>(arguments[2]);
  for (int i = 0; i < 32; ++i)
    for (int j = 0; j < 32; ++j) {
      double sum = 0;
      for (int l = left; l < k; ++l)
        if (start + l - left < k)
          sum += a.at(i * k + start + l - left) * b.at(l * 32 + j);
      ASSERT_EQ(c.at(i * 32 + j), sum) << i << ", " << j;
    }
}

// Of all rows out of bounds none is read, however far they are.
TEST(BlockMessage, RowsOf64Bits) {
  const std::string source = std::string(imports) + R"(
@triton.jit
def far(a_ptr, b_ptr, c_ptr, first, M, BLOCK: tl.constexpr):
    r = tl.arange(0, BLOCK)
    rm = first + r.to(tl.int64)
    a = tl.load(a_ptr + rm[:, None] * BLOCK + r[None, :], mask=rm[:, None] < M, other=0.0)
    b = tl.load(b_ptr + r[:, None] * BLOCK + r[None, :])
    tl.store(c_ptr + r[:, None] * BLOCK + r[None, :], tl.dot(a, b))
)";
  const CompiledKernel kernel =
      compileProduct(source, "far", "*fp16:64, *fp16:64, *fp32:64, i64, i64, 32", 4);
  const HostArray a = wholeNumbers(ElementType::Float16, 32, 32, 1);
  for (int64_t first : {int64_t(1) << 31, int64_t(1) << 32}) {
    std::vector<ArgumentValue> arguments = {a, a, HostArray(ElementType::Float32, {32, 32}), first,
                                            int64_t(32)};
    auto done = runWith(simulate::AsyncCompletion::Late, kernel, arguments);
    ASSERT_TRUE(done) << render(done.error());
    const auto &c = std::get<HostArray>(arguments[2]);
    for (size_t i = 0; i < c.size(); ++i)
      ASSERT_EQ(c.at(i), 0) << i;
  }
}

//===----------------------------------------------------------------------------===//
// Rules that are tested when the kernel runs
//===----------------------------------------------------------------------------===//

TEST(BlockMessage, MatricesThatBreakARule) {
  // Rows of 30 bytes; of no multiple of 4 bytes; apart by no multiple of 16 bytes; columns less
  // than 64 bytes.
  for (auto [width, pitch] : {std::pair{15, 15}, {199, 200}, {200, 204}, {24, 32}}) {
    SCOPED_TRACE(std::to_string(width) + " of " + std::to_string(pitch));
    expectCopied({.width = width, .pitch = pitch});
  }
  // Without masks, whole tiles.
  expectCopied({.height = 256, .width = 64, .gridX = 2, .gridY = 2, .masked = false});
  expectCopied({.height = 256, .width = 64, .pitch = 68, .gridX = 2, .gridY = 2, .masked = false});
}

//===----------------------------------------------------------------------------===//
// Messages that are wrong
//===----------------------------------------------------------------------------===//

namespace {

/// A message by hand: base, in elements from the matrix's beginning; row, column; height, width
/// and pitch.
struct Message {
  int base = 0, row = 0, column = 0, height = 128, width = 64, pitch = 64;
};

const std::string loadText = R"(
    %at = tt.addptr %in, %base : !tt.ptr<T>, i32
    %v = ttig.block_load %at[%r, %c] of [%h, %w] pitch %p : !tt.ptr<T> -> tensor<ROWSxCOLSxT, L>
)";
const std::string prefetchText = R"(
    %at = tt.addptr %in, %base : !tt.ptr<T>, i32
    ttig.block_prefetch %at[%r, %c] of [%h, %w] pitch %p : !tt.ptr<T>, tensor<ROWSxCOLSxT, L>
    %v = arith.constant dense<0.0> : tensor<ROWSxCOLSxT, L>
)";

/// Runs a message on a matrix of 128 x 64; the error, or "no error".
std::string errorOf(const Message &m, const std::string &message = loadText) {
  Copy copy;
  std::string body = message + R"(
    %row = arith.constant 0 : i32
    %column = arith.constant 0 : i32
    %pitch = arith.constant 64 : i32
    %height = arith.constant 128 : i32
    %width = arith.constant 32 : i32
)" + pointersTo("out", false) +
                     "    tt.store %outp, %v, %outm : tensor<ROWSxCOLSx!tt.ptr<T>, L>\n";
  const std::string text = moduleOf(copy,
                                    "%in: !tt.ptr<T> {tt.divisibility = 16 : i32}, %out: "
                                    "!tt.ptr<T> {tt.divisibility = 64 : i32}, %base: i32, %r: i32, "
                                    "%c: i32, %h: i32, %w: i32, %p: i32",
                                    body);
  const CompiledKernel kernel = compileGoodText(text);
  HostArray in(ElementType::Float16, {128 * 64}), out(ElementType::Float16, {128 * 64});
  std::vector<ArgumentValue> arguments = {in,
                                          out,
                                          int64_t(m.base),
                                          int64_t(m.row),
                                          int64_t(m.column),
                                          int64_t(m.height),
                                          int64_t(m.width),
                                          int64_t(m.pitch)};
  auto done = runWith(simulate::AsyncCompletion::Late, kernel, arguments);
  const std::string where = lineOf(text, message == loadText ? "block_load" : "block_prefetch");
  if (done)
    return "no error";
  const std::string error = render(done.error());
  EXPECT_THAT(error, StartsWith(where));
  return error;
}

} // namespace

TEST(BlockMessageFault, RulesOfSurfaces) {
  EXPECT_EQ(errorOf({}), "no error");
  // Any row, and any even column, may be out of bounds.
  EXPECT_EQ(errorOf({.row = -8, .column = -2}), "no error");
  EXPECT_EQ(errorOf({.row = 1000, .column = 1000}), "no error");
  EXPECT_THAT(errorOf({.base = 16}), HasSubstr("the base address is"));
  EXPECT_THAT(errorOf({.column = 1}), HasSubstr("the x offset in elements is 1"));
  EXPECT_THAT(errorOf({.height = 0}), HasSubstr("the base height in rows is 0; at least 1"));
  EXPECT_THAT(errorOf({.width = 30}), HasSubstr("the base width in bytes is 60; at least 64"));
  EXPECT_THAT(errorOf({.width = 63}), HasSubstr("is 126; it must be a multiple of 4"));
  EXPECT_THAT(errorOf({.pitch = 68}), HasSubstr("is 136; it must be a multiple of 16"));
  EXPECT_THAT(errorOf({.width = 64, .pitch = 56}), HasSubstr("must not be below the base width"));
  EXPECT_THAT(errorOf({.pitch = 1 << 24}), HasSubstr("the base pitch in bytes is"));
}

TEST(BlockMessageFault, BytesInNoBuffer) {
  EXPECT_THAT(errorOf({.row = 96, .height = 136}), HasSubstr("it is in no buffer"));
  EXPECT_THAT(errorOf({.base = 64}), HasSubstr("it is in no buffer"));
}

TEST(BlockMessageFault, PrefetchesKeepTheRules) {
  EXPECT_EQ(errorOf({}, prefetchText), "no error");
  EXPECT_THAT(errorOf({.pitch = 68}, prefetchText), HasSubstr("it must be a multiple of 16"));
}
