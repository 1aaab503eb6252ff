//===- SourceFiles.cpp - Python files, read and parsed once -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/modules/SourceFiles.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

const SourceFiles::File &SourceFiles::read(StringRef path) {
  File *file;
  {
    std::lock_guard lock(mutex);
    std::unique_ptr<File> &entry = files[path];
    if (!entry)
      entry = std::make_unique<File>();
    file = entry.get();
  }
  std::call_once(file->readOnce, [&] {
    file->path = path.str();
    file->text = reader ? reader(file->path) : std::nullopt;
    if (file->text)
      file->digest = llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(*file->text)),
                                 /*LowerCase=*/true);
  });
  return *file;
}

const SourceFiles::Parsed &SourceFiles::File::parse() const {
  std::call_once(parseOnce, [&] { parsed = ParsedModule::parse(path, *text); });
  return *parsed;
}

std::optional<StringRef> SourceFiles::textOf(StringRef path) {
  {
    std::lock_guard lock(mutex);
    if (!files.contains(path))
      return std::nullopt;
  }
  const std::optional<std::string> &text = read(path).contents();
  return text ? std::optional(StringRef(*text)) : std::nullopt;
}
