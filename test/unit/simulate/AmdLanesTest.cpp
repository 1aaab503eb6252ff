//===- AmdLanesTest.cpp - Operations across a wave against their tables -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The models here move whole rows about, as the ISA manuals' pictures do, where the simulator
// computes the lane that each lane reads from.
//
//===--------------------------------------------------------------------------===//

#include "TestKernels.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::test;
using runtime::HostArray;
using ::testing::HasSubstr;

namespace {
/// The lane whose value is in each place; or what is there instead of one.
constexpr int Nothing = -1;
using Row = std::vector<int>;

/// The values of the lanes, and what they have beforehand in the place of the result.
int valueOf(int lane) { return 1000 + lane; }
int oldOf(int lane) { return 5000 + lane; }

struct Control {
  std::string name;
  int code;
  std::function<Row(Row)> move;
};
} // namespace

static Row shifted(const Row &row, int towardsHigher) {
  Row result(row.size(), Nothing);
  for (int place = 0; place < static_cast<int>(row.size()); ++place)
    if (int target = place + towardsHigher; target >= 0 && target < static_cast<int>(row.size()))
      result[target] = row[place];
  return result;
}

/// All DPP controls of RDNA 3 and 4.
static std::vector<Control> allControls() {
  std::vector<Control> controls;
  auto add = [&](const std::string &name, int code, std::function<Row(Row)> move) {
    controls.push_back({name, code, std::move(move)});
  };
  for (int code = 0; code < 256; ++code)
    add("quad_perm " + std::to_string(code), code, [code](Row row) {
      Row result = row;
      for (int quad = 0; quad < 4; ++quad) {
        int selectors = code;
        for (int place = 0; place < 4; ++place, selectors /= 4)
          result[4 * quad + place] = row[4 * quad + selectors % 4];
      }
      return result;
    });
  for (int n = 1; n < 16; ++n) {
    std::string number = std::to_string(n);
    add("row_shl:" + number, 0x100 + n, [n](Row row) { return shifted(row, -n); });
    add("row_shr:" + number, 0x110 + n, [n](Row row) { return shifted(row, n); });
    add("row_ror:" + number, 0x120 + n, [n](Row row) {
      std::rotate(row.rbegin(), row.rbegin() + n, row.rend());
      return row;
    });
  }
  add("row_mirror", 0x140, [](Row row) {
    std::reverse(row.begin(), row.end());
    return row;
  });
  add("row_half_mirror", 0x141, [](Row row) {
    std::reverse(row.begin(), row.begin() + 8);
    std::reverse(row.begin() + 8, row.end());
    return row;
  });
  for (int n = 0; n < 16; ++n) {
    std::string number = std::to_string(n);
    add("row_share:" + number, 0x150 + n, [n](Row row) { return Row(16, row[n]); });
    add("row_xmask:" + number, 0x160 + n, [n](Row row) {
      Row result = row;
      for (int place = 0; place < 16; ++place)
        result[place ^ n] = row[place];
      return result;
    });
  }
  return controls;
}

static std::vector<int> expectedDpp(const Control &control, int rowMask, int bankMask,
                                    bool zeroOutside) {
  std::vector<int> result;
  for (int row = 0; row < 2; ++row) {
    Row lanes(16);
    for (int place = 0; place < 16; ++place)
      lanes[place] = 16 * row + place;
    Row moved = control.move(lanes);
    for (int place = 0; place < 16; ++place) {
      int lane = lanes[place];
      bool written = (rowMask >> row & 1) && (bankMask >> place / 4 & 1);
      if (!written)
        result.push_back(oldOf(lane));
      else if (moved[place] == Nothing)
        result.push_back(zeroOutside ? 0 : oldOf(lane));
      else
        result.push_back(valueOf(moved[place]));
    }
  }
  return result;
}

TEST(AmdDpp, EveryControl) {
  std::vector<Control> controls = allControls();
  ASSERT_EQ(controls.size(), 256u + 45 + 2 + 32);
  // Each control with all lanes written, and with some masks and the other way with what is
  // outside; in kernels of some controls each.
  struct Case {
    const Control *control;
    int rowMask, bankMask;
    bool zero;
  };
  std::vector<Case> cases;
  int number = 0;
  for (const Control &control : controls) {
    cases.push_back({&control, 15, 15, true});
    cases.push_back({&control, number % 4, number / 4 % 16, number % 3 == 0});
    if (control.code >= 0x100)
      cases.push_back({&control, 15, 15, false});
    ++number;
  }
  for (size_t begin = 0; begin < cases.size(); begin += 128) {
    size_t end = std::min(begin + 128, cases.size());
    std::string body = "%v = add i32 %t, 1000\n%old = add i32 %t, 5000\n";
    for (size_t i = begin; i < end; ++i)
      body += "%r" + std::to_string(i - begin) +
              " = call i32 @llvm.amdgcn.update.dpp.i32(i32 %old, i32 %v, i32 " +
              std::to_string(cases[i].control->code) + ", i32 " + std::to_string(cases[i].rowMask) +
              ", i32 " + std::to_string(cases[i].bankMask) + ", i1 " +
              (cases[i].zero ? "true" : "false") + ")\n";
    HostArray out = amdLanes.run(
        "declare i32 @llvm.amdgcn.update.dpp.i32(i32, i32, i32, i32, i32, i1)", body, end - begin);
    for (size_t i = begin; i < end; ++i) {
      std::vector<int> expected =
          expectedDpp(*cases[i].control, cases[i].rowMask, cases[i].bankMask, cases[i].zero);
      for (int lane = 0; lane < 32; ++lane)
        ASSERT_EQ(out.at((i - begin) * 32 + lane), expected[lane])
            << cases[i].control->name << " rows " << cases[i].rowMask << " banks "
            << cases[i].bankMask << " lane " << lane;
    }
  }
}

TEST(AmdDpp, ControlsOfOtherGenerations) {
  // wave_shl:1, row_bcast:15, and shifts by nothing.
  for (int code : {0x100, 0x110, 0x120, 0x130, 0x142, 0x143, 0x170, 0x1ff})
    EXPECT_THAT(amdLanes.error("declare i32 @llvm.amdgcn.mov.dpp.i32(i32, i32, i32, i32, i1)",
                               "%r0 = call i32 @llvm.amdgcn.mov.dpp.i32(i32 %t, i32 " +
                                   std::to_string(code) +
                                   ", i32 15, i32 15, i1 true), !dbg !1000\n"),
                HasSubstr("kernel.py:10:7: error: the simulator does not know the function "
                          "'llvm.amdgcn.mov.dpp.i32'"))
        << code;
}

TEST(AmdDpp, OtherTypesAndForms) {
  HostArray out = amdLanes.run(R"(
    declare float @llvm.amdgcn.update.dpp.f32(float, float, i32, i32, i32, i1)
    declare i64 @llvm.amdgcn.update.dpp.i64(i64, i64, i32, i32, i32, i1)
    declare i32 @llvm.amdgcn.mov.dpp.i32(i32, i32, i32, i32, i1)
    declare i32 @llvm.amdgcn.mov.dpp8.i32(i32, i32))",
                               R"(
    %f = sitofp i32 %t to float
    %mirrored = call float @llvm.amdgcn.update.dpp.f32(float poison, float %f, i32 320, i32 15, i32 15, i1 true)
    %r0 = fptosi float %mirrored to i32
    %wide = zext i32 %t to i64
    %both = mul i64 %wide, 4294967297
    %moved = call i64 @llvm.amdgcn.update.dpp.i64(i64 0, i64 %both, i32 353, i32 15, i32 15, i1 true)
    %high = lshr i64 %moved, 32
    %sum = add i64 %moved, %high
    %r1 = trunc i64 %sum to i32
    %r2 = call i32 @llvm.amdgcn.mov.dpp.i32(i32 %t, i32 257, i32 15, i32 15, i1 false)
    %r3 = call i32 @llvm.amdgcn.mov.dpp8.i32(i32 %t, i32 2054353))", // 0x1f58d1
                               4);
  const int selectors = 0x1f58d1;
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(out.at(lane), lane / 16 * 16 + 15 - lane % 16);
    EXPECT_EQ(out.at(32 + lane), 2 * (lane ^ 1));
    // What is outside of the row is not defined, and shows.
    EXPECT_EQ(out.at(64 + lane), lane % 16 == 15 ? -1 : lane + 1);
    EXPECT_EQ(out.at(96 + lane), lane / 8 * 8 + (selectors >> 3 * (lane % 8)) % 8);
  }
}

TEST(AmdSwizzle, BitMode) {
  std::string body = "%v = add i32 %t, 1000\n";
  std::vector<int> modes;
  for (int i = 0; i < 128; ++i)
    modes.push_back(i * 2654435761u >> 7 & 0x7fff);
  modes[0] = 0x1f; // as it is
  modes[1] = 0x1f | 16 << 10;
  for (size_t i = 0; i < modes.size(); ++i)
    body += "%r" + std::to_string(i) + " = call i32 @llvm.amdgcn.ds.swizzle(i32 %v, i32 " +
            std::to_string(modes[i]) + ")\n";
  HostArray out = amdLanes.run("declare i32 @llvm.amdgcn.ds.swizzle(i32, i32)", body, modes.size());
  for (size_t i = 0; i < modes.size(); ++i)
    for (int lane = 0; lane < 32; ++lane) {
      // Bit by bit.
      int source = 0;
      for (int bit = 0; bit < 5; ++bit) {
        bool value = lane >> bit & 1;
        value = value && (modes[i] >> bit & 1);
        value = value || (modes[i] >> (5 + bit) & 1);
        if (modes[i] >> (10 + bit) & 1)
          value = !value;
        source |= value << bit;
      }
      ASSERT_EQ(out.at(i * 32 + lane), valueOf(source)) << "mode " << modes[i] << " lane " << lane;
    }
}

TEST(AmdSwizzle, QuadMode) {
  std::string body = "%v = add i32 %t, 1000\n";
  for (int i = 0; i < 256; ++i)
    body += "%r" + std::to_string(i) + " = call i32 @llvm.amdgcn.ds.swizzle(i32 %v, i32 " +
            std::to_string(0x8000 + i) + ")\n";
  HostArray out = amdLanes.run("declare i32 @llvm.amdgcn.ds.swizzle(i32, i32)", body, 256);
  for (int i = 0; i < 256; ++i)
    for (int lane = 0; lane < 32; ++lane)
      ASSERT_EQ(out.at(i * 32 + lane), valueOf(lane - lane % 4 + (i >> 2 * (lane % 4)) % 4));
  EXPECT_THAT(amdLanes.error("declare i32 @llvm.amdgcn.ds.swizzle(i32, i32)",
                             "%r0 = call i32 @llvm.amdgcn.ds.swizzle(i32 %t, i32 49152)\n"),
              HasSubstr("does not know the function 'llvm.amdgcn.ds.swizzle'"));
}

TEST(AmdPermute, BackwardAndForward) {
  // Lane t names lane 7 t + 3, of which the lowest two bits and those above the wave are ignored.
  HostArray out = amdLanes.run(R"(
    declare i32 @llvm.amdgcn.ds.bpermute(i32, i32)
    declare i32 @llvm.amdgcn.ds.permute(i32, i32))",
                               R"(
    %v = add i32 %t, 1000
    %a = mul i32 %t, 7
    %b = add i32 %a, 3
    %c = shl i32 %b, 2
    %address = add i32 %c, 1
    %r0 = call i32 @llvm.amdgcn.ds.bpermute(i32 %address, i32 %v)
    %r1 = call i32 @llvm.amdgcn.ds.permute(i32 %address, i32 %v)
    %half = and i32 %c, 56
    %r2 = call i32 @llvm.amdgcn.ds.permute(i32 %half, i32 %v))",
                               3);
  std::vector<int> once(32), several(32);
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(out.at(lane), valueOf((7 * lane + 3) % 32));
    once[(7 * lane + 3) % 32] = valueOf(lane);
    several[(7 * lane + 3) & 14] = valueOf(lane);
  }
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(out.at(32 + lane), once[lane]);
    EXPECT_EQ(out.at(64 + lane), several[lane]);
  }
}

TEST(AmdPermute, Rows) {
  // Nibble i of 0xfedcba98'76543210 multiplied about: 5 i + 2.
  uint64_t selectors = 0;
  std::vector<int> places;
  for (int i = 0; i < 16; ++i) {
    places.push_back((5 * i + 2) % 16);
    selectors |= uint64_t(places.back()) << 4 * i;
  }
  std::string low = std::to_string(static_cast<int32_t>(selectors)),
              high = std::to_string(static_cast<int32_t>(selectors >> 32));
  HostArray out = amdLanes.run(R"(
    declare i32 @llvm.amdgcn.permlane16.i32(i32, i32, i32, i32, i1, i1)
    declare i32 @llvm.amdgcn.permlanex16.i32(i32, i32, i32, i32, i1, i1)
    declare i32 @llvm.amdgcn.permlane16.var(i32, i32, i32, i1, i1)
    declare i32 @llvm.amdgcn.permlanex16.var(i32, i32, i32, i1, i1))",
                               "%v = add i32 %t, 1000\n"
                               "%r0 = call i32 @llvm.amdgcn.permlane16.i32(i32 0, i32 %v, i32 " +
                                   low + ", i32 " + high +
                                   ", i1 false, i1 false)\n"
                                   "%r1 = call i32 @llvm.amdgcn.permlanex16.i32(i32 0, i32 %v, "
                                   "i32 " +
                                   low + ", i32 " + high + R"(, i1 false, i1 false)
    %x = mul i32 %t, 3
    %r2 = call i32 @llvm.amdgcn.permlane16.var(i32 0, i32 %v, i32 %x, i1 false, i1 false)
    %r3 = call i32 @llvm.amdgcn.permlanex16.var(i32 0, i32 %v, i32 %x, i1 false, i1 false))",
                               4);
  for (int lane = 0; lane < 32; ++lane) {
    int row = lane / 16 * 16, other = 16 - row;
    EXPECT_EQ(out.at(lane), valueOf(row + places[lane % 16]));
    EXPECT_EQ(out.at(32 + lane), valueOf(other + places[lane % 16]));
    EXPECT_EQ(out.at(64 + lane), valueOf(row + 3 * lane % 16));
    EXPECT_EQ(out.at(96 + lane), valueOf(other + 3 * lane % 16));
  }
}

TEST(AmdPermute, SelectorsOfTheWholeWave) {
  EXPECT_THAT(
      amdLanes.error("declare i32 @llvm.amdgcn.permlane16.i32(i32, i32, i32, i32, i1, i1)",
                     "%r0 = call i32 @llvm.amdgcn.permlane16.i32(i32 0, i32 %t, i32 %t, i32 0, "
                     "i1 false, i1 false), !dbg !1000\n"),
      HasSubstr("kernel.py:10:7: error: the lanes of a warp give permlane16.i32 different values "
                "where it takes one for all of them"));
  EXPECT_THAT(amdLanes.error("declare i32 @llvm.amdgcn.readlane.i32(i32, i32)",
                             "%r0 = call i32 @llvm.amdgcn.readlane.i32(i32 %t, i32 %t)\n"),
              HasSubstr("different values where it takes one for all of them"));
}

TEST(AmdLanes, ReadWriteAndCount) {
  HostArray out = amdLanes.run(R"(
    declare i32 @llvm.amdgcn.readlane.i32(i32, i32)
    declare i32 @llvm.amdgcn.readfirstlane.i32(i32)
    declare i32 @llvm.amdgcn.writelane.i32(i32, i32, i32)
    declare i32 @llvm.amdgcn.ballot.i32(i1)
    declare i1 @llvm.amdgcn.inverse.ballot.i32(i32)
    declare i32 @llvm.amdgcn.mbcnt.lo(i32, i32)
    declare i32 @llvm.amdgcn.mbcnt.hi(i32, i32)
    declare i32 @llvm.amdgcn.set.inactive.i32(i32, i32))",
                               R"(
    %v = add i32 %t, 1000
    %r0 = call i32 @llvm.amdgcn.readlane.i32(i32 %v, i32 13)
    %r1 = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %v)
    %r2 = call i32 @llvm.amdgcn.writelane.i32(i32 7, i32 9, i32 %v)
    %odd = trunc i32 %t to i1
    %r3 = call i32 @llvm.amdgcn.ballot.i32(i1 %odd)
    %bit = call i1 @llvm.amdgcn.inverse.ballot.i32(i32 13)
    %r4 = zext i1 %bit to i32
    %low = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1431655766, i32 100)
    %r5 = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %low)
    %r6 = call i32 @llvm.amdgcn.set.inactive.i32(i32 %v, i32 0))",
                               7);
  int odd = 0;
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(out.at(lane), valueOf(13));
    EXPECT_EQ(out.at(32 + lane), valueOf(0));
    EXPECT_EQ(out.at(64 + lane), lane == 9 ? 7 : valueOf(lane));
    EXPECT_EQ(out.at(96 + lane), static_cast<int32_t>(0xaaaaaaaa));
    EXPECT_EQ(out.at(128 + lane), lane == 0 || lane == 2 || lane == 3);
    EXPECT_EQ(out.at(160 + lane), 100 + odd);
    EXPECT_EQ(out.at(192 + lane), valueOf(lane));
    odd += lane % 2;
  }
}

TEST(AmdLanes, Reductions) {
  std::vector<int> values;
  for (int lane = 0; lane < 32; ++lane)
    values.push_back((lane * 37 + 11) % 64 - 20);
  struct Case {
    const char *name;
    std::function<int(int, int)> combine;
  };
  auto byUnsigned = [](int a, int b) { return uint32_t(a) < uint32_t(b); };
  const Case cases[] = {
      {"add", [](int a, int b) { return a + b; }},
      {"min", [](int a, int b) { return std::min(a, b); }},
      {"max", [](int a, int b) { return std::max(a, b); }},
      {"umin", [&](int a, int b) { return std::min(a, b, byUnsigned); }},
      {"umax", [&](int a, int b) { return std::max(a, b, byUnsigned); }},
      {"and", [](int a, int b) { return a & b; }},
      {"or", [](int a, int b) { return a | b; }},
      {"xor", [](int a, int b) { return a ^ b; }},
  };
  std::string declarations, body = "%a = mul i32 %t, 37\n%b = add i32 %a, 11\n"
                                   "%c = urem i32 %b, 64\n%v = sub i32 %c, 20\n";
  int number = 0;
  for (const Case &test : cases) {
    std::string function = std::string("@llvm.amdgcn.wave.reduce.") + test.name + ".i32(i32";
    declarations += "declare i32 " + function + ", i32)\n";
    body += "%r" + std::to_string(number++) + " = call i32 " + function + " %v, i32 0)\n";
  }
  HostArray out = amdLanes.run(declarations, body, number);
  for (int i = 0; i < number; ++i) {
    int expected = values[0];
    for (int lane = 1; lane < 32; ++lane)
      expected = cases[i].combine(expected, values[lane]);
    for (int lane = 0; lane < 32; ++lane)
      EXPECT_EQ(out.at(i * 32 + lane), expected) << cases[i].name;
  }
}

TEST(AmdLanes, AllMustCome) {
  std::string error = amdLanes.error("declare i32 @llvm.amdgcn.ds.bpermute(i32, i32)",
                                     R"(
    %few = icmp slt i32 %t, 5
    br i1 %few, label %some, label %join
  some:
    %x = call i32 @llvm.amdgcn.ds.bpermute(i32 0, i32 %t), !dbg !1000
    br label %join
  join:
    %r0 = phi i32 [ 0, %0 ], [ %x, %some ])");
  EXPECT_THAT(error, HasSubstr("kernel.py:10:7: error: the threads of a block wait for each other "
                               "for ever: 5 threads wait at ds.bpermute, the first is thread 0"));
  EXPECT_THAT(error, HasSubstr("27 threads have ended"));
}
