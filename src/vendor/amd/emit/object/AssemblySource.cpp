//===- AssemblySource.cpp - Source locations of assembly lines ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/object/AssemblySource.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

#include <map>

using namespace tilewright;

/// Takes `"text"` from the front of `line`; empty if there is none.
static llvm::StringRef takeQuoted(llvm::StringRef &line) {
  line = line.ltrim();
  if (!line.consume_front("\""))
    return {};
  auto [text, rest] = line.split('"');
  line = rest;
  return text;
}

/// The path of `.file 1 "directory" "name"`, of which the directory may be left out.
static std::string readPath(llvm::StringRef operands) {
  llvm::StringRef directory = takeQuoted(operands), name = takeQuoted(operands);
  if (name.empty())
    return directory.str();
  llvm::SmallString<128> path(directory);
  if (llvm::sys::path::is_absolute(name))
    path.clear();
  llvm::sys::path::append(path, name);
  return path.str().str();
}

SourceRange tilewright::emit::findSource(llvm::StringRef text, unsigned line) {
  std::map<unsigned, std::string> files;
  SourceRange found;
  for (unsigned i = 1; i < line && !text.empty(); ++i) {
    llvm::StringRef operands;
    std::tie(operands, text) = text.split('\n');
    operands = operands.ltrim();
    unsigned file;
    if (operands.consume_front(".file")) {
      operands = operands.ltrim();
      if (!operands.consumeInteger(10, file))
        files[file] = readPath(operands);
    } else if (operands.consume_front(".loc")) {
      SourceRange place;
      operands = operands.ltrim();
      if (operands.consumeInteger(10, file))
        continue;
      operands = operands.ltrim();
      if (operands.consumeInteger(10, place.line))
        continue;
      operands = operands.ltrim();
      if (operands.consumeInteger(10, place.column))
        continue;
      place.file = files[file];
      // Line 0 marks code that the compiler added.
      if (place.line)
        found = place;
    }
  }
  return found;
}
