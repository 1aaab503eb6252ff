//===- AstDumpTool.cpp - Prints the syntax tree of a Python file --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
//   frontend-ast-dump [--positions] FILE
//
//===--------------------------------------------------------------------------===//

#include "frontend/syntax/AstDump.h"
#include "frontend/syntax/Parser.h"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

using namespace tilewright;

int main(int argc, char **argv) {
  bool positions = argc > 2 && std::string(argv[1]) == "--positions";
  if (argc < 2) {
    std::fputs("usage: frontend-ast-dump [--positions] FILE\n", stderr);
    return 2;
  }
  std::ifstream file(argv[argc - 1], std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "cannot read %s\n", argv[argc - 1]);
    return 2;
  }
  std::string source{std::istreambuf_iterator<char>(file), {}};
  frontend::Arena arena;
  frontend::SyntaxError error;
  const frontend::Module *module = frontend::parse(source, arena, error);
  if (!module) {
    std::fputs(render(frontend::toDiagnostic(error, argv[argc - 1], source)).c_str(), stderr);
    return 1;
  }
  std::puts(frontend::dump(*module, positions).c_str());
  return 0;
}
