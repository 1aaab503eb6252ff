//===- IREditsTest.cpp - Edits of IR ------------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "reduce/Reducer.h"

#include "gtest/gtest.h"

using namespace tilewright::reduce;

static const char *const loopOfSums = R"(
tt.func public @other() { tt.return }
tt.func public @k(%p: !tt.ptr<f32>, %n: i32, %unused: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = arith.constant 0.0 : f32
  %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %start) -> f32 : i32 {
    %at = tt.addptr %p, %i : !tt.ptr<f32>, i32
    %x = tt.load %at : !tt.ptr<f32>
    %positive = arith.cmpf ogt, %x, %start : f32
    %more = scf.if %positive -> f32 {
      %e = math.exp %x : f32
      scf.yield %e : f32
    } else {
      scf.yield %x : f32
    }
    %next = arith.addf %acc, %more : f32
    scf.yield %next : f32
  }
  tt.store %p, %sum : !tt.ptr<f32>
  tt.return
}
)";

static std::string reduced(const std::string &needed) {
  Reducer reducer(
      [&](const Program &program) { return program.text.find(needed) != std::string::npos; },
      std::chrono::steady_clock::now() + std::chrono::minutes(1));
  return reducer.reduce({loopOfSums, {}}, irEdits()).text;
}

static size_t countLines(const std::string &text) {
  return std::count(text.begin(), text.end(), '\n');
}

TEST(IREdits, LeaveOneOp) {
  const std::string least = reduced("math.exp");
  EXPECT_NE(least.find("math.exp"), std::string::npos);
  for (const char *gone : {"scf.", "tt.load", "tt.store", "arith.addf", "@other", "!tt.ptr"})
    EXPECT_EQ(least.find(gone), std::string::npos) << least;
  EXPECT_LE(countLines(least), 7u) << least;
}

TEST(IREdits, LeaveALoop) {
  const std::string least = reduced("scf.for");
  for (const char *gone : {"scf.if", "tt.load", "tt.store", "math.exp", "@other"})
    EXPECT_EQ(least.find(gone), std::string::npos) << least;
}

TEST(IREdits, OfNoIRThereAreNone) {
  for (const EditKind &kind : irEdits())
    EXPECT_EQ(kind.find({"this is no IR", {}}), nullptr);
}
