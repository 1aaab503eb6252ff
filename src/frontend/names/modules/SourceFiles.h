//===- SourceFiles.h - Python files, read and parsed once -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_MODULES_SOURCEFILES_H
#define TILEWRIGHT_FRONTEND_NAMES_MODULES_SOURCEFILES_H

#include "frontend/names/scope/ParsedModule.h"
#include "tilewright/Expected.h"
#include "tilewright/InputFile.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::frontend {

/// The files that sources import, shared by all compilations of a session, in any number of
/// threads. A file is read when it is first looked for, and parsed when a name of it is first
/// needed; it does not change afterwards.
class SourceFiles {
public:
  explicit SourceFiles(FileReader reader) : reader(std::move(reader)) {}

  using Parsed = Expected<std::unique_ptr<const ParsedModule>>;

  /// A file that there is, or is not.
  class File {
  public:
    /// The text that the reader found; nothing if there is no such file.
    const std::optional<std::string> &contents() const { return text; }
    /// In hexadecimal digits; of a file that there is.
    const std::string &sha256() const { return digest; }
    /// The file parsed, or its syntax error. Of a file that there is.
    const Parsed &parse() const;
    /// Whether the text may set an attribute of that name: has it after a dot or a quote, or sets
    /// attributes whose names it computes. Of a file that there is.
    bool maySetAttribute(llvm::StringRef attribute) const;

  private:
    friend class SourceFiles;
    std::string path;
    std::optional<std::string> text;
    std::string digest;
    mutable std::once_flag readOnce;
    mutable std::once_flag parseOnce;
    mutable std::once_flag wordsOnce;
    mutable std::optional<Parsed> parsed;
    /// The words after a dot or a quote, which point into the text.
    mutable llvm::DenseSet<llvm::StringRef> words;
    mutable bool computesNames = false;
  };

  /// Whether there is a reader: without one, no file is there.
  bool canRead() const { return static_cast<bool>(reader); }
  /// The file of this path, read if it has not been.
  const File &read(llvm::StringRef path);
  /// The text of the file of this path; nothing if it has not been read, or is not there.
  std::optional<llvm::StringRef> textOf(llvm::StringRef path);

private:
  const FileReader reader;
  std::mutex mutex;
  llvm::StringMap<std::unique_ptr<File>> files;
};

/// What a source may import, and what a compilation made of that.
struct Imports {
  SourceFiles &files;
  /// Folders to look in, after the one that holds the source's package.
  const std::vector<std::string> &paths;
  /// Ordered by paths and names.
  std::vector<InputFile> inputs = {};
  std::vector<InputVariable> variables = {};
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_MODULES_SOURCEFILES_H
