//===- Files.h - Whole files, with errors for users -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_RUNTIME_FILES_H
#define TILEWRIGHT_RUNTIME_FILES_H

#include "tilewright/Expected.h"

#include <string>
#include <string_view>

namespace tilewright::runtime {

/// The file's contents.
Expected<std::string> readFile(const std::string &file);

/// Writes the file as a whole or not at all: a half-written one is taken away.
Expected<void> writeFile(const std::string &file, std::string_view contents);

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_FILES_H
