//===- MatrixAccessTest.cpp - ldmatrix and stmatrix ---------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// What they move is compared with the definition, element by element, with rows anywhere in
// memory; and every check catches its planted fault.
//
//===--------------------------------------------------------------------------===//

#include "TestKernels.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <random>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::test;
using runtime::ArgumentValue;
using runtime::HostArray;
using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace {

struct Form {
  unsigned matrices;
  bool transposed;

  std::string suffix() const {
    return ".sync.aligned.m8n8.x" + std::to_string(matrices) + (transposed ? ".trans" : "") +
           ".b16.p3";
  }
  std::string words() const {
    std::string list = "i32";
    for (unsigned i = 1; i < matrices; ++i)
      list += ", i32";
    return matrices == 1 ? list : "{" + list + "}";
  }
};

const Form forms[] = {{1, false}, {2, false}, {4, false}, {1, true}, {2, true}, {4, true}};

std::string declarationsOf(const Form &form) {
  std::string store = "declare void @llvm.nvvm.stmatrix" + form.suffix() + "(ptr addrspace(3)";
  for (unsigned i = 0; i < form.matrices; ++i)
    store += ", i32";
  return "declare " + form.words() + " @llvm.nvvm.ldmatrix" + form.suffix() +
         "(ptr addrspace(3))\n" + store + ")\ndeclare void @llvm.nvvm.bar.warp.sync(i32)\n";
}

const char barrier[] = "call void @llvm.nvvm.bar.warp.sync(i32 -1)\n";

/// %NAME_m for each matrix: word 4t + m of the argument.
std::string readWords(const Form &form, const std::string &name, const std::string &argument) {
  std::string text;
  for (unsigned m = 0; m < form.matrices; ++m) {
    std::string word = "%" + name + "_" + std::to_string(m);
    text += word + "_i = add i32 %t4, " + std::to_string(m) + "\n" + word +
            "_p = getelementptr i32, ptr addrspace(1) %" + argument + ", i32 " + word + "_i\n" +
            word + " = load i32, ptr addrspace(1) " + word + "_p, align 4\n";
  }
  return text;
}

/// Stores the words of `in` as matrices, or loads them to `out`. %row is the lane's address.
std::string storeMatrices(const Form &form) {
  std::string text = readWords(form, "w", "in") + "call void @llvm.nvvm.stmatrix" + form.suffix() +
                     "(ptr addrspace(3) %row";
  for (unsigned m = 0; m < form.matrices; ++m)
    text += ", i32 %w_" + std::to_string(m);
  return text + "), !dbg !1000\n";
}

std::string loadMatrices(const Form &form) {
  std::string text = "%r = call " + form.words() + " @llvm.nvvm.ldmatrix" + form.suffix() +
                     "(ptr addrspace(3) %row), !dbg !2000\n";
  for (unsigned m = 0; m < form.matrices; ++m) {
    std::string number = std::to_string(m), value = "%r";
    if (form.matrices > 1) {
      value = "%r" + number;
      text += value + " = extractvalue " + form.words() + " %r, " + number + "\n";
    }
    text += "%oi" + number + " = add i32 %t4, " + number + "\n%o" + number +
            " = getelementptr i32, ptr addrspace(1) %out, i32 %oi" + number + "\nstore i32 " +
            value + ", ptr addrspace(1) %o" + number + ", align 4\n";
  }
  return text;
}

/// Each thread copies 16 bytes between a global array and its own part of shared memory.
const char fill[] = R"(
    %gs = getelementptr i8, ptr addrspace(1) %memory, i32 %t16
    %fv = load <4 x i32>, ptr addrspace(1) %gs, align 16
    %fp = getelementptr i8, ptr addrspace(3) @global_smem, i32 %t16
    store <4 x i32> %fv, ptr addrspace(3) %fp, align 16
)";
const char dump[] = R"(
    %gd = getelementptr i8, ptr addrspace(1) %memory, i32 %t16
    %dp = getelementptr i8, ptr addrspace(3) @global_smem, i32 %t16
    %dv = load <4 x i32>, ptr addrspace(3) %dp, align 16, !dbg !2000
    store <4 x i32> %dv, ptr addrspace(1) %gd, align 16
)";

constexpr int sharedBytes = 512;

/// A kernel of one warp: `rows` has each lane's row (in bytes from the start), `in` and `out` four
/// words a lane, `memory` what is in shared memory.
CompiledKernel makeMatrixKernel(const Form &form, const std::string &body,
                                const std::string &row = R"(
    %rp = getelementptr i32, ptr addrspace(1) %rows, i32 %t
    %offset = load i32, ptr addrspace(1) %rp, align 4
    %row = getelementptr i8, ptr addrspace(3) @global_smem, i32 %offset
)") {
  return makeKernel("rows: *i32, in: *i32, out: *i32, memory: *i32",
                    declarationsOf(form) +
                        "define ptx_kernel void @k(ptr addrspace(1) %rows, ptr addrspace(1) %in, "
                        "ptr addrspace(1) %out, ptr addrspace(1) %memory) {\n"
                        "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                        "  %t4 = shl i32 %t, 2\n  %t16 = shl i32 %t, 4\n" +
                        row + body + "ret void\n}\n",
                    1, sharedBytes);
}

/// 16-bit element `index` of an array of words.
uint16_t halfOf(const HostArray &array, int64_t index) {
  return static_cast<uint16_t>(static_cast<uint64_t>(array.at(index / 2)) >> 16 * (index % 2));
}

HostArray countingHalves(int64_t words, int first) {
  HostArray array = ints(words);
  for (int64_t i = 0; i < words; ++i)
    array.setInteger(i, (first + 2 * i) | (first + 2 * i + 1) << 16);
  return array;
}

/// Row offsets at random, no two the same: lanes beyond the matrices name no memory at all.
HostArray randomRows(std::mt19937 &random, unsigned matrices) {
  std::vector<int> places(32);
  for (int i = 0; i < 32; ++i)
    places[i] = 16 * i;
  std::shuffle(places.begin(), places.end(), random);
  HostArray rows = ints(32);
  for (unsigned lane = 0; lane < 32; ++lane)
    rows.setInteger(lane, lane < 8 * matrices ? places[lane] : 1 << 20 | 1);
  return rows;
}

/// By the definition: the lane and the half of its word that hold an element.
std::pair<int, int> holderOf(bool transposed, int row, int column) {
  return transposed ? std::pair(4 * column + row / 2, row % 2)
                    : std::pair(4 * row + column / 2, column % 2);
}

/// Calls `check(element in memory, element among the lanes' words)` for all elements.
void forEachElement(const Form &form, const HostArray &rows,
                    const std::function<void(int64_t, int64_t)> &check) {
  for (unsigned m = 0; m < form.matrices; ++m)
    for (int row = 0; row < 8; ++row)
      for (int column = 0; column < 8; ++column) {
        auto [lane, half] = holderOf(form.transposed, row, column);
        check(static_cast<int64_t>(rows.at(8 * m + row)) / 2 + column,
              2 * (4 * lane + int64_t(m)) + half);
      }
}

std::string faultOf(const Form &form, const std::string &body, const std::string &row) {
  return errorOf(makeMatrixKernel(form, body, row), {ints(32), ints(128), ints(128), ints(128)});
}

/// %row for lane t at `scale` * t + `shift`.
std::string rowAt(int scale, int shift) {
  return "%scaled = mul i32 %t, " + std::to_string(scale) + "\n%offset = add i32 %scaled, " +
         std::to_string(shift) +
         "\n%row = getelementptr i8, ptr addrspace(3) @global_smem, i32 %offset\n";
}

} // namespace

TEST(MatrixLoad, EveryElement) {
  std::mt19937 random(1);
  for (const Form &form : forms) {
    HostArray rows = randomRows(random, form.matrices), memory = countingHalves(128, 1000);
    std::vector<ArgumentValue> arguments = {rows, ints(128), ints(128), memory};
    Expected<void> done = Launcher().run(
        makeMatrixKernel(form, std::string(fill) + barrier + loadMatrices(form)), arguments);
    ASSERT_TRUE(done) << render(done.error());
    const auto &out = std::get<HostArray>(arguments[2]);
    forEachElement(form, rows, [&](int64_t place, int64_t held) {
      EXPECT_EQ(halfOf(out, held), halfOf(memory, place)) << form.suffix();
    });
  }
}

TEST(MatrixStore, EveryElement) {
  std::mt19937 random(2);
  for (const Form &form : forms) {
    HostArray rows = randomRows(random, form.matrices), in = countingHalves(128, 1);
    std::vector<ArgumentValue> arguments = {rows, in, ints(128), countingHalves(128, 1000)};
    Expected<void> done = Launcher().run(
        makeMatrixKernel(form, fill + std::string(barrier) + storeMatrices(form) + barrier + dump),
        arguments);
    ASSERT_TRUE(done) << render(done.error());
    const auto &memory = std::get<HostArray>(arguments[3]);
    int changed = 0;
    forEachElement(form, rows, [&](int64_t place, int64_t held) {
      EXPECT_EQ(halfOf(memory, place), halfOf(in, held)) << form.suffix();
    });
    for (int64_t i = 0; i < 256; ++i)
      changed += halfOf(memory, i) < 1000;
    EXPECT_EQ(changed, 64 * int(form.matrices)) << "nothing else is stored to";
  }
}

TEST(MatrixLoad, Misaligned) {
  std::string error = faultOf({1, false}, loadMatrices({1, false}), rowAt(16, 8));
  EXPECT_THAT(error, StartsWith("kernel.py:20:9: error: misaligned load of 16 bytes: the address "
                                "must be a multiple of 16, and is 8 more than one\n"));
  EXPECT_THAT(error, Not(HasSubstr("signature")));
}

TEST(MatrixStore, Misaligned) {
  EXPECT_THAT(faultOf({1, false}, storeMatrices({1, false}), rowAt(16, 4)),
              StartsWith("kernel.py:10:7: error: misaligned store of 16 bytes"));
}

TEST(MatrixLoad, OutOfBounds) {
  std::string error =
      faultOf({4, false}, fill + std::string(barrier) + loadMatrices({4, false}), rowAt(16, 32));
  EXPECT_THAT(error, StartsWith("kernel.py:20:9: error: load of 16 bytes at offset 512 outside of "
                                "shared memory, which has 512 bytes\n"));
  EXPECT_THAT(error, HasSubstr("thread 30 (warp 0, lane 30)"));
}

TEST(MatrixStore, OutOfBounds) {
  EXPECT_THAT(faultOf({2, false}, storeMatrices({2, false}), rowAt(16, -16)),
              StartsWith("kernel.py:10:7: error: store of 16 bytes at offset -16 outside"));
}

TEST(MatrixLoad, Uninitialized) {
  // Only the first two matrices are stored; the third is found missing.
  EXPECT_EQ(faultOf({2, false}, storeMatrices({2, false}) + barrier + loadMatrices({2, false}),
                    rowAt(16, 0)),
            "no error");
  std::string body = storeMatrices({2, false}) + barrier + loadMatrices({4, false});
  std::string error =
      errorOf(makeKernel("rows: *i32, in: *i32, out: *i32, memory: *i32",
                         declarationsOf({2, false}) +
                             "declare {i32, i32, i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8."
                             "x4.b16.p3(ptr addrspace(3))\n"
                             "define ptx_kernel void @k(ptr addrspace(1) %rows, ptr addrspace(1) "
                             "%in, ptr addrspace(1) %out, ptr addrspace(1) %memory) {\n"
                             "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                             "  %t4 = shl i32 %t, 2\n" +
                             rowAt(16, 0) + body + "ret void\n}\n",
                         1, sharedBytes),
              {ints(32), ints(128), ints(128), ints(128)});
  EXPECT_THAT(error, StartsWith("kernel.py:20:9: error: load of 16 bytes of shared memory that "
                                "nothing has been stored to, at byte 256\n"));
}

TEST(MatrixAccess, LanesThatDoNotTakePart) {
  for (bool loads : {true, false}) {
    Form form{4, false};
    std::string error = faultOf(form,
                                std::string(fill) + barrier +
                                    R"(
      %low = icmp ult i32 %t, 16
      br i1 %low, label %then, label %join
    then:
)" + (loads ? loadMatrices(form) : storeMatrices(form)) +
                                    "br label %join\n    join:\n",
                                rowAt(16, 0));
    EXPECT_THAT(error, HasSubstr(std::string("the threads of a block wait for each other for "
                                             "ever: 16 threads wait at ") +
                                 (loads ? "ldmatrix" : "stmatrix")));
  }
}

TEST(MatrixAccess, WithoutABarrierBefore) {
  Form form{4, false};
  std::string error = faultOf(form, fill + loadMatrices(form), rowAt(16, 0));
  EXPECT_THAT(error, StartsWith("kernel.py:20:9: error: race in shared memory: a write and then a "
                                "read of byte 4 by two threads"));
}

TEST(MatrixAccess, WithoutABarrierAfter) {
  Form form{4, false};
  EXPECT_THAT(faultOf(form, storeMatrices(form) + dump, rowAt(16, 0)),
              StartsWith("kernel.py:20:9: error: race in shared memory: a write and then a read"));
  // A load does not order what comes after it, either.
  EXPECT_THAT(faultOf(form, fill + std::string(barrier) + loadMatrices(form) + storeMatrices(form),
                      rowAt(16, 0)),
              "no error");
  EXPECT_THAT(faultOf(form, fill + std::string(barrier) + loadMatrices(form) + R"(
    store i32 0, ptr addrspace(3) %row, align 4, !dbg !1000
)",
                      rowAt(16, 0)),
              StartsWith("kernel.py:10:7: error: race in shared memory: a read and then a write"));
}

TEST(MatrixAccess, RowsThatOverlap) {
  EXPECT_THAT(faultOf({1, false}, storeMatrices({1, false}), rowAt(0, 0)),
              StartsWith("kernel.py:10:7: error: race in shared memory: two writes of byte 0"));
}

// Eight rows a pass: rows side by side fill all banks; rows 128 bytes apart share four.
TEST(MatrixAccess, Transactions) {
  struct Case {
    Form form;
    int scale;
    uint64_t transactions, ideal;
  };
  const Case cases[] = {{{4, false}, 16, 4, 4}, {{4, true}, 16, 4, 4},   {{1, false}, 16, 1, 1},
                        {{1, false}, 32, 2, 1}, {{2, true}, 32, 4, 2},   {{1, false}, 48, 1, 1},
                        {{1, false}, 64, 4, 1}, {{4, false}, 128, 32, 4}};
  for (const Case &test : cases) {
    SimulatorOptions options;
    options.count = true;
    Launcher launcher(options);
    CompiledKernel kernel =
        makeMatrixKernel(test.form, storeMatrices(test.form) + barrier + loadMatrices(test.form),
                         rowAt(test.scale, 0));
    kernel.metadata.sharedBytes = 4096;
    std::vector<ArgumentValue> arguments = {ints(32), ints(128), ints(128), ints(128)};
    Expected<void> done = launcher.run(kernel, arguments);
    ASSERT_TRUE(done) << render(done.error());
    Traffic total = launcher.simulator->report().total();
    for (const SharedTraffic &traffic : {total.sharedLoads, total.sharedStores}) {
      EXPECT_EQ(traffic.accesses, 1u);
      EXPECT_EQ(traffic.transactions, test.transactions) << test.form.suffix() << " " << test.scale;
      EXPECT_EQ(traffic.idealTransactions, test.ideal) << test.form.suffix() << " " << test.scale;
    }
  }
}

// Other shapes and element types are for other hardware.
TEST(MatrixAccess, UnknownForm) {
  CompiledKernel kernel = makeKernel("x: *i32", R"(
    declare {i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m16n16.x1.trans.b8.p3(ptr addrspace(3))
    define ptx_kernel void @k(ptr addrspace(1) %x) {
      %r = call {i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m16n16.x1.trans.b8.p3(ptr addrspace(3) @global_smem), !dbg !1000
      ret void
    })",
                                     1, sharedBytes);
  EXPECT_THAT(errorOf(kernel, {ints(32)}),
              HasSubstr("the simulator does not know the function 'llvm.nvvm.ldmatrix"));
}
