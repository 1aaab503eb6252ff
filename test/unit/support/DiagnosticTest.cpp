//===- DiagnosticTest.cpp - Rendered diagnostics ------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tilewright/Diagnostic.h"

#include "support/OptionNames.h"

#include <gtest/gtest.h>

using namespace tilewright;

namespace {

Diagnostic errorAt(std::string sourceLine, int column, int length) {
  Diagnostic diagnostic;
  diagnostic.where = {"kernel.py", 3, column, length};
  diagnostic.message = "wrong";
  diagnostic.sourceLine = std::move(sourceLine);
  return diagnostic;
}

TEST(Diagnostic, AllItsParts) {
  Diagnostic diagnostic = errorAt("a = b", 5, 1);
  diagnostic.remedy = "use c";
  Diagnostic note;
  note.severity = Severity::Note;
  note.where.file = "kernel.py";
  note.message = "called here";
  diagnostic.notes.push_back(note);
  EXPECT_EQ(render(diagnostic), "kernel.py:3:5: error: wrong\n"
                                "    a = b\n"
                                "        ^\n"
                                "  use c\n"
                                "kernel.py: note: called here\n");
}

TEST(Diagnostic, PlacesThatAreNotKnown) {
  Diagnostic diagnostic;
  diagnostic.severity = Severity::Warning;
  diagnostic.message = "odd";
  EXPECT_EQ(render(diagnostic), "warning: odd\n");
  diagnostic.where.line = 7; // A line of no file.
  EXPECT_EQ(render(diagnostic), "warning: odd\n");
  EXPECT_EQ(render(errorAt("a = b", 0, 1)), "kernel.py:3: error: wrong\n"
                                            "    a = b\n");
}

TEST(Diagnostic, TheUnderlineStaysOnTheLine) {
  EXPECT_EQ(render(errorAt("a + b", 3, 3)), "kernel.py:3:3: error: wrong\n"
                                            "    a + b\n"
                                            "      ^~~\n");
  EXPECT_EQ(render(errorAt("a + b", 3, 99)), render(errorAt("a + b", 3, 3)));
  // The end of the line is a place; what is past it gets no caret.
  EXPECT_EQ(render(errorAt("ab", 3, 4)), "kernel.py:3:3: error: wrong\n"
                                         "    ab\n"
                                         "      ^\n");
  EXPECT_EQ(render(errorAt("ab", 4, 1)), "kernel.py:3:4: error: wrong\n"
                                         "    ab\n");
}

TEST(Diagnostic, TabsAndCharactersOfSeveralBytesLineUp) {
  EXPECT_EQ(render(errorAt("\ta = b", 6, 1)), "kernel.py:3:6: error: wrong\n"
                                              "    \ta = b\n"
                                              "    \t    ^\n");
  // Two bytes for the first letter: b is byte 6 and the fifth character.
  EXPECT_EQ(render(errorAt("\u00e4 = b\u00e4c", 6, 4)), "kernel.py:3:6: error: wrong\n"
                                                        "    \u00e4 = b\u00e4c\n"
                                                        "        ^~~\n");
}

TEST(Diagnostic, LinesOfAText) {
  EXPECT_EQ(sourceLineOf("a\nb\r\n\nd", 1), "a");
  EXPECT_EQ(sourceLineOf("a\nb\r\n\nd", 2), "b");
  EXPECT_EQ(sourceLineOf("a\nb\r\n\nd", 3), "");
  EXPECT_EQ(sourceLineOf("a\nb\r\n\nd", 4), "d");
  EXPECT_EQ(sourceLineOf("a\nb\r\n\nd", 5), "");
  EXPECT_EQ(sourceLineOf("a\n", 2), "");
  EXPECT_EQ(sourceLineOf("a", 0), "");
  EXPECT_EQ(sourceLineOf("", 1), "");
}

TEST(Diagnostic, OptionsByTheirNamesInCAndPython) {
  Diagnostic diagnostic = errorAt("", 0, 0);
  diagnostic.message = "'--num-warps 3' is of the source; x --y; --- and a--b are no options";
  diagnostic.remedy = "give --num-warps 4 or 8 (--threads-per-warp 16), or leave out --target";
  Diagnostic note;
  note.message = "the kernel's --num-stages";
  diagnostic.notes.push_back(note);
  const Diagnostic named = withOptionNames(diagnostic);
  EXPECT_EQ(named.message, "'--num-warps 3' is of the source; x y; --- and a--b are no options");
  EXPECT_EQ(named.remedy, "give num_warps 4 or 8 (threads_per_warp 16), or leave out target");
  ASSERT_EQ(named.notes.size(), 1u);
  EXPECT_EQ(named.notes[0].message, "the kernel's num_stages");
  EXPECT_EQ(named.where.file, "kernel.py");
}

} // namespace
