//===- EncodedTextTest.cpp - Tests of texts with their instructions' bytes ----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/object/EncodedText.h"

#include <gtest/gtest.h>

using tilewright::emit::EncodedText;

/// Marks `instruction`, which stands in `text` once, as encoded.
static void addInstruction(EncodedText &encoded, llvm::StringRef text, llvm::StringRef instruction,
                           llvm::StringRef bytes) {
  const size_t at = text.find(instruction);
  ASSERT_NE(at, llvm::StringRef::npos);
  encoded.add(at, at + instruction.size(), bytes);
}

TEST(EncodedText, RunsBecomeDirectivesAndLinesKeepTheirNumbers) {
  const llvm::StringRef text = "kernel:\n"
                               "\ts_nop 0\n"
                               "\tv_add_u32 v0, v1, v2\n"
                               "\t.loc 1 2 3\n"
                               "\ts_wait_idle\n"
                               "\ts_branch .L0\n"
                               "\ts_endpgm\n";
  EncodedText encoded;
  addInstruction(encoded, text, "\ts_nop 0", "abcd");
  addInstruction(encoded, text, "\tv_add_u32 v0, v1, v2", "efghijkl");
  addInstruction(encoded, text, "\ts_wait_idle", "mnop");
  addInstruction(encoded, text, "\ts_endpgm", "qrst");
  EXPECT_EQ(encoded.shorten(text), "kernel:\n"
                                   "\t.tilewright_bytes 0, 12\n"
                                   "\n"
                                   "\t.loc 1 2 3\n"
                                   "\t.tilewright_bytes 12, 4\n"
                                   "\ts_branch .L0\n"
                                   "\t.tilewright_bytes 16, 4\n");
  EXPECT_EQ(encoded.getBytes(0, 12), "abcdefghijkl");
  EXPECT_EQ(encoded.getBytes(16, 4), "qrst");
}

TEST(EncodedText, WhatStandsBehindAnInstructionEndsARun) {
  const llvm::StringRef text = "\ts_nop 0 ; comment\n\ts_nop 1\n";
  EncodedText encoded;
  addInstruction(encoded, text, "\ts_nop 0", "abcd");
  addInstruction(encoded, text, "\ts_nop 1", "efgh");
  EXPECT_EQ(encoded.shorten(text),
            "\t.tilewright_bytes 0, 4 ; comment\n\t.tilewright_bytes 4, 4\n");
}

TEST(EncodedText, ThereAreNoBytesBeyondTheEnd) {
  EncodedText encoded;
  encoded.add(0, 1, "abcd");
  EXPECT_EQ(encoded.getBytes(0, 4), "abcd");
  EXPECT_EQ(encoded.getBytes(1, 4), "");
  EXPECT_EQ(encoded.getBytes(5, 0), "");
  EXPECT_EQ(encoded.getBytes(uint64_t(0) - 1, 2), "");
}

TEST(EncodedText, WithoutInstructionsTheTextStays) {
  EXPECT_EQ(EncodedText().shorten("kernel:\n\ts_endpgm\n"), "kernel:\n\ts_endpgm\n");
}
