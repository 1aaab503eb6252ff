//===- Signature.cpp - The entries of a signature -----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "reduce/Signature.h"

using namespace tilewright;

std::vector<std::string> reduce::splitSignature(llvm::StringRef text) {
  std::vector<std::string> entries;
  if (text.trim().empty())
    return entries;
  int depth = 0;
  size_t begin = 0;
  for (size_t at = 0; at <= text.size(); ++at) {
    const char letter = at < text.size() ? text[at] : ',';
    if (llvm::StringRef("([{<").contains(letter))
      ++depth;
    else if (llvm::StringRef(")]}>").contains(letter))
      --depth;
    else if (letter == ',' && (depth <= 0 || at == text.size())) {
      entries.push_back(text.slice(begin, at).trim().str());
      begin = at + 1;
    }
  }
  return entries;
}
