//===- LinkedTextTest.cpp - Tests of links from texts to places ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "report/LinkedText.h"

#include "gtest/gtest.h"

using namespace tilewright::report;

namespace {

/// Where a line comes from, in words: "k.py:3:5 < k.py:20:1"; places are joined by " | ".
std::string describe(const LinkedText &text, unsigned line, const Places &places) {
  std::string result;
  if (line >= text.places.size())
    return result;
  for (unsigned number : text.places[line]) {
    result += result.empty() ? "" : " | ";
    for (int at = number; at != Place::None; at = places.all()[at].caller) {
      const Place &place = places.all()[at];
      result += (at == int(number) ? "" : " < ") + places.files()[place.file] + ":" +
                std::to_string(place.line) + ":" + std::to_string(place.column);
    }
  }
  return result;
}

/// The number of the line that `words` stand on.
unsigned lineWith(const LinkedText &text, llvm::StringRef words) {
  const size_t at = llvm::StringRef(text.text).find(words);
  EXPECT_NE(at, llvm::StringRef::npos) << words.str() << " in\n" << text.text;
  return llvm::StringRef(text.text).take_front(at).count('\n');
}

TEST(Places, AreNumberedOnce) {
  Places places;
  const unsigned file = places.fileNumber("k.py");
  EXPECT_EQ(places.fileNumber("k.py"), file);
  EXPECT_EQ(places.add({file, 3, 5}), places.add({file, 3, 5}));
  EXPECT_NE(places.add({file, 3, 5}), places.add({file, 3, 6}));
  EXPECT_NE(places.add({file, 3, 5, 0}), places.add({file, 3, 5}));
}

TEST(LinkedAssembly, LinesComeFromTheLocBeforeThem) {
  Places places;
  const LinkedText text = linkAssembly("kernel:\n"
                                       "\t.loc\t1 7 0\n"
                                       "$L__tmp0:\n"
                                       "\tld.param.b64 %rd1, [p];\n"
                                       "\t.loc\t1 9 12, function_name $L__i, inlined_at 2 20 5\n"
                                       "\tadd.s32 %r1, %r2, 1;\n"
                                       "$L__BB0_1:\n"
                                       "\t@%p1 bra $L__BB0_1;\n"
                                       "\t.loc\t1 0 0\n"
                                       "\tret;\n"
                                       "\t.file\t1 \"k.py\"\n"
                                       "\t.file\t2 \"lib\" \"m.py\"\n",
                                       places);
  EXPECT_EQ(text.text.find(".loc"), std::string::npos);
  EXPECT_EQ(text.text.find(".file"), std::string::npos);
  EXPECT_EQ(text.text.find("tmp0"), std::string::npos);
  EXPECT_EQ(describe(text, lineWith(text, "kernel:"), places), "");
  EXPECT_EQ(describe(text, lineWith(text, "ld.param"), places), "k.py:7:0");
  EXPECT_EQ(describe(text, lineWith(text, "add.s32"), places), "k.py:9:12 < lib/m.py:20:5");
  EXPECT_EQ(describe(text, lineWith(text, "$L__BB0_1:"), places), "");
  EXPECT_EQ(describe(text, lineWith(text, "bra"), places), "k.py:9:12 < lib/m.py:20:5");
  EXPECT_EQ(describe(text, lineWith(text, "ret;"), places), "");
}

TEST(LinkedAssembly, CallsAreReadFromThePrintersComments) {
  Places places;
  const LinkedText text =
      linkAssembly("\t.file\t1 \"dir\" \"k.py\"\n"
                   "\t.loc\t1 5 3 is_stmt 0 ; dir/k.py:5:3 @[ dir/k.py:9:1 @[ dir/k.py:12:7 ] ]\n"
                   "\ts_endpgm\n",
                   places);
  EXPECT_EQ(describe(text, 0, places), "dir/k.py:5:3 < dir/k.py:9:1 < dir/k.py:12:7");
}

TEST(LinkedAssembly, SectionsOfDebugInformationAreLeftOut) {
  Places places;
  const LinkedText text = linkAssembly("\ts_nop 0\n\t.section\t.debug_abbrev\n\t.byte 1\n"
                                       "\t.section\t.AMDGPU.csdata\n\t.set x, 2\n",
                                       places);
  EXPECT_EQ(text.text, "\ts_nop 0\n\t.section\t.AMDGPU.csdata\n\t.set x, 2\n\n");
}

TEST(LinkedLlvmIr, InstructionsComeFromTheirDebugLocations) {
  Places places;
  auto text = linkLlvmIr(R"(
define i32 @k(i32 %a) !dbg !4 {
  %b = add i32 %a, 1, !dbg !7
  %c = mul i32 %b, 3, !dbg !9
  ret i32 %c
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.py", directory: "dir")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "k", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!5 = distinct !DISubprogram(name: "f", file: !1, line: 8, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!7 = !DILocation(line: 2, column: 9, scope: !4)
!9 = !DILocation(line: 8, column: 3, scope: !5, inlinedAt: !7)
)",
                         places);
  ASSERT_TRUE(bool(text));
  EXPECT_EQ(text->text.find("!dbg"), std::string::npos);
  EXPECT_EQ(describe(*text, lineWith(*text, "add i32"), places), "dir/k.py:2:9");
  EXPECT_EQ(describe(*text, lineWith(*text, "mul i32"), places), "dir/k.py:8:3 < dir/k.py:2:9");
  EXPECT_EQ(describe(*text, lineWith(*text, "ret i32"), places), "");
}

TEST(LinkedLlvmIr, WhatIsNoIRIsAnError) {
  Places places;
  auto text = linkLlvmIr("define nothing", places);
  ASSERT_FALSE(bool(text));
  EXPECT_NE(text.error().message.find("no LLVM IR"), std::string::npos);
}

TEST(LinkedText, LinksCountFromOneAndNameEachPlaceOnce) {
  LinkedText text{"a\nb\nc\n", {}};
  text.link(2, {4, 5, 4});
  text.link(0, {1});
  EXPECT_EQ(text.lineCount(), 3u);
  EXPECT_EQ(
      llvm::json::Value(text.linksJson()),
      llvm::json::Value(llvm::json::Array{llvm::json::Array{1, 1}, llvm::json::Array{3, 4, 5}}));
}

} // namespace
