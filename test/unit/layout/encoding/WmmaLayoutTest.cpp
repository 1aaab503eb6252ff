//===- WmmaLayoutTest.cpp - The public functions on WMMA fragments --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tilewright/WmmaLayout.h"

#include "WmmaInstruction.h"
#include "layout/encoding/AmdWmma.h"

#include <gtest/gtest.h>
#include <set>
#include <tuple>

using namespace tilewright;
using namespace tilewright::wmma;
using namespace tilewright::test;

namespace {

/// A pair of maps and the formulas of its documentation.
struct Case {
  const char *name;
  ForwardMap forward;
  ReverseMap reverse;
  ThreadLocal (*forwardFormula)(int i, int j);
  TileIndex (*reverseFormula)(int thread, int local);
  int locals;
  /// Threads that hold each element.
  int copies;
};

const Case Cases[] = {
    {"A gfx12", shared16x16ToLocal32x8LayoutAGfx12, threadIdSharedAccess32x8To16x16LayoutAGfx12,
     [](int i, int j) { return ThreadLocal{(j / 8) * 16 + i, j % 8}; },
     [](int thread, int local) { return TileIndex{thread % 16, (thread / 16) * 8 + local}; }, 8, 1},
    {"A colmajor gfx12", shared16x16ToLocal32x8LayoutAColmajorGfx12,
     threadIdSharedAccess32x8To16x16LayoutAColmajorGfx12,
     [](int i, int j) { return ThreadLocal{(i / 8) * 16 + j, i % 8}; },
     [](int thread, int local) { return TileIndex{(thread / 16) * 8 + local, thread % 16}; }, 8, 1},
    {"B gfx12", shared16x16ToLocal32x8LayoutBGfx12, threadIdSharedAccess32x8To16x16LayoutBGfx12,
     [](int i, int j) { return ThreadLocal{(i / 8) * 16 + j, i % 8}; },
     [](int thread, int local) { return TileIndex{(thread / 16) * 8 + local, thread % 16}; }, 8, 1},
    {"B colmajor gfx12", shared16x16ToLocal32x8LayoutBColmajorGfx12,
     threadIdSharedAccess32x8To16x16LayoutBColmajorGfx12,
     [](int i, int j) { return ThreadLocal{(j / 8) * 16 + i, j % 8}; },
     [](int thread, int local) { return TileIndex{thread % 16, (thread / 16) * 8 + local}; }, 8, 1},
    {"C gfx12", shared16x16ToLocal32x8LayoutCGfx12, threadIdSharedAccess32x8To16x16LayoutCGfx12,
     [](int i, int j) { return ThreadLocal{(i / 8) * 16 + j, i % 8}; },
     [](int thread, int local) { return TileIndex{(thread / 16) * 8 + local, thread % 16}; }, 8, 1},
    {"A gfx11", shared16x16ToLocal32x16LayoutAGfx11, threadIdSharedAccess32x16To16x16LayoutAGfx11,
     [](int i, int j) { return ThreadLocal{i, j % 16}; },
     [](int thread, int local) { return TileIndex{thread % 16, local}; }, 16, 2},
    {"A colmajor gfx11", shared16x16ToLocal32x16LayoutAColmajorGfx11,
     threadIdSharedAccess32x16To16x16LayoutAColmajorGfx11,
     [](int i, int j) { return ThreadLocal{j, i % 16}; },
     [](int thread, int local) { return TileIndex{local, thread % 16}; }, 16, 2},
    {"B gfx11", shared16x16ToLocal32x16LayoutBGfx11, threadIdSharedAccess32x16To16x16LayoutBGfx11,
     [](int i, int j) { return ThreadLocal{j, i % 16}; },
     [](int thread, int local) { return TileIndex{local, thread % 16}; }, 16, 2},
    {"B colmajor gfx11", shared16x16ToLocal32x16LayoutBColmajorGfx11,
     threadIdSharedAccess32x16To16x16LayoutBColmajorGfx11,
     [](int i, int j) { return ThreadLocal{i, j % 16}; },
     [](int thread, int local) { return TileIndex{thread % 16, local}; }, 16, 2},
    {"C gfx11", shared16x16ToLocal32x8LayoutCGfx11, threadIdSharedAccess32x8To16x16LayoutCGfx11,
     [](int i, int j) { return ThreadLocal{(i % 2) * 16 + j, i / 2}; },
     [](int thread, int local) { return TileIndex{(thread / 16) + local * 2, thread % 16}; }, 8, 1},
};

TEST(WmmaLayout, FormulasOfTheirDocumentation) {
  for (const Case &c : Cases) {
    for (int i = 0; i < 16; ++i)
      for (int j = 0; j < 16; ++j)
        EXPECT_EQ(c.forward(i, j), c.forwardFormula(i, j)) << c.name << " " << i << " " << j;
    for (int thread = 0; thread < 32; ++thread)
      for (int local = 0; local < c.locals; ++local)
        EXPECT_EQ(c.reverse(thread, local), c.reverseFormula(thread, local))
            << c.name << " " << thread << " " << local;
  }
}

TEST(WmmaLayout, ForwardAndReverseAreInverses) {
  for (const Case &c : Cases) {
    std::set<std::pair<int, int>> owners;
    for (int i = 0; i < 16; ++i)
      for (int j = 0; j < 16; ++j) {
        ThreadLocal owner = c.forward(i, j);
        owners.insert({owner.thread, owner.local});
        EXPECT_GE(owner.thread, 0);
        EXPECT_LT(owner.thread, 32 / c.copies) << c.name;
        EXPECT_LT(owner.local, c.locals) << c.name;
        for (int rep = 0; rep < c.copies; ++rep)
          EXPECT_EQ(c.reverse(owner.thread + 16 * rep, owner.local), (TileIndex{i, j})) << c.name;
      }
    EXPECT_EQ(owners.size(), 256u) << c.name;
  }
}

TEST(WmmaLayout, TransposedStorageSwapsIndicesAlone) {
  for (int first : {0, 2, 5, 7})
    for (int i = 0; i < 16; ++i)
      for (int j = 0; j < 16; ++j)
        EXPECT_EQ(Cases[first].forward(i, j), Cases[first + 1].forward(j, i)) << Cases[first].name;
}

TEST(WmmaLayout, StoreIndexMapIsTheResultsReverseMap) {
  for (int thread = 0; thread < 32; ++thread)
    for (int local = 0; local < 8; ++local) {
      EXPECT_EQ(wmmaStoreIndexMapGfx11(thread, local),
                (TileIndex{thread / 16 + local * 2, thread % 16}));
      EXPECT_EQ(wmmaStoreIndexMapGfx12(thread, local),
                (TileIndex{thread / 16 * 8 + local, thread % 16}));
    }
}

TEST(WmmaLayout, FragmentsNameEachCopy) {
  std::tuple<FragmentForwardMap, ForwardMap, int> fragments[] = {
      {fragmentForwardAGfx11, shared16x16ToLocal32x16LayoutAGfx11, 2},
      {fragmentForwardAColmajorGfx11, shared16x16ToLocal32x16LayoutAColmajorGfx11, 2},
      {fragmentForwardBGfx11, shared16x16ToLocal32x16LayoutBGfx11, 2},
      {fragmentForwardBColmajorGfx11, shared16x16ToLocal32x16LayoutBColmajorGfx11, 2},
      {fragmentForwardAGfx12, shared16x16ToLocal32x8LayoutAGfx12, 1},
      {fragmentForwardAColmajorGfx12, shared16x16ToLocal32x8LayoutAColmajorGfx12, 1},
      {fragmentForwardBGfx12, shared16x16ToLocal32x8LayoutBGfx12, 1},
      {fragmentForwardBColmajorGfx12, shared16x16ToLocal32x8LayoutBColmajorGfx12, 1}};
  for (auto [fragment, forward, copies] : fragments) {
    // All threads' locals are filled, each once.
    std::set<std::pair<int, int>> owners;
    for (int i = 0; i < 16; ++i)
      for (int j = 0; j < 16; ++j)
        for (int rep = 0; rep < copies; ++rep) {
          ThreadLocal owner = fragment(i, j, rep), first = forward(i, j);
          EXPECT_EQ(owner, (ThreadLocal{first.thread + 16 * rep, first.local}));
          owners.insert({owner.thread, owner.local});
        }
    EXPECT_EQ(owners.size(), 256u * copies);
  }
}

TEST(WmmaLayout, MapsAreConstants) {
  static_assert(shared16x16ToLocal32x8LayoutAGfx12(5, 9) == ThreadLocal{21, 1});
  static_assert(shared16x16ToLocal32x8LayoutCGfx11(3, 5) == ThreadLocal{21, 1});
  static_assert(wmmaStoreIndexMapGfx11(21, 1) == TileIndex{3, 5});
  static_assert(fragmentForwardAGfx11(5, 9, 1) == ThreadLocal{21, 9});
}

TEST(WmmaLayout, GettersByGeneration) {
  auto same = [](const Expected<LayoutFuncs> &got, const Case &c) {
    ASSERT_TRUE(got) << c.name;
    EXPECT_EQ(got->forward, c.forward) << c.name;
    EXPECT_EQ(got->reverse, c.reverse) << c.name;
  };
  same(getWmmaALayoutFuncs(12, false), Cases[0]);
  same(getWmmaALayoutFuncs(12, true), Cases[1]);
  same(getWmmaBLayoutFuncs(12, false), Cases[2]);
  same(getWmmaBLayoutFuncs(12, true), Cases[3]);
  same(getWmmaCLayoutFuncs(12), Cases[4]);
  same(getWmmaALayoutFuncs(11, false), Cases[5]);
  same(getWmmaALayoutFuncs(11, true), Cases[6]);
  same(getWmmaBLayoutFuncs(11, false), Cases[7]);
  same(getWmmaBLayoutFuncs(11, true), Cases[8]);
  same(getWmmaCLayoutFuncs(11), Cases[9]);
  EXPECT_EQ(*getWmmaStoreIndexMapFunc(11), wmmaStoreIndexMapGfx11);
  EXPECT_EQ(*getWmmaStoreIndexMapFunc(12), wmmaStoreIndexMapGfx12);
  EXPECT_EQ(*getWmmaAFragmentForwardFunc(11, false), fragmentForwardAGfx11);
  EXPECT_EQ(*getWmmaAFragmentForwardFunc(11, true), fragmentForwardAColmajorGfx11);
  EXPECT_EQ(*getWmmaBFragmentForwardFunc(11, false), fragmentForwardBGfx11);
  EXPECT_EQ(*getWmmaBFragmentForwardFunc(11, true), fragmentForwardBColmajorGfx11);
  EXPECT_EQ(*getWmmaAFragmentForwardFunc(12, false), fragmentForwardAGfx12);
  EXPECT_EQ(*getWmmaAFragmentForwardFunc(12, true), fragmentForwardAColmajorGfx12);
  EXPECT_EQ(*getWmmaBFragmentForwardFunc(12, false), fragmentForwardBGfx12);
  EXPECT_EQ(*getWmmaBFragmentForwardFunc(12, true), fragmentForwardBColmajorGfx12);
  EXPECT_EQ(*getWmmaFragmentReplicateCount(11), 2);
  EXPECT_EQ(*getWmmaFragmentReplicateCount(12), 1);
}

TEST(WmmaLayout, UnknownGenerationsAreErrors) {
  auto isError = [](const auto &result, const char *generation) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message,
              std::string("there is no WMMA layout for RDNA generation ") + generation);
    EXPECT_EQ(result.error().remedy, "use 11 for gfx11 or 12 for gfx12");
  };
  isError(getWmmaALayoutFuncs(10, false), "10");
  isError(getWmmaALayoutFuncs(13, true), "13");
  isError(getWmmaBLayoutFuncs(0, false), "0");
  isError(getWmmaBLayoutFuncs(-1, true), "-1");
  isError(getWmmaCLayoutFuncs(9), "9");
  isError(getWmmaStoreIndexMapFunc(3), "3");
  isError(getWmmaAFragmentForwardFunc(10, true), "10");
  isError(getWmmaBFragmentForwardFunc(10, false), "10");
  isError(getWmmaFragmentReplicateCount(1200), "1200");
}

//===----------------------------------------------------------------------------===//
// Beside the encodings, and by multiplying
//===----------------------------------------------------------------------------===//

TEST(WmmaLayout, AgreesWithTheEncodings) {
  namespace amd = layout::amd;
  namespace dims = layout::dims;
  const int64_t shape[] = {16, 16};
  for (int generation : {11, 12}) {
    amd::Wmma parent;
    parent.version = generation == 11 ? 1 : 2;
    unsigned kWidth = generation == 11 ? 16 : 8;
    std::pair<layout::LinearLayout, ReverseMap> pairs[] = {
        {amd::operandLayout(parent, 0, kWidth, shape),
         getWmmaALayoutFuncs(generation, false)->reverse},
        {amd::operandLayout(parent, 1, kWidth, shape),
         getWmmaBLayoutFuncs(generation, false)->reverse},
        {amd::toLinearLayout(parent, shape), getWmmaCLayoutFuncs(generation)->reverse}};
    for (const auto &[map, reverse] : pairs) {
      ASSERT_EQ(map.inSize(dims::Lane), 32u);
      for (uint64_t lane = 0; lane < 32; ++lane)
        for (uint64_t reg = 0; reg < map.inSize(dims::Register); ++reg) {
          auto out = map.apply({{dims::Register, reg}, {dims::Lane, lane}});
          TileIndex index = reverse(static_cast<int>(lane), static_cast<int>(reg));
          EXPECT_EQ(out[0].value, static_cast<uint64_t>(index.i)) << generation;
          EXPECT_EQ(out[1].value, static_cast<uint64_t>(index.j)) << generation;
        }
    }
  }
}

/// Numbers that no exchange of elements leaves alone.
int valueOfA(int m, int k) { return (m * 7 + k * 3 + m * k) % 15 - 7; }
int valueOfB(int k, int n) { return (k * 5 + n * 11 + k * k * n) % 13 - 6; }
int valueOfC(int m, int n) { return m * 16 + n; }

TEST(WmmaLayout, FragmentsMultiply) {
  for (int generation : {11, 12})
    for (WmmaType type : {WmmaType::F16, WmmaType::IU8, WmmaType::IU4})
      for (bool transposed : {false, true}) {
        Wave a, b, c;
        int copies = *getWmmaFragmentReplicateCount(generation);
        FragmentForwardMap forwardA = *getWmmaAFragmentForwardFunc(generation, transposed);
        FragmentForwardMap forwardB = *getWmmaBFragmentForwardFunc(generation, transposed);
        ForwardMap forwardC = getWmmaCLayoutFuncs(generation)->forward;
        ReverseMap store = *getWmmaStoreIndexMapFunc(generation);
        WmmaInstruction wmma(static_cast<unsigned>(generation), type);
        for (std::vector<uint32_t> &vgprs : c)
          vgprs.resize(8);
        for (int i = 0; i < 16; ++i)
          for (int j = 0; j < 16; ++j) {
            for (int rep = 0; rep < copies; ++rep) {
              ThreadLocal at = forwardA(i, j, rep);
              setElement(a, type, static_cast<unsigned>(at.thread), static_cast<unsigned>(at.local),
                         transposed ? valueOfA(j, i) : valueOfA(i, j));
              at = forwardB(i, j, rep);
              setElement(b, type, static_cast<unsigned>(at.thread), static_cast<unsigned>(at.local),
                         transposed ? valueOfB(j, i) : valueOfB(i, j));
            }
            ThreadLocal at = forwardC(i, j);
            c[static_cast<size_t>(at.thread)][static_cast<size_t>(at.local)] =
                wmma.encodeResult(static_cast<float>(valueOfC(i, j)));
          }
        EXPECT_EQ(a[31].size(), wmma.operandVgprs());
        Wave d = wmma(a, b, c);
        for (int thread = 0; thread < 32; ++thread)
          for (int local = 0; local < 8; ++local) {
            TileIndex at = store(thread, local);
            int expected = valueOfC(at.i, at.j);
            for (int k = 0; k < 16; ++k)
              expected += valueOfA(at.i, k) * valueOfB(k, at.j);
            EXPECT_EQ(wmma.decodeResult(d[static_cast<size_t>(thread)][static_cast<size_t>(local)]),
                      static_cast<float>(expected))
                << generation << " " << static_cast<int>(type) << " " << at.i << "," << at.j;
          }
      }
}

} // namespace
