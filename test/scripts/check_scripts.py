#!/usr/bin/env python3
"""Tests of scripts/check-includes, check-docs and list-untested: small trees with planted violations.

Each test writes a tree that is right, sees that the script accepts it, plants one violation and
expects the report that names it.
"""

import os
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = os.path.join(
    os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "scripts")


class Tree(unittest.TestCase):
    """A temporary tree and the script that checks it."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, path, text):
        full = os.path.join(self.folder.name, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as stream:
            stream.write(text)

    def run_script(self, name):
        done = subprocess.run([sys.executable, os.path.join(SCRIPTS, name), self.folder.name],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout

    def expect_clean(self, name):
        code, output = self.run_script(name)
        self.assertEqual(code, 0, output)
        return output

    def expect_report(self, name, *texts):
        code, output = self.run_script(name)
        self.assertEqual(code, 1, output)
        for text in texts:
            self.assertIn(text, output)
        return output


class CheckIncludes(Tree):

    def setUp(self):
        super().setUp()
        self.write("src/support/Bits.h", "\n")
        self.write("src/layout/Map.h", '#include "support/Bits.h"\n')
        self.write("src/layout/encoding/Mma.h", '#include "layout/Map.h"\nint wgmma;\n')
        self.write("src/ir/tt/Ops.h", '#include "layout/encoding/Mma.h"\n#include "llvm/Foo.h"\n')
        self.write("src/frontend/syntax/Ast.h", '#include "support/Bits.h"\n')
        self.write("src/frontend/value/Value.h", '#include "frontend/syntax/Ast.h"\n')
        self.write("include/tilewright/Kernel.h", '#include "tilewright/Other.h"\n')
        summary = self.expect_clean("check-includes")
        self.assertIn("7 files", summary)
        self.assertIn("5 includes between our files; violations: 0", summary)

    def test_include_against_the_order(self):
        self.write("src/support/Bits.h", '\n#include "ir/tt/Ops.h"\n')
        self.expect_report("check-includes", "src/support/Bits.h:2: support includes ir/tt/Ops.h")

    def test_include_against_the_order_of_sub_folders(self):
        self.write("src/frontend/syntax/Lexer.h", '#include "frontend/value/Value.h"\n')
        self.expect_report("check-includes", "src/frontend/syntax/Lexer.h:1: frontend/syntax "
                           "includes frontend/value/Value.h")

    def test_folders_of_one_line_do_not_include_each_other(self):
        self.write("src/view/Svg.h", "\n")
        self.write("src/ir/tt/Print.cpp", '#include "view/Svg.h"\n')
        self.expect_report("check-includes", "src/ir/tt/Print.cpp:1: ir includes view/Svg.h")

    def test_listed_header_stands_left_of_its_folder(self):
        self.write("src/plan/Namespaces.h", "\n")
        self.write("src/plan/shared/Access.h", '#include "plan/Namespaces.h"\n')
        self.write("src/plan/cache/Cache.h", '#include "plan/shared/Access.h"\n')
        self.expect_clean("check-includes")
        self.write("src/plan/Namespaces.h", '#include "plan/cache/Cache.h"\n')
        self.expect_report("check-includes", "src/plan/Namespaces.h:1: plan/Namespaces.h includes")

    def test_cycle(self):
        self.write("src/layout/Map.h", '#include "layout/encoding/Mma.h"\n')
        self.expect_report("check-includes", "cycle of folders: layout, layout/encoding")

    def test_folder_that_is_not_in_the_order(self):
        self.write("src/garden/Rose.h", "\n")
        self.expect_report("check-includes", "src/garden/Rose.h:1: its folder is not in ORDER")

    def test_public_header_that_includes_ours(self):
        self.write("include/tilewright/Kernel.h", '\n\n#include "layout/Map.h"\n')
        self.expect_report("check-includes", "include/tilewright/Kernel.h:3: a public header")

    def test_vendor_name_in_an_identifier(self):
        self.write("src/ir/tt/Ops.h", "\nbool isNvidia;\n")
        self.expect_report("check-includes", "src/ir/tt/Ops.h:2: 'Nvidia' names a vendor")

    def test_vendor_name_in_a_string(self):
        self.write("src/ir/tt/Ops.h", 'auto x = "gfx1201";\n')
        self.expect_report("check-includes", "src/ir/tt/Ops.h:1: 'gfx' names a vendor")

    def test_vendor_name_after_a_string_with_slashes(self):
        self.write("src/ir/tt/Ops.h", 'auto x = "http://x"; int emitPTX;\n')
        self.expect_report("check-includes", "src/ir/tt/Ops.h:1: 'PTX' names a vendor")

    def test_vendor_name_in_a_comment_is_allowed(self):
        self.write("src/ir/tt/Ops.h", "// PTX ISA, section 9\n/* AMD's\n   table */ int x;\n")
        self.expect_clean("check-includes")

    def test_words_that_only_contain_a_vendor_word(self):
        self.write("src/ir/tt/Ops.h", "int shipment, loadPass, relationship;\n")
        self.expect_clean("check-includes")

    def test_wrong_usage(self):
        done = subprocess.run([sys.executable, os.path.join(SCRIPTS, "check-includes"), "/nowhere"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("usage:", done.stderr)


class CheckDocs(Tree):

    def setUp(self):
        super().setUp()
        self.write("src/layout/Map.h",
                   "//===- Map.h - A map -------*- C++ -*-===//\n#define X\n")
        self.write("docs/layouts.md", "# Layouts\n\n## The algebra\n\nIt is in `src/layout`, `Map.h`"
                   " and `layout/Map.h`.\n")
        self.write("README.md", "# Project\n\nSee [it](docs/layouts.md#the-algebra), [the"
                   " web](https://example.org/x) and `a/b`.\n\n    " + 30 * "long " + "\n")
        self.expect_clean("check-docs")

    def test_link_that_leads_nowhere(self):
        self.write("docs/layouts.md", "\n\nSee [this](missing.md).\n")
        self.expect_report("check-docs", "docs/layouts.md:3: the link leads nowhere: missing.md")

    def test_anchor_without_heading(self):
        self.write("README.md", "[x](docs/layouts.md#geometry)\n")
        self.expect_report("check-docs", "README.md:1: no heading in docs/layouts.md has the anchor")

    def test_path_that_does_not_exist(self):
        self.write("README.md", "\nSee `src/driver`.\n")
        self.expect_report("check-docs", "README.md:2: there is no src/driver")

    def test_path_from_src_that_does_not_exist(self):
        self.write("README.md", "See `layout/Mop.h`.\n")
        self.expect_report("check-docs", "README.md:1: there is no layout/Mop.h")

    def test_source_file_that_does_not_exist(self):
        self.write("README.md", "See `Mop.h`.\n")
        self.expect_report("check-docs", "README.md:1: there is no Mop.h")

    def test_line_that_is_too_long(self):
        self.write("README.md", 21 * "long " + "\n")
        self.expect_report("check-docs", "README.md:1: 105 columns, more than 100")

    def test_file_head_with_another_name(self):
        self.write("src/layout/Map.h", "//===- Places.h - A map ----*- C++ -*-===//\n")
        self.expect_report("check-docs", "src/layout/Map.h:1: the head names Places.h")

    def test_include_guard_of_another_header(self):
        self.write("src/layout/Map.h", "//===- Map.h - A map ----*- C++ -*-===//\n\n#ifndef "
                   "TILEWRIGHT_LAYOUT_PLACES_H\n#define TILEWRIGHT_LAYOUT_PLACES_H\n#endif\n")
        self.expect_report("check-docs", "src/layout/Map.h:3: the include guard is not "
                           "TILEWRIGHT_LAYOUT_MAP_H")

    def write_words(self, ceiling):
        self.write("docs/glossary.md", "# Glossary\n\n## Words that are not used\n\n| not | but |\n"
                   "|---|---|\n| gadget | instruction |\n")
        self.write("scripts/word-ceilings.txt", "# word | pattern | the most there may be\n"
                   f"gadget | \\bgadgets?\\b | {ceiling}\n")
        self.write("src/layout/Map.h", "//===- Map.h - A map -------*- C++ -*-===//\n// Two gadgets\n"
                   "// and a gadget.\n")

    def test_word_that_is_there_too_often(self):
        self.write_words(ceiling=2)
        self.expect_clean("check-docs")
        self.write_words(ceiling=1)
        self.expect_report("check-docs", "scripts/word-ceilings.txt: 'gadget' is there 2 times, and "
                           "may be 1 times", "src/layout/Map.h (2)")

    def test_word_of_the_glossary_without_a_ceiling(self):
        self.write_words(ceiling=2)
        self.write("scripts/word-ceilings.txt", "thing | \\bthing\\b | 0\n")
        self.expect_report("check-docs", "docs/glossary.md: 'gadget' has no row in "
                           "scripts/word-ceilings.txt")

    def test_answer_that_is_not_there(self):
        row = "# Where\n\n| where is | in |\n|---|---|\n| a map | `src/layout/Map.h`: `%s` |\n"
        self.write("docs/where-is.md", row % "#define X")
        self.expect_clean("check-docs")
        self.write("docs/where-is.md", row % "#define Y")
        self.expect_report("check-docs", "docs/where-is.md:5: src/layout/Map.h has no #define Y")
        self.write("docs/where-is.md", (row % "X").replace("Map.h", ""))
        self.expect_report("check-docs", "docs/where-is.md:5: src/layout/ has no X")
        self.write("docs/where-is.md", "| where is | in |\n|---|---|\n| it | `nowhere` |\n")
        self.expect_report("check-docs", "docs/where-is.md:3: there is no nowhere")

    def test_file_without_a_head(self):
        self.write("src/layout/Map.h", "#define X\n")
        self.expect_report("check-docs", "src/layout/Map.h:1: no head")


class ListUntested(Tree):
    """What has a test of its name, in each of the three ways, and what has none."""

    def setUp(self):
        super().setUp()
        self.write("src/layout/Map.cpp", "")
        self.write("src/layout/Places.cpp", "")
        self.write("src/transform/Move.cpp", "#define GEN_PASS_DEF_MOVELOADS\n")
        self.write("src/transform/Passes.td", 'def MoveLoads : Pass<"tilewright-move-loads"> {}\n')
        self.write("test/unit/layout/MapTest.cpp", '#include "layout/Places.h"\n')
        self.write("test/lit/transform/tilewright-move-loads-masked.mlir", "")

    def test_all_have_tests(self):
        self.assertEqual(self.expect_clean("list-untested"),
                         "list-untested: 0 of 3 files have no test of their name\n")

    def test_files_without(self):
        self.write("test/unit/layout/MapTest.cpp", "")
        os.remove(os.path.join(self.folder.name, "test/lit/transform/tilewright-move-loads-masked.mlir"))
        self.assertEqual(self.expect_clean("list-untested"),
                         "src/layout: 1 of 2\n  Places.cpp\nsrc/transform: 1 of 1\n  Move.cpp\n"
                         "list-untested: 2 of 3 files have no test of their name\n")



if __name__ == "__main__":
    unittest.main()
