//===- Files.h - File reading and writing with diagnostics ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_RUNTIME_FILES_FILES_H
#define TILEWRIGHT_RUNTIME_FILES_FILES_H

#include "tilewright/Expected.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tilewright::runtime {

/// The file's contents.
Expected<std::string> readFile(const std::string &file);
/// Likewise; nothing if it cannot be read.
std::optional<std::string> readFromDisk(const std::string &path);

struct FileContents {
  std::string file;
  std::string contents;
};

/// Writes all of the files, each as a whole, or none: each is written beside its place first,
/// and when all are, they take their places, in order.
Expected<void> writeFiles(std::span<const FileContents> files);

/// The same for one file.
Expected<void> writeFile(const std::string &file, std::string_view contents);

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_FILES_FILES_H
