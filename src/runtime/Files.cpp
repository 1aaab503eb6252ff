//===- Files.cpp - Whole files, with errors for users -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/Files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

using namespace tilewright;

Expected<std::string> runtime::readFile(const std::string &file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    return makeFileError(file, "cannot read the file: it is a directory");
  std::FILE *stream = std::fopen(file.c_str(), "rb");
  if (!stream)
    return makeFileError(file, std::string("cannot read the file: ") + std::strerror(errno));
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

Expected<void> runtime::writeFile(const std::string &file, std::string_view contents) {
  auto fail = [&] {
    return makeFileError(file, std::string("cannot write the file: ") + std::strerror(errno));
  };
  std::string partial = file + ".partial";
  std::FILE *stream = std::fopen(partial.c_str(), "wb");
  if (!stream)
    return fail();
  bool written = std::fwrite(contents.data(), 1, contents.size(), stream) == contents.size();
  written = std::fclose(stream) == 0 && written;
  if (written && std::rename(partial.c_str(), file.c_str()) == 0)
    return {};
  Diagnostic error = fail();
  std::remove(partial.c_str());
  return error;
}
