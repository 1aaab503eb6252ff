//===- CacheTestSupport.h - Folders and results for tests -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_UNIT_CACHE_CACHETESTSUPPORT_H
#define TILEWRIGHT_TEST_UNIT_CACHE_CACHETESTSUPPORT_H

#include "runtime/files/Files.h"
#include "tilewright/Cache.h"

#include <filesystem>
#include <map>
#include <unistd.h>

namespace tilewright::test {

/// A folder of its own for each test; it goes with the object.
class ScratchFolder {
public:
  ScratchFolder() {
    std::string name =
        (std::filesystem::temp_directory_path() / "tilewright-cache-XXXXXX").string();
    root = ::mkdtemp(name.data());
  }
  ScratchFolder(const ScratchFolder &) = delete;
  ~ScratchFolder() { std::filesystem::remove_all(root); }

  const std::string &path() const { return root; }

  /// Files below whose names end so, in the order of their names.
  std::vector<std::string> filesEndingIn(std::string_view suffix) const {
    std::vector<std::string> found;
    for (const auto &file : std::filesystem::recursive_directory_iterator(root))
      if (file.is_regular_file() && file.path().string().ends_with(suffix))
        found.push_back(file.path().string());
    std::sort(found.begin(), found.end());
    return found;
  }

private:
  std::string root;
};

/// A result with something in every member.
inline CompileResult makeResult(std::string code) {
  CompileResult result;
  Compilation &compilation = result.compilation.emplace();
  KernelMetadata &metadata = compilation.kernel.metadata;
  metadata = {"kernel", "cuda:90", 8, 32, 2, 4096, {3, 1}, 128, 24, "-option", true, true, {}, {}};
  metadata.arguments = {{"x", "*fp16", 16, std::nullopt}, {"B", "constexpr", 1, "64"}};
  metadata.tensorMaps = {{"f16", 1, {{2, {0, 3}}}, {{16, {}}}, {64, 8}, 128, true}};
  compilation.kernel.llir = "define void @kernel()";
  compilation.kernel.nativeCode = std::move(code);
  compilation.ttir = "tt.func";
  compilation.ttgir = std::string("ttg\0func", 8);
  compilation.assembly = "s_endpgm";
  compilation.times = {{"frontend", 1.0}};
  Diagnostic note;
  note.severity = Severity::Note;
  note.where = {"k.py", 3, 4, 5};
  note.message = "printed";
  Diagnostic warning = note;
  warning.severity = Severity::Warning;
  warning.remedy = "do this";
  warning.sourceLine = "line";
  warning.notes = {note};
  result.diagnostics = {note, warning};
  return result;
}

/// All that a cache keeps of two results is the same.
inline bool isSame(const CompileResult &a, const CompileResult &b) {
  auto text = [](const CompileResult &result) {
    std::string all;
    for (const Diagnostic &diagnostic : result.diagnostics)
      all += render(diagnostic) + '\0';
    return all;
  };
  const Compilation &x = *a.compilation, &y = *b.compilation;
  return x.kernel.metadata == y.kernel.metadata && x.kernel.llir == y.kernel.llir &&
         x.kernel.nativeCode == y.kernel.nativeCode && x.ttir == y.ttir && x.ttgir == y.ttgir &&
         x.assembly == y.assembly && x.inputs == y.inputs && x.inputVariables == y.inputVariables &&
         text(a) == text(b);
}

} // namespace tilewright::test

#endif // TILEWRIGHT_TEST_UNIT_CACHE_CACHETESTSUPPORT_H
