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

bool SourceFiles::File::maySetAttribute(StringRef attribute) const {
  // A compilation asks each file for hundreds of names.
  std::call_once(wordsOnce, [&] {
    static constexpr StringRef computing[] = {"setattr(", "__dict__", "vars(", "reload("};
    const StringRef all = *text;
    computesNames = llvm::any_of(computing, [&](StringRef one) { return all.contains(one); });
    if (computesNames)
      return;
    auto isInWord = [](char one) { return llvm::isAlnum(one) || one == '_' || one < 0; };
    for (size_t i = 0; i < all.size(); ++i) {
      if (!StringRef(".\"'").contains(all[i]))
        continue;
      const StringRef word = all.drop_front(i + 1).take_while(isInWord);
      if (!word.empty())
        words.insert(word);
      i += word.size();
    }
  });
  return computesNames || words.contains(attribute);
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
