//===- Files.cpp - File reading and writing with diagnostics ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/files/Files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

using namespace tilewright;

Expected<std::string> runtime::readFile(const std::string &file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    return makeFileError(file, "cannot read the file: it is a directory", "name a file in it");
  std::FILE *stream = std::fopen(file.c_str(), "rb");
  if (!stream)
    return makeFileError(file, std::string("cannot read the file: ") + std::strerror(errno),
                         "name a file that is there and can be read");
  std::string contents;
  char buffer[1 << 16];
  while (size_t count = std::fread(buffer, 1, sizeof buffer, stream))
    contents.append(buffer, count);
  bool failed = std::ferror(stream);
  std::fclose(stream);
  if (failed)
    return makeFileError(file, "cannot read the file to its end");
  return contents;
}

std::optional<std::string> runtime::readFromDisk(const std::string &path) {
  Expected<std::string> text = readFile(path);
  return text ? std::optional(std::move(*text)) : std::nullopt;
}

static std::string partialName(const std::string &file) { return file + ".partial"; }

static Diagnostic writeError(const std::string &file) {
  return makeFileError(file, std::string("cannot write the file: ") + std::strerror(errno),
                       "choose a folder that can be written");
}

/// Writes a file beside its place.
static Expected<void> writePartial(const runtime::FileContents &file) {
  // A folder in the file's place would only be noticed by the last step.
  std::error_code ignored;
  if (std::filesystem::is_directory(file.file, ignored)) {
    errno = EISDIR;
    return writeError(file.file);
  }
  std::FILE *stream = std::fopen(partialName(file.file).c_str(), "wb");
  if (!stream)
    return writeError(file.file);
  bool written =
      std::fwrite(file.contents.data(), 1, file.contents.size(), stream) == file.contents.size();
  written = std::fclose(stream) == 0 && written;
  if (!written)
    return writeError(file.file);
  return {};
}

Expected<void> runtime::writeFiles(std::span<const FileContents> files) {
  auto abandon = [&](Diagnostic error) {
    for (const FileContents &file : files)
      std::remove(partialName(file.file).c_str());
    return error;
  };
  for (const FileContents &file : files)
    if (Expected<void> done = writePartial(file); !done)
      return abandon(done.error());
  for (const FileContents &file : files)
    if (std::rename(partialName(file.file).c_str(), file.file.c_str()) != 0)
      return abandon(writeError(file.file));
  return {};
}

Expected<void> runtime::writeFile(const std::string &file, std::string_view contents) {
  FileContents one{file, std::string(contents)};
  return writeFiles({&one, 1});
}
