//===- ModulePrograms.h - Programs of modules, compared with CPython ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_UNIT_FRONTEND_MODULEPROGRAMS_H
#define TILEWRIGHT_TEST_UNIT_FRONTEND_MODULEPROGRAMS_H

#include "TestSupport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace tilewright::test {

/// A program of some modules and what CPython gives for C, with which the compiler agrees or which
/// it refuses by place, never a third thing.
struct Program {
  const char *name;
  /// Module-level code of the kernel's file, which defines C.
  std::string text;
  /// C as CPython has it.
  int value;
  std::vector<std::pair<std::string, std::string>> files;
  /// Part of the message if it is refused; empty if it is compiled to the value.
  const char *refusal;
  /// The path of the kernel's file.
  std::string path = "m.py";
};

inline void PrintTo(const Program &one, std::ostream *os) { *os << one.name; }

inline CompiledFiles compileProgram(const Program &program, int value) {
  FileSet set{program.files};
  set.files.push_back({program.path, "import triton\nimport triton.language as tl\n" +
                                         program.text +
                                         "\n@triton.jit\ndef k(p):\n    tl.static_assert(C == " +
                                         std::to_string(value) + ")\n    tl.store(p, 1)\n"});
  return compileFiles(set, program.path, "*i32");
}

inline void expectPythonsValue(const Program &program) {
  CompiledFiles compiled = compileProgram(program, program.value);
  if (std::string(program.refusal).empty()) {
    EXPECT_TRUE(compiled.errors.empty()) << compiled.rendered();
    EXPECT_FALSE(compileProgram(program, program.value + 100).errors.empty());
    return;
  }
  ASSERT_FALSE(compiled.errors.empty());
  EXPECT_THAT(compiled.rendered(), testing::HasSubstr(program.refusal));
  EXPECT_THAT(compiled.rendered(), testing::ContainsRegex("[.]py:[0-9]+:[0-9]+: error"));
}

} // namespace tilewright::test

#endif // TILEWRIGHT_TEST_UNIT_FRONTEND_MODULEPROGRAMS_H
